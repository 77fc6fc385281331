//! Machine formats that are written beside the records, from the same records, while cases are evaluated or read back.

use std::fmt;

use crate::record::{CaseRecord, ClaimRecord};

/// A case as a machine format is handed it.
#[derive(Debug, Clone, Copy)]
pub struct OneCase<'c, 'r> {
    /// Index of its dataset in the run.
    pub dataset: usize,
    /// The case.
    pub case: &'c CaseRecord<'r>,
    /// Its claims, in order.
    pub claims: &'c [ClaimRecord<'r>],
}

/// Writes what one format says of a case. Called by the worker that evaluated the case, so it keeps nothing; what it writes is put
/// back into input order before anything is made of it.
pub trait CaseWriter: Sync + fmt::Debug {
    /// Appends what is said of the case, in whatever form the format gathers; nothing where there is nothing to say.
    fn case(&self, case: &OneCase<'_, '_>, into: &mut Vec<u8>);
}
