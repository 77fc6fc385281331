//! The queue and the standing of decisions, on cases worked out by hand.

use std::io::Write as _;

use super::*;
use crate::dataset::Options;
use crate::dataset::lines::Input;
use crate::tally::fixture;

fn hash(c: char) -> String {
    format!("sha256:{}", c.to_string().repeat(64))
}

fn bound(text: &str, mantissa: u64, scale: u32) -> Bound {
    Bound { text: text.to_owned(), mantissa, scale }
}

/// A claim of case `a` with this text (hash of one letter) and evidence.
fn claim(text: char, evidence: char, label: Label) -> ClaimRecord<'static> {
    let mut claim = fixture::claim(Some(label), None, vec![fixture::citation("d1", true, "policy", &[])], &[]);
    claim.case_id = "a".into();
    claim.claim_id = format!("c-{text}").into();
    claim.claim_sha256 = hash(text).into();
    claim.evidence_sha256 = Some(hash(evidence).into());
    claim
}

fn reviewed(text: char, evidence: char) -> ClaimRecord<'static> {
    let mut claim = claim(text, evidence, Label::Supported);
    claim.decided_by = Some("review".into());
    claim.review = Some(crate::record::ReviewRecord { reviewer: "desk".into(), date: "2026-05-01".into(), line: 1 });
    claim
}

fn decisions(lines: &[(&str, char, char, &str)], today: &str) -> Decisions {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    for (case, claim, evidence, more) in lines {
        writeln!(
            file,
            "{{\"case_id\":\"{case}\",\"claim_id\":\"c1\",\"claim_sha256\":\"{}\",\"evidence_sha256\":\"{}\",\
             \"label\":\"supported\",\"reviewer\":\"desk\",\"reason\":\"read it\",\"date\":\"2026-05-01\"{more}}}",
            hash(*claim),
            hash(*evidence)
        )
        .expect("written");
    }
    let today: crate::dataset::Day = today.parse().expect("a day");
    Decisions::read(&Input::file(file.path()), &Options::default(), today.into()).expect("decisions")
}

/// Reasons by claim id, in the order of the queue.
fn queue(review: &Review<'_>, claims: Vec<ClaimRecord<'static>>) -> (Vec<(String, Vec<OpenReason>)>, ReviewCounts) {
    let mut fixture = fixture::case("en", claims);
    fixture.case.case_id = "a".into();
    let (mut counts, mut bytes) = (ReviewCounts::default(), Vec::new());
    review.case(&fixture.case, &fixture.claims, &mut counts, &mut bytes).expect("written");
    let entries = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let entry = |line: &[u8]| {
        let entry: Entry<'_> = serde_json::from_slice(line).expect("an entry");
        (entry.claim_id.into_owned(), entry.reasons)
    };
    (entries.map(entry).collect(), counts)
}

#[test]
fn a_claim_waits_for_each_reason_that_it_has() {
    use OpenReason::{LabelChanged, LowConfidence, Suspected};
    let settings = settings::Review { confidence_below: Some(bound("0.6", 6, 1)), ..settings::Review::default() };
    let changed = |_: &CaseRecord<'_>, claim: &ClaimRecord<'_>| claim.claim_id == "c-2" || claim.claim_id == "c-5";
    let review = Review::new(&settings, None).with_changed(&changed);
    let mut open = claim('1', 'e', Label::Undecided);
    open.suspected = Some(Label::Contradicted);
    let mut unsure = claim('2', 'e', Label::Insufficient);
    unsure.confidence = Some(0.59);
    let mut sure = claim('3', 'e', Label::Supported);
    sure.confidence = Some(0.6);
    let (unsuspected, uncited) = (claim('4', 'e', Label::Undecided), {
        let mut claim = claim('5', 'e', Label::Undecided);
        (claim.label, claim.evidence_sha256) = (None, None);
        claim
    });
    let (queue, counts) = queue(&review, vec![open, unsure, sure, unsuspected, uncited]);
    let expected = [("c-1", vec![Suspected]), ("c-2", vec![LabelChanged, LowConfidence])];
    assert_eq!(queue, expected.map(|(id, reasons)| (id.to_owned(), reasons)));
    assert_eq!((counts.open, counts.reasons), (2, [1, 1, 1, 0, 0]));
}

