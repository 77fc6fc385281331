//! What speaks against a claim whose facts were all found: reasons not to vouch for it, never reasons to call it wrong.

use std::borrow::Cow;

use super::exchange::Course;
use super::{Context, Doubt, Excerpt, unspaced};
use crate::check::aligned::{self, Held};
use crate::check::{ClaimText, Passage};
use crate::text::disguise::is_disguised;
use crate::text::hidden::How;
use crate::text::lexicon::Cue;
use crate::text::quantity::Quantity;
use crate::text::sentence::BlockKind;
use crate::text::stance::{Difference, Side, Stance, retractions};
use crate::text::word::{ContentWords, Token, TokenKind, content_hash, folded};
use crate::text::{Analysis, Span};

/// The first reason not to trust that the excerpt says what the claim says.
pub(super) fn first(
    claim: ClaimText<'_>,
    passage: &Passage<'_>,
    excerpt: &Excerpt,
    context: &Context,
    course: &Course<'_>,
) -> Option<Doubt> {
    let open = |said| Doubt { said, suspects: false };
    let suspicion = |said| Doubt { said, suspects: true };
    unread_language(claim)
        .or_else(|| disguised(claim, passage, excerpt, context))
        .map(open)
        .or_else(|| meant_otherwise(claim, passage, context).map(suspicion))
        .or_else(|| taken_back(passage, context).map(suspicion))
        .or_else(|| marked_off(claim, passage, context).map(suspicion))
        .or_else(|| other_roles(claim, passage, context).map(suspicion))
        .or_else(|| course.turned_round().map(suspicion))
        .or_else(|| course.other_agent().map(suspicion))
        .or_else(|| course.other_particle().map(suspicion))
        .or_else(|| scale_left_out(claim, passage, excerpt).map(suspicion))
        .or_else(|| other_order(excerpt).map(open))
        .or_else(|| other_things_counted(claim, passage, excerpt, context).map(open))
        .or_else(|| missing_name(claim, context).map(suspicion))
        .or_else(|| missing_rate(claim, context).map(open))
        .or_else(|| untouched_stretch(claim, excerpt, context).map(open))
        .or_else(|| more_than_said(claim, passage, excerpt, context).map(open))
        .or_else(|| course.other_word(context).map(suspicion))
        .or_else(|| number_goes_on(passage, excerpt).map(open))
        .or_else(|| meant_less(claim, passage).map(suspicion))
        .or_else(|| unspaced::other_wording(claim, passage, excerpt, context).map(open))
}

/// How many of the claim's content words the excerpt has. Those of its facts were found, in whatever form; none counts where the excerpt shares nothing
/// but the facts themselves: "90 days" is about nothing.
pub(super) fn shared_words(claim: ClaimText<'_>, excerpt: &Excerpt, context: &ContentWords) -> usize {
    let text = claim.claim.text.as_ref();
    let bare = excerpt.kinds.iter().sum();
    let facts: Vec<Span> = excerpt.found.iter().take(bare).map(|(span, _)| *span).collect();
    let is_fact = |span: Span| facts.iter().any(|fact| fact.overlaps(span));
    let words = |keep: &dyn Fn(Span) -> bool| {
        ContentWords::from_tokens(text, claim.analysis.tokens(text), claim.analysis.lexicon(), keep)
    };
    match words(&|span| !is_fact(span)).shared_with(context) {
        0 => 0,
        beside => beside + words(&is_fact).len(),
    }
}

/// Words that deny are not known in it.
fn unread_language(claim: ClaimText<'_>) -> Option<String> {
    let unread = !claim.analysis.lexicon().knows_denials();
    unread.then(|| format!("no lexicon knows how to deny in the language `{}`", claim.language))
}

fn disguised(claim: ClaimText<'_>, passage: &Passage<'_>, excerpt: &Excerpt, context: &Context) -> Option<String> {
    let where_to = if is_disguised(&claim.claim.text) {
        "the claim"
    } else if rests_on_hidden_text(passage, excerpt, context)
        || context.sentences.iter().any(|sentence| is_disguised(sentence.of(passage.text)))
    {
        "the passage"
    } else {
        return None;
    };
    Some(format!("{where_to} has signs or markup that make it look other than it reads"))
}

