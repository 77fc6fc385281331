//! Altered quantities: each claims a value, unit, bound or precision that the passage does not have.

use crate::numbers::{Family, Make, Number, Phrase, money, rate};
use crate::random::Random;
use crate::tongues::{Kind, Tongue};

const fn family(name: &'static str, wanted: usize, make: Make) -> Family {
    Family { name, wanted, languages: &[], make }
}

pub const FAMILIES: &[Family] = &[
    family("a digit changed", 8, digit_changed),
    family("two digits swapped", 6, digits_swapped),
    family("a digit added or lost", 6, digit_count),
    family("another unit of time", 8, time_unit),
    family("another unit of size, length, mass or temperature", 8, other_unit),
    family("kilo for kibi", 4, binary_unit),
    family("another scale word", 6, scale_changed),
    family("a scale word lost or put in", 6, scale_lost),
    Family { name: "another scale sign", wanted: 20, languages: &["en"], make: scale_sign },
    family("the sign lost or put in", 6, sign_changed),
    family("percent and percentage points", 6, percent_and_points),
    family("a range widened or shifted", 8, range_changed),
    family("an end of a range as the value", 6, end_of_range),
    family("at least and at most", 8, bound_flipped),
    family("more than and less than", 6, strict_flipped),
    family("a strict bound on the value itself", 4, strict_on_value),
    family("wrongly rounded", 6, wrongly_rounded),
    family("precision raised", 6, precision_raised),
    family("the decimal sign moved", 6, decimal_moved),
    family("thousands for units", 6, thousands_lost),
    family("another currency", 6, currency_changed),
    family("per another time", 6, rate_changed),
    family("another number of requests", 4, rate_count),
    family("another number word", 8, word_changed),
    family("a number word for other digits", 6, word_for_digits),
    family("hedged, but far off", 6, hedged_far_off),
    family("wrongly converted", 6, wrongly_converted),
    family("another fraction", 4, fraction_changed),
    family("the figure of another sentence", 10, of_another),
    family("two figures change places", 8, change_places),
    family("one of two quantities altered", 10, one_of_two),
    family("altered in a passage full of figures", 12, crowded),
];

fn between(random: &mut Random, low: u64, high: u64) -> u64 {
    low + random.next() % (high - low + 1)
}

/// A number of one of several sizes.
fn size(random: &mut Random, sizes: &[(u64, u64)]) -> u64 {
    let (low, high) = *random.pick(sizes);
    between(random, low, high)
}

/// A quantity of an ordinary kind around a number: pattern and kind.
fn dressed(tongue: &Tongue, random: &mut Random) -> (Kind, String) {
    match random.below(7) {
        0 => (
            Kind::Duration,
            format!("{{}} {}", tongue.unit(random.word(&["second", "minute", "day", "month", "hour", "week"]), false)),
        ),
        1 => (Kind::Size, format!("{{}} {}", random.word(&["MB", "GB", "TB", "KB"]))),
        2 => (Kind::Money, money(tongue, "{}", random.word(&["EUR", "USD", "GBP", "CHF"]))),
        3 => (Kind::Percent, (*random.pick(tongue.percent)).to_owned()),
        4 => (Kind::Count, "{}".to_owned()),
        5 => (Kind::Length, format!("{{}} {}", tongue.unit(random.word(&["metre", "kilometre"]), false))),
        _ => (Kind::Mass, format!("{{}} {}", tongue.unit(random.word(&["kilogram", "tonne"]), false))),
    }
}

/// A phrase in which two numbers stand in the same dress.
fn two(tongue: &Tongue, random: &mut Random, evidence: &str, claim: &str) -> Option<Phrase> {
    let (kind, pattern) = dressed(tongue, random);
    Phrase::new(kind, pattern.replace("{}", evidence), pattern.replace("{}", claim))
}

fn digit_changed(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let places = random.below(2) as u32;
    let old = size(random, &[(12, 98), (120, 980), (1_200, 48_000)]);
    let mut digits = old.to_string().into_bytes();
    let at = random.below(digits.len());
    digits[at] = b'1' + random.below(9) as u8;
    let new: u64 = String::from_utf8(digits).ok()?.parse().ok()?;
    let write = |digits| Number { digits, places }.usual(tongue);
    two(tongue, random, &write(old), &write(new))
}

