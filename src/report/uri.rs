//! Paths as addresses: relative ones with forward slashes, everything that may not stand in an address percent-encoded.

use std::fmt::Write as _;

/// Where a file is, as SARIF says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileUri {
    /// The address: relative, or `file:///…` of an absolute path.
    pub uri: String,
    /// Whether it is relative to where citeward was started.
    pub is_relative: bool,
}

/// The address of a path as given; `None` for standard input and other things that are no file, `<stdin>`.
#[must_use]
pub fn of_path(path: &str) -> Option<FileUri> {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let mut rest = path.as_str();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter.trim_start_matches('/');
    }
    let is_no_file = rest.is_empty() || (rest.starts_with('<') && rest.ends_with('>'));
    if is_no_file {
        return None;
    }
    let has_drive = cfg!(windows) && rest.get(1..2) == Some(":");
    let prefix = match (rest.starts_with('/'), has_drive) {
        (true, _) => "file://",
        (false, true) => "file:///",
        (false, false) => "",
    };
    Some(FileUri { uri: format!("{prefix}{}", encoded(rest)), is_relative: prefix.is_empty() })
}

fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(path: &str) -> String {
        of_path(path).map(|file| file.uri).unwrap_or_default()
    }

    #[test]
    fn a_path_is_an_address_that_no_text_can_leave() {
        assert_eq!(uri("datasets/helpdesk/1.0.0/cases.jsonl"), "datasets/helpdesk/1.0.0/cases.jsonl");
        assert_eq!(uri("./a//b.jsonl"), "a//b.jsonl");
        assert_eq!(uri("../a b#c?d%e:f.jsonl"), "../a%20b%23c%3Fd%25e%3Af.jsonl");
        assert_eq!(uri("é\"<\u{202e}"), "%C3%A9%22%3C%E2%80%AE");
        assert_eq!(uri("javascript:alert(1)"), "javascript%3Aalert%281%29");
        assert_eq!(uri("<stdin>"), "");
        assert!(of_path("x").is_some_and(|file| file.is_relative));
    }

    #[cfg(unix)]
    #[test]
    fn an_absolute_path_is_a_file_address() {
        assert_eq!(
            of_path("/data/a b.jsonl"),
            Some(FileUri { uri: "file:///data/a%20b.jsonl".into(), is_relative: false })
        );
        assert_eq!(uri("a\\b"), "a%5Cb");
    }
}
