//! Lines of an answer that name a source: entries of a bibliography, and authors with a year in running text.

use regex::{Regex, RegexSet};

use crate::citation::Packet;
use crate::dataset::Unit;
use crate::text::lexicon::Lexicon;
use crate::text::normal::{Case, Folded};
use crate::text::word::ContentWords;
use crate::text::Span;

/// A capital letter and the letters of a class, of the languages in Latin letters: all letters of Unicode would make the patterns many
/// times as large.
const CAPITAL: &str = "[A-ZÀ-ÖØ-ÞĀ-Ž]";
const LETTERS: &str = "A-Za-zÀ-ɏ";

/// Where an entry begins: a bullet, a number, a bracket.
const LEAD: &str = r"^\s*(?:[-*+•–]\s+|\(?\[?\^?\d{1,3}\]?[.:)]*\s+|【\d{1,3}】\s*)?";

/// An author as a list of references has him: "Author, C. D., & Editor, E."
const AUTHORS: &str = concat!(
    r"(?:@U[@L'’-]+(?:\s@U[@L'’-]+)?,\s(?:@U\.[\s-]?)+(?:,\s*|;\s*|\s)*(?:(?:&|and|und|et|y|e|en)\s+)?)+",
    r"(?:et al\.?,?\s*|\.{3}\s*|…\s*)*"
);

/// Signs that a sentence or line is an entry of a bibliography and nothing else.
const FORMS: [&str; 9] = [
    // "Author, C., & Editor, E. (2012)."
    r"@LEAD@AUTHORS(?:\([@L]{2,4}\.\),?\s*)?\((?:19|20)\d\d[a-z]?(?:,\s[^)]+)?\)",
    // "Institute of Invented Ferries. (2017)."
    r"@LEAD@U[@L'’&-]*(?:\s(?:@U[@L'’&-]*|of|the|for|and|de|des|du|der|für|und|et|del|di|y|&))+\.\s\((?:(?:19|20)\d\d[a-z]?|n\.d\.|o\.\s?J\.|s\.\s?f\.)(?:,\s[^)]+)?\)\.",
    // "C. D. Author et al., “A title,”"; "C. Author and E. Editor, "A title,""
    r#"@LEAD(?:(?:@U\.[\s-]?)+@U[@L'’-]+(?:,?\s(?:and|&|und|et)\s|,\s)?)+(?:\s?et al\.)?,?\s?["“«„][^"”»“]+[,.]?["”»“][^\n]+\b(?:19|20)\d\d\b"#,
    // "Author, Full Name. "A Title." Name of a Journal, 20 May 2009"
    r#"@LEAD@U[@L'’-]+,\s@U[@L'’.-]+(?:\s@U\.)?\.\s["“«][^"”»]+[.,]["”»][^\n]+\b(?:19|20)\d\d\b"#,
    r"\[Online\]|\[(?:Last )?Accessed:?\s|\bAccessed:\s+\d|\[Zugriff am\b|\[(?:Stand|abgerufen)(?: am)?:?\s\d|\[(?:en ligne|en línea|em linha)\]",
    r"(?:^|[.,)]\s)(?:Retrieved|Accessed)\s(?:(?:on\s)?@U[@L]+\s\d{1,2},\s\d{4}|\d{1,2}\s@U[@L]+\s\d{4}|from:?\s(?:https?:|www\.))",
    r"(?:^|[.,)]\s)(?:Abgerufen am|Verfügbar unter|Zuletzt aufgerufen am|Consulté le|Disponible (?:en|sur|à)|Recuperado (?:de|el)|Consultado (?:el|em)|Disponível em|Consultato il|Disponibile (?:su|a)|Geraadpleegd op)\s?:?\s?(?:\d|https?:|www\.)",
    // "A Name of a Journal, vol. 13, no. 2, pp. 309-332, 2001"
    r"(?i-u:\bvol\.\s?\d+,?\s(?:no\.\s?\d+,?\s)?(?:pp?\.\s?\d+))|(?i-u:\bvol\.\s?\d+,\sno\.\s?\d+)|,\s(?:Bd|Jg)\.\s\d+,\sS\.\s\d+",
    r#"@LEAD["“][^"“”]+[,.]?["”][.,]?\s(?:In\s)?Wikipedia\b[^\n]*$|\bN\.p\.,\s(?:\d|n\.d\.)|\bWeb\.\s\d{1,2}\s@U[@L]+\.?\s\d{4}"#,
];

