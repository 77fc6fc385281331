//! What a policy takes out of everything that leaves, made ready: the names of fields, the key, and the values of slices as
//! they are written.

use std::borrow::Cow;

use super::policy::{CROSS, DimensionSource, FieldPath, Policy, TargetSlices};
use super::settings::Redact;
use crate::diagnostic::{Problem, code, quoted};
use crate::text::redact::{Form, Hashing, ID_DIGITS, Key, LONG_ID_DIGITS, SHORTEST_KEY};

/// Numbers that are counted in an answer are no part of it.
const COUNTS: [&str; 3] = ["answer.words", "answer.citations", "answer.claims"];

/// A field path under the names that records and slices use: `claims.text` as `claim.text`, `contexts.passage` as
/// `source.content`.
#[must_use]
pub fn canonical(path: &str) -> Cow<'_, str> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let case = match first {
        "id" => "case_id",
        "question" => "query",
        "response" => "answer",
        "claims" => "claim",
        "sources" | "contexts" | "documents" | "evidence" => "source",
        "human_label" => "expected",
        other => other,
    };
    let Some(rest) = rest else { return Cow::Borrowed(case) };
    let (name, deeper) = rest.split_once('.').map_or((rest, None), |(name, deeper)| (name, Some(deeper)));
    let name = match (case, name) {
        ("source", "evidence_id") => "id",
        ("source", "type") => "source_type",
        ("source", "version") => "source_version",
        ("source", "url" | "uri") => "canonical_uri",
        ("source", "tenant") => "scope_id",
        ("source", "passage" | "text") => "content",
        ("claim", "id") => "claim_id",
        ("claim", "claim") => "text",
        (_, name) => name,
    };
    match deeper {
        Some(deeper) => Cow::Owned(format!("{case}.{name}.{deeper}")),
        None if case == first && path.ends_with(name) && path.len() == case.len() + 1 + name.len() => {
            Cow::Borrowed(path)
        }
        None => Cow::Owned(format!("{case}.{name}")),
    }
}

impl Redact {
    /// The index of the first field whose values are taken out and that this path is, or lies in.
    #[must_use]
    pub fn field_of(&self, path: &str) -> Option<usize> {
        if COUNTS.contains(&path) {
            return None;
        }
        let path = canonical(path);
        let lies_in = |field: &FieldPath| {
            let field = canonical(&field.0);
            let rest = path.strip_prefix(field.as_ref());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                // A claim that was derived is a piece of the answer.
                || (field == "answer" && path == "claim.text")
        };
        self.fields.iter().position(lies_in)
    }

    /// The name under which that field is taken out, for [`crate::text::redact::Redactor::stand_in`].
    #[must_use]
    pub fn name_of(&self, path: &str) -> Option<usize> {
        self.field_of(path).map(|field| self.redactor.field(field))
    }
}

impl Redact {
    /// The id of a case as it is written, as far as it does not depend on the rest of the case.
    #[must_use]
    pub fn case_id(&self, id: &str) -> String {
        match self.name_of("case_id") {
            Some(name) if !self.redactor.is_stand_in(id) => self.redactor.stand_in(name, id, Form::Id(LONG_ID_DIGITS)),
            Some(_) => id.to_owned(),
            None => self.redactor.case_id(id).into_owned(),
        }
    }
}

impl Policy {
    /// Takes the key that `hash_key_env` names from what `read` finds under a name, and writes the slices of gates as records
    /// write them. Needed once, before anything is evaluated, under a policy that names a key; without it only zeros
    /// stand where hashes should.
    ///
    /// # Errors
    /// A [`Problem`] where there is no key, or too short a one.
    pub fn take_key(&mut self, read: impl FnOnce(&str) -> Option<Vec<u8>>) -> Result<(), Problem> {
        let redact = &self.settings.redact;
        let Some(name) = redact.hash_key_env.clone().filter(|_| !redact.redactor.is_empty()) else { return Ok(()) };
        let missing = |found: String| {
            Problem::new(code::MISSING_KEY, format!("the environment variable {} has no key for hashes", quoted(&name)))
                .found(found, format!("at least {SHORTEST_KEY} bytes"))
                .in_file(redact.place.clone())
                .help("`redact: hash_key_env` names it: set it to a long random text, and keep that one for all runs that are compared")
        };
        let bytes = read(&name).filter(|bytes| !bytes.is_empty()).ok_or_else(|| missing("nothing".to_owned()))?;
        let key = Key::new(&bytes).ok_or_else(|| missing(format!("{} bytes", bytes.len())))?;
        self.settings.redact.redactor.hashing = Hashing::Keyed(key);
        self.write_slices();
        Ok(())
    }

    /// Whether this policy and another say the same of what is taken out.
    #[must_use]
    pub fn takes_out_as(&self, other: &Policy) -> bool {
        let said = |policy: &Policy| {
            let redact = &policy.settings.redact;
            let patterns: Vec<(String, Option<String>)> = redact
                .patterns
                .iter()
                .map(|(name, own)| (name.clone(), own.as_ref().map(|own| own.as_str().to_owned())))
                .collect();
            (patterns, redact.fields.clone(), redact.hash_key_env.clone())
        };
        said(self) == said(other)
    }

    /// Takes out of records what another policy does. Before [`Policy::take_key`].
    pub fn take_out_as(&mut self, other: &Policy) {
        self.settings.redact = other.settings.redact.clone();
        if self.settings.redact.hash_key_env.is_none() {
            self.write_slices();
        }
    }

