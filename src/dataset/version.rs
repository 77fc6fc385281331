//! Versions of datasets, and which of two is higher.

use std::cmp::Ordering;

/// A version such as `1.2.0`, `2`, `1.0.0-rc.1` or `2026.08`: numbers between dots, then perhaps a pre-release after
/// `-` and a build after `+`. The order is that of Semantic Versioning 2.0.0 (section 11), with any count of numbers:
/// one that is missing counts as 0. The build does not count.
#[derive(Debug, Clone)]
pub struct Version {
    text: String,
    numbers: Vec<u64>,
    pre_release: Vec<Part>,
}

/// A part of a pre-release: numbers come before words, and fewer parts before more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u64),
    Word(String),
}

impl Version {
    /// Reads a version; `None` for anything else, such as the name of a folder that is no version.
    #[must_use]
    pub fn parse(text: &str) -> Option<Version> {
        let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
        let (release, pre_release) = rest.split_once('-').map_or((rest, None), |(release, pre)| (release, Some(pre)));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !build.is_none_or(|build| build.split('.').all(plain)) {
            return None;
        }
        let number = |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok()).flatten();
        let numbers = release.split('.').map(number).collect::<Option<Vec<u64>>>()?;
        let part =
            |part: &str| plain(part).then(|| number(part).map_or_else(|| Part::Word(part.to_owned()), Part::Number));
        let pre_release = match pre_release {
            Some(parts) => parts.split('.').map(part).collect::<Option<Vec<Part>>>()?,
            None => Vec::new(),
        };
        Some(Version { text: text.to_owned(), numbers, pre_release })
    }

    /// The version as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let number = |version: &Self, at: usize| version.numbers.get(at).copied().unwrap_or(0);
        let longest = self.numbers.len().max(other.numbers.len());
        let release = (0..longest).map(|at| number(self, at)).cmp((0..longest).map(|at| number(other, at)));
        release.then_with(|| match (self.pre_release.is_empty(), other.pre_release.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => self.pre_release.cmp(&other.pre_release),
        })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Version {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_numbers_with_pre_releases_first() {
        let ascending = [
            "0.9.10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.2.0",
            "1.10.0",
            "2",
            "2026.08",
            "2026.11.1",
        ];
        let parsed: Vec<Version> = ascending.iter().filter_map(|text| Version::parse(text)).collect();
        assert_eq!(parsed.len(), ascending.len());
        assert!(parsed.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Version::parse("1.0"), Version::parse("1.0.0+build.7"));
    }

    #[test]
    fn names_that_are_no_versions_are_refused() {
        for name in [
            "",
            "answers",
            "v1",
            "1.",
            ".1",
            "1..2",
            "1.x",
            "1.0.0-",
            "1.0.0+",
            "1.0.0-a..b",
            "99999999999999999999",
            "1_0",
        ] {
            assert!(Version::parse(name).is_none(), "{name}");
        }
    }
}
