//! Quantities: exact values with unit, scale, qualifier, range and the precision they were written with.

pub(crate) mod align;
mod around;
pub mod compare;
mod declared;
mod digits;
mod fit;
mod headed;
mod ideographs;
mod join;
mod number;
mod range;
mod rate;
mod read;
mod sum;
mod words;

use std::sync::Arc;

use num_traits::{CheckedAdd, CheckedMul};

use super::cursor::{Cursor, roles};
use super::lexicon::{Exact, Lexicon, Qualifier, Unit};
use super::outcome::Weight;
use super::span::Span;
use super::word::{Token, TokenKind};

pub use compare::{Comparison, compare};
pub(crate) use declared::declared_scale;
pub(crate) use headed::share_heads;

/// Whether a value of a claim is one of a passage, correctly rounded.
#[must_use]
pub fn is_rounded(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> bool {
    fit::is_rounded(wanted, have, allowed)
}
pub use number::Number;
pub(crate) use read::read;

/// How a quantity is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// One value.
    Single,
    /// From one value to another: `10–20`, "between 3 and 5".
    Range,
    /// Two values of a result: `3–1`. They compare as a pair.
    Score,
    /// A place in an order: `3rd`.
    Ordinal,
    /// So many of so many: "8 out of 10", "one in five", "half of".
    Share,
}

/// What a quantity is to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// How large it is: "rose by 5 %".
    By,
    /// What it led to: "rose to 5 %".
    To,
}

/// A quantity in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// The number with its sign, scale, unit and currency; without qualifier and hedge.
    pub span: Span,
    /// The value; of a range or a score the first one.
    pub number: Number,
    /// The other reading that the signs allow, where the locale leaves it open.
    pub other_reading: Option<Number>,
    /// The second value of a range or a score; the whole of a share.
    pub upper: Option<Number>,
    /// How it is put.
    pub form: Form,
    /// The unit, a currency and percent included.
    pub unit: Option<Arc<Unit>>,
    /// The unit it is counted by: minute in "requests per minute".
    pub per: Option<Arc<Unit>>,
    /// The unit that a word nearby may count it by: month in "the monthly fee is $10".
    pub per_nearby: Option<Arc<Unit>>,
    /// Hashes of the stems of up to two words behind a number without a unit: what is counted.
    pub counted: [Option<u64>; 2],
    /// What bounds it.
    pub qualifier: Option<Qualifier>,
    /// Where the words of its qualifier stand, before or behind `span`; none of a sign inside of it, such as `100+`.
    pub bound: Option<Span>,
    /// The word of denial that turned its bound round: "do not" in "do not store above 25 °C", which is at most 25 °C.
    pub denied: Option<Span>,
    /// It is meant roughly.
    pub hedged: bool,
    /// It says how much something changed, or what it changed to.
    pub change: Option<Change>,
    /// It is one of several that are open: "30 or 90 days".
    pub alternative: bool,
    /// It says the quantity before it again in another unit: "5 miles (8 km)".
    pub restates: bool,
    /// Its number is a word that often means none: "one day".
    pub weak: bool,
    /// It is written in words.
    pub in_words: bool,
    /// A scale word or sign belongs to it.
    pub scaled: bool,
}

