//! How a quantity, date or identifier of a claim fared against a passage.

use super::span::Span;

/// The outcome for one fact of a claim. Spans are of the passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The passage says so, there.
    Matched(Span),
    /// The passage says something else about the same thing, there.
    Conflicting(Span),
    /// It could be read either way, there: a person or a judge must look.
    Ambiguous(Span),
    /// The passage does not say it.
    Absent,
}

impl Outcome {
    /// The outcome over several passages: what one of them says outweighs what others leave open, and a match outweighs all.
    pub fn or(self, other: Self) -> Self {
        if other.rank() < self.rank() { other } else { self }
    }

    /// Where in the passage.
    pub fn span(self) -> Option<Span> {
        match self {
            Self::Matched(span) | Self::Conflicting(span) | Self::Ambiguous(span) => Some(span),
            Self::Absent => None,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Matched(_) => 0,
            Self::Ambiguous(_) => 1,
            Self::Conflicting(_) => 2,
            Self::Absent => 3,
        }
    }
}

/// How far an outcome may decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Weight {
    /// It decides the label of a claim.
    Final,
    /// It only raises a suspicion for review.
    Triage,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_in_one_passage_outweighs_the_rest() {
        let (there, here) = (Span::new(0, 2), Span::new(3, 4));
        assert_eq!(Outcome::Conflicting(there).or(Outcome::Matched(here)), Outcome::Matched(here));
        assert_eq!(Outcome::Absent.or(Outcome::Conflicting(there)), Outcome::Conflicting(there));
        assert_eq!(Outcome::Absent.or(Outcome::Absent).span(), None);
    }
}
