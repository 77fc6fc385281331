//! Evaluates datasets: one reader, many workers, one place where everything comes together again in input order.
//!
//! ```text
//! chunks of lines ─▶ workers: decode, judge, state records, tally ─▶ in input order: duplicate ids, files, selection
//! ```
//!
//! Memory is bounded by the chunks under way (a ticket each), the tallies, the duplicate ids and what reports show.
//! The outcome is the same bytes for any number of workers: records are put back into input order, and tallies are a
//! commutative monoid.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::beside::CaseWriter;
use super::review::Review;
use super::selection::Selection;
use super::worker::{Finished, Output, Work, Worker, uncounted};
use crate::dataset::answers::Answers;
use crate::dataset::duplicates::SeenIds;
use crate::dataset::fingerprint::Fingerprint;
use crate::dataset::lines::Chunks;
use crate::dataset::slip::Slips;
use crate::dataset::{Options, Register};
use crate::diagnostic::{Problem, Problems, code, quoted};
use crate::record::evaluate::Evaluator;
use crate::tally::{RuleTable, Tally};

/// Chunks that may be under way for each worker: read, judged, or waiting for an earlier one.
const CHUNKS_PER_WORKER: usize = 3;

/// How an evaluation goes about its input.
#[derive(Debug)]
pub struct Settings<'s> {
    /// Worker threads.
    pub jobs: NonZeroUsize,
    /// Whether bad lines are left out and counted, instead of stopping the run.
    pub skip_bad_lines: bool,
    /// How lines are read.
    pub options: Options,
    /// A candidate's answers, laid over the cases.
    pub answers: Option<&'s Answers>,
    /// What the corpus holds now, where that is known.
    pub register: Option<&'s Register>,
    /// Which claims go to a person; `None`: none do.
    pub review: Option<&'s Review<'s>>,
    /// Machine formats that are written beside the records.
    pub beside: &'s [&'s dyn CaseWriter],
    /// Whether a case without an answer in `answers` is counted broken, instead of being a problem.
    pub allow_missing_answers: bool,
}

/// Takes what is written of a run, in input order.
pub trait Sink {
    /// What was stated of the next cases.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn take(&mut self, lines: &Stated<'_>) -> Result<(), Problem>;

    /// Bytes of input that were dealt with since the last call.
    fn progress(&mut self, bytes: u64);
}

/// Lines for the files of a run, each with its line break.
#[derive(Debug, Clone, Copy)]
pub struct Stated<'l> {
    /// Of `cases.jsonl`.
    pub cases: &'l [u8],
    /// Of `records.jsonl`.
    pub records: &'l [u8],
    /// Of `outline.jsonl`.
    pub outlines: &'l [u8],
    /// Of `review.jsonl`.
    pub review: &'l [u8],
    /// What each machine format gathers, in the order of [`Settings::beside`].
    pub beside: &'l [Vec<u8>],
}

/// What an evaluation came to.
#[derive(Debug)]
pub struct Evaluation {
    /// The counts of every metric in every slice.
    pub tally: Tally,
    /// What reports show.
    pub selection: Selection,
    /// What was read, by dataset.
    pub datasets: Vec<DatasetCounts>,
    /// Problems of the lines that were skipped.
    pub skipped: Problems,
    /// Citations that resolve to no unit of their packet.
    pub unresolved_citations: u64,
    /// Claims that cite a unit without content.
    pub unread: Option<Placed>,
    /// Labels that were given for other claims than a candidate's answers bring.
    pub lapsed_labels: Option<Placed>,
    /// Units that have another text in the answers file than under the same id in the dataset.
    pub replaced_units: Option<Placed>,
    /// Units that the answers file alone has, beside the dataset's own of the case.
    pub added_units: Option<Placed>,
    /// Fields that nothing reads and that look meant.
    pub slips: Slips,
}

/// Things that were counted, with the place of the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// How many.
    pub count: u64,
    /// The file of the first, as it is shown.
    pub file: Arc<str>,
    /// Its physical line.
    pub line: u64,
}

/// An input file.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Its name as shown.
    pub name: String,
    /// Index of the dataset that it belongs to.
    pub dataset: usize,
}

