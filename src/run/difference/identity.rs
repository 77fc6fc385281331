//! What two sides do not share beside their answers, and what a reader must know before trusting a comparison.

use std::collections::BTreeSet;

use super::Mismatch;
use super::side::{Dataset, Side, Stamp};
use crate::run::flips::Flips;
use crate::run::manifest::FileStamp;
use crate::run::outline::Head;

/// What a reader must know first, a sentence each.
pub(super) fn warnings(before: &Side, after: &Side, flips: &Flips) -> Vec<String> {
    let counts = &flips.counts;
    let cases = |count: u64| if count == 1 { "1 case".to_owned() } else { format!("{count} cases") };
    let mut warnings = Vec::new();
    let mut warn = |count: u64, warning: String| {
        if count > 0 {
            warnings.push(warning);
        }
    };
    let lost = |side: &Side| format!("{} or bad lines of {} were not judged", cases(side.lost), side.stamp.path);
    warn(before.lost, lost(before));
    warn(after.lost, lost(after));
    let unpaired = counts.removed_cases + counts.added_cases + counts.changed_questions;
    let shared = cases(counts.paired_cases);
    warn(
        unpaired,
        format!(
            "the two do not have the same cases: what moved is said of the {shared} that both have with the same question"
        ),
    );
    let units = if counts.drifted_units == 1 {
        "1 evidence unit".to_owned()
    } else {
        format!("{} evidence units", counts.drifted_units)
    };
    warn(
        counts.drifted_units,
        format!(
            "the content of {units} changed under the same version (cited by {})",
            if counts.claims_on_drifted_units == 1 {
                "1 claim".to_owned()
            } else {
                format!("{} claims", counts.claims_on_drifted_units)
            }
        ),
    );
    warnings
}

/// What the two do not share.
pub(super) fn identity(before: &Side, after: &Side) -> Vec<Mismatch> {
    let (was, is) = (&before.stamp, &after.stamp);
    let mut found = Vec::new();
    let mut hold = |what: &str, before: Option<String>, after: Option<String>, meaning: &str| {
        if before != after {
            found.push(Mismatch { what: what.to_owned(), before, after, meaning: meaning.to_owned() });
        }
    };
    let list = |stamp: &Stamp, of: &dyn Fn(&Dataset) -> String| {
        Some(stamp.datasets.iter().map(of).collect::<Vec<_>>().join(", "))
    };
    let name = |dataset: &Dataset| match &dataset.version {
        Some(version) => format!("{}@{version}", dataset.name),
        None => dataset.name.clone(),
    };
    hold(
        "dataset",
        list(was, &name),
        list(is, &name),
        "the datasets have other names or versions; cases are paired by id",
    );
    let questions = |dataset: &Dataset| dataset.questions_digest.clone();
    hold(
        "questions",
        list(was, &questions),
        list(is, &questions),
        "not every question is the same; only cases with the same question are compared",
    );
    let policy = "another policy decided the labels; what flipped may come from it and not from the answers";
    hold("policy", Some(was.evaluation_digest.clone()), Some(is.evaluation_digest.clone()), policy);
    let engine = "another version of citeward judged; what flipped may come from it and not from the answers";
    hold("engine", Some(was.engine.clone()), Some(is.engine.clone()), engine);
    hold(
        "judge",
        was.judge.clone(),
        is.judge.clone(),
        "another judge was asked; labels that it decided cannot be held against each other",
    );
    hold(
        "gates",
        Some(was.gates_digest.clone()),
        Some(is.gates_digest.clone()),
        "the gates are other ones; labels and metrics do not depend on them",
    );
    if let (Some(was), Some(is)) = (&before.inputs, &after.inputs) {
        for ((what, before), (_, after)) in was.iter().zip(is) {
            let digest = |stamp: &Option<FileStamp>| stamp.as_ref().map(|stamp| stamp.sha256.clone());
            hold(
                what,
                digest(before),
                digest(after),
                "it is another file; what flipped may come from it and not from the answers",
            );
        }
    }
    let (was, is) = (&before.store.head, &after.store.head);
    hold(
        "key",
        was.key_check.clone(),
        is.key_check.clone(),
        "hashes were made under another key; every claim, question and passage looks changed",
    );
    let rules = |head: &Head| head.rules.iter().map(|rule| rule.id.clone()).collect::<BTreeSet<_>>();
    let slices = |head: &Head| head.dimensions.iter().map(|dimension| dimension.id.clone()).collect::<BTreeSet<_>>();
    for (what, was, is, meaning) in [
        ("rules", rules(was), rules(is), "their metrics are on one side only"),
        ("slices", slices(was), slices(is), "their values are on one side only, and no slice of theirs is compared"),
    ] {
        let only = |own: &BTreeSet<String>, other: &BTreeSet<String>| {
            let only: Vec<&str> = own.difference(other).map(String::as_str).collect();
            (!only.is_empty()).then(|| only.join(", "))
        };
        hold(what, only(&was, &is), only(&is, &was), meaning);
    }
    found
}