/// Authors with a year in running text: "(Author et al., 2020)", "Author and Editor (2019)", "(Author, 2020)".
const IN_TEXT: [&str; 3] = [
    r"\((?:(?i:see|e\.g\.,?|cf\.|vgl\.|siehe|voir)\s+)?(?P<author>@U[@L'’-]+)(?:\s+(?:et al\.?|u\. ?a\.|y col\.|e col\.|e altri)|,?\s+(?:&|and|und|et|y|e|en)\s+@U[@L'’-]+(?:\s+et al\.?)?),?\s+\(?(?P<year>(?:1[89]|20)\d\d)[a-z]?(?:[,:;][^()]*)?\)",
    r"(?P<author>@U[@L'’-]+)\s+et al\.?,?\s+\((?P<year>(?:1[89]|20)\d\d)[a-z]?(?:,\s[^()]*)?\)",
    r"\((?P<author>@U[@L'’-]+),\s+(?P<year>(?:19|20)\d\d)[a-z]?(?:,\sp{1,2}\.\s?\d[^()]*)?\)",
];

/// Patterns for entries, compiled.
pub(super) struct Entries {
    forms: RegexSet,
    in_text: Vec<Regex>,
}

/// A line or a mention that names a source.
pub(super) struct Entry {
    pub(super) span: Span,
    /// Its text without markers.
    pub(super) text: String,
    /// Whether it is an entry and nothing else could be meant.
    pub(super) certain: bool,
    /// Author and year, of a mention in running text.
    mention: Option<(String, String)>,
}

impl Entries {
    /// Compiles the patterns.
    pub(super) fn new() -> Result<Self, regex::Error> {
        let full = |form: &&str| {
            let whole = form.replace("@LEAD", LEAD).replace("@AUTHORS", AUTHORS);
            whole.replace("@U", CAPITAL).replace("@L", LETTERS)
        };
        Ok(Self {
            forms: RegexSet::new(FORMS.iter().map(full))?,
            in_text: IN_TEXT.iter().map(|form| Regex::new(&full(form))).collect::<Result<_, _>>()?,
        })
    }

    /// The entries of the answer: the lines under its "Sources:", lines and sentences in the form of one, and authors with a year that
    /// are no marker.
    pub(super) fn read(&self, packet: &Packet<'_>, answer: &str) -> Vec<Entry> {
        let mut entries = listed(packet, answer);
        let listed: Vec<Span> = packet.reference_entries.iter().map(|span| Span::from(span.clone())).collect();
        let is_free = |span: Span, taken: &[Span]| {
            let after = taken.partition_point(|other| other.start < span.end);
            !after.checked_sub(1).and_then(|at| taken.get(at)).is_some_and(|other| other.overlaps(span))
        };
        let mut at = 0;
        for line in answer.split_inclusive('\n') {
            let span = Span::new(at, at + line.trim_end().len());
            at += line.len();
            if span.is_empty() || !is_free(span, &listed) {
                continue;
            }
            // Prose goes before an entry in the same line, and behind it, in its own sentences; a line of a list is one entry.
            let sentences = packet.analysis.sentences(answer);
            let from = sentences.partition_point(|sentence| sentence.span.end <= span.start);
            let inside = sentences.get(from..).unwrap_or_default().iter().map(|sentence| sentence.span);
            let parts: Vec<Span> = inside.take_while(|sentence| sentence.start < span.end).collect();
            let whole = bare(packet, answer, span);
            if self.is_entry(&whole) && self.is_item(&whole) {
                entries.push(Entry { span, text: whole, certain: true, mention: None });
                continue;
            }
            for part in parts {
                // An entry has full stops inside; from where it begins, the rest of the line is its.
                let end = answer.floor_char_boundary(span.end.min(part.start + LONGEST_ENTRY));
                let rest = Span::new(part.start, end);
                let text = bare(packet, answer, rest);
                if self.begins(&text) {
                    entries.push(Entry { span: rest, text, certain: true, mention: None });
                    break;
                }
                if !self.is_entry(&bare(packet, answer, part)) {
                    continue;
                }
                // "[Accessed: 9 May 2021]." belongs to what stands before it in the line.
                match entries.last_mut().filter(|last| last.span.start >= span.start) {
                    Some(last) => {
                        last.span = last.span.join(part);
                        last.text = bare(packet, answer, last.span);
                    }
                    None => {
                        let is_short = span.len() <= LONGEST_ENTRY && bare(packet, answer, part).split_whitespace().count() <= FEW;
                        let whole = if is_short { span } else { part };
                        let text = bare(packet, answer, whole);
                        entries.push(Entry { span: whole, text, certain: true, mention: None });
                    }
                }
            }
        }
        let mut taken: Vec<Span> = listed;
        taken.extend(entries.iter().map(|entry| entry.span));
        taken.extend(packet.markers.iter().map(|marker| Span::from(marker.span.clone())));
        taken.sort_unstable();
        for (number, form) in self.in_text.iter().enumerate() {
            for found in form.captures_iter(answer) {
                let (Some(whole), Some(author), Some(year)) = (found.get(0), found.name("author"), found.name("year")) else { continue };
                let span = Span::from(whole.range());
                if is_free(span, &taken) && !is_month(author.as_str(), packet.analysis.lexicon()) {
                    let mention = Some((author.as_str().to_owned(), year.as_str().to_owned()));
                    entries.push(Entry { span, text: whole.as_str().to_owned(), certain: number < 2, mention });
                }
            }
        }
        entries.sort_by_key(|entry| entry.span);
        entries
    }

