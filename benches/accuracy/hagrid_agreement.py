#!/usr/bin/env python3
"""Holds the findings of a run against what people said of the same sentences, as Markdown tables.

    python3 benches/accuracy/hagrid_agreement.py cases.jsonl citeward-out

`cases.jsonl` is what hagrid_cases.py wrote; the run folder is what `citeward check cases.jsonl` left. Counted are the
sentences that cite at least one quote that exists. A sentence is flagged where a rule of the kind concerned has a
finding on it; "positive" is a sentence that people call not attributable, so that

    precision = flagged and not attributable / flagged
    recall    = flagged and not attributable / not attributable
    alarms per claim = flagged though attributable / attributable

The plain rule that stands beside them: every number of the sentence (a run of digits with commas and points) occurs in
the quotes it cites.
"""
import json
import re
import sys
from collections import defaultdict

INTEGRITY = {"resolves", "retrieved", "id-range", "malformed-marker", "content-hash", "scope", "source-version",
             "locator", "markers-match-claims"}
FACTS = {"numbers", "dates", "quotes", "identifiers", "introduced"}
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
MARKER = re.compile(r"\[[\d,\s\-–]+\]")


def lines(path):
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def cited_ids(answer, known):
    """Ids of existing quotes that a sentence cites, read as plainly as a regular expression allows."""
    found = set()
    for group in re.findall(r"\[([\d,\s\-–]+)\]", answer):
        for part in re.split(r"[,\s]+", group):
            bounds = re.split(r"[-–]", part)
            if len(bounds) == 2 and all(bound.isdigit() for bound in bounds):
                found.update(str(number) for number in range(int(bounds[0]), int(bounds[1]) + 1))
            elif part.isdigit():
                found.add(part)
    return found & known


def ratio(part, whole):
    return f"{part}/{whole} = {100 * part / whole:.1f} %" if whole else "no data"


def row(name, flagged, wanted, fine):
    hit = len(flagged & wanted)
    return (f"| {name} | {len(flagged)} | {ratio(hit, len(flagged))} | {ratio(hit, len(wanted))} | "
            f"{ratio(len(flagged & fine), len(fine))} |")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    cases_path, run = sys.argv[1:]
    with open(f"{run}/run.json", encoding="utf-8") as file:
        kinds = {rule: entry["check"] for rule, entry in json.load(file)["rules"].items()}
    flagged = {certainty: defaultdict(set) for certainty in ("final", "triage")}
    for path in ("records.jsonl", "cases.jsonl"):
        for record in lines(f"{run}/{path}"):
            for finding in record["findings"]:
                flagged[finding["certainty"]][kinds.get(finding["rule"])].add(record["case_id"])

    judged, bad, numeric, plain, broken_id = set(), set(), set(), set(), []
    for case in lines(cases_path):
        contents = {source["evidence_id"]: source["content"] for source in case["sources"]}
        ids = cited_ids(case["answer"], set(contents))
        if not ids:
            continue
        judged.add(case["case_id"])
        if case["meta"]["attributable"] == "no":
            bad.add(case["case_id"])
        numbers = set(NUMBER.findall(MARKER.sub(" ", case["answer"])))
        if numbers:
            numeric.add(case["case_id"])
            if not numbers <= set(NUMBER.findall(" ".join(contents[i] for i in sorted(ids)))):
                plain.add(case["case_id"])
    fine = judged - bad

    def by(certainties, wanted_kinds):
        return set().union(*(flagged[c][k] for c in certainties for k in wanted_kinds)) & judged

    print(f"{len(judged)} judged sentences cite a quote that exists: {len(fine)} attributable, {len(bad)} not; "
          f"{len(numeric)} have numbers beside their markers, {len(numeric & bad)} of these are not attributable.\n")
    print("| findings | flagged | precision | recall | alarms per attributable sentence |")
    print("|---|---|---|---|---|")
    print(row("integrity, final", by(["final"], INTEGRITY), bad, fine))
    for kind in sorted(FACTS):
        print(row(f"`{kind}`, final", by(["final"], {kind}), bad, fine))
    for kind in sorted(FACTS):
        print(row(f"`{kind}`, triage", by(["triage"], {kind}), bad, fine))
    print(row("facts and integrity, final", by(["final"], FACTS | INTEGRITY), bad, fine))
    print(row("facts and integrity, final or triage", by(["final", "triage"], FACTS | INTEGRITY), bad, fine))
    print("\nAmong the sentences with numbers:\n")
    print("| findings | flagged | precision | recall | alarms per attributable sentence |")
    print("|---|---|---|---|---|")
    print(row("facts and integrity, final", by(["final"], FACTS | INTEGRITY) & numeric, bad & numeric, fine & numeric))
    print(row("facts and integrity, final or triage", by(["final", "triage"], FACTS | INTEGRITY) & numeric,
              bad & numeric, fine & numeric))
    print(row("plain rule: every number occurs in the cited quotes", plain, bad & numeric, fine & numeric))


if __name__ == "__main__":
    main()
