//! Checks that the files and folders that documents name exist.

use super::super::file::{Offence, SourceFile};
use super::links::{is_folder, prose, resolved};

/// The extensions by which a name is known to be that of a file.
const EXTENSIONS: [&str; 9] = ["rs", "cl", "md", "toml", "tsv", "json", "sh", "txt", "cpp"];

/// The history, which names files that are gone.
const EXEMPT: &str = "CHANGELOG.md";

/// Checks every path in backticks with a slash and a known extension, or with a slash at its end.
///
/// A path counts from the root, from the folder of the document, from the folder of a package, or from the package's
/// `src` or `tests`. A name without a slash, such as `lib.rs`, says too little to be checked.
pub(super) fn names(files: &[SourceFile]) -> Vec<Offence> {
    let roots: Vec<&str> = files.iter().filter_map(|file| file.path.strip_suffix("/Cargo.toml")).collect();
    let exists = |path: &str| files.iter().any(|file| file.path == path) || is_folder(files, path);
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.extension() == "md" && file.path != EXEMPT) {
        for (index, line) in prose(file.text.as_deref().unwrap_or_default()) {
            // Pieces with odd indices are between two backticks.
            for name in line.split('`').skip(1).step_by(2).filter(|name| is_path(name)) {
                let path = name.trim_end_matches('/');
                let below = |root: &&str| {
                    ["", "src/", "tests/"].iter().any(|folder| exists(&format!("{root}/{folder}{path}")))
                };
                if !exists(path) && !exists(&resolved(&file.path, path)) && !roots.iter().any(below) {
                    offences.push(Offence::line(file, index, format!("{name} does not exist")));
                }
            }
        }
    }
    offences
}

/// Returns whether the text in backticks is the path of a file or a folder of the workspace.
fn is_path(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let file_name = text.rsplit('/').next().unwrap_or(text);
    let (stem, extension) = file_name.rsplit_once('.').unwrap_or((file_name, ""));
    let is_file = text.contains('/') && EXTENSIONS.contains(&extension);
    // A name in capitals, such as `tests/NAME.rs`, is a blank to be filled in.
    let is_blank = extension != "md" && !stem.is_empty() && stem.chars().all(|c| c.is_ascii_uppercase());
    // `target` is made by cargo, and a folder at the root of the file system is one of the machine.
    let is_elsewhere = text.starts_with('/') || text.starts_with("target/");
    text.chars().all(is_plain) && (is_file || text.ends_with('/')) && !is_blank && !is_elsewhere
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let others = ["a/Cargo.toml", "a/src/b/c.rs", "a/tests/d/e.rs", "docs/f.md", "bench/peers/x.cpp"];
        let mut files: Vec<_> =
            others.map(|path| SourceFile { path: path.to_owned(), text: Some(String::new()) }).into();
        files.push(SourceFile { path: path.to_owned(), text: Some(text.to_owned()) });
        names(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_of_existing_files_pass() {
        let from_root =
            "`a/src/b/c.rs`, `a/src/b/`, `src/b/c.rs`, `b/c.rs`, `b/`, `d/e.rs`, `docs/f.md`, `peers/x.cpp`";
        assert_eq!(found("x.md", from_root), ["x.md:1: peers/x.cpp does not exist"]);
        assert_eq!(found("bench/x.md", from_root), [""; 0]);
        assert_eq!(found("docs/g.md", "`./f.md` `../docs/f.md`"), [""; 0]);
    }

    #[test]
    fn names_of_lost_files_are_found() {
        let text = "`a/src/b/d.rs`\n`b/x/`\nx `docs/g.md` y `b/c.rs` z `src/b.cl`\n";
        let expected = ["a/src/b/d.rs", "b/x/", "docs/g.md", "src/b.cl"];
        let offences = found("x.md", text);
        assert_eq!(offences.len(), expected.len(), "{offences:?}");
        assert!(offences.iter().zip(expected).all(|(offence, path)| offence.contains(path)), "{offences:?}");
        assert_eq!(found("CHANGELOG.md", text), [""; 0]);
    }

    #[test]
    fn other_texts_are_not_paths() {
        let text = "`a / b.rs` `x/*.rs` `tests/NAME.rs` `/usr/x.rs` `lib.rs` `m/s` `target/x/y.tsv` `https://x/y.md` \
                    `<a>/b.rs` x/y.rs\n```\n`x/y.rs`\n```\n";
        assert_eq!(found("x.md", text), [""; 0]);
    }
}
