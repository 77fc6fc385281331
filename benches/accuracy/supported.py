#!/usr/bin/env python3
"""How often people disagree with the label `supported`, by the option `high` of `facts-found`, as a Markdown table.

    python3 benches/accuracy/supported.py WORK 0.5 0.6 …

WORK is the folder of `benches/accuracy/run`: cases as hagrid-cases.jsonl and wice-cases.jsonl, runs as hagrid-0.5-run and so on.
"""
import sys

from agreement import Run, cases, ratio


def row(people, run):
    supported = [claim["case_id"] for claim in run.claims if claim["label"] == "supported"]
    return len(supported), ratio(sum(people[case] for case in supported), len(supported))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    work, highs = sys.argv[1], sys.argv[2:]
    hagrid = {i: case["meta"]["attributable"] == "no" for i, case in cases(f"{work}/hagrid-cases.jsonl").items()}
    wice = {i: case["meta"]["label"] != "supported" for i, case in cases(f"{work}/wice-cases.jsonl").items()}
    print("| `high` | HAGRID: supported | in a sentence that is not attributable | WiCE: supported | partially or not supported |")
    print("|---|---|---|---|---|")
    for high in highs:
        many, wrong = row(hagrid, Run(f"{work}/hagrid-{high}-run"))
        claims, partly = row(wice, Run(f"{work}/wice-{high}-run"))
        print(f"| {high} | {many} | {wrong} | {claims} | {partly} |")


if __name__ == "__main__":
    main()
