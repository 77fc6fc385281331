#!/usr/bin/env python3
"""Turns a HAGRID file into citeward cases: one case for each sentence that people judged.

    python3 benches/accuracy/hagrid_cases.py hagrid.jsonl > cases.jsonl
    python3 benches/accuracy/hagrid_cases.py hagrid.jsonl --whole > cases.jsonl

HAGRID (Kamalloo et al., 2023, arXiv:2307.16883; Apache-2.0) holds queries with quoted passages and generated answers
whose sentences cite passages by number. People said of each sentence whether it is attributable to what it cites.

The sentence is the answer of its case, the query's quotes are the packet, and `idx` is the id that is cited. The
judgement goes to `meta.attributable` (yes or no); nothing of it reaches a rule. Sentences that nobody judged are left
out and counted on standard error. With `--whole` the sentence is also declared as one claim that cites every quote its
markers name, which is what people judged; without it the claims are left to be split from the answer.
"""
import json
import re
import sys

MARKER = re.compile(r"\[([\d,\s\-–]+)\]")


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


def cases(path):
    unjudged = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            sources = [
                {"evidence_id": str(quote["idx"]), "source_id": quote["docid"], "source_type": "encyclopedia",
                 "content": quote["text"]}
                for quote in row["quotes"]
            ]
            for number, answer in enumerate(row["answers"]):
                for sentence in answer["sentences"] or []:
                    if sentence.get("attributable") is None:
                        unjudged += 1
                        continue
                    yield {
                        "case_id": f"{row['query_id']}.{number}.{sentence['index']}",
                        "query": row["query"],
                        "answer": sentence["text"],
                        "language": "en",
                        "sources": sources,
                        "meta": {"attributable": "yes" if sentence["attributable"] else "no"},
                    }
    print(f"{unjudged} sentences without a judgement left out", file=sys.stderr)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--whole"]):
        sys.exit(__doc__)
    seen = {}
    for case in cases(sys.argv[1]):
        if sys.argv[2:]:
            ids = sorted(cited_ids(case["answer"]), key=int)
            case["claims"] = [{"claim_id": "c1", "text": case["answer"], "citation_ids": ids}]
        # A few queries repeat a sentence index: the later one gets a letter, so that every id is unique.
        count = seen[case["case_id"]] = seen.get(case["case_id"], 0) + 1
        if count > 1:
            case["case_id"] += f".{count}"
        print(json.dumps(case, ensure_ascii=False))


if __name__ == "__main__":
    main()
