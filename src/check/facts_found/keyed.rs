//! What a value of a passage is about: the words of its part of the sentence, or the heads of its row and column. "Students pay 12, seniors pay
//! 8" has two values of one kind, and a claim that seniors pay 12 has the facts of the one and the words of the other.

use super::exchange::Course;
use super::{Context, Excerpt};
use crate::check::{ClaimText, Passage};
use crate::text::lexicon::{Cue, Qualifier, role};
use crate::text::quantity::Quantity;
use crate::text::table::Table;
use crate::text::word::{Token, TokenKind, folded, hash};
use crate::text::{Analysis, Span};

/// Values of one kind that are held against the one that was found, on either side of it.
const MOST_RIVALS: usize = 30;
/// Places at which a value stands that are tried.
const MOST_PLACES: usize = 12;

/// A word that tells what a value is about.
#[derive(Clone, Copy)]
struct Key {
    hash: u64,
    span: Span,
    /// A number, a name or a letter that marks one of several: what parts two statements for certain.
    marks: bool,
    /// A number.
    counts: bool,
}

/// A text with what is known of it.
#[derive(Clone, Copy)]
struct Side<'t> {
    text: &'t str,
    analysis: &'t Analysis,
}

/// The part of a sentence that is about one value.
struct Group {
    value: Span,
    before: Vec<Key>,
    behind: Vec<Key>,
    /// Words of the groups before it, where it has no words of its own before its value: "and $10 for children".
    shared: Vec<Key>,
}

/// What the claim says of one of its values.
#[derive(Clone, Copy)]
struct About<'c> {
    /// The words that tell what it is about.
    wanted: &'c [Key],
    /// The places in the passage that have a fact of the claim.
    taken: &'c [Span],
    context: &'c Context,
    is_measured: bool,
    /// Whether the claim has one value of the kind alone.
    is_alone: bool,
    /// Whether the passage has the claim's words and facts one behind the other.
    is_verbatim: bool,
    /// Which way the claim bounds the value.
    bound: Option<Qualifier>,
}

impl Group {
    fn own(&self) -> impl Iterator<Item = Key> {
        self.before.iter().chain(&self.behind).copied()
    }

    fn all(&self) -> impl Iterator<Item = Key> {
        self.own().chain(self.shared.iter().copied())
    }
}

/// A value of the passage is about something else than the claim. Told as the end of a sentence.
pub(super) fn to_another(
    claim: ClaimText<'_>,
    passage: &Passage<'_>,
    excerpt: &Excerpt,
    context: &Context,
    course: &Course<'_>,
) -> Option<String> {
    // Without spaces no words are told apart; there a whole sentence has to say it.
    if claim.analysis.lexicon().unspaced {
        return None;
    }
    let ours = Side { text: claim.claim.text.as_ref(), analysis: claim.analysis };
    let said = Side { text: passage.text, analysis: passage.analysis };
    let [quantities, dates, identifiers] = excerpt.kinds;
    let is_verbatim = course.is_verbatim();
    let taken: Vec<Span> = excerpt.found.iter().filter_map(|(_, found)| *found).collect();
    for (at, (claimed, found)) in excerpt.found.iter().enumerate() {
        let Some(found) = *found else { continue };
        let is_measured = at < quantities;
        let (own_values, values) = match at {
            _ if is_measured => (ours.like(*claimed), said.like(found)),
            _ if at < quantities + dates => (ours.dates(), said.dates()),
            _ if at < quantities + dates + identifiers => (ours.identifiers_like(*claimed), said.identifiers_like(found)),
            _ => (ours.quotations_with(*claimed), said.quotations_with(found)),
        };
        let wanted = wanted(ours, *claimed, &own_values);
        let is_alone = own_values.len() < 2;
        let bound = ours.quantity(*claimed).and_then(|quantity| quantity.qualifier);
        let about = About { wanted: &wanted, taken: &taken, context, is_measured, is_alone, is_verbatim, bound };
        let places = if is_measured { said.same(found) } else { said.written_like(found, &values) };
        let mut doubt = None;
        for place in places.into_iter().take(MOST_PLACES) {
            match said.strayed(place, near(&values, place), &about) {
                None => {
                    doubt = None;
                    break;
                }
                found => doubt = doubt.or(found),
            }
        }
        if doubt.is_some() {
            return doubt;
        }
    }
    None
}

