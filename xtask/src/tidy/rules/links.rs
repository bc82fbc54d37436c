//! Checks that links between texts of the workspace have targets, and that the book lists all its chapters.

use super::super::file::{Offence, SourceFile};

/// The address of the repository on the web. Links below it are links to files of the workspace.
const REPOSITORY: &str = "https://github.com/cl-workspace/cl";

/// The folder of the book's chapters. As web pages, chapters cannot link to files outside of this folder.
const BOOK: &str = "docs/book/src/";

/// Checks that every link from one text to a file or a heading has a target.
pub(super) fn links(files: &[SourceFile]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.extension() == "md") {
        for (index, target) in targets(file.text.as_deref().unwrap_or_default()) {
            if let Some(problem) = problem(file, &target, files) {
                offences.push(Offence::line(file, index, problem));
            }
        }
    }
    offences
}

/// Checks that every chapter of the book is in its table of contents.
pub(super) fn chapters(files: &[SourceFile]) -> Vec<Offence> {
    let is_summary = |file: &&SourceFile| file.path.strip_prefix(BOOK) == Some("SUMMARY.md");
    let summary = files.iter().find(is_summary).and_then(|file| file.text.as_deref()).unwrap_or_default();
    let listed: Vec<String> = targets(summary).into_iter().map(|(_, target)| target).collect();
    let is_lost = |file: &&SourceFile| {
        let name = file.path.strip_prefix(BOOK).filter(|name| name.ends_with(".md") && *name != "SUMMARY.md");
        name.is_some_and(|name| !listed.iter().any(|target| target == name))
    };
    let lost = files.iter().filter(is_lost);
    lost.map(|file| Offence::file(file, "not in the book's SUMMARY.md: add it, or no reader finds it"))
        .collect()
}

/// Describes the fault of a link in `file`, if it has one.
fn problem(file: &SourceFile, target: &str, files: &[SourceFile]) -> Option<String> {
    let ours = target.strip_prefix(REPOSITORY).filter(|rest| rest.is_empty() || rest.starts_with(['/', '#']));
    let (path, heading) = match ours {
        Some(rest) => {
            let (page, heading) = rest.split_once('#').unwrap_or((rest, ""));
            let path = match page.trim_start_matches('/') {
                "" => "README.md",
                page => page.strip_prefix("blob/main/").or_else(|| page.strip_prefix("tree/main/"))?,
            };
            (path.to_owned(), heading)
        }
        None if target.contains(':') => return None, // another site
        None => {
            let (place, heading) = target.split_once('#').unwrap_or((target, ""));
            (resolved(&file.path, place), heading)
        }
    };
    if ours.is_none() && file.path.starts_with(BOOK) && !path.starts_with(BOOK) {
        return Some(format!("{target} is not in the book: link it as {REPOSITORY}/blob/main/{path}"));
    }
    let found = files.iter().find(|other| other.path == path);
    match found {
        None if !is_folder(files, &path) => Some(format!("a dead link: {path} does not exist")),
        Some(page) if page.extension() == "md" && !heading.is_empty() => {
            let text = page.text.as_deref().unwrap_or_default();
            let there = headings(text).any(|text| slug(text) == heading);
            (!there).then(|| format!("a dead link: {path} has no heading for #{heading}"))
        }
        _ => None,
    }
}

/// Returns the targets of inline links, each with the index of its line. Links in code are left out.
fn targets(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in prose(text) {
        // Pieces with odd indices are between two backticks and are skipped.
        let plain: String = line.split('`').step_by(2).collect();
        let rests = plain.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        found.extend(rests.map(|target| (index, target.to_owned())));
    }
    found
}

fn headings(text: &str) -> impl Iterator<Item = &str> {
    prose(text).filter(|(_, line)| line.starts_with('#')).map(|(_, line)| line.trim_start_matches('#').trim())
}

/// Returns the lines outside of fenced code, with their indices.
pub(super) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Returns the anchor that GitHub and mdBook give to a heading.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// Returns whether a file lies below the folder `path`, which may end with `/`.
pub(super) fn is_folder(files: &[SourceFile], path: &str) -> bool {
    let folder = format!("{}/", path.trim_end_matches('/'));
    files.iter().any(|file| file.path.starts_with(&folder))
}

/// Resolves the relative link `place` in the file at `from` to a path from the workspace's root. Returns
/// `from` if `place` is empty.
pub(super) fn resolved(from: &str, place: &str) -> String {
    if place.is_empty() {
        return from.to_owned();
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in place.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: Some(text.to_owned()) }
    }

    /// Returns the offences in a text at `path`, beside a few other files.
    fn found(path: &str, text: &str) -> Vec<String> {
        let others = ["README.md", "docs/book/src/one.md", "docs/book/src/SUMMARY.md", "docs/a.html"];
        let text_of = |path: &str| {
            if path == "docs/book/src/SUMMARY.md" { "[One](one.md)" } else { "# A first `one`!\n" }
        };
        let mut files: Vec<_> =
            others.iter().filter(|other| **other != path).map(|path| file(path, text_of(path))).collect();
        files.push(file(path, text));
        links(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        let text = "# Here\n[a](docs/a.html) [b](docs) [c](#here) [d](README.md#a-first-one) [e](https://x.org/y.md)\n";
        assert_eq!(found("NEWS.md", text), [""; 0]);
        assert_eq!(
            found("docs/x/y.md", "[a](../a.html) [b](../../README.md \"title\") [c](./y.md)"),
            [""; 0]
        );
        let web = format!(
            "[a]({REPOSITORY}) [b]({REPOSITORY}#a-first-one) [c]({REPOSITORY}/blob/main/docs/a.html)"
        );
        assert_eq!(found("docs/book/src/two.md", &web), [""; 0]);
        assert_eq!(found("a.md", "`[a](b.md)`\n```\n[a](b.md)\n```\n"), [""; 0], "that is code");
    }

    #[test]
    fn dead_links_are_found() {
        assert_eq!(found("a.md", "\n[a](b.md)"), ["a.md:2: a dead link: b.md does not exist"]);
        assert_eq!(found("a.md", "[a](#b)"), ["a.md:1: a dead link: a.md has no heading for #b"]);
        assert_eq!(found("a.md", "[a](README.md#b)").len(), 1);
        assert_eq!(found("a.md", "`x` [a](b.md) `y`").len(), 1);
        assert_eq!(found("a.md", &format!("[a]({REPOSITORY}/blob/main/b.md)")).len(), 1);
    }

    #[test]
    fn chapters_link_within_the_book_and_are_listed() {
        assert_eq!(found("docs/book/src/two.md", "[a](one.md#a-first-one)"), [""; 0]);
        assert_eq!(found("docs/book/src/two.md", "[a](../../a.html)").len(), 1, "not a page of the book");
        let files = [
            file("docs/book/src/SUMMARY.md", "[One](one.md)"),
            file("docs/book/src/one.md", ""),
            file("docs/book/src/two.md", ""),
        ];
        let lost: Vec<_> = chapters(&files).into_iter().map(|offence| offence.path).collect();
        assert_eq!(lost, ["docs/book/src/two.md"]);
    }
}
