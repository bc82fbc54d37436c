//! Builds the unit tests and examples of `ocl` with one of the two `cl-sys`.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::dropin::linked;
use crate::dropin::outcome::Compared;
use crate::error::Result;
use crate::workspace;

/// One of the two `cl-sys` packages that `ocl` is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The one of the registry, which is linked with OpenCL.
    Original,
    /// Ours, which loads OpenCL at run time.
    Ours,
}

impl Variant {
    /// Returns the folder of the variant's workspace.
    pub(crate) fn folder(self, scratch: &Path) -> PathBuf {
        scratch.join(match self {
            Self::Original => "original",
            Self::Ours => "ours",
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Original => "with the original cl-sys",
            Self::Ours => "with our cl-sys",
        })
    }
}

/// Examples: the package, the name, and the part of the output that can be compared.
///
/// Left out are `buffer_sink`, which at times fails on PoCL with the original too (PoCL refuses to unmap),
/// and `async_cycles` and `async_menagerie`, which check values that PoCL 3.1 gets wrong.
const EXAMPLES: &[(&str, &str, Compared)] = &[
    ("ocl", "trivial", Compared::Text),
    ("ocl", "basics", Compared::Words),
    ("ocl", "timed", Compared::Words),
    ("ocl", "threads", Compared::Text),
    ("ocl", "device_check", Compared::Text),
    ("ocl", "event_callbacks", Compared::Words),
    ("ocl", "async_process", Compared::WordsInAnyOrder),
    ("ocl", "img_formats", Compared::Text),
    ("ocl", "info", Compared::Text),
    ("ocl-core", "info_core", Compared::Words),
    ("ocl-core", "version", Compared::Text),
];

/// The arguments of cargo, one line for each call. Cargo would write an example that both packages have to
/// one file for both, so each such example is built by a call for its package alone. All other examples are
/// built together, because some need features that only the other package enables.
const CALLS: &[&[&str]] = &[
    &["test", "--no-run", "--lib", "-p", "ocl", "-p", "ocl-core"],
    &[
        "build",
        "-p",
        "ocl",
        "-p",
        "ocl-core",
        "--example",
        "basics",
        "--example",
        "timed",
        "--example",
        "threads",
        "--example",
        "device_check",
        "--example",
        "event_callbacks",
        "--example",
        "async_process",
        "--example",
        "img_formats",
        "--example",
        "info",
        "--example",
        "version",
    ],
    &["build", "-p", "ocl", "--example", "trivial"],
    &["build", "-p", "ocl-core", "--example", "info_core"],
];

/// An executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) variant: Variant,
    /// `None` for unit tests.
    pub(crate) compared: Option<Compared>,
    /// The package and, for an example, its name.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder of its package, in which it expects to run.
    pub(crate) folder: PathBuf,
}

/// Builds all programs, in the order of their names. Overwrites the programs of the other variant.
///
/// The build is not optimised, because with optimisation both variants of ocl's tests crash.
///
/// # Errors
///
/// If something does not compile or link, or a program is missing.
pub(crate) fn build(scratch: &Path, variant: Variant) -> Result<Vec<Program>> {
    let folder = variant.folder(scratch);
    let search = linked::search_folder(scratch, variant)?;
    let mut programs = Vec::new();
    for call in CALLS {
        let mut args: Vec<OsString> = call.iter().map(Into::into).collect();
        args.extend(["--quiet", "--message-format", "json-render-diagnostics"].map(Into::into));
        args.extend(["--manifest-path".into(), folder.join("Cargo.toml").into()]);
        args.extend(["--target-dir".into(), scratch.join("target").into()]);
        // The flags are the same for both variants, so that packages that do not depend on cl-sys are
        // compiled once. Warnings about ocl's own code are hidden.
        let flags = format!("-Lnative={}\u{1f}--cap-lints=allow", search.display());
        let messages = workspace::cargo(args)
            .env("CARGO_ENCODED_RUSTFLAGS", flags)
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .read()
            .map_err(|_| format!("ocl {variant} does not build: see above"))?;
        programs.extend(messages.lines().filter_map(|line| program(line, variant)));
    }
    programs.sort_by(|a, b| (a.compared.is_some(), &a.name).cmp(&(b.compared.is_some(), &b.name)));
    let expected = EXAMPLES.len() + 2;
    if programs.len() != expected {
        let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
        return Err(format!("{expected} programs were expected, built are: {}", names.join(", ")).into());
    }
    for program in &programs {
        linked::check(program)?;
    }
    Ok(programs)
}

/// Returns the program that one of cargo's messages announces, if it is one to be run.
fn program(message: &str, variant: Variant) -> Option<Program> {
    let message: Value = serde_json::from_str(message).ok()?;
    let path = PathBuf::from(message["executable"].as_str()?);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    let package = folder.file_name()?.to_str()?.to_owned();
    let target = message["target"]["name"].as_str()?;
    let is_test = message["profile"]["test"].as_bool()?;
    let (name, compared) = if is_test {
        (format!("{package}, unit tests"), None)
    } else {
        let (.., compared) = EXAMPLES.iter().find(|(p, name, _)| *p == package && *name == target)?;
        (format!("{package}, example {target}"), Some(*compared))
    };
    Some(Program { variant, compared, name, path, folder })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(test: bool, package: &str, target: &str) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"/x/{package}/Cargo.toml",
            "target":{{"name":"{target}"}},"profile":{{"test":{test}}},"executable":"/x/{target}"}}"#
        )
    }

    #[test]
    fn cargos_messages_name_the_programs() {
        let tests = program(&message(true, "ocl-core", "ocl_core"), Variant::Ours).expect("unit tests");
        assert_eq!((tests.name.as_str(), tests.compared), ("ocl-core, unit tests", None));
        assert_eq!(tests.folder, Path::new("/x/ocl-core"));
        let example = program(&message(false, "ocl", "basics"), Variant::Ours).expect("an example");
        assert_eq!(example.compared, Some(Compared::Words));
        assert_eq!(program(&message(false, "ocl", "buffer_sink"), Variant::Ours), None);
        assert_eq!(program(r#"{"reason":"build-finished","success":true}"#, Variant::Ours), None);
        assert_eq!(program("not JSON", Variant::Ours), None);
    }

    #[test]
    fn every_example_is_asked_for() {
        for (package, example, _) in EXAMPLES {
            let asked = |call: &&&[&str]| call.contains(package) && call.contains(example);
            assert_eq!(CALLS.iter().filter(asked).count(), 1, "{package} {example}");
        }
    }
}
