//! Verifying a dataset: is it what was frozen, and what do its cases exercise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::case::Case;
use super::fingerprint::{self, Fingerprint};
use super::folder::Dataset;
use super::freeze::{NEW_VERSION, check_frozen};
use super::label::Label;
use super::lines::{Input, shown};
use super::manifest::{self, Manifest, ManifestDigests};
use super::read::{Line, Options};
use super::scan::scan;
use crate::diagnostic::{Problem, Problems, code};
use crate::text::digest::{self, Digest};

/// What the cases of a dataset exercise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cases.
    pub cases: u64,
    /// Claims that the cases declare.
    pub claims: u64,
    /// Evidence units.
    pub units: u64,
    /// How often people gave each label; every label is listed.
    pub labels: BTreeMap<Label, u64>,
    /// In how many cases a field is present, by its path with `[]` for a list, such as `claims[].citations[].quote`;
    /// optional fields that no case has are listed with 0.
    pub fields: BTreeMap<&'static str, u64>,
    /// Evidence ids that have two texts under one version, in order.
    pub drift: Vec<Drift>,
}

/// One evidence id and version with two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// The evidence id.
    pub id: String,
    /// The version under which both texts stand.
    pub source_version: String,
    /// File (index) and line of the first text.
    pub first: (u32, u64),
    /// File (index) and line of the other text.
    pub other: (u32, u64),
}

