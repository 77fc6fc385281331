//! How an identifier of a passage stands to one of a claim.

use super::address::without_tag;
use super::{Identifier, IdentifierKind};

/// How two identifiers stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// They are the same.
    Same,
    /// They may be the same.
    Open,
    /// The same family, and another member of it: another path on the host, another version of the product.
    Other,
    /// They have nothing to do with each other.
    Unlike,
}

impl Identifier {
    /// How `have`, read in a passage, stands to this one of a claim. A claim may be coarser where nothing else can be meant: a host for an
    /// address on it, a standard without its edition.
    #[must_use]
    pub fn likeness(&self, have: &Self) -> Likeness {
        if self.kind != have.kind {
            let is_loose = |kind| matches!(kind, IdentifierKind::Version | IdentifierKind::Name | IdentifierKind::Code);
            let alike = is_loose(self.kind) && is_loose(have.kind) && self.canonical == have.canonical;
            return if alike { Likeness::Same } else { Likeness::Unlike };
        }
        let same = self.canonical == have.canonical;
        let related = !self.family.is_empty() && self.family == have.family;
        let by = |same: bool, related: bool| match (same, related) {
            (true, _) => Likeness::Same,
            (false, true) => Likeness::Other,
            (false, false) => Likeness::Unlike,
        };
        match self.kind {
            IdentifierKind::Url if !same && self.canonical == have.family => Likeness::Same,
            IdentifierKind::Url if !same && self.canonical.eq_ignore_ascii_case(&have.canonical) => Likeness::Open,
            IdentifierKind::Email if !same && without_tag(&self.canonical) == without_tag(&have.canonical) => {
                Likeness::Open
            }
            IdentifierKind::Version => versions(self, have),
            IdentifierKind::Standard => standards(self, have),
            IdentifierKind::Code => by(same || same_telephone(self, have), related),
            _ => by(same, related),
        }
    }
}

fn versions(claimed: &Identifier, have: &Identifier) -> Likeness {
    let (a, b) = (claimed.family.as_ref(), have.family.as_ref());
    if claimed.canonical == have.canonical {
        // "Postgres 14.2" and "PostgreSQL 14.2", but hardly "Java 3.11" and "Python 3.11".
        return if a.starts_with(b) || b.starts_with(a) { Likeness::Same } else { Likeness::Open };
    }
    if a != b {
        return Likeness::Unlike;
    }
    let parts = |version: &Identifier| version.canonical.split('.').map(str::to_owned).collect::<Vec<_>>();
    let (claimed, have) = (parts(claimed), parts(have));
    let zeros = |rest: &[String]| rest.iter().all(|part| part.bytes().all(|b| b == b'0'));
    match (have.strip_prefix(claimed.as_slice()), claimed.strip_prefix(have.as_slice())) {
        // "3" may be said of 3.11, and "1.2" of 1.2.0.
        (Some(_), _) => Likeness::Open,
        (_, Some(rest)) if zeros(rest) => Likeness::Open,
        (_, Some(_)) => Likeness::Unlike,
        (None, None) => Likeness::Other,
    }
}

fn standards(claimed: &Identifier, have: &Identifier) -> Likeness {
    let one_issuer = claimed.family.split('/').any(|issuer| have.family.split('/').any(|other| issuer == other));
    if !one_issuer {
        return Likeness::Unlike;
    }
    let apart = |standard: &'_ Identifier| -> (String, String, String) {
        let (rest, edition) = standard.canonical.split_once('@').unwrap_or((&standard.canonical, ""));
        let (number, part) = rest.split_once('#').unwrap_or((rest, ""));
        (number.to_owned(), part.to_owned(), edition.to_owned())
    };
    let ((number, part, edition), (other, other_part, other_edition)) = (apart(claimed), apart(have));
    if number != other {
        return Likeness::Other;
    }
    let finer = |ours: &str, theirs: &str| !ours.is_empty() && theirs.is_empty();
    let differ = |ours: &str, theirs: &str| !ours.is_empty() && !theirs.is_empty() && ours != theirs;
    if differ(&part, &other_part) || differ(&edition, &other_edition) {
        return Likeness::Other;
    }
    if finer(&part, &other_part) || finer(&edition, &other_edition) {
        return Likeness::Unlike;
    }
    // A type of report or a part of a standard belongs to it; a letter behind a number may be a standard of its own.
    if part == other_part || claimed.family.as_ref() == "soc" { Likeness::Same } else { Likeness::Open }
}

/// Whether two telephone numbers end in the same digits, one of them without its country.
fn same_telephone(a: &Identifier, b: &Identifier) -> bool {
    const LOCAL: usize = 7;
    if a.family.as_ref() != "telephone" && b.family.as_ref() != "telephone" {
        return false;
    }
    let (a, b) = (super::code::digits_of(&a.canonical), super::code::digits_of(&b.canonical));
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().min(b.len()) >= LOCAL && (a.ends_with(b) || b.ends_with(a))
}