/// Whether the passage has text that is not shown, a struck-out part of a sentence that has a fact, or a fact in the title of a link.
fn rests_on_hidden_text(passage: &Passage<'_>, excerpt: &Excerpt, context: &Context) -> bool {
    let exposed = Span::new(passage.offset, passage.offset + passage.text.len());
    let in_content = |span: Span| Span::new(span.start + passage.offset, span.end + passage.offset);
    passage.hidden.iter().any(|hidden| match hidden.how {
        How::Unshown => hidden.span.overlaps(exposed),
        How::Struck => context.sentences.iter().any(|sentence| in_content(*sentence).overlaps(hidden.span)),
        How::Aside => {
            let mut found = excerpt.found.iter().filter_map(|(_, span)| *span);
            found.any(|span| in_content(span).overlaps(hidden.span))
        }
    })
}

/// A difference in a word that denies, limits or turns round. Of a passage that exposes a part of its unit, the whole sentences count:
/// a quotation that begins behind a "not" hides it.
fn meant_otherwise(claim: ClaimText<'_>, passage: &Passage<'_>, context: &Context) -> Option<String> {
    let text = claim.claim.text.as_ref();
    let claimed = Stance::read(text, claim.analysis, &[Span::new(0, text.len())]);
    let content = passage.content;
    let shown = |said: &str, other: &str, side: Side| match side {
        Side::Claim => format!("“{said}” is in the claim alone"),
        Side::Evidence => format!("the passage has “{other}”, the claim has not"),
    };
    let told = |evidence_text: &str, difference: Difference| match difference {
        Difference::Cue(side, span) => shown(span.of(text), span.of(evidence_text), side),
        Difference::Opposite(a, b) => {
            format!("the claim says “{}” where the passage says “{}”", a.of(text), b.of(evidence_text))
        }
        Difference::Question => "one of the two is a question".to_owned(),
    };
    let exposed = Stance::read(passage.text, passage.analysis, &context.sentences);
    if let Some(difference) = claimed.differs_from(&exposed) {
        return Some(told(passage.text, difference));
    }
    if content.len() == passage.text.len() {
        return None;
    }
    let whole = passage.whole;
    let moved = |span: &Span| Span::new(span.start + passage.offset, span.end + passage.offset);
    let around: Vec<Span> =
        context.sentences.iter().map(|sentence| whole.covering_sentences(content, moved(sentence))).collect();
    let around = Stance::read(content, whole, &joined(around));
    claimed.differs_from(&around).map(|difference| told(content, difference))
}

/// "This is no longer so.", "The following is false:" – a sentence beside the facts' own that speaks of it, denies or limits, and brings
/// hardly anything new of its own.
fn taken_back(passage: &Passage<'_>, context: &Context) -> Option<String> {
    const MOST_NEW: usize = 3;
    let (text, analysis) = (passage.text, passage.analysis);
    let (sentences, tokens, lexicon) = (analysis.sentences(text), analysis.tokens(text), analysis.lexicon());
    let takes_back = |span: Span| {
        let from = tokens.partition_point(|token| token.span.start < span.start);
        let to = tokens.partition_point(|token| token.span.start < span.end);
        let Some(reference) = lexicon.cue(Cue::BackReference).starting_at(text, tokens, from) else { return false };
        let mut cues: Vec<Span> = Stance::read(text, analysis, &[span]).cues().collect();
        if cues.is_empty() {
            return false;
        }
        cues.push(reference.span);
        let words = tokens.get(from..to).unwrap_or_default().iter().filter(|token| token.kind == TokenKind::Word);
        let new = words.filter(|token| !cues.iter().any(|cue| cue.overlaps(token.span)));
        let stems = new.filter_map(|token| content_hash(token.span.of(text), lexicon));
        stems.filter(|stem| !context.words.contains(*stem)).count() <= MOST_NEW
    };
    let beside = context.sentences.iter().flat_map(|own| {
        let at = sentences.partition_point(|sentence| sentence.span.start < own.start);
        [at.checked_sub(1), Some(at + 1)]
    });
    let spans = beside.flatten().filter_map(|at| sentences.get(at)).map(|sentence| sentence.span);
    let found = spans.filter(|span| !context.sentences.contains(span)).find(|span| takes_back(*span))?;
    Some(format!("beside them the passage says “{}”", found.of(text).trim()))
}

