//! A run made by hand, for the tests of the reports.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::check::{Certainty, Family, Severity, Stage, Subject};
use crate::dataset::Label;
use crate::gate::{Cause, Effect, Verdict};
use crate::record::{CaseRecord, ClaimRecord};
use crate::rules::metric::Average;
use crate::run::manifest::{
    BoundEntry, ClusterEntry, Counts, DatasetStamp, DeciderCount, Engine, EvidenceMode, FileStamp, GateEntry,
    GatherEntry, Inputs, LimitsStamp, LinkEntry, MetricEntry, Number, PolicyStamp, ReportStamp, ReviewStamp, RuleEntry,
    RunJson, RunVerdict, SCHEMA, SliceEntry,
};
use crate::run::selection::{ClusterKey, Offer, OfferedFinding, Selection};

const DIGEST: &str = "sha256:6f1c0f2f5d3b1b0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081";

pub(crate) fn slice(id: &str, value: &str) -> BTreeMap<String, String> {
    [(id.to_owned(), value.to_owned())].into()
}

pub(crate) fn metric(name: &str, slice: BTreeMap<String, String>, k: u64, n: u64) -> MetricEntry {
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let value = (n > 0).then(|| k as f64 / n as f64);
    MetricEntry {
        metric: name.into(),
        average: Average::Micro,
        slice,
        numerator: Number::Count(k),
        denominator: Number::Count(n),
        value,
        cases: n,
        broken: 0,
        range: None,
    }
}

fn reason(metric: &str, slice: &BTreeMap<String, String>, (k, n): (u64, u64), bound: &BoundEntry) -> String {
    let place: String = slice.iter().map(|(id, value)| format!(" in {id}={value}")).collect();
    let subject = format!("{}{place}", metric.replace('_', " "));
    match (super::ratio::percent(k, n, &[]), &bound.min, &bound.max) {
        (Some(value), Some(min), _) => {
            format!("{subject} is {value} ({k} of {n}), at least {} required", super::ratio::bound_percent(min))
        }
        (Some(value), _, Some(max)) => {
            format!("{subject} is {value} ({k} of {n}), at most {} allowed", super::ratio::bound_percent(max))
        }
        _ => format!("{subject} has no data: 0 citations that such a rule judged"),
    }
}

pub(crate) fn gate(
    id: &str,
    metric: &str,
    slice: BTreeMap<String, String>,
    verdict: Verdict,
    (k, n): (u64, u64),
    bound: BoundEntry,
) -> GateEntry {
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let value = (n > 0).then(|| k as f64 / n as f64);
    let said = reason(metric, &slice, (k, n), &bound);
    GateEntry {
        gate: id.into(),
        metric: metric.into(),
        average: Average::Micro,
        slice,
        severity: Severity::Error,
        verdict,
        effect: match verdict {
            Verdict::Pass => Effect::Pass,
            Verdict::Warn => Effect::Warn,
            _ => Effect::Fail,
        },
        cause: Cause::Bound,
        broken: 0,
        reason: said,
        value,
        numerator: Number::Count(k),
        denominator: Number::Count(n),
        bound,
        min_samples: 0,
        confidence: None,
        interval: None,
        baseline: None,
        p: None,
        comparisons: Vec::new(),
        place: "rules/gates.yaml:12".into(),
    }
}

pub(crate) fn min(bound: &str) -> BoundEntry {
    BoundEntry { min: Some(bound.into()), ..BoundEntry::default() }
}

pub(crate) fn max(bound: &str) -> BoundEntry {
    BoundEntry { max: Some(bound.into()), ..BoundEntry::default() }
}

fn rule(check: &str, family: Family, subject: Subject, severity: Severity, counts: [u64; 4]) -> RuleEntry {
    RuleEntry {
        pass: counts[0],
        fail: counts[1],
        not_applicable: counts[2],
        broken: counts[3],
        confirmed: 0,
        overturned: 0,
        check: check.into(),
        subject,
        family,
        severity,
        observed: false,
        place: "rules/support.yaml:7".into(),
        manual: "Every quantity of the claim is in the evidence that it cites.".into(),
    }
}

