//! The rules: each is a function that gets the files and returns the offences.

mod circles;
mod known_circles;
mod known_faults;
mod licences;
mod links;
mod names;
mod retired;
pub(super) mod rust_version;
mod sentences;

use super::file::{Offence, SourceFile};

/// A rule, which gets all files because some rules compare files.
pub(super) type Rule = fn(&[SourceFile]) -> Vec<Offence>;

/// All rules.
pub(super) const ALL: &[Rule] = &[
    module_doc,
    kernel_owner,
    length,
    stray,
    machine_path,
    white_space,
    final_newline,
    circles::circles,
    links::links,
    links::chapters,
    known_faults::known_faults,
    licences::licences,
    rust_version::texts,
    names::names,
    retired::retired,
    sentences::sentences,
];

/// The longest length of a source file in lines. Longer files contain a second concept.
const LINE_LIMIT: usize = 600;

/// The mark of a long table that is not meant to be read through. It stands in a comment in the first lines
/// of the file.
const TABLE_MARK: &str = "Table:";

/// Checks that every module begins with a line that says what it is.
fn module_doc(files: &[SourceFile]) -> Vec<Offence> {
    let rust = files.iter().filter(|file| file.extension() == "rs");
    let bare = rust.filter(|file| !file.text.as_deref().is_some_and(begins_with_doc));
    bare.map(|file| Offence::file(file, "does not begin with a `//!` line that says what it is")).collect()
}

/// Returns whether a `//!` line comes first, after plain comments and attributes.
fn begins_with_doc(text: &str) -> bool {
    let mut open_brackets = 0;
    for (index, line) in text.lines().map(str::trim).enumerate() {
        let shebang = index == 0 && line.starts_with("#!") && !line.starts_with("#![");
        let comment = line.starts_with("//") && !line.starts_with("//!") && !line.starts_with("///");
        if open_brackets > 0 || line.starts_with("#[") || line.starts_with("#![") {
            open_brackets += line.matches('[').count();
            open_brackets = open_brackets.saturating_sub(line.matches(']').count());
        } else if !(shebang || comment || line.is_empty()) {
            return line.starts_with("//!");
        }
    }
    false
}

/// Checks that every kernel file is included by Rust code of its own crate.
fn kernel_owner(files: &[SourceFile]) -> Vec<Offence> {
    let owned = |kernel: &&SourceFile| {
        let home = crate_of(kernel, files);
        let siblings = files.iter().filter(|file| file.extension() == "rs" && crate_of(file, files) == home);
        siblings.filter_map(|file| file.text.as_deref()).any(|text| includes(text, kernel.name()))
    };
    let kernels = files.iter().filter(|file| file.extension() == "cl" && !file.is_golden());
    let orphans = kernels.filter(|kernel| !owned(kernel));
    orphans
        .map(|kernel| Offence::file(kernel, "no Rust file of its crate has an `include_str!` of it"))
        .collect()
}

fn includes(text: &str, name: &str) -> bool {
    let arguments = text.split("include_str!").skip(1).filter_map(|rest| rest.split(')').next());
    let ends = [format!("/{name}\""), format!("\"{name}\"")];
    arguments.into_iter().any(|argument| ends.iter().any(|end| argument.contains(end.as_str())))
}

/// Returns the innermost folder with a `Cargo.toml` around the file.
fn crate_of<'a>(file: &'a SourceFile, files: &[SourceFile]) -> &'a str {
    let mut folder = file.path.as_str();
    while let Some((parent, _)) = folder.rsplit_once('/') {
        folder = parent;
        if files.iter().any(|file| file.path.strip_prefix(folder) == Some("/Cargo.toml")) {
            return folder;
        }
    }
    ""
}

/// Checks that every source file is short enough to be one concept.
fn length(files: &[SourceFile]) -> Vec<Offence> {
    let offence = |file: &SourceFile| {
        let text = file.source()?;
        let is_table = text.lines().take(10).any(|line| line.starts_with("//") && line.contains(TABLE_MARK));
        let lines = text.lines().count();
        let problem =
            format!("{lines} lines, at most {LINE_LIMIT}: move the second concept to a file of its own");
        (lines > LINE_LIMIT && !is_table && !file.is_golden()).then(|| Offence::file(file, problem))
    };
    files.iter().filter_map(offence).collect()
}

/// Checks that every file has a known kind and folder.
fn stray(files: &[SourceFile]) -> Vec<Offence> {
    let strays = files.iter().filter(|file| !belongs(file));
    strays
        .map(|file| Offence::file(file, "a stray file: files of this kind do not belong in this folder"))
        .collect()
}

fn belongs(file: &SourceFile) -> bool {
    let path = file.path.as_str();
    match file.extension() {
        "rs" | "cl" | "toml" | "md" | "lock" | "txt" => true,
        "json" => path.starts_with("bench/results/"),
        "cu" | "cpp" | "c" | "h" => path.starts_with("bench/peers/"),
        "sh" => path.starts_with("xtask/src/commands/"),
        "html" if path.starts_with("docs/bench/") => true,
        "html" | "css" | "js" => path.starts_with("bench/src/report/"),
        "mtx" => path.starts_with("examples/data/"),
        "tsv" => path == "cl-algo/src/device/tuning.tsv",
        "png" => path.starts_with("docs/") || path.starts_with("examples/data/"),
        "svg" => path.starts_with("docs/"),
        // The expected messages of the compiler about programs that must not compile.
        "stderr" => path.split('/').any(|folder| folder == "tests"),
        "" if path.starts_with(".ci/") => true,
        "yml" => path.starts_with(".github/workflows/"),
        _ => file.name() == ".gitignore" || file.name().starts_with("LICENSE-"),
    }
}

/// Checks that no text contains a path of the machine that it was written on.
fn machine_path(files: &[SourceFile]) -> Vec<Offence> {
    // The names are joined here, so that this file does not contain the text that it looks for.
    let unix = ["home", "root", "work"].map(|folder| format!("/{folder}/"));
    let windows = [["C:", "Users"].join("\\"), ["C:", "Users"].join("/")];
    let needles: Vec<&str> = unix.iter().chain(&windows).map(String::as_str).collect();
    let mut offences = Vec::new();
    for file in files {
        for (index, line) in file.text.iter().flat_map(|text| text.lines()).enumerate() {
            if let Some(needle) = needles.iter().find(|needle| has_absolute(line, needle)) {
                offences.push(Offence::line(file, index, format!("a path of some machine: {needle}")));
            }
        }
    }
    offences
}

/// Returns whether `needle` begins a path in `line`, rather than continuing one, as in `src/work/x.rs`.
fn has_absolute(line: &str, needle: &str) -> bool {
    line.match_indices(needle).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "_-.~})>*".contains(c))
    })
}

/// Checks that no line ends with white space, and that no line has tabs.
fn white_space(files: &[SourceFile]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for file in files {
        for (index, line) in file.source().iter().flat_map(|text| text.lines()).enumerate() {
            if line.contains('\t') {
                offences.push(Offence::line(file, index, "a tab"));
            } else if line.trim_end() != line {
                offences.push(Offence::line(file, index, "white space at the end of the line"));
            }
        }
    }
    offences
}

/// Checks that every text file ends with a newline, as POSIX requires.
fn final_newline(files: &[SourceFile]) -> Vec<Offence> {
    let open = |file: &&SourceFile| {
        file.text.as_deref().is_some_and(|text| !text.is_empty() && !text.ends_with('\n'))
    };
    files.iter().filter(open).map(|file| Offence::file(file, "does not end with a newline")).collect()
}

#[cfg(test)]
mod tests;
