#!/usr/bin/env python3
"""Turns a WiCE file of claims into citeward cases: one case for each claim, which cites the whole of its article.

    python3 benches/accuracy/wice_cases.py claims.jsonl > cases.jsonl

WiCE (Kamoi et al., 2023, arXiv:2303.01432; annotations ODC-BY) holds sentences of an encyclopedia, the sentences of the web
article that each cites, and people's label: supported, partially supported or not supported.

The article is one unit, a sentence a paragraph, with its title where the data names one. The label goes to `meta.label`; nothing of it reaches a rule, and it is not `expected`
either, since people's "not supported" says that something is missing, never that the evidence says otherwise.
"""
import json
import sys

TITLE = "(meta data) TITLE:"


def unit(evidence):
    titles = [text.removeprefix(TITLE).strip() for text in evidence if text.startswith(TITLE)]
    title = {"title": titles[0]} if titles and titles[0] else {}
    content = "\n\n".join(text for text in evidence if not text.startswith(TITLE))
    return {"evidence_id": "article", "source_type": "web", **title, "content": content}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            print(json.dumps({
                "case_id": row["id"],
                "language": "en",
                "claims": [{"claim_id": "c1", "text": row["claim"], "citation_ids": ["article"]}],
                "sources": [unit(row["evidence"])],
                "meta": {"label": row["label"]},
            }, ensure_ascii=False))


if __name__ == "__main__":
    main()