/// Holds a dataset to what was frozen, reads every case and says what the cases exercise.
///
/// # Errors
/// Files that differ, every problem of the data, and digests or counts that are not those of `dataset.yaml`.
pub fn verify(dataset: &Dataset, options: &Options) -> Result<Summary, Problems> {
    let mut problems = Problems::new();
    check_frozen(dataset, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let reading = read_all(&dataset.inputs, options, &mut problems);
    if let (true, Some(manifest)) = (problems.is_empty(), &dataset.manifest) {
        check_digests(dataset, manifest, &reading, &mut problems);
    }
    if problems.is_empty() { Ok(reading.summary) } else { Err(problems) }
}

fn check_digests(dataset: &Dataset, manifest: &Manifest, reading: &Reading, problems: &mut Problems) {
    let Some(frozen) = manifest.digests else { return };
    let now = reading.digests;
    let folder = dataset.folder.as_deref().unwrap_or(Path::new("."));
    let name = shown(&folder.join(manifest::FILE));
    let mut differ = |what: &str, found: String, expected: String| {
        let problem = Problem::new(code::CHANGED_DATASET, format!("{what} is not what dataset.yaml says"));
        problems.push(problem.found(found, expected).help(NEW_VERSION).in_file(&*name));
    };
    for (what, found, expected) in
        [("the content digest", now.content, frozen.content), ("the questions digest", now.questions, frozen.questions)]
    {
        if found != expected {
            differ(what, found.to_string(), expected.to_string());
        }
    }
    for (entry, cases) in manifest.files.iter().zip(&reading.cases_by_file) {
        if entry.cases != *cases {
            differ(&format!("the number of cases in {}", entry.path), cases.to_string(), entry.cases.to_string());
        }
    }
}

/// What reading all cases gave.
pub(super) struct Reading {
    pub(super) summary: Summary,
    pub(super) digests: ManifestDigests,
    pub(super) cases_by_file: Vec<u64>,
}

/// Reads every case of some files; notes every problem.
pub(super) fn read_all(inputs: &[Input], options: &Options, problems: &mut Problems) -> Reading {
    // A dataset of questions, whose answers come with --answers, can be frozen too.
    let options = Options { need_answer: false, ..*options };
    let mut fingerprint = Fingerprint::default();
    let mut summary = Summary::default();
    let mut cases_by_file = vec![0; inputs.len()];
    let mut texts = BTreeMap::new();
    let mut drift = BTreeSet::new();
    summary.labels.extend(Label::ALL.map(|label| (label, 0)));
    scan(inputs, &options, problems, |case, line, bytes| {
        fingerprint.add(fingerprint::of_case(bytes), fingerprint::of_question(case));
        if let Some(cases) = cases_by_file.get_mut(line.file_index as usize) {
            *cases += 1;
        }
        summary.add(case);
        note_texts(case, line, &mut texts, &mut drift);
    });
    summary.drift = drift
        .into_iter()
        .map(|(id, source_version, first, other)| Drift { id, source_version, first, other })
        .collect();
    let digests = fingerprint.finish();
    let digests = ManifestDigests { content: digests.content, questions: digests.questions };
    Reading { summary, digests, cases_by_file }
}

type Position = (u32, u64);

/// Notes evidence ids that have two texts under one version. Without a version an id names no text: `doc_1` is the
/// first unit of every packet.
fn note_texts(
    case: &Case<'_>,
    line: Line<'_>,
    texts: &mut BTreeMap<Digest, (Digest, Position)>,
    drift: &mut BTreeSet<(String, String, Position, Position)>,
) {
    let here = (line.file_index, line.number);
    for unit in &case.units {
        let (Some(version), Some(content)) = (&unit.source_version, &unit.content) else { continue };
        let source = unit.source_id.as_deref().unwrap_or_default();
        // Lengths keep two keys apart whose parts run together.
        let key = format!("{}:{}:{}:{source}{}{version}", unit.id.len(), source.len(), version.len(), unit.id);
        let text = digest::text(content);
        let (known, first) = *texts.entry(digest::raw(key.as_bytes())).or_insert((text, here));
        if known != text {
            drift.insert((unit.id.to_string(), version.to_string(), first, here));
        }
    }
}

impl Summary {
    fn add(&mut self, case: &Case<'_>) {
        self.cases += 1;
        let claims = case.claims.as_deref().unwrap_or_default();
        self.claims += claims.len() as u64;
        self.units += case.units.len() as u64;
        for (_, label) in &case.expected {
            *self.labels.entry(*label).or_default() += 1;
        }
        let citations = || claims.iter().flat_map(|claim| claim.citations.iter().flatten());
        let units = || case.units.iter();
        for (field, present) in [
            ("query", case.query.is_some()),
            ("answer", case.answer.is_some()),
            ("language", case.language.is_some()),
            ("answerable", case.answerable.is_some()),
            ("claims", case.claims.is_some()),
            ("claims[].citations", claims.iter().any(|claim| claim.citations.is_some())),
            ("claims[].citations[].quote", citations().any(|citation| citation.quote.is_some())),
            ("claims[].citations[].source_version", citations().any(|citation| citation.source_version.is_some())),
            ("claims[].citations[].start", citations().any(|citation| citation.span.is_some())),
            ("claims[].is_verifiable", claims.iter().any(|claim| claim.is_verifiable.is_some())),
            ("claims[].type", claims.iter().any(|claim| claim.claim_type.is_some())),
            ("claims[].required_terms", claims.iter().any(|claim| !claim.required_terms.is_empty())),
            ("sources", !case.units.is_empty()),
            ("sources[].content", units().any(|unit| unit.content.is_some())),
            ("sources[].content_sha256", units().any(|unit| unit.content_sha256.is_some())),
            ("sources[].locator", units().any(|unit| unit.locator.is_some())),
            ("sources[].relevance", units().any(|unit| unit.relevance.is_some())),
            ("sources[].scope_id", units().any(|unit| unit.scope_id.is_some())),
            ("sources[].source_type", units().any(|unit| unit.source_type.is_some())),
            ("sources[].source_version", units().any(|unit| unit.source_version.is_some())),
            ("retrieved_ids", case.retrieved_ids.is_some()),
            ("relevant_ids", case.relevant_ids.is_some()),
            ("allowed_scopes", case.allowed_scopes.is_some()),
            ("expected", !case.expected.is_empty()),
            ("max_document_id", case.fields.get("max_document_id").is_some()),
        ] {
            *self.fields.entry(field).or_default() += u64::from(present);
        }
    }
}