/// "DRAFT – do not use." above it, "imagine" in it: a mark under which nothing is stated as it is, in the sentences of the facts, beside them, at
/// the top of the passage, or in its title.
fn marked_off(claim: ClaimText<'_>, passage: &Passage<'_>, context: &Context) -> Option<String> {
    const MOST_WORDS: usize = 8;
    const NEAR: usize = 3;
    let (text, analysis) = (passage.text, passage.analysis);
    let title = passage.unit.title.as_deref().unwrap_or_default();
    let is_titled = !retractions(title, analysis.lexicon()).is_empty();
    if analysis.retractions(text).is_empty() && !is_titled
        || !claim.analysis.retractions(&claim.claim.text).is_empty()
    {
        return None;
    }
    let sentences = analysis.sentences(text);
    // How many words stand before the first mark in a sentence, and how many there are.
    let within = |span: Span| {
        let mark = analysis.retractions(text).iter().find(|mark| span.contains(**mark))?;
        let words = |span: Span| span.of(text).split_whitespace().count();
        Some((words(Span::new(span.start, mark.start)), words(span)))
    };
    let is_mark = |(at, words): (usize, usize)| words <= MOST_WORDS || at < NEAR;
    let inside = context.sentences.iter().copied().find(|span| within(*span).is_some());
    let beside = || {
        let around = context.sentences.iter().flat_map(|own| {
            let at = sentences.partition_point(|sentence| sentence.span.start < own.start);
            let heading = sentences.get(..at).unwrap_or_default().iter().rposition(|s| s.kind == BlockKind::Heading);
            [Some(0), heading, at.checked_sub(1), Some(at + 1)]
        });
        let spans = around.flatten().filter_map(|at| sentences.get(at)).map(|sentence| sentence.span);
        spans.filter(|span| !context.sentences.contains(span)).find(|span| within(*span).is_some_and(is_mark))
    };
    if let Some(span) = inside.or_else(beside) {
        return Some(format!("the passage marks it: “{}”", aligned::shown(span.of(text).trim())));
    }
    is_titled.then(|| format!("the passage is titled “{title}”"))
}

/// "Acme bought Globex" on "Globex bought Acme": two names with the same words between them, the other way round.
fn other_roles(claim: ClaimText<'_>, passage: &Passage<'_>, context: &Context) -> Option<String> {
    const MOST_BETWEEN: usize = 8;
    let claimed = words_and_names(&claim.claim.text, claim.analysis, &[Span::new(0, claim.claim.text.len())]);
    let said = words_and_names(passage.text, passage.analysis, &context.sentences);
    // Names that follow each other at once are one name.
    let pairs = |words: &[Word<'_>]| {
        let names: Vec<usize> = words.iter().enumerate().filter(|(_, word)| word.is_name).map(|(at, _)| at).collect();
        let near = |pair: &[usize]| match *pair {
            [a, b] if (2..=MOST_BETWEEN + 1).contains(&(b - a)) => Some((a, b)),
            _ => None,
        };
        names.windows(2).filter_map(near).collect::<Vec<_>>()
    };
    let same = |here: usize, there: usize| {
        claimed.get(here).zip(said.get(there)).is_some_and(|(here, there)| here.folded == there.folded)
    };
    let said_pairs = pairs(&said);
    for (a, b) in pairs(&claimed) {
        let turned = |(c, d): &(usize, usize)| {
            !same(a, *c) && same(a, *d) && same(b, *c) && b - a == d - c && (1..b - a).all(|step| same(a + step, c + step))
        };
        if said_pairs.iter().any(turned) {
            let shown = |at: usize| claimed.get(at).map_or("", |word| word.written);
            return Some(format!("the passage has “{}” and “{}” the other way round", shown(a), shown(b)));
        }
    }
    None
}

struct Word<'t> {
    written: &'t str,
    folded: Cow<'t, str>,
    is_name: bool,
}

/// The words of some sentences, and whether each is written as a name.
fn words_and_names<'t>(text: &'t str, analysis: &Analysis, sentences: &[Span]) -> Vec<Word<'t>> {
    let inside = |token: &&Token| token.kind == TokenKind::Word && sentences.iter().any(|s| s.contains(token.span));
    let read = |token: &Token| {
        let written = token.span.of(text);
        let folded = folded(written);
        let is_name =
            written.chars().next().is_some_and(char::is_uppercase) && !analysis.lexicon().is_stop_word(&folded);
        Word { written, folded, is_name }
    };
    analysis.tokens(text).iter().filter(inside).map(read).collect()
}