/// A run with nothing in it.
pub(crate) fn empty_run() -> RunJson {
    RunJson {
        schema: SCHEMA.into(),
        verdict: RunVerdict::Pass,
        engine: Engine { version: "0.1.0".into() },
        policy: PolicyStamp {
            digest: DIGEST.into(),
            evaluation_digest: DIGEST.into(),
            gates_digest: DIGEST.into(),
            files: vec![],
        },
        datasets: vec![],
        left_out: vec![],
        inputs: Inputs {
            answers: None,
            sources: None,
            baselines: vec![],
            tells_new: false,
            decisions: None,
            today: None,
            evidence: EvidenceMode::Full,
        },
        counts: Counts::default(),
        labels: BTreeMap::new(),
        by_decider: vec![],
        metrics: vec![],
        gates: vec![],
        findings: BTreeMap::new(),
        uncounted: crate::gate::counting::Uncounted::default(),
        clusters: Vec::new(),
        owners: BTreeMap::new(),
        rules: BTreeMap::new(),
        slices: vec![],
        flips: vec![],
        review: ReviewStamp::default(),
        redaction: None,
        limits: LimitsStamp { findings_per_rule: 100, hit: BTreeMap::new() },
        report: ReportStamp {
            links: vec![LinkEntry { text: "runbook".into(), url: "https://docs.example/runbook".into() }],
            rendered_by: vec![FileStamp { path: "templates/report.md".into(), sha256: DIGEST.into() }],
            ..ReportStamp::default()
        },
        field_notes: vec![],
        warnings: vec![],
    }
}

/// A failing run with every label.
pub(crate) fn run() -> RunJson {
    let all = BTreeMap::new;
    let languages = [("de", 28, 6, 9), ("en", 71, 3, 24), ("ja", 9, 1, 5)];
    let mut metrics = vec![
        metric("case_pass_rate", all(), 31, 38),
        metric("claim_coverage", all(), 108, 117),
        metric("citation_correctness", all(), 63, 108),
        metric("defect_rate", all(), 10, 108),
        metric("undecided_rate", all(), 35, 108),
    ];
    for (language, n, defects, cases) in languages {
        metrics.push(metric("case_pass_rate", slice("language", language), cases - defects.min(cases - 1), cases));
        metrics.push(metric("claim_coverage", slice("language", language), n, n + 3));
        metrics.push(metric("citation_correctness", slice("language", language), n * 3 / 5, n));
        metrics.push(metric("defect_rate", slice("language", language), defects, n));
        metrics.push(metric("undecided_rate", slice("language", language), n / 4, n));
    }
    let gates = vec![
        gate("fabricated-ids", "out_of_range_rate", all(), Verdict::Pass, (0, 131), max("0")),
        gate("coverage", "claim_coverage", all(), Verdict::Fail, (108, 117), min("0.95")),
        gate("coverage", "claim_coverage", slice("language", "en"), Verdict::Pass, (71, 74), min("0.95")),
        gate("defects", "defect_rate", slice("language", "de"), Verdict::Fail, (6, 28), max("0.08")),
        gate("defects", "defect_rate", slice("language", "en"), Verdict::Pass, (3, 71), max("0.08")),
        gate("defects", "defect_rate", slice("language", "ja"), Verdict::Warn, (1, 9), max("0.08")),
        gate("stale", "stale_citation_rate", all(), Verdict::NoData, (0, 0), max("0.01")),
    ];
    let slices = languages.map(|(language, n, _, cases)| SliceEntry {
        slice: slice("language", language),
        cases,
        claims: n + 3,
        citations: n + 8,
    });
    RunJson {
        verdict: RunVerdict::Fail,
        policy: PolicyStamp {
            files: vec!["rules/gates.yaml".into(), "rules/support.yaml".into()],
            ..empty_run().policy
        },
        datasets: vec![DatasetStamp {
            name: "helpdesk".into(),
            version: Some("1.2.0".into()),
            purpose: Some("regression".into()),
            frozen: true,
            content_digest: DIGEST.into(),
            questions_digest: DIGEST.into(),
            cases: 38,
            skipped_lines: 2,
        }],
        counts: Counts {
            cases: 38,
            failing_cases: 7,
            refused_cases: 2,
            cases_without_claims: 3,
            cases_in_unread_languages: 0,
            broken_cases: 0,
            claims: 126,
            verifiable_claims: 117,
            cited_claims: 108,
            citations: 131,
            unresolved_citations: 2,
        },
        labels: [
            (Label::Supported, 63),
            (Label::Contradicted, 4),
            (Label::Insufficient, 3),
            (Label::Unreadable, 1),
            (Label::Unresolved, 2),
            (Label::Undecided, 35),
        ]
        .into(),
        by_decider: [
            (Label::Supported, "rule:facts-found", 57),
            (Label::Supported, "review", 6),
            (Label::Contradicted, "rule:number-not-in-evidence", 4),
            (Label::Insufficient, "rule:number-not-in-evidence", 2),
            (Label::Insufficient, "rule:required-terms", 1),
            (Label::Unreadable, "integrity", 1),
            (Label::Unresolved, "integrity", 2),
            (Label::Undecided, "nobody", 35),
        ]
        .map(|(label, who, count)| DeciderCount { label, decided_by: who.into(), count })
        .into(),
        metrics,
        gates,
        clusters: vec![ClusterEntry {
            rule: "number-not-in-evidence".into(),
            code: "number-absent".into(),
            stage: Some(Stage::Retrieval),
            owner: Some("search team".into()),
            severity: Severity::Error,
            certainty: Certainty::Final,
            observed: false,
            overturned: false,
            known: false,
            count: 1,
            cases: 1,
            gathers: vec![GatherEntry { slice: BTreeMap::new(), count: 1 }],
        }],
        owners: BTreeMap::from([(Stage::Retrieval, "search team".to_owned())]),
        rules: [
            ("unknown-source", rule("resolves", Family::Integrity, Subject::Citation, Severity::Error, [129, 2, 0, 0])),
            (
                "number-not-in-evidence",
                rule("numbers", Family::Support, Subject::Claim, Severity::Error, [40, 6, 62, 0]),
            ),
            (
                "stale-source",
                rule("source-version", Family::Integrity, Subject::Citation, Severity::Error, [0, 0, 131, 0]),
            ),
        ]
        .map(|(id, entry)| (id.to_owned(), entry))
        .into(),
        slices: slices.into(),
        field_notes: vec![],
        warnings: vec!["2 bad lines were skipped; each counts as broken in every gate.".into()],
        ..empty_run()
    }
}

