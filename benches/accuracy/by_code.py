#!/usr/bin/env python3
"""How often each code was right, over several labelled sets, as a Markdown table.

    python3 benches/accuracy/by_code.py NAME=cases.jsonl=citeward-out … 

A finding is right where people object to its claim. A set whose name ends in "*" is counted in two parts, told apart by the first byte of
the SHA-256 of the case's id: the even ones were looked at while the rules were made, the odd ones never were.
"""
import hashlib
import sys
from collections import Counter

from agreement import CERTAINTIES, FACTS, Run, cases


def is_objected(case):
    meta = case["meta"]
    return meta["label"] != "supported" if "label" in meta else meta["attributable"] == "no"


def part_of(name, case_id):
    if not name.endswith("*"):
        return name
    odd = hashlib.sha256(case_id.encode()).digest()[0] % 2
    return f"{name[:-1]}, {'kept apart' if odd else 'worked on'}"


def main():
    columns, right, flagged, size = [], Counter(), Counter(), Counter()
    for argument in sys.argv[1:]:
        name, path, folder = argument.split("=")
        people = {case_id: is_objected(case) for case_id, case in cases(path).items()}
        run = Run(folder)
        columns += sorted({part_of(name, case_id) for case_id in people}, reverse=True)
        size.update(part_of(name, case_id) for case_id in people)
        for case_id, findings in run.findings.items():
            if case_id not in people:
                continue
            told = {(finding["certainty"], finding["code"]) for finding in findings if finding["kind"] in FACTS}
            told |= {(certainty, "any of these") for certainty, _ in told}
            for key in told:
                flagged[key, part_of(name, case_id)] += 1
                right[key, part_of(name, case_id)] += people[case_id]
    if not columns:
        sys.exit(__doc__)
    print("| finding | " + " | ".join(f"{column} ({size[column]})" for column in columns) + " |")
    print("|---|" + "---|" * len(columns))
    keys = {key for key, _ in flagged}
    for certainty in CERTAINTIES:
        own = sorted((key for key in keys if key[0] == certainty), key=lambda key: (key[1] == "any of these", -sum(flagged[key, column] for column in columns)))
        for key in own:
            shares = []
            for column in columns:
                whole = flagged[key, column]
                shares.append(f"{right[key, column]}/{whole} = {100 * right[key, column] / whole:.0f} %" if whole else "–")
            name = key[1] if key[1] == "any of these" else f"`{key[1]}`"
            print(f"| {certainty}: {name} | " + " | ".join(shares) + " |")


if __name__ == "__main__":
    main()
