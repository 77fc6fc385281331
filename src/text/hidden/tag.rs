//! Tags and comments of HTML, and how they show the text inside of them.

use super::colour::Colour;
use super::{How, Page};
use crate::text::Span;

/// What a tag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `<!-- … -->`, a declaration or an instruction: nothing of it is shown.
    Comment,
    /// `<p …>`
    Opening,
    /// `</p>`
    Closing,
}

/// A tag, or a comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'t> {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// As written; empty for a comment.
    pub(super) name: &'t str,
    /// What stands between the name and the closing sign, and where it begins.
    attributes: (&'t str, usize),
}

/// Reads tags, and stops reading where too many of them have no end.
pub(super) struct Reader<'t> {
    text: &'t str,
    page: Page,
    /// How many tags without an end may still be looked at.
    endless: u32,
}

impl<'t> Reader<'t> {
    pub(super) const fn new(text: &'t str, page: Page) -> Self {
        Self { text, page, endless: 64 }
    }

    /// The tag or comment that begins at `at`, where one does.
    pub(super) fn read(&mut self, at: usize) -> Option<Tag<'t>> {
        let rest = self.text.get(at..)?.strip_prefix('<')?;
        let comment = |length: usize| Tag {
            kind: Kind::Comment,
            start: at,
            end: at + 1 + length,
            name: "",
            attributes: ("", at),
        };
        if let Some(inside) = rest.strip_prefix("!--") {
            return Some(comment(3 + self.comment(inside, at)));
        }
        let (kind, named) = match rest.strip_prefix('/') {
            Some(named) => (Kind::Closing, named),
            None => (Kind::Opening, rest),
        };
        let declares = rest
            .strip_prefix(['!', '?'])
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '['));
        if !declares && !named.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        if self.endless == 0 {
            return None;
        }
        if declares {
            let length = rest.find('>');
            self.endless -= u32::from(length.is_none());
            return length.map(|length| comment(length + 1));
        }
        let length = named.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(named.len());
        let (name, behind) = named.split_at_checked(length)?;
        // "<https://…>" and "<a@b.example>" are addresses.
        if !behind.starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/')) {
            return None;
        }
        let Some(closing) = closing_sign(behind) else {
            self.endless -= 1;
            return None;
        };
        let start = at + 1 + (rest.len() - behind.len());
        Some(Tag { kind, start: at, end: start + closing + 1, name, attributes: (behind.get(..closing)?, start) })
    }

    /// The length of a comment behind its opening. One without an end reaches to the end of the text, or of its paragraph where it begins
    /// inside of a line, or the text was cut from a page.
    fn comment(&self, inside: &str, at: usize) -> usize {
        if let Some(length) = [">", "->"].into_iter().find(|end| inside.starts_with(end)).map(str::len) {
            return length;
        }
        let mut ends = memchr::memmem::find_iter(inside.as_bytes(), "--").filter_map(|end| {
            let behind = inside.get(end + 2..)?;
            [">", "!>"].into_iter().find(|close| behind.starts_with(close)).map(|close| end + 2 + close.len())
        });
        ends.next().unwrap_or_else(|| {
            let before = self.text.get(..at).unwrap_or_default();
            let begins_a_line = before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty());
            let paragraph =
                if begins_a_line && self.page == Page::Answer { None } else { super::blank_line(inside, 0) };
            paragraph.unwrap_or(inside.len())
        })
    }
}

/// Where the sign stands that closes a tag: not in a value in quotation marks.
fn closing_sign(attributes: &str) -> Option<usize> {
    let bytes = attributes.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'>', b'=', bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'>') {
            return Some(at);
        }
        at += 1;
        at += bytes.get(at..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if let Some(quote @ (b'"' | b'\'')) = bytes.get(at).copied() {
            at += 1;
            at += memchr::memchr(quote, bytes.get(at..)?)? + 1;
        }
    }
}

/// An attribute: its name, and its value with the place of it in the text.
type Attribute<'t> = (&'t str, &'t str, Span);

/// The attributes of a tag, in order.
struct Attributes<'t> {
    text: &'t str,
    at: usize,
    offset: usize,
}

