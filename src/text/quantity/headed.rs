//! Units that the head of a column or row has for its cells: "Weight (kg)", "Range in km".

use std::sync::Arc;

use super::super::cursor::Cursor;
use super::super::lexicon::Unit;
use super::super::span::Span;
use super::super::table::Table;
use super::Quantity;

/// Gives the bare numbers of cells the unit that their column's head ends with, else that of their row's.
pub(crate) fn share_heads(cursor: &Cursor<'_>, tables: &[Table], found: &mut [Quantity]) {
    for table in tables {
        let unit = |head: Option<&Span>| head.and_then(|head| unit_of(cursor, *head));
        let columns: Vec<_> = table.rows.first().into_iter().flatten().map(|head| unit(Some(head))).collect();
        let rows: Vec<_> = table.rows.iter().map(|row| unit(row.first())).collect();
        let from = found.partition_point(|quantity| quantity.span.start < table.span.start);
        let inside = found.get_mut(from..).unwrap_or_default();
        for quantity in inside.iter_mut().take_while(|quantity| quantity.span.end <= table.span.end) {
            let Some((row, column)) = table.cell(quantity.span).filter(|(row, column)| *row > 0 && *column > 0) else {
                continue;
            };
            let is_whole =
                table.rows.get(row).and_then(|row| row.get(column)).is_some_and(|cell| is_alone(*cell, quantity.span));
            if !is_whole {
                continue;
            }
            // What follows a cell is another.
            quantity.counted = [None; 2];
            if quantity.unit.is_none() && quantity.per.is_none() && !quantity.scaled {
                let own = |units: &[Option<Arc<Unit>>], at: usize| units.get(at).cloned().flatten();
                quantity.unit = own(&columns, column).or_else(|| own(&rows, row));
            }
        }
    }
}

/// Whether a cell holds nothing beside the number but a sign or two.
const fn is_alone(cell: Span, number: Span) -> bool {
    const SIGNS: usize = 3;
    cell.end - cell.start <= number.end - number.start + SIGNS
}

/// The unit at the end of a head: in brackets, behind a comma, or behind "in".
fn unit_of(cursor: &Cursor<'_>, head: Span) -> Option<Arc<Unit>> {
    let written = head.of(cursor.text);
    let inside = written.trim_end_matches([')', ']']);
    let from = match inside.len() < written.len() {
        true => inside.rfind(['(', '['])? + 1,
        false => [", ", " in "].iter().filter_map(|sign| Some(inside.rfind(sign)? + sign.len())).max()?,
    };
    let start = head.start + from + (inside.get(from..)?.len() - inside.get(from..)?.trim_start().len());
    let end = head.start + inside.trim_end().len();
    let at = cursor.tokens.partition_point(|token| token.span.start < start);
    let units = &cursor.lexicon.units;
    let symbol = units.symbols.starting_at(cursor.text, cursor.tokens, at).filter(|found| found.span.end == end);
    symbol
        .or_else(|| units.names.starting_at(cursor.text, cursor.tokens, at).filter(|found| found.span.end == end))
        .map(|found| found.meaning)
}
