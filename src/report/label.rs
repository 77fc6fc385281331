//! The words and shares of what was decided.

use schemars::JsonSchema;
use serde::Serialize;

use super::ratio;
use super::visible::one_line;
use crate::dataset::Label;
use crate::run::RunJson;

/// What was decided of the claims.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Decided {
    /// Cited verifiable claims: all that carry a label.
    pub total: String,
    /// Those that somebody decided.
    pub decided: String,
    /// Those that nobody could decide.
    pub undecided: String,
    /// How many cases had nothing to judge, in a sentence without a full stop; empty where all had something.
    pub nothing: String,
    /// One part of the bar per label and decider, in the order of [`Label::ALL`].
    pub bar: Vec<BarPart>,
    /// One line per label.
    pub labels: Vec<LabelLine>,
    /// Facts beside the labels: cited, uncited, unresolved and the like.
    pub beside: Vec<Fact>,
    /// What the run does not claim, one sentence each.
    pub not_claimed: Vec<String>,
}

/// A part of the bar.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BarPart {
    /// The label.
    #[schemars(schema_with = "super::schema::label")]
    pub label: &'static str,
    /// Left edge in thousandths of the bar.
    #[schemars(range(max = 1000))]
    pub x: u64,
    /// Width in thousandths of the bar.
    #[schemars(range(max = 1000))]
    pub width: u64,
    /// What it stands for, in words.
    pub title: String,
}

/// A label with its share and who decided.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LabelLine {
    /// The label.
    #[schemars(schema_with = "super::schema::label")]
    pub label: &'static str,
    /// What it means, in a few words.
    pub meaning: &'static str,
    /// Number of claims.
    pub count: String,
    /// Share of the cited verifiable claims; empty over none.
    pub percent: String,
    /// Who decided, most first.
    pub deciders: Vec<DeciderLine>,
}

/// Who decided how many.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DeciderLine {
    /// In words: `rule facts-found`, `integrity rules`, `judge`, `reviewer` or `nobody`.
    pub who: String,
    /// Number of claims.
    pub count: String,
}

/// A named number.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Fact {
    /// What is counted.
    pub name: &'static str,
    /// How many.
    pub count: String,
    /// Share with its fraction, where it is a share; else empty.
    pub share: String,
    /// Whether it is bad news when it is not zero.
    pub is_defect: bool,
}

/// What a label means, in a few words.
#[must_use]
pub const fn meaning(label: Label) -> &'static str {
    match label {
        Label::Supported => "the cited passage states it",
        Label::Partial => "the cited passage states a part of it",
        Label::Contradicted => "the cited passage says something else",
        Label::Insufficient => "the cited passage does not state it",
        Label::Unreadable => "the cited passage may not be read by this reader",
        Label::Unresolved => "a citation leads to nothing",
        Label::Undecided => "no rule could decide; not counted as supported",
    }
}

/// Who decided, in words.
#[must_use]
pub fn decider(decided_by: &str) -> String {
    match decided_by {
        "integrity" => "integrity rules".to_owned(),
        "review" => "a reviewer".to_owned(),
        "judge" => "the judge".to_owned(),
        other => match other.strip_prefix("rule:") {
            Some(rule) => format!("rule {}", one_line(rule)),
            None => one_line(other),
        },
    }
}

pub(super) fn decided(run: &RunJson) -> Decided {
    let total: u64 = run.labels.values().sum();
    let undecided = run.labels.get(&Label::Undecided).copied().unwrap_or(0);
    Decided {
        total: ratio::grouped(total),
        decided: ratio::grouped(total.saturating_sub(undecided)),
        undecided: ratio::grouped(undecided),
        nothing: nothing(run),
        bar: bar(run, total),
        labels: Label::ALL.into_iter().filter_map(|label| line(run, label, total)).collect(),
        beside: beside(run),
        not_claimed: not_claimed(run, total),
    }
}

