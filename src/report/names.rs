//! Every name in a template looked up in the schema of the view, in every branch: what a run would trip over once it has
//! the wrong shape is found before any run.
//!
//! What cannot be known from the text alone (what a filter makes of a value, what a macro is called with) is let pass
//! here; rendering is strict about it.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::Environment;
use minijinja::machinery::ast::{BinOpKind, Call, CallArg, CompareOpKind, Expr, Macro, Stmt};
use minijinja::machinery::{Span as AstSpan, parse};
use serde_json::{Value, json};

use super::render::Show;
use super::schema;
use super::template::Template;
use crate::diagnostic::{Problem, Problems, Span, closest, code, did_you_mean, one_of, quoted};

/// What the engine itself offers as functions.
const FUNCTIONS: [&str; 4] = ["range", "dict", "debug", "namespace"];
/// Filters, for suggestions; whether a filter is there the engine says.
const FILTERS: [&str; 54] = [
    "abs",
    "attr",
    "batch",
    "bool",
    "capitalize",
    "chain",
    "code",
    "count",
    "csp_hash",
    "d",
    "default",
    "dictsort",
    "e",
    "escape",
    "first",
    "float",
    "format",
    "groupby",
    "grouped",
    "indent",
    "int",
    "items",
    "join",
    "json",
    "last",
    "length",
    "lines",
    "link",
    "list",
    "lower",
    "map",
    "max",
    "md",
    "min",
    "pprint",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "unique",
    "upper",
    "zip",
];
/// Filters that give a list of the same things.
const SAME: [&str; 8] = ["list", "reject", "rejectattr", "reverse", "select", "selectattr", "sort", "unique"];
/// Filters that give one of the things in a list.
const ONE: [&str; 4] = ["first", "last", "max", "min"];
/// Deepest nesting of macros that call each other.
const MACROS: usize = 20;

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Type<'s> {
    /// Nothing.
    Any,
    /// It is what this schema says.
    Known(&'s Value),
}

/// Looks up every name of a template.
///
/// # Errors
/// Every name that no view has, each with its place.
pub(super) fn check(template: &Template, environment: &Environment<'_>) -> Result<(), Problems> {
    // What is no template was said by the engine already.
    let Ok(tree) = parse(&template.text, &template.name, environment.syntax().clone()) else { return Ok(()) };
    let show = json!({ "type": "object", "properties": Show::KEYS.map(|key| (key, json!({ "type": "integer" }))).into_iter()
        .collect::<BTreeMap<_, _>>() });
    let mut walk = Walk {
        view: schema::value(),
        show: &show,
        text: &template.text,
        environment,
        scopes: vec![BTreeMap::new()],
        macros: BTreeMap::new(),
        guarded: BTreeSet::new(),
        calls: Vec::new(),
        seen: BTreeSet::new(),
        found: Vec::new(),
    };
    walk.prepare(std::slice::from_ref(&tree));
    walk.statements(std::slice::from_ref(&tree));
    walk.uncalled();
    if walk.found.is_empty() {
        return Ok(());
    }
    let mut problems = Problems::new();
    let source = problems.add_source(&*template.name, &*template.text);
    for (start, end, problem) in walk.found {
        problems.push(problem.at(Span { source, start, end }));
    }
    Err(problems)
}

/// A path such as `gate.picture`, where it is one.
fn path(expr: &Expr<'_>) -> Option<String> {
    match expr {
        Expr::Var(var) => Some(var.id.to_owned()),
        Expr::GetAttr(get) => Some(format!("{}.{}", path(&get.expr)?, get.name)),
        _ => None,
    }
}

struct Walk<'a, 's> {
    view: &'s Value,
    show: &'s Value,
    text: &'a str,
    environment: &'a Environment<'a>,
    scopes: Vec<BTreeMap<&'a str, Type<'s>>>,
    macros: BTreeMap<&'a str, (&'a Macro<'a>, bool)>,
    /// Paths of which the template asks whether they are defined.
    guarded: BTreeSet<String>,
    /// The macros that are being looked at.
    calls: Vec<&'a str>,
    /// Places of problems, so that a macro that is called twice is blamed once.
    seen: BTreeSet<(u32, u32)>,
    found: Vec<(u32, u32, Problem)>,
}