impl<'t> Iterator for Attributes<'t> {
    type Item = Attribute<'t>;

    fn next(&mut self) -> Option<Attribute<'t>> {
        let is_gap = |c: char| c.is_ascii_whitespace() || c == '/';
        let rest = self.text.get(self.at..)?;
        self.at += rest.len() - rest.trim_start_matches(is_gap).len();
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        // A stray sign at the beginning is part of the name.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length =
            rest.get(first..)?.find(|c: char| is_gap(c) || c == '=').map_or(rest.len(), |length| first + length);
        let name = rest.get(..length)?;
        self.at += length;
        let behind = self.text.get(self.at..)?;
        let spaces = behind.len() - behind.trim_start().len();
        let Some(given) = behind.trim_start().strip_prefix('=') else {
            return Some((name, "", Span::new(self.offset + self.at, self.offset + self.at)));
        };
        self.at += spaces + 1 + (given.len() - given.trim_start().len());
        let given = given.trim_start();
        let (value, start, length) = match given.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            Some(quote) => {
                let inside = given.get(1..).unwrap_or_default();
                let length = inside.find(quote).unwrap_or(inside.len());
                (inside.get(..length)?, self.at + 1, (length + 2).min(given.len()))
            }
            None => {
                let length = given.find(|c: char| c.is_ascii_whitespace()).unwrap_or(given.len());
                (given.get(..length)?, self.at, length)
            }
        };
        self.at += length;
        let start = self.offset + start;
        Some((name, value, Span::new(start, start + value.len())))
    }
}

impl<'t> Tag<'t> {
    fn attributes(&self) -> Attributes<'t> {
        Attributes { text: self.attributes.0, at: 0, offset: self.attributes.1 }
    }

    fn is(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }

    /// Whether the element has no text.
    pub(super) fn is_void(&self) -> bool {
        const VOID: [&str; 14] = [
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
            "wbr",
        ];
        self.is(&VOID)
    }

    /// Whether it is written as if it had none: `<cite id="a"/>`.
    pub(super) fn closes_itself(&self) -> bool {
        self.attributes.0.ends_with('/')
    }

    /// Whether it begins a block of its own.
    pub(super) fn is_block(&self) -> bool {
        self.is(&BLOCKS)
    }

    /// Whether Markdown closes the element with the paragraph that it stands in.
    pub(super) fn is_inline(&self) -> bool {
        self.is(&["p"]) || !(self.is_block() || self.is(&UNSHOWN))
    }

    /// Whether its opening closes an element that is open: a paragraph, a list item, a row or a cell.
    pub(super) fn ends(&self, open: &str) -> bool {
        const PARTS: [(&[&str], &[&str]); 5] = [
            (&["li"], &["li"]),
            (&["dt", "dd"], &["dt", "dd"]),
            (&["td", "th"], &["td", "th", "tr"]),
            (&["tr"], &["tr"]),
            (&["option"], &["option"]),
        ];
        let is = |names: &[&str]| names.iter().any(|name| open.eq_ignore_ascii_case(name));
        (is(&["p"]) && self.is_block()) || PARTS.iter().any(|(inner, outer)| is(inner) && self.is(outer))
    }

    /// What an image shows in its absence.
    pub(super) fn alternative(&self) -> Option<&'t str> {
        self.attributes().find(|(name, _, _)| name.eq_ignore_ascii_case("alt")).map(|(_, value, _)| value)
    }

    /// Attributes with prose in them, which at best a pointer that rests on the element brings up. What an image shows in its absence is
    /// for the reader.
    pub(super) fn asides(&self) -> impl Iterator<Item = Span> + use<'t> {
        const FOR_OTHERS: [&str; 6] = ["title", "placeholder", "content", "summary", "value", "label"];
        let is_area = self.is(&["area"]);
        self.attributes().filter_map(move |(name, value, span)| {
            let is_alternative = name.eq_ignore_ascii_case("alt") && !is_area;
            let is_known =
                FOR_OTHERS.iter().any(|known| name.eq_ignore_ascii_case(known)) || starts_with(name, "aria-");
            (!is_alternative && (is_known && says_more_than_a_word(value) || is_prose(value))).then_some(span)
        })
    }
}

