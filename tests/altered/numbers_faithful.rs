//! The same quantity in another dress: other digits, words, signs, units and bounds that say the same.

use crate::numbers::{Family, Make, Number, Phrase, money, rate};
use crate::numbers_altered::{bounded, range, scaled, wordy};
use crate::random::Random;
use crate::tongues::{Kind, Tongue};

const fn family(name: &'static str, wanted: usize, make: Make) -> Family {
    Family { name, wanted, languages: &[], make }
}

const fn english(name: &'static str, wanted: usize, make: Make) -> Family {
    Family { name, wanted, languages: &["en"], make }
}

pub const FAMILIES: &[Family] = &[
    family("the same figures", 30, same),
    family("other separators of thousands", 30, separators),
    family("decimals and trailing zeros", 16, trailing_zeros),
    family("digits and number words", 40, words),
    family("a scale word for its zeros", 24, scale_word),
    english("a scale sign for its zeros", 60, scale_sign),
    family("hours, minutes, days and weeks converted", 24, time_converted),
    family("sizes, lengths and masses converted", 24, other_converted),
    family("units by name and by sign", 24, unit_names),
    family("forms of percent", 20, percent),
    family("forms of percentage points", 10, points),
    family("currency by sign, code and name", 24, currency),
    family("forms of minus", 14, minus),
    family("ranges in other words", 24, ranges),
    family("at least in other words", 24, at_least),
    family("at most in other words", 24, at_most),
    family("more than and less than in other words", 14, strict),
    family("the value on a bound that includes it", 16, value_on_bound),
    family("hedged near the value", 24, hedged),
    family("per minute, hour and day in other words", 20, rates),
    family("full-width and other digits", 12, other_digits),
    family("no-break and missing spaces", 16, spaces),
    family("two quantities in one claim", 24, two_quantities),
    family("a passage full of figures", 24, crowded),
    family("fractions by sign and as decimals", 12, fractions),
    english("powers of ten", 30, powers),
    english("a number before its noun: a 30-day period", 40, adjective),
    english("a dozen, half a million", 30, dozen),
    Family {
        name: "figures in the way of another country",
        wanted: 12,
        languages: &["en", "de", "fr", "nl"],
        make: foreign,
    },
];

fn between(random: &mut Random, low: u64, high: u64) -> u64 {
    low + random.next() % (high - low + 1)
}

/// Turned round every other time: what a claim may do with a passage a passage may do with a claim.
fn either_way(random: &mut Random, kind: Kind, a: String, b: String) -> Option<Phrase> {
    if random.once_in(2) { Phrase::new(kind, a, b) } else { Phrase::new(kind, b, a) }
}

fn same(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let kinds = [
        Kind::Duration,
        Kind::Size,
        Kind::Money,
        Kind::Percent,
        Kind::Change,
        Kind::Count,
        Kind::Rate,
        Kind::Temperature,
        Kind::Length,
        Kind::Mass,
    ];
    let kind = *random.pick(&kinds);
    let quantity = crate::numbers::ordinary(tongue, kind, random);
    Some(Phrase { kind, evidence: quantity.clone(), claim: quantity, second: None, is_crowded: random.once_in(3) })
}

/// A kind and a pattern that figures of any size go with.
fn dressed(tongue: &Tongue, random: &mut Random) -> (Kind, String) {
    match random.below(5) {
        0 => (Kind::Size, format!("{{}} {}", random.word(&["MB", "GB"]))),
        1 => (Kind::Money, money(tongue, "{}", random.word(&["EUR", "USD", "GBP", "CHF"]))),
        2 => (Kind::Length, format!("{{}} {}", tongue.unit("metre", false))),
        3 => (Kind::Mass, format!("{{}} {}", tongue.unit("kilogram", false))),
        _ => (Kind::Count, "{}".to_owned()),
    }
}

fn separators(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let digits =
        if random.once_in(2) { between(random, 1_100, 99_000) } else { between(random, 1_100_000, 98_000_000) };
    let number = Number::whole(digits);
    let (a, b) = (random.pick(tongue.groups), random.pick(tongue.groups));
    let (kind, pattern) = dressed(tongue, random);
    let write = |group: &str| pattern.replace("{}", &number.with_group(tongue, group));
    Phrase::new(kind, write(a), write(b))
}