/// The words of the claim that are about one of its values.
fn wanted(claim: Side<'_>, value: Span, values: &[Span]) -> Vec<Key> {
    let sentences = claim.analysis.sentences(claim.text);
    if values.len() > 1
        && let Some(sentence) = sentences.iter().find(|sentence| sentence.span.contains(value))
    {
        let here: Vec<Span> = near(values, value).iter().copied().filter(|own| sentence.span.contains(*own)).collect();
        let groups = claim.groups(sentence.span, &here);
        if let Some(group) = groups.iter().find(|group| group.value == value) {
            return group.all().collect();
        }
    }
    let whole = Span::new(0, claim.text.len());
    claim.keys(whole).filter(|key| !values.iter().any(|value| value.overlaps(key.span))).collect()
}

/// The values around one of them; all are in order.
fn near(values: &[Span], value: Span) -> &[Span] {
    let at = values.partition_point(|other| other.start < value.start);
    values.get(at.saturating_sub(MOST_RIVALS)..(at + MOST_RIVALS).min(values.len())).unwrap_or_default()
}

fn has(keys: &[Key], hash: u64) -> bool {
    keys.iter().any(|key| key.hash == hash)
}

impl<'t> Side<'t> {
    fn tokens(self, span: Span) -> impl Iterator<Item = (usize, &'t Token)> {
        let tokens = self.analysis.tokens(self.text);
        let from = tokens.partition_point(|token| token.span.start < span.start);
        tokens.iter().enumerate().skip(from).take_while(move |(_, token)| token.span.end <= span.end)
    }

    /// The words of a stretch that tell what it is about.
    fn keys(self, span: Span) -> impl Iterator<Item = Key> {
        let mut is_first = true;
        self.tokens(span).filter_map(move |(at, token)| {
            let first = is_first;
            is_first &= matches!(token.kind, TokenKind::Space | TokenKind::Mark);
            self.key(at, token, first)
        })
    }

    fn key(self, at: usize, token: &Token, is_first: bool) -> Option<Key> {
        let lexicon = self.analysis.lexicon();
        let counts = token.kind == TokenKind::Digits;
        let key = |hash, marks| Some(Key { hash, span: token.span, marks, counts });
        if !matches!(token.kind, TokenKind::Word | TokenKind::Digits) {
            return None;
        }
        let content = self.analysis.hashes(self.text).get(at).copied().flatten();
        if token.kind == TokenKind::Digits {
            return content.and_then(|hash| key(hash, true));
        }
        let written = token.span.of(self.text);
        let mut letters = written.chars();
        let is_capital = letters.next().is_some_and(char::is_uppercase);
        // "Plan A", "group B": no article, and no word without content.
        if is_capital && letters.next().is_none() && !is_first {
            return key(hash(written), true);
        }
        if let Some(content) = content {
            return key(content, is_capital && !is_first && !lexicon.nouns_capitalised);
        }
        let turns = self.analysis.roles(self.text).get(at).is_some_and(|roles| roles & role::TELLING_STOP != 0);
        if turns { key(hash(&lexicon.stem(&folded(written))), false) } else { None }
    }

    fn dates(self) -> Vec<Span> {
        self.analysis.dates(self.text).iter().map(|date| date.span).collect()
    }

    /// The identifiers of the same kind as the one at a span.
    fn identifiers_like(self, span: Span) -> Vec<Span> {
        let all = self.analysis.identifiers(self.text);
        let Some(known) = all.iter().find(|identifier| identifier.span == span) else { return vec![span] };
        all.iter().filter(|identifier| identifier.kind == known.kind).map(|identifier| identifier.span).collect()
    }

    /// The quotations of the text, with the one at a span in its own bounds.
    fn quotations_with(self, span: Span) -> Vec<Span> {
        let others = self.analysis.quotations(self.text).iter().map(|quotation| quotation.span);
        let mut all: Vec<Span> = others.filter(|other| !other.overlaps(span)).chain([span]).collect();
        all.sort_unstable();
        all
    }

    /// Those of some values that are written as the one at a span, which is among them.
    fn written_like(self, found: Span, values: &[Span]) -> Vec<Span> {
        let same = |span: &Span| *span == found || span.of(self.text) == found.of(self.text);
        values.iter().copied().filter(same).collect()
    }

