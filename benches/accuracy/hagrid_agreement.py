#!/usr/bin/env python3
"""Holds the findings of a run against what people said of the same sentences, as Markdown tables.

    python3 benches/accuracy/hagrid_agreement.py cases.jsonl citeward-out

`cases.jsonl` is what hagrid_cases.py wrote; the run folder is what `citeward check cases.jsonl` left. Counted are the
sentences that cite at least one quote that exists. A sentence is flagged where a rule of the kind concerned has a
finding on it; "positive" is a sentence that people call not attributable, so that

    precision = flagged and not attributable / flagged
    recall    = flagged and not attributable / not attributable
    alarms per attributable sentence = flagged though attributable / attributable

The plain rule that stands beside them: every number of the sentence occurs in the quotes it cites. A number is a run of
digits, points inside it included; what stands between square brackets and all commas are taken away first, and it occurs
where the joined quotes hold it as a piece of text, be it inside of a longer number.
"""
import re
import sys
from collections import Counter

from agreement import CERTAINTIES, FACTS, INTEGRITY, Run, agreement, cases, ratio

NUMBER = re.compile(r"\d+(?:\.\d+)*")
BRACKETS = re.compile(r"\[[^\]]*\]")
MARKER = re.compile(r"\[([\d,\s\-–]+)\]")
CLAIMED = re.compile("“([^”]*)”")


def cited_ids(answer):
    """The ids that a sentence cites, read as plainly as a regular expression allows."""
    found = set()
    for group in MARKER.findall(answer):
        for part in re.split(r"[,\s]+", group):
            bounds = re.split(r"[-–]", part)
            if len(bounds) == 2 and all(bound.isdigit() for bound in bounds):
                found.update(str(number) for number in range(int(bounds[0]), int(bounds[1]) + 1))
            elif part.isdigit():
                found.add(part)
    return found


def plain_numbers(text):
    return set(NUMBER.findall(text.replace(",", "")))


class Sentences:
    """The judged sentences, sorted by what people and the plain rule say of them."""

    def __init__(self, known):
        self.judged, self.bad, self.numeric, self.plain, self.astray = set(), set(), set(), set(), set()
        self.elsewhere = {}
        for case_id, case in known.items():
            contents = {source["evidence_id"]: source["content"] for source in case["sources"]}
            ids = cited_ids(case["answer"])
            if case["meta"]["attributable"] == "no":
                self.bad.add(case_id)
            if ids - set(contents):
                self.astray.add(case_id)
            if not ids & set(contents):
                continue
            self.judged.add(case_id)
            numbers = plain_numbers(BRACKETS.sub(" ", case["answer"]))
            cited = " ".join(contents[i] for i in sorted(ids & set(contents))).replace(",", "")
            self.elsewhere[case_id] = " ".join(text for i, text in contents.items() if i not in ids)
            if numbers:
                self.numeric.add(case_id)
                if not all(number in cited for number in numbers):
                    self.plain.add(case_id)
        self.fine = self.judged - self.bad


def stands_elsewhere(finding, other_quotes):
    """Whether what a finding misses stands in a quote of the packet that the sentence does not cite."""
    claimed = CLAIMED.search(finding["message"])
    if not claimed:
        return False
    numbers = plain_numbers(claimed[1])
    if numbers:
        return all(number in other_quotes.replace(",", "") for number in numbers)
    words = claimed[1].casefold().removeprefix("at most ").removeprefix("more than ").strip(" .,")
    return words in other_quotes.casefold()


def report(sentences, run):
    bad, fine, numeric = sentences.bad & sentences.judged, sentences.fine, sentences.numeric
    final = run.flagged(FACTS | INTEGRITY, ["final"])
    every = run.flagged(FACTS | INTEGRITY)
    what = "attributable sentence"
    yield (f"{len(sentences.judged)} judged sentences cite a quote that exists: {len(fine)} attributable, {len(bad)} not; "
           f"{len(numeric)} have numbers beside their markers, {len(numeric & bad)} of these are not attributable.")
    yield ""
    rows = [("facts and integrity, final", final), ("facts and integrity, final or triage", every),
            ("integrity, final", run.flagged(INTEGRITY, ["final"]))]
    rows += [(f"`{kind}`, {certainty}", run.flagged([kind], [certainty]))
             for certainty in CERTAINTIES for kind in sorted(FACTS)]
    rows.append(("of these, names without digits, triage", run.flagged(["identifiers"], code="name-absent")))
    # A row without a flagged sentence says nothing.
    yield from agreement([row for row in rows if row[1] & sentences.judged], bad, fine, what)
    yield ""
    yield "Among the sentences with numbers:"
    yield ""
    rows = [("facts and integrity, final", final), ("facts and integrity, final or triage", every),
            ("plain rule: every number occurs in the cited quotes", sentences.plain)]
    yield from agreement(rows, bad & numeric, fine & numeric, what)
    yield ""
    alarms = sorted(final & fine)
    near = [case for case in alarms
            if any(stands_elsewhere(finding, sentences.elsewhere[case])
                   for finding in run.findings[case] if finding["certainty"] == "final")]
    yield (f"Of the {len(alarms)} attributable sentences with a final finding, {len(near)} miss something that stands in "
           "another quote of the packet, which the sentence does not cite.")
    yield ""
    resolved = run.flagged(["resolves"], ["final"])
    yield (f"Judged sentences that cite a quote that does not exist: {len(sentences.astray)}. A finding says so: "
           f"{len(sentences.astray & resolved)}. People call them attributable: {len(sentences.astray - sentences.bad)}.")
    yield ""
    yield from labels(sentences, run)


def labels(sentences, run):
    counts = Counter()
    for claim in run.claims:
        if claim["case_id"] in sentences.judged and claim["label"]:
            counts[claim["label"], claim["case_id"] in sentences.bad] += 1
    yield "Cited claims by label, and how many of them stand in a sentence that people call not attributable:"
    yield ""
    yield "| label | claims | in a sentence that is not attributable |"
    yield "|---|---|---|"
    for label in sorted({label for label, _ in counts}):
        whole = counts[label, False] + counts[label, True]
        yield f"| {label} | {whole} | {ratio(counts[label, True], whole)} |"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for line in report(Sentences(cases(sys.argv[1])), Run(sys.argv[2])):
        print(line)


if __name__ == "__main__":
    main()
