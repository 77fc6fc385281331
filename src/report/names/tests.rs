use crate::report::render::try_out;
use crate::report::template::{Template, Templates};

/// What is wrong with a template, as it is shown.
fn wrong(name: &str, text: &str) -> String {
    try_out(&Template { name: name.into(), text: text.into() }).expect_err(text).render()
}

fn is_sound(text: &str) {
    if let Err(problems) = try_out(&Template { name: "own.html".into(), text: text.into() }) {
        panic!("{text}\n{}", problems.render());
    }
}

#[test]
fn the_shipped_templates_hold() {
    let templates = Templates::default();
    for template in [&templates.html, &templates.md] {
        if let Err(problems) = try_out(template) {
            panic!("{}", problems.render());
        }
    }
}

#[test]
fn the_templates_of_the_documentation_hold() {
    let page = include_str!("../../../docs/report-view.md");
    let own = page.split("`note.md`:").nth(1).and_then(|rest| rest.split("```").nth(1)).expect("the template");
    let text = own.trim_start_matches("text\n");
    assert!(text.contains("{% for gate in gates"), "{text}");
    for (name, text) in [
        ("note.md", text),
        ("release-note.txt", include_str!("../../../docs/examples/templates/release-note.txt")),
        ("sign-off.html", include_str!("../../../docs/examples/templates/sign-off.html")),
    ] {
        if let Err(problems) = try_out(&Template { name: name.into(), text: text.into() }) {
            panic!("{}", problems.render());
        }
    }
}

#[test]
fn a_name_is_looked_up_where_it_stands() {
    let text = "{% for gate in gates %}\n{% if gate.verdict == \"inconclusive\" and gate.picture %}\n{{ gate.picture.valeu }}\n\
                {% endif %}\n{% endfor %}";
    assert_eq!(
        wrong("own.txt", text),
        "own.txt:3:17: error[bad-template]: \"gate.picture.valeu\" is undefined\n  |\n\
         3 | {{ gate.picture.valeu }}\n  |                 ^^^^^ there is no such key here\n  \
         help: did you mean `value`?\n"
    );
}

#[test]
fn every_branch_and_every_name_is_looked_at() {
    for (text, said) in [
        ("{{ verdict.wrod }}", "did you mean `word`?"),
        ("{{ verdikt.word }}", "did you mean `verdict`?"),
        ("{{ verdict[\"wrod\"] }}", "did you mean `word`?"),
        ("{% if false %}{{ verdict.wrod }}{% endif %}", "did you mean `word`?"),
        ("{% for gate in gates[:show.gaets] %}{% endfor %}", "did you mean `gates`?"),
        ("{% for c in (items|first).citations %}{{ c.titel }}{% endfor %}", "did you mean `title`?"),
        (
            "{% set bad = items|selectattr('severity', 'equalto', 'error')|list %}{{ bad[0].lable }}",
            "did you mean `label`?",
        ),
        ("{{ items|selectattr('severty', 'equalto', 'error')|list|length }}", "did you mean `severity`?"),
        ("{{ items|selectattr('severity', 'equalto', 'eror')|list|length }}", "did you mean `error`?"),
        ("{{ items|map(attribute='lable')|join(', ') }}", "did you mean `label`?"),
        ("{% if verdict.kind == 'failed' %}x{% endif %}", "did you mean `fail`?"),
        ("{% if 'failed' != verdict.kind %}x{% endif %}", "did you mean `fail`?"),
        (
            "{% macro one(f) %}{{ f.mesage }}{% endmacro %}{% for i in items %}{{ one(i.findings[0]) }}{% endfor %}",
            "`message`",
        ),
        ("{% macro one(f) %}{{ verdict.wrod }}{% endmacro %}", "did you mean `word`?"),
        ("{% for gate in gates %}{% endfor %}{{ gate.gate }}", "did you mean `gates`?"),
        ("{{ gates.value }}", "found a list, expected something with keys"),
        ("{{ title.length }}", "found a text, expected something with keys"),
        ("{% for c in title %}{{ c }}{% endfor %}", "found a text, expected a list to walk over"),
        ("{{ verdict.word|uper }}", "did you mean `upper`?"),
        ("{{ 1 if verdict is definde else 2 }}", "there is no test \"definde\""),
        ("{% include 'other.html' %}", "a template is one file and reads no other"),
        ("{% extends 'report.html' %}", "a template is one file and reads no other"),
        ("{% import 'x' as x %}", "a template is one file and reads no other"),
        ("{% autoescape false %}{{ title }}{% endautoescape %}", "cannot change how texts are escaped"),
        (
            "{% for item in items %}{{ item.title|safe }}{% endfor %}",
            "`safe` would let a text of the data become markup",
        ),
        ("{{ items|safe }}", "`safe` would let a text of the data become markup"),
        ("{{ (title ~ '')|safe }}", "`safe` would let a text of the data become markup"),
        ("{{ items|string|safe }}", "`safe` would let a text of the data become markup"),
        ("{% set t = title ~ '' %}{{ t|safe }}", "`safe` would let a text of the data become markup"),
        ("{{ [title]|map('safe')|join }}", "`safe` would let a text of the data become markup"),
        ("{% set f = 'safe' %}{{ [title]|map(f)|join }}", "`safe` would let a text of the data become markup"),
        ("{{ verdict.word|replace(1) }}", "replace"),
        ("{{ few.x }}", "found a number, expected something with keys"),
    ] {
        let shown = wrong("own.html", text);
        assert!(shown.starts_with("own.html:1:") && shown.contains(said), "{text}\n{shown}");
    }
}