fn digits_swapped(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let old = size(random, &[(12, 98), (120, 980), (1_200, 48_000)]);
    let mut digits = old.to_string().into_bytes();
    let at = random.below(digits.len() - 1);
    digits.swap(at, at + 1);
    if digits[0] == b'0' {
        return None;
    }
    let new: u64 = String::from_utf8(digits).ok()?.parse().ok()?;
    two(tongue, random, &Number::whole(old).usual(tongue), &Number::whole(new).usual(tongue))
}

fn digit_count(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let few = between(random, 12, 950);
    let many = few * 10 + between(random, 0, 9);
    let (few, many) = (Number::whole(few).usual(tongue), Number::whole(many).usual(tongue));
    if random.once_in(2) { two(tongue, random, &few, &many) } else { two(tongue, random, &many, &few) }
}

fn units(tongue: &Tongue, random: &mut Random, kind: Kind, from: &str, to: &str) -> Option<Phrase> {
    let n = Number::whole(between(random, 2, 95)).usual(tongue);
    let (from, to) = if random.once_in(2) { (from, to) } else { (to, from) };
    Phrase::new(kind, format!("{n} {from}"), format!("{n} {to}"))
}

fn time_unit(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let pairs = [
        ("second", "minute"),
        ("minute", "hour"),
        ("hour", "day"),
        ("day", "month"),
        ("day", "week"),
        ("month", "year"),
        ("day", "business day"),
        ("week", "month"),
    ];
    let (a, b) = *random.pick(&pairs);
    units(tongue, random, Kind::Duration, tongue.unit(a, false), tongue.unit(b, false))
}

fn other_unit(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    match random.below(4) {
        0 => {
            let (a, b) = *random.pick(&[("MB", "GB"), ("GB", "TB"), ("KB", "MB"), ("MB", "Mbit")]);
            units(tongue, random, Kind::Size, a, b)
        }
        1 => {
            let (a, b) = *random.pick(&[("km", "m"), ("m", "cm"), ("m", "ft"), ("km", "mi")]);
            units(tongue, random, Kind::Length, a, b)
        }
        2 => {
            let (a, b) = *random.pick(&[("kg", "t"), ("kg", "g"), ("kg", "lb")]);
            units(tongue, random, Kind::Mass, a, b)
        }
        _ => units(tongue, random, Kind::Temperature, "°C", "°F"),
    }
}

fn binary_unit(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (a, b) = *random.pick(&[("KB", "KiB"), ("MB", "MiB"), ("GB", "GiB"), ("TB", "TiB")]);
    units(tongue, random, Kind::Size, a, b)
}

/// "1.5 million" with what a language puts behind it before a noun.
pub fn scaled(number: Number, word: &str, tongue: &Tongue) -> String {
    format!("{} {word}", number.usual(tongue))
}

fn scale_changed(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let number = Number { digits: between(random, 21, 99), places: random.below(2) as u32 };
    let (million, billion) = (scaled(number, tongue.million[0], tongue), scaled(number, tongue.billion[0], tongue));
    let (evidence, claim) = if random.once_in(2) { (million, billion) } else { (billion, million) };
    Phrase::new(Kind::Count, evidence, claim)
}

fn scale_lost(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let number = Number { digits: between(random, 21, 990), places: 1 };
    let million = scaled(number, tongue.million[0], tongue);
    let plain = Number::whole(number.digits * random.pick(&[100, 1_000])).usual(tongue);
    if random.once_in(2) { Phrase::new(Kind::Count, million, plain) } else { Phrase::new(Kind::Count, plain, million) }
}

fn scale_sign(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number { digits: between(random, 11, 99), places: random.below(2) as u32 }.usual(tongue);
    let (a, b) = *random.pick(&[("k", "M"), ("M", "B"), ("k", ""), ("M", "bn"), ("M", "")]);
    let sign = if random.once_in(2) { "$" } else { "" };
    let kind = if sign.is_empty() { Kind::Count } else { Kind::Money };
    Phrase::new(kind, format!("{sign}{n}{a}"), format!("{sign}{n}{b}"))
}

