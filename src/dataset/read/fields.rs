//! Fields of an object: which key names which field, and values of the type a field needs.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use super::super::case::Text;
use super::super::json::Json;
use super::super::slip::{Meant, Object, Slips};
use super::{Line, Options, PER_LINE, names};
use crate::diagnostic::{Code, Problem, closest, code, quoted};

/// Values longer than this many bytes are not quoted in a message.
const SHORT: usize = 60;

/// The way to a value, kept on the stack and written out only for a problem.
#[derive(Clone, Copy)]
pub(super) enum At<'p> {
    Root(Line<'p>),
    Key(&'p At<'p>, &'p str),
    Index(&'p At<'p>, usize),
}

impl<'p> At<'p> {
    pub(super) fn line(&self) -> Line<'p> {
        match self {
            At::Root(line) => *line,
            At::Key(parent, _) | At::Index(parent, _) => parent.line(),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            At::Root(_) => {}
            At::Key(parent, key) => {
                parent.write(out);
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(short_key(key));
            }
            At::Index(parent, index) => {
                parent.write(out);
                let _ = write!(out, "[{index}]");
            }
        }
    }

    /// The path between backticks, or `the case`.
    pub(super) fn named(&self) -> String {
        let mut path = String::new();
        self.write(&mut path);
        if path.is_empty() { "the case".to_owned() } else { format!("`{path}`") }
    }
}

/// An object's values by field, and what is left.
pub(super) struct Slots<'a, const N: usize> {
    taken: [Option<(Cow<'a, str>, Json<'a>)>; N],
    /// Keys that name no field, in file order.
    pub(super) rest: Vec<(Cow<'a, str>, Json<'a>)>,
}

impl<'a, const N: usize> Slots<'a, N> {
    /// Whether the field stands there and is not `null`.
    pub(super) fn has(&self, slot: usize) -> bool {
        matches!(self.taken.get(slot), Some(Some((_, value))) if *value != Json::Null)
    }

    /// A field's value, if it stands there.
    pub(super) fn value(&self, slot: usize) -> Option<&Json<'a>> {
        self.taken.get(slot)?.as_ref().map(|(_, value)| value)
    }

    /// The key under which a field stands, if it does.
    pub(super) fn key(&self, slot: usize) -> Option<&str> {
        self.taken.get(slot)?.as_ref().map(|(key, _)| key.as_ref())
    }

    /// Takes a field's value out, with the key under which it stands.
    pub(super) fn take(&mut self, slot: usize) -> Option<(Cow<'a, str>, Json<'a>)> {
        self.taken.get_mut(slot)?.take()
    }

    /// Puts a value into a field's slot, instead of what stands there.
    pub(super) fn put(&mut self, slot: usize, value: Option<(Cow<'a, str>, Json<'a>)>) {
        if let Some(place) = self.taken.get_mut(slot) {
            *place = value;
        }
    }
}

/// Reads one line's tree and notes what is wrong with it.
pub(super) struct Reader<'r> {
    pub(super) options: &'r Options,
    pub(super) problems: Vec<Problem>,
    pub(super) more: usize,
    pub(super) slips: Slips,
}

impl<'r> Reader<'r> {
    /// A reader that knows of these problems already.
    pub(super) fn new(options: &'r Options, problems: Vec<Problem>) -> Self {
        Self { options, problems, more: 0, slips: Slips::default() }
    }

    /// Notes a problem at a place.
    pub(super) fn push(&mut self, at: &At<'_>, problem: Problem) {
        if self.problems.len() < PER_LINE {
            self.problems.push(at.line().place(problem));
        } else {
            self.more += 1;
        }
    }

    /// The problems, with one more that counts those beyond the first hundred.
    pub(super) fn into_problems(mut self, line: Line<'_>) -> Vec<Problem> {
        if self.more > 0 {
            let said = format!("{} more problems on this line", self.more);
            self.problems.push(line.place(Problem::new(code::WRONG_VALUE, said)));
        }
        self.problems
    }

    /// Notes a value of the wrong type.
    pub(super) fn wrong_type(&mut self, at: &At<'_>, found: &str, expected: &str) {
        let problem = Problem::new(code::WRONG_TYPE, format!("{} has the wrong type", at.named()));
        self.push(at, problem.found(found, expected));
    }

    /// Notes a value of the right type that is not allowed.
    pub(super) fn wrong_value(&mut self, at: &At<'_>, kind: Code, found: &str, expected: &str, help: Option<&str>) {
        let problem = Problem::new(kind, format!("{} has a value that is not allowed", at.named()));
        self.push(at, problem.found(found, expected).help_if(help.map(str::to_owned)));
    }