#[test]
fn a_key_without_a_likely_one_lists_the_keys() {
    let shown = wrong("own.md", "{{ gate_counts.xyz }}");
    assert!(
        shown.contains(
            "the keys here are `total`, `failing`, `warning`, `unjudged`, `without_data`, `missed` and `passing`"
        ),
        "{shown}"
    );
}

#[test]
fn all_problems_come_at_once() {
    let shown = wrong("own.md", "{{ verdict.wrod }}\n{{ titel }}\n{{ verdict.wrod }}");
    assert_eq!(shown.matches("error[bad-template]").count(), 3, "{shown}");
}

#[test]
fn what_a_template_may_do_is_let_pass() {
    for text in [
        "{% for gate in gates if gate.fails_run %}{{ loop.index }} {{ gate.gate }}{% else %}none{% endfor %}",
        "{% set ns = namespace(n=0) %}{% for i in items %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}",
        "{% for rule, of in items|groupby('label') %}{{ rule }} {{ of|length }}{% endfor %}",
        "{% for key, value in verdict|items %}{{ key }} {{ value }}{% endfor %}",
        "{% for key in verdict %}{{ key }}{% endfor %}",
        "{% if later is defined %}{{ later.on }}{% endif %}",
        "{% if verdict.later is defined %}{{ verdict.later }}{% endif %}{{ verdict.other|default('–') }}",
        "{% with g = gates[0]|default(none) %}{% if g %}{{ g.gate }}{% endif %}{% endwith %}",
        "{% macro row(g, word='x') %}<b>{{ g.gate }}{{ word }}</b>{% endmacro %}{% for g in gates %}{{ row(g) }}{% endfor %}",
        "{% macro mark(w) %}{% if w == 'no_data' %}x{% elif w == 'not_judged' %}y{% endif %}{% endmacro %}{{ mark(verdict.kind) }}",
        "{% macro a(n) %}{{ b(n) }}{% endmacro %}{% macro b(n) %}{{ n }}{% endmacro %}{{ a(1) }}",
        "{% set x = gates if few > 1 else items %}{% for one in x %}{{ one.anything|default('') }}{% endfor %}",
        "{{ '<b>'|safe }}{% filter upper %}{{ title }}{% endfilter %}{% set t %}{{ title }}{% endset %}{{ t }}",
        "{{ gates|map(attribute='gate')|join(', ') }} {{ range(3)|list|length }} {{ title.upper() if false else '' }}",
        "{% if items[0] is defined %}{{ items[0].title }}{% endif %}{% if verdict.kind in ['pass', 'fail'] %}x{% endif %}",
    ] {
        is_sound(text);
    }
}

#[test]
fn a_template_without_end_is_found_before_the_work() {
    let endless = "{% for a in range(10000) %}{% for b in range(10000) %}{{ title }}{% endfor %}{% endfor %}";
    assert!(wrong("own.html", endless).contains("the template takes too long"), "{}", wrong("own.html", endless));
    let itself = "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}";
    assert!(wrong("own.html", itself).starts_with("own.html:1:"), "{}", wrong("own.html", itself));
}