/// The numbers of a text by value, in order, in digits and in words: what two texts can agree on whatever stands around it. Scale
/// words belong to their number; ordinals, and digits joined to more digits by signs that make no number of them (`1.2.3`), are none.
pub fn numbers(text: &str, tokens: &[Token], lexicon: &Lexicon) -> Vec<(Span, Exact)> {
    let roles = roles(text, tokens, lexicon);
    let cursor = Cursor::new(text, tokens, &roles, lexicon);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < cursor.len() {
        let inside = cursor.joined(at)
            && cursor.is_mark(at - 1, &['.', ','])
            && at.checked_sub(2).is_some_and(|before| cursor.is(before, TokenKind::Digits) && cursor.joined(at - 1));
        match number::read(&cursor, at).filter(|written| !written.ordinal && !written.contextual && !inside) {
            Some(written) => {
                found.push((cursor.stretch(at, written.next), written.number.value));
                at = written.next.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

impl Quantity {
    /// Quantities with unit, percent, currency, rate, scale or at least three digits (both values of a pair together, the whole of a share) decide;
    /// bare small numbers only raise a suspicion, and so does "one day", which is often no number.
    pub fn weight(&self) -> Weight {
        let upper = self.upper.map_or(0, |upper| upper.digits);
        let digits = if self.form == Form::Share { upper } else { self.number.digits + upper };
        let decides = self.unit.is_some() || self.per.is_some() || self.scaled || digits >= 3;
        let is_loose = self.form == Form::Ordinal
            || self.weak && self.per.is_none() && self.unit.as_ref().is_none_or(|unit| unit.id.as_ref() == "day");
        if decides && !is_loose { Weight::Final } else { Weight::Triage }
    }

    fn negate(&mut self) {
        self.number.value = -self.number.value;
        self.other_reading = self.other_reading.map(|n| Number { value: -n.value, ..n });
    }

    /// What it measures; `None` for a plain number.
    pub fn dimension(&self) -> Option<&str> {
        self.unit.as_ref().map(|unit| unit.dimension.as_ref())
    }

    /// The value in base units, times ten to the `power`. `None` where that overflows.
    pub(crate) fn scaled_by(&self, power: u32) -> Option<Exact> {
        self.base(self.number.scaled(power)?)
    }

    /// The value in base units of its dimension, per base unit of what it is counted by. `None` where that overflows.
    pub(crate) fn base(&self, number: Number) -> Option<Exact> {
        let mut value = number.value;
        if let Some(unit) = &self.unit {
            value = value.checked_add(&unit.offset)?;
            value = value.checked_mul(&unit.factor.unwrap_or_else(|| Exact::from_integer(1)))?;
        }
        if let Some(factor) = self.per.as_ref().and_then(|per| per.factor).filter(|f| *f.numer() != 0) {
            value = value.checked_mul(&factor.recip())?;
        }
        Some(value)
    }

    /// What a one in the last written digit of `number` is worth, in base units.
    fn base_step(&self, number: Number) -> Option<Exact> {
        let mut step = number.step;
        if let Some(factor) = self.unit.as_ref().and_then(|unit| unit.factor) {
            step = step.checked_mul(&factor)?;
        }
        if let Some(factor) = self.per.as_ref().and_then(|per| per.factor).filter(|f| *f.numer() != 0) {
            step = step.checked_mul(&factor.recip())?;
        }
        Some(step)
    }

    /// Half of what a one in its last written digit is worth, in base units.
    pub(crate) fn half_step(&self) -> Option<Exact> {
        self.base_step(self.number)?.checked_mul(&Exact::new(1, 2))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Analysis;
    use crate::text::lexicon::Lexicons;

    fn lexicons() -> Lexicons {
        Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    /// `value[..upper] unit[/per] qualifier`, as short as it can be read.
    fn shown(quantity: &Quantity) -> String {
        let mut shown = quantity.number.value.to_string();
        if let Some(upper) = quantity.upper {
            shown += &format!("..{}", upper.value);
        }
        if let Some(unit) = &quantity.unit {
            shown += &format!(" {}", unit.id);
        }
        if let Some(per) = &quantity.per {
            shown += &format!("/{}", per.id);
        }
        if let Some(qualifier) = quantity.qualifier {
            shown += &format!(" {qualifier:?}");
        }
        if quantity.hedged {
            shown += " hedged";
        }
        if quantity.form == Form::Ordinal {
            shown += " ordinal";
        }
        shown
    }

    #[track_caller]
    fn assert_reads(language: &str, text: &str, expected: &[&str]) {
        let analysis = Analysis::new(Some(language), &lexicons());
        let read: Vec<String> = analysis.quantities(text).iter().map(shown).collect();
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn separators_read_as_the_language_has_it() {
        assert_reads(
            "en",
            "1,234.5 m and 12,34,567 g and 1'234 kg",
            &["2469/2 metre", "1234567 gram", "1234 kilogram"],
        );
        assert_reads("de", "1.234,5 m und 99,9 %", &["2469/2 metre", "999/10 percent"]);
        assert_reads("fr", "1 234,5 km", &["2469/2 kilometre"]);
        assert_reads(
            "en",
            "٣٥ kg, −5 °C, ½ hour, 1½ hours, 3/4 cup, 2 × 10^3 m, 10⁶ bits",
            &["35 kilogram", "-5 celsius", "1/2 hour", "3/2 hour", "3/4", "2000 metre", "1000000 bit"],
        );
    }

    #[test]
    fn an_open_reading_is_kept() {
        let analysis = Analysis::new(None, &lexicons());
        let read = analysis.quantities("1.234 users");
        let values: Vec<_> = read.iter().map(|q| (q.number.value, q.other_reading.map(|n| n.value))).collect();
        assert_eq!(values, [(Exact::new(1234, 1000), Some(Exact::from_integer(1234)))]);
    }

    #[test]
    fn units_scales_rates_and_money() {
        assert_reads("en", "100 requests per minute", &["100/minute"]);
        assert_reads(
            "en",
            "$5m, US$3.50 per month, 20 €/month, EUR 7 billion, 5k users, 10 MiB, 10 MB",
            &[
                "5000000 dollar",
                "7/2 USD/month",
                "20 EUR/month",
                "7000000000 EUR",
                "5000",
                "10 mebibyte",
                "10 megabyte",
            ],
        );
        assert_reads(
            "en",
            "a 30-day trial, 30 calendar days, 25 basis points, 2 percentage points, 80 km/h",
            &["30 day", "30 day", "25 basis-point", "2 percentage-point", "80 kilometre-per-hour"],
        );
        assert_reads("ja", "3万5000円、2億", &["35000 JPY", "200000000"]);
    }

    #[test]
    fn words_in_seven_languages() {
        assert_reads(
            "en",
            "twenty-five days, one hundred and five thousand people, two and a half hours, ninety days, two thirds",
            &["25 day", "105000", "5/2 hour", "90 day", "2/3"],
        );
        assert_reads("en", "one of the reasons, a day later, a million users", &["1000000"]);
        assert_reads(
            "de",
            "zweiundzwanzig Tage, dreihundertfünf Euro, eine Million",
            &["22 day", "305 EUR", "1000000"],
        );
        assert_reads(
            "fr",
            "quatre-vingt-dix jours, soixante-douze heures, deux mille euros",
            &["90 day", "72 hour", "2000 EUR"],
        );
        assert_reads("es", "treinta y cinco días, dos mil euros", &["35 day", "2000 EUR"]);
        assert_reads("it", "trentadue giorni", &["32 day"]);
        assert_reads("pt", "vinte e cinco dias", &["25 day"]);
        assert_reads("nl", "vijfentwintig dagen", &["25 day"]);
    }

    #[test]
    fn bounds_hedges_ranges_and_scores() {
        assert_reads(
            "en",
            "at least about 5 days, up to 100 requests per minute, no more than 3 GB, 5 or more users, 100+ users",
            &["5 day AtLeast hedged", "100/minute AtMost", "3 gigabyte AtMost", "5 AtLeast", "100 AtLeast"],
        );
        assert_reads(
            "en",
            "10–20 days, between 3 and 5 GB, 2–3 million people, from 5 to 10 km, won 3–1",
            &["10..20 day", "3..5 gigabyte", "2000000..3000000", "5..10 kilometre", "3..1"],
        );
        assert_reads(
            "en",
            "the 3rd attempt and 10, 20 and 30 percent",
            &["3 ordinal", "10 percent", "20 percent", "30 percent"],
        );
        assert_reads("de", "höchstens 30 Tage, mehr als 5 %", &["30 day AtMost", "5 percent MoreThan"]);
    }

    #[test]
    fn what_decides_and_what_only_raises_a_suspicion() {
        let analysis = Analysis::new(Some("en"), &lexicons());
        let read = analysis.quantities("5 users, 5 days, 5 million users, 120 users, the 3rd");
        assert_eq!(
            read.iter().map(Quantity::weight).collect::<Vec<_>>(),
            [Weight::Triage, Weight::Final, Weight::Final, Weight::Final, Weight::Triage]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn nothing_panics_and_spans_fit(
            text in "\\PC{0,50}|[0-9a-z.,/'$€%°½⁶×^eE: \n–−-]{0,40}|(([0-9]{1,40}|million|und|vier|twenty|hundred|May|the|v|ISO|万|at least|%|-|/| |\\.|,){0,14})",
            language in "en|de|fr|it|ja",
        ) {
            let analysis = Analysis::new(Some(&language), &lexicons());
            let spans = analysis.quantities(&text).iter().map(|q| q.span)
                .chain(analysis.dates(&text).iter().map(|d| d.span))
                .chain(analysis.identifiers(&text).iter().map(|i| i.span));
            for span in spans {
                prop_assert!(text.get(span.range()).is_some_and(|s| !s.is_empty()), "{:?}", span);
            }
            compare((&text, &analysis), (&text, &analysis), &Comparison::default());
        }
    }
}
