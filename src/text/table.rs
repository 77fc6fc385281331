//! Tables of a text: their rows and cells, and which words head a cell.
//!
//! A table that is written with tabs, commas, columns of spaces or HTML is first put into one with bars of the same length, byte for
//! byte ([`piped`]), so that everything else knows one kind alone.

use std::ops::Range;

use super::span::Span;

/// Rows of a table that are read, and cells of a row.
const MOST_ROWS: usize = 2000;
const MOST_CELLS: usize = 100;

/// A table with bars between its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// From its first row to its last.
    pub span: Span,
    /// The line before it, where that stands right above.
    pub caption: Option<Span>,
    /// Its rows, each with its cells, trimmed; a line of dashes is no row.
    pub rows: Box<[Box<[Span]>]>,
}

impl Table {
    /// Row and column of the cell that a span stands in.
    #[must_use]
    pub fn cell(&self, span: Span) -> Option<(usize, usize)> {
        let row = self.rows.partition_point(|row| row.last().is_some_and(|cell| cell.end < span.end));
        let column = self.rows.get(row)?.iter().position(|cell| cell.contains(span))?;
        Some((row, column))
    }

    /// The cell that heads a column, where a row of heads stands above this row.
    #[must_use]
    pub fn column_head(&self, row: usize, column: usize) -> Option<Span> {
        self.rows.first().filter(|_| row > 0)?.get(column).copied()
    }

    /// The cell that heads a row, where the column is another.
    #[must_use]
    pub fn row_head(&self, row: usize, column: usize) -> Option<Span> {
        self.rows.get(row)?.first().copied().filter(|_| column > 0)
    }

    /// The cells that head rows and columns, the corner left out.
    pub fn heads(&self) -> impl Iterator<Item = Span> {
        let columns = self.rows.first().into_iter().flat_map(|row| row.iter().skip(1));
        columns.chain(self.rows.iter().skip(1).filter_map(|row| row.first())).copied()
    }

    /// What belongs to every cell: the caption and the corner.
    pub fn shared(&self) -> impl Iterator<Item = Span> {
        self.caption.into_iter().chain(self.rows.first().and_then(|row| row.first()).copied())
    }
}

/// The tables with bars in a text, in order: two rows or more that follow each other, of two cells or more.
#[must_use]
pub fn tables(text: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    if !text.contains('|') {
        return tables;
    }
    let (mut rows, mut span) = (Vec::new(), Span::new(0, 0));
    let (mut caption, mut before): (Option<Span>, Option<Span>) = (None, None);
    let mut close = |rows: &mut Vec<Box<[Span]>>, span: Span, caption: Option<Span>| {
        if rows.len() > 1 {
            tables.push(Table { span, caption, rows: std::mem::take(rows).into_boxed_slice() });
        }
        rows.clear();
    };
    for line in lines(text) {
        match cells(text, line.clone()) {
            Some(cells) if rows.len() < MOST_ROWS => {
                if rows.is_empty() {
                    (caption, span) = (before, Span::new(line.start, line.end));
                }
                span.end = line.end;
                let is_rule =
                    cells.iter().all(|cell| cell.of(text).chars().all(|c| matches!(c, '-' | ':' | '=' | ' ')));
                if !is_rule {
                    rows.push(cells);
                }
            }
            _ => {
                close(&mut rows, span, caption);
                let trimmed = trimmed(text, line.clone());
                // An empty line may stand between a caption and its table.
                if !trimmed.is_empty() || before.is_some_and(|before| line.start > before.end + 2) {
                    before = (!trimmed.is_empty()).then_some(trimmed);
                }
            }
        }
    }
    close(&mut rows, span, caption);
    tables
}

/// The cells of a line with bars.
fn cells(text: &str, line: Range<usize>) -> Option<Box<[Span]>> {
    let written = text.get(line.clone())?;
    if !written.contains('|') {
        return None;
    }
    let mut bars = written
        .match_indices('|')
        .map(|(at, _)| line.start + at)
        .filter(|at| !text.get(..*at).is_some_and(|before| before.ends_with('\\')));
    let mut cells = Vec::new();
    let mut start = line.start;
    loop {
        let bar = bars.next();
        cells.push(trimmed(text, start..bar.unwrap_or(line.end)));
        match bar {
            Some(at) if cells.len() < MOST_CELLS => start = at + 1,
            _ => break,
        }
    }
    // Bars at both ends open and close a row.
    if written.trim_start().starts_with('|') {
        cells.remove(0);
    }
    if written.trim_end().ends_with('|') && cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    (cells.len() > 1).then(|| cells.into_boxed_slice())
}

