//! Any bytes as a rule file: problems or a policy, never a panic, never a hang.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).into_owned();
    if let Err(problems) = citeward::rules::compile(vec![("rules/fuzz.yaml".to_owned(), text)]) {
        let _ = problems.render();
    }
});