fn trailing_zeros(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let digits = between(random, 12, 4_800);
    let (kind, pattern) = if random.once_in(2) {
        (Kind::Money, money(tongue, "{}", random.word(&["EUR", "USD", "GBP", "CHF"])))
    } else {
        (Kind::Percent, (*random.pick(tongue.percent)).to_owned())
    };
    let places = random.below(2) as u32;
    let (few, many) = match kind {
        Kind::Money => (Number::whole(digits), Number { digits: digits * 100, places: 2 }),
        _ => (Number { digits: digits % 990, places }, Number { digits: digits % 990 * 10, places: places + 1 }),
    };
    either_way(random, kind, pattern.replace("{}", &few.usual(tongue)), pattern.replace("{}", &many.usual(tongue)))
}

fn words(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = wordy(random);
    let unit = match tongue.language {
        "es" | "pt" => random.word(&["minute", "day", "month", "year"]),
        _ => random.word(&["minute", "day", "month", "year", "hour", "week", "second"]),
    };
    let unit = tongue.unit(unit, false);
    either_way(random, Kind::Duration, format!("{n} {unit}"), format!("{} {unit}", (tongue.words)(n)))
}

/// "1,5 million de" has the singular in French, and so has the Italian and Spanish of one alone.
fn million(tongue: &Tongue, digits: u64, random: &mut Random) -> String {
    let number = Number { digits, places: 1 };
    let word = random.pick(tongue.million);
    let word =
        if tongue.language == "fr" && digits < 20 { word.replace("millions", "million") } else { (*word).to_owned() };
    scaled(if digits.is_multiple_of(10) { Number::whole(digits / 10) } else { number }, &word, tongue)
}

fn scale_word(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    if random.once_in(3) {
        let digits = between(random, 21, 98);
        let number = if digits.is_multiple_of(10) { Number::whole(digits / 10) } else { Number { digits, places: 1 } };
        let words = scaled(number, random.word(tongue.billion), tongue);
        return either_way(random, Kind::Count, words, Number::whole(digits * 100_000_000).usual(tongue));
    }
    let digits = between(random, 12, 980);
    let words = million(tongue, digits, random);
    let figures = Number::whole(digits * 100_000).usual(tongue);
    if tongue.language == "fr" || words.ends_with(" M") || words.ends_with(" mn") {
        return either_way(random, Kind::Count, words, figures);
    }
    if random.once_in(3) {
        let words = format!("{words} {}", tongue.euros);
        return either_way(random, Kind::Money, words, money(tongue, &figures, "EUR"));
    }
    either_way(random, Kind::Count, words, figures)
}

fn scale_sign(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = between(random, 2, 950);
    let (sign, factor) = *random.pick(&[
        ("k", 1_000),
        ("K", 1_000),
        ("M", 1_000_000),
        ("bn", 1_000_000_000),
        (" million", 1_000_000),
        (" thousand", 1_000),
    ]);
    let figures = Number::whole(n * factor).usual(tongue);
    let (currency, kind) = if random.once_in(2) { ("$", Kind::Money) } else { ("", Kind::Count) };
    either_way(random, kind, format!("{currency}{n}{sign}"), format!("{currency}{figures}"))
}

fn converted(tongue: &Tongue, random: &mut Random, kind: Kind, pairs: &[(&str, &str, u64)]) -> Option<Phrase> {
    let (large, small, factor) = *random.pick(pairs);
    let n = between(random, 2, 30);
    // Halves as well, where they come out whole.
    let halves = random.once_in(3) && factor.is_multiple_of(2);
    let (written, value) = if halves {
        (Number { digits: n * 10 + 5, places: 1 }, n * factor + factor / 2)
    } else {
        (Number::whole(n), n * factor)
    };
    let name = |unit: &str| {
        let known = tongue.units.iter().any(|(name, _, _)| *name == unit);
        if known { tongue.unit(unit, false).to_owned() } else { unit.to_owned() }
    };
    let (a, b) = (
        format!("{} {}", written.usual(tongue), name(large)),
        format!("{} {}", Number::whole(value).usual(tongue), name(small)),
    );
    either_way(random, kind, a, b)
}

