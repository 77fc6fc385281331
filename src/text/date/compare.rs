//! Holding the dates of a claim against a passage.

use super::stretch::{self, Fit, fit};
use super::{Bound, Date, calendar};
use crate::text::analysis::Analysis;
use crate::text::outcome::Outcome;
use crate::text::quantity::align::Alignment;
use crate::text::quantity::compare::affordable;
use crate::text::span::Span;
use crate::text::word::{TokenKind, digit_value, folded};

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
        true => compare_one(date, claim.0, passage, evidence, &alignment),
        false => Outcome::Ambiguous(Span::default()),
    };
    dates.iter().enumerate().map(each).collect()
}

/// The same within one text of one author: "yesterday" is the same day in both.
pub fn compare_retold(claim: (&str, &Analysis), answer: (&str, &Analysis)) -> Vec<Outcome> {
    let dates = claim.1.dates(claim.0);
    let retold = |(date, outcome): (&Date, Outcome)| match outcome {
        Outcome::Ambiguous(span) if date.relative => Outcome::Matched(span),
        other => other,
    };
    dates.iter().zip(compare(claim, answer)).map(retold).collect()
}

fn compare_one(
    date: &Date,
    claim: &str,
    passage: (&str, &Analysis),
    evidence: &[Date],
    alignment: &Alignment,
) -> Outcome {
    if date.relative {
        // When it was depends on who wrote it when.
        let written = folded(date.span.of(claim));
        let same = |e: &&Date| e.relative && folded(e.span.of(passage.0)) == written;
        return evidence.iter().find(same).map_or(Outcome::Absent, |e| Outcome::Ambiguous(e.span));
    }
    let mut open = None;
    for have in evidence {
        match fit(date, have) {
            Fit::Same => return Outcome::Matched(have.span),
            Fit::Open => open = open.or(Some(have.span)),
            Fit::Other => {}
        }
    }
    // The passage says the day or month without a year: it may be its own, or stand apart ("On 5 May … In 1901 …").
    let open = open.or_else(|| {
        let without = Date { year: None, bound: None, stage: None, ..*date };
        let may_have = date.year.is_some() && date.month.is_some();
        let same = |e: &&Date| may_have && e.year.is_none() && fit(&without, e) == Fit::Same;
        evidence.iter().find(same).map(|e| e.span)
    });
    let near = alignment.candidates(date.span);
    let digits = || written_elsewhere(date.span.of(claim), passage, evidence, near);
    if let Some(span) = open.or_else(digits) {
        return Outcome::Ambiguous(span);
    }
    if let Some(span) = implied(date, evidence, |span| is_within(near, span)) {
        return Outcome::Ambiguous(span);
    }
    if let Some(span) = told_relatively(date, evidence, near, passage) {
        return Outcome::Ambiguous(span);
    }
    // Another date as fine as this one, alone in the sentence about the same thing, contradicts it.
    let Some(sentence) = alignment.sentence_for(date.span) else { return Outcome::Absent };
    let mut others = evidence.iter().filter(|e| sentence.contains(e.span) && date.as_fine_as(e));
    match (others.next(), others.next()) {
        (Some(other), None) if !other.unsure && !date.is_other_end_than(other) => Outcome::Conflicting(other.span),
        _ => Outcome::Absent,
    }
}

/// Whether one of these sentences, which are in order, has the span inside.
fn is_within(sentences: &[Span], span: Span) -> bool {
    let behind = sentences.partition_point(|sentence| sentence.start <= span.start);
    behind.checked_sub(1).and_then(|last| sentences.get(last)).is_some_and(|sentence| sentence.contains(span))
}

/// Where the passage has the same digits: whatever they were read as, they may be this date, unless they are another one in the sentence
/// about the same thing.
fn written_elsewhere(
    written: &str,
    (passage, analysis): (&str, &Analysis),
    evidence: &[Date],
    near: &[Span],
) -> Option<Span> {
    let digits =
        |text: &str| -> String { text.chars().filter_map(digit_value).map(|d| char::from(b'0' + d)).collect() };
    let wanted = digits(written);
    if wanted.is_empty() {
        return None;
    }
    let mut dates = evidence.iter().filter(|date| date.year.is_some() && !date.unsure).peekable();
    analysis.tokens(passage).iter().filter(|token| token.kind == TokenKind::Digits).map(|token| token.span).find(
        |span| {
            while dates.peek().is_some_and(|date| date.span.end <= span.start) {
                dates.next();
            }
            let is_dated = dates.peek().is_some_and(|date| date.span.overlaps(*span)) && is_within(near, *span);
            !is_dated && digits(span.of(passage)) == wanted
        },
    )
}

