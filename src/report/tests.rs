//! The reports as a whole.

use std::collections::BTreeMap;

use serde_json::json;

use super::render::{MD_BYTES, render_file, render_html, render_md};
use super::template::{Template, Templates};
use super::{View, console, fixture, github};
use crate::check::Severity;
use crate::gate::Verdict;
use crate::run::manifest::{RunJson, RunVerdict};
use crate::run::selection::Selection;

/// Text that tries to leave the place where it stands, in every format.
const HOSTILE: &str = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>' ` | **b** [x](javascript:alert(1)) \
    @team #12 https://evil.example ${{ secrets.T }} {{ 7*7 }} {% raw %} ]]> \u{202e}rtl \x1b[31m \x1b]8;;x\x07 \0 \x0b \u{9b} \
    \u{2028} \u{e0041} ::error::x\n::error::y\r\n# head\n- item";

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

fn problem(name: &str, text: &str) -> (String, String) {
    let problems = render_file(&view(), &template(name, text), 60_000).expect_err("refused");
    let message = problems.shown().first().expect("a problem").message.to_string();
    (message, problems.render())
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
fn the_html_holds_what_a_reader_looks_for() {
    let html = html(&view());
    for text in [
        "<h1 class=\"verdict\">",
        "helpdesk 1.2.0",
        // 6 of 28, with its bound.
        "21.4\u{a0}%",
        "6/28",
        "at most 8\u{a0}%",
        // The claim's conflicting figures carry one number on both sides.
        "<mark class=\"conflict\"><span class=\"sr\">conflicting: </span><span class=\"no\">①&#8288;</span>99.99%</mark>",
        "<mark class=\"conflict\"><span class=\"sr\">conflicting: </span><span class=\"no\">①&#8288;</span>99.9%</mark>",
        "href=\"https://kb.example/limits\"",
        "section Limits · paragraph 4",
        "The passage is withheld; its hash says which one it was.",
        "Nothing in the evidence packet has this id.",
        "insufficient suspected",
        "2 bad lines were skipped",
        "1.2.0 (frozen, regression): 38 cases, 2 lines skipped",
        "judged nothing",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert!(!html.contains("secret"), "a withheld passage is not in the report");
}

#[test]
fn the_page_loads_nothing_and_allows_only_its_own_style_and_script() {
    let html = html(&view());
    let policy = html.split("Content-Security-Policy\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
    let policy = policy.expect("a policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(html.matches("<script>").count(), 1);
    assert_eq!(html.matches("<style>").count(), 1);
    for forbidden in [" style=\"", " onclick", " onload", "src=\"", "@import", "url(http", "<link rel=\"stylesheet"] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
}

/// A run and a selection with hostile text in every field of the data and of the policy.
fn hostile() -> (RunJson, Selection) {
    let mut run = fixture::run();
    run.warnings = vec![HOSTILE.into()];
    run.policy.files = vec![HOSTILE.into()];
    run.policy.digest = HOSTILE.into();
    run.datasets[0].name = HOSTILE.into();
    run.datasets[0].version = Some(HOSTILE.into());
    run.datasets[0].content_digest = HOSTILE.into();
    for gate in &mut run.gates {
        gate.reason = HOSTILE.into();
        gate.gate = HOSTILE.into();
        gate.place = HOSTILE.into();
        gate.slice = fixture::slice(HOSTILE, HOSTILE);
    }
    for metric in &mut run.metrics {
        metric.slice = metric.slice.values().map(|value| (HOSTILE.to_owned(), format!("{value}{HOSTILE}"))).collect();
    }
    for slice in &mut run.slices {
        slice.slice = slice.slice.values().map(|value| (HOSTILE.to_owned(), format!("{value}{HOSTILE}"))).collect();
    }
    run.rules = run
        .rules
        .into_values()
        .map(|mut rule| {
            rule.manual = HOSTILE.into();
            rule.place = HOSTILE.into();
            (HOSTILE.to_owned(), rule)
        })
        .collect();
    run.limits.hit = BTreeMap::from([(HOSTILE.to_owned(), 3)]);
    run.by_decider[0].decided_by = format!("rule:{HOSTILE}");
    let mut case = fixture::case(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1);
    case["file"] = json!(HOSTILE);
    case["slices"] = json!({HOSTILE: HOSTILE});
    let unit = &mut case["packet"][0];
    for field in ["source_id", "source_version", "title", "scope_id", "raw", "text"] {
        unit[field] = json!(HOSTILE);
    }
    unit["canonical_uri"] = json!("javascript:alert(1)");
    let mut claim = fixture::claim(HOSTILE, HOSTILE, "contradicted", "rule:x", HOSTILE, &[("<script>", "<img", true)]);
    claim["decided_by"] = json!(format!("rule:{HOSTILE}"));
    claim["claim_id"] = json!(HOSTILE);
    claim["reason"] = json!(HOSTILE);
    claim["confidence"] = json!(0.5);
    claim["slices"] = json!({HOSTILE: HOSTILE});
    claim["citations"][0]["raw"] = json!(HOSTILE);
    claim["citations"][0]["source_id"] = json!(HOSTILE);
    claim["citations"][0]["source_version"] = json!(HOSTILE);
    claim["citations"][0]["locator"] = json!({HOSTILE: [HOSTILE]});
    claim["citations"][0]["excerpt_sha256"] = json!(HOSTILE);
    claim["outcomes"][0]["rule"] = json!(HOSTILE);
    for field in ["rule", "code", "message", "citation", "fingerprint"] {
        claim["findings"][0][field] = json!(HOSTILE);
    }
    let mut selection = Selection::new(100);
    fixture::offer(&mut selection, &case, &[claim]);
    (run, selection)
}

/// Everything that no report may hold, whatever its format.
fn assert_harmless(text: &str) {
    let bad = |c: char| {
        c != '\n'
            && (c.is_control()
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}'))
    };
    let found = text.char_indices().find(|(_, c)| bad(*c));
    assert_eq!(found, None, "{:?}", found.map(|(at, _)| text.get(at.saturating_sub(20)..at + 8)));
}

#[test]
fn hostile_text_stays_text_in_html() {
    let (run, selection) = hostile();
    let html = html(&View::build(&run, &selection).expect("a view"));
    assert_harmless(&html);
    assert_eq!(html.matches("<script>").count(), 1, "only the report's own script");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!html.contains("<img"));
    assert!(!html.contains("href=\"javascript"));
    assert!(html.contains("address <b>javascript:alert(1)</b>"));
    assert!(html.contains("{{ 7*7 }}"), "data is never a template");
    // No quotation mark of the data may end an attribute: every tag is one of the template's own.
    let outside = html.split("</style>").nth(1).and_then(|rest| rest.split("<script>").next()).expect("a body");
    let own = regex::Regex::new(
        r#"<(?:/?[a-z][a-z0-9]*(?: [a-z-]+[0-9]?(?:="[^"<>]*")?)*/?|[A-Za-z]+ viewBox="[^"]*"[^<>]*)>"#,
    )
    .expect("a pattern");
    for tag in regex::Regex::new("<[^>]*>").expect("a pattern").find_iter(outside) {
        let is_svg = ["<svg", "<symbol", "<pattern", "<path", "<rect", "<line", "<circle", "<!doctype"]
            .iter()
            .any(|own| tag.as_str().starts_with(own));
        assert!(is_svg || own.is_match(tag.as_str()), "{}", tag.as_str());
    }
}

#[test]
fn hostile_text_stays_text_in_markdown() {
    let (run, selection) = hostile();
    let md = md(&View::build(&run, &selection).expect("a view"));
    assert_harmless(&md);
    // Inside a code span everything is text; the longest run of backticks in the data is one, so two end a span.
    let outside_code = regex::Regex::new("``[^\n]*?[^`]``|`[^`\n]*`").expect("a pattern");
    let md_plain = md.replace("\\`", "");
    let outside_code = outside_code.replace_all(&md_plain, "");
    for live in ["<script", "<img", "@team", "https://evil", " #12"] {
        assert!(!outside_code.contains(live), "{live}: {outside_code}");
    }
    // The policy's own link is the only one.
    let outside_code = outside_code.replace("[runbook](<https://docs.example/runbook>)", "");
    let link = regex::Regex::new(r"(?:^|[^\\])\]\(").expect("a pattern");
    assert!(!link.is_match(&outside_code), "{outside_code}");
    // Every row of the gates' table has its seven cells and no more: no bare pipe of the data ends one.
    let bare = regex::Regex::new(r"(?:^|[^\\])\|").expect("a pattern");
    let gates = md.split("### Gates").nth(1).and_then(|rest| rest.split("###").next()).expect("the gates");
    let rows: Vec<&str> = gates.lines().filter(|line| line.starts_with("| ")).collect();
    let view = View::build(&run, &selection).expect("a view");
    let loud = view.gates.iter().filter(|gate| gate.fails_run || gate.warns).count();
    assert_eq!((rows.len(), loud), (1 + loud, 4));
    for row in rows {
        assert_eq!(bare.find_iter(row).count(), 8, "{row}");
    }
    assert!(!md.lines().any(|line| line.starts_with("# head") || line.starts_with("- item") || line.starts_with("::")));
}

#[test]
fn hostile_text_stays_text_on_a_terminal_and_in_workflow_commands() {
    let (run, selection) = hostile();
    let view = View::build(&run, &selection).expect("a view");
    let console = console::render(&view, HOSTILE, false);
    assert_harmless(&console);
    let coloured = console::render(&view, HOSTILE, true);
    assert_eq!(coloured.matches("\x1b[").count() % 2, 0, "every colour is ended");
    assert!(!coloured.contains("\x1b]"));
    let github = github::render(&view);
    assert_harmless(&github);
    for line in github.lines() {
        assert!(
            line.starts_with("::error ") || line.starts_with("::warning ") || line.starts_with("::notice "),
            "{line}"
        );
    }
}

#[test]
fn an_undefined_name_is_said_with_its_line() {
    let (message, shown) = problem("mine.html", "<p>\n{{ verdict.wrod }}</p>");
    assert_eq!(message, "\"verdict.wrod\" is undefined");
    assert!(shown.starts_with("mine.html:2:4: error[bad-template]:"), "{shown}");
    assert!(shown.contains("docs/report-view.md"), "{shown}");
    let (message, _) = problem("mine.txt", "{% for gate in gatse %}x{% endfor %}");
    assert!(message.contains("gatse") && message.contains("undefined"), "{message}");
}

#[test]
fn a_template_that_is_none_or_never_ends_is_refused_at_its_line() {
    let (_, shown) = problem("mine.md", "ok\n{% if %}");
    assert!(shown.starts_with("mine.md:2:7: error[bad-template]:"), "{shown}");
    let (message, _) = problem(
        "mine.txt",
        "{% for a in range(10000) %}{% for b in range(10000) %}{% for c in range(10000) %}x{% endfor %}{% endfor %}{% endfor %}",
    );
    assert_eq!(message, "the template takes too long");
    let (message, _) = problem("mine.txt", "{% include \"other\" %}");
    assert!(message.contains("other"), "{message}");
}

#[test]
fn the_ending_of_a_template_decides_the_escaping() {
    let mut run = fixture::run();
    run.warnings = vec!["a*b <i> \u{1b}[31m".into()];
    let view = View::build(&run, &Selection::new(1)).expect("a view");
    let rendered = |name: &str| render_file(&view, &template(name, "{{ warnings[0] }}"), 60_000).expect("rendered");
    assert_eq!(rendered("a.html"), "a*b &lt;i&gt; ␛[31m\n");
    assert_eq!(rendered("a.md"), "a\\*b &lt;i&gt; ␛\\[31m\n");
    assert_eq!(rendered("a.txt"), "a*b <i> ␛[31m\n");
    run.warnings = vec!["=cmd(), \"x\"".into()];
    let view = View::build(&run, &Selection::new(1)).expect("a view");
    let cells = render_file(&view, &template("a.csv", "{{ warnings[0] }},{{ few }}"), 60_000).expect("rendered");
    assert_eq!(cells, "\"'=cmd(), \"\"x\"\"\",10\n");
}

#[test]
fn rendering_twice_gives_the_same_bytes() {
    assert_eq!(html(&view()), html(&view()));
    assert_eq!(md(&view()), md(&view()));
}

#[test]
fn a_run_with_nothing_in_it_is_still_a_report() {
    let view = View::build(&fixture::empty_run(), &Selection::new(100)).expect("a view");
    let html = html(&view);
    assert!(html.contains("No claim carries a label: nothing was cited."));
    assert!(html.contains("There is no claim to show: no rule found anything."));
    assert!(html.contains("The policy has no rules."));
    assert!(md(&view).contains("No claim carries a label"));
    assert!(console::render(&view, "x", false).starts_with("PASS  no dataset: 0 of 0 gates pass\n"));
}

#[test]
fn nothing_measured_reads_as_not_judged() {
    let mut run = fixture::empty_run();
    run.verdict = RunVerdict::Fail;
    run.gates = vec![fixture::gate(
        "stale",
        "stale_citation_rate",
        BTreeMap::new(),
        Verdict::NoData,
        (0, 0),
        fixture::max("0.01"),
    )];
    let view = View::build(&run, &Selection::new(100)).expect("a view");
    assert_eq!((view.verdict.kind, view.verdict.word), ("not_judged", "NOT JUDGED"));
    assert_eq!(view.verdict.sentence, "No gate had anything to measure. That counts as a failure.");
    assert!(view.gates[0].fails_run);
    assert!(html(&view).contains("no data"));
}

#[test]
fn cells_that_are_all_too_small_are_hatched() {
    let mut run = fixture::run();
    run.gates.clear();
    for metric in &mut run.metrics {
        *metric = fixture::metric(&metric.metric, metric.slice.clone(), 1, 3);
    }
    let view = View::build(&run, &fixture::selection()).expect("a view");
    assert!(view.slices[0].rows.iter().flat_map(|row| &row.cells).all(|cell| cell.small));
    assert!(html(&view).contains("class=\"few\""));
}

#[test]
fn ten_thousand_findings_are_capped_and_counted() {
    let mut selection = Selection::new(100);
    for number in 0..10_000 {
        let id = format!("case-{number}");
        let claim = fixture::claim(
            &id,
            "Backups are kept for 90 days.",
            "insufficient",
            "rule:x",
            "Backups are encrypted.",
            &[],
        );
        fixture::offer(
            &mut selection,
            &fixture::case(&id, "Backups?", "Backups are kept for 90 days [S1].", "en", 1),
            &[claim],
        );
    }
    let view = View::build(&fixture::run(), &selection).expect("a view");
    assert_eq!((view.items.len(), view.findings.left_out), (100, 9_900));
    let html = html(&view);
    assert!(
        html.contains("100 of 10,000 findings are shown, the worst of every rule first; the other 9900 are left out"),
        "said"
    );
    assert!(html.contains("<code>findings.csv</code>"), "where the rest is");
    assert!(html.len() < 2_000_000, "{}", html.len());
    let md = md(&view);
    assert!(md.len() <= MD_BYTES, "{}", md.len());
    assert!(md.contains("more failing claims in `report.html`"));
}

#[test]
fn a_long_comment_is_shortened_until_it_fits() {
    let mut run = fixture::run();
    let long = "a reason that is rather long ".repeat(100);
    for _ in 0..9 {
        run.gates.extend(run.gates.clone().into_iter().take(7));
    }
    for gate in &mut run.gates {
        gate.reason.clone_from(&long);
    }
    let md = md(&View::build(&run, &fixture::selection()).expect("a view"));
    assert!(md.len() <= MD_BYTES, "{}", md.len());
    assert!(md.contains("more that fail or warn, in `report.html`"));
    let endless = template("mine.md", "{% for gate in gates %}{{ gate.reason }}\n{% endfor %}");
    let cut =
        render_file(&View::build(&run, &fixture::selection()).expect("a view"), &endless, 60_000).expect("rendered");
    assert!(cut.len() <= MD_BYTES && cut.ends_with("too long for a comment.*\n"));
}

#[test]
fn the_terminal_says_what_failed_in_about_ten_lines() {
    let text = console::render(&view(), "out/report.html", false);
    assert!(text.starts_with("FAIL  helpdesk 1.2.0: 3 of 7 gates fail, 1 warn\n"), "{text}");
    assert!(
        text.contains("  ✗ defects: defect rate in language=de is 21.4 % (6 of 28), at most 8 % allowed\n"),
        "{text}"
    );
    assert!(text.ends_with("report: out/report.html\n"));
    assert!(text.lines().count() <= 12, "{text}");
}

#[test]
fn a_cluster_says_where_it_gathers() {
    let mut selection = fixture::selection();
    fixture::count(&mut selection, "unknown-source", "unknown-id", Severity::Error, 40, "de");
    let view = View::build(&fixture::run(), &selection).expect("a view");
    let first = &view.clusters[0];
    assert_eq!((first.rule.as_str(), first.count.as_str(), first.cases.as_str()), ("unknown-source", "41", "41"));
    // German has 31 of 117 claims and all 41 of the findings (40 counted here, one of the case refund-042).
    assert_eq!(first.gathers[0].slice, "language = de");
    assert_eq!(first.gathers[0].count, "41");
}

/// Every key of a JSON value, at any depth.
fn keys(value: &serde_json::Value, found: &mut std::collections::BTreeSet<String>) {
    match value {
        serde_json::Value::Object(entries) => {
            for (key, value) in entries {
                found.insert(key.clone());
                keys(value, found);
            }
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_key_of_the_view_and_of_the_manifest_is_documented() {
    let mut found = std::collections::BTreeSet::new();
    keys(&serde_json::to_value(view()).expect("JSON"), &mut found);
    let page = include_str!("../../docs/report-view.md");
    let missing: Vec<&String> = found.iter().filter(|key| !page.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "docs/report-view.md does not say {missing:?}");

    let mut run = serde_json::to_value(fixture::run()).expect("JSON");
    for keyed_by_data in ["labels", "rules", "findings"] {
        let values = run[keyed_by_data].as_object().map(|entries| entries.values().cloned().collect::<Vec<_>>());
        run[keyed_by_data] = json!(values);
    }
    for list in ["metrics", "gates", "slices"] {
        for entry in run[list].as_array_mut().into_iter().flatten() {
            entry["slice"] = json!({});
        }
    }
    let mut found = std::collections::BTreeSet::new();
    keys(&run, &mut found);
    let page = include_str!("../../docs/run-format.md");
    let missing: Vec<&String> = found.iter().filter(|key| !page.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "docs/run-format.md does not say {missing:?}");
}

#[test]
fn a_suspicion_stands_back_where_a_rule_is_certain() {
    let suspicion = json!({"rule":"facts-found","code":"facts-not-together","severity":"note","certainty":"triage","observed":false,
        "implies":null,"message":"facts apart","citation":null,"answer_span":null,"claim_span":null,"fingerprint":"sha256:0"});
    let shown = |label: &str| {
        let mut selection = Selection::new(100);
        let mut claim = fixture::claim(
            "a",
            "Logs stay 90 days.",
            label,
            "rule:number",
            "Logs stay 30 days.",
            &[("90", "30", true)],
        );
        claim["findings"].as_array_mut().expect("findings").push(suspicion.clone());
        fixture::offer(&mut selection, &fixture::case("a", "Logs?", "Logs stay 90 days [S1].", "en", 1), &[claim]);
        View::build(&fixture::run(), &selection).expect("a view")
    };
    let certain = shown("contradicted");
    let quiet: Vec<bool> = certain.items[0].findings.iter().map(|finding| finding.is_quiet).collect();
    assert_eq!(quiet, [false, true]);
    let page = html(&certain);
    let (before, behind) = page.split_once("1 suspicion beside what is certain").expect("the summary");
    assert!(
        !before.contains("suspicion</span> facts apart") && behind.contains("suspicion</span> facts apart"),
        "only behind the summary"
    );
    assert!(!md(&certain).contains("- note: facts apart"));

    let open = shown("undecided");
    assert!(open.items[0].findings.iter().all(|finding| !finding.is_quiet));
    assert!(!html(&open).contains("beside what is certain"));
}

#[test]
fn annotations_show_each_defect_before_any_of_them_twice() {
    let mut selection = Selection::new(100);
    for number in 0..12 {
        let id = format!("case-{number}");
        let mut claim = fixture::claim(&id, "Logs stay 90 days.", "insufficient", "rule:number", "Logs stay.", &[]);
        if number == 11 {
            claim["findings"][0]["rule"] = json!("stale-version");
        }
        fixture::offer(&mut selection, &fixture::case(&id, "Logs?", "Logs stay 90 days [S1].", "en", 1), &[claim]);
    }
    let mut run = fixture::run();
    run.gates.clear();
    let text = github::render(&View::build(&run, &selection).expect("a view"));
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with("::warning file=")).collect();
    assert_eq!(titles.len(), github::MOST);
    assert!(titles.iter().take(9).all(|line| line.contains("title=number-not-in-evidence%3A case-")), "{text}");
    assert!(titles.last().is_some_and(|line| line.contains("title=stale-version%3A case-11#c1")), "{text}");
    assert!(text.contains("::notice title=citeward::2 more are in the report\n"), "{text}");
}

#[test]
fn a_warning_that_is_certain_is_a_notice_and_a_suspicion_is_none() {
    let mut selection = Selection::new(100);
    for (id, certainty) in [("sure", "final"), ("unsure", "triage")] {
        let mut claim = fixture::claim(id, "Logs stay.", "insufficient", "rule:number", "Logs.", &[]);
        claim["findings"][0]["severity"] = json!("warning");
        claim["findings"][0]["certainty"] = json!(certainty);
        fixture::offer(&mut selection, &fixture::case(id, "Logs?", "Logs stay [S1].", "en", 1), &[claim]);
    }
    let text = github::render(&View::build(&fixture::run(), &selection).expect("a view"));
    assert!(text.lines().any(|line| line.starts_with("::notice file=") && line.contains("%3A sure#c1::")), "{text}");
    assert!(!text.contains("unsure"), "{text}");
}
