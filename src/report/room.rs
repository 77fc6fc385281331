//! How much of what could be shown fits into a page that opens at once: claims and cases are left out by the bytes that they
//! would take there, fairly over rules and codes, the worst and the new last.

use std::collections::BTreeMap;

use super::answer::{CitationView, FindingLine, Item};
use super::segment::Segment;

/// Most bytes of the page that its claims and cases take, so that the whole stays under five million beside large heat maps.
pub(super) const MOST_BYTES: usize = 3_600_000;
/// So many of each rule and code are shown before more of any other.
const FIRST: usize = 3;

/// Leaves out what does not fit into `most` bytes. The order stays.
pub(super) fn within(items: Vec<Item>, most: usize, rank: impl Fn(&Item) -> (u8, bool)) -> Vec<Item> {
    let weights: Vec<usize> = items.iter().map(weight).collect();
    if weights.iter().sum::<usize>() <= most {
        return items;
    }
    // The third error of a rule and code goes before the fourth of any; after these the worst, and of equals the next of each.
    let mut met: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut order: Vec<(bool, (u8, bool), usize, usize)> = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let kind = item.findings.first().map_or((item.label, ""), |finding| (&finding.rule, &finding.code));
        let before = met.entry(kind).or_default();
        order.push((*before >= FIRST, rank(item), *before, place));
        *before += 1;
    }
    order.sort_unstable();
    let mut left = most;
    let mut fits = vec![false; items.len()];
    for (.., place) in order {
        let weight = weights.get(place).copied().unwrap_or(usize::MAX);
        if let (true, Some(fit)) = (weight <= left, fits.get_mut(place)) {
            *fit = true;
            left -= weight;
        }
    }
    items.into_iter().zip(fits).filter_map(|(item, fits)| fits.then_some(item)).collect()
}

/// About how many bytes an item takes in the shipped page, rather more than less.
pub(super) fn weight(item: &Item) -> usize {
    const ITEM: usize = 2_200;
    const PIECE: usize = 96;
    let list = |texts: &[String]| texts.iter().map(|text| 24 + html_len(text)).sum::<usize>();
    let pieces = |segments: &[Segment]| segments.iter().map(|s| PIECE + html_len(&s.text)).sum::<usize>();
    let texts = [&item.anchor, &item.case_id, &item.claim_id].map(|text| 5 * html_len(text)).iter().sum::<usize>()
        + 3 * html_len(&item.title)
        + [&item.place, &item.sentence, &item.judge, &item.query].map(|text| html_len(text)).iter().sum::<usize>();
    ITEM + texts
        + pieces(&item.answer)
        + pieces(&item.claim)
        + item.findings.iter().map(of_finding).sum::<usize>()
        + item.citations.iter().map(|citation| of_citation(citation) + pieces(&citation.excerpt)).sum::<usize>()
        + item.outcomes.iter().map(|outcome| 160 + html_len(&outcome.rule)).sum::<usize>()
        + list(&item.not_applicable)
        // In the list and below the claim.
        + 2 * list(&item.slices)
}

fn of_finding(finding: &FindingLine) -> usize {
    let elsewhere = finding.elsewhere.as_ref().map_or(0, |found| {
        let texts = [&found.id, &found.marker, &found.excerpt, &found.span, &found.hash_short, &found.hash];
        300 + texts.map(|text| html_len(text)).iter().sum::<usize>()
    });
    let texts = [&finding.rule, &finding.code, &finding.message, &finding.citation, &finding.stage_reason];
    // The rule once more in the list.
    540 + html_len(&finding.rule) + texts.map(|text| html_len(text)).iter().sum::<usize>() + elsewhere
}

fn of_citation(citation: &CitationView) -> usize {
    let texts = [
        &citation.id,
        &citation.marker,
        &citation.title,
        &citation.href,
        &citation.uri,
        &citation.source_id,
        &citation.version,
        &citation.locator,
        &citation.scope,
        &citation.span,
        &citation.hash,
        &citation.content_hash,
    ];
    900 + texts.map(|text| html_len(text)).iter().sum::<usize>()
}

/// Bytes of a text in HTML, escaped.
fn html_len(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'&' | b'\'' | b'`' => 4,
        b'<' | b'>' => 3,
        b'"' => 5,
        _ => 0,
    };
    text.len() + text.bytes().map(escaped).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;
    use crate::report::view::View;
    use crate::report::{Templates, render_html};
    use crate::run::selection::Selection;

    /// Claims of `rule`, each with a text of `bytes` bytes.
    fn offer(selection: &mut Selection, rule: &str, count: usize, bytes: usize) {
        for number in 0..count {
            let id = format!("{rule}-{number}");
            let text = "Backups \"are\" kept & stored. ".repeat(bytes / 29 + 1);
            let mut claim = fixture::claim(&id, &text, "insufficient", "rule:x", &text, &[]);
            claim["findings"][0]["rule"] = serde_json::json!(rule);
            fixture::offer(selection, &fixture::case(&id, "Backups?", &format!("{text}[S1]."), "en", 1), &[claim]);
        }
    }

    fn view(selection: &Selection) -> View {
        View::build(&fixture::run(), selection).expect("a view")
    }

    #[test]
    fn no_item_takes_more_than_its_weight() {
        let render = |view: &View| render_html(view, &Templates::default()).expect("rendered").len();
        for bytes in [20, 900, 9_000] {
            let mut selection = Selection::new(1_000);
            offer(&mut selection, "numbers", 40, bytes);
            let full = view(&selection);
            let weights: usize = full.items.iter().map(weight).sum();
            let bare = render(&View { items: full.items.iter().take(1).cloned().collect(), ..full.clone() });
            let taken = render(&full) - bare;
            assert!(taken <= weights && weights < 3 * taken, "{bytes}: {taken} of {weights}");
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out_fairly_and_counted() {
        let mut selection = Selection::new(1_000);
        offer(&mut selection, "often", 900, 9_000);
        offer(&mut selection, "rare", 4, 9_000);
        let view = view(&selection);
        let of = |rule: &str| view.items.iter().filter(|item| item.findings.iter().any(|f| f.rule == rule)).count();
        assert_eq!(of("rare"), 4, "a rule with few findings keeps them");
        assert!((200..900).contains(&of("often")), "{}", of("often"));
        assert_eq!(view.findings.left_out, 904 - view.items.len() as u64);
        let page = render_html(&view, &Templates::default()).expect("rendered");
        assert!(page.len() < 5_000_000, "{}", page.len());
        assert!(page.contains("findings.csv"), "where the rest is");
        assert!(view.clusters.iter().all(|cluster| page.contains(&format!("id=\"{}\"", cluster.example))));
    }

    #[test]
    fn errors_stay_before_notes() {
        let mut selection = Selection::new(1_000);
        offer(&mut selection, "numbers", 30, 900);
        let mut items = view(&selection).items;
        for item in items.iter_mut().take(20) {
            item.severity = "note";
        }
        let most = 13 * items.iter().map(weight).max().unwrap_or(0);
        let kept = within(items, most, |item| (u8::from(item.severity == "note"), false));
        let notes = kept.iter().filter(|item| item.severity == "note").count();
        // The first three of the kind are notes; the ten errors come before the fourth.
        assert_eq!((notes, kept.len()), (3, 13));
    }
}
