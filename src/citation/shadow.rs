//! Patterns of a policy that can never find a marker, because an `exclude` or another pattern has its text first.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::MarkerSet;
use super::grammar::Grammar;

/// How messages name the entries of a policy, with file and line; by index.
#[derive(Debug, Clone, Default)]
pub struct EntryPlaces {
    /// Those of the grammars.
    pub grammars: Vec<String>,
    /// Those of the exclude patterns.
    pub exclude: Vec<String>,
}

/// A pattern that never finds a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shadowed {
    /// Index of its grammar.
    grammar: usize,
    /// What has its text first.
    by: Shadow,
    /// A text that the pattern matches and does not get.
    sample: String,
}

/// What has the text of a pattern first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shadow {
    /// The exclude pattern with this index.
    Exclude(usize),
    /// The grammar with this index: longer, or as long and written before.
    Grammar(usize),
}

impl MarkerSet {
    /// A sentence for each pattern that finds nothing, because every text that was tried is taken by one other entry. A few short texts
    /// are made of each pattern, so a pattern that shares only some of its texts is not named.
    #[must_use]
    pub fn idle(&self) -> Vec<String> {
        let name = |names: &[String], index: usize| names.get(index).cloned().unwrap_or_default();
        let sentence = |Shadowed { grammar, by, sample }: Shadowed| {
            let own = name(&self.places().grammars, grammar);
            let by = match by {
                Shadow::Exclude(index) => {
                    format!("the `exclude` entry {} takes out", name(&self.places().exclude, index))
                }
                Shadow::Grammar(index) => format!("the marker {} reads", name(&self.places().grammars, index)),
            };
            format!(
                "the marker {own} finds nothing: {by} what it matches, such as “{sample}”; narrow or delete one of the two."
            )
        };
        self.shadowed().into_iter().map(sentence).collect()
    }

    fn shadowed(&self) -> Vec<Shadowed> {
        let grammars = self.grammars().iter().enumerate();
        grammars.filter_map(|(index, grammar)| self.shadow_of(index, grammar)).collect()
    }

    fn shadow_of(&self, index: usize, grammar: &Grammar) -> Option<Shadowed> {
        // Ids are not known here, so what holds for ids alone is left out.
        if grammar.known_only {
            return None;
        }
        let samples = samples(&grammar.pattern);
        let excluded = (0..self.excluded().len()).map(Shadow::Exclude);
        let beaten = (0..self.grammars().len()).filter(|other| *other != index).map(Shadow::Grammar);
        let by =
            excluded.chain(beaten).find(|shadow| samples.iter().all(|text| self.has_first(*shadow, index, text)))?;
        Some(Shadowed { grammar: index, by, sample: samples.into_iter().next()? })
    }

    /// Whether the shadow takes a text that the grammar with this index matches as a whole.
    fn has_first(&self, shadow: Shadow, index: usize, text: &str) -> bool {
        const BEFORE: &str = "Logs stay ";
        let answer = format!("{BEFORE}{text}.");
        let own = BEFORE.len()..BEFORE.len() + text.len();
        match shadow {
            Shadow::Exclude(exclude) => self.excluded().get(exclude).is_some_and(|exclude| {
                exclude.find_iter(&answer).any(|found| found.start() < own.end && found.end() > own.start)
            }),
            Shadow::Grammar(other) => {
                self.grammars().get(other).filter(|other| !other.known_only).is_some_and(|grammar| {
                    let found = grammar.pattern.find_at(&answer, own.start).map(|found| found.range());
                    found.is_some_and(|found| {
                        found.start == own.start && (found.end > own.end || (found.end == own.end && other < index))
                    })
                })
            }
        }
    }
}

/// A few different texts that a pattern matches as a whole.
fn samples(pattern: &Regex) -> Vec<String> {
    const TRIED: usize = 6;
    let Ok(hir) = regex_syntax::parse(pattern.as_str()) else { return Vec::new() };
    let mut found = Vec::new();
    for turn in 0..TRIED {
        let mut text = String::new();
        write(&hir, turn, &mut text);
        let is_whole = pattern.find(&text).is_some_and(|found| found.range() == (0..text.len()));
        if is_whole && !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// Writes a text that the expression matches, another one at each turn.
fn write(hir: &Hir, turn: usize, out: &mut String) {
    const MOST: u32 = 12;
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => out.extend(one_of(class, turn + out.len())),
        HirKind::Repetition(repetition) => {
            let more = u32::from(turn % 2 == 1 && repetition.max.is_none_or(|max| max > repetition.min));
            for _ in 0..(repetition.min + more).min(MOST) {
                write(&repetition.sub, turn, out);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, turn, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, turn, out)),
        HirKind::Alternation(parts) => {
            if let Some(part) = parts.get(turn % parts.len().max(1)) {
                write(part, turn, out);
            }
        }
    }
}

/// A character of a class: by turns one of those that markers have, else the first.
fn one_of(class: &Class, turn: usize) -> Option<char> {
    const USUAL: [char; 10] = ['7', 'k', '3', 'M', '1', 'e', '5', 'q', '9', '-'];
    let Class::Unicode(class) = class else { return None };
    let has = |c: char| class.ranges().iter().any(|range| range.start() <= c && c <= range.end());
    let usual: Vec<char> = USUAL.into_iter().filter(|c| has(*c)).collect();
    usual.get(turn % usual.len().max(1)).copied().or_else(|| class.ranges().first().map(|range| range.start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(patterns: &[&str], exclude: &[&str]) -> MarkerSet {
        let regex = |pattern: &str| Regex::new(pattern).expect("a valid pattern");
        let grammar = |pattern: &&str| Grammar::new(*pattern, regex(pattern)).expect("a grammar");
        MarkerSet::new(patterns.iter().map(grammar).collect(), exclude.iter().map(|e| regex(e)).collect(), Vec::new())
    }

    fn shadows(patterns: &[&str], exclude: &[&str]) -> Vec<(usize, Shadow)> {
        set(patterns, exclude).shadowed().into_iter().map(|found| (found.grammar, found.by)).collect()
    }

    #[test]
    fn a_pattern_whose_every_text_an_exclude_takes_is_named() {
        let year = r"\[(?<ref>(?:19|20)\d\d)\]";
        let link = r"\[(?<ref>\p{L}[^\[\]\s]*)\]\([^()\n]*\)";
        assert_eq!(shadows(&[r"\[(?<ref>20\d\d)\]"], &[year]), [(0, Shadow::Exclude(0))]);
        assert_eq!(
            shadows(&[r"\[(?<ref>[a-z]+)\]\(https://kb\.example/[a-z]*\)"], &[year, link]),
            [(0, Shadow::Exclude(1))]
        );
        assert_eq!(shadows(&[r"\[(?<ref>\d+)\]", r"\[(?<ref>[a-z]+_\d+)\]"], &[year, link]), []);
    }

    #[test]
    fn a_pattern_that_another_one_always_beats_is_named() {
        let (number, list) = (r"\[(?<ref>\d+)\]", r"\[(?<refs>\d+(?:,\d+)*)\]");
        assert_eq!(shadows(&[list, number], &[]), [(1, Shadow::Grammar(0))]);
        assert_eq!(shadows(&[number, list], &[]), [], "lists are left to the second");
    }
}