/// A case as a line of `cases.jsonl`.
pub(crate) fn case(id: &str, query: &str, answer: &str, language: &str, claims: usize) -> Value {
    let marker =
        answer.find("[S1]").map(|at| json!({"span":[at, at + 4],"raw":"[S1]","marker":"named","references":["S1"]}));
    json!({
        "schema":"citeward/case/1","case_id":id,"file":"datasets/helpdesk/1.2.0/cases.jsonl","line":7,"question":DIGEST,
        "query":query,"answer":answer,"language":language,"answerable":null,"refused":false,"claims":claims,
        "markers":marker.into_iter().collect::<Vec<_>>(),
        "packet":[{"id":"S1","source_id":"limits","source_version":"2026-08-20","title":"Atlas API limits",
            "canonical_uri":"https://kb.example/limits","scope_id":"tenant_acme","raw":DIGEST,"text":DIGEST}],
        "citations":[],"outcomes":[],"findings":[],
        "scores":{"citation_precision":[1,1],"citation_recall":[1,1],"weighted_recall":[1,1]},
        "slices":{"language":language},
        "evaluator":{"engine":"0.1.0","policy":DIGEST,"judge":null,"prompt":null}
    })
}

/// A claim that cites `S1`, as a line of `records.jsonl`.
pub(crate) fn claim(
    case_id: &str,
    text: &str,
    label: &str,
    decided_by: &str,
    excerpt: &str,
    pairs: &[(&str, &str, bool)],
) -> Value {
    let matches: Vec<Value> = pairs
        .iter()
        .filter_map(|(in_claim, in_excerpt, conflicting)| {
            let (a, b) = (text.find(in_claim)?, excerpt.find(in_excerpt)?);
            Some(json!({"claim":[a, a + in_claim.len()],"content":[b, b + in_excerpt.len()],"conflicting":conflicting}))
        })
        .collect();
    let is_bad = label != "supported" && label != "undecided";
    let findings = if is_bad {
        json!([{"rule":"number-not-in-evidence","code":"number-conflicting","severity":"error","certainty":"final","observed":false,
            "implies":"contradicted","message":format!("the claim says {}, the passage says {}", pairs.first().map_or("one thing", |p| p.0), pairs.first().map_or("nothing of it", |p| p.1)),
            "citation":"S1","answer_span":null,"claim_span":null,"fingerprint":DIGEST}])
    } else {
        json!([])
    };
    json!({
        "schema":"citeward/record/1","case_id":case_id,"claim_id":"c1","claim":text,"span":[0, text.len().min(30)],"class":"verifiable",
        "label":label,"decided_by":decided_by,"suspected":null,"confidence":null,"reason":null,"expected":null,
        "integrity_pass":true,"coverage_required":true,"covered":true,
        "citations":[{"id":"S1","raw":"[S1]","span":null,"resolved":true,"source_id":"limits","source_version":"2026-08-20",
            "locator":{"section":"Limits","paragraph":4},"withheld":false,
            "excerpt":{"start":0,"end":excerpt.len(),"text":excerpt},"excerpt_sha256":DIGEST,"matches":matches,"outcomes":[]}],
        "outcomes":[{"rule":"number-not-in-evidence","outcome":if is_bad {"fail"} else {"pass"},"score":0.5},
            {"rule":"required-terms","outcome":"not_applicable","score":null},{"rule":"facts-found","outcome":"pass","score":0.833}],
        "findings":findings,"slices":{"language":"en","intent":"limits"},
        "evaluator":{"engine":"0.1.0","policy":DIGEST,"judge":null,"prompt":null}
    })
}