/// The lines of a text without their ends.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    })
}

fn trimmed(text: &str, range: Range<usize>) -> Span {
    let written = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (written.len() - written.trim_start().len());
    Span::new(start, (start + written.trim().len()).min(range.end.max(start)))
}

/// The text with bars in place of what parts the cells of tables without bars, byte for byte; `None` where it has no such table.
#[must_use]
pub fn piped(text: &str) -> Option<String> {
    const LEAST_ROWS: usize = 2;
    if memchr::memchr(b'\n', text.as_bytes()).is_none() || !(text.contains(['\t', ',', ';']) || text.contains("  ")) {
        return None;
    }
    let all: Vec<Range<usize>> = lines(text).collect();
    let mut bars: Vec<usize> = Vec::new();
    for separator in
        [Separator::Tab, Separator::Semicolon, Separator::Comma, Separator::CommaAndSpace, Separator::Spaces]
    {
        let mut at = 0;
        while let Some(first) = all.get(at) {
            let head = separator.places(text, first.clone());
            if head.is_empty() || !separator.may_head(text, first.clone(), &head) {
                at += 1;
                continue;
            }
            let rows = all.iter().skip(at + 1).map(|line| separator.places(text, line.clone()));
            let rows: Vec<Vec<usize>> =
                rows.take_while(|places| separator.fits(places.len(), head.len())).take(MOST_ROWS).collect();
            let count = rows.len() + 1;
            let lines = || all.get(at + 1..at + count).unwrap_or_default();
            if count >= LEAST_ROWS && (separator != Separator::CommaAndSpace || are_figures(text, lines())) {
                bars.extend(head.into_iter().chain(rows.into_iter().flatten()));
                at += count;
            } else {
                at += 1;
            }
        }
        if !bars.is_empty() {
            break;
        }
    }
    if bars.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for bar in bars {
        if let Some(byte) = bytes.get_mut(bar) {
            *byte = b'|';
        }
    }
    String::from_utf8(bytes).ok()
}

/// What parts the cells of a table without bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    Tab,
    Semicolon,
    Comma,
    /// A comma with a space behind it, as prose has it: only where the rows are short and have figures.
    CommaAndSpace,
    /// Two spaces or more.
    Spaces,
}

impl Separator {
    /// Where it stands in a line: of several spaces the second, so that the cells keep their distance.
    fn places(self, text: &str, line: Range<usize>) -> Vec<usize> {
        let bytes = text.as_bytes().get(line.clone()).unwrap_or_default();
        // It has its bars.
        if memchr::memchr(b'|', bytes).is_some() {
            return Vec::new();
        }
        let sign = match self {
            Separator::Tab => b'\t',
            Separator::Semicolon => b';',
            Separator::Comma | Separator::CommaAndSpace => b',',
            Separator::Spaces => {
                let written = text.get(line.clone()).unwrap_or_default();
                let indent = written.len() - written.trim_start().len();
                let inside = indent..written.trim_end().len();
                let is_gap = |at: &usize| {
                    bytes.get(at.wrapping_sub(1)) == Some(&b' ')
                        && bytes.get(*at) == Some(&b' ')
                        && at.checked_sub(2).and_then(|before| bytes.get(before)).is_some_and(|byte| {
                            // Some put two spaces behind a sentence.
                            !matches!(byte, b' ' | b'.' | b'?' | b'!' | b':' | b'"')
                        })
                };
                return inside.filter(is_gap).map(|at| line.start + at).collect();
            }
        };
        let mut quoted = false;
        let mut places = Vec::new();
        for (at, byte) in bytes.iter().enumerate() {
            quoted ^= *byte == b'"' && self != Separator::Tab;
            if *byte == sign && !quoted {
                let is_spaced = bytes.get(at + 1) == Some(&b' ');
                match self {
                    // Prose has a space behind its commas.
                    Separator::Comma | Separator::Semicolon if is_spaced => return Vec::new(),
                    Separator::CommaAndSpace if !is_spaced => continue,
                    _ => {}
                }
                places.push(line.start + at);
            }
        }
        places
    }

