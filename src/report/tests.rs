//! The reports as a whole.

use serde_json::{Value, json};

use super::render::{Template, Templates, render_file, render_html, render_md};
use super::{View, console, fixture, github};
use crate::run::manifest::{GateVerdict, RunVerdict};
use crate::run::selection::Selection;

fn view() -> View {
    View::build(&fixture::run(), &fixture::selection()).expect("a view")
}

fn html(view: &View) -> String {
    render_html(view, &Templates::default()).expect("rendered")
}

fn md(view: &View) -> String {
    render_md(view, &Templates::default()).expect("rendered")
}

fn template(name: &str, text: &str) -> Template {
    Template { name: name.into(), text: text.into() }
}

#[test]
fn the_first_sentence_says_what_failed() {
    let sentence = view().verdict.sentence.replace('\u{a0}', " ");
    assert_eq!(
        sentence,
        "3 of 7 gates fail: claim coverage is 92.3 % (108 of 117), at least 95 % required. 2 more are below."
    );
}

#[test]
fn reports_are_written_for_looking_at() {
    let Ok(folder) = std::env::var("CITEWARD_REPORTS") else { return };
    std::fs::write(format!("{folder}/report.html"), html(&view())).expect("written");
    std::fs::write(format!("{folder}/report.md"), md(&view())).expect("written");
    std::fs::write(format!("{folder}/console.txt"), console::render(&view(), "out/report.html", false))
        .expect("written");
    std::fs::write(format!("{folder}/github.txt"), github::render(&view())).expect("written");
}
