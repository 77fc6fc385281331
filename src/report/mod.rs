//! Reports: one frozen view of a run, and what is made of it.

mod anchor;
mod answer;
mod cluster;
pub mod console;
pub mod csv;
mod decision;
pub mod diff;
pub mod findings_csv;
mod flip;
mod gate;
pub mod github;
mod heat;
pub mod junit;
mod label;
pub mod machine;
pub mod markdown;
mod names;
pub mod plot;
pub mod ratio;
pub mod render;
mod review;
mod room;
pub mod row;
mod sample;
pub mod sarif;
mod schema;
mod segment;
mod shows;
pub mod sweep;
pub mod template;
pub mod trend;
mod uri;
pub mod view;
pub mod visible;
mod worst;
mod xml;

pub use render::{render_file, render_html, render_md};
pub use row::FindingRow;
pub use schema::schema;
pub use template::{Template, Templates};
pub use view::View;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
