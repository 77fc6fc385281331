"""What somebody would write in an afternoon instead: a subset of what citeward does, in plain Python, on one core.

    python3 benches/plain.py FILE

Per citation: does the id resolve, is it within the packet's range, SHA-256 of the passage. Per claim: share of its words and
all of its numbers in the passages it cites. Counts per intent. Nothing is written but one line.
"""

import collections
import hashlib
import json
import re
import sys

WORD = re.compile(r"[a-z]+")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
MARKER = re.compile(r"\[([A-Za-z]+_\d+)\]")
STOP = frozenset("a an and are as at be by for from in is it of on or per that the to up was with".split())


def words(text):
    return {word for word in WORD.findall(text.lower()) if word not in STOP}


def main(path):
    cases = claims = unknown = out_of_range = supported = 0
    per_intent = collections.Counter()
    supported_per_intent = collections.Counter()
    digests = set()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            cases += 1
            units = {unit["evidence_id"]: unit for unit in case["sources"]}
            for cited in MARKER.findall(case["answer"]):
                unknown += cited not in units
                out_of_range += not 1 <= int(cited.split("_")[1]) <= case["max_document_id"]
            for claim in case["claims"]:
                claims += 1
                passages = [units[id]["content"] for id in claim["citation_ids"] if id in units]
                digests.update(hashlib.sha256(passage.encode()).digest() for passage in passages)
                wanted = words(claim["text"])
                text = " ".join(passages)
                shared = len(wanted & words(text)) / max(1, len(wanted))
                has_numbers = set(NUMBER.findall(claim["text"])) <= set(NUMBER.findall(text))
                good = bool(passages) and shared >= 0.5 and has_numbers
                supported += good
                intent = case["meta"]["intent"]
                per_intent[intent] += 1
                supported_per_intent[intent] += good
    rates = {intent: round(supported_per_intent[intent] / count, 4) for intent, count in sorted(per_intent.items())}
    print(cases, claims, supported, unknown, out_of_range, len(digests), rates)


if __name__ == "__main__":
    main(sys.argv[1])