/// What follows from a date near by but is not said: a year inside of a range, "before 2020" on "in 2018".
fn implied(date: &Date, evidence: &[Date], is_near: impl Fn(Span) -> bool) -> Option<Span> {
    let (first, behind) = stretch::days(date)?;
    let inside = evidence.windows(2).find_map(|pair| {
        let [from, to] = pair else { return None };
        let spans = to.closes && is_near(to.span);
        let (from_first, to_behind) = (stretch::days(from)?.0, stretch::days(to)?.1);
        (spans && from_first <= first && behind <= to_behind).then(|| from.span.join(to.span))
    });
    inside.or_else(|| {
        let follows = |have: &Date| match (date.bound?, stretch::days(have)?) {
            (Bound::Before | Bound::Until, (_, have_behind)) => Some(have_behind <= first),
            (Bound::After | Bound::From, (have_first, _)) => Some(behind <= have_first),
        };
        let one_sided = matches!(date.bound, Some(Bound::Before | Bound::After));
        let near = |have: &&Date| one_sided && is_near(have.span) && follows(have) == Some(true);
        evidence.iter().find(near).map(|have| have.span)
    })
}

/// "on Wednesday", "yesterday" in the sentence about the same thing: with the day it was written on, it may be this date.
fn told_relatively(
    date: &Date,
    evidence: &[Date],
    near: &[Span],
    (passage, analysis): (&str, &Analysis),
) -> Option<Span> {
    let is_near = |span: Span| is_within(near, span);
    let weekdays = &analysis.lexicon().calendar.weekdays;
    let weekday_of = |span: Span| weekdays.get(folded(span.of(passage)).as_ref()).copied();
    let wanted = date.day.and(stretch::days(date)).map(|(day, _)| calendar::weekday(day));
    let told = |have: &&Date| {
        have.relative
            && is_near(have.span)
            && weekday_of(have.span).is_none()
            && is_fine_enough(date, have, passage, analysis)
    };
    if let Some(have) = evidence.iter().find(told) {
        return Some(have.span);
    }
    let wanted = wanted?;
    let tokens = analysis.tokens(passage);
    near.iter().find_map(|sentence| {
        let from = tokens.partition_point(|token| token.span.start < sentence.start);
        let inside = tokens.get(from..)?.iter().take_while(|token| token.span.end <= sentence.end);
        inside.map(|token| token.span).find(|span| weekday_of(*span) == Some(wanted))
    })
}

/// Whether a date told as "last year" may be as fine as this one: a day is no year.
fn is_fine_enough(date: &Date, told: &Date, passage: &str, analysis: &Analysis) -> bool {
    let tokens = analysis.tokens(passage);
    let from = tokens.partition_point(|token| token.span.start < told.span.start);
    let inside = (from..tokens.len()).take_while(|at| tokens.get(*at).is_some_and(|t| t.span.end <= told.span.end));
    let names = &analysis.lexicon().units.names;
    let coarse = |at: usize| {
        let unit = names.starting_at(passage, tokens, at)?;
        Some(
            matches!(unit.meaning.id.as_ref(), "year")
                || (matches!(unit.meaning.id.as_ref(), "month" | "quarter") && date.day.is_some()),
        )
    };
    let is_year = date.month.is_none() && date.part.is_none();
    is_year || !inside.filter_map(coarse).any(|coarse| coarse)
}

impl Date {
    /// Whether the two give the same parts.
    fn as_fine_as(&self, other: &Self) -> bool {
        self.era == other.era
            && self.year.is_some() == other.year.is_some()
            && self.month.is_some() == other.month.is_some()
            && self.day.is_some() == other.day.is_some()
            && self.time.is_some() == other.time.is_some()
            && self.relative == other.relative
            && self.part.map(|part| std::mem::discriminant(&part))
                == other.part.map(|part| std::mem::discriminant(&part))
    }

    /// Whether one begins and the other ends something: a birth and a death do not contradict each other.
    fn is_other_end_than(&self, other: &Self) -> bool {
        self.bound.zip(other.bound).is_some_and(|(a, b)| a.points_on() != b.points_on())
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
