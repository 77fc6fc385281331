#!/usr/bin/env python3
"""Holds the findings of runs against what people said of the same sentences, as Markdown tables.

    python3 benches/accuracy/hagrid_agreement.py cases.jsonl overview NAME=RUN …
    python3 benches/accuracy/hagrid_agreement.py cases.jsonl detail RUN

`cases.jsonl` is what hagrid_cases.py wrote; each RUN is the folder that `citeward check` left. `overview` sets several
ways of taking claims beside each other; `detail` shows one run by kind of finding, by label, and what its alarms are.

Counted are the sentences that cite at least one quote that exists. A sentence is flagged where a rule of the kind
concerned has a finding on it; "positive" is a sentence that people call not attributable, so that

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

from agreement import CERTAINTIES, FACTS, INTEGRITY, NOTES, Run, agreement, cases, ratio
from hagrid_cases import cited_ids

NUMBER = re.compile(r"\d+(?:\.\d+)*")
BRACKETS = re.compile(r"\[[^\]]*\]")
ALL = FACTS | INTEGRITY


def plain_numbers(text):
    return set(NUMBER.findall(text.replace(",", "")))


class Sentences:
    """The judged sentences, sorted by what people and the plain rule say of them."""

    def __init__(self, known):
        self.judged, self.bad, self.numeric, self.plain, self.astray = set(), set(), set(), set(), set()
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
            if numbers:
                self.numeric.add(case_id)
                if not all(number in cited for number in numbers):
                    self.plain.add(case_id)
        self.fine = self.judged - self.bad

    def sizes(self):
        bad = self.bad & self.judged
        return (f"{len(self.judged)} judged sentences cite a quote that exists: {len(self.fine)} attributable, {len(bad)} "
                f"not; {len(self.numeric)} have numbers beside their markers, {len(self.numeric & bad)} of these are not "
                "attributable.")


def certain(run):
    """Sentences with a finding that decides."""
    return run.flagged(ALL, ["final"])


def stated(run):
    """Sentences of which a finding says that a fact is missing or another: final, or triage apart from names and what is open."""
    return certain(run) | run.flagged(ALL, ["triage"], lambda code: not code.endswith("-ambiguous") and code != "name-absent")


def overview(sentences, runs):
    bad, fine, numeric = sentences.bad & sentences.judged, sentences.fine, sentences.numeric
    yield sentences.sizes()
    yield ""
    yield "| claims | findings | precision | recall | precision with numbers | recall with numbers |"
    yield "|---|---|---|---|---|---|"

    def row(name, what, flagged):
        flagged = flagged & sentences.judged
        hit, near = flagged & bad, flagged & numeric
        return (f"| {name} | {what} | {ratio(len(hit), len(flagged))} | {ratio(len(hit), len(bad))} | "
                f"{ratio(len(near & bad), len(near))} | {ratio(len(near & bad), len(numeric & bad))} |")

    for name, run in runs:
        yield row(name, "final", certain(run))
        yield row(name, "missing or conflicting, final or triage", stated(run))
        yield row(name, "all, with names and what is open", run.flagged(ALL))
    yield row("–", "plain rule: every number occurs in the cited quotes", sentences.plain)


def detail(sentences, run):
    bad, fine, numeric = sentences.bad & sentences.judged, sentences.fine, sentences.numeric
    what = "attributable sentence"
    quantities, dates = run.flagged(["numbers"], ["final"]), run.flagged(["dates"], ["final"])
    lines = run.flagged(["introduced"], ["final"])
    rows = [("final findings on quantities", quantities), ("final findings on dates", dates),
            ("invented reference lines and links", lines),
            ("any of these three", quantities | dates | lines),
            ("other final findings alone", certain(run) - quantities - dates - lines)]
    yield from agreement([row for row in rows if row[1] & sentences.judged], bad, fine, what)
    yield ""
    yield "By kind of check:"
    yield ""
    rows = [(f"`{kind}`, {certainty}", run.flagged([kind], [certainty]))
            for certainty in CERTAINTIES for kind in sorted(ALL)]
    for code in sorted({finding["code"] for findings in run.findings.values() for finding in findings
                        if finding["kind"] in FACTS and finding["certainty"] == "triage"}):
        rows.append((f"of these, `{code}`", run.flagged(FACTS, ["triage"], lambda own, code=code: own == code)))
    rows += [(f"`{kind}` (notes and suspicions)", run.flagged([kind])) for kind in sorted(NOTES)]
    # A row without a flagged sentence says nothing.
    yield from agreement([row for row in rows if row[1] & sentences.judged], bad, fine, what)
    yield ""
    other_unit = run.flagged(["misattributed"]) & certain(run) & sentences.judged
    yield (f"{len(other_unit)} sentences with a final finding miss something that another quote of the packet has, which they "
           f"do not cite. People reject {ratio(len(other_unit & bad), len(other_unit))} of them: a marker that leads to the "
           f"wrong passage is a defect for most readers too. Of the {len(certain(run) & fine)} attributable sentences "
           f"with a final finding, {len(other_unit & fine)} are of this kind.")
    yield ""
    yield from further_quotes(sentences, run)
    yield ""
    resolved = run.flagged(["resolves"], ["final"])
    yield (f"Judged sentences that cite a quote that does not exist: {len(sentences.astray)}. A finding says so: "
           f"{len(sentences.astray & resolved)}. People call them attributable: {len(sentences.astray - sentences.bad)}.")
    yield ""
    yield from labels(sentences, run)


def further_quotes(sentences, run):
    """How people take a sentence that cites several quotes, by how much of its facts each of them has."""
    each, idle = set(), set()
    for claim in run.claims:
        case = claim["case_id"]
        if case not in sentences.judged or case in certain(run) or len(claim["citations"]) < 2:
            continue
        shares = []
        for citation in claim["citations"]:
            scores = [outcome["score"] for outcome in citation["outcomes"]
                      if run.kinds.get(outcome["rule"]) in ("numbers", "dates", "quotes") and outcome["score"] is not None]
            shares.append((min(scores), max(scores)) if scores else None)
        if all(share and share[0] == 1 for share in shares):
            each.add(case)
        if any(share and share[1] == 0 for share in shares):
            idle.add(case)
    yield (f"Of the sentences without a final finding that cite several quotes, people reject {ratio(len(each & sentences.bad), len(each))} where "
           f"every cited quote has all of its numbers, dates and quotations, and {ratio(len(idle & sentences.bad), len(idle))} where "
           "one of the cited quotes has none of them.")


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
    if len(sys.argv) < 4 or sys.argv[2] not in ("overview", "detail"):
        sys.exit(__doc__)
    sentences = Sentences(cases(sys.argv[1]))
    if sys.argv[2] == "overview":
        runs = [argument.split("=", 1) for argument in sys.argv[3:]]
        lines = overview(sentences, [(name, Run(folder)) for name, folder in runs])
    else:
        lines = detail(sentences, Run(sys.argv[3]))
    for line in lines:
        print(line)


if __name__ == "__main__":
    main()
