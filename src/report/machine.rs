//! The formats for machines that a run folder holds beside the reports: each is written while the cases come by, in input order,
//! so that none is held in memory beyond its caps.
//!
//! ```text
//! worker: case ─▶ CaseWriter ─▶ bytes ─▶ in input order: Gather ─▶ file
//! ```
//!
//! A further format is one file with these two traits and one entry in [`formats`].

use super::findings_csv::FindingsCsv;
use super::junit::Junit;
use super::row::Background;
use super::sarif::Sarif;
use super::view::View;
use crate::diagnostic::Problem;
use crate::run::{CaseWriter, OneCase, RunFolder, RunJson};

/// A format: what it writes of a case, and what it makes of that.
pub trait Format: CaseWriter {
    /// Name of its file in a run folder.
    fn file(&self) -> &'static str;

    /// What puts the file together.
    fn gather(&self) -> Box<dyn Gather + '_>;
}

/// Puts a file together from what workers wrote of cases. Each step appends the next bytes of the file; what a step must hold back
/// it keeps, within a cap of its own.
pub trait Gather {
    /// What the file begins with.
    fn begin(&mut self, into: &mut Vec<u8>);

    /// What was written of the next cases in input order.
    fn take(&mut self, written: &[u8], into: &mut Vec<u8>);

    /// How the file ends, once the run is judged.
    fn end(&mut self, run: &RunJson, view: &View, into: &mut Vec<u8>);
}

/// Every format.
#[must_use]
pub fn formats(background: &Background) -> Vec<Box<dyn Format>> {
    vec![
        Box::new(FindingsCsv::new(background.clone())),
        Box::new(Sarif::new(background.clone())),
        Box::new(Junit::new(background.clone())),
    ]
}

/// Writes the file of one format again from a run folder, byte for byte as `check` wrote it, piece by piece into `write`.
///
/// # Errors
/// A [`Problem`] where the folder cannot be read or `write` gives one.
pub fn rewrite(
    format: &dyn Format,
    folder: &RunFolder,
    view: &View,
    write: &mut dyn FnMut(&[u8]) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut gather = format.gather();
    let (mut written, mut bytes) = (Vec::new(), Vec::new());
    gather.begin(&mut bytes);
    let mut ends = Ends::of(&folder.manifest);
    folder.each_case(&mut |case, claims| {
        written.clear();
        format.case(&OneCase { dataset: ends.next(), case, claims }, &mut written);
        gather.take(&written, &mut bytes);
        write(&bytes)?;
        bytes.clear();
        Ok(())
    })?;
    gather.end(&folder.manifest, view, &mut bytes);
    write(&bytes)
}

/// Which dataset the next case in input order belongs to.
struct Ends {
    left: Vec<u64>,
    dataset: usize,
}

impl Ends {
    fn of(run: &RunJson) -> Self {
        Self { left: run.datasets.iter().map(|dataset| dataset.cases).collect(), dataset: 0 }
    }

    fn next(&mut self) -> usize {
        while self.left.get(self.dataset) == Some(&0) {
            self.dataset += 1;
        }
        if let Some(left) = self.left.get_mut(self.dataset) {
            *left -= 1;
        }
        self.dataset
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn cases_belong_to_the_datasets_in_their_order() {
        let mut run = fixture::run();
        let mut dataset = run.datasets[0].clone();
        dataset.cases = 2;
        let empty = crate::run::manifest::DatasetStamp { cases: 0, ..dataset.clone() };
        run.datasets = vec![empty.clone(), dataset.clone(), empty, dataset];
        let mut ends = Ends::of(&run);
        // A folder that was edited may have more cases than it says.
        assert_eq!([1, 1, 3, 3, 4, 4], std::array::from_fn(|_| ends.next()));
    }
}
