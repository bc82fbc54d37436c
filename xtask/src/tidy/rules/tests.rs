//! Tests that every rule finds a planted offence and accepts similar, correct texts.

use super::*;

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile { path: path.to_owned(), text: Some(text.to_owned()) }
}

/// Returns the paths in which `rule` finds offences.
fn guilty(rule: Rule, files: &[SourceFile]) -> Vec<String> {
    rule(files).into_iter().map(|offence| offence.path).collect()
}

/// Returns the lines of `text` in which `rule` finds offences.
fn guilty_lines(rule: Rule, path: &str, text: &str) -> Vec<usize> {
    rule(&[file(path, text)]).into_iter().filter_map(|offence| offence.line).collect()
}

#[test]
fn a_module_without_a_doc_line_is_found() {
    for text in
        ["", "use std::fmt;\n//! late\n", "/// an item\nfn f() {}\n", "#![allow(dead_code)]\nmod a;\n"]
    {
        assert_eq!(guilty(module_doc, &[file("a.rs", text)]), ["a.rs"], "{text:?}");
    }
    for text in [
        "//! What it is.\n",
        "#!/usr/bin/env run\n//! What it is.\n",
        "// Table: of things.\n\n//! What it is.\n",
        "#![allow(\n    dead_code,\n    reason = \"[planted]\"\n)]\n\n//! What it is.\n",
    ] {
        assert_eq!(guilty(module_doc, &[file("a.rs", text)]), [""; 0], "{text:?}");
    }
    assert_eq!(guilty(module_doc, &[file("a.cl", "kernel")]), [""; 0]);
}

#[test]
fn a_kernel_that_nobody_includes_is_found() {
    let manifests = ["a/Cargo.toml", "b/Cargo.toml"].map(|path| file(path, ""));
    let kernels = ["a/src/kernels/scan.cl", "a/src/kernels/lone.cl"].map(|path| file(path, ""));
    let owner = file("a/src/scan.rs", "const K: &str = include_str!(\n    \"kernels/scan.cl\",\n);");
    // In another crate, as the end of another name, and as a plain string.
    let others = [
        file("b/src/lib.rs", "include_str!(\"../../a/src/kernels/lone.cl\")"),
        file("a/src/other.rs", "include_str!(\"kernels/not_lone.cl\")"),
        file("a/src/text.rs", "include_str!(\"x.txt\"); \"kernels/lone.cl\""),
    ];
    // A generated file that is kept for comparison has no owner.
    let golden = file("a/tests/golden/nvidia-h200/scan.cl", "kernel");
    let files = [manifests.as_slice(), kernels.as_slice(), &[owner, golden], others.as_slice()].concat();
    assert_eq!(guilty(kernel_owner, &files), ["a/src/kernels/lone.cl"]);
}

#[test]
fn a_long_file_is_found_unless_it_is_a_table() {
    let lines = |n: usize| "x\n".repeat(n);
    assert_eq!(guilty(length, &[file("a.rs", &lines(LINE_LIMIT + 1))]), ["a.rs"]);
    assert_eq!(guilty(length, &[file("a.cl", &lines(LINE_LIMIT + 1))]), ["a.cl"]);
    assert_eq!(guilty(length, &[file("a.rs", &lines(LINE_LIMIT))]), [""; 0]);
    assert_eq!(guilty(length, &[file("a.md", &lines(LINE_LIMIT + 1))]), [""; 0]);
    assert_eq!(guilty(length, &[file("a/tests/golden/b/c.cl", &lines(LINE_LIMIT + 1))]), [""; 0]);
    let table = format!("// {TABLE_MARK} of entry points.\n{}", lines(LINE_LIMIT));
    assert_eq!(guilty(length, &[file("a.rs", &table)]), [""; 0]);
    let late = format!("{}// {TABLE_MARK} too late.\n", lines(LINE_LIMIT));
    assert_eq!(guilty(length, &[file("a.rs", &late)]), ["a.rs"]);
}

#[test]
fn strays_are_found() {
    let strays = [
        "a.rs.orig",
        "core",
        "cl-core/out.json",
        "logo.png",
        "run",
        "x.stderr",
        ".DS_Store",
        "a.log",
        "x.html",
        "x.js",
        "x.css",
        "x.cpp",
        "x.c",
        "x.sh",
        "a.mtx",
        "a.yml",
    ];
    assert_eq!(guilty(stray, &strays.map(|path| file(path, ""))), strays);
    let residents = [
        "Cargo.toml",
        "Cargo.lock",
        ".cargo/config.toml",
        "README.md",
        "LICENSE-MIT",
        ".gitignore",
        ".ci/run",
        ".github/workflows/ci.yml",
        "bench/results/cpu.json",
        "bench/peers/x.cpp",
        "bench/peers/x.c",
        "bench/src/report/page.html",
        "xtask/src/commands/bundle/run.sh",
        "docs/fusion.svg",
        "docs/bench/gpu.html",
        "examples/data/coffee.png",
        "examples/data/plate.mtx",
        "a/src/x.cl",
        "cl-test/tests/ui/x.stderr",
    ];
    assert_eq!(guilty(stray, &residents.map(|path| file(path, ""))), [""; 0]);
}

#[test]
fn machine_paths_are_found() {
    for folder in ["home", "root", "work"] {
        let text = format!("fine\nlib = \"/{folder}/me/x\"\nfile:///{folder}/x\n/{folder}/x\n");
        assert_eq!(guilty_lines(machine_path, "a.toml", &text), [2, 3, 4], "{folder}");
        let text = format!("src/{folder}/x.rs ../{folder}/x $HOME/{folder}/x ${{X}}/{folder}/x /{folder}\n");
        assert_eq!(guilty_lines(machine_path, "a.md", &text), [0; 0], "{folder}");
    }
    let windows = ["C:", "Users", "me"].join("\\");
    assert_eq!(guilty_lines(machine_path, "a.md", &windows), [1]);
}

#[test]
fn invisible_white_space_is_found() {
    assert_eq!(guilty_lines(white_space, "a.rs", "fine\nspace \n\ttab\nfine\n   \n"), [2, 3, 5]);
    assert_eq!(guilty_lines(white_space, "a.cl", "x\t\n"), [1]);
    assert_eq!(guilty_lines(white_space, "a.md", "two spaces break a line  \n"), [0; 0]);
    assert_eq!(guilty_lines(white_space, "a.rs", "a\r\nb\r\n"), [0; 0], "a Windows checkout");
}

#[test]
fn a_missing_final_newline_is_found() {
    assert_eq!(guilty(final_newline, &[file("a.md", "text")]), ["a.md"]);
    assert_eq!(guilty(final_newline, &[file("a.md", "text\n"), file("b.txt", "")]), [""; 0]);
    let binary = SourceFile { path: "docs/a.png".to_owned(), text: None };
    assert_eq!(guilty(final_newline, &[binary]), [""; 0]);
}
