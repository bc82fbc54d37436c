//! `bundle`: packs benchmarks and tests for a machine that has an OpenCL driver but not Rust.

mod artifacts;

use std::fs;
use std::path::{Path, PathBuf};

use self::artifacts::Artifact;
use crate::error::Result;
use crate::progress::Task;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder to fill; it must be empty or not exist yet
    dir: PathBuf,
    /// Leave out the tests, which take long to build
    #[arg(long)]
    no_tests: bool,
    /// Pack only the tests of this package; may be repeated
    #[arg(short, long, conflicts_with = "no_tests")]
    package: Vec<String>,
}

/// The script that runs the bundle and prints its usage.
const RUN: &str = include_str!("run.sh");

/// Packages whose tests are left out, because they run without a device, need cargo, or repeat other
/// packages' tests.
const EXCLUDED: [&str; 6] = ["xtask", "cl-bench", "cl-book", "cl-examples", "cl-macros", "cl-sys"];

/// The options of `xz`: low effort, and a window over many programs, because most of each program is the same
/// in all programs. 300 MB become 26 MB, in a third of the time that `-9` takes for 23 MB.
const XZ_OPTIONS: &str = "--lzma2=preset=2,dict=256MiB";

/// Builds, strips and packs the programs.
///
/// # Errors
///
/// If the folder is not empty, if something cannot be built, or if `strip`, `tar` or `xz` is missing. The
/// folder is then empty again.
pub(crate) fn run(args: &Args) -> Result {
    let dir = std::path::absolute(&args.dir)?;
    fs::create_dir_all(&dir).map_err(|e| format!("cannot create {}: {e}", dir.display()))?;
    if fs::read_dir(&dir)?.next().is_some() {
        return Err(format!("{} is not empty: name a new folder", dir.display()).into());
    }
    // Everything is built before anything is copied. The tests come first, so that an unknown package fails
    // at once.
    let tests = if args.no_tests { None } else { Some(build_tests(&args.package)?) };
    let bench = artifacts::build(["build", "--package", "cl-bench"])?;
    let program = bench.iter().find(|artifact| artifact.is_program("cl-bench"));
    let program = program.ok_or("cargo built no cl-bench")?;

    fill_or_empty(&dir, || {
        copy(&program.file, &dir.join("cl-bench"))?;
        if let Some(tests) = &tests {
            bundle_tests(&dir, tests)?;
        }
        write_script(&dir.join("run"))
    })?;
    println!("{}: {} MB; there: ./run", dir.display(), megabytes(&dir)?);
    Ok(())
}

/// Fills an empty folder. If `fill` fails, empties the folder again, so that the command can be repeated.
fn fill_or_empty(dir: &Path, fill: impl FnOnce() -> Result) -> Result {
    fill().inspect_err(|_| {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            // The error of `fill` matters more than a file that cannot be removed.
            let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
        }
    })
}

/// Builds the tests of `packages`, or of all packages if it is empty.
fn build_tests(packages: &[String]) -> Result<Vec<Artifact>> {
    let chosen: Vec<&str> = match packages {
        [] => {
            ["--workspace"].into_iter().chain(EXCLUDED.iter().flat_map(|name| ["--exclude", name])).collect()
        }
        names => names.iter().flat_map(|name| ["--package", name]).collect(),
    };
    artifacts::build(["test", "--no-run", "--tests"].into_iter().chain(chosen))
}

/// Packs the tests. The script `run` leaves out the tests that need Rust.
fn bundle_tests(dir: &Path, tests: &[Artifact]) -> Result {
    let staging = dir.join("tests");
    fs::create_dir(&staging)?;
    for test in tests.iter().filter(|artifact| artifact.is_test) {
        copy(&test.file, &staging.join(format!("{}.test", test.title())))?;
    }
    // The tests of driver faults load `cl_fault` from the folder of their own program.
    for library in tests.iter().filter(|artifact| artifact.is_library("cl_fault")) {
        copy(&library.file, &staging.join(library.file.file_name().unwrap_or_default()))?;
    }
    pack(dir, &staging)
}

/// Copies a program or a library without its debugging symbols.
fn copy(from: &Path, to: &Path) -> Result {
    let error = |e| format!("cannot strip {} to {}: {e}", from.display(), to.display());
    // `strip` removes the symbols after the build. A cargo profile that omits them would need a second build.
    duct::cmd!("strip", "--strip-unneeded", "-o", to, from).run().map_err(error)?;
    Ok(())
}

/// Packs the programs into `tests.tar.xz`.
fn pack(dir: &Path, staging: &Path) -> Result {
    let task = Task::start("packing the tests");
    let tar =
        duct::cmd!("tar", "-cJf", dir.join("tests.tar.xz"), "-C", staging, ".").env("XZ_OPT", XZ_OPTIONS);
    let packed = task.run(&tar)?;
    task.finish(if packed { "ok" } else { "FAILED" });
    if !packed {
        return Err("tar cannot pack the tests: it needs xz, in the package xz-utils".into());
    }
    fs::remove_dir_all(staging)?;
    Ok(())
}

fn write_script(path: &Path) -> Result {
    fs::write(path, RUN)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

fn megabytes(dir: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(dir)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes.div_ceil(1_000_000))
}

#[cfg(all(test, unix))]
mod tests;
