//! The workspace's test programs, and the tests that each of them has.

use std::fmt;
use std::path::PathBuf;

use serde_json::Value;

use super::implementation::Implementation;
use crate::error::Result;
use crate::workspace;

/// One executable that cargo built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// The package, and the target unless the target is the package's library.
    pub(super) name: String,
    pub(super) executable: PathBuf,
    /// The package's folder, in which its tests run.
    pub(super) folder: PathBuf,
}

/// One test of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) program: Program,
    pub(super) name: String,
}

impl Test {
    /// Returns a name for a file about this test: without folders, which `program::name` may contain.
    pub(super) fn file_name(&self) -> String {
        self.to_string().replace([':', '/'], ".")
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.program.name, self.name)
    }
}

/// The packages whose tests depend on the device.
const PACKAGES: &[&str] = &["cl-core", "cl-algo", "cl-random", "cl-fft", "cl-sparse", "cl-hostile"];

/// Builds the tests in one of cargo's profiles, and returns their programs.
///
/// # Errors
///
/// If they do not compile.
pub(super) fn build(profile: &str, chosen: &[String]) -> Result<Vec<Program>> {
    let mut args = ["test", "--profile", profile, "--no-run", "--message-format=json-render-diagnostics"]
        .map(str::to_owned)
        .to_vec();
    if chosen.is_empty() {
        args.extend(["--lib", "--tests"].map(str::to_owned));
        args.extend(PACKAGES.iter().flat_map(|package| ["-p".to_owned(), (*package).to_owned()]));
    }
    args.extend_from_slice(chosen);
    let messages = workspace::cargo(args).read().map_err(|_| "the tests do not compile: see above")?;
    Ok(messages.lines().filter_map(program).collect())
}

/// The executable of one of cargo's messages.
fn program(message: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(message).ok()?;
    let executable = message["executable"].as_str()?;
    if message["profile"]["test"] != true {
        return None;
    }
    let folder = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = folder.file_name()?.to_str()?.to_owned();
    let target = message["target"]["name"].as_str()?;
    let name = if target.replace('_', "-") == package { package } else { format!("{package}/{target}") };
    Some(Program { name, executable: executable.into(), folder })
}

/// The tests of all programs that an implementation does not leave out.
///
/// # Errors
///
/// If a program does not list its tests.
pub(super) fn tests(programs: &[Program], implementation: &Implementation) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for program in programs {
        let listed =
            duct::cmd!(&program.executable, "--list", "--format", "terse").dir(&program.folder).read();
        let listed = listed.map_err(|e| format!("{} does not list its tests: {e}", program.name))?;
        let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
        let all = names.map(|name| Test { program: program.clone(), name: name.to_owned() });
        let left_out =
            |test: &Test| implementation.left_out.iter().any(|(part, _)| test.to_string().contains(part));
        tests.extend(all.filter(|test| !left_out(test)));
    }
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_known_by_package_and_target() {
        let message = |target: &str, test: bool| {
            serde_json::json!({
                "executable": "/t/x", "manifest_path": "/w/cl-algo/Cargo.toml",
                "profile": { "test": test }, "target": { "name": target },
            })
            .to_string()
        };
        let found = program(&message("sort", true)).expect("a test program");
        assert_eq!((found.name.as_str(), found.folder), ("cl-algo/sort", PathBuf::from("/w/cl-algo")));
        assert_eq!(program(&message("cl_algo", true)).expect("a library's tests").name, "cl-algo");
        assert_eq!(program(&message("sort", false)), None);
        assert_eq!(program("not JSON"), None);
    }
}
