//! The workspace's tests in pieces that can run side by side: each is a choice of cargo's targets.

use serde_json::Value;

use crate::error::Result;
use crate::workspace;

/// What cargo is asked to test at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job(Vec<String>);

impl Job {
    fn new(words: &[&str]) -> Job {
        Job(words.iter().map(ToString::to_string).collect())
    }

    /// The arguments that choose it.
    pub(super) fn args(&self) -> &[String] {
        &self.0
    }
}

/// All tests of the workspace, what takes longest first.
///
/// # Errors
///
/// If cargo cannot read the workspace.
pub(super) fn all() -> Result<Vec<Job>> {
    let metadata = workspace::cargo(["metadata", "--no-deps", "--format-version", "1"]).read()?;
    Ok(of(&serde_json::from_str(&metadata)?))
}

/// Cargo knows files under `tests` by their names only, so that those of one name are one job.
fn of(metadata: &Value) -> Vec<Job> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let targets = list(&metadata["packages"]).into_iter().flat_map(|package| list(&package["targets"]));
    let is_test = |target: &Value| list(&target["kind"]).iter().any(|kind| kind == "test");
    let names = targets.filter(is_test).filter_map(|target| target["name"].as_str().map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    let mut jobs = vec![Job::new(&["--doc"]), Job::new(&["--lib"]), Job::new(&["--bins"])];
    jobs.extend(names.iter().map(|name| Job::new(&["--test", name])));
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_one_job_behind_the_libraries() {
        let target = |kind: &str, name: &str| serde_json::json!({ "kind": [kind], "name": name });
        let first = serde_json::json!({ "targets": [target("lib", "a"), target("test", "sums")] });
        let second = serde_json::json!({ "targets": [target("test", "sums"), target("test", "copies")] });
        let jobs = of(&serde_json::json!({ "packages": [first, second] }));
        let expected: [&[&str]; 5] =
            [&["--doc"], &["--lib"], &["--bins"], &["--test", "copies"], &["--test", "sums"]];
        assert_eq!(jobs, expected.map(Job::new));
    }

    #[test]
    fn this_workspace_has_them() {
        let jobs = all().expect("cargo reads this workspace");
        assert!(jobs.contains(&Job::new(&["--test", "build_error"])), "{jobs:?}");
    }
}
