//! `locator`: the cited passage can be found again.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Exposed, Packet};
use crate::dataset::{Json, Unit};
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::text::hidden::is_readable;
use crate::yaml::Located;

/// A reader can find the cited passage.
///
/// The unit's locator says where it is, what the citation points at (a quote or a span) is there, or a durable excerpt stands
/// in for the place.
///
/// A citation of a two-hundred-page manual that names no page is a promise, not an address. Page numbers move with the next
/// edition, so an excerpt that is kept with its hash (content with `content_sha256`), or a quote that is found in the content,
/// counts as durable and may take the locator's place.
///
/// Options: `require`, the keys that a locator must have (a dotted path reaches inside); `or_excerpt` (default
/// `true`), whether a durable excerpt makes up for them.
///
/// Subject: a citation that resolves. Fails with `quote-not-in-unit` or `span-outside-content` where the citation points at
/// what is not there; with `locator-missing` or `locator-key-missing` where `require` asks for keys. Not applicable where
/// there is nothing to look at: no locator, no quote, no span, no durable excerpt, and no `require`.
///
/// ```yaml
/// - id: cannot-be-found-again
///   check: { locator: { require: [section] } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Keys that the locator must have, such as `section` or `page`.
    pub require: Option<Located<Vec<String>>>,
    /// Whether a durable excerpt makes up for a missing locator or key.
    #[serde(default = "yes")]
    pub or_excerpt: bool,
}

const fn yes() -> bool {
    true
}

/// The kind.
pub struct Locator {
    require: Vec<String>,
    or_excerpt: bool,
}

impl Kind for Locator {
    const NAME: &'static str = "locator";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("quote-not-in-unit", "the citation quotes what the unit's content does not hold", Fault::at(Stage::Citation, "the citation points at words that its unit does not hold")),
        Code::new("span-outside-content", "the citation points outside of the unit's content", Fault::at(Stage::Data, "the place that the data gives lies outside of the unit")),
        Code::new("locator-missing", "the unit has no locator, and no durable excerpt", Fault::at(Stage::Data, "the unit comes without a locator")),
        Code::new("locator-key-missing", "the unit's locator lacks required keys, and there is no durable excerpt", Fault::at(Stage::Data, "the unit's locator is incomplete")),
    ];
    const VARIABLES: &'static [&'static str] = &["missing"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let require = match options.require {
            Some(require) if require.is_empty() => {
                return Err(vec![
                    Problem::new(code::EMPTY, "`require` is empty")
                        .at(require.span)
                        .label("expected at least one key of the locator")
                        .help("leave the key out where any locator will do"),
                ]);
            }
            Some(require) if require.iter().any(|key| key.trim().is_empty()) => {
                return Err(vec![
                    Problem::new(code::EMPTY, "`require` names a key that is empty")
                        .at(require.span)
                        .label("expected keys such as section or position.page"),
                ]);
            }
            Some(require) => require.value,
            None => Vec::new(),
        };
        Ok(Check::Citation(Box::new(Locator { require, or_excerpt: options.or_excerpt })))
    }
}

impl CitationCheck for Locator {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let Some(unit) = packet.unit(citation) else { return Judgement::irrelevant() };
        let place = Place::of_citation(packet, citation);
        let fail = |code, message: String| {
            Judgement::of(vec![Finding::new(code, message).at(place.clone()).with("missing", Vec::<String>::new())])
        };
        match citation.exposed {
            Exposed::QuoteNotFound => {
                let quote = citation.given.and_then(|given| given.quote.as_deref()).unwrap_or_default();
                return fail("quote-not-in-unit", format!("“{}” does not hold the quote “{quote}”", unit.id));
            }
            Exposed::SpanOutside => {
                let message = format!("the span that is cited of “{}” lies outside of its content", unit.id);
                return fail("span-outside-content", message);
            }
            Exposed::Span(_) | Exposed::NoContent | Exposed::Nothing => {}
        }
        let narrowed = citation.given.is_some_and(|given| given.quote.is_some() || given.span.is_some());
        let quoted =
            citation.given.is_some_and(|given| given.quote.is_some()) && matches!(citation.exposed, Exposed::Span(_));
        let has_text = || unit.content.as_deref().is_some_and(is_readable);
        let durable = quoted || unit.content_sha256.is_some() && has_text();
        let locator = unit.locator.as_ref().filter(|locator| is_something(locator));
        if self.require.is_empty() {
            let found = locator.is_some() || narrowed || durable;
            return if found { Judgement::pass() } else { Judgement::missing("sources.locator") };
        }
        self.required(unit, locator, durable && self.or_excerpt, place)
    }
}

impl Locator {
    /// Judges the required keys.
    fn required(&self, unit: &Unit<'_>, locator: Option<&Json<'_>>, excused: bool, place: Place) -> Judgement {
        let has = |key: &&String| locator.and_then(|locator| locator.path(key)).is_some_and(is_something);
        let missing: Vec<&str> = self.require.iter().filter(|key| !has(key)).map(String::as_str).collect();
        if excused || missing.is_empty() {
            return Judgement::pass();
        }
        let keys = missing.iter().map(|key| format!("“{key}”")).collect::<Vec<_>>().join(", ");
        let finding = match locator {
            None => Finding::new("locator-missing", format!("“{}” has no locator; it must name {keys}", unit.id)),
            Some(_) => {
                Finding::new("locator-key-missing", format!("the locator of “{}” does not name {keys}", unit.id))
            }
        };
        Judgement::of(vec![finding.at(place).with("missing", missing)])
    }
}

/// Whether a value says anything.
fn is_something(value: &Json<'_>) -> bool {
    match value {
        Json::Null => false,
        Json::Text(text) => !text.trim().is_empty(),
        Json::List(items) => !items.is_empty(),
        Json::Object(entries) => !entries.is_empty(),
        Json::Bool(_) | Json::Number(_) => true,
    }
}