fn sign_changed(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number { digits: between(random, 2, 98), places: random.below(2) as u32 }.usual(tongue);
    let minus = random.word(&["−", "-", "−"]);
    let (negative, positive) = match random.below(3) {
        0 => (format!("{} {n} °C", tongue.minus), format!("{n} °C")),
        1 => (format!("{minus}{n} °C"), format!("{n} °C")),
        _ => (format!("{minus}{n} °C"), format!("+{n} °C")),
    };
    if random.once_in(2) {
        Phrase::new(Kind::Temperature, negative, positive)
    } else {
        Phrase::new(Kind::Temperature, positive, negative)
    }
}

fn percent_and_points(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number { digits: between(random, 11, 95), places: random.below(2) as u32 }.usual(tongue);
    let (percent, points) =
        (random.pick(tongue.percent).replace("{}", &n), random.pick(tongue.points).replace("{}", &n));
    if random.once_in(2) {
        Phrase::new(Kind::Change, percent, points)
    } else {
        Phrase::new(Kind::Change, points, percent)
    }
}

/// A range with the unit behind it.
pub fn range(tongue: &Tongue, a: u64, b: u64, unit: &str, way: usize) -> String {
    let pattern = tongue.ranges[way % tongue.ranges.len()];
    let (a, b) = (Number::whole(a).usual(tongue), Number::whole(b).usual(tongue));
    format!("{} {unit}", pattern.replace("{a}", &a).replace("{b}", &b))
}

fn range_changed(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (a, width, step) = (between(random, 3, 40), between(random, 2, 30), between(random, 1, 9));
    let b = a + width;
    let (c, d) = *random.pick(&[
        (a, b + step),
        (a.checked_sub(step.min(a - 1))?, b),
        (b, b + width),
        (a + 1, b + 1),
        (a, b - 1),
    ]);
    let unit = tongue.unit(random.word(&["minute", "day", "month", "hour", "week"]), false);
    let (way, other) = (random.below(5), random.below(5));
    Phrase::new(Kind::Duration, range(tongue, a, b, unit, way), range(tongue, c, d, unit, other))
}

fn end_of_range(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let a = between(random, 3, 40);
    let b = a + between(random, 2, 30);
    let unit = tongue.unit(random.word(&["minute", "day", "month", "hour", "week"]), false);
    let end = Number::whole(*random.pick(&[a, b])).usual(tongue);
    Phrase::new(Kind::Duration, range(tongue, a, b, unit, random.below(5)), format!("{end} {unit}"))
}

/// A quantity that bounds go well with.
pub fn bounded(tongue: &Tongue, random: &mut Random) -> (Kind, String) {
    let n = Number::whole(size(random, &[(3, 95), (100, 980), (1_100, 48_000)])).usual(tongue);
    match random.below(4) {
        0 => (Kind::Duration, format!("{n} {}", tongue.unit(random.word(&["minute", "day", "month", "hour"]), false))),
        1 => (Kind::Size, format!("{n} {}", random.word(&["MB", "GB"]))),
        2 => (Kind::Money, money(tongue, &n, "EUR")),
        _ => (Kind::Count, n),
    }
}

fn flipped(tongue: &Tongue, random: &mut Random, up: &[&str], down: &[&str]) -> Option<Phrase> {
    let (kind, quantity) = bounded(tongue, random);
    // "500 or more documents": what stands behind the number would have to stand behind the noun.
    let fits: Vec<&&str> = up.iter().filter(|pattern| kind != Kind::Count || pattern.ends_with('}')).collect();
    let (up, down) = (random.any(&fits)?.replace("{}", &quantity), random.pick(down).replace("{}", &quantity));
    if random.once_in(2) { Phrase::new(kind, up, down) } else { Phrase::new(kind, down, up) }
}

fn bound_flipped(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    flipped(tongue, random, tongue.at_least, tongue.at_most)
}

fn strict_flipped(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    flipped(tongue, random, tongue.more_than, tongue.less_than)
}

fn strict_on_value(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (kind, quantity) = bounded(tongue, random);
    let pattern = if random.once_in(2) { random.pick(tongue.more_than) } else { random.pick(tongue.less_than) };
    let claim = pattern.replace("{}", &quantity);
    Phrase::new(kind, quantity, claim)
}

