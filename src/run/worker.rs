//! One worker thread: from chunks of lines to records, offers to the report, and a tally.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender};

use super::beside::OneCase;
use super::evaluate::{Settings, SourceFile};
use super::selection::Offer;
use crate::citation::{Claim, ClaimSource, Packet};
use crate::dataset::answers::Laid;
use crate::dataset::duplicates::IdHash;
use crate::dataset::lines::Chunk;
use crate::dataset::slip::Slips;
use crate::dataset::{Case, Line, fingerprint, read};
use crate::diagnostic::{Problem, code, quoted};
use crate::record::cache::Cache;
use crate::record::evaluate::Evaluator;
use crate::record::outline::{CaseOutline, RuleIndex};
use crate::rules::Policy;
use crate::tally::{ReviewCounts, RuleTable, Tally, TallyError};
use crate::text::Digest;
use crate::text::hidden::is_readable;
use crate::text::sentence::sentences;

/// What goes to the workers: a chunk, or what was wrong with reading one, with its place in the sequence.
pub(super) type Work = Result<Chunk, (u64, Problem)>;

/// A case as it leaves a worker.
pub(super) struct Done {
    /// Its id, for messages.
    pub case_id: Box<str>,
    /// Hash of its id.
    pub id: IdHash,
    /// Its physical line.
    pub line: u64,
    /// Digest of the line.
    pub content: Digest,
    /// Digest of the question.
    pub question: Digest,
    /// What it offers to a report.
    pub offer: Offer,
    /// Where its line ends in [`Output::cases`].
    pub case_end: usize,
    /// Where the lines of its claims end in [`Output::records`].
    pub records_end: usize,
}

/// A chunk as it leaves a worker.
#[derive(Default)]
pub(super) struct Output {
    /// Index of the input file.
    pub file: u32,
    /// The file as it is shown.
    pub name: Arc<str>,
    /// Bytes of input.
    pub bytes: u64,
    /// Lines of `cases.jsonl`.
    pub cases: Vec<u8>,
    /// Lines of `records.jsonl`.
    pub records: Vec<u8>,
    /// Lines of `outline.jsonl`.
    pub outlines: Vec<u8>,
    /// Lines of `review.jsonl`.
    pub review: Vec<u8>,
    /// What each machine format gathers.
    pub beside: Vec<Vec<u8>>,
    /// The cases, in order.
    pub done: Vec<Done>,
    /// What was wrong with the lines that are no cases.
    pub problems: Vec<Problem>,
    /// How many lines are no cases.
    pub bad_lines: u64,
    /// Citations that resolve to nothing.
    pub unresolved_citations: u64,
    /// Claims that cite a unit without content, and the line of the first.
    pub unread: Option<(u64, u64)>,
    /// Labels that were given for other claims than the answers bring, and the line of the first.
    pub lapsed_labels: Option<(u64, u64)>,
    /// The same of units that have another text in the answers file than in the dataset.
    pub replaced_units: Option<(u64, u64)>,
    /// The same of units that the answers file alone has.
    pub added_units: Option<(u64, u64)>,
    /// Fields that nothing reads and that look meant.
    pub slips: Slips,
}

/// What goes back: an output, or what was wrong with reading a chunk, with its place in the sequence.
pub(super) type Finished = (u64, Result<Output, Problem>);

/// One worker thread's own things.
pub(super) struct Worker<'w, 'p> {
    evaluator: &'w Evaluator<'p>,
    settings: &'w Settings<'w>,
    files: &'w [SourceFile],
    rules: &'w RuleTable,
    index: RuleIndex,
    /// Set once it is known that nothing will come of the run: lines are then only looked through for problems.
    doomed: &'w AtomicBool,
    cache: Cache,
    tally: Tally,
}

impl<'w, 'p> Worker<'w, 'p> {
    pub fn new(
        evaluator: &'w Evaluator<'p>,
        settings: &'w Settings<'w>,
        files: &'w [SourceFile],
        rules: &'w RuleTable,
        doomed: &'w AtomicBool,
    ) -> Self {
        Self {
            evaluator,
            settings,
            files,
            rules,
            index: rules.index(),
            doomed,
            cache: Cache::for_one_of(settings.jobs),
            tally: Tally::new(rules),
        }
    }