/// Offers a case with claims, as evaluation does.
pub(crate) fn offer(selection: &mut Selection, case: &Value, claims: &[Value]) {
    let case_line = case.to_string();
    let lines: String = claims.iter().map(|claim| format!("{claim}\n")).collect();
    let case: CaseRecord<'_> = serde_json::from_str(&case_line).expect("a case");
    let records: Vec<ClaimRecord<'_>> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a claim")).collect();
    selection.offer(&Offer::of(&case, &records), case_line.as_bytes(), lines.as_bytes());
}

/// What the failing run shows.
pub(crate) fn selection() -> Selection {
    let mut selection = Selection::new(100);
    let answer = "The Atlas API limits clients to 100 requests per minute [S1]. Uptime is guaranteed at 99.99% for every plan [S1]. Backups are kept for 90 days. If you need more, contact support.";
    let case_1 = case("atlas-1", "How many requests may a client send, and what is guaranteed?", answer, "en", 3);
    let mut supported = claim(
        "atlas-1",
        "The Atlas API limits clients to 100 requests per minute.",
        "supported",
        "rule:facts-found",
        "Each client may send up to 100 requests per minute. Bursts above the limit are answered with status 429.",
        &[("100 requests per minute", "100 requests per minute", false), ("clients", "client", false)],
    );
    supported["span"] = json!([0, 60]);
    let mut contradicted = claim(
        "atlas-1",
        "Atlas guarantees 99.99% uptime for every plan.",
        "contradicted",
        "rule:number-not-in-evidence",
        "The monthly uptime target is 99.9% for paid plans. It is a target, not a guarantee.",
        &[("99.99%", "99.9%", true), ("uptime", "uptime", false), ("plan", "plans", false)],
    );
    contradicted["claim_id"] = json!("c2");
    contradicted["span"] = json!([61, 114]);
    let mut insufficient = claim(
        "atlas-1",
        "Backups are kept for 90 days.",
        "insufficient",
        "rule:number-not-in-evidence",
        "Backups are encrypted at rest.",
        &[("Backups", "Backups", false)],
    );
    insufficient["claim_id"] = json!("c3");
    insufficient["span"] = json!([115, 144]);
    insufficient["findings"][0]["code"] = json!("number-absent");
    insufficient["findings"][0]["stage"] = json!("retrieval");
    insufficient["findings"][0]["stage_reason"] = json!("no unit that the reader may see has “90 days”");
    insufficient["findings"][0]["message"] = json!("“90 days” is in none of the cited passages");
    offer(&mut selection, &case_1, &[supported, contradicted, insufficient]);

    let answer = "Erstattungen sind innerhalb von 30 Tagen möglich [doc_12].";
    let mut case_2 = case("refund-042", "Wie lange kann ich eine Erstattung beantragen?", answer, "de", 1);
    case_2["findings"] = json!([{"rule":"citation-scores","code":"low-precision","severity":"warning","certainty":"final","observed":false,
        "implies":null,"message":"citation precision is 0 (0 of 1), at least 0.9 wanted","citation":null,"answer_span":null,"claim_span":null,"fingerprint":DIGEST}]);
    let mut unresolved =
        claim("refund-042", "Erstattungen sind innerhalb von 30 Tagen möglich.", "unresolved", "integrity", "", &[]);
    unresolved["citations"] = json!([{"id":"doc_12","raw":"[doc_12]","span":[50, 58],"resolved":false,"source_id":null,"source_version":null,
        "locator":null,"withheld":false,"excerpt":null,"excerpt_sha256":null,"matches":[],"outcomes":[]}]);
    unresolved["findings"] = json!([{"rule":"unknown-source","code":"unknown-id","severity":"error","certainty":"final","observed":false,
        "implies":null,"message":"“doc_12” is cited, but no unit of the packet has this id","citation":"doc_12","answer_span":[50, 58],"claim_span":null,"fingerprint":DIGEST}]);
    unresolved["slices"] = json!({"language":"de","intent":"refund"});
    offer(&mut selection, &case_2, &[unresolved]);

    let answer = "Enterprise workspaces retain audit logs for 400 days [S1].";
    let mut unreadable = claim("audit-7", answer, "unreadable", "integrity", "secret", &[]);
    unreadable["citations"][0]["withheld"] = json!(true);
    unreadable["citations"][0]["excerpt"] = json!({"start":0,"end":41});
    unreadable["findings"][0]["rule"] = json!("outside-scope");
    unreadable["findings"][0]["code"] = json!("scope-not-allowed");
    unreadable["findings"][0]["message"] =
        json!("the unit belongs to tenant_beta, and this reader may see tenant_acme");
    offer(&mut selection, &case("audit-7", "How long are audit logs kept?", answer, "en", 1), &[unreadable]);

    let text = "Managers usually approve expenses within a week.";
    let mut undecided = claim(
        "expense-3",
        text,
        "undecided",
        "",
        "Expenses are approved by the manager of the cost centre.",
        &[("Managers", "manager", false)],
    );
    undecided["decided_by"] = json!(null);
    undecided["suspected"] = json!("insufficient");
    undecided["findings"] = json!([{"rule":"low-overlap","code":"overlap-low","severity":"warning","certainty":"triage","observed":false,
        "implies":"insufficient","message":"18 % of the claim's words are in the cited passage","citation":null,"answer_span":null,"claim_span":[9, 16],"fingerprint":DIGEST}]);
    offer(&mut selection, &case("expense-3", "Who approves expenses?", &format!("{text} [S1]"), "en", 1), &[undecided]);
    selection
}

/// Counts findings without showing them.
pub(crate) fn count(
    selection: &mut Selection,
    rule: &str,
    code: &str,
    severity: Severity,
    times: usize,
    language: &str,
) {
    let finding = OfferedFinding {
        cluster: ClusterKey {
            overturned: false,
            known: false,
            observed: false,
            severity: Reverse(severity),
            rule: rule.into(),
            code: code.into(),
            certainty: Certainty::Final,
            stage: None,
        },
        claim: Some(0),
        slices: vec![("language".into(), language.into())],
    };
    for _ in 0..times {
        let offer = Offer { findings: vec![finding.clone()], labels: vec![] };
        selection.offer(&offer, b"", b"");
    }
}