    fn is_entry(&self, text: &str) -> bool {
        /// No entry is longer; what a pattern looks for stands near the beginning or the end.
        const LONGEST: usize = 2000;
        // A city of letters with a year behind it is no author.
        text.len() <= LONGEST && self.forms.is_match(text) && !text.contains("D.C.") && !text.contains("D. C.")
    }

    /// Whether a line that holds the sign of an entry is one as a whole: it is an item of a list, or begins like one.
    fn is_item(&self, line: &str) -> bool {
        line.starts_with(['-', '*', '•', '[', '【', '+', '–'])
            || line.starts_with(|c: char| c.is_ascii_digit())
            || self.begins(line)
    }

    /// Whether a text begins in the form of an entry.
    fn begins(&self, text: &str) -> bool {
        const AT_THE_BEGINNING: usize = 4;
        self.is_entry(text) && self.forms.matches(text).iter().any(|form| form < AT_THE_BEGINNING)
    }
}

/// Most words of what is only the end of an entry, or of a heading.
const FEW: usize = 3;

/// Most bytes of an entry that begins in the middle of a line.
const LONGEST_ENTRY: usize = 600;

fn is_month(word: &str, lexicon: &Lexicon) -> bool {
    lexicon.calendar.months.contains_key(crate::text::word::folded(word).as_ref())
}

/// The lines of the answer's list of sources, without the line that opens it ("Sources:").
fn listed(packet: &Packet<'_>, answer: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut before: Option<usize> = None;
    for span in packet.reference_entries.iter().map(|span| Span::from(span.clone())) {
        let goes_on = before.is_some_and(|end| answer.get(end..span.start).is_some_and(|gap| !gap.contains("\n\n\n") && !gap.contains(char::is_alphanumeric)));
        let text = bare(packet, answer, span);
        let opens = text.ends_with([':', '：']) || (!goes_on && text.split_whitespace().count() <= FEW);
        if !opens && text.chars().any(char::is_alphanumeric) {
            let certain = is_full(&text);
            // A sentence in a footnote explains; it names no source.
            if !certain && text.ends_with(['.', '!', '?', '。']) && text.split_whitespace().count() > 2 * FEW {
                continue;
            }
            entries.push(Entry { span, text, certain, mention: None });
        }
        before = Some(span.end);
    }
    entries
}

/// Whether an entry has what identifies a source: a year, a title set apart, an address, or mostly words with a capital.
fn is_full(text: &str) -> bool {
    let is_year = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
        digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"))
    };
    let words: Vec<&str> = text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).collect();
    let capitals = words.iter().filter(|word| word.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with(char::is_uppercase)).count();
    text.contains(['"', '“', '«', '„', '「', '『', '《', '*', '_', '/', '@'])
        || text.split_whitespace().any(is_year)
        || (words.len() > 1 && capitals * 2 >= words.len())
        || !text.is_ascii() && words.len() <= 1
}

/// A stretch of the answer without markers and space around it.
fn bare(packet: &Packet<'_>, answer: &str, span: Span) -> String {
    let from = packet.markers.partition_point(|marker| marker.span.end <= span.start);
    let mut text = String::with_capacity(span.len());
    let mut at = span.start;
    for marker in packet.markers.get(from..).unwrap_or_default().iter().take_while(|marker| marker.span.start < span.end) {
        text.push_str(answer.get(at..marker.span.start.max(at)).unwrap_or_default());
        at = marker.span.end.max(at);
    }
    text.push_str(answer.get(at..span.end.max(at)).unwrap_or_default());
    text.trim().trim_start_matches([':', '.', ',']).trim().to_owned()
}

/// What the units of the packet and the question supply, read once for all entries.
pub(super) struct Library {
    units: Vec<Shelf>,
    count: usize,
    /// Whether some unit has a name that an entry could have: a title, an address, or an id that is no number.
    pub(super) has_names: bool,
}

/// What one unit, or the question, says.
struct Shelf {
    names: Vec<String>,
    words: ContentWords,
}

