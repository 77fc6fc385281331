//! A JSON value that borrows its text, keeps the order of keys and has no duplicate key.

use std::borrow::Cow;

/// A JSON value. Objects keep file order; a duplicate key never gets this far.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Number(serde_json::Number),
    /// Text.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Json<'a>>),
    /// An object.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// The value of `key`, where this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Follows a dotted path such as `meta.intent`.
    #[must_use]
    pub fn path(&self, path: &str) -> Option<&Json<'a>> {
        path.split('.').try_fold(self, |value, key| value.get(key))
    }
}