/// Whether a value is more than a keyword: several words, or one with a figure.
fn says_more_than_a_word(value: &str) -> bool {
    value.contains(|c: char| c.is_whitespace() || c.is_numeric())
}

/// Whether a value is a sentence rather than a list of ids.
fn is_prose(value: &str) -> bool {
    const WORDS: usize = 4;
    let is_word = |word: &&str| word.chars().all(|c| c.is_alphabetic() || c == '\'');
    value.split_whitespace().nth(WORDS - 1).is_some() && value.split_whitespace().filter(is_word).count() >= WORDS - 1
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix))
}

/// Elements that begin a block of their own.
const BLOCKS: [&str; 37] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
    "ul",
];

/// Elements whose text a browser does not show.
const UNSHOWN: [&str; 15] = [
    "template", "script", "style", "noscript", "noembed", "noframes", "head", "title", "datalist", "iframe", "object",
    "audio", "video", "canvas", "rp",
];

/// How the text of an element is shown. What takes text away holds for everything inside; the rest an inner element may set anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Shape {
    gone: Option<How>,
    is_invisible: bool,
    is_tiny: bool,
    /// Where one is set.
    colour: Option<Colour>,
    ground: Option<Colour>,
    /// Whether a class may set a ground that nobody here knows.
    is_styled: bool,
}

impl Shape {
    /// Why a reader does not read the text, where that is so.
    pub(super) fn hides(&self) -> Option<How> {
        let fades = self.colour.is_some_and(|colour| colour.is_lost_on(self.ground.unwrap_or(Colour::WHITE)));
        if self.is_invisible || self.is_tiny || (fades && !self.is_styled) { Some(How::Unshown) } else { self.gone }
    }

    fn take(&mut self, how: How) {
        self.gone = Some(self.gone.map_or(how, |gone| gone.min(how)));
    }

    /// The shape of the text inside of an element.
    pub(super) fn within(self, tag: &Tag<'_>, page: Page) -> Self {
        const STRUCK: [&str; 3] = ["del", "s", "strike"];
        let mut shape = self;
        let (is_cut_out, ground) = (page == Page::Passage, self.ground);
        if (tag.is(&UNSHOWN) && !(is_cut_out && tag.is(&["noscript"])))
            || (tag.is(&["dialog"]) && !tag.attributes().any(|(name, ..)| name.eq_ignore_ascii_case("open")))
        {
            shape.take(How::Unshown);
        }
        if tag.is(&STRUCK) {
            shape.take(How::Struck);
        }
        for (name, value, _) in tag.attributes() {
            match name.to_ascii_lowercase().as_str() {
                "hidden" => shape.take(How::Unshown),
                "class" if hides(value) && !(is_cut_out && comes_up(value)) => shape.take(How::Unshown),
                "class" => shape.is_styled |= is_cut_out,
                "color" => shape.colour = Colour::read(&value.to_ascii_lowercase()).or(shape.colour),
                "bgcolor" => shape.ground = Colour::read(&value.to_ascii_lowercase()).or(shape.ground),
                "style" => shape.style(value, page),
                _ => {}
            }
        }
        shape.is_styled &= shape.ground == ground;
        shape
    }