/// Spans in order, those that meet put together.
fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut().filter(|last| last.overlaps(span)) {
            Some(last) => *last = last.join(span),
            None => joined.push(span),
        }
    }
    joined
}

/// "Pro costs 50 and Free 20" on "Pro costs 20 and Free 50".
fn other_order(excerpt: &Excerpt) -> Option<String> {
    let mut from = 0;
    for kind in excerpt.kinds {
        let mut places = excerpt.found.get(from..from + kind).unwrap_or_default().to_vec();
        places.sort_unstable();
        let evidence: Vec<Span> = places.iter().filter_map(|(_, span)| *span).collect();
        if evidence.windows(2).any(|pair| matches!(pair, [a, b] if a.start > b.start)) {
            return Some("the passage has them in another order".to_owned());
        }
        from += kind;
    }
    None
}

/// "100 users" on "100 groups", and an exact value on "about 100".
fn other_things_counted(
    claim: ClaimText<'_>,
    passage: &Passage<'_>,
    excerpt: &Excerpt,
    context: &Context,
) -> Option<String> {
    let text = claim.claim.text.as_ref();
    let words = claim.analysis.content_words(text);
    let at = |text: &str, analysis: &Analysis, span: Span| {
        analysis.quantities(text).iter().find(|quantity| quantity.span == span).cloned()
    };
    for (claimed, found) in excerpt.found.iter().take(excerpt.kinds.first().copied().unwrap_or(0)) {
        let Some(claimed) = at(text, claim.analysis, *claimed) else { continue };
        let Some(found) = found.and_then(|span| at(passage.text, passage.analysis, span)) else { continue };
        let (wanted, have) = (claimed.span.of(text), found.span.of(passage.text));
        if found.hedged && !claimed.hedged {
            return Some(format!("“{wanted}” is a rough value in the passage"));
        }
        let digits = |text: &str| text.chars().filter(|c| c.is_numeric() || matches!(c, '.' | ',')).collect::<String>();
        let same_unit = found.unit.as_ref().map(|unit| &unit.id) == claimed.unit.as_ref().map(|unit| &unit.id);
        // In the language's own grouping nobody reads decimals: "$30,000".
        let is_unusual = passage.analysis.lexicon().decimal().is_none_or(|sign| have.contains(sign));
        let is_open = same_unit && is_unusual && found.other_reading.is_some() && claimed.other_reading.is_none();
        if is_open && digits(wanted) != digits(have) {
            return Some(format!("“{have}” may be read as another value"));
        }
        let counts = |first: Option<u64>, words: &ContentWords| first.is_none_or(|stem| words.contains(stem));
        let [wanted_first, _] = claimed.counted;
        let [have_first, _] = found.counted;
        if !counts(wanted_first, &context.words) || !counts(have_first, words) {
            return Some(format!("“{wanted}” and “{have}” may count different things"));
        }
    }
    None
}

/// "$4,510" on a table that counts in millions.
fn scale_left_out(claim: ClaimText<'_>, passage: &Passage<'_>, excerpt: &Excerpt) -> Option<String> {
    let [quantities, ..] = excerpt.kinds;
    let (place, _) = passage.analysis.declared_scale(passage.text).filter(|_| quantities > 0)?;
    let scaled = |analysis: &Analysis, text: &str, span: Span| {
        analysis.quantities(text).iter().any(|quantity| quantity.span == span && (quantity.scaled || is_share(quantity)))
    };
    let bare = |(claimed, found): &&(Span, Option<Span>)| {
        found.is_some_and(|found| !scaled(passage.analysis, passage.text, found))
            && !scaled(claim.analysis, &claim.claim.text, *claimed)
    };
    let (claimed, _) = excerpt.found.iter().take(quantities).find(bare)?;
    let (claimed, word) = (claimed.of(&claim.claim.text), place.of(passage.text));
    Some(format!("the passage counts in “{word}”, and “{claimed}” is without"))
}

/// Percent and the like have no scale.
fn is_share(quantity: &Quantity) -> bool {
    quantity.dimension().is_some_and(|dimension| dimension != "currency")
}

