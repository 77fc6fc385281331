//! Whether a label that people gave still speaks of the claim that has its id.

use super::identity::folded;
use super::{Claim, Packet};
use crate::dataset::Label;
use crate::dataset::case::LabelledClaim;

impl Packet<'_> {
    /// The label that people gave to a claim. A label was given for a text and what it cites: where a candidate's answers bring
    /// another text or other citations under that id, it says nothing of them.
    #[must_use]
    pub fn expected(&self, claim: &Claim<'_>) -> Option<Label> {
        let (_, label) = self.case.expected.iter().find(|(id, _)| *id == claim.claim_id)?;
        self.is_as_labelled(claim).then_some(*label)
    }

    /// The labels of the case that apply to none of its claims, because a candidate's answers bring something else.
    #[must_use]
    pub fn lapsed_labels(&self) -> usize {
        if self.case.labelled.is_none() {
            return 0;
        }
        let applies = |id: &str| self.claims.iter().any(|claim| claim.claim_id == id && self.is_as_labelled(claim));
        self.case.expected.iter().filter(|(id, _)| !applies(id)).count()
    }

    fn is_as_labelled(&self, claim: &Claim<'_>) -> bool {
        let Some(labelled) = &self.case.labelled else { return true };
        match &labelled.claims {
            Some(claims) => claims
                .iter()
                .find(|own| own.claim_id == claim.claim_id)
                .is_some_and(|own| same_text(own, claim) && self.same_citations(own, claim, labelled.same_answer)),
            // The labels are of the claims that the rules derive from the dataset's own answer, or of whatever comes.
            None => !labelled.has_answer || (labelled.same_answer && claim.given.is_none()),
        }
    }

    /// Whether a claim cites what the labelled one did. Where that one left it to the markers of its answer, only the same answer
    /// says the same.
    fn same_citations(&self, own: &LabelledClaim<'_>, claim: &Claim<'_>, same_answer: bool) -> bool {
        let sorted = |ids: &mut dyn Iterator<Item = &str>| {
            let mut ids: Vec<String> = ids.map(|id| folded(id.trim()).into_owned()).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let declared = claim.given.and_then(|given| given.citations.as_deref());
        let Some(ids) = &own.citation_ids else { return same_answer && declared.is_none() };
        let ids = sorted(&mut ids.iter().map(AsRef::as_ref));
        declared.is_some_and(|declared| sorted(&mut declared.iter().map(|given| given.id.as_ref())) == ids)
            || sorted(&mut self.citations_of(claim).map(|citation| citation.id.as_ref())) == ids
    }
}

/// Whether two claims say the same, white space apart.
fn same_text(own: &LabelledClaim<'_>, claim: &Claim<'_>) -> bool {
    let same = |text: &str| own.text.split_whitespace().eq(text.split_whitespace());
    same(&claim.text) || claim.given.is_some_and(|given| same(&given.text))
}
