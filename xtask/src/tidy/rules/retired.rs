//! Checks that names that were retired do not return.

use super::super::file::{Offence, SourceFile};

/// The retired names, each with the name instead.
const RETIRED: &[(&str, &str)] = &[
    ("permute_mut", "scatter_mut"),
    ("permute_unchecked", "gather_unchecked"),
    ("map_lanes", "map_components"),
    ("cast_lanes", "cast_components"),
    ("IntoLanes", "IntoComponents"),
];

/// The files in which the names may be: the history, and the table above.
const EXEMPT: [&str; 2] = ["CHANGELOG.md", "xtask/src/tidy/rules/retired.rs"];

/// Checks that no source file and no document contains a retired name.
pub(super) fn retired(files: &[SourceFile]) -> Vec<Offence> {
    let mut offences = Vec::new();
    let is_checked = |file: &&SourceFile| {
        (file.source().is_some() || file.extension() == "md") && !EXEMPT.contains(&file.path.as_str())
    };
    for file in files.iter().filter(is_checked) {
        for (index, line) in file.text.iter().flat_map(|text| text.lines()).enumerate() {
            for (name, instead) in RETIRED.iter().filter(|(name, _)| has_name(line, name)) {
                offences.push(Offence::line(file, index, format!("{name} was retired: write {instead}")));
            }
        }
    }
    offences
}

/// Returns whether the line has the name, and not as a part of a longer name.
fn has_name(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name)
        .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retired_names_are_found() {
        let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: Some(text.to_owned()) };
        let files = [
            file("a.rs", "x.scatter_mut(&i);\nx.permute_mut(&i); // a vector's\nx.permute_mut_too();\n"),
            file("b.md", "See `IntoLanes`.\n"),
            file("c.cl", "// map_lanes\n"),
            file("CHANGELOG.md", "`permute_mut` is `scatter_mut`.\n"),
            file("d.txt", "permute_mut\n"),
        ];
        let found: Vec<String> = retired(&files).iter().map(ToString::to_string).collect();
        let expected = [
            "a.rs:2: permute_mut was retired: write scatter_mut",
            "b.md:1: IntoLanes was retired: write IntoComponents",
            "c.cl:1: map_lanes was retired: write map_components",
        ];
        assert_eq!(found, expected);
    }
}