    /// Puts an object's values into the slots of their fields; two names of one field are a problem.
    pub(super) fn sort<'a, const N: usize>(
        &mut self,
        entries: Vec<(Cow<'a, str>, Json<'a>)>,
        at: &At<'_>,
        slot_of: fn(&str) -> Option<usize>,
    ) -> Slots<'a, N> {
        let mut slots = Slots { taken: [const { None }; N], rest: Vec::new() };
        for (key, value) in entries {
            match slot_of(&key).and_then(|slot| slots.taken.get_mut(slot)) {
                None => slots.rest.push((key, value)),
                Some(free @ None) => *free = Some((key, value)),
                // The same key twice is the decoder's to say; with a laid-over answer it cannot happen.
                Some(Some((first, _))) => {
                    let problem = Problem::new(code::DUPLICATE_NAME, format!("{} has one field twice", at.named()))
                        .found(format!("`{first}` and `{key}`, two names of one field"), "one of them")
                        .help(format!("keep `{first}` or `{key}`"));
                    self.push(at, problem);
                }
            }
        }
        slots
    }

    /// Notes the fields of an object that nothing reads and that look meant, where the object lacks the field that they seem to mean.
    /// `slot_of` is what its fields are sorted by; values are still in their slots.
    pub(super) fn note_slips<const N: usize>(
        &mut self,
        object: Object,
        slots: &Slots<'_, N>,
        at: &At<'_>,
        slot_of: fn(&str) -> Option<usize>,
    ) {
        for (field, value) in &slots.rest {
            let Some(meant) = names::meant(object, field).filter(|_| *value != Json::Null) else { continue };
            let stands = |name: &str| match slot_of(name) {
                Some(slot) => slots.has(slot),
                None => slots.rest.iter().any(|(key, _)| key == name),
            };
            // What a claim cites may stand in either of two fields.
            let is_given = |name: &str| stands(name) || (name == "citation_ids" && stands("citations"));
            if matches!(meant, Meant::Field(name) if is_given(name)) {
                continue;
            }
            let line = at.line();
            self.slips.note(object, field, meant, (line.file, line.number));
        }
    }

    /// The value of a field that may be missing; `null` counts as missing.
    pub(super) fn optional<'a, T, const N: usize>(
        &mut self,
        slots: &mut Slots<'a, N>,
        slot: usize,
        at: &At<'_>,
        read: impl FnOnce(&mut Self, Json<'a>, &At<'_>) -> Option<T>,
    ) -> Option<T> {
        match slots.take(slot)? {
            (_, Json::Null) => None,
            (key, value) => read(self, value, &At::Key(at, &key)),
        }
    }

    /// The value of a field that must be there; `name` is the one that messages give.
    pub(super) fn required<'a, T, const N: usize>(
        &mut self,
        slots: &mut Slots<'a, N>,
        slot: usize,
        name: &str,
        at: &At<'_>,
        read: impl FnOnce(&mut Self, Json<'a>, &At<'_>) -> Option<T>,
    ) -> Option<T> {
        match slots.take(slot) {
            Some((key, value)) if value != Json::Null => read(self, value, &At::Key(at, &key)),
            other => {
                let found = if other.is_some() { "null" } else { "nothing" };
                let close = closest(name, slots.rest.iter().map(|(key, _)| key.as_ref()));
                let help = close.map(|key| format!("did you mean `{name}` where `{}` stands?", short_key(key)));
                let problem = Problem::new(code::MISSING_KEY, format!("{} has no `{name}`", at.named()));
                self.push(at, problem.found(found, format!("`{name}`")).help_if(help));
                None
            }
        }
    }

    /// Text of any length.
    pub(super) fn text<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Text<'a>> {
        match value {
            Json::Text(text) => Some(text),
            other => {
                self.wrong_type(at, other.kind(), "text");
                None
            }
        }
    }

    /// Text that is not blank.
    pub(super) fn filled_text<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Text<'a>> {
        let text = self.text(value, at)?;
        if text.trim().is_empty() {
            self.wrong_value(at, code::EMPTY, "blank text", "text that is not blank", None);
            return None;
        }
        Some(text)
    }

    /// An id: text that is not blank, or an integer, which is read as text.
    pub(super) fn id<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Text<'a>> {
        match value {
            Json::Text(text) if text.trim().is_empty() => {
                self.wrong_value(at, code::EMPTY, "blank text", "an id that is not blank", None);
                None
            }
            Json::Text(text) => Some(text),
            Json::Number(number) if !number.is_f64() => Some(Cow::Owned(number.to_string())),
            Json::Number(_) => {
                self.wrong_type(at, "a number that is no integer of at most 64 bits", "text or an integer");
                None
            }
            other => {
                self.wrong_type(at, other.kind(), "text or an integer");
                None
            }
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, value: Json<'_>, at: &At<'_>) -> Option<bool> {
        match value {
            Json::Bool(flag) => Some(flag),
            other => {
                let found = match &other {
                    Json::Text(word) if word.len() <= SHORT => format!("the text {}", quoted(word)),
                    _ => other.kind().to_owned(),
                };
                self.wrong_type(at, &found, "true or false");
                None
            }
        }
    }

    /// A list.
    pub(super) fn list<'a>(&mut self, value: Json<'a>, at: &At<'_>, expected: &str) -> Option<Vec<Json<'a>>> {
        match value {
            Json::List(items) => Some(items),
            other => {
                self.wrong_type(at, other.kind(), expected);
                None
            }
        }
    }

    /// A list of ids; `None` where one of them cannot be read.
    pub(super) fn ids<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Vec<Text<'a>>> {
        let items = self.list(value, at, "a list of ids")?;
        self.all(items, at, Self::id)
    }

    /// A list of texts, none blank; `None` where one of them cannot be read.
    pub(super) fn texts<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Vec<Text<'a>>> {
        let items = self.list(value, at, "a list of texts")?;
        self.all(items, at, Self::filled_text)
    }

    /// Reads every item, so that every problem is found, and gives the values where all could be read.
    pub(super) fn all<'a, T>(
        &mut self,
        items: Vec<Json<'a>>,
        at: &At<'_>,
        mut read: impl FnMut(&mut Self, Json<'a>, &At<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = items.len();
        let mut values = Vec::with_capacity(count);
        for (index, item) in items.into_iter().enumerate() {
            values.extend(read(self, item, &At::Index(at, index)));
        }
        (values.len() == count).then_some(values)
    }

    /// Notes ids that stand twice in one list. `fold`: ids that differ in letter case only are the same.
    pub(super) fn unique_ids<'t>(
        &mut self,
        ids: impl ExactSizeIterator<Item = (usize, &'t str)> + Clone,
        at: &At<'_>,
        field: &str,
        fold: bool,
    ) {
        /// Up to this many ids are compared one by one.
        const FEW: usize = 12;
        if ids.len() <= FEW {
            for (after, (index, id)) in ids.clone().enumerate() {
                if let Some((first, other)) = ids.clone().take(after).find(|(_, other)| same_id(other, id, fold)) {
                    self.duplicate_id(&At::Index(at, index), field, (id, other), &At::Index(at, first));
                }
            }
            return;
        }
        let mut seen: HashMap<Cow<'t, str>, (usize, &'t str)> = HashMap::with_capacity(ids.len());
        for (index, id) in ids {
            let key = if fold { folded(id) } else { Cow::Borrowed(id) };
            match seen.get(&key) {
                Some((first, other)) => {
                    self.duplicate_id(&At::Index(at, index), field, (id, other), &At::Index(at, *first));
                }
                None => {
                    seen.insert(key, (index, id));
                }
            }
        }
    }

    fn duplicate_id(&mut self, at: &At<'_>, field: &str, (id, other): (&str, &str), first: &At<'_>) {
        let first = first.named();
        let taken = if id == other {
            format!("as in {first}")
        } else {
            format!("which differs from {} in {first} in letter case only", quoted(other))
        };
        let problem = Problem::new(code::DUPLICATE_ID, format!("{} has an id that is taken", at.named()));
        let label = format!("found the {field} {}, {taken}; expected an id of its own", quoted(id));
        self.push(at, problem.label(label));
    }
}

/// An id as it is compared where letter case does not count.
pub(in super::super) fn folded(id: &str) -> Cow<'_, str> {
    if id.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        Cow::Borrowed(id)
    } else {
        // Character by character, as markers compare: a final sigma is no letter of its own.
        Cow::Owned(id.chars().flat_map(char::to_lowercase).collect())
    }
}

/// Whether two ids are the same.
pub(super) fn same_id(a: &str, b: &str, fold: bool) -> bool {
    a == b || (fold && (a.eq_ignore_ascii_case(b) || (!(a.is_ascii() && b.is_ascii()) && folded(a) == folded(b))))
}

/// A value as a message shows it: quoted where it is short text, else its kind.
pub(super) fn shown(value: &Json<'_>) -> String {
    match value {
        Json::Text(text) if text.len() <= SHORT => quoted(text),
        Json::Number(number) => number.to_string(),
        other => other.kind().to_owned(),
    }
}

/// A key of the data, cut where it is long.
pub(in super::super) fn short_key(key: &str) -> &str {
    match key.char_indices().nth(SHORT) {
        Some((cut, _)) => key.get(..cut).unwrap_or(key),
        None => key,
    }
}
