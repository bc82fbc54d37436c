//! `book`: builds the pages of the book in `docs/book` with mdBook, and installs mdBook if it is missing.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command_line::on_path;
use crate::error::Result;
use crate::progress::Task;
use crate::workspace;

/// The version of mdBook that [`install`] installs. The Rust of this workspace can compile it. An mdBook on
/// the `PATH` is used whatever its version.
const VERSION: &str = "0.5.4";

/// Builds the book and prints the path of its first page.
///
/// # Errors
///
/// If mdBook can be neither found nor installed, or if mdBook reports an error or a warning about the book.
pub(crate) fn run() -> Result {
    let mdbook = program()?;
    let pages = workspace::target_dir().join("book");
    let source = workspace::root().join("docs/book");
    let build = duct::cmd!(mdbook, "build", "--dest-dir", &pages, source);
    let output = build.stderr_to_stdout().stdout_capture().unchecked().run();
    let output = output.map_err(|e| format!("cannot start mdbook: {e}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || said.lines().any(|line| line.contains("WARN") || line.contains("ERROR")) {
        return Err(format!("the book cannot be built:\n{said}").into());
    }
    println!("{}", pages.join("index.html").display());
    Ok(())
}

/// Returns the mdBook on the `PATH`, or else the one in cargo's target folder.
fn program() -> Result<OsString> {
    if on_path("mdbook") {
        return Ok("mdbook".into());
    }
    let root = workspace::target_dir().join("tools");
    let program = installed(&root);
    if !program.is_file() {
        install(&root)?;
    }
    Ok(program.into())
}

/// Returns the path at which `cargo install --root` puts mdBook.
fn installed(root: &Path) -> PathBuf {
    root.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX))
}

/// Installs mdBook under `root`, without its server.
fn install(root: &Path) -> Result {
    // Intermediate files go to a folder of their own, which is removed afterwards.
    let scratch = root.join("build");
    let task = Task::start(format!("installing mdbook {VERSION}"));
    let args = ["install", "mdbook", "--version", VERSION, "--locked"];
    let features = ["--no-default-features", "--features", "search"];
    let args = args.into_iter().chain(features).map(OsString::from);
    let places = ["--root".into(), root.into(), "--target-dir".into(), scratch.clone().into()];
    let succeeded = task.run(&workspace::cargo(args.chain(places)))?;
    task.finish(if succeeded { "ok" } else { "FAILED" });
    if !succeeded {
        return Err(format!("cargo install mdbook --version {VERSION} failed: see above").into());
    }
    fs::remove_dir_all(&scratch).map_err(|e| format!("cannot remove {}: {e}", scratch.display()))?;
    Ok(())
}
