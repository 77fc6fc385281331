#!/usr/bin/env python3
"""Holds the findings and labels of a run against people's labels of the same claims, as Markdown tables.

    python3 benches/accuracy/wice_agreement.py cases.jsonl citeward-out

`cases.jsonl` is what wice_cases.py wrote; the run folder is what `citeward check cases.jsonl` left.
"""
import sys
from collections import Counter

from agreement import CERTAINTIES, FACTS, NOTES, Run, cases, ratio

LABELS = ("supported", "partially_supported", "not_supported")


def report(people, run):
    of = {label: {case for case, said in people.items() if said == label} for label in LABELS}
    sizes = ", ".join(f"{len(of[label])} {label.replace('_', ' ')}" for label in LABELS)
    yield f"{len(people)} claims: {sizes}."
    yield ""
    yield "| claims with a finding | " + " | ".join(label.replace("_", " ") for label in LABELS) + " | precision |"
    yield "|---|---|---|---|---|"
    final = run.flagged(FACTS, ["final"])
    rows = [("facts, final", final), ("facts, triage alone", run.flagged(FACTS) - final)]
    rows += [(f"`{kind}`, {certainty}", run.flagged([kind], [certainty]))
             for certainty in CERTAINTIES for kind in sorted(FACTS)]
    rows.append(("of these, names without digits, triage", run.flagged(["identifiers"], code=lambda code: code == "name-absent")))
    rows += [(f"`{kind}` (notes and suspicions)", run.flagged([kind])) for kind in sorted(NOTES)]
    for name, flagged in rows:
        if flagged:
            parts = " | ".join(ratio(len(flagged & of[label]), len(of[label])) for label in LABELS)
            yield f"| {name} | {parts} | {ratio(len(flagged - of['supported']), len(flagged))} |"
    yield ""
    yield "Labels of citeward (rows) against those of people:"
    yield ""
    yield "| label | " + " | ".join(label.replace("_", " ") for label in LABELS) + " |"
    yield "|---|---|---|---|"
    counts = Counter((claim["label"], people[claim["case_id"]]) for claim in run.claims)
    for label in sorted({label for label, _ in counts}):
        yield f"| {label} | " + " | ".join(str(counts[label, said]) for said in LABELS) + " |"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    people = {case_id: case["meta"]["label"] for case_id, case in cases(sys.argv[1]).items()}
    for line in report(people, Run(sys.argv[2])):
        print(line)


if __name__ == "__main__":
    main()
