"""What the scripts of this folder share: reading a run, and holding flagged cases against people's labels."""
import json

INTEGRITY = frozenset({"resolves", "retrieved", "id-range", "malformed-marker", "content-hash", "scope", "source-version",
                       "locator", "markers-match-claims"})
FACTS = frozenset({"numbers", "dates", "quotes", "identifiers", "introduced"})
# They decide nothing; shown apart.
NOTES = frozenset({"negation", "modality", "conflict"})
CERTAINTIES = ("final", "triage")


def lines(path):
    """The objects of a JSON Lines file."""
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def cases(path):
    """Cases by id, in order."""
    return {case["case_id"]: case for case in lines(path)}


class Run:
    """The findings of a run by case, and its claims."""

    def __init__(self, folder):
        with open(f"{folder}/run.json", encoding="utf-8") as file:
            self.summary = json.load(file)
        self.kinds = kinds = {rule: entry["check"] for rule, entry in self.summary["rules"].items()}
        self.claims = list(lines(f"{folder}/records.jsonl"))
        self.findings = {}
        for subject in (*self.claims, *lines(f"{folder}/cases.jsonl")):
            for finding in subject["findings"]:
                # A judge or a label may have none; those are no checks.
                kind = kinds.get(finding["rule"])
                if kind is not None:
                    self.findings.setdefault(subject["case_id"], []).append({**finding, "kind": kind})

    def flagged(self, kinds, certainties=CERTAINTIES, code=None):
        """Ids of the cases with a finding of one of these kinds and certainties (and, where given, a code that `code` accepts)."""
        return {case for case, findings in self.findings.items() for finding in findings
                if finding["kind"] in kinds and finding["certainty"] in certainties
                and (code is None or code(finding["code"]))}


def ratio(part, whole):
    return f"{part}/{whole} = {100 * part / whole:.1f} %" if whole else "no data"


def agreement(rows, wanted, fine, what):
    """A table: `rows` are (name, flagged cases); `wanted` are the cases that people object to, `fine` the others."""
    yield f"| findings | flagged | precision | recall | alarms per {what} |"
    yield "|---|---|---|---|---|"
    for name, flagged in rows:
        flagged = flagged & (wanted | fine)
        hit = len(flagged & wanted)
        yield (f"| {name} | {len(flagged)} | {ratio(hit, len(flagged))} | {ratio(hit, len(wanted))} | "
               f"{ratio(len(flagged & fine), len(fine))} |")
