//! The workspace's test programs and their tests.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use duct::Expression;
use serde_json::Value;

use crate::error::Result;
use crate::workspace;

/// An executable that cargo built.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Program {
    /// The package, followed by the target unless the target is the package's library.
    pub(crate) name: String,
    pub(crate) executable: PathBuf,
    /// The package's folder, in which its tests run.
    pub(crate) folder: PathBuf,
    /// `true` if it comes from the package's folder `tests`, where each module tests one feature.
    pub(crate) is_suite: bool,
}

/// A test of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) program: Program,
    pub(crate) name: String,
}

impl Test {
    /// Returns a file name for this test, without the `/` that `program::name` may contain.
    pub(crate) fn file_name(&self) -> String {
        self.to_string().replace([':', '/'], ".")
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.program.name, self.name)
    }
}

impl Program {
    /// Returns the command that runs the program with `args`, in the folder and with the variables that
    /// `cargo test` sets.
    pub(crate) fn command<A: Into<OsString>>(&self, args: impl IntoIterator<Item = A>) -> Expression {
        // Tests of compiler errors call cargo for their package.
        let package = self.name.split('/').next().unwrap_or_default();
        duct::cmd(&self.executable, args)
            .dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_MANIFEST_PATH", self.folder.join("Cargo.toml"))
            .env("CARGO_PKG_NAME", package)
    }

    /// Returns the names of the program's tests.
    ///
    /// # Errors
    ///
    /// If the program does not list its tests.
    pub(crate) fn tests(&self) -> Result<Vec<String>> {
        let listed = self.command(["--list", "--format", "terse"]).read();
        let listed = listed.map_err(|e| format!("{} does not list its tests: {e}", self.name))?;
        Ok(listed.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
    }
}

/// Groups tests by their first module. Tests outside of modules are under the empty name.
pub(crate) fn by_module(tests: Vec<String>) -> BTreeMap<String, Vec<String>> {
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for test in tests {
        let module = test.split_once("::").map(|(module, _)| module.to_owned()).unwrap_or_default();
        modules.entry(module).or_default().push(test);
    }
    modules
}

/// Builds tests with these arguments of `cargo test`, and returns their programs.
///
/// # Errors
///
/// If the tests do not compile.
pub(crate) fn build(args: impl IntoIterator<Item = String>) -> Result<Vec<Program>> {
    let first = ["test", "--no-run", "--message-format=json-render-diagnostics"].map(str::to_owned);
    let messages = workspace::cargo(first.into_iter().chain(args)).read();
    let messages = messages.map_err(|_| "the tests do not compile: see above")?;
    Ok(messages.lines().filter_map(program).collect())
}

/// Returns the test program that one of cargo's messages announces.
fn program(message: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(message).ok()?;
    let executable = message["executable"].as_str()?;
    if message["profile"]["test"] != true {
        return None;
    }
    let folder = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = package(message["package_id"].as_str()?);
    let target = message["target"]["name"].as_str()?;
    let name = if target.replace('_', "-") == package { package } else { format!("{package}/{target}") };
    let is_suite = message["target"]["kind"].as_array()?.iter().any(|kind| kind == "test");
    Some(Program { name, executable: executable.into(), folder, is_suite })
}

/// Returns the package of an id such as `path+file:///x/cl/cl-core#0.1.0`. If the folder has another name than
/// the package, the id ends in `#cl-core@0.1.0`.
pub(crate) fn package(id: &str) -> String {
    let (folder, version) = id.rsplit_once('#').unwrap_or((id, ""));
    let package = match version.split_once('@') {
        Some((name, _)) => name,
        None => folder.rsplit_once('/').map_or(folder, |(_, name)| name),
    };
    package.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_known_by_package_and_target() {
        let message = |target: &str, kind: &str, test: bool| {
            serde_json::json!({
                "executable": "/t/x", "manifest_path": "/w/cl-algo/Cargo.toml",
                "package_id": "path+file:///w/cl-algo#0.1.0",
                "profile": { "test": test }, "target": { "name": target, "kind": [kind] },
            })
            .to_string()
        };
        let found = program(&message("suite", "test", true)).expect("a test program");
        assert_eq!((found.name.as_str(), found.is_suite), ("cl-algo/suite", true));
        assert_eq!(found.folder, PathBuf::from("/w/cl-algo"));
        let inside = program(&message("cl_algo", "lib", true)).expect("a library's tests");
        assert_eq!((inside.name.as_str(), inside.is_suite), ("cl-algo", false));
        assert_eq!(program(&message("suite", "test", false)), None);
        assert_eq!(program("not JSON"), None);
        assert_eq!(package("path+file:///w/bench#cl-bench@0.1.0"), "cl-bench");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_runs_as_cargo_runs_it() {
        let program = Program {
            name: "cl-core/suite".to_owned(),
            executable: "/usr/bin/env".into(),
            folder: workspace::root(),
            is_suite: true,
        };
        let seen = program.command([""; 0]).read().expect("env runs");
        let folder = format!("CARGO_MANIFEST_DIR={}", workspace::root().display());
        assert!(seen.lines().any(|line| line == folder), "{seen}");
        assert!(seen.lines().any(|line| line == "CARGO_PKG_NAME=cl-core"), "{seen}");
    }

    #[test]
    fn tests_are_told_apart_by_their_first_module() {
        let names = ["scan::a", "alone", "sort::deep::b", "scan::c"].map(str::to_owned).to_vec();
        let modules: Vec<_> = by_module(names).into_iter().collect();
        let expected: [(&str, &[&str]); 3] =
            [("", &["alone"]), ("scan", &["scan::a", "scan::c"]), ("sort", &["sort::deep::b"])];
        let owned = |(module, tests): (&str, &[&str])| {
            (module.to_owned(), tests.iter().map(|t| (*t).to_owned()).collect())
        };
        assert_eq!(modules, expected.map(owned));
    }
}
