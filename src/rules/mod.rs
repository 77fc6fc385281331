//! Rule files: as written, validated, compiled.

pub mod confidence;
pub mod metric;
pub mod policy;

pub use metric::{Average, Level, Metric};
pub use policy::Policy;
