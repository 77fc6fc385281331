#!/usr/bin/env python3
"""Measures what redaction costs, and how large the reports of a run with very many findings are. Prints two tables in
Markdown.

    python3 benches/reports.py [--cases 10000] [--rounds 3] [--bin target/release/citeward]

Redaction: `check` without and with the shipped patterns, in turns on the same generated data (`speed.py`); each figure is the
median of the rounds, CPU is user and system time of the whole process. Reports: the shipped bad release, its cases repeated
under new ids until there are as many.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import speed

REDACT = "version: 1\nredact: { patterns: [{ id: email }, { id: phone }, { id: key }, { id: token }, { id: iban }] }\n"
REPORTS = ["report.html", "report.md", "findings.csv", "results.sarif", "junit.xml"]


def repeated(path, cases):
    lines = []
    for file in sorted((speed.ROOT / "datasets/helpdesk-bad-release").rglob("*.jsonl")):
        lines += [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    with open(path, "w", encoding="utf-8") as out:
        for number in range(cases):
            case = dict(lines[number % len(lines)])
            case["case_id"] = f"{case['case_id']}-{number // len(lines)}"
            out.write(json.dumps(case, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bin", type=pathlib.Path)
    args = parser.parse_args()
    program = args.bin
    if program is None:
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=speed.ROOT, check=True)
        program = speed.ROOT / "target/release/citeward"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data, bad, redacting = folder / "cases.jsonl", folder / "bad.jsonl", folder / "redacting"
        speed.generate(data, args.cases, 7)
        repeated(bad, args.cases)
        subprocess.run(["cp", "-r", speed.ROOT / "rules", redacting], check=True)
        (redacting / "95-redact.yaml").write_text(REDACT, encoding="utf-8")
        check = [program, "check", data, "--baseline", "none", "--quiet", "--out", folder / "run", "--rules"]
        commands = {"`check`": [*check, speed.ROOT / "rules"], "`check`, five shipped patterns": [*check, redacting]}
        taken = {name: [] for name in commands}
        for _ in range(args.rounds):
            for name, command in commands.items():
                taken[name].append(speed.measure(list(map(str, command))))
        print(f"{args.cases:,} cases; medians of {args.rounds} rounds in turns.\n")
        print("| command | CPU, s | as a share |\n|---|---|---|")
        medians = {name: statistics.median(one[1] for one in rounds) for name, rounds in taken.items()}
        for name, cpu in medians.items():
            print(f"| {name} | {cpu:.2f} | {cpu / medians['`check`']:.2f} |")
        run = folder / "many"
        subprocess.run([program, "check", bad, "--baseline", "none", "--quiet", "--rules", speed.ROOT / "rules", "--out", run],
                       check=False)
        findings = sum(json.loads((run / "run.json").read_text(encoding="utf-8"))["findings"].values())
        print(f"\n{args.cases:,} cases of the bad release with {findings:,} findings.\n")
        print("| file | MB |\n|---|---|")
        for name in REPORTS:
            print(f"| `{name}` | {(run / name).stat().st_size / 1e6:.2f} |")


if __name__ == "__main__":
    main()