impl Library {
    /// Reads the packet.
    pub(super) fn new(packet: &Packet<'_>) -> Self {
        let lexicon = packet.analysis.lexicon();
        let shelf = |texts: Vec<&str>, names: Vec<String>| {
            let words = texts.iter().fold(ContentWords::default(), |all, text| all.union(&ContentWords::read(text, lexicon)));
            Shelf { names, words }
        };
        let unit = |unit: &Unit<'_>| {
            let named = [unit.title.as_deref(), unit.canonical_uri.as_deref(), unit.source_id.as_deref(), Some(unit.id.as_ref())];
            // A bare number is the number of the entry, not the name of a source.
            let names = named.into_iter().flatten().filter(|name| name.chars().any(char::is_alphabetic)).map(plain);
            let own = [unit.source_version.as_deref(), unit.content.as_deref()];
            shelf(named.into_iter().chain(own).flatten().collect(), names.filter(|name| !name.is_empty()).collect())
        };
        let question = packet.case.query.as_deref().map(|query| shelf(vec![query], Vec::new()));
        let units: Vec<Shelf> = packet.case.units.iter().map(unit).collect();
        let has_names = units.iter().any(|unit| !unit.names.is_empty());
        let count = units.len();
        Self { units: units.into_iter().chain(question).collect(), count, has_names }
    }

    /// How many entries are looked up at most: an answer may name as many as it likes, and they are not the user's own.
    pub(super) fn affordable(&self) -> usize {
        const STEPS: usize = 50_000_000;
        STEPS / self.units.iter().map(|shelf| shelf.words.len() + 1).sum::<usize>().max(1)
    }

    /// Whether one unit has what identifies an entry: its title, address or id is in the entry, or nearly all words of the entry are in
    /// it. Of a mention, author and year.
    pub(super) fn has(&self, entry: &Entry, lexicon: &Lexicon) -> bool {
        if let Some((author, year)) = &entry.mention {
            let wanted = if entry.certain { format!("{author} {year}") } else { author.clone() };
            let wanted = ContentWords::read(&wanted, lexicon);
            let says = |shelf: &Shelf| wanted.shared_with(&shelf.words) == wanted.len();
            return self.units.iter().any(says);
        }
        let text = plain(&entry.text);
        if self.is_position(&text) {
            return true;
        }
        let words = ContentWords::read(&without_addresses(&entry.text), lexicon);
        self.units.iter().any(|shelf| {
            shelf.names.iter().any(|name| is_named(&text, name, words.len()))
                || (words.len() >= LEAST_WORDS && words.shared_with(&shelf.words) * 5 >= words.len() * 4)
        })
    }

    /// "Document 2" where the packet has two: a word for a unit and its place.
    fn is_position(&self, entry: &str) -> bool {
        const WORDS: [&str; 16] = [
            "source", "document", "doc", "context", "passage", "reference", "excerpt", "quelle", "dokument", "contexte", "fuente",
            "documento", "fonte", "bron", "file", "chunk",
        ];
        let bare = entry.trim_start_matches(|c: char| !c.is_alphabetic()).trim_end_matches(['.', ',', ')', ']']);
        let (word, number) = bare.split_at(bare.find(|c: char| !c.is_alphabetic()).unwrap_or(bare.len()));
        let number = number.trim_matches(|c: char| c.is_whitespace() || matches!(c, '[' | '#' | '_' | '('));
        WORDS.contains(&word) && number.parse::<usize>().is_ok_and(|number| number <= self.count)
    }
}

/// Fewest words of an entry that its source may have instead of a title.
const LEAST_WORDS: usize = 2;

fn plain(text: &str) -> String {
    Folded::new(text, Case::Fold).text().trim().trim_end_matches('/').to_owned()
}

/// Whether an entry holds a name as whole words. A single word must be a good part of the entry: "Refunds" is in many a title.
fn is_named(entry: &str, name: &str, words: usize) -> bool {
    const SHARE: usize = 3;
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let found = entry.match_indices(name).any(|(at, found)| {
        let before = entry.get(..at).and_then(|text| text.chars().next_back());
        let after = entry.get(at + found.len()..).and_then(|text| text.chars().next());
        edge(before) && edge(after)
    });
    let is_one_word = name.chars().all(char::is_alphabetic) && !name.chars().any(crate::text::word::is_unspaced);
    found && (!is_one_word || words <= SHARE)
}

/// An entry without its addresses, which are looked for on their own.
fn without_addresses(entry: &str) -> String {
    entry.split_whitespace().filter(|word| !word.contains("://")).collect::<Vec<_>>().join(" ")
}
