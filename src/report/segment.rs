//! Cutting a text at the spans that are marked in it.

use schemars::JsonSchema;
use serde::Serialize;

use super::visible::visible;
use crate::record::Span;

/// A piece of a text, with what is marked there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Segment {
    /// The piece, harmless.
    pub text: String,
    /// Whether it belongs to the claim's sentence (answers only).
    pub lit: bool,
    /// Whether it is a marker (answers only).
    pub marker: bool,
    /// `match`, `conflict`, `flag` (a finding stands there) or empty.
    #[schemars(schema_with = "super::schema::mark")]
    pub mark: &'static str,
    /// Number of the pair that begins here, such as `①`; else empty.
    pub number: String,
    /// Whether this stands for characters that are left out; `text` then says how many.
    pub gap: bool,
}

/// What is marked at a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    /// The claim's sentence.
    Lit,
    /// A marker.
    Marker,
    /// Evidence and claim say the same; the number joins the two sides.
    Match(usize),
    /// Evidence and claim say different things.
    Conflict(usize),
    /// A finding stands here.
    Flag,
}

/// Cuts `text` at the marks. Spans outside the text or inside a character are left out. Where the text is longer than
/// `longest` bytes, only about that much around the marks and the beginning is kept, with gaps that say what is left out.
pub(super) fn segments(text: &str, marks: &[(Span, Mark)], longest: usize) -> Vec<Segment> {
    let is_valid = |&&((start, end), _): &&(Span, Mark)| start < end && text.get(start..end).is_some();
    // What is boxed or underlined already is not cut once more for the finding that stands there.
    let is_drawn = |&&((start, end), ref mark): &&(Span, Mark)| {
        let drawn = |((from, to), other): &(Span, Mark)| {
            matches!(other, Mark::Match(_) | Mark::Conflict(_)) && *from <= start && end <= *to
        };
        *mark == Mark::Flag && marks.iter().any(drawn)
    };
    let marks: Vec<&(Span, Mark)> = marks.iter().filter(is_valid).filter(|mark| !is_drawn(mark)).collect();
    let mut cuts: Vec<usize> = vec![0, text.len()];
    for ((start, end), _) in &marks {
        cuts.extend([*start, *end]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    let pieces = cuts.windows(2).filter_map(|cut| match cut {
        [start, end] => text.get(*start..*end).map(|piece| (*start, *end, piece)),
        _ => None,
    });
    let keep = Keep::around(text, &marks, longest);
    let mut out: Vec<Segment> = Vec::new();
    for (start, end, _) in pieces {
        let plain = segment(&marks, start, end);
        for (from, to, is_kept) in keep.parts(start, end) {
            let Some(piece) = text.get(from..to) else { continue };
            let mut part =
                Segment { number: if from == start { plain.number.clone() } else { String::new() }, ..plain.clone() };
            if is_kept {
                part.text = visible(piece).into_owned();
                out.push(part);
            } else {
                push_gap(&mut out, piece.chars().count());
            }
        }
    }
    out
}

fn segment(marks: &[&(Span, Mark)], start: usize, end: usize) -> Segment {
    let mut segment = Segment::default();
    for ((from, _), mark) in marks.iter().filter(|((from, to), _)| *from <= start && end <= *to) {
        let mut numbered = |kind: &'static str, number: usize| {
            if segment.mark != "conflict" {
                segment.mark = kind;
            }
            let glyph = numeral(number);
            if *from == start && !segment.number.contains(&glyph) {
                segment.number.push_str(&glyph);
            }
        };
        match mark {
            Mark::Lit => segment.lit = true,
            Mark::Marker => segment.marker = true,
            Mark::Match(number) => numbered("match", *number),
            Mark::Conflict(number) => numbered("conflict", *number),
            Mark::Flag if segment.mark.is_empty() => segment.mark = "flag",
            Mark::Flag => {}
        }
    }
    segment
}

fn push_gap(out: &mut Vec<Segment>, characters: usize) {
    out.push(Segment {
        text: format!("… {} characters left out …", super::ratio::grouped(characters as u64)),
        gap: true,
        ..Segment::default()
    });
}

/// The parts of a long text that are kept, ascending and apart.
struct Keep(Vec<Span>);

impl Keep {
    fn around(text: &str, marks: &[&(Span, Mark)], longest: usize) -> Keep {
        if text.len() <= longest {
            return Keep(vec![(0, text.len())]);
        }
        let floor = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let context = longest / 4;
        // The first of a kind matters most; the sentence of the claim comes before everything else.
        let mut spans: Vec<(u8, Span)> = marks
            .iter()
            .map(|(span, mark)| match mark {
                Mark::Lit => (0, *span),
                Mark::Conflict(_) => (1, *span),
                Mark::Match(_) | Mark::Flag => (2, *span),
                Mark::Marker => (4, *span),
            })
            .chain([(3, (0, 1))])
            .collect();
        spans.sort_unstable();
        let mut kept: Vec<Span> = Vec::new();
        let mut budget = longest;
        for (_, (start, end)) in spans {
            let end = end.min(start.saturating_add(longest));
            let wanted = (floor(start.saturating_sub(context / 2)), floor(end.saturating_add(context / 2)));
            if kept.iter().any(|(from, to)| *from <= start && end <= *to) {
                continue;
            }
            if budget == 0 {
                break;
            }
            budget = budget.saturating_sub(wanted.1 - wanted.0);
            kept.push(wanted);
        }
        kept.sort_unstable();
        let mut merged: Vec<Span> = Vec::new();
        for (start, end) in kept {
            match merged.last_mut() {
                Some(last) if start <= last.1 + 40 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        Keep(merged)
    }

    /// Cuts `start..end` into parts that are kept and parts that are not.
    fn parts(&self, start: usize, end: usize) -> Vec<(usize, usize, bool)> {
        let mut parts = Vec::new();
        let mut at = start;
        for &(from, to) in &self.0 {
            let (from, to) = (from.clamp(at, end.max(at)), to.clamp(at, end.max(at)));
            if from < to {
                if at < from {
                    parts.push((at, from, false));
                }
                parts.push((from, to, true));
                at = to;
            }
        }
        if at < end {
            parts.push((at, end, false));
        }
        parts
    }
}

/// A number in a circle, `①` for 1; from 21 on in brackets; nothing for 0, which joins nothing.
pub(super) fn numeral(number: usize) -> String {
    match u32::try_from(number) {
        Ok(0) => String::new(),
        Ok(n @ 1..=20) => char::from_u32(0x2460 + n - 1).map(String::from).unwrap_or_default(),
        _ => format!("({number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_inside_of_a_box_does_not_cut_it() {
        let cut = segments(
            "takes at least 25 MB, not 9",
            &[((6, 20), Mark::Conflict(1)), ((15, 20), Mark::Flag), ((26, 27), Mark::Flag)],
            1_000,
        );
        let marked: Vec<(&str, &str)> = cut.iter().map(|segment| (segment.text.as_str(), segment.mark)).collect();
        assert_eq!(marked, [("takes ", ""), ("at least 25 MB", "conflict"), (", not ", ""), ("9", "flag")]);
    }

    fn texts(segments: &[Segment]) -> Vec<&str> {
        segments.iter().map(|segment| segment.text.as_str()).collect()
    }

    #[test]
    fn a_text_is_cut_at_its_marks() {
        let cut = segments(
            "limits to 100 requests [S1].",
            &[((0, 28), Mark::Lit), ((23, 27), Mark::Marker), ((10, 13), Mark::Match(1))],
            1_000,
        );
        assert_eq!(texts(&cut), ["limits to ", "100", " requests ", "[S1]", "."]);
        assert!(cut.iter().all(|segment| segment.lit));
        assert_eq!((cut[1].mark, cut[1].number.as_str()), ("match", "①"));
        assert!(cut[3].marker && !cut[2].marker);
    }

    #[test]
    fn a_conflict_outweighs_a_match_and_both_numbers_are_said() {
        let cut = segments("90 days", &[((0, 7), Mark::Match(2)), ((0, 2), Mark::Conflict(1))], 1_000);
        assert_eq!(texts(&cut), ["90", " days"]);
        assert_eq!((cut[0].mark, cut[0].number.as_str()), ("conflict", "②①"));
        assert_eq!((cut[1].mark, cut[1].number.as_str()), ("match", ""));
    }

    #[test]
    fn spans_that_do_not_fit_are_left_out() {
        let cut = segments("né", &[((0, 2), Mark::Lit), ((1, 900), Mark::Marker), ((3, 3), Mark::Flag)], 1_000);
        assert_eq!(texts(&cut), ["né"]);
        assert_eq!(segments("", &[((0, 1), Mark::Lit)], 10), vec![]);
    }

    #[test]
    fn of_a_long_text_the_surroundings_of_its_marks_are_kept() {
        let text = format!("{}HERE{}", "a".repeat(100_000), "b".repeat(100_000));
        let cut = segments(&text, &[((100_000, 100_004), Mark::Lit)], 1_000);
        let all: usize = cut.iter().map(|segment| segment.text.len()).sum();
        assert!(all < 2_000, "{all}");
        assert!(cut.iter().any(|segment| segment.lit && segment.text == "HERE"));
        assert!(
            cut.iter().filter(|segment| segment.gap).all(|segment| segment.text.ends_with("characters left out …"))
        );
        assert_eq!(cut.iter().filter(|segment| segment.gap).count(), 2);
    }

    #[test]
    fn hostile_pieces_are_harmless() {
        let cut = segments("a\u{202e}b", &[((0, 1), Mark::Lit)], 1_000);
        assert_eq!(texts(&cut), ["a", "⟦U+202E⟧b"]);
    }
}