    /// Takes the declarations of a style in.
    fn style(&mut self, style: &str, page: Page) {
        let style = without_comments(&style.to_ascii_lowercase());
        let fades_in = page == Page::Passage && ["animation", "transition"].iter().any(|moves| style.contains(moves));
        let (mut is_cut, mut is_small) = (false, false);
        for declaration in style.split(';') {
            let Some((property, value)) = declaration.split_once(':') else { continue };
            let value = value.trim().trim_end_matches("!important").trim();
            let size = || Size::read(value);
            match property.trim() {
                "display" if value == "none" => self.take(How::Unshown),
                "content-visibility" if value == "hidden" => self.take(How::Unshown),
                "visibility" => self.is_invisible = matches!(value, "hidden" | "collapse"),
                "opacity"
                    if !fades_in
                        && size().is_some_and(|size| size.value < if size.unit == "%" { 5.0 } else { 0.05 }) =>
                {
                    self.take(How::Unshown);
                }
                "font-size" => self.is_tiny = size().map_or(self.is_tiny, |size| size.is_tiny(self.is_tiny)),
                "font" => {
                    let mut sizes = value.split([' ', '/']).filter_map(Size::read);
                    self.is_tiny = sizes.next().map_or(self.is_tiny, |size| size.is_tiny(self.is_tiny));
                }
                "color" | "-webkit-text-fill-color" => self.colour = Colour::read(value).or(self.colour),
                "background" | "background-color" => self.ground = Colour::read(value).or(self.ground),
                "text-decoration" | "text-decoration-line" if value.contains("line-through") => self.take(How::Struck),
                "text-indent" | "left" | "right" | "top" | "bottom" | "margin-left" | "margin-top"
                    if size().is_some_and(|size| size.value <= -99.0) =>
                {
                    self.take(How::Unshown);
                }
                "clip" if value.starts_with("rect(") && Size::all(value).all(|size| size.value <= 1.0) => {
                    self.take(How::Unshown)
                }
                "clip-path"
                    if value.starts_with("inset(")
                        && Size::all(value).next().is_some_and(|size| size.value >= 50.0) =>
                {
                    self.take(How::Unshown);
                }
                "transform" if ["scale(0)", "scalex(0)", "scaley(0)"].iter().any(|none| value.contains(none)) => {
                    self.take(How::Unshown);
                }
                "filter" if value.contains("opacity(0)") || value.contains("opacity(0%)") => self.take(How::Unshown),
                "overflow" | "overflow-x" | "overflow-y" => is_cut |= matches!(value, "hidden" | "clip"),
                "width" | "height" | "max-width" | "max-height" => {
                    is_small |= size().is_some_and(|size| size.value <= 1.0)
                }
                _ => {}
            }
        }
        if is_cut && is_small {
            self.take(How::Unshown);
        }
    }
}

/// Whether a class is one of those that hide their element.
fn hides(classes: &str) -> bool {
    const CLASSES: [&str; 6] = ["sr-only", "visually-hidden", "screen-reader-text", "d-none", "hidden", "invisible"];
    classes.split_whitespace().any(|class| CLASSES.contains(&class))
}

/// Whether another class shows the element all the same: on a wide screen (`md:block`), or by a click (`accordion-content`).
fn comes_up(classes: &str) -> bool {
    const OPENED: [&str; 11] =
        ["accordion", "collaps", "dropdown", "tab", "panel", "toggle", "details", "modal", "faq", "expand", "popover"];
    const SHOWN: [&str; 8] = ["block", "flex", "grid", "inline", "table", "visible", "not-sr-only", "contents"];
    classes.split_whitespace().any(|class| {
        let variant = class.rsplit_once([':', '-']).is_some_and(|(screen, shows)| {
            SHOWN.iter().any(|shown| shows.starts_with(shown)) && (class.contains(':') || screen.starts_with("d-"))
        });
        variant || OPENED.iter().any(|opened| class.contains(opened))
    })
}

/// A number with its unit, as styles have it.
struct Size<'v> {
    value: f64,
    unit: &'v str,
}

impl<'v> Size<'v> {
    fn read(text: &'v str) -> Option<Self> {
        let length = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+')).unwrap_or(text.len());
        let (number, unit) = text.split_at_checked(length)?;
        Some(Self { value: number.parse().ok()?, unit: unit.trim() })
    }

    /// The numbers of a function's arguments.
    fn all(value: &'v str) -> impl Iterator<Item = Self> {
        value.split(['(', ',', ' ', ')']).filter_map(Size::read)
    }

    /// Whether letters of this size cannot be read; `around` is whether those around them cannot.
    fn is_tiny(&self, around: bool) -> bool {
        match self.unit {
            "em" => around || self.value < 0.15,
            "%" => around || self.value < 15.0,
            "rem" => self.value < 0.15,
            _ => self.value < 3.0,
        }
    }
}

fn without_comments(style: &str) -> String {
    let mut kept = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((before, behind)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    kept.push_str(rest);
    kept
}