impl<'a, 's> Walk<'a, 's> {
    // Macros are known before they stand there, and so is what is asked for being defined.
    fn prepare(&mut self, statements: &'a [Stmt<'a>]) {
        for statement in statements {
            match statement {
                Stmt::Template(template) => self.prepare(&template.children),
                Stmt::Macro(own) => {
                    self.macros.insert(own.name, (own, false));
                    self.prepare(&own.body);
                }
                Stmt::ForLoop(of) => {
                    self.guards(&of.iter);
                    of.filter_expr.iter().for_each(|expr| self.guards(expr));
                    self.prepare(&of.body);
                    self.prepare(&of.else_body);
                }
                Stmt::IfCond(of) => {
                    self.guards(&of.expr);
                    self.prepare(&of.true_body);
                    self.prepare(&of.false_body);
                }
                Stmt::EmitExpr(of) => self.guards(&of.expr),
                Stmt::Set(of) => self.guards(&of.expr),
                Stmt::WithBlock(of) => self.prepare(&of.body),
                Stmt::SetBlock(of) => self.prepare(&of.body),
                Stmt::FilterBlock(of) => self.prepare(&of.body),
                Stmt::Block(of) => self.prepare(&of.body),
                _ => {}
            }
        }
    }

    fn guards(&mut self, expr: &Expr<'_>) {
        match expr {
            Expr::Test(test) => {
                if ["defined", "undefined"].contains(&test.name) {
                    self.guarded.extend(path(&test.expr));
                }
                self.guards(&test.expr);
            }
            Expr::UnaryOp(of) => self.guards(&of.expr),
            Expr::BinOp(of) => {
                self.guards(&of.left);
                self.guards(&of.right);
            }
            Expr::IfExpr(of) => {
                self.guards(&of.test_expr);
                self.guards(&of.true_expr);
                of.false_expr.iter().for_each(|expr| self.guards(expr));
            }
            Expr::Filter(of) => {
                if let (Some(expr), "default" | "d") = (&of.expr, of.name) {
                    self.guarded.extend(path(expr));
                }
                of.expr.iter().for_each(|expr| self.guards(expr));
            }
            _ => {}
        }
    }

    fn statements(&mut self, statements: &'a [Stmt<'a>]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn within(&mut self, names: BTreeMap<&'a str, Type<'s>>, statements: &'a [Stmt<'a>]) {
        self.scopes.push(names);
        self.statements(statements);
        self.scopes.pop();
    }

    fn statement(&mut self, statement: &'a Stmt<'a>) {
        match statement {
            Stmt::Template(template) => self.statements(&template.children),
            Stmt::EmitExpr(of) => {
                self.expr(&of.expr);
            }
            Stmt::EmitRaw(_) => {}
            Stmt::ForLoop(of) => {
                let list = self.expr(&of.iter);
                let item = self.each(list, of.iter.span());
                let mut names = BTreeMap::from([("loop", Type::Any)]);
                bind(&of.target, item, &mut names);
                self.scopes.push(names);
                of.filter_expr.iter().for_each(|expr| {
                    self.expr(expr);
                });
                self.statements(&of.body);
                self.scopes.pop();
                self.statements(&of.else_body);
            }
            Stmt::IfCond(of) => {
                self.expr(&of.expr);
                self.statements(&of.true_body);
                self.statements(&of.false_body);
            }
            Stmt::WithBlock(of) => {
                let mut names = BTreeMap::new();
                for (target, value) in &of.assignments {
                    let value = self.expr(value);
                    bind(target, value, &mut names);
                }
                self.within(names, &of.body);
            }
            Stmt::Set(of) => {
                let value = self.expr(&of.expr);
                self.set(&of.target, value);
            }
            Stmt::SetBlock(of) => {
                of.filter.iter().for_each(|expr| {
                    self.expr(expr);
                });
                self.within(BTreeMap::new(), &of.body);
                self.set(&of.target, Type::Any);
            }
            Stmt::AutoEscape(of) => {
                let span = of.enabled.span();
                let problem = Problem::new(code::BAD_TEMPLATE, "a template cannot change how texts are escaped");
                self.put(span, problem.help("the ending of the template's name decides it, for the whole file"));
            }
            Stmt::FilterBlock(of) => {
                self.expr(&of.filter);
                self.within(BTreeMap::new(), &of.body);
            }
            Stmt::Block(of) => self.within(BTreeMap::new(), &of.body),
            Stmt::Import(of) => self.other_file(&of.expr),
            Stmt::FromImport(of) => self.other_file(&of.expr),
            Stmt::Extends(of) => self.other_file(&of.name),
            Stmt::Include(of) => self.other_file(&of.name),
            Stmt::Macro(_) => {}
            Stmt::CallBlock(of) => {
                self.call(&of.call);
                self.macro_body(&of.macro_decl, BTreeMap::new());
            }
            Stmt::Do(of) => {
                self.call(&of.call);
            }
        }
    }

    fn other_file(&mut self, name: &Expr<'_>) {
        let problem = Problem::new(code::BAD_TEMPLATE, "a template is one file and reads no other");
        self.put(name.span(), problem.help("put what it needs into the template itself, as a macro"));
    }

    fn set(&mut self, target: &Expr<'a>, value: Type<'s>) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let before = scope.clone();
        bind(target, value, scope);
        // Set in two branches to two things: it may be either.
        for (name, known) in before {
            if let Some(now) = scope.get_mut(name).filter(|now| **now != known) {
                *now = Type::Any;
            }
        }
    }

    /// What a loop over it gives.
    fn each(&mut self, list: Type<'s>, span: AstSpan) -> Type<'s> {
        let Type::Known(schema) = list else { return Type::Any };
        if let Some(items) = schema.get("items") {
            return self.known(items);
        }
        // The keys of a map may be walked over.
        if schema.get("properties").is_none() {
            let problem = Problem::new(code::BAD_TEMPLATE, "this is no list");
            self.put(span, problem.found(kind(schema), "a list to walk over"));
        }
        Type::Any
    }

    /// What a schema says, with its reference followed and `null` beside it ignored.
    fn known(&self, schema: &'s Value) -> Type<'s> {
        let mut schema = schema;
        for _ in 0..10 {
            let other = schema.get("anyOf").and_then(Value::as_array);
            if let Some(first) = other.and_then(|any| any.iter().find(|one| one["type"] != "null")) {
                schema = first;
            } else if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
                match name.strip_prefix("#").and_then(|pointer| self.view.pointer(pointer)) {
                    Some(target) => schema = target,
                    None => return Type::Any,
                }
            } else {
                break;
            }
        }
        Type::Known(schema)
    }

    fn put(&mut self, span: AstSpan, problem: Problem) {
        self.put_at(span.start_offset, span.end_offset, problem);
    }

    fn put_at(&mut self, start: u32, end: u32, problem: Problem) {
        if self.seen.insert((start, end)) {
            self.found.push((start, end, problem));
        }
    }

    fn expr(&mut self, expr: &'a Expr<'a>) -> Type<'s> {
        match expr {
            Expr::Var(var) => self.variable(var.id, var.span()),
            Expr::Const(_) => Type::Any,
            Expr::Slice(of) => {
                for part in [&of.start, &of.stop, &of.step].into_iter().flatten() {
                    self.expr(part);
                }
                self.expr(&of.expr)
            }
            Expr::UnaryOp(of) => {
                self.expr(&of.expr);
                Type::Any
            }
            Expr::BinOp(of) => {
                let (left, right) = (self.expr(&of.left), self.expr(&of.right));
                match of.op {
                    BinOpKind::Eq | BinOpKind::Ne => {
                        self.compared(left, &of.right);
                        self.compared(right, &of.left);
                        Type::Any
                    }
                    BinOpKind::ScOr | BinOpKind::ScAnd if left == right => left,
                    _ => Type::Any,
                }
            }
            Expr::Compare(of) => {
                let mut left = (self.expr(&of.expr), &of.expr);
                for op in &of.ops {
                    let right = (self.expr(&op.expr), &op.expr);
                    if matches!(op.op, CompareOpKind::Eq | CompareOpKind::Ne) {
                        self.compared(left.0, right.1);
                        self.compared(right.0, left.1);
                    }
                    left = right;
                }
                Type::Any
            }
            Expr::IfExpr(of) => {
                self.expr(&of.test_expr);
                let yes = self.expr(&of.true_expr);
                let no = of.false_expr.as_ref().map(|no| self.expr(no));
                if no.is_none_or(|no| no == yes) { yes } else { Type::Any }
            }
            Expr::Filter(of) => {
                let input = of.expr.as_ref().map_or(Type::Any, |input| self.expr(input));
                let span = of.expr.as_ref().map_or(of.span(), Expr::span);
                self.arguments(&of.args);
                self.is_markup(of.name, of.expr.as_ref(), &of.args, span);
                self.filter(of.name, input, of.span(), &of.args)
            }
            Expr::Test(of) => {
                self.expr(&of.expr);
                self.arguments(&of.args);
                self.is_there("test", of.name, of.span());
                Type::Any
            }
            Expr::GetAttr(of) => {
                let parent = self.expr(&of.expr);
                self.key(parent, of.name, expr)
            }
            Expr::GetItem(of) => {
                let parent = self.expr(&of.expr);
                match &of.subscript_expr {
                    Expr::Const(name) if name.value.as_str().is_some() => match name.value.as_str() {
                        Some(name) => self.key(parent, name, expr),
                        None => Type::Any,
                    },
                    subscript => {
                        self.expr(subscript);
                        match parent {
                            Type::Known(schema) => schema.get("items").map_or(Type::Any, |items| self.known(items)),
                            Type::Any => Type::Any,
                        }
                    }
                }
            }
            Expr::Call(call) => self.call(call),
            Expr::List(of) => self.several(&of.items),
            Expr::Tuple(of) => self.several(&of.items),
            Expr::Map(of) => {
                self.several(&of.keys);
                self.several(&of.values)
            }
        }
    }

    fn several(&mut self, expressions: &'a [Expr<'a>]) -> Type<'s> {
        for expr in expressions {
            self.expr(expr);
        }
        Type::Any
    }

    fn arguments(&mut self, arguments: &'a [CallArg<'a>]) -> Vec<(Option<&'a str>, Type<'s>)> {
        let mut types = Vec::new();
        for argument in arguments {
            match argument {
                CallArg::Pos(expr) => types.push((None, self.expr(expr))),
                CallArg::Kwarg(name, expr) => types.push((Some(*name), self.expr(expr))),
                CallArg::PosSplat(expr) | CallArg::KwargSplat(expr) => {
                    self.expr(expr);
                }
            }
        }
        types
    }

    fn variable(&mut self, name: &'a str, span: AstSpan) -> Type<'s> {
        if let Some(known) = self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            return *known;
        }
        if name == "show" {
            return Type::Known(self.show);
        }
        if let Some(schema) = self.view["properties"].get(name) {
            return self.known(schema);
        }
        let is_else = FUNCTIONS.contains(&name) || self.macros.contains_key(name) || self.guarded.contains(name);
        if !is_else {
            let own = self.scopes.iter().flat_map(|scope| scope.keys().copied());
            let keys = self.view["properties"].as_object().into_iter().flatten().map(|(key, _)| key.as_str());
            let help = did_you_mean(name, own.chain(keys).chain(["show"]));
            let problem = Problem::new(code::BAD_TEMPLATE, format!("{} is undefined", quoted(name)));
            let problem = problem.label("the view has no such key, and the template sets no such name");
            self.put(span, problem.help_if(help.or_else(|| Some("docs/report-view.md lists the keys".to_owned()))));
        }
        Type::Any
    }

    /// The value of a key.
    fn key(&mut self, parent: Type<'s>, name: &str, expr: &Expr<'_>) -> Type<'s> {
        let Type::Known(schema) = parent else { return Type::Any };
        if let Some(own) = schema.get("properties").and_then(|keys| keys.get(name)) {
            return self.known(own);
        }
        let shown = path(expr);
        if shown.as_ref().is_some_and(|path| self.guarded.contains(path)) {
            return Type::Any;
        }
        let shown = shown.unwrap_or_else(|| name.to_owned());
        let problem = Problem::new(code::BAD_TEMPLATE, format!("{} is undefined", quoted(&shown)));
        let problem = match schema.get("properties").and_then(Value::as_object) {
            Some(keys) => {
                let keys: Vec<&str> = keys.keys().map(String::as_str).collect();
                let meant = closest(name, keys.iter().copied()).map(|key| format!("did you mean `{key}`?"));
                let all = || format!("the keys here are {}", one_of(&keys).replace(" or ", " and "));
                problem.label("there is no such key here").help(meant.unwrap_or_else(all))
            }
            None if schema["type"] == "array" => problem
                .found("a list", "something with keys")
                .help("walk over it with `for`, or take one with `first` or `[0]`"),
            None => problem.found(kind(schema), "something with keys"),
        };
        let span = expr.span();
        let length = u32::try_from(name.len()).unwrap_or_default();
        let start = span.end_offset.saturating_sub(length).max(span.start_offset);
        let is_name = self.text.get(start as usize..span.end_offset as usize) == Some(name);
        self.put_at(if is_name { start } else { span.start_offset }, span.end_offset, problem);
        Type::Any
    }

    /// A word of the view held against a constant: one that it never is, is a misspelling.
    fn compared(&mut self, word: Type<'s>, with: &Expr<'_>) {
        let (Type::Known(schema), Expr::Const(constant)) = (word, with) else { return };
        let Some(text) = constant.value.as_str() else {
            return;
        };
        self.is_word(schema, text, constant.span());
    }

    fn is_word(&mut self, schema: &Value, text: &str, span: AstSpan) {
        // A macro may be called with several kinds of words, and asks for all of them.
        if !self.calls.is_empty() {
            return;
        }
        let Some(words) = schema.get("enum").and_then(Value::as_array) else { return };
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        if words.contains(&text) {
            return;
        }
        let shown: Vec<&str> = words.iter().copied().filter(|word| !word.is_empty()).collect();
        let meant = closest(text, shown.iter().copied()).map(|word| format!("did you mean `{word}`?"));
        let all = || {
            let or_empty = if shown.len() < words.len() { ", or an empty text" } else { "" };
            format!("it is {}{or_empty}", one_of(&shown))
        };
        let problem = Problem::new(code::BAD_TEMPLATE, format!("the word is never {}", quoted(text)));
        self.put(span, problem.help(meant.unwrap_or_else(all)));
    }

    fn is_there(&mut self, what: &'static str, name: &str, span: AstSpan) {
        let asked =
            self.environment.compile_expression(if what == "filter" { "name is filter" } else { "name is test" });
        let answer = asked.and_then(|asked| asked.eval(minijinja::context! { name }));
        if answer.is_ok_and(|is_there| is_there.is_true()) {
            return;
        }
        let help =
            if what == "filter" { closest(name, FILTERS).map(|name| format!("did you mean `{name}`?")) } else { None };
        let problem = Problem::new(code::BAD_TEMPLATE, format!("there is no {what} {}", quoted(name)));
        let (start, end) = (span.start_offset as usize, span.end_offset as usize);
        let at = self.text.get(start..end).and_then(|text| text.rfind(name)).map_or(start, |at| start + at);
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let problem = problem.help_if(help.or_else(|| Some("docs/report-view.md names what there is".to_owned())));
        self.put_at(offset(at), offset(at + name.len()), problem);
    }

    /// `safe` is for a text that stands in the template itself: whatever else it is given may come from the data, by whatever way. `map` calls
    /// filters by their names.
    fn is_markup(&mut self, filter: &str, input: Option<&Expr<'a>>, arguments: &[CallArg<'a>], span: AstSpan) {
        let is_safe = match (filter, arguments.first()) {
            ("safe", _) => !matches!(input, Some(Expr::Const(_))),
            ("map", Some(CallArg::Pos(Expr::Const(named)))) => named.value.as_str() == Some("safe"),
            ("map", Some(CallArg::Pos(_))) => true,
            _ => false,
        };
        if is_safe {
            let problem = Problem::new(code::BAD_TEMPLATE, "`safe` would let a text of the data become markup");
            let problem = problem.label("this is no text that stands here in the template");
            self.put(span, problem.help("delete `|safe`; it is for a text between quotation marks: `'<hr>'|safe`"));
        }
    }

    fn filter(&mut self, name: &'a str, input: Type<'s>, span: AstSpan, arguments: &'a [CallArg<'a>]) -> Type<'s> {
        self.is_there("filter", name, span);
        let Type::Known(schema) = input else { return Type::Any };
        let item = schema.get("items").map_or(Type::Any, |items| self.known(items));
        self.attributes(name, item, arguments);
        match name {
            "default" | "d" => input,
            name if SAME.contains(&name) => input,
            name if ONE.contains(&name) => item,
            _ => Type::Any,
        }
    }

    /// The attribute that a filter on a list is told by its name.
    fn attributes(&mut self, filter: &str, item: Type<'s>, arguments: &'a [CallArg<'a>]) {
        let is_first = ["selectattr", "rejectattr", "groupby", "attr"].contains(&filter);
        for (at, argument) in arguments.iter().enumerate() {
            let expr = match argument {
                CallArg::Pos(expr) if is_first && at == 0 => expr,
                CallArg::Kwarg("attribute", expr) => expr,
                _ => continue,
            };
            let Expr::Const(constant) = expr else { continue };
            let Some(name) = constant.value.as_str() else { continue };
            let own = name.split('.').fold(item, |parent, name| self.key(parent, name, expr));
            // `selectattr("severity", "equalto", "error")`
            let test = arguments.get(1).and_then(constant_of);
            if let (
                Type::Known(schema),
                Some("equalto" | "eq" | "==" | "ne" | "!="),
                Some(CallArg::Pos(Expr::Const(with))),
            ) = (own, test, arguments.get(2))
                && let Some(text) = with.value.as_str()
            {
                self.is_word(schema, text, with.span());
            }
        }
    }

    fn call(&mut self, call: &'a Call<'a>) -> Type<'s> {
        let arguments = self.arguments(&call.args);
        match &call.expr {
            Expr::Var(var) => {
                let Some((own, is_called)) = self.macros.get_mut(var.id) else {
                    self.expr(&call.expr);
                    return Type::Any;
                };
                *is_called = true;
                let own = *own;
                let mut names = BTreeMap::new();
                for (at, argument) in own.args.iter().enumerate() {
                    let Expr::Var(argument) = argument else { continue };
                    let by_name = arguments.iter().find(|(name, _)| *name == Some(argument.id));
                    let given = by_name.or_else(|| arguments.iter().filter(|(name, _)| name.is_none()).nth(at));
                    names.insert(argument.id, given.map_or(Type::Any, |(_, of)| *of));
                }
                self.macro_body(own, names);
            }
            // A method: what it is called on must be there.
            Expr::GetAttr(get) => {
                self.expr(&get.expr);
            }
            other => {
                self.expr(other);
            }
        }
        Type::Any
    }

    fn macro_body(&mut self, own: &'a Macro<'a>, mut names: BTreeMap<&'a str, Type<'s>>) {
        if self.calls.contains(&own.name) || self.calls.len() > MACROS {
            return;
        }
        for argument in &own.args {
            bind_missing(argument, &mut names);
        }
        names.entry("caller").or_insert(Type::Any);
        self.calls.push(own.name);
        // A macro sees its own names and those of the template, not those of the place that calls it.
        let outer = self.scopes.split_off(1.min(self.scopes.len()));
        self.several(&own.defaults);
        self.within(names, &own.body);
        self.scopes.extend(outer);
        self.calls.pop();
    }

    /// Macros that nothing calls are looked at too.
    fn uncalled(&mut self) {
        let uncalled: Vec<_> = self.macros.values().filter(|(_, is_called)| !is_called).map(|(own, _)| *own).collect();
        for own in uncalled {
            self.macro_body(own, BTreeMap::new());
        }
    }
}

