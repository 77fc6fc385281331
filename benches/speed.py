#!/usr/bin/env python3
"""Measures citeward against a plain Python script that does a subset of its work (`plain.py`), and against the floor
(`floor.rs`: decode the JSON and hash the cited passages). Prints a table in Markdown.

    python3 benches/speed.py [--cases 20000] [--rounds 5] [--bin target/release/citeward]

All programs run in turns, round by round, on the same generated data, so that whatever else the machine does falls on all of
them; each figure is the median of the rounds. CPU time is user and system time of the whole process. No test does this:
a clock that fails a build on a busy machine teaches people to ignore it.
"""

import argparse
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

SUBJECTS = ["The export queue", "The audit log", "A shared workspace", "The billing portal", "Each storage bucket", "The search index"]
VERBS = ["accepts", "keeps", "allows", "delivers", "returns", "stores"]
THINGS = [("requests per minute", [60, 100, 120, 250, 600, 1200]), ("days", [7, 14, 30, 60, 90, 365]),
          ("GB", [5, 10, 50, 200, 512]), ("% of the fee", [5, 10, 12.5, 20]), ("seats", [3, 10, 25, 400])]
FILLER = ("Administrators see the current value on the usage page and may ask for a review at any time.",
          "The setting applies to new projects first and is rolled out to older ones region by region.",
          "Support staff can read the change history, but only owners of the account can edit it.",
          "Notices go to the technical contact before a planned change takes effect.",
          "Nothing in this section limits what a signed order form grants to a customer.",
          "When a job fails it is tried again with growing pauses, and then reported to the owner.")


def fact(chance):
    thing, values = chance.choice(THINGS)
    return chance.choice(SUBJECTS), chance.choice(VERBS), chance.choice(values), thing


def passage(chance, subject, verb, value, thing):
    around = chance.sample(FILLER, 5)
    # Every passage is a text of its own, so that no cache of passages can help.
    label = f"Section {chance.randrange(1, 40)}, revision {chance.randrange(10**6)}."
    return " ".join([label, *around[:3], f"{subject} {verb} up to {value} {thing}.", *around[3:]])


def case(chance, number):
    units, facts, claims, answer = [], [], [], []
    for position in range(1, 6):
        facts.append(fact(chance))
        units.append({"evidence_id": f"doc_{position}", "source_id": f"handbook_{chance.randrange(400)}",
                      "source_version": f"2026-0{chance.randrange(1, 9)}", "title": f"{facts[-1][0]} limits",
                      "locator": {"section": "Limits", "paragraph": position}, "scope_id": "tenant_a",
                      "content": passage(chance, *facts[-1])})
    for index in range(1, 4):
        position = chance.randrange(5)
        subject, verb, value, thing = facts[position]
        if chance.random() < 0.15:
            value += 1
        text = f"{subject} {verb} up to {value} {thing}."
        cited = f"doc_{position + 1}" if chance.random() > 0.03 else "doc_12"
        claims.append({"claim_id": f"c{index}", "text": text, "citation_ids": [cited], "is_verifiable": True})
        answer.append(f"{text[:-1]} [{cited}].")
    return {"case_id": f"load-{number}", "query": f"How much does {facts[0][0].lower()} allow?", "answer": " ".join(answer),
            "language": chance.choice(["en", "en", "en", "de"]), "claims": claims, "sources": units,
            "max_document_id": 5, "allowed_scopes": ["tenant_a"],
            "meta": {"intent": chance.choice(["limits", "billing", "setup", "legal"]), "model": chance.choice(["m-1", "m-2"])}}


def generate(path, cases, seed):
    chance = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        for number in range(cases):
            out.write(json.dumps(case(chance, number)) + "\n")


def measure(command):
    """Wall seconds, CPU seconds and peak MB of one run."""
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - began
    code = os.waitstatus_to_exitcode(status)
    child.returncode = code
    # citeward exits with 1 where a gate failed, which this data is meant to do.
    if code not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))} exited with {code}: {child.stderr.read().decode()[:2000]}")
    peak = usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
    return wall, usage.ru_utime + usage.ru_stime, peak


def main():
    parser = argparse.ArgumentParser(description="citeward against a plain Python script and the floor")
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bin", help="a citeward that is built already; without it, release builds are made")
    parser.add_argument("--floor", help="a floor that is built already (examples/floor)")
    args = parser.parse_args()
    if not args.bin or not args.floor:
        subprocess.run(["cargo", "build", "--release", "--bin", "citeward", "--example", "floor"], cwd=ROOT, check=True)
    binary = pathlib.Path(args.bin or ROOT / "target/release/citeward").resolve()
    floor = pathlib.Path(args.floor or ROOT / "target/release/examples/floor").resolve()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "load.jsonl"
        generate(data, args.cases, args.seed)
        check = [binary, "check", data, "--rules", ROOT / "rules", "--out", pathlib.Path(folder) / "run", "-q"]
        programs = {"citeward, 1 worker": [*check, "--jobs", "1"]}
        if cores > 1:
            programs[f"citeward, {cores} workers"] = [*check, "--jobs", str(cores)]
        programs["plain Python, a subset of the work"] = [sys.executable, ROOT / "benches/plain.py", data]
        programs["floor, 1 thread"] = [floor, data, "1"]
        rounds = {name: [] for name in programs}
        for round in range(args.rounds):
            for name, command in programs.items():
                rounds[name].append(measure(command))
            print(f"round {round + 1} of {args.rounds}", file=sys.stderr)
        size = data.stat().st_size / 1e6
    medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in rounds.items()}
    python = medians["plain Python, a subset of the work"]
    print(f"{args.cases:,} cases, {args.cases * 3:,} claims, {size:.0f} MB; {cores} cores, {platform.machine()}, "
          f"Python {platform.python_version()}; medians of {args.rounds} rounds in turns.\n")
    print("| program | wall, s | CPU, s | CPU as a share of plain Python | peak memory, MB | cases per second |")
    print("|---|---|---|---|---|---|")
    for name, (wall, cpu, peak) in medians.items():
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {cpu / python[1]:.2f} | {peak:.0f} | {args.cases / wall:,.0f} |")


if __name__ == "__main__":
    main()
