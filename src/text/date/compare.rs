//! Holding the dates of a claim against a passage.

use super::{Date, Era};
use crate::text::analysis::Analysis;
use crate::text::outcome::Outcome;
use crate::text::quantity::align::Alignment;
use crate::text::quantity::compare::affordable;
use crate::text::span::Span;

/// Holds each date of `claim` against `passage`. The outcomes are in the order of [`Analysis::dates`].
pub fn compare(claim: (&str, &Analysis), passage: (&str, &Analysis)) -> Vec<Outcome> {
    let dates = claim.1.dates(claim.0);
    if dates.is_empty() {
        return Vec::new();
    }
    let alignment = Alignment::new(claim, passage);
    let evidence = passage.1.dates(passage.0);
    let most = affordable(passage);
    let each = |(at, date): (usize, &Date)| match at < most {
        true => compare_one(date, claim, passage, evidence, &alignment),
        false => Outcome::Ambiguous(Span::default()),
    };
    dates.iter().enumerate().map(each).collect()
}

fn compare_one(
    date: &Date,
    claim: (&str, &Analysis),
    passage: (&str, &Analysis),
    evidence: &[Date],
    alignment: &Alignment,
) -> Outcome {
    // 3/4/2020 is March in one country and April in another: it bears out what is written the same way, or the year.
    let sure = |e: &&Date| match (date.swappable, e.swappable) {
        (true, true) => (date.month, date.day) == (e.month, e.day),
        (a, b) => a == b || date.month.is_none(),
    };
    if let Some(same) = evidence.iter().filter(sure).find(|e| date.stands_on(e)) {
        return Outcome::Matched(same.span);
    }
    if let Some(open) = evidence.iter().find(|e| date.stands_on(e)) {
        return Outcome::Ambiguous(open.span);
    }
    // The passage says the day or month without a year: it may be its own, or stand apart ("On 5 May … In 1901 …").
    if date.year.is_some() && date.month.is_some() && date.era == Era::Year {
        let without = Date { year: None, ..*date };
        if let Some(same) = evidence.iter().find(|e| e.year.is_none() && without.stands_on(e)) {
            return Outcome::Ambiguous(same.span);
        }
    }
    if let Some(span) = alignment.written_elsewhere(date.span.of(claim.0), passage, &[]) {
        return Outcome::Ambiguous(span);
    }
    // Another date as fine as this one, alone in the sentence about the same thing, contradicts it.
    let Some(sentence) = alignment.sentence_for(date.span) else { return Outcome::Absent };
    let mut others = evidence.iter().filter(|e| sentence.contains(e.span) && date.as_fine_as(e));
    match (others.next(), others.next()) {
        (Some(other), None) => Outcome::Conflicting(other.span),
        _ => Outcome::Absent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexicon::Lexicons;

    fn outcome(claim: &str, passage: &str) -> Outcome {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let (a, b) = (Analysis::new(Some("en"), &lexicons), Analysis::new(Some("en"), &lexicons));
        compare((claim, &a), (passage, &b)).first().copied().unwrap_or(Outcome::Absent)
    }

    #[test]
    fn coarser_passes_finer_is_absent_other_conflicts() {
        assert_eq!(
            outcome("The bridge opened in 1901.", "The bridge opened on 5 May 1901."),
            Outcome::Matched(Span::new(21, 31))
        );
        assert_eq!(outcome("The bridge opened on 5 May 1901.", "The bridge opened in 1901."), Outcome::Absent);
        assert_eq!(
            outcome("The bridge opened in 1902.", "The bridge opened in 1901."),
            Outcome::Conflicting(Span::new(21, 25))
        );
        assert_eq!(outcome("The bridge opened in 1902.", "It was planned in 1899 and 1900."), Outcome::Absent);
        assert_eq!(
            outcome("It opened on 3/4/2020.", "It opened on 3 April 2020."),
            Outcome::Ambiguous(Span::new(13, 25))
        );
        assert_eq!(
            outcome("It opened on 4 March 2020.", "It opened on 3/4/2020."),
            Outcome::Ambiguous(Span::new(13, 21))
        );
        assert_eq!(outcome("It opened in 2020.", "It opened on 3/4/2020."), Outcome::Matched(Span::new(13, 21)));
        assert_eq!(outcome("It opened on 03/04/2020.", "It opened on 3/4/2020."), Outcome::Matched(Span::new(13, 21)));
        assert_eq!(
            outcome("It opened on 4 March 2020.", "It opened on 3/4/2020, that is, on 4 March 2020."),
            Outcome::Matched(Span::new(35, 47))
        );
        assert_eq!(outcome("In the 19th century it grew.", "It grew in 1870."), Outcome::Matched(Span::new(11, 15)));
        assert_eq!(outcome("It opened on 5 May 1901.", "Doors open on 5 May."), Outcome::Ambiguous(Span::new(14, 19)));
        assert_eq!(outcome("It opened in June 1901.", "Doors open in June."), Outcome::Ambiguous(Span::new(14, 18)));
        assert_eq!(outcome("It opened on 5 May 1901.", "Doors open on 6 May."), Outcome::Absent);
    }
}