fn time_converted(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let pairs = [
        ("hour", "minute", 60),
        ("minute", "second", 60),
        ("day", "hour", 24),
        ("week", "day", 7),
        ("year", "month", 12),
        ("second", "ms", 1_000),
    ];
    converted(tongue, random, Kind::Duration, &pairs)
}

fn other_converted(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    match random.below(4) {
        0 => converted(tongue, random, Kind::Size, &[("GB", "MB", 1_000), ("TB", "GB", 1_000), ("MB", "kB", 1_000)]),
        1 => converted(tongue, random, Kind::Size, &[("GiB", "MiB", 1_024), ("MiB", "KiB", 1_024)]),
        2 => converted(
            tongue,
            random,
            Kind::Length,
            &[("kilometre", "metre", 1_000), ("km", "m", 1_000), ("m", "cm", 100)],
        ),
        _ => converted(
            tongue,
            random,
            Kind::Mass,
            &[("tonne", "kilogram", 1_000), ("t", "kg", 1_000), ("kg", "g", 1_000)],
        ),
    }
}

fn unit_names(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (kind, unit, sign) = *random.pick(&[
        (Kind::Length, "kilometre", "km"),
        (Kind::Length, "metre", "m"),
        (Kind::Mass, "kilogram", "kg"),
        (Kind::Mass, "tonne", "t"),
        (Kind::Duration, "second", "s"),
        (Kind::Duration, "minute", "min"),
        (Kind::Duration, "hour", "h"),
    ]);
    let n = Number { digits: between(random, 21, 980), places: random.below(2) as u32 }.usual(tongue);
    either_way(random, kind, format!("{n} {}", tongue.unit(unit, false)), format!("{n} {sign}"))
}

fn percent(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number { digits: between(random, 11, 995), places: 1 }.usual(tongue);
    let (a, b) = (random.pick(tongue.percent).replace("{}", &n), random.pick(tongue.percent).replace("{}", &n));
    Phrase::new(Kind::Percent, a, b)
}

fn points(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = between(random, 2, 9);
    let digits = random.pick(tongue.points).replace("{}", &n.to_string());
    let other = if random.once_in(2) {
        random.pick(tongue.points).replace("{}", &n.to_string())
    } else {
        tongue.points[0].replace("{}", &(tongue.words)(n as u32))
    };
    let tenth = format!("{n}{}5", tongue.decimal);
    let small = tongue.points[0].replace("{}", &tenth);
    if random.once_in(3) {
        Some(Phrase { kind: Kind::Change, evidence: small.clone(), claim: small, second: None, is_crowded: false })
    } else {
        either_way(random, Kind::Change, digits, other)
    }
}

fn currency(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number::whole(between(random, 12, 98_000)).usual(tongue);
    let code = random.word(&["EUR", "EUR", "USD", "GBP"]);
    let sign = money(tongue, &n, code);
    match (code, random.below(3)) {
        ("EUR", 0) => either_way(random, Kind::Money, sign, format!("{n} {}", tongue.euros)),
        ("EUR", 1) => either_way(random, Kind::Money, sign, format!("EUR {n}")),
        ("EUR", _) => either_way(random, Kind::Money, format!("{n}\u{a0}€"), format!("{n} EUR")),
        // "$" may stand on US dollars; the other way round it says more than is there.
        ("USD", 0) => either_way(random, Kind::Money, sign, format!("{n} {}", tongue.dollars)),
        ("USD", 1) => Phrase::new(Kind::Money, format!("USD {n}"), sign),
        ("USD", _) => Phrase::new(Kind::Money, format!("US${n}"), sign),
        _ => Phrase::new(Kind::Money, format!("GBP {n}"), sign),
    }
}

