//! The stage of the product in which a fault lies, and what a finding's code says of it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A stage of the product that answers, from its corpus to the page that a reader sees; the last one is the judging itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The corpus and its metadata: documents, versions, scopes, hashes, locators.
    Data,
    /// What was put before the model.
    Retrieval,
    /// Which unit the answer points at for which claim.
    Citation,
    /// What the model wrote.
    Generation,
    /// What happened to the answer after it was written and checked.
    Rendering,
    /// The label that the claim was given.
    Judge,
}

impl Stage {
    /// All stages, in the order in which an answer passes through them.
    pub const ALL: [Stage; 6] =
        [Stage::Data, Stage::Retrieval, Stage::Citation, Stage::Generation, Stage::Rendering, Stage::Judge];

    /// Its name in policies, records and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Stage::Data => "data",
            Stage::Retrieval => "retrieval",
            Stage::Citation => "citation",
            Stage::Generation => "generation",
            Stage::Rendering => "rendering",
            Stage::Judge => "judge",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A stage, and why it is that one; without a stage, why none can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// The stage at fault; `None` where it cannot be told.
    pub stage: Option<Stage>,
    /// Why, as a fragment of a sentence without a full stop.
    pub because: &'static str,
}

impl Told {
    /// This stage.
    #[must_use]
    pub const fn at(stage: Stage, because: &'static str) -> Self {
        Self { stage: Some(stage), because }
    }

    /// No stage can be told.
    #[must_use]
    pub const fn open(because: &'static str) -> Self {
        Self { stage: None, because }
    }
}

/// What a code says of the stage at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The same wherever it is found.
    Always(Told),
    /// On a citation: whether it resolves to a unit of the packet decides.
    Cited {
        /// Where it does.
        resolved: Told,
        /// Where it does not.
        unresolved: Told,
    },
    /// The cited evidence lacks a fact. It is the citation's where another unit that the reader may see has the fact.
    Lacking {
        /// The stage at fault where none has it.
        nowhere: Option<Stage>,
        /// What then follows the words “no unit that the reader may see has …”.
        and: &'static str,
    },
    /// On a text that the rule names: whose text it is decides.
    Text {
        /// Of the answer or a claim.
        written: Told,
        /// Of the cited evidence.
        read: Told,
    },
}

impl Fault {
    /// Always this stage.
    #[must_use]
    pub const fn at(stage: Stage, because: &'static str) -> Self {
        Fault::Always(Told::at(stage, because))
    }

    /// No stage can be told, wherever it is found.
    #[must_use]
    pub const fn open(because: &'static str) -> Self {
        Fault::Always(Told::open(because))
    }
}

/// A code of a kind of check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// The code, in kebab-case.
    pub name: &'static str,
    /// One line on what it means.
    pub meaning: &'static str,
    /// The stage at fault where it is found.
    pub fault: Fault,
}

impl Code {
    /// A code with its meaning and the stage at fault.
    #[must_use]
    pub const fn new(name: &'static str, meaning: &'static str, fault: Fault) -> Self {
        Self { name, meaning, fault }
    }
}
