//! The texts that the benchmarks are made from: the passages of the shipped datasets, the prose of the documentation, and
//! `tests/altered/texts`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// A text that can be cited.
#[derive(Debug, Clone)]
pub struct Passage {
    pub language: String,
    pub title: Option<String>,
    pub content: String,
}

/// A sentence of a passage.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// Index of its passage.
    pub passage: usize,
    /// With single spaces.
    pub text: String,
    /// Its words with the signs on them.
    pub words: Vec<String>,
    /// What stands between two words.
    pub space: &'static str,
}

impl Sentence {
    /// A stretch of its words.
    pub fn stretch(&self, from: usize, to: usize) -> String {
        self.words[from..to].join(self.space)
    }
}

/// All texts with their sentences.
pub struct Corpus {
    pub passages: Vec<Passage>,
    pub sentences: Vec<Sentence>,
}

impl Corpus {
    /// Reads all texts, in sorted order.
    pub fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut passages = of_datasets(root);
        passages.extend(of_documentation(root));
        passages.extend(of_own_texts(root));
        let mut seen = BTreeSet::new();
        passages.retain(|passage| seen.insert(passage.content.clone()));
        let sentences = passages.iter().enumerate().flat_map(|(index, passage)| sentences(index, passage)).collect();
        Self { passages, sentences }
    }

    pub fn passage(&self, sentence: &Sentence) -> &Passage {
        &self.passages[sentence.passage]
    }

    pub fn language(&self, sentence: &Sentence) -> &str {
        &self.passages[sentence.passage].language
    }

    /// The other sentences of the same passage.
    pub fn beside(&self, sentence: &Sentence) -> Vec<&Sentence> {
        self.sentences.iter().filter(|s| s.passage == sentence.passage && s.text != sentence.text).collect()
    }

    /// The sentences of other passages in the same language.
    pub fn elsewhere(&self, sentence: &Sentence) -> Vec<&Sentence> {
        let same = |s: &&Sentence| self.language(s) == self.language(sentence) && s.passage != sentence.passage;
        self.sentences.iter().filter(same).collect()
    }
}

fn of_datasets(root: &Path) -> Vec<Passage> {
    let mut files: Vec<PathBuf> = Vec::new();
    for dataset in fs::read_dir(root.join("datasets")).expect("the datasets") {
        let file = dataset.expect("an entry").path().join("1.0.0/cases.jsonl");
        files.extend(file.is_file().then_some(file));
    }
    files.sort();
    let mut passages = Vec::new();
    for file in files {
        for line in fs::read_to_string(&file).expect("a dataset").lines() {
            let case: Value = serde_json::from_str(line).expect("a case");
            let language = case["language"].as_str().unwrap_or("en").to_owned();
            for unit in case["sources"].as_array().into_iter().flatten() {
                let Some(content) = unit["content"].as_str() else { continue };
                let title = unit["title"].as_str().map(str::to_owned);
                // One of them gives orders to the model; that is the business of another rule.
                if !content.contains("IGNORE ALL") {
                    passages.push(Passage { language: language.clone(), title, content: content.to_owned() });
                }
            }
        }
    }
    passages
}

/// Pages that are written by a program hold its own figures or its own doc comments.
const WRITTEN_BY_PROGRAMS: [&str; 2] = ["accuracy.md", "checks.md"];

fn of_documentation(root: &Path) -> Vec<Passage> {
    let mut files = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let pages = fs::read_dir(root.join("docs")).expect("the docs").map(|entry| entry.expect("an entry").path());
    files.extend(pages.filter(|page| {
        let name = page.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".md") && !WRITTEN_BY_PROGRAMS.contains(&name)
    }));
    files.sort();
    let mut passages: Vec<Passage> = Vec::new();
    for file in files {
        let mut chunk = String::new();
        for paragraph in prose(&fs::read_to_string(&file).expect("a page")) {
            chunk.push_str(if chunk.is_empty() { "" } else { "\n\n" });
            chunk.push_str(&paragraph);
            if chunk.len() > 700 {
                passages.push(Passage { language: "en".to_owned(), title: None, content: std::mem::take(&mut chunk) });
            }
        }
        if chunk.len() > 200 {
            passages.push(Passage { language: "en".to_owned(), title: None, content: chunk });
        }
    }
    passages
}

/// The paragraphs and list items of a page, as a reader sees them; line breaks are kept.
fn prose(page: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let ends = line.trim().is_empty() || line.starts_with(['#', '|', '<']) || line.starts_with("    ");
        if fenced || ends || line.trim_start().starts_with("```") {
            paragraphs.push(std::mem::take(&mut open));
            continue;
        }
        let item = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        if let Some(rest) = line.trim_start().strip_prefix("- ").or_else(|| item.strip_prefix(". ")) {
            paragraphs.push(std::mem::take(&mut open));
            open.push_str(rest);
        } else {
            open.push_str(if open.is_empty() { "" } else { "\n" });
            open.push_str(line.trim());
        }
    }
    paragraphs.push(open);
    paragraphs.iter().map(|paragraph| without_markup(paragraph)).filter(|text| text.len() > 40).collect()
}

