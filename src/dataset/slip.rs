//! Fields that nothing reads and that look meant: a slip of a known name, or another tool's name for one.

use crate::diagnostic::counted;

/// Different fields that are told apart; those beyond are counted together.
const MOST: usize = 100;

/// The object that a field stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Object {
    /// A case.
    Case,
    /// A claim of a case.
    Claim,
    /// A citation of a claim.
    Citation,
    /// An evidence unit.
    Unit,
}

impl Object {
    /// Every kind of object.
    pub const ALL: [Object; 4] = [Object::Case, Object::Claim, Object::Citation, Object::Unit];

    /// How many of them, in words: `1 case`, `2 units`.
    #[must_use]
    pub fn counted(self, count: u64) -> String {
        counted(
            count,
            match self {
                Object::Case => "case",
                Object::Claim => "claim",
                Object::Citation => "citation",
                Object::Unit => "unit",
            },
        )
    }
}

/// A field that nothing reads and that looks meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    /// What it stands in.
    pub object: Object,
    /// Its name.
    pub field: Box<str>,
    /// What it seems to mean.
    pub meant: Meant,
    /// Objects that have it.
    pub count: u64,
    /// The file of the first of them, as it is shown.
    pub file: Box<str>,
    /// Its physical line.
    pub line: u64,
}

/// What a field that nothing reads seems to mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meant {
    /// The field of this name.
    Field(&'static str),
    /// An answer to compare with, which citeward does not do.
    ReferenceAnswer,
}

impl Meant {
    /// What to do, for a person.
    #[must_use]
    pub fn remedy(self) -> String {
        match self {
            Meant::Field(name) => format!("the right name is `{name}`"),
            Meant::ReferenceAnswer => {
                "no check reads a reference answer, labels of claims stand in `expected`".to_owned()
            }
        }
    }
}

/// The slips of a case, of a chunk of cases or of a run, each once, in the order of the input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slips {
    /// Those that are told apart.
    pub all: Vec<Slip>,
    /// Objects with other such fields, which are not told apart.
    pub others: u64,
}

impl Slips {
    /// Adds what stands later in the input.
    pub fn merge(&mut self, later: Slips) {
        self.others = self.others.saturating_add(later.others);
        for slip in later.all {
            if !self.count(slip.object, &slip.field, slip.count) {
                self.all.push(slip);
            }
        }
    }

    /// Notes a field that one more object has, at `file` and line.
    pub fn note(&mut self, object: Object, field: &str, meant: Meant, (file, line): (&str, u64)) {
        if !self.count(object, field, 1) {
            self.all.push(Slip { object, field: field.into(), meant, count: 1, file: file.into(), line });
        }
    }

    /// Counts objects with a field that is known already, or that there is no room for; `false` where it is new.
    fn count(&mut self, object: Object, field: &str, count: u64) -> bool {
        let is_full = self.all.len() >= MOST;
        let sum = match self.all.iter_mut().find(|known| known.object == object && *known.field == *field) {
            Some(known) => &mut known.count,
            None if is_full => &mut self.others,
            None => return false,
        };
        *sum = sum.saturating_add(count);
        true
    }
}