#[test]
fn what_a_decision_settles_waits_no_more_and_what_lapsed_waits_again() {
    let decisions = decisions(
        &[
            ("a", '1', 'e', ""),
            ("a", '2', 'e', ""),
            ("a", '3', 'e', ""),
            ("a", '4', 'e', ",\"expires\":\"2026-05-31\""),
            ("b", '1', 'e', ""),
            ("a", '5', 'e', ""),
        ],
        "2026-06-01",
    );
    let review = Review::new(&settings::Review::default(), Some(&decisions));
    // The first is decided; the second cites other evidence; the third was reworded; the fourth expired; the fifth's case is
    // gone; the sixth needs no citation any more.
    let mut unlabelled = claim('5', 'e', Label::Supported);
    unlabelled.label = None;
    let claims = vec![
        reviewed('1', 'e'),
        claim('2', 'f', Label::Contradicted),
        claim('9', 'e', Label::Supported),
        claim('4', 'e', Label::Supported),
        unlabelled,
    ];
    let (queue, counts) = queue(&review, claims);
    let ids: Vec<&str> = queue.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["c-2", "c-4"]);
    assert!(queue.iter().all(|(_, reasons)| *reasons == [OpenReason::Lapsed]));
    assert_eq!(counts.open, 2);
    let standing = review.standing();
    let lapsed: Vec<(u64, Lapse)> = standing.lapsed.iter().map(|(decision, lapse)| (decision.line, *lapse)).collect();
    let expected = [
        (2, Lapse::EvidenceChanged),
        (3, Lapse::ClaimChanged),
        (4, Lapse::Expired),
        (5, Lapse::CaseGone),
        (6, Lapse::ClaimUnlabelled),
    ];
    assert_eq!((standing.applied, lapsed.as_slice()), (1, expected.as_slice()));
    assert_eq!(standing.today.map(|day| day.to_string()).as_deref(), Some("2026-06-01"));
}

#[test]
fn the_sample_is_the_share_asked_for_and_the_same_every_time() {
    let sample = |share: Bound| {
        let settings = settings::Review { sample_passes: Some(share), ..settings::Review::default() };
        let review = Review::new(&settings, None);
        let drawn = |index: u32| {
            let mut claim = claim('1', 'e', Label::Supported);
            claim.claim_sha256 = format!("sha256:{index:064x}").into();
            !queue(&review, vec![claim]).0.is_empty()
        };
        (0..2_000).filter(|index| drawn(*index)).collect::<Vec<_>>()
    };
    assert_eq!(sample(bound("0", 0, 0)).len(), 0);
    assert_eq!(sample(bound("1", 1, 0)).len(), 2_000);
    let tenth = sample(bound("0.1", 1, 1));
    // Binomial(2000, 0.1): mean 200, standard deviation 13.4; four of them either way.
    assert!((146..=254).contains(&tenth.len()), "{}", tenth.len());
    assert_eq!(tenth, sample(bound("0.10", 10, 2)));
    let fifth = sample(bound("0.2", 2, 1));
    assert!(tenth.iter().all(|index| fifth.contains(index)), "a larger sample has the smaller one in it");
    // Claims that did not pass are not drawn.
    let settings = settings::Review { sample_passes: Some(bound("1", 1, 0)), ..settings::Review::default() };
    let review = Review::new(&settings, None);
    assert!(queue(&review, vec![claim('1', 'e', Label::Partial), claim('2', 'e', Label::Undecided)]).0.is_empty());
}

#[test]
fn an_entry_shows_what_the_records_show_and_a_line_to_complete() {
    let mut open = claim('1', 'e', Label::Undecided);
    open.suspected = Some(Label::Partial);
    open.citations[0].withheld = true;
    open.citations[0].excerpt = Some(ExcerptRecord { start: 3, end: 9, text: None });
    open.findings = vec![fixture::finding("numbers")];
    let fixture = fixture::case("en", vec![open]);
    let (mut counts, mut bytes) = (ReviewCounts::default(), Vec::new());
    let review = Review::new(&settings::Review::default(), None);
    review.case(&fixture.case, &fixture.claims, &mut counts, &mut bytes).expect("written");
    let entry: serde_json::Value = serde_json::from_slice(&bytes).expect("an entry");
    assert_eq!(entry["schema"], "citeward/review/1");
    assert_eq!(entry["evidence"][0]["excerpt"], serde_json::json!({"start": 3, "end": 9}));
    assert_eq!(entry["findings"][0]["rule"], "numbers");
    let decision = serde_json::to_string(&entry["decision"]).expect("JSON");
    let expected = format!(
        "{{\"case_id\":\"\",\"claim_id\":\"c-1\",\"claim_sha256\":\"{}\",\"evidence_sha256\":\"{}\",\"label\":\"\",\
         \"reviewer\":\"\",\"reason\":\"\",\"date\":\"\"}}",
        hash('1'),
        hash('e')
    );
    assert_eq!(decision, expected);
}