/// One place less, rounded to the wrong side.
fn wrongly_rounded(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let digits = between(random, 112, 9_899);
    let last = digits % 10;
    if matches!(last, 0 | 5) {
        return None;
    }
    let wrong = if last > 5 { digits / 10 } else { digits / 10 + 1 };
    let (places, less) = (1 + random.below(2) as u32, 1);
    let old = Number { digits, places }.usual(tongue);
    let new = Number { digits: wrong, places: places - less }.usual(tongue);
    two(tongue, random, &old, &new)
}

fn precision_raised(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let places = random.below(2) as u32;
    let digits = between(random, 12, 990);
    let more = Number { digits: digits * 10 + between(random, 1, 9), places: places + 1 };
    two(tongue, random, &Number { digits, places }.usual(tongue), &more.usual(tongue))
}

fn decimal_moved(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let digits = between(random, 12, 990);
    if digits.is_multiple_of(10) {
        return None;
    }
    let (a, b) = *random.pick(&[(1, 0), (1, 2), (2, 1), (0, 1)]);
    two(tongue, random, &Number { digits, places: a }.usual(tongue), &Number { digits, places: b }.usual(tongue))
}

/// 1,500 and 1.5.
fn thousands_lost(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let digits = between(random, 11, 99);
    if digits.is_multiple_of(10) {
        return None;
    }
    let (many, few) = (Number::whole(digits * 100).usual(tongue), Number { digits, places: 1 }.usual(tongue));
    if random.once_in(2) { two(tongue, random, &many, &few) } else { two(tongue, random, &few, &many) }
}

fn currency_changed(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number::whole(between(random, 12, 48_000)).usual(tongue);
    let (a, b) =
        *random.pick(&[("EUR", "USD"), ("EUR", "GBP"), ("USD", "GBP"), ("EUR", "CHF"), ("USD", "EUR"), ("GBP", "EUR")]);
    let claim = match (b, random.below(3)) {
        ("EUR", 0) => format!("{n} {}", tongue.euros),
        ("USD", 0) => format!("{n} {}", tongue.dollars),
        _ => money(tongue, &n, b),
    };
    Phrase::new(Kind::Money, money(tongue, &n, a), claim)
}

fn rate_changed(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number::whole(between(random, 12, 4_800)).usual(tongue);
    let (a, b) = *random.pick(&[
        ("second", "minute"),
        ("minute", "hour"),
        ("hour", "day"),
        ("minute", "second"),
        ("day", "hour"),
    ]);
    let (way, other) = (random.below(5), random.below(5));
    Phrase::new(Kind::Rate, rate(tongue, &n, a, way), rate(tongue, &n, b, other))
}

fn rate_count(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = between(random, 12, 4_800);
    let m = *random.pick(&[n * 10, n + 1, n * 2, n / 2]);
    let unit = random.word(&["second", "minute", "hour", "day"]);
    let (n, m) = (Number::whole(n).usual(tongue), Number::whole(m).usual(tongue));
    Phrase::new(Kind::Rate, rate(tongue, &n, unit, 0), rate(tongue, &m, unit, random.below(5)))
}

/// Names of units that number words go with without agreement.
pub const MASCULINE: [&str; 4] = ["minute", "day", "month", "year"];

/// A number that is written as a word without agreement, one and its compounds left out.
pub fn wordy(random: &mut Random) -> u32 {
    let n = match random.below(3) {
        0 => between(random, 2, 20),
        1 => between(random, 20, 99),
        _ => between(random, 2, 9) * 100,
    } as u32;
    if n % 10 == 1 { n + 1 } else { n }
}

fn masculine(tongue: &Tongue, random: &mut Random) -> &'static str {
    let unit = *random.pick(&MASCULINE);
    match (tongue.language, unit) {
        // A feminine noun in a language whose hundreds agree, or an everyday month.
        ("es" | "pt", "minute") => tongue.unit("minute", false),
        _ => tongue.unit(unit, false),
    }
}

fn word_changed(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (a, b) = (wordy(random), wordy(random));
    let unit = masculine(tongue, random);
    Phrase::new(Kind::Duration, format!("{} {unit}", (tongue.words)(a)), format!("{} {unit}", (tongue.words)(b)))
}

fn word_for_digits(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (a, b) = (wordy(random), wordy(random));
    let unit = masculine(tongue, random);
    let (digits, word) = (format!("{a} {unit}"), format!("{} {unit}", (tongue.words)(b)));
    if a == b {
        return None;
    }
    if random.once_in(2) {
        Phrase::new(Kind::Duration, digits, word)
    } else {
        Phrase::new(Kind::Duration, word, digits)
    }
}

