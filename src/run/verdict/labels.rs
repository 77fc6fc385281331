//! The labels of a baseline's claims, to see which changed while a run is judged.

use serde::Deserialize;

use super::find::Baselines;
use crate::dataset::Label;
use crate::record::Text;
use crate::run::store::Store;

/// The labels of all claims of the baselines; of several names, those of the first.
#[derive(Debug, Default)]
pub struct Labels<'b> {
    /// By dataset.
    stores: Vec<LabelsOf<'b>>,
}

/// The labels of one baseline, a few bytes for each claim.
#[derive(Debug)]
struct LabelsOf<'b> {
    store: &'b Store,
    /// The claims of all cases, one case after the other: the beginning of the digest of their text, and their label.
    claims: Vec<([u8; 16], Option<Label>)>,
    /// By place of the case: where its claims end.
    ends: Vec<usize>,
}

/// What is read of an outline.
#[derive(Deserialize)]
struct Case<'a> {
    #[serde(borrow)]
    claims: Vec<Claim<'a>>,
}

#[derive(Deserialize)]
struct Claim<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(default)]
    label: Option<Label>,
}

impl Baselines {
    /// The labels of all claims of the baselines; of several names, those of the first.
    #[must_use]
    pub fn labels(&self) -> Labels<'_> {
        let found = self.sets.first().into_iter().flat_map(|set| set.datasets.iter().flatten());
        Labels { stores: found.map(|baseline| LabelsOf::new(&baseline.store)).collect() }
    }
}

impl Labels<'_> {
    /// Whether the baseline has the claim with this text digest (`sha256:…`) in this case, with another label.
    #[must_use]
    pub fn changed(&self, case_id: &str, claim_sha256: &str, label: Option<Label>) -> bool {
        let Some(text) = first_bytes(claim_sha256.strip_prefix("sha256:").unwrap_or(claim_sha256)) else {
            return false;
        };
        // An id stands in one dataset of a run.
        let claims = self.stores.iter().find_map(|labels| labels.of_case(case_id)).unwrap_or_default();
        let mut same = claims.iter().filter(|(own, _)| *own == text).peekable();
        same.peek().is_some() && same.all(|(_, before)| *before != label)
    }
}

impl<'b> LabelsOf<'b> {
    fn new(store: &'b Store) -> Self {
        let mut labels = Self { store, claims: Vec::new(), ends: Vec::with_capacity(store.len()) };
        for line in store.lines() {
            // The store decoded every line when it was made.
            let claims = serde_json::from_slice::<Case<'_>>(line).map_or_else(|_| Vec::new(), |case| case.claims);
            labels.claims.extend(claims.iter().filter_map(|claim| Some((first_bytes(&claim.text)?, claim.label))));
            labels.ends.push(labels.claims.len());
        }
        labels
    }

    fn of_case(&self, case_id: &str) -> Option<&[([u8; 16], Option<Label>)]> {
        let place = self.store.position(case_id)?;
        let start = place.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.claims.get(start..*self.ends.get(place)?)
    }
}

/// The first 16 bytes of a digest that is written in hexadecimal digits; `None` where it is not.
fn first_bytes(digits: &str) -> Option<[u8; 16]> {
    let digits = digits.get(..32)?;
    u128::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+')).map(u128::to_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "00112233445566778899aabbccddeeff";

    fn store(claims: &[&str]) -> Store {
        let head = br#"{"schema":"citeward/outline/1","engine":"","evaluation_digest":"","rules":[],"dimensions":[]}"#;
        let mut text = Vec::new();
        let mut places = Vec::new();
        for (number, claims) in claims.iter().enumerate() {
            let start = text.len();
            text.extend(format!(r#"{{"case_id":"c{number}","question":"q","claims":[{claims}]}}"#).bytes());
            places.push((start, text.len()));
        }
        Store::new("s".into(), crate::run::outline::head(head).expect("a head"), text, places).expect("outlines")
    }

    fn claim(text: &str, label: &str) -> String {
        format!(r#"{{"claim_id":"1","text":"{text}","label":"{label}"}}"#)
    }

    #[test]
    fn a_label_changed_where_every_claim_of_this_text_in_the_case_has_another_one() {
        let other = TEXT.replace('f', "e");
        let both = [claim(TEXT, "supported"), claim(TEXT, "partial")].join(",");
        let store = store(&["", &claim(TEXT, "supported"), &both, &claim(&other, "partial")]);
        let labels = Labels { stores: vec![LabelsOf::new(&store)] };
        let digest = format!("sha256:{TEXT}0123");
        let changed = |case: &str, label| labels.changed(case, &digest, Some(label));
        assert!(!changed("c0", Label::Partial), "no such claim");
        assert!(changed("c1", Label::Partial));
        assert!(!changed("c1", Label::Supported));
        assert!(!changed("c2", Label::Partial), "one of two has it");
        assert!(changed("c2", Label::Contradicted));
        assert!(!changed("c3", Label::Supported), "another text");
        assert!(!changed("c4", Label::Supported), "no such case");
        assert!(!labels.changed("c1", "sha256:short", None));
    }

    #[test]
    fn digests_are_read_as_far_as_an_outline_keeps_them() {
        let bytes = first_bytes(&format!("{TEXT}ff")).expect("hexadecimal");
        assert_eq!((bytes[0], bytes[1], bytes[15]), (0x00, 0x11, 0xff));
        assert_eq!(first_bytes(&TEXT[..31]), None);
        assert_eq!(first_bytes(&format!("+{}", &TEXT[1..])), None);
        assert_eq!(first_bytes(&TEXT.replace('f', "g")), None);
    }
}