    /// Whether a line may head a table: of commas only where no cell is a part of a number.
    fn may_head(self, text: &str, line: Range<usize>, places: &[usize]) -> bool {
        if matches!(self, Separator::Tab | Separator::Spaces) {
            return true;
        }
        let first = text.get(line.start..places.first().copied().unwrap_or(line.end)).unwrap_or_default();
        let ends = text.get(line).unwrap_or_default().trim_end();
        first.contains(char::is_alphabetic) && !first.contains(char::is_numeric) && !ends.ends_with(['.', ':', ','])
    }

    /// Whether a line with so many separators may follow a head with so many.
    fn fits(self, count: usize, head: usize) -> bool {
        match self {
            // A cell may be empty, and a head too.
            Separator::Spaces => count > 0 && count.abs_diff(head) <= 1,
            _ => count == head,
        }
    }
}

/// Whether two lines or more are rows of a table rather than prose: each has a cell that is a number alone, and none is long.
fn are_figures(text: &str, lines: &[Range<usize>]) -> bool {
    const LONGEST_CELL: usize = 40;
    let is_figure = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit()) && !cell.contains(char::is_whitespace);
    lines.len() > 1
        && lines.iter().all(|line| {
            let cells = || text.get(line.clone()).unwrap_or_default().split(", ").map(str::trim);
            cells().any(is_figure) && cells().all(|cell| cell.len() <= LONGEST_CELL)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Vec<Vec<String>>> {
        let piped = piped(text).unwrap_or_else(|| text.to_owned());
        assert_eq!(piped.len(), text.len(), "{text:?}");
        let cell = |cell: &Span| cell.of(&piped).to_owned();
        let row = |row: &[Span]| row.iter().map(cell).collect();
        tables(&piped).iter().map(|table| table.rows.iter().map(|cells| row(cells)).collect()).collect()
    }

    #[test]
    fn every_way_to_write_a_table_gives_the_same_cells() {
        let want = [[["Item", "2021", "2022"], ["Net income", "$87 m", "$64 m"], ["Cash", "$12 m", "$15 m"]]];
        for text in [
            "| Item | 2021 | 2022 |\n|---|---:|---|\n| Net income | $87 m | $64 m |\n| Cash | $12 m | $15 m |",
            "Item | 2021 | 2022\n--- | --- | ---\nNet income | $87 m | $64 m\nCash | $12 m | $15 m",
            "Before it.\n\nItem\t2021\t2022\nNet income\t$87 m\t$64 m\nCash\t$12 m\t$15 m\nBehind it.",
            "Item,2021,2022\nNet income,$87 m,$64 m\nCash,$12 m,$15 m\n",
            "Item;2021;2022\r\nNet income;$87 m;$64 m\r\nCash;$12 m;$15 m\r\n",
            "Item         2021    2022\nNet income   $87 m   $64 m\nCash         $12 m   $15 m",
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn prose_is_no_table() {
        for text in [
            "First, it opens.\nThen, it closes.",
            "It holds 1,234 people\nand 5,678 cars.",
            "1,234\n5,678",
            "One line | another",
            "It opens.  It closes.\nIt shuts.  It locks.",
            "a || b\nnothing",
            "Call us,\nplease,",
        ] {
            assert_eq!(read(text), Vec::<Vec<Vec<String>>>::new(), "{text}");
        }
    }

    #[test]
    fn a_cell_knows_its_heads() {
        let text = "($ in millions)\n\n| Item | 2021 |\n|---|---|\n| Cash | 12 |\n";
        let table = &tables(text)[0];
        let at = text.find("12").expect("there");
        let (row, column) = table.cell(Span::new(at, at + 2)).expect("a cell");
        assert_eq!((row, column), (1, 1));
        assert_eq!(table.column_head(row, column).map(|head| head.of(text)), Some("2021"));
        assert_eq!(table.row_head(row, column).map(|head| head.of(text)), Some("Cash"));
        assert_eq!(table.shared().map(|span| span.of(text)).collect::<Vec<_>>(), ["($ in millions)", "Item"]);
        assert_eq!(table.heads().map(|span| span.of(text)).collect::<Vec<_>>(), ["2021", "Cash"]);
        assert_eq!(table.cell(Span::new(0, 2)), None);
    }
}