/// What was read of one dataset.
#[derive(Debug, Default)]
pub struct DatasetCounts {
    /// Cases that were evaluated.
    pub cases: u64,
    /// Bad lines that were skipped.
    pub skipped_lines: u64,
    /// Digests of its cases, taken together in input order.
    pub fingerprint: Fingerprint,
}

/// Evaluates all chunks of the inputs, which are `files` in this order.
///
/// # Errors
/// Every problem of the data, unless bad lines are to be skipped. Duplicate case ids, files that cannot be read and a
/// sink that cannot write stop the run in any case.
pub fn evaluate(
    evaluator: &Evaluator<'_>,
    chunks: Chunks,
    files: &[SourceFile],
    settings: &Settings<'_>,
    sink: &mut dyn Sink,
) -> Result<Evaluation, Problems> {
    let rules = RuleTable::of(evaluator.policy);
    let doomed = AtomicBool::new(false);
    let under_way = settings.jobs.get() * CHUNKS_PER_WORKER;
    let (give_back, tickets) = bounded::<()>(under_way);
    for _ in 0..under_way {
        let _ = give_back.send(());
    }
    let (work_in, work_out) = unbounded::<Work>();
    let (finished_in, finished_out) = unbounded::<Finished>();
    let mut gathered = Gathered {
        files,
        skip_bad_lines: settings.skip_bad_lines,
        seen: SeenIds::default(),
        problems: Problems::new(),
        fatal: false,
        selection: Selection::new(evaluator.policy.limits.findings_per_rule as u64),
        datasets: Vec::new(),
        unresolved_citations: 0,
        unread: None,
        lapsed_labels: None,
        replaced_units: None,
        added_units: None,
        slips: Slips::default(),
    };
    let tally = thread::scope(|scope| {
        let mut started = Ok(());
        let mut workers = Vec::new();
        for _ in 0..settings.jobs.get() {
            if started.is_err() {
                break;
            }
            let (work, finished) = (work_out.clone(), finished_in.clone());
            let (rules, doomed) = (&rules, &doomed);
            let work = move || Worker::new(evaluator, settings, files, rules, doomed).run(&work, &finished);
            started = thread::Builder::new().spawn_scoped(scope, work).map(|worker| workers.push(worker));
        }
        let read = move || read(chunks, &tickets, &work_in);
        let started = started.and_then(|()| thread::Builder::new().spawn_scoped(scope, read).map(drop));
        if let Err(error) = started {
            let problem = Problem::new(code::TOO_LARGE, format!("a worker thread cannot be started: {error}"));
            gathered.stop(problem.help("try fewer, by --jobs"));
            doomed.store(true, Ordering::Relaxed);
        }
        drop((work_out, finished_in));
        gathered.all(&finished_out, &give_back, &doomed, sink);
        let mut tally = Tally::new(&rules);
        for worker in workers {
            match worker.join() {
                Ok(part) => {
                    if let Err(error) = tally.merge(&part) {
                        gathered.stop(uncounted(&error));
                    }
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        tally
    });
    if let Some(answers) = settings.answers {
        answers.unused().into_iter().for_each(|problem| gathered.stop(problem));
    }
    gathered.finish(tally)
}

/// Reads chunks, one ticket each, until the input ends.
fn read(chunks: Chunks, tickets: &Receiver<()>, work: &Sender<Work>) {
    for (sequence, chunk) in (0..).zip(chunks) {
        let item = chunk.map_err(|problem| (sequence, problem));
        if tickets.recv().is_err() || work.send(item).is_err() {
            return;
        }
    }
}

/// Everything that comes together in input order.
struct Gathered<'g> {
    files: &'g [SourceFile],
    skip_bad_lines: bool,
    seen: SeenIds,
    problems: Problems,
    /// Whether a problem came up that no flag lets pass.
    fatal: bool,
    selection: Selection,
    datasets: Vec<DatasetCounts>,
    unresolved_citations: u64,
    unread: Option<Placed>,
    lapsed_labels: Option<Placed>,
    replaced_units: Option<Placed>,
    added_units: Option<Placed>,
    slips: Slips,
}

impl Gathered<'_> {
    /// Takes what the workers finish, puts it back into order, and hands a ticket back for each.
    fn all(&mut self, finished: &Receiver<Finished>, give_back: &Sender<()>, doomed: &AtomicBool, sink: &mut dyn Sink) {
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (sequence, output) in finished {
            waiting.insert(sequence, output);
            while let Some(output) = waiting.remove(&next) {
                next += 1;
                match output {
                    Ok(output) => self.chunk(output, sink, doomed),
                    Err(problem) => self.stop(problem),
                }
                if self.fatal {
                    doomed.store(true, Ordering::Relaxed);
                }
                let _ = give_back.try_send(());
            }
        }
    }

    /// Counts of the dataset that an input file belongs to.
    fn dataset(&mut self, file: u32) -> &mut DatasetCounts {
        let index = self.files.get(file as usize).map_or(0, |file| file.dataset);
        if self.datasets.len() <= index {
            self.datasets.resize_with(index + 1, DatasetCounts::default);
        }
        &mut self.datasets[index]
    }

    fn stop(&mut self, problem: Problem) {
        self.problems.push(problem);
        self.fatal = true;
    }

    fn chunk(&mut self, mut output: Output, sink: &mut dyn Sink, doomed: &AtomicBool) {
        sink.progress(output.bytes);
        self.unresolved_citations += output.unresolved_citations;
        let counted = [
            (&mut self.unread, output.unread),
            (&mut self.lapsed_labels, output.lapsed_labels),
            (&mut self.replaced_units, output.replaced_units),
            (&mut self.added_units, output.added_units),
        ];
        for (sum, found) in counted {
            if let Some((count, line)) = found {
                let first = || Placed { count: 0, file: Arc::clone(&output.name), line };
                sum.get_or_insert_with(first).count += count;
            }
        }
        self.slips.merge(std::mem::take(&mut output.slips));
        let (mut case_start, mut records_start) = (0, 0);
        for done in &output.done {
            if let Some((file, line)) = self.seen.insert_hash(done.id, output.file, done.line) {
                let first = self.files.get(file as usize).map_or("?", |file| &file.name);
                let problem =
                    Problem::new(code::DUPLICATE_CASE, format!("the case id {} stands twice", quoted(&done.case_id)))
                        .on_line(&*output.name, done.line)
                        .label(format!("the first case with this id is at {first}:{line}"))
                        .help("give each case of a run an id of its own");
                self.stop(problem);
            }
            let counts = self.dataset(output.file);
            counts.cases += 1;
            counts.fingerprint.add(done.content, done.question);
            let case = output.cases.get(case_start..done.case_end).unwrap_or_default();
            let records = output.records.get(records_start..done.records_end).unwrap_or_default();
            (case_start, records_start) = (done.case_end, done.records_end);
            if !case.is_empty() {
                self.selection.offer(&done.offer, case, records);
            }
        }
        self.dataset(output.file).skipped_lines += output.bad_lines;
        for problem in output.problems {
            self.problems.push(problem);
        }
        let stated = Stated {
            cases: &output.cases,
            records: &output.records,
            outlines: &output.outlines,
            review: &output.review,
            beside: &output.beside,
        };
        if !doomed.load(Ordering::Relaxed)
            && let Err(problem) = sink.take(&stated)
        {
            self.stop(problem);
        }
    }

    fn finish(self, mut tally: Tally) -> Result<Evaluation, Problems> {
        if self.fatal || (!self.skip_bad_lines && !self.problems.is_empty()) {
            return Err(self.problems);
        }
        tally.add_skipped_lines(self.datasets.iter().map(|counts| counts.skipped_lines).sum());
        Ok(Evaluation {
            tally,
            selection: self.selection,
            datasets: self.datasets,
            skipped: self.problems,
            unresolved_citations: self.unresolved_citations,
            unread: self.unread,
            lapsed_labels: self.lapsed_labels,
            replaced_units: self.replaced_units,
            added_units: self.added_units,
            slips: self.slips,
        })
    }
}