fn minus(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number { digits: between(random, 12, 98), places: random.below(2) as u32 }.usual(tongue);
    let ways = [
        format!("−{n} °C"),
        format!("-{n} °C"),
        format!("{} {n} °C", tongue.minus),
        format!("−{n}°C"),
        format!("–{n} °C"),
    ];
    let (a, b) = (random.pick(&ways).clone(), random.pick(&ways).clone());
    Phrase::new(Kind::Temperature, a, b)
}

fn ranges(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let a = between(random, 2, 60);
    let b = a + between(random, 2, 40);
    let unit = tongue.unit(random.word(&["minute", "day", "month", "hour", "week", "year"]), false);
    Phrase::new(Kind::Duration, range(tongue, a, b, unit, random.below(5)), range(tongue, a, b, unit, random.below(5)))
}

fn bounds(tongue: &Tongue, random: &mut Random, patterns: &[&str]) -> Option<Phrase> {
    let (kind, quantity) = bounded(tongue, random);
    let fits: Vec<&&str> = patterns.iter().filter(|pattern| kind != Kind::Count || pattern.ends_with('}')).collect();
    let mut put = || random.any(&fits).map(|pattern| pattern.replace("{}", &quantity));
    Phrase::new(kind, put()?, put()?)
}

fn at_least(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    bounds(tongue, random, tongue.at_least)
}

fn at_most(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    bounds(tongue, random, tongue.at_most)
}

fn strict(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (patterns, others) =
        if random.once_in(2) { (tongue.more_than, tongue.at_least) } else { (tongue.less_than, tongue.at_most) };
    if patterns.len() > 1 && random.once_in(2) {
        return bounds(tongue, random, patterns);
    }
    // "more than 100" includes at least 100.
    let (kind, quantity) = bounded(tongue, random);
    let other = others.iter().find(|pattern| pattern.ends_with('}'))?;
    Phrase::new(kind, random.pick(patterns).replace("{}", &quantity), other.replace("{}", &quantity))
}

/// "100" may stand on "up to 100".
fn value_on_bound(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (kind, quantity) = bounded(tongue, random);
    let patterns = if random.once_in(3) { tongue.at_least } else { tongue.at_most };
    let pattern = random.pick(patterns);
    if kind == Kind::Count && !pattern.ends_with('}') {
        return None;
    }
    let claim = quantity.clone();
    Phrase::new(kind, pattern.replace("{}", &quantity), claim)
}

fn hedged(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let value = between(random, 980, 48_000);
    // Rounded to two figures, which is never five per cent off.
    let step = 10_u64.pow(value.ilog10() - 1);
    let near = (value + step / 2) / step * step;
    let (kind, pattern) = dressed(tongue, random);
    let about = random.pick(tongue.about);
    if near.abs_diff(value) * 25 > value {
        return None;
    }
    let write = |n| pattern.replace("{}", &Number::whole(n).usual(tongue));
    Phrase::new(kind, write(value), about.replace("{}", &write(near)))
}

fn rates(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number::whole(between(random, 12, 9_800)).usual(tongue);
    let unit = random.word(&["second", "minute", "hour", "day"]);
    Phrase::new(Kind::Rate, rate(tongue, &n, unit, random.below(5)), rate(tongue, &n, unit, random.below(5)))
}

fn other_digits(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = between(random, 12, 980);
    let zero = *random.pick(&['\u{ff10}', '\u{ff10}', '\u{0660}', '\u{0966}']);
    let other: String =
        n.to_string().bytes().filter_map(|b| char::from_u32(u32::from(zero) + u32::from(b - b'0'))).collect();
    let unit = tongue.unit(random.word(&["minute", "day", "month", "hour"]), false);
    either_way(random, Kind::Duration, format!("{n} {unit}"), format!("{other} {unit}"))
}

fn spaces(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = Number::whole(between(random, 12, 980)).usual(tongue);
    let (kind, unit) = *random.pick(&[
        (Kind::Size, "MB"),
        (Kind::Size, "GB"),
        (Kind::Length, "km"),
        (Kind::Mass, "kg"),
        (Kind::Temperature, "°C"),
    ]);
    let space = random.word(&["", "\u{a0}", "\u{202f}", "\u{2009}", "  "]);
    either_way(random, kind, format!("{n} {unit}"), format!("{n}{space}{unit}"))
}