    fn quantity(self, span: Span) -> Option<&'t Quantity> {
        let all = self.analysis.quantities(self.text);
        let at = all.partition_point(|quantity| quantity.span.start < span.start);
        all.get(at).filter(|quantity| quantity.span == span)
    }

    /// The places of the quantities that measure the same as the one at a span, it included. A bare number at the end of a clause may measure
    /// it too: "doctors work 38 hours and nurses 35".
    fn like(self, span: Span) -> Vec<Span> {
        let Some(known) = self.quantity(span) else { return vec![span] };
        let kind = known.dimension();
        let is_bare = |other: &Quantity| {
            let rest = self.text.get(other.span.end..).unwrap_or_default().trim_start();
            other.unit.is_none() && !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '%'))
        };
        // "Port 443 for one and port 22 for the other".
        let label = self.label(span);
        let labels = |other: &Quantity| label.is_some() && self.label(other.span) == label;
        // A plain number counts the same where the same word stands behind it.
        let is_like = |other: &&Quantity| {
            let counts = || kind.is_some() || other.counted[0].is_some() && other.counted[0] == known.counted[0];
            (other.span == span || !other.restates)
                && (other.dimension() == kind && (counts() || labels(other)) || is_bare(other))
        };
        self.analysis.quantities(self.text).iter().filter(is_like).map(|quantity| quantity.span).collect()
    }

    /// The word right before a value.
    fn label(self, value: Span) -> Option<u64> {
        let tokens = self.analysis.tokens(self.text);
        let at = tokens.partition_point(|token| token.span.start < value.start);
        let before = (0..at).rev().find(|at| tokens.get(*at).is_some_and(|token| token.kind != TokenKind::Space))?;
        let is_word = tokens.get(before).is_some_and(|token| token.kind == TokenKind::Word);
        self.analysis.hashes(self.text).get(before).copied().flatten().filter(|_| is_word)
    }

    /// The places that show the same value.
    fn same(self, span: Span) -> Vec<Span> {
        let Some(known) = self.quantity(span) else { return vec![span] };
        let is_same = |other: &&Quantity| {
            other.span == span
                || other.dimension() == known.dimension() && other.base(other.number) == known.base(known.number)
        };
        self.analysis.quantities(self.text).iter().filter(is_same).map(|quantity| quantity.span).collect()
    }

    /// Why the value at `own` is about something else than what is wanted, where that shows.
    fn strayed(self, own: Span, values: &[Span], about: &About<'_>) -> Option<String> {
        let (wanted, context) = (about.wanted, about.context);
        let tables = self.analysis.tables(self.text);
        if let Some(table) = tables.iter().find(|table| table.span.contains(own)) {
            return self.strayed_in_table(table, own, about);
        }
        let sentences = self.analysis.sentences(self.text);
        let at = sentences.partition_point(|sentence| sentence.span.end <= own.start);
        let sentence = sentences.get(at)?.span;
        if !sentence.contains(own) {
            return None;
        }
        let value_of = |span: Span| self.quantity(span).map(|quantity| quantity.base(quantity.number));
        let is_rival = |span: &Span| {
            !span.overlaps(own)
                && span.of(self.text) != own.of(self.text)
                && (value_of(*span).is_none() || value_of(*span) != value_of(own))
                && !self.joined_by_a_dash(own, *span)
        };
        let here: Vec<Span> =
            values.iter().copied().filter(|value| sentence.contains(*value) && (*value == own || is_rival(value))).collect();
        let groups = self.groups(sentence, &here);
        let group = groups.iter().find(|group| group.value == own)?;
        let all: Vec<Key> = group.all().collect();
        for rival in groups.iter().filter(|other| other.value != own) {
            if let Some(word) = self.claimed_by(rival, group, &all, about) {
                return Some(word);
            }
        }
        if let Some(said) = self.said_again(at, own, values, wanted) {
            return Some(said);
        }
        if about.is_verbatim {
            return None;
        }
        if let Some(word) = self.another_subject(sentence, group, wanted, &all) {
            return Some(format!("the passage says that of something else than “{word}”"));
        }
        // What tells two years apart stands in their sentences.
        if !about.is_measured {
            return None;
        }
        self.in_another_sentence(sentence, own, values.iter().copied().filter(is_rival), wanted, context)
    }

    /// "at least 8 and at most 20": what bounds the claim's value tells which of the two is meant.
    fn is_other_end(self, rival: &Group, group: &Group, about: &About<'_>) -> bool {
        let side = |bound: Option<Qualifier>| match bound {
            Some(Qualifier::AtLeast | Qualifier::MoreThan) => 1,
            Some(Qualifier::AtMost | Qualifier::LessThan) => -1,
            Some(Qualifier::Exactly) | None => 0,
        };
        let of = |group: &Group| side(self.quantity(group.value).and_then(|quantity| quantity.qualifier));
        let wanted = side(about.bound);
        wanted != 0 && of(group) == wanted && of(rival) == -wanted
    }

    /// Whether the claim is about what stands with another value of the sentence.
    fn claimed_by(self, rival: &Group, group: &Group, all: &[Key], about: &About<'_>) -> Option<String> {
        let (wanted, context) = (about.wanted, about.context);
        let is_taken = about.taken.iter().any(|taken| taken.overlaps(rival.value));
        let theirs: Vec<Key> = rival.own().collect();
        let ours: Vec<Key> = group.own().collect();
        let strayed = theirs.iter().find(|key| has(wanted, key.hash) && !has(all, key.hash) && !context.is_titled(key.hash));
        let is_named = ours.iter().any(|key| has(wanted, key.hash) && !has(&theirs, key.hash));
        let uncovered = ours.iter().any(|key| !has(wanted, key.hash) && !has(&theirs, key.hash));
        let shown = rival.value.of(self.text);
        let theirs_uncovered = theirs.iter().any(|key| !has(wanted, key.hash) && !has(&ours, key.hash));
        let lead = |group: &Group| group.before.first().map(|key| key.hash);
        // "The tower in Oslo is 90, the tower in Rome 60"; "20 for adults and 10 for children".
        let is_parallel = rival.before.is_empty() || group.before.is_empty() || lead(rival) == lead(group);
        let fits_better = !theirs.is_empty() && theirs.iter().all(|key| has(wanted, key.hash));
        match strayed {
            Some(key) if !about.is_verbatim && (!is_named || uncovered) => {
                Some(format!("the passage says “{shown}” beside “{}”", key.span.of(self.text)))
            }
            _ if is_taken || self.is_other_end(rival, group, about) => None,
            _ if uncovered && (fits_better || is_parallel && theirs_uncovered)
                || !about.is_verbatim && !is_named && ours.is_empty() =>
            {
                Some(format!("the passage also says “{shown}”, and the claim does not tell which is meant"))
            }
            _ => None,
        }
    }

    /// "Adults travel for 12 euros, children travel free": what the clause of the value begins with is not in the claim, and a clause behind it
    /// has what is.
    fn another_subject(self, sentence: Span, group: &Group, wanted: &[Key], all: &[Key]) -> Option<&'t str> {
        let clauses = self.analysis.clauses(self.text, sentence);
        let at = clauses.iter().position(|clause| clause.overlaps(group.value))?;
        let lead = |clause: &Span| self.keys(*clause).find(|key| !key.span.overlaps(group.value));
        let own = lead(clauses.get(at)?).filter(|key| key.span.start < group.value.start)?;
        // What a clause begins with, unless that takes up the thing before it ("it was …") or lists what was counted.
        let begins = |clause: &&Span| {
            let mut words = self.tokens(**clause).filter(|(_, token)| token.kind != TokenKind::Space);
            let first = words.next().map_or("", |(_, token)| token.span.of(self.text));
            let tokens = self.analysis.tokens(self.text);
            let from = tokens.partition_point(|token| token.span.start < clause.start);
            let lexicon = self.analysis.lexicon();
            let takes_up = (from..from + 4)
                .any(|at| lexicon.cue(Cue::BackReference).starting_at(self.text, tokens, at).is_some());
            first != ":" && !takes_up
        };
        let behind = clauses.get(at + 1..)?.iter().filter(begins).flat_map(|clause| self.keys(*clause).take(2));
        let end = clauses.get(at)?.end;
        let here: Vec<Key> = all.iter().copied().filter(|key| key.span.start < end).collect();
        // Behind a semicolon stands another statement, whatever it begins with.
        let is_same = has(wanted, own.hash);
        let uncovered = here.iter().any(|key| !has(wanted, key.hash));
        let apart = self.text.get(end..sentence.end).and_then(|rest| rest.find(';')).map(|found| end + found);
        let mut strayed = behind.filter(|key| {
            has(wanted, key.hash)
                && !has(&here, key.hash)
                && (!is_same || uncovered && apart.is_some_and(|apart| key.span.start > apart))
        });
        strayed.next().map(|key| key.span.of(self.text))
    }

    /// "The tower is 90 metres tall. Since the fire it is 60 metres tall.": the next sentence takes up the same thing and says of it in the claim's
    /// words another value.
    fn said_again(self, at: usize, own: Span, values: &[Span], wanted: &[Key]) -> Option<String> {
        let next = self.analysis.sentences(self.text).get(at + 1)?.span;
        let number = |span: Span| self.quantity(span).map(|quantity| quantity.base(quantity.number));
        let per = |span: Span| self.quantity(span).and_then(|quantity| quantity.per.as_ref()).map(|per| &per.id);
        let is_rival = |value: &Span| next.contains(*value) && number(*value) != number(own) && per(*value) == per(own);
        let rival = values.iter().copied().find(is_rival)?;
        let tokens = self.analysis.tokens(self.text);
        let from = tokens.partition_point(|token| token.span.start < next.start);
        let to = tokens.partition_point(|token| token.span.start < rival.start);
        let lexicon = self.analysis.lexicon();
        let takes_up = (from..to).any(|at| lexicon.cue(Cue::BackReference).starting_at(self.text, tokens, at).is_some());
        // It says nothing but what the claim says, apart from when: whatever it names of its own is another thing.
        let mut theirs = self.keys(next).filter(|key| !key.marks && key.span.start >= rival.end).peekable();
        let shares = theirs.peek().is_some() && theirs.all(|key| has(wanted, key.hash));
        (takes_up && shares).then(|| format!("the next sentence says “{}”", rival.of(self.text)))
    }

    /// Whether another sentence with a value of the kind has what marks the claim off, and the value's own sentence does not.
    fn in_another_sentence(
        self,
        sentence: Span,
        own: Span,
        rivals: impl Iterator<Item = Span>,
        wanted: &[Key],
        context: &Context,
    ) -> Option<String> {
        let mut rivals: Vec<Span> = rivals.filter(|rival| !sentence.contains(*rival)).collect();
        rivals.sort_by_key(|rival| rival.start.abs_diff(own.start));
        let here: Vec<Key> = self.keys(sentence).collect();
        // What the claim has and its sentence has not; without any, no other sentence can claim it.
        let missing: Vec<Key> =
            wanted.iter().copied().filter(|key| !has(&here, key.hash) && !context.is_titled(key.hash)).collect();
        if missing.is_empty() {
            return None;
        }
        let sentences = self.analysis.sentences(self.text);
        rivals.into_iter().find_map(|rival| {
            let at = sentences.partition_point(|other| other.span.end <= rival.start);
            let there = sentences.get(at)?.span;
            let theirs: Vec<Key> = self.keys(there).filter(|key| !key.span.overlaps(rival)).collect();
            let lead = theirs.first()?;
            // "It is 2 years for hardware. It is 1 year for batteries.": the one has what the claim has not, the other nothing else.
            let fits = theirs.iter().all(|key| has(wanted, key.hash))
                && here.iter().any(|key| !has(wanted, key.hash) && !has(&theirs, key.hash) && !own.overlaps(key.span));
            let strayed = theirs.iter().find(|key| {
                has(&missing, key.hash) && (key.marks || key.span == lead.span || fits)
            })?;
            let shown = rival.of(self.text);
            Some(format!("the passage says “{shown}” beside “{}”", strayed.span.of(self.text)))
        })
    }

    /// The same in a table: the claim has the head of another row or column, and not those of the value.
    fn strayed_in_table(self, table: &Table, own: Span, about: &About<'_>) -> Option<String> {
        let (wanted, context) = (about.wanted, about.context);
        let (row, column) = table.cell(own)?;
        if row == 0 || column == 0 {
            return None;
        }
        let heads: Vec<Span> = [table.row_head(row, column), table.column_head(row, column)].into_iter().flatten().collect();
        let ours: Vec<Key> = heads.iter().flat_map(|head| self.keys(*head)).collect();
        let shared: Vec<Key> = table.shared().flat_map(|span| self.keys(span)).collect();
        // "Pro costs 20 € and has 10 seats": the head of another column whose cell the claim has too.
        let also_said = |head: &Span| {
            let column = table.rows.first().and_then(|row| row.iter().position(|cell| cell == head));
            let cell = column.and_then(|column| table.rows.get(row)?.get(column));
            about.is_alone && cell.is_some_and(|cell| about.taken.iter().any(|taken| cell.contains(*taken)))
        };
        let others = table.heads().filter(|head| !heads.contains(head) && !also_said(head)).flat_map(|head| self.keys(head));
        let mut others = others.filter(|key| {
            has(wanted, key.hash) && !has(&ours, key.hash) && !has(&shared, key.hash) && !context.is_titled(key.hash)
        });
        let strayed = others.next();
        let named = |head: &Span| self.keys(*head).any(|key| has(wanted, key.hash));
        match strayed {
            Some(key) if !heads.iter().all(named) || ours.iter().any(|key| !has(wanted, key.hash)) => {
                let shown = heads.iter().map(|head| head.of(self.text)).collect::<Vec<_>>().join(", ");
                Some(format!("“{}” stands under “{shown}”, not “{}”", own.of(self.text), key.span.of(self.text)))
            }
            None if !heads.iter().any(named) => {
                Some(format!("nothing in the claim tells the row or column of “{}”", own.of(self.text)))
            }
            _ => None,
        }
    }

    /// "1871–1954": two ends of one stretch of time, or of a range.
    fn joined_by_a_dash(self, one: Span, other: Span) -> bool {
        let between = self.text.get(one.end.min(other.end)..one.start.max(other.start)).unwrap_or_default();
        let mut signs = between.chars().filter(|c| !c.is_whitespace());
        signs.next().is_some_and(|c| matches!(c, '-' | '–' | '—')) && signs.next().is_none()
    }

    /// The groups of a sentence, one for each of the values.
    fn groups(self, sentence: Span, values: &[Span]) -> Vec<Group> {
        let mut cuts: Vec<usize> = self.analysis.clauses(self.text, sentence).iter().skip(1).map(|clause| clause.start).collect();
        for pair in values.windows(2) {
            if let [first, second] = pair
                && !cuts.iter().any(|cut| (first.end..=second.start).contains(cut))
            {
                // "87 in 2021 to 64 in 2022": the second year begins its part with its amount.
                let quantities = self.analysis.quantities(self.text);
                let at = quantities.partition_point(|quantity| quantity.span.start < first.end);
                let amount = quantities.get(at).map(|quantity| quantity.span).filter(|span| span.end <= second.start);
                cuts.push(self.introduced_at(*first, amount.unwrap_or(*second)));
            }
        }
        cuts.sort_unstable();
        let mut groups: Vec<Group> = Vec::new();
        let mut start = sentence.start;
        for (at, value) in values.iter().enumerate() {
            let next = values.get(at + 1).map_or(sentence.end, |next| next.start);
            // The first cut behind this value; all that stands before it belongs to this one.
            let end = match values.get(at + 1) {
                Some(_) => cuts.iter().copied().find(|cut| (value.end..=next).contains(cut)).unwrap_or(next),
                None => sentence.end,
            };
            let outside = |key: &Key| !values.iter().any(|value| value.overlaps(key.span));
            let before: Vec<Key> = self.keys(Span::new(start, value.start.max(start))).filter(outside).collect();
            let behind: Vec<Key> = self.keys(Span::new(value.end, end.max(value.end))).filter(outside).collect();
            let shared = match groups.last() {
                Some(last) if before.is_empty() => last.before.iter().chain(&last.shared).copied().collect(),
                // "In 2021 … 87, and in 2022 64".
                Some(last) if before.iter().all(|key| key.counts) => {
                    last.before.iter().chain(&last.shared).copied().filter(|key| !key.counts).collect()
                }
                _ => Vec::new(),
            };
            groups.push(Group { value: *value, before, behind, shared });
            start = end;
        }
        groups
    }

    /// Where the words begin that introduce the second of two values: "from 87 in 2021 |to 64".
    fn introduced_at(self, first: Span, second: Span) -> usize {
        let between: Vec<(usize, &Token)> = self.tokens(Span::new(first.end, second.start)).collect();
        let mut cut = second.start;
        for (at, token) in between.iter().rev() {
            if self.key(*at, token, false).is_some() {
                break;
            }
            cut = token.span.start;
        }
        cut
    }
}