/// A name of the claim, or what its sentence begins with, that the excerpt does not have.
fn missing_name(claim: ClaimText<'_>, context: &Context) -> Option<String> {
    let (text, lexicon) = (claim.claim.text.as_ref(), claim.analysis.lexicon());
    let tokens = claim.analysis.tokens(text).iter().zip(claim.analysis.hashes(text));
    let quoted = claim.analysis.quotations(text);
    for sentence in claim.analysis.sentences(text) {
        let words = tokens.clone().filter(|(token, _)| {
            token.kind == TokenKind::Word
                && sentence.span.contains(token.span)
                && !quoted.iter().any(|quotation| quotation.span.overlaps(token.span))
        });
        for (at, (token, stem)) in words.enumerate() {
            let word = token.span.of(text);
            let is_name = word.chars().next().is_some_and(char::is_uppercase) && (at == 0 || !lexicon.nouns_capitalised);
            let is_fact = || {
                let dates = claim.analysis.dates(text).iter().map(|date| date.span);
                let quantities = claim.analysis.quantities(text).iter().map(|quantity| quantity.span);
                let identifiers = claim.analysis.identifiers(text).iter().map(|identifier| identifier.span);
                dates.chain(quantities).chain(identifiers).any(|span| span.overlaps(token.span))
            };
            let missing = stem.is_some_and(|stem| !context.words.contains(stem));
            if is_name && missing && !is_fact() {
                return Some(format!("the passage does not say “{word}”"));
            }
        }
    }
    None
}

/// Whether a word of the claim bounds one of its numbers.
fn bounds(claim: ClaimText<'_>, span: Span) -> bool {
    let quantities = claim.analysis.quantities(&claim.claim.text).iter();
    quantities.filter_map(|quantity| quantity.bound).any(|bound| bound.overlaps(span))
}

/// The claim has more words of its own than the excerpt has beside those of the claim: one of them at least nothing there bears out.
fn more_than_said(claim: ClaimText<'_>, passage: &Passage<'_>, excerpt: &Excerpt, context: &Context) -> Option<String> {
    // "The policy says “…”" – the quotation is its statement.
    if excerpt.found.len() > excerpt.kinds.iter().sum() {
        return None;
    }
    let (text, lexicon) = (claim.claim.text.as_ref(), claim.analysis.lexicon());
    let all = claim.analysis.tokens(text);
    let is_fact = |span: Span| excerpt.found.iter().any(|(fact, _)| fact.overlaps(span));
    // "About" and "for example" say nothing that could be borne out.
    let leads = |at: usize| {
        [Cue::Hedge, Cue::Transition].iter().any(|cue| lexicon.cue(*cue).starting_at(text, all, at).is_some())
    };
    let missing = all.iter().zip(claim.analysis.hashes(text)).enumerate().filter_map(|(at, (token, stem))| {
        let stem = stem.filter(|stem| token.kind == TokenKind::Word && !context.words.contains(*stem))?;
        let is_idle = is_fact(token.span) || bounds(claim, token.span) || leads(at);
        (!is_idle).then_some((stem, token.span))
    });
    let mut missing: Vec<(u64, Span)> = missing.collect();
    if missing.is_empty() {
        return None;
    }
    // "It comprises three sessions." takes up what the sentence before it names.
    let sentences = passage.analysis.sentences(passage.text);
    let before = sentences.iter().zip(passage.analysis.sentence_words(passage.text)).zip(sentences.iter().skip(1));
    for ((_, words), _) in before.filter(|(_, next)| context.sentences.contains(&next.span)) {
        missing.retain(|(stem, _)| !words.contains(*stem));
    }
    let claimed = claim.analysis.content_words(text);
    let taken = |span: Span| excerpt.found.iter().filter_map(|(_, found)| *found).any(|found| found.overlaps(span));
    let tokens = passage.analysis.tokens(passage.text);
    let left = context.sentences.iter().flat_map(|sentence| {
        let from = tokens.partition_point(|token| token.span.start < sentence.start);
        let own = tokens.iter().zip(passage.analysis.hashes(passage.text)).skip(from);
        own.take_while(|(token, _)| token.span.end <= sentence.end)
    });
    let left = left.filter(|(token, stem)| {
        token.kind == TokenKind::Word && !taken(token.span) && stem.is_some_and(|stem| !claimed.contains(stem))
    });
    let left = left.count();
    // "Membership: £10 a month" leaves the verb out.
    let is_label = context.sentences.iter().any(|sentence| sentence.of(passage.text).contains(": "));
    let (_, first) = missing.get(left + usize::from(is_label))?;
    Some(format!("nothing in the passage says “{}”", first.of(text)))
}