    /// Writes the slices of gates as records write them.
    pub(super) fn write_slices(&mut self) {
        if self.settings.redact.redactor.is_empty() {
            return;
        }
        let mut gates = std::mem::take(&mut self.gates);
        for target in gates.iter_mut().flat_map(|gate| &mut gate.targets) {
            if let TargetSlices::One(dimension, value) = &mut target.slices {
                *value = self.written_slice(*dimension, value).into_owned();
            }
        }
        self.gates = gates;
    }

    /// The value of a slice dimension (index in [`Policy::slices`]) as it is written: the same for every case that lies in it.
    #[must_use]
    pub fn written_slice<'v>(&self, dimension: usize, value: &'v str) -> Cow<'v, str> {
        self.written_slice_at(dimension, value, 0)
    }

    fn written_slice_at<'v>(&self, dimension: usize, value: &'v str, depth: u8) -> Cow<'v, str> {
        let redact = &self.settings.redact;
        let Some(dimension) = self.slices.get(dimension).filter(|_| depth < 8) else {
            return redact.redactor.id(value);
        };
        match &dimension.source {
            _ if !dimension.is_of_data(value) => Cow::Borrowed(value),
            DimensionSource::Bins(..) | DimensionSource::When(_) => Cow::Borrowed(value),
            DimensionSource::Field(path) | DimensionSource::Pattern(path, _) => match redact.name_of(&path.0) {
                Some(name) if !redact.redactor.is_stand_in(value) => {
                    Cow::Owned(redact.redactor.stand_in(name, value, Form::Id(ID_DIGITS)))
                }
                Some(_) => Cow::Borrowed(value),
                None => redact.redactor.id(value),
            },
            DimensionSource::Cross(parts) => {
                let values: Vec<&str> = value.split(CROSS).collect();
                if values.len() != parts.len() {
                    return redact.redactor.id(value);
                }
                let written: Vec<Cow<'_, str>> = parts
                    .iter()
                    .zip(values)
                    .map(|(part, value)| self.written_slice_at(*part, value, depth + 1))
                    .collect();
                Cow::Owned(written.join(CROSS))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_goes_by_one_name() {
        for (written, name) in [
            ("meta.owner", "meta.owner"),
            ("id", "case_id"),
            ("question", "query"),
            ("claims.text", "claim.text"),
            ("claim.text", "claim.text"),
            ("contexts.passage", "source.content"),
            ("sources.evidence_id", "source.id"),
            ("sources.locator.section", "source.locator.section"),
            ("evidence.url", "source.canonical_uri"),
            ("claims.citations.quote", "claim.citations.quote"),
        ] {
            assert_eq!(canonical(written), name, "{written}");
        }
    }

    fn policy(text: &str) -> Policy {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("policy.yaml"), text).expect("written");
        crate::rules::load(folder.path()).unwrap_or_else(|problems| panic!("{}", problems.render()))
    }

    const TEXT: &str = "version: 1
rules: [{ id: unknown-source, check: resolves }]
slices:
  - { id: owner, field: meta.owner, missing: nobody }
  - { id: team, field: meta.team }
  - { id: both, by: [owner, team] }
gates:
  - { id: a, metric: case_pass_rate, min: 0.5, slices: [{ slice: { owner: somebody } }, { slice: { team: T-1 } }] }
redact: { patterns: [{ id: ticket, pattern: 'T-\\d+' }], fields: [meta.owner]";

    #[test]
    fn slices_of_gates_are_written_as_records_write_them() {
        let policy = policy(&format!("{TEXT} }}\n"));
        let named: Vec<&TargetSlices> = policy.gates[0].targets.iter().skip(1).map(|target| &target.slices).collect();
        // SHA-256 of "somebody" and "T-1" begin so (sha256sum).
        let expected = [
            TargetSlices::One(0, "[redacted:meta.owner:729d7d63]".to_owned()),
            TargetSlices::One(1, "[redacted:ticket:cd4a8a25]".to_owned()),
        ];
        assert_eq!(named, expected.iter().collect::<Vec<_>>());
        assert_eq!(policy.written_slice(0, "nobody"), "nobody");
        let both = policy.written_slice(2, "somebody × x").into_owned();
        assert_eq!(both, "[redacted:meta.owner:729d7d63] × x");
        assert_eq!(policy.written_slice(2, &both), both);
    }

    #[test]
    fn a_key_is_asked_for_and_must_be_long_enough() {
        let mut policy = policy(&format!("{TEXT}, hash_key_env: SOME_KEY }}\n"));
        let said = |problem: Problem| format!("{} ({})", problem.message, problem.label.unwrap_or_default());
        let message = "the environment variable \"SOME_KEY\" has no key for hashes";
        let none = policy.take_key(|_| None).map_err(said);
        assert_eq!(none, Err(format!("{message} (found nothing, expected at least 16 bytes)")));
        let short = policy.take_key(|_| Some(b"short".to_vec())).map_err(said);
        assert_eq!(short, Err(format!("{message} (found 5 bytes, expected at least 16 bytes)")));
        assert_eq!(policy.take_key(|name| Some(name.repeat(4).into_bytes())).map_err(said), Ok(()));
        assert!(policy.settings.redact.redactor.hashing.key_check().is_some());
    }
}