    /// Works until there is no more work; gives what it counted.
    pub fn run(mut self, work: &Receiver<Work>, finished: &Sender<Finished>) -> Tally {
        for item in work {
            let item = match item {
                Ok(chunk) => (chunk.sequence, Ok(self.chunk(&chunk))),
                Err((sequence, problem)) => (sequence, Err(problem)),
            };
            if finished.send(item).is_err() {
                break;
            }
        }
        self.tally
    }

    fn chunk(&mut self, chunk: &Chunk) -> Output {
        let mut output = Output {
            file: chunk.file,
            name: Arc::clone(&chunk.name),
            bytes: chunk.len() as u64,
            beside: vec![Vec::new(); self.settings.beside.len()],
            ..Output::default()
        };
        if !self.doomed.load(Ordering::Relaxed) {
            output.cases.reserve(chunk.len());
            output.records.reserve(chunk.len().saturating_mul(2));
        }
        for line in chunk.lines() {
            let read = match line {
                Ok((line, bytes)) => self.line(line, bytes, &mut output),
                Err(problem) => Err(vec![problem]),
            };
            if let Err(problems) = read {
                output.bad_lines += 1;
                output.problems.extend(problems);
                if !self.settings.skip_bad_lines {
                    self.doomed.store(true, Ordering::Relaxed);
                }
            }
        }
        output
    }

    fn line(&mut self, line: Line<'_>, bytes: &[u8], output: &mut Output) -> Result<(), Vec<Problem>> {
        let options = &self.settings.options;
        let Some(answers) = self.settings.answers else {
            let mut case = read::line(bytes, line, options)?;
            output.slips.merge(std::mem::take(&mut case.slips));
            return self.case(&case, line, bytes, output);
        };
        let mut row = Vec::new();
        match answers.lay_over(bytes, line, &mut row)? {
            Laid::Case(case) if self.says_nothing(&case) => match self.settings.allow_missing_answers {
                true => {
                    self.tally.add_missing_answers(1);
                    Ok(())
                }
                false => Err(vec![line.place(answers.empty(&case.case_id))]),
            },
            Laid::Case(mut case) => {
                output.slips.merge(std::mem::take(&mut case.slips));
                self.case(&case, line, bytes, output)
            }
            Laid::Missing(..) if self.settings.allow_missing_answers => {
                self.tally.add_missing_answers(1);
                Ok(())
            }
            Laid::Missing(_, problem) => Err(vec![problem]),
        }
    }

    /// Whether a candidate's answer has no word: beside markup also markers count for nothing.
    fn says_nothing(&self, case: &Case<'_>) -> bool {
        let policy = self.evaluator.policy;
        // A word in the answer is found before its markers are looked for.
        let has_word = |answer: &str| answer.split_whitespace().any(|word| word.starts_with(char::is_alphanumeric));
        case.says_nothing()
            || case.shown_answer().is_some_and(|answer| !has_word(answer))
                && Packet::build(case, &policy.markers, &policy.claims, &policy.lexicons).says_nothing
    }