fn fractions(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = between(random, 2, 9);
    let (sign, tail) = *random.pick(&[("½", "5"), ("¼", "25"), ("¾", "75")]);
    let (kind, unit) = *random.pick(&[
        (Kind::Duration, "hour"),
        (Kind::Duration, "minute"),
        (Kind::Length, "kilometre"),
        (Kind::Mass, "tonne"),
    ]);
    let unit = tongue.unit(unit, false);
    either_way(random, kind, format!("{n}{sign} {unit}"), format!("{n}{}{tail} {unit}", tongue.decimal))
}

fn powers(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let digits = between(random, 11, 98);
    let power = between(random, 3, 9) as u32;
    let mantissa = Number { digits, places: 1 }.usual(tongue);
    let raised: String = power
        .to_string()
        .chars()
        .map(|c| match c {
            '3' => '³',
            '4' => '⁴',
            '5' => '⁵',
            '6' => '⁶',
            '7' => '⁷',
            '8' => '⁸',
            _ => '⁹',
        })
        .collect();
    let way = random.word(&["×10^", "e", "x", "·"]);
    let written = match way {
        "×10^" => format!("{mantissa}×10^{power}"),
        "e" => format!("{mantissa}e{power}"),
        "x" => format!("{mantissa} × 10{raised}"),
        _ => format!("{mantissa}·10{raised}"),
    };
    either_way(random, Kind::Count, written, Number::whole(digits * 10_u64.pow(power - 1)).usual(tongue))
}

/// The passage counts, the claim puts the number before the noun.
fn adjective(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let n = between(random, 2, 95);
    let unit = random.word(&["minute", "day", "month", "hour", "week", "year"]);
    let number = if random.once_in(3) { (tongue.words)(n as u32) } else { n.to_string() };
    Phrase::new(Kind::Duration, format!("{n} {}", tongue.unit(unit, n == 1)), format!("a {number}-{unit} period"))
}

fn dozen(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let (words, figures) = *random.pick(&[
        ("a dozen", 12),
        ("two dozen", 24),
        ("half a million", 500_000),
        ("a million", 1_000_000),
        ("two and a half million", 2_500_000),
        ("a hundred", 100),
        ("a thousand", 1_000),
        ("one and a half million", 1_500_000),
        ("three dozen", 36),
        ("a hundred thousand", 100_000),
        ("five hundred thousand", 500_000),
        ("a quarter of a million", 250_000),
    ]);
    let figures = Number::whole(figures).usual(tongue);
    either_way(random, Kind::Count, words.to_owned(), figures)
}

/// Signs that leave one reading only, whatever the language: 1.234.567 and 12,345.6.
fn foreign(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let digits = between(random, 1_100_000, 98_000_000);
    let number = if random.once_in(2) { Number::whole(digits) } else { Number { digits, places: 2 } };
    let english = crate::tongues::ALL.iter().find(|t| t.language == "en")?;
    let german = crate::tongues::ALL.iter().find(|t| t.language == "de")?;
    let other = if tongue.language == "en" { german } else { english };
    let (kind, pattern) = match number.places {
        0 => dressed(tongue, random),
        _ => (Kind::Money, money(tongue, "{}", random.word(&["EUR", "USD", "GBP", "CHF"]))),
    };
    let write = |text: String| pattern.replace("{}", &text);
    either_way(random, kind, write(number.usual(tongue)), write(number.usual(other)))
}

/// Two facts, both in other dress.
fn two_quantities(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let first = any(tongue, random)?;
    let second = any(tongue, random)?;
    let is_other = first.kind != second.kind;
    is_other.then_some(Phrase { second: Some((second.kind, second.evidence, Some(second.claim))), ..first })
}

fn crowded(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    Some(Phrase { is_crowded: true, ..any(tongue, random)? })
}

fn any(tongue: &Tongue, random: &mut Random) -> Option<Phrase> {
    let makes: [Make; 9] =
        [separators, words, time_converted, other_converted, currency, ranges, at_most, percent, rates];
    random.pick(&makes)(tongue, random)
}