/// Without emphasis, code signs and the targets of links.
pub fn without_markup(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let close = rest[at..].find(')').map_or(rest.len(), |end| at + end + 1);
        match rest[..at].rfind('[') {
            Some(open) => {
                plain.push_str(&rest[..open]);
                plain.push_str(&rest[open + 1..at]);
            }
            None => plain.push_str(&rest[..at]),
        }
        rest = &rest[close..];
    }
    plain.push_str(rest);
    plain.replace(['`', '*'], "")
}

/// One file per language, paragraphs apart by an empty line.
fn of_own_texts(root: &Path) -> Vec<Passage> {
    let mut files: Vec<PathBuf> = fs::read_dir(root.join("tests/altered/texts"))
        .expect("the texts")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut passages = Vec::new();
    for file in files {
        let language = file.file_stem().and_then(|stem| stem.to_str()).expect("a language").to_owned();
        let text = fs::read_to_string(&file).expect("a text");
        passages.extend(text.trim().split("\n\n").map(|paragraph| Passage {
            language: language.clone(),
            title: None,
            content: paragraph.trim().to_owned(),
        }));
    }
    passages
}

/// The sentences of a passage that can be quoted without more ado: no quotation marks, brackets or markup of their own.
fn sentences(index: usize, passage: &Passage) -> Vec<Sentence> {
    const MARKS: [char; 24] = [
        '“', '”', '„', '«', '»', '"', '‘', '「', '」', '[', ']', '…', '*', '_', '|', '<', '>', '{', '}', '=', '\\',
        '§', '→', '#',
    ];
    let mut found = Vec::new();
    for paragraph in passage.content.split("\n\n") {
        let text = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        for sentence in cut(&text) {
            let unspaced = passage.language == "ja";
            let words: Vec<String> = if unspaced {
                sentence.split_word_bounds().map(str::to_owned).collect()
            } else {
                sentence.split(' ').map(str::to_owned).collect()
            };
            let letters = sentence.chars().filter(|c| c.is_alphabetic()).count();
            let plain =
                !sentence.contains(MARKS) && !sentence.contains("...") && letters * 4 > sentence.chars().count() * 3;
            if plain && words.len() >= 5 && words.len() <= 45 {
                let space = if unspaced { "" } else { " " };
                found.push(Sentence { passage: index, text: sentence.to_owned(), words, space });
            }
        }
    }
    found
}

/// Cuts a paragraph at the ends of its sentences: a full stop before a capital, or an ideographic one.
fn cut(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let signs: Vec<(usize, char)> = text.char_indices().collect();
    for (at, (offset, c)) in signs.iter().enumerate() {
        let next = |ahead: usize| signs.get(at + ahead).map(|(_, c)| *c);
        let is_end = match c {
            '。' => true,
            '.' => {
                next(1) == Some(' ')
                    && next(2).is_some_and(char::is_uppercase)
                    && at.checked_sub(2).is_some_and(|b| signs[b].1.is_alphanumeric())
            }
            _ => false,
        };
        if is_end {
            found.push(text[from..offset + c.len_utf8()].trim());
            from = offset + c.len_utf8();
        }
    }
    found.push(text[from..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// The bare words of a text in lower case: what is left of it without its typography. Characters of scripts without
/// spaces are words of their own.
pub fn bare(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.nfkc().flat_map(char::to_lowercase).filter(|c| *c != '\u{ad}' && *c != '\u{200b}') {
        if !c.is_alphanumeric() {
            open = false;
        } else if matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}') {
            words.push(c.to_string());
            open = false;
        } else if open && let Some(word) = words.last_mut() {
            word.push(c);
        } else {
            words.push(c.to_string());
            open = true;
        }
    }
    words
}

/// How often the words of `part` stand in `whole` one behind the other.
pub fn occurrences(part: &str, whole: &str) -> usize {
    let (part, whole) = (bare(part), bare(whole));
    if part.is_empty() { 0 } else { whole.windows(part.len()).filter(|window| *window == part.as_slice()).count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_typography() {
        assert_eq!(bare("“Don’t” re\u{ad}fund 1.5 ﬁles—ever"), ["don", "t", "refund", "1", "5", "files", "ever"]);
        assert_eq!(bare("料金は30日"), ["料", "金", "は", "30", "日"]);
        assert_eq!(occurrences("Not, refunded", "They are not\nrefunded. Not refunded!"), 2);
        assert_eq!(occurrences("fund", "a refund"), 0);
    }

    #[test]
    fn sentences_of_prose_without_markup() {
        let page = "# Title\n\nOne **fine** [sentence](a.md) is\nhere, e.g. this one. Another `one` is there.\n\n| a | table |\n\n    code\n- an item of a list that is long enough to be kept\n";
        let found = prose(page);
        assert_eq!(found[0], "One fine sentence is\nhere, e.g. this one. Another one is there.");
        assert_eq!(found[1..], ["an item of a list that is long enough to be kept"]);
        assert_eq!(cut("It is 1.5 m, e.g. here. Then it ends."), ["It is 1.5 m, e.g. here.", "Then it ends."]);
    }

    #[test]
    fn every_language_has_texts() {
        let corpus = Corpus::read();
        for language in ["en", "de", "fr", "es", "it", "pt", "nl", "ja"] {
            let count = corpus.sentences.iter().filter(|sentence| corpus.language(sentence) == language).count();
            assert!(count >= 15, "{language}: {count}");
        }
    }
}
