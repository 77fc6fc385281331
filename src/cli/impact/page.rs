//! An impact as Markdown that fits a comment on a pull request.

use std::fmt::Write as _;

use super::text;
use crate::cli::regate::{name, state};
use crate::report::markdown::escaped;
use crate::report::visible::one_line;
use crate::run::impact::Impact;

/// Most bytes; GitHub takes 65,536 characters.
const LARGEST: usize = 60_000;
/// Entries of each list.
const SHOWN: usize = 50;

/// The page.
pub(super) fn render(impact: &Impact) -> String {
    let mut out = format!("### {}\n", inline(&text::head(impact)));
    let edits = impact.edits.iter().map(|edit| {
        let values = edit.values.iter().map(|value| {
            format!("\n  - {}", inline(&text::value_edit(&value.path, value.before.as_ref(), value.after.as_ref())))
        });
        inline(&text::edit_head(edit)) + &values.collect::<String>()
    });
    list(&mut out, "What is edited", &edits.collect::<Vec<_>>());
    let gates = impact.gates.iter().map(|change| {
        let side = |of: &Option<crate::run::regate::GateState>, none: &str| {
            of.as_ref().map_or_else(|| none.to_owned(), |is| format!("{} ({})", state(is), is.reason))
        };
        let (before, after) = (side(&change.before, "no such gate"), side(&change.after, "no such gate"));
        inline(&format!("{}: {before} → {after}", name(&change.gate, &change.slice)))
    });
    list(&mut out, "Gates that come out otherwise", &gates.collect::<Vec<_>>());
    if let Some(flips) = &impact.flips {
        let cases = text::cases(flips.counts.cases);
        list(
            &mut out,
            &format!("Cases that flip: {cases}"),
            &flips.cases.iter().map(|flip| inline(&text::case(flip))).collect::<Vec<_>>(),
        );
        let claims = text::moves(flips.counts.claims, "worse", "better");
        list(
            &mut out,
            &format!("Claims that flip: {claims}"),
            &flips.claims.iter().map(|flip| inline(&text::claim(flip))).collect::<Vec<_>>(),
        );
        list(&mut out, "Flips by slice", &text::slices(impact).iter().map(|slice| inline(slice)).collect::<Vec<_>>());
    }
    list(&mut out, "Metrics", &impact.metrics.iter().map(|delta| inline(&text::metric(delta))).collect::<Vec<_>>());
    list(&mut out, "Mind", &impact.warnings.iter().map(|warning| inline(warning)).collect::<Vec<_>>());
    if impact.is_empty() {
        out.push_str("\nNothing comes out otherwise on these cases.\n");
    }
    out
}

/// A text on one line, with no markup in it.
fn inline(text: &str) -> String {
    escaped(&one_line(text))
}

fn list(out: &mut String, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n**{title}**\n");
    let mut shown = 0;
    for entry in entries.iter().take(SHOWN) {
        if out.len() + entry.len() > LARGEST {
            break;
        }
        let _ = writeln!(out, "- {entry}");
        shown += 1;
    }
    if entries.len() > shown {
        let _ = writeln!(out, "- … and {} more", entries.len() - shown);
    }
}
