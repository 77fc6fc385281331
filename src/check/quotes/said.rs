//! What is said of a quotation that does not hold.

use serde_json::Value;

use super::{Finding, Grade, Place, Quoted};
use crate::text::Span;
use crate::text::outcome::Weight;
use crate::text::quotation::{Change, ChangeKind};

/// The finding on a quotation of `claim` that does not hold; `passage` is the text of the passage that it fared best in.
pub(super) fn finding(claim: &str, passage: &str, quoted: &Quoted) -> Finding {
    let claimed = quoted.quotation.inner.of(claim);
    let shown = short(claimed);
    let (code, message, evidence, changes) = match &quoted.grade {
        Grade::NearMiss { span, changes } => {
            let says = span.of(passage);
            let changes: Vec<String> = changes.iter().map(|change| told(change, claim, passage)).collect();
            let message =
                format!("the claim quotes “{shown}”, the cited evidence says “{}”: {}", short(says), joined(&changes));
            ("quote-altered", message, says, changes)
        }
        Grade::Reworded(span) => {
            let says = span.of(passage);
            let message = format!("the claim quotes “{shown}”, the cited evidence says it in other words: “{}”", short(says));
            ("quote-altered", message, says, Vec::new())
        }
        Grade::Unsearched => {
            let message = format!("whether the cited evidence says “{shown}” was not looked for to the end: the texts are too long");
            ("quote-not-found", message, "", Vec::new())
        }
        _ => ("quote-not-found", format!("the cited evidence does not say “{shown}”"), "", Vec::new()),
    };
    Finding::new(code, message)
        .at(Place::Claim(quoted.quotation.span.range()))
        .with("claimed", claimed)
        .with("evidence", evidence)
        .with("changes", changes.into_iter().map(Value::from).collect::<Vec<_>>())
}

/// One change, for a person.
fn told(change: &Change, claim: &str, passage: &str) -> String {
    let (quoted, stands) = (one_line(change.quoted, claim), one_line(change.stands, passage));
    match (change.kind, quoted.is_empty(), stands.is_empty()) {
        (ChangeKind::Words, true, _) => format!("“{stands}” is left out"),
        (ChangeKind::Words, _, true) => format!("“{quoted}” is put in"),
        (ChangeKind::Words, ..) => format!("“{quoted}” stands for “{stands}”"),
        (ChangeKind::Punctuation, ..) => format!("the punctuation of “{stands}” differs"),
        (ChangeKind::Case, ..) => format!("“{quoted}” is written “{stands}”"),
        (ChangeKind::Ellipsis, ..) => format!("the ellipsis leaves out “{stands}”"),
        (ChangeKind::Apart, ..) if change.weight == Weight::Final => "its parts stand there in another order".to_owned(),
        (ChangeKind::Apart, ..) => "its parts stand too far apart there".to_owned(),
        (ChangeKind::Tiny, ..) => format!("“{quoted}” is too short to be told from any other place"),
        (ChangeKind::Bracket, _, true) => format!("“{quoted}” is put in"),
        (ChangeKind::Bracket, ..) => format!("“{quoted}” stands for “{stands}”"),
    }
}

/// The first few, and how many more there are.
fn joined(changes: &[String]) -> String {
    const MOST: usize = 4;
    let mut said = changes.get(..MOST.min(changes.len())).unwrap_or_default().join(", ");
    if changes.len() > MOST {
        said += &format!(", and {} more", changes.len() - MOST);
    }
    said
}

fn one_line(span: Span, text: &str) -> String {
    short(&span.of(text).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A long text with its middle left out.
fn short(text: &str) -> String {
    const LONGEST: usize = 300;
    const KEPT: usize = 140;
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let (head, tail) = (text.floor_char_boundary(KEPT), text.ceil_char_boundary(text.len() - KEPT));
    format!("{} […] {}", text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default())
}
