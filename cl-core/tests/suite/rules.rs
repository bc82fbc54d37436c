//! Checks of the tables in `README.md`: every rule has a test, and every test that is named exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const README: &str = include_str!("../README.md");

/// Returns the numbers of the rules.
fn rules() -> impl Iterator<Item = String> {
    (1..=16).flat_map(|number| [number.to_string(), format!("S{number}")])
}

/// Returns the names of tests that stand in backticks in `text`, with braces expanded.
fn named(text: &str) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for quoted in text.split('`').skip(1).step_by(2) {
        if let Some((file, tests)) = quoted.split_once("::") {
            let tests = tests.trim_start_matches('{').trim_end_matches('}');
            names.extend(tests.split(", ").map(|test| (file.to_owned(), test.to_owned())));
        } else if let Some((folder @ ("turned_away" | "lifetimes"), case)) = quoted.split_once('/') {
            names.push((folder.to_owned(), case.to_owned()));
        }
    }
    names
}

/// Returns the tests in a file, or the cases in a folder.
fn present(file: &str) -> BTreeSet<String> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    if matches!(file, "turned_away" | "lifetimes") {
        let cases = fs::read_dir(package.join("tests").join(file)).into_iter().flatten().flatten();
        return cases.filter_map(|case| Some(case.path().file_stem()?.to_str()?.to_owned())).collect();
    }
    let path: PathBuf = match file.split_once('/') {
        None => ["tests/suite", "tests/alone"]
            .map(|folder| package.join(folder).join(file))
            .into_iter()
            .find(|path| path.with_extension("rs").exists())
            .unwrap_or_else(|| panic!("{file} is not a file of these tests")),
        Some(("src", _)) => package.join(file),
        Some(_) => package.join("..").join(file),
    };
    let path = path.with_extension("rs");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut tests = BTreeSet::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        is_test |= line == "#[test]" || line.starts_with("proptest!");
        if let (true, Some(rest)) = (is_test, line.strip_prefix("fn ")) {
            tests.extend(rest.split(['(', '<']).next().map(str::to_owned));
            is_test = false;
        }
    }
    tests
}

fn exists((file, test): &(String, String)) -> bool {
    let tests = present(file);
    match test.strip_suffix('*') {
        Some(start) => tests.iter().any(|known| known.starts_with(start)),
        None => tests.contains(test),
    }
}

#[test]
fn every_test_that_is_named_exists() {
    let rows = README.lines().filter(|line| line.starts_with('|'));
    let missing: Vec<_> = rows.flat_map(named).filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_rule_has_a_test() {
    for rule in rules() {
        let row = README.lines().find(|line| line.starts_with(&format!("| {rule} | ")));
        let row = row.unwrap_or_else(|| panic!("rule {rule} is not in the table"));
        assert!(!named(row).is_empty(), "rule {rule} has no test");
    }
    assert!(!README.to_lowercase().contains("to come"), "a rule waits for its test");
}

/// Checks `named` and `exists` themselves.
#[test]
fn names_are_taken_apart() {
    let text = "`a::{b, c_*}`, `turned_away/d`, `other/e`, and `f::g`";
    let names = named(text);
    let names: Vec<_> = names.iter().map(|(file, test)| (file.as_str(), test.as_str())).collect();
    assert_eq!(names, [("a", "b"), ("a", "c_*"), ("turned_away", "d"), ("f", "g")]);
    let here = |test: &str| exists(&("rules".to_owned(), test.to_owned()));
    assert!(here("names_are_taken_apart") && here("every_*") && !here("named") && !here("no_*"));
}