fn constant_of<'c>(argument: &'c CallArg<'_>) -> Option<&'c str> {
    match argument {
        CallArg::Pos(Expr::Const(constant)) => constant.value.as_str(),
        _ => None,
    }
}

/// Names what a loop or `set` names.
fn bind<'a, 's>(target: &Expr<'a>, value: Type<'s>, names: &mut BTreeMap<&'a str, Type<'s>>) {
    match target {
        Expr::Var(var) => {
            names.insert(var.id, value);
        }
        Expr::List(of) => of.items.iter().for_each(|item| bind(item, Type::Any, names)),
        Expr::Tuple(of) => of.items.iter().for_each(|item| bind(item, Type::Any, names)),
        _ => {}
    }
}

fn bind_missing<'a>(target: &Expr<'a>, names: &mut BTreeMap<&'a str, Type<'_>>) {
    if let Expr::Var(var) = target {
        names.entry(var.id).or_insert(Type::Any);
    }
}

/// What a schema describes, in words.
fn kind(schema: &Value) -> &'static str {
    let types = |name: &str| match &schema["type"] {
        Value::String(own) => own == name,
        Value::Array(several) => several.iter().any(|own| own == name),
        _ => false,
    };
    match () {
        () if types("string") => "a text",
        () if types("integer") || types("number") => "a number",
        () if types("boolean") => "a flag",
        () if types("array") => "a list",
        () => "something with keys",
    }
}

#[cfg(test)]
mod tests;
