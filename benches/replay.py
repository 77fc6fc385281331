#!/usr/bin/env python3
"""Measures what citeward does with a run that is there: holds it against a baseline, judges it by other gates, shows what a policy
edit would change, compares it, blesses it. Prints a table in Markdown; each CPU time also as a share of the same run's `check`.

    python3 benches/replay.py [--cases 10000] [--rounds 3] [--bin target/release/citeward]

The data are those of `speed.py`; in the candidate, three cases of a hundred cite other passages. The policy is the shipped one with
three gates on drops and rises, and the edit moves two of their bounds. As there, all commands run in turns, and each figure is the
median of the rounds.
"""

import argparse
import json
import os
import pathlib
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

from speed import ROOT, generate, measure

GATES = """
  - { id: no-language-regresses, metric: citation_correctness, by: language, max_drop: DROP, confidence: 0.95 }
  - { id: no-language-passes-less, metric: case_pass_rate, by: language, max_drop: 0.02 }
  - { id: nothing-regresses, metric: defect_rate, max_rise: RISE }
"""


def policy(folder, drop, rise):
    shutil.copytree(ROOT / "rules", folder)
    gates = folder / "60-gates.yaml"
    gates.write_text(gates.read_text(encoding="utf-8") + GATES.replace("DROP", drop).replace("RISE", rise), encoding="utf-8")
    return folder


def candidate(path, into, seed):
    """The next release: the same questions, other citations here and there."""
    chance = random.Random(seed)
    with open(path, encoding="utf-8") as lines, open(into, "w", encoding="utf-8") as out:
        for line in lines:
            if chance.random() < 0.03:
                case = json.loads(line)
                for claim in case["claims"]:
                    claim["citation_ids"] = [f"doc_{chance.randrange(1, 6)}"]
                line = json.dumps(case) + "\n"
            out.write(line)


def main():
    parser = argparse.ArgumentParser(description="what citeward does with a run that is there")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bin", help="a citeward that is built already; without it, a release build is made")
    args = parser.parse_args()
    if not args.bin:
        subprocess.run(["cargo", "build", "--release", "--bin", "citeward"], cwd=ROOT, check=True)
    binary = pathlib.Path(args.bin or ROOT / "target/release/citeward").resolve()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        old, new = policy(folder / "rules", "0.01", "0.01"), policy(folder / "edited", "0.008", "0.005")
        data, release = folder / "release-1" / "load.jsonl", folder / "release-2" / "load.jsonl"
        data.parent.mkdir()
        release.parent.mkdir()
        generate(data, args.cases, args.seed)
        candidate(data, release, args.seed)
        first, run, baselines = folder / "first", folder / "run", folder / "baselines"
        measure([binary, "check", data, "--rules", old, "--out", first, "--baseline", "none", "-q"])
        measure([binary, "bless", first, "--baselines", baselines])
        baseline = baselines / "load.json"
        check = [binary, "check", release, "--rules", old, "-q", "--out"]
        edit = [binary, "impact", "--from", old, "--to", new, "--run", run, "--baseline"]
        commands = {
            "`check`": [*check, folder / "without", "--baseline", "none"],
            "`check`, with the baseline": [*check, run, "--baseline", baseline],
            "`regate`": [binary, "regate", run, "--rules", new, "--baseline", "none"],
            "`regate`, with the baseline": [binary, "regate", run, "--rules", new, "--baseline", baseline],
            "`impact --run` of an edit of bounds": [*edit, "none"],
            "`impact --run`, with the baseline": [*edit, baseline],
            "`diff` of baseline and run": [binary, "diff", baseline, run],
            "`bless`": [binary, "bless", first, "--baselines", folder / "blessed"],
        }
        rounds = {name: [] for name in commands}
        for round in range(args.rounds):
            for name, command in commands.items():
                rounds[name].append(measure(command))
            print(f"round {round + 1} of {args.rounds}", file=sys.stderr)
        sizes = {"data": release, "outlines": run / "outline.jsonl", "baseline": baseline}
        sizes = ", ".join(f"{what} {path.stat().st_size / 1e6:.0f} MB" for what, path in sizes.items())
    medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in rounds.items()}
    whole = medians["`check`"][1]
    print(f"{args.cases:,} cases; {sizes}; {cores} cores, {platform.machine()}; medians of {args.rounds} rounds in turns.\n")
    print("| command | wall, s | CPU, s | CPU as a share of `check` | peak memory, MB |")
    print("|---|---|---|---|---|")
    for name, (wall, cpu, peak) in medians.items():
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {cpu / whole:.2f} | {peak:.0f} |")


if __name__ == "__main__":
    main()