/// "per agent": what a rate is counted by, where it is no unit.
fn missing_rate(claim: ClaimText<'_>, context: &Context) -> Option<String> {
    let (text, lexicon) = (claim.claim.text.as_ref(), claim.analysis.lexicon());
    let tokens: Vec<_> = claim.analysis.tokens(text).iter().copied().filter(|t| t.kind != TokenKind::Space).collect();
    tokens.windows(2).enumerate().find_map(|(at, pair)| {
        let [per, noun] = pair else { return None };
        let word = folded(per.span.of(text));
        let is_per = lexicon.cues.per.contains(word.as_ref()) && !lexicon.numbers.weak.contains(word.as_ref());
        let is_unit = || lexicon.units.names.starting_at(text, &tokens, at + 1).is_some();
        let counted = noun.span.of(text);
        let missing = noun.kind == TokenKind::Word
            && content_hash(counted, lexicon).is_some_and(|stem| !context.words.contains(stem));
        (is_per && missing && !is_unit()).then(|| format!("the passage does not say “{} {counted}”", per.span.of(text)))
    })
}

/// Two words with content in a row that the excerpt has none of: another statement may hang on them.
fn untouched_stretch(claim: ClaimText<'_>, excerpt: &Excerpt, context: &Context) -> Option<String> {
    const LONGEST: usize = 2;
    let text = claim.claim.text.as_ref();
    let mut run: Option<(Span, usize)> = None;
    // The words of a fact that was found are found with it: "20 minutes" on "20 min".
    let in_fact = |span: Span| excerpt.found.iter().any(|(fact, _)| fact.overlaps(span)) || bounds(claim, span);
    let words = claim.analysis.tokens(text).iter().zip(claim.analysis.hashes(text));
    for (token, stem) in words.filter(|(token, _)| token.kind == TokenKind::Word) {
        let Some(stem) = *stem else { continue };
        if context.words.contains(stem) {
            run = None;
            continue;
        }
        if in_fact(token.span) {
            continue;
        }
        let (span, length) = run.map_or((token.span, 1), |(span, length)| (span.join(token.span), length + 1));
        if length >= LONGEST {
            return Some(format!("nothing in the passage says “{}”", span.of(text)));
        }
        run = Some((span, length));
    }
    None
}

/// "$20 000", "$20&nbsp;000": digits that only a space parts from a number that was found; readers see one number.
fn number_goes_on(passage: &Passage<'_>, excerpt: &Excerpt) -> Option<String> {
    const SPACES: [&str; 5] = ["&nbsp;", "&thinsp;", "&#160;", "&#xa0;", "&#8239;"];
    let quantities = excerpt.kinds.first().copied().unwrap_or(0);
    excerpt.found.iter().take(quantities).filter_map(|(_, span)| *span).find_map(|span| {
        let rest = passage.text.get(span.end..)?;
        let coded = SPACES.iter().find_map(|space| rest.strip_prefix(space));
        let spaced = || {
            let mut rest = rest.chars();
            rest.next().filter(|c| c.is_whitespace()).map(|_| rest.as_str())
        };
        let digits = coded.or_else(spaced)?.chars().take_while(char::is_ascii_digit).take(4).count();
        let is_number = span.of(passage.text).ends_with(|c: char| c.is_ascii_digit());
        (is_number && digits == 3).then(|| format!("“{}” may be a part of a longer number", span.of(passage.text)))
    })
}

/// What `modality` and `negation` see: the sentence that says the same goes less far, or denies it.
fn meant_less(claim: ClaimText<'_>, passage: &Passage<'_>) -> Option<String> {
    let one = std::slice::from_ref(passage);
    let sentence = match aligned::held(claim, one, |pair, _| pair.shift()) {
        Held::Differs(difference) if difference.found.stronger => Some(difference.sentence),
        _ => match aligned::held(claim, one, |pair, _| pair.denial()) {
            Held::Differs(difference) if difference.is_exact => Some(difference.sentence),
            _ => None,
        },
    };
    sentence.map(|span| format!("the passage does not go as far: “{}”", aligned::shown(span.of(passage.text).trim())))
}
