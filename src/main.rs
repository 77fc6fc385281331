//! The program: the only file that prints or exits.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::process::ExitCode;

use citeward::cli::{self, Io};

/// Judging takes and gives back many small pieces of memory, which the allocators of some systems are slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Empty means unset, as https://no-color.org has it.
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    let mut out = BufWriter::new(io::stdout().lock());
    let mut err = io::stderr();
    let progress = err.is_terminal() && !is_dumb && !is_set("CI");
    let colour = io::stdout().is_terminal() && !is_dumb && !is_set("NO_COLOR");
    let exit = cli::run(std::env::args_os(), &mut Io { out: &mut out, err: &mut err, progress, colour });
    match out.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(err, "error: the output could not be written: {error}");
            ExitCode::from(cli::Exit::NotJudged as u8)
        }
        _ => ExitCode::from(exit as u8),
    }
}