fn hedged_far_off(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let value = between(random, 110, 4_800);
    let off = *random.pick(&[value * 13 / 10, value * 7 / 10, value * 2, value / 2]);
    let (kind, pattern) = dressed(tongue, random);
    let claim = pattern.replace("{}", &Number::whole(off).usual(tongue));
    if matches!(kind, Kind::Percent) {
        return None;
    }
    Phrase::new(
        kind,
        pattern.replace("{}", &Number::whole(value).usual(tongue)),
        random.pick(tongue.about).replace("{}", &claim),
    )
}

fn wrongly_converted(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = between(random, 2, 30);
    let write = |n| Number::whole(n).usual(tongue);
    let (large, small, factor, kind) = *random.pick(&[
        ("hour", "minute", 60, Kind::Duration),
        ("minute", "second", 60, Kind::Duration),
        ("week", "day", 7, Kind::Duration),
        ("year", "month", 12, Kind::Duration),
        ("kilometre", "metre", 1_000, Kind::Length),
        ("tonne", "kilogram", 1_000, Kind::Mass),
    ]);
    let wrong = *random.pick(&[n * factor + factor / 2, n * factor * 10, n * factor - 1, n * 100]);
    if wrong == n * factor {
        return None;
    }
    let (large, small) = (tongue.unit(large, false), tongue.unit(small, false));
    Phrase::new(kind, format!("{} {large}", write(n)), format!("{} {small}", write(wrong)))
}

fn fraction_changed(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = between(random, 2, 9);
    let (a, b) = *random.pick(&[("½", "¼"), ("¼", "¾"), ("½", "⅓"), ("¾", "½"), ("⅓", "⅔")]);
    let unit = tongue.unit(random.word(&["hour", "minute", "kilometre"]), false);
    let kind = if unit == tongue.unit("kilometre", false) { Kind::Length } else { Kind::Duration };
    Phrase::new(kind, format!("{n}{a} {unit}"), format!("{n}{b} {unit}"))
}

/// A pattern for a number, and what it makes of it.
type Dress = (Kind, String);

/// Two dresses of different kinds with two numbers.
fn two_kinds(tongue: &Tongue, random: &mut Random) -> Option<(Dress, Dress, String, String)> {
    let (a, b) = (dressed(tongue, random), dressed(tongue, random));
    let (n, m) = (size(random, &[(12, 98), (120, 980)]), size(random, &[(12, 98), (120, 980)]));
    let write = |n| Number::whole(n).usual(tongue);
    (a.0 != b.0 && n != m).then(|| (a, b, write(n), write(m)))
}

/// The claim gives one thing the figure that the passage has for another.
fn of_another(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (a, b, n, m) = two_kinds(tongue, random)?;
    let phrase = Phrase::new(a.0, a.1.replace("{}", &n), a.1.replace("{}", &m))?;
    Some(Phrase { second: Some((b.0, b.1.replace("{}", &m), None)), ..phrase })
}

fn change_places(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (a, b, n, m) = two_kinds(tongue, random)?;
    let phrase = Phrase::new(a.0, a.1.replace("{}", &n), a.1.replace("{}", &m))?;
    Some(Phrase { second: Some((b.0, b.1.replace("{}", &m), Some(b.1.replace("{}", &n)))), ..phrase })
}

fn any(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let makes: [Make; 10] = [
        digit_changed,
        digits_swapped,
        time_unit,
        other_unit,
        range_changed,
        bound_flipped,
        wrongly_rounded,
        currency_changed,
        rate_changed,
        word_changed,
    ];
    random.pick(&makes)(tongue, random)
}

fn one_of_two(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let phrase = any(tongue, random)?;
    let (kind, pattern) = dressed(tongue, random);
    let second = pattern.replace("{}", &Number::whole(size(random, &[(12, 98), (1_200, 9_800)])).usual(tongue));
    (kind != phrase.kind).then(|| Phrase { second: Some((kind, second.clone(), Some(second))), ..phrase })
}

fn crowded(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    Some(Phrase { is_crowded: true, ..any(tongue, random)? })
}