    fn case(&mut self, case: &Case<'_>, line: Line<'_>, bytes: &[u8], output: &mut Output) -> Result<(), Vec<Problem>> {
        let mut done = Done {
            case_id: self.evaluator.policy.settings.redact.case_id(&case.case_id).into(),
            id: IdHash::of(&case.case_id),
            line: line.number,
            content: fingerprint::of_case(bytes),
            question: fingerprint::of_question(case),
            offer: Offer::default(),
            case_end: 0,
            records_end: 0,
        };
        let options = &self.settings.options;
        if !self.doomed.load(Ordering::Relaxed) {
            let policy = self.evaluator.policy;
            let most = options.limits.claims_per_case;
            if let Some(sentences) = far_too_many(case, policy, most) {
                return Err(vec![line.place(too_many_claims(sentences, most))]);
            }
            let packet = Packet::build(case, &policy.markers, &policy.claims, &policy.lexicons)
                .with_register(self.settings.register);
            if packet.claims.len() > most {
                return Err(vec![line.place(too_many_claims(packet.claims.len(), most))]);
            }
            wordless(&packet, line)?;
            for (sum, count) in [
                (&mut output.lapsed_labels, packet.lapsed_labels()),
                (&mut output.replaced_units, case.replaced_units),
                (&mut output.added_units, case.added_units),
            ] {
                if count > 0 {
                    sum.get_or_insert((0, line.number)).0 += count as u64;
                }
            }
            let question = done.question.to_string();
            let records = self.evaluator.evaluate(&packet, line.file, question, &mut self.cache);
            self.tally.add(&records.case, &records.claims, self.rules).map_err(|error| {
                self.doomed.store(true, Ordering::Relaxed);
                vec![line.place(uncounted(&error))]
            })?;
            let unresolved = packet.citations.iter().filter(|citation| citation.resolution.unit().is_none());
            output.unresolved_citations += unresolved.count() as u64;
            let unread = records.claims.iter().filter(|claim| claim.is_unread()).count() as u64;
            if unread > 0 {
                output.unread.get_or_insert((0, line.number)).0 += unread;
            }
            done.case_id = records.case.case_id.as_ref().into();
            done.offer = Offer::of(&records.case, &records.claims);
            write_line(&records.case, &mut output.cases).map_err(|problem| vec![line.place(problem)])?;
            for claim in &records.claims {
                write_line(claim, &mut output.records).map_err(|problem| vec![line.place(problem)])?;
            }
            let outline = CaseOutline::of(&records.case, &records.claims, &self.index);
            write_line(&outline, &mut output.outlines).map_err(|problem| vec![line.place(problem)])?;
            let dataset = self.files.get(output.file as usize).map_or(0, |file| file.dataset);
            let one = OneCase { dataset, case: &records.case, claims: &records.claims };
            for (format, into) in self.settings.beside.iter().zip(&mut output.beside) {
                format.case(&one, into);
            }
            if let Some(review) = self.settings.review {
                let mut counts = ReviewCounts::default();
                review
                    .case(&records.case, &records.claims, &mut counts, &mut output.review)
                    .map_err(|error| vec![line.place(unwritten(&error))])?;
                self.tally.add_review(&counts);
            }
        }
        done.case_end = output.cases.len();
        done.records_end = output.records.len();
        output.done.push(done);
        Ok(())
    }
}

/// Refuses claims that hold nothing but markers.
fn wordless(packet: &Packet<'_>, line: Line<'_>) -> Result<(), Vec<Problem>> {
    let is_wordless = |claim: &&Claim<'_>| claim.given.is_some() && !is_readable(&claim.text);
    let problem = |claim: &Claim<'_>| {
        let message = format!("the claim {} has no words", quoted(&claim.claim_id));
        let problem = Problem::new(code::EMPTY, message).found("markers alone", "a statement in `text`");
        line.place(problem.help("leave out what is no statement: a claim is a sentence that can be checked"))
    };
    let problems: Vec<Problem> = packet.claims.iter().filter(is_wordless).map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The sentences of a very long answer that is split into claims, where they are so many that what they take to be judged is
/// not to be spent at all: ten times as many as there may be claims.
fn far_too_many(case: &Case<'_>, policy: &Policy, most: usize) -> Option<usize> {
    const LONG: usize = 1 << 18;
    let is_split = case.claims.is_none() || policy.claims.from == ClaimSource::Answer;
    let answer = case.answer.as_deref().filter(|answer| answer.len() > LONG && is_split)?;
    let found = sentences(answer, policy.lexicons.for_language(case.language.as_deref()), &[]).len();
    (found > most.saturating_mul(10)).then_some(found)
}

/// More claims in an answer than a case may have.
fn too_many_claims(found: usize, most: usize) -> Problem {
    Problem::new(code::TOO_LARGE, "the answer makes too many claims")
        .found(format!("{found} sentences that are claims"), format!("at most {most}"))
        .help("raise `claims_per_case` under `limits` if this is meant")
}

/// What a tally that cannot go on says to a person.
pub(super) fn uncounted(error: &TallyError) -> Problem {
    Problem::new(code::TOO_LARGE, error.to_string())
}

fn unwritten(error: &serde_json::Error) -> Problem {
    Problem::new(code::NOT_FINITE, format!("the record cannot be written: {error}"))
}

fn write_line(record: &impl serde::Serialize, into: &mut Vec<u8>) -> Result<(), Problem> {
    serde_json::to_writer(&mut *into, record).map_err(|error| unwritten(&error))?;
    into.push(b'\n');
    Ok(())
}
