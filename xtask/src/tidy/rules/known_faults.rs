//! Checks that every known fault of a driver names an existing test.

use super::super::file::{Offence, SourceFile};

/// The table of the faults.
const TABLE: &str = "cl-test/src/known_faults.rs";

/// The beginnings of an entry of the table.
const ENTRIES: [&str; 2] = [".fails(", ".may_fail("];

/// The calls in which a test looks up its name in the table. Names that a macro creates are not checked.
const CALLS: [&str; 3] = ["each_device(", "_but_for(", "skips("];

/// Checks every name in the table, and every name that a test gives as its own. A name must be the modules
/// and the function of a test, or the row of a sweep.
pub(super) fn known_faults(files: &[SourceFile]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for file in files {
        let Some(text) = file.text.as_deref() else { continue };
        let named = match () {
            // The table is followed by tests with faults of their own, which are not checked.
            () if file.path == TABLE => names(text.split("#[cfg(test)]").next().unwrap_or(text), &ENTRIES),
            () if within_tests(file).is_some() => names(text, &CALLS),
            () => continue,
        };
        for (index, name) in named {
            if !files.iter().any(|file| defines(file, name) || has_row(file, name)) {
                offences.push(Offence::line(file, index, format!("the test {name} does not exist")));
            }
        }
    }
    offences
}

/// Returns the string literals that directly follow one of the `beginnings`, each with its line.
fn names<'t>(text: &'t str, beginnings: &[&str]) -> Vec<(usize, &'t str)> {
    let places =
        beginnings.iter().flat_map(|word| text.match_indices(word).map(|(at, word)| at + word.len()));
    let literal = |at: usize| {
        let name = text[at..].trim_start().strip_prefix('"')?.split('"').next()?;
        // Helpers of tests without a known fault pass an empty name.
        (!name.is_empty()).then(|| (text[..at].matches('\n').count(), name))
    };
    places.filter_map(literal).collect()
}

/// Returns the modules of a file in a test program, such as `math/extremes`.
fn within_tests(file: &SourceFile) -> Option<&str> {
    let (_, path) = file.path.split_once("/tests/")?;
    let (_, module) = path.split_once('/')?;
    let module = module.strip_suffix(".rs")?;
    Some(module.strip_suffix("/mod").unwrap_or(module))
}

/// Returns the modules of a file with the tests of a crate's module, such as `algorithm/scan/tests`.
fn within_source(file: &SourceFile) -> Option<&str> {
    let module = file.path.split_once("/src/")?.1.strip_suffix(".rs")?;
    module.ends_with("/tests").then_some(module)
}

/// Returns whether the file has the row of a sweep.
fn has_row(file: &SourceFile, name: &str) -> bool {
    let row = format!("Operation::new(\"{name}\"");
    within_tests(file).is_some() && file.text.as_deref().is_some_and(|text| text.contains(&row))
}

/// Returns whether the path of the file gives the first modules of the name, and its text contains the other
/// modules and the function.
fn defines(file: &SourceFile, name: &str) -> bool {
    let module = within_tests(file).or_else(|| within_source(file));
    let (Some(module), Some(text)) = (module, file.text.as_deref()) else { return false };
    let rest = name.strip_prefix(&module.replace('/', "::")).and_then(|rest| rest.strip_prefix("::"));
    rest.is_some_and(|rest| rest.split("::").all(|word| has_word(text, word)))
}

/// Returns whether the word occurs on its own. A word inside a path, such as the name itself, does not count.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(|c| is_part(c) || c == ':') && !behind.starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: Some(text.to_owned()) }
    }

    #[test]
    fn names_of_no_test_are_found() {
        let table = "pub const ALL = &[\n    INTEL.fails(\"scan::long\", \"\"),\n    INTEL.fails(\n        \
                     \"scan::longer\",\n        \"\",\n    ),\n    POCL\n        .may_fail(\"long\", \"\"),\n    \
                     POCL.fails(\"math::deep::of_f32::exact\", \"\"),\n    POCL.fails(\"math::of_f64::exact\", \"\"),\n    \
                     POCL.fails(\"rows of b\", \"\"),\n    POCL.fails(\"rows of c\", \"\"),\n    \
                     POCL.fails(\"sum::tests::long\", \"\"),\n    POCL.fails(\"sum::tests::longer\", \"\"),\n\
                     ];\n#[cfg(test)]\nmod tests { INTEL.fails(\"planted\", \"\") }\n";
        let scan = "fn long() {\n    known_faults::each_device(\"scan::long\", f);\n}\nfn no_longer() {\n    \
                    if skips(\n        \"other::longer\", d) {}\n    each_device(|device| {});\n    each_but_for(\"\", f);\n    each_but_for(\"scan::shorter\", f);\n}\n";
        let files = [
            file(TABLE, table),
            file("a/tests/suite/scan.rs", scan),
            file("b/tests/alone/math/deep/mod.rs", "tests_of!(of_f32);\nfn exact() {}\n"),
            file("b/tests/alone/math.rs", "mod deep;\nfn exact() {}\n"),
            file("b/tests/suite/rows.rs", "Operation::new(\"rows of b\", f), new(\"rows of c\", f)"),
            file("b/src/sum/tests.rs", "fn long() {}"),
            file("a/src/scan.rs", "fn longer() { skips(\"nobody\") }\n"),
        ];
        let found: Vec<_> = known_faults(&files).into_iter().map(|o| (o.path, o.line, o.problem)).collect();
        let expected = [
            (TABLE, 3, "scan::longer"),
            (TABLE, 10, "math::of_f64::exact"),
            (TABLE, 12, "rows of c"),
            (TABLE, 14, "sum::tests::longer"),
            (TABLE, 8, "long"),
            ("a/tests/suite/scan.rs", 9, "scan::shorter"),
            ("a/tests/suite/scan.rs", 5, "other::longer"),
        ];
        let owned = |(path, line, name): (&str, usize, &str)| {
            (path.to_owned(), Some(line), format!("the test {name} does not exist"))
        };
        assert_eq!(found, expected.map(owned));
    }
}
