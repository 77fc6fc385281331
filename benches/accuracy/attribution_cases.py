#!/usr/bin/env python3
"""Turns AttributionBench rows into citeward cases: one case for each claim, which cites all of its references.

    python3 benches/accuracy/attribution_cases.py rows.jsonl > cases.jsonl

AttributionBench (Li et al., 2024, arXiv:2402.15089) collects claims of generated answers with the references that they cite
from several sources, and people's label: attributable or not.

Each reference is one unit; a first line "Title: …" is its title. The label goes to `meta.label` (supported or not_supported); nothing of it
reaches a rule. The case's id is the number of its row.
"""
import json
import sys

TITLE = "Title: "


def unit(number, reference):
    first, _, rest = reference.partition("\n")
    if first.startswith(TITLE) and rest.strip():
        return {"evidence_id": f"ref-{number}", "title": first.removeprefix(TITLE).strip(), "content": rest.strip()}
    return {"evidence_id": f"ref-{number}", "content": reference}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        for at, line in enumerate(lines):
            row = json.loads(line)
            sources = [unit(number, text) for number, text in enumerate(row["references"], 1)]
            print(json.dumps({
                "case_id": f"a{at}",
                "query": row["query"],
                "language": "en",
                "claims": [{"claim_id": "c1", "text": row["claim"], "citation_ids": [unit["evidence_id"] for unit in sources]}],
                "sources": sources,
                "meta": {"label": "supported" if row["attributable"] else "not_supported", "source": row["source"]},
            }, ensure_ascii=False))


if __name__ == "__main__":
    main()
