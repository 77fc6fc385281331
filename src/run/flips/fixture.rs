//! Outlines of a few cases, to compare.

use serde_json::{Value, json};

use crate::run::outline::Head;
use crate::run::store::Store;

/// Three rules: `known` on citations, `numbers` and `facts` on claims.
pub(crate) fn head(evaluation: &str) -> Head {
    let rule = |id: &str, kind: &str, family: &str, subject: &str| json!({"id": id, "kind": kind, "family": family, "subject": subject, "enforced": true, "severity": "error"});
    let rules = [
        rule("known", "resolves", "integrity", "citation"),
        rule("numbers", "numbers", "support", "claim"),
        rule("facts", "facts-found", "support", "claim"),
    ];
    let head = json!({"schema": "citeward/outline/1", "engine": "1.0.0", "evaluation_digest": evaluation, "rules": rules,
        "dimensions": []});
    serde_json::from_value(head).expect("a head")
}

/// The outlines of these cases.
pub(crate) fn store(head: &Head, cases: &[Value]) -> Store {
    let mut text = Vec::new();
    let mut places = Vec::new();
    for case in cases {
        let start = text.len();
        text.extend(case.to_string().into_bytes());
        places.push((start, text.len()));
        text.push(b'\n');
    }
    Store::new("outlines".to_owned(), head.clone(), text, places).expect("outlines")
}

/// A claim that cites `s1` and is supported.
pub(crate) fn supported(id: &str, text: &str) -> Value {
    json!({"claim_id": id, "text": text, "label": "supported", "decided_by": "rule:facts", "outcomes": "ppp",
        "citations": [{"id": "s1", "outcomes": "p"}]})
}

/// The same with another number than `s1`.
pub(crate) fn contradicted(id: &str, text: &str) -> Value {
    json!({"claim_id": id, "text": text, "label": "contradicted", "decided_by": "rule:numbers", "outcomes": "pfp",
        "citations": [{"id": "s1", "outcomes": "p"}],
        "findings": [{"rule": "numbers", "code": "number-conflicting", "fingerprint": format!("f-{text}"),
            "message": "The claim says 9, the passage 8."}]})
}

/// A case with one unit, `s1`.
pub(crate) fn case(id: &str, claims: &[Value]) -> Value {
    json!({"case_id": id, "question": format!("q-{id}"), "claims": claims,
        "units": [["s1", "policy", "v1", "aa"]]})
}