/// "12 of 20 cases had nothing to judge; 11 refused", "3 of 20 cases in a language without a lexicon".
fn nothing(run: &RunJson) -> String {
    let counts = &run.counts;
    let refused = match counts.refused_cases {
        0 => String::new(),
        refused => format!("; {} refused", ratio::grouped(refused)),
    };
    let of_all = |count: u64, said: &str| {
        (count > 0).then(|| format!("{} of {} cases {said}", ratio::grouped(count), ratio::grouped(counts.cases)))
    };
    let without = of_all(counts.cases_without_claims, "had nothing to judge").map(|said| said + &refused);
    let unread = of_all(counts.cases_in_unread_languages, "in a language without a lexicon");
    [without, unread].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn bar(run: &RunJson, total: u64) -> Vec<BarPart> {
    let mut parts = Vec::new();
    let mut before = 0_u64;
    for label in Label::ALL {
        for entry in deciders(run, label) {
            let thousandths = |count: u64| (u128::from(count) * 1000 / u128::from(total.max(1))) as u64;
            let (x, end) = (thousandths(before), thousandths(before + entry.count));
            before += entry.count;
            let who = decider(&entry.decided_by);
            let title = format!("{label}, decided by {who}: {}", ratio::grouped(entry.count));
            parts.push(BarPart { label: label.as_str(), x, width: end.saturating_sub(x), title });
        }
    }
    parts
}

/// The deciders of a label, most first.
fn deciders(run: &RunJson, label: Label) -> Vec<&crate::run::manifest::DeciderCount> {
    let mut entries: Vec<_> = run.by_decider.iter().filter(|entry| entry.label == label && entry.count > 0).collect();
    entries.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.decided_by.cmp(&b.decided_by)));
    entries
}

fn line(run: &RunJson, label: Label, total: u64) -> Option<LabelLine> {
    let count = run.labels.get(&label).copied().filter(|count| *count > 0)?;
    let deciders = deciders(run, label)
        .into_iter()
        .map(|entry| DeciderLine { who: decider(&entry.decided_by), count: ratio::grouped(entry.count) })
        .collect();
    Some(LabelLine {
        label: label.as_str(),
        meaning: meaning(label),
        count: ratio::grouped(count),
        percent: ratio::percent(count, total, &[]).unwrap_or_default(),
        deciders,
    })
}

fn beside(run: &RunJson) -> Vec<Fact> {
    let counts = &run.counts;
    let share = |part: u64, whole: u64| match ratio::percent(part, whole, &[]) {
        Some(percent) => format!("{percent} · {}", ratio::fraction(part, whole)),
        None => String::new(),
    };
    let uncited = counts.verifiable_claims.saturating_sub(counts.cited_claims);
    let fact = |name, count: u64, share: String, is_defect| Fact {
        name,
        count: ratio::grouped(count),
        share,
        is_defect: is_defect && count > 0,
    };
    let mut facts = vec![
        fact("cases", counts.cases, String::new(), false),
        fact("verifiable claims", counts.verifiable_claims, String::new(), false),
        fact("cited", counts.cited_claims, share(counts.cited_claims, counts.verifiable_claims), false),
        fact("uncited", uncited, share(uncited, counts.verifiable_claims), true),
        fact("citations", counts.citations, String::new(), false),
        fact(
            "unresolved citations",
            counts.unresolved_citations,
            share(counts.unresolved_citations, counts.citations),
            true,
        ),
    ];
    for (name, count) in [
        ("refused cases", counts.refused_cases),
        ("cases with nothing to judge", counts.cases_without_claims),
        ("cases in a language without a lexicon", counts.cases_in_unread_languages),
        ("broken cases", counts.broken_cases),
    ] {
        if count > 0 {
            facts.push(fact(name, count, share(count, counts.cases), name == "broken cases"));
        }
    }
    facts
}

fn not_claimed(run: &RunJson, total: u64) -> Vec<String> {
    let mut said = vec![
        "A label says what the cited passages state. Whether the passages themselves are true was not looked at."
            .to_owned(),
    ];
    if !run.by_decider.iter().any(|entry| matches!(entry.decided_by.as_str(), "judge" | "review")) {
        said.push(
            "Neither a judge nor a reviewer decided anything: every label other than undecided comes from a rule."
                .to_owned(),
        );
    }
    if total > 0 {
        // The share that shows up at least once in `total` independent claims with probability 95 %.
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let unseen = 1.0 - 0.05_f64.powf(1.0 / total as f64);
        if let Some(percent) = ratio::percent_of((unseen * 1000.0).ceil() / 1000.0, &[]) {
            said.push(format!(
                "What was not found may still be there: a kind of defect that about {percent} of all claims have is missed by a sample of {} once in \
                 twenty times, and a rarer one more often.",
                ratio::grouped(total),
            ));
        }
    }
    said
}
