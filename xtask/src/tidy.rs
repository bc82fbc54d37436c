//! Tidiness rules that no other tool checks, as pure functions of the workspace's files and of cargo's
//! metadata.
//!
//! `cargo xtask tidy` prints the offences. The test at the end of this file makes the same check, so that
//! `cargo test` alone keeps the tree tidy.

mod comments;
mod file;
mod rules;
pub(crate) mod tree;

use file::Offence;
pub(crate) use file::SourceFile;
use serde_json::Value;

/// Returns every offence against every rule, by file. `metadata` is the output of `cargo metadata`.
pub(crate) fn offences(files: &[SourceFile], metadata: &Value) -> Vec<Offence> {
    let mut offences: Vec<Offence> = rules::ALL.iter().flat_map(|rule| rule(files)).collect();
    offences.extend(rules::rust_version::packages(metadata));
    offences.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_tidy() {
        let files = tree::read(&crate::workspace::root()).expect("the workspace can be read");
        assert!(files.iter().any(|file| file.path == "xtask/src/tidy.rs"), "this file is not in the list");
        let metadata = crate::workspace::metadata().expect("cargo knows the packages");
        let offences: Vec<String> = offences(&files, &metadata).iter().map(ToString::to_string).collect();
        assert!(offences.is_empty(), "{}", offences.join("\n"));
    }

    #[test]
    fn offences_come_in_the_order_of_the_files() {
        let file = |path: &str| SourceFile { path: path.to_owned(), text: Some("no doc \n\t".to_owned()) };
        let found = offences(&[file("b.rs"), file("a.rs")], &Value::Null);
        assert!(found.is_sorted_by_key(|offence| (&offence.path, offence.line)), "{found:?}");
        assert_eq!(found[1].to_string(), "a.rs: does not begin with a `//!` line that says what it is");
    }
}
