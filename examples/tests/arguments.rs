//! Tests that examples and tools answer invalid arguments with an error that says why, and never with a panic.
//!
//! The tests run the programs by cargo, as a reader does, which builds missing ones. `.ci/run` builds them
//! before, and test sessions that should end soon leave these tests out.

use std::path::Path;
use std::process::{Command, Output};

/// Runs a program of this package as `kind`, `--example` or `--bin`, in the profile of this test.
fn run(kind: &str, name: &str, args: &[&str]) -> Output {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--package", "cl-examples", kind, name]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let output = cargo.arg("--").args(args).output();
    output.unwrap_or_else(|error| panic!("cargo cannot be started: {error}"))
}

/// Asserts that the program ends with an error and not with a panic, and that the error contains `needles`.
fn refused(kind: &str, name: &str, args: &[&str], needles: &[&str]) {
    let output = run(kind, name, args);
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    // Rust's panics end with 101.
    assert!(matches!(code, Some(1 | 2)), "{name} {args:?} ended with {code:?}: {said}");
    for needle in needles {
        assert!(said.contains(needle), "{name} {args:?} does not say `{needle}`: {said}");
    }
}

#[test]
#[ignore = "builds examples"]
fn numbers_that_make_no_sense_are_refused() {
    for points in ["abc", "-5", "0", "3", "1000000"] {
        refused("--example", "26_poisson_fft", &[points], &[points]);
    }
    refused("--example", "09_neighbours", &["--cells", "0"], &["--cells"]);
    for width in ["0", "1", "100000"] {
        refused("--example", "08_mandelbrot", &["--width", width], &["--width"]);
    }
}

#[test]
#[ignore = "builds examples"]
fn files_that_cannot_be_read_are_named() {
    let no_picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let no_picture = no_picture.to_str().expect("a path in UTF-8");
    for name in ["29_photo", "30_k_means", "31_spectrogram", "34_image_arrays"] {
        refused("--example", name, &["no-such-file"], &["no-such-file: "]);
        refused("--example", name, &[no_picture], &["Cargo.toml: "]);
    }
    refused("--example", "32_page_rank", &["no-such-file"], &["no-such-file"]);
    refused("--example", "28_heat_plate", &["no-such-folder"], &["no-such-folder"]);
    refused("--bin", "make_plate", &["no-such-folder"], &["no-such-folder", "plate.mtx: "]);
}

#[test]
#[ignore = "builds examples"]
fn options_are_not_taken_for_files() {
    let programs = [
        "26_poisson_fft",
        "28_heat_plate",
        "29_photo",
        "30_k_means",
        "31_spectrogram",
        "32_page_rank",
        "34_image_arrays",
    ];
    for (kind, name) in programs.map(|name| ("--example", name)).into_iter().chain([("--bin", "make_plate")])
    {
        let output = run(kind, name, &["--help"]);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("Usage:"), "{name} --help says {said}");
        refused(kind, name, &["--bogus"], &["--bogus"]);
    }
}
