//! Labels that people gave, in the words that data files use for them.

use super::super::case::{GivenClaim, Text};
use super::super::json::Json;
use super::super::label::Label;
use super::fields::{At, Reader, shown};
use crate::diagnostic::{Problem, closest, code, one_of, quoted};

impl Reader<'_> {
    /// One label word.
    pub(super) fn label(&mut self, value: Json<'_>, at: &At<'_>) -> Option<Label> {
        let Json::Text(word) = &value else {
            self.wrong_type(at, value.kind(), "a label word");
            return None;
        };
        let label = Label::from_word(word);
        if label.is_none() {
            let help = closest(word, Label::WORDS.iter().copied()).map(|close| format!("did you mean `{close}`?"));
            let problem = Problem::new(code::UNKNOWN_LABEL, format!("{} is no label", at.named()))
                .found(shown(&value), one_of(Label::WORDS))
                .help_if(help);
            self.push(at, problem);
        }
        label
    }

    /// The field `expected`: labels by claim id, or one word for the only claim. `known` are the case's claims
    /// (`None`: they could not be read; `Some(None)`: it declares none, the rules derive them). `inside` are the labels
    /// that stand in the claims. `lenient`: the claims are a candidate's, which need not be those that were labelled.
    pub(super) fn expected<'a>(
        &mut self,
        value: Json<'a>,
        at: &At<'_>,
        known: Option<Option<&[GivenClaim<'a>]>>,
        inside: Vec<(Text<'a>, Label)>,
        lenient: bool,
    ) -> Option<Vec<(Text<'a>, Label)>> {
        let entries = match value {
            Json::Object(entries) => entries,
            Json::Text(_) => return self.one_word(value, at, known, inside),
            other => {
                self.wrong_type(at, other.kind(), "labels by claim id, or one label word");
                return None;
            }
        };
        let mut labels = Vec::with_capacity(entries.len() + inside.len());
        for (claim_id, value) in entries {
            let here = At::Key(at, &claim_id);
            let claims = known.flatten().filter(|_| !lenient);
            if claims.is_some_and(|claims| !claims.iter().any(|claim| claim.claim_id == claim_id)) {
                self.unknown_claim(&here, &claim_id, claims.unwrap_or_default());
            }
            if inside.iter().any(|(other, _)| *other == claim_id) {
                let problem = Problem::new(code::DUPLICATE_NAME, format!("{} labels a claim twice", here.named()))
                    .found("a label here and one inside the claim", "one of them");
                self.push(&here, problem);
            }
            if value != Json::Null
                && let Some(label) = self.label(value, &here)
            {
                labels.push((claim_id, label));
            }
        }
        labels.extend(inside);
        Some(labels)
    }

    fn one_word<'a>(
        &mut self,
        value: Json<'a>,
        at: &At<'_>,
        known: Option<Option<&[GivenClaim<'a>]>>,
        inside: Vec<(Text<'a>, Label)>,
    ) -> Option<Vec<(Text<'a>, Label)>> {
        let label = self.label(value, at);
        let found = match known? {
            Some([_]) if !inside.is_empty() => "one word here and a label inside the claim".to_owned(),
            Some([claim]) => return label.map(|label| vec![(claim.claim_id.clone(), label)]),
            Some(claims) => format!("one word for {} claims", claims.len()),
            None => "one word for a case without `claims`".to_owned(),
        };
        let problem = Problem::new(code::WRONG_TYPE, format!("{} does not say which claim it labels", at.named()))
            .found(found, "labels by claim id")
            .help("write it as an object such as {\"c1\": \"supported\"}");
        self.push(at, problem);
        None
    }

    fn unknown_claim(&mut self, at: &At<'_>, claim_id: &str, claims: &[GivenClaim<'_>]) {
        let names = claims.iter().map(|claim| claim.claim_id.as_ref());
        let help = closest(claim_id, names).map(|close| format!("did you mean {}?", quoted(close)));
        let problem =
            Problem::new(code::UNKNOWN_CLAIM, format!("{} labels a claim that the case does not have", at.named()))
                .found(quoted(claim_id), "the `claim_id` of one of its claims")
                .help_if(help);
        self.push(at, problem);
    }
}
