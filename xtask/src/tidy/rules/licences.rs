//! Checks that a published package contains the files that users of the registry expect.

use super::super::file::{Offence, SourceFile};

/// The licence texts, which each package must contain: cargo packs nothing from above the package's folder.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Checks that every published package has exact copies of the workspace's licences, and a `readme`.
pub(super) fn licences(files: &[SourceFile]) -> Vec<Offence> {
    let text = |path: &str| files.iter().find(|file| file.path == path).and_then(|file| file.text.as_deref());
    let mut offences = Vec::new();
    for manifest in files.iter().filter(|file| is_published(file)) {
        let folder = manifest.path.strip_suffix("Cargo.toml").unwrap_or_default();
        for name in LICENCES {
            let copy = text(&format!("{folder}{name}"));
            if copy.is_none() || copy != text(name) {
                let problem = format!("no copy of the workspace's {name} beside it: copy it there");
                offences.push(Offence::file(manifest, problem));
            }
        }
        if !manifest.text.iter().flat_map(|text| text.lines()).any(|line| line.starts_with("readme = ")) {
            offences.push(Offence::file(manifest, "no readme for the page of the package"));
        }
    }
    offences
}

fn is_published(file: &SourceFile) -> bool {
    let has = |wanted: &str| file.text.iter().flat_map(|text| text.lines()).any(|line| line == wanted);
    file.name() == "Cargo.toml" && has("[package]") && !has("publish = false")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: Some(text.to_owned()) }
    }

    #[test]
    fn packages_without_the_workspaces_licences_are_found() {
        let whole = "[package]\nreadme = \"README.md\"\n";
        let files = [
            file("LICENSE-MIT", "M"),
            file("LICENSE-APACHE", "A"),
            file("Cargo.toml", "[workspace]\n"),
            file("a/Cargo.toml", whole),
            file("a/LICENSE-MIT", "M"),
            file("a/LICENSE-APACHE", "A"),
            file("b/Cargo.toml", whole),
            file("b/LICENSE-MIT", "another one"),
            file("c/Cargo.toml", "[package]\npublish = false\n"),
            file("d/Cargo.toml", "[package]\n"),
            file("d/LICENSE-MIT", "M"),
            file("d/LICENSE-APACHE", "A"),
        ];
        let found: Vec<String> = licences(&files).into_iter().map(|offence| offence.path).collect();
        assert_eq!(found, ["b/Cargo.toml", "b/Cargo.toml", "d/Cargo.toml"]);
        // A package without any licence files has two offences.
        assert_eq!(licences(&files[3..4]).len(), 2);
    }
}
