//! `dropin`: shows that our `cl-sys` can replace the original under the published `ocl`.
//!
//! The same sources are built twice, once with each `cl-sys`, and the results are compared. Any difference
//! fails the command: an exported name, a test's verdict, a line that an example prints. The command needs
//! cargo's registry, and Linux, whose executables list the libraries that they need.

use std::fs;

use comfy_table::{Table, presets};

use crate::commands::setup;
use crate::dropin::build::Variant;
use crate::dropin::outcome::Outcome;
use crate::dropin::{build, outcome, sources, surface};
use crate::error::Result;
use crate::progress::Task;
use crate::workspace;

/// Builds, runs, compares and prints a table.
///
/// # Errors
///
/// If something cannot be built or run, or if anything differs.
pub(crate) fn run() -> Result {
    if !cfg!(target_os = "linux") {
        return Err("this command reads Linux executables: run it on Linux".into());
    }
    setup::ensure_device(setup::Register::No)?;
    let scratch = workspace::target_dir().join("dropin");
    fs::create_dir_all(&scratch)?;

    let published = timed("fetching ocl and cl-sys", || sources::fetch(&scratch))?;
    let compared = timed("comparing what both cl-sys export", || surface::compare(&scratch, &published))?;
    let outcomes = |variant| {
        sources::write(&scratch, &published, variant)?;
        let programs = timed(&format!("building ocl {variant}"), || build::build(&scratch, variant))?;
        timed(&format!("running ocl {variant}"), || outcome::of_all(&programs))
    };
    // These programs run before the next build, which overwrites them.
    let original = outcomes(Variant::Original)?;
    let ours = outcomes(Variant::Ours)?;

    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(["", "original", "ours", ""]);
    table.add_row(["exported names", &compared.to_string(), &compared.to_string(), "same"]);
    let differences = fill(&mut table, &original, &ours);
    println!("{table}");
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n").into()) }
}

/// Announces `work`, runs it, and prints how long it took.
fn timed<T>(label: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let task = Task::start(label);
    let result = work();
    task.finish(if result.is_ok() { "ok" } else { "FAILED" });
    result
}

/// Adds one row for each program, and returns descriptions of the differences.
fn fill(table: &mut Table, original: &[Outcome], ours: &[Outcome]) -> Vec<String> {
    let mut differences = Vec::new();
    for (a, b) in original.iter().zip(ours) {
        let found = a.differences(b);
        let verdict = if found.is_empty() { "same" } else { "DIFFERENT" };
        table.add_row([a.name(), &a.to_string(), &b.to_string(), verdict]);
        differences.extend(found);
    }
    if original.len() != ours.len() {
        differences.push(format!("{} programs were built, then {}", original.len(), ours.len()));
    }
    differences
}
