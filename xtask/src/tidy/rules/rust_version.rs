//! Checks that the documented Rust version is the one that users need.

use serde_json::Value;

use super::super::file::{Offence, SourceFile};

/// Checks that every text with an oldest Rust version has the version in the workspace's `Cargo.toml`.
pub(super) fn texts(files: &[SourceFile]) -> Vec<Offence> {
    let manifest = files.iter().find(|file| file.path == "Cargo.toml").and_then(|file| file.text.as_deref());
    let Some(version) = manifest.and_then(declared) else { return Vec::new() };
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.extension() == "md") {
        for (index, line) in file.text.iter().flat_map(|text| text.lines()).enumerate() {
            if let Some(said) = oldest(line).filter(|said| *said != version) {
                let problem = format!("Rust {said} or later, but Cargo.toml has {version}");
                offences.push(Offence::line(file, index, problem));
            }
        }
    }
    offences
}

/// Returns `1.85` from the line `rust-version = "1.85"`.
fn declared(manifest: &str) -> Option<&str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    line?.split('"').next()
}

/// Returns the text between `Rust` and `or later`, if it is a version.
fn oldest(line: &str) -> Option<&str> {
    let before = line.split(" or later").next().filter(|before| before.len() < line.len())?;
    let (_, said) = before.rsplit_once("Rust ")?;
    said.split('.').all(|part| part.parse::<u32>().is_ok()).then_some(said)
}

/// Checks that no package of the lock file needs a newer Rust than the workspace's own packages.
///
/// `metadata` is the output of `cargo metadata`, because the lock file does not contain versions of Rust.
pub(in super::super) fn packages(metadata: &Value) -> Vec<Offence> {
    let empty = Vec::new();
    let packages = metadata["packages"].as_array().unwrap_or(&empty);
    let is_ours = |package: &&Value| {
        metadata["workspace_members"].as_array().is_some_and(|members| members.contains(&package["id"]))
    };
    let asked = |package: &Value| package["rust_version"].as_str().map(numbers);
    // If the packages name different versions, the oldest counts, because users may read it.
    let Some(ours) = packages.iter().filter(is_ours).filter_map(asked).min() else {
        return vec![offence("no package of the workspace says which Rust it needs".to_owned())];
    };
    let newer = packages.iter().filter(|package| asked(package).is_some_and(|version| version > ours));
    let problem = |package: &Value| {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, version, rust) = (text("name"), text("version"), text("rust_version"));
        offence(format!("{name} {version} needs Rust {rust}, the workspace {}.{}", ours[0], ours[1]))
    };
    newer.map(problem).collect()
}

fn offence(problem: String) -> Offence {
    Offence { path: "Cargo.lock".to_owned(), line: None, problem }
}

/// Parses a version; `1.85` is `1.85.0`.
fn numbers(version: &str) -> [u32; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: Some(text.to_owned()) }
    }

    #[test]
    fn texts_that_name_another_rust_are_found() {
        let files = [
            file("Cargo.toml", "[workspace.package]\nrust-version = \"1.85\"\n"),
            file("README.md", "\nYou need Rust 1.84 or later.\nRust 1.85 or later\n"),
            file("a.md", "OpenCL 1.2 or later; sooner or later; for Rust users, now or later\n"),
        ];
        let found: Vec<String> = texts(&files).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["README.md:2: Rust 1.84 or later, but Cargo.toml has 1.85"]);
    }

    /// Returns cargo's metadata of the packages `a`, a member of the workspace with the version `ours`, and
    /// `x`.
    fn metadata(ours: Value, theirs: Value) -> Value {
        let package =
            |id: &str, rust: Value| json!({ "id": id, "name": id, "version": "0.3.1", "rust_version": rust });
        json!({ "packages": [package("a", ours), package("x", theirs)], "workspace_members": ["a"] })
    }

    #[test]
    fn packages_that_need_a_newer_rust_are_found() {
        let found = |ours: Value, theirs: Value| -> Vec<String> {
            packages(&metadata(ours, theirs)).iter().map(ToString::to_string).collect()
        };
        let problem = "Cargo.lock: x 0.3.1 needs Rust 1.100.0, the workspace 1.99";
        assert_eq!(found("1.99".into(), "1.100.0".into()), [problem], "by numbers, not as text");
        assert_eq!(found("1.99".into(), "1.99.1".into()).len(), 1);
        for fine in ["1.99", "1.99.0", "1.9", "1.98.5"] {
            assert_eq!(found("1.99".into(), fine.into()), [""; 0], "{fine}");
        }
        assert_eq!(found("1.99".into(), Value::Null), [""; 0], "it does not say");
        assert_eq!(found(Value::Null, "1.99".into()).len(), 1, "we do not say");
        assert_eq!(packages(&Value::Null).len(), 1, "no metadata");
    }
}
