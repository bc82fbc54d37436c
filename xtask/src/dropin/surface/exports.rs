//! Reads the re-exports of a crate from its source text.
//!
//! The reader does not understand Rust in general. It is made for the published `cl-sys`, whose root names
//! every export.

use std::fs;
use std::path::Path;

use crate::error::Result;

/// The kind of a name, by the conventions of C's headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Constant,
    Type,
    Function,
}

/// A name that the crate's root exports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Export {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The feature that the export depends on, with `true` if the feature must be on and `false` if it must
    /// be off.
    condition: Option<(String, bool)>,
}

impl Export {
    /// Returns whether the name is exported under `features`. The feature `default` turns on OpenCL 1.1 and
    /// 1.2.
    pub(super) fn is_on(&self, features: &[&str]) -> bool {
        let is_default = |name: &str| matches!(name, "opencl_version_1_1" | "opencl_version_1_2");
        self.condition.as_ref().is_none_or(|(feature, wanted)| {
            let by_default = features.contains(&"default") && is_default(feature);
            (features.contains(&feature.as_str()) || by_default) == *wanted
        })
    }
}

/// The exports of a crate, and the text in which they are declared.
#[derive(Debug)]
pub(super) struct Exports {
    pub(super) all: Vec<Export>,
    /// The text of all modules, without comments.
    declarations: String,
}

impl Exports {
    /// Reads the folder `src` of a crate.
    pub(super) fn read(src: &Path) -> Result<Self> {
        let root = src.join("lib.rs");
        let lib = fs::read_to_string(&root).map_err(|e| format!("cannot read {}: {e}", root.display()))?;
        let mut modules = Vec::new();
        for entry in fs::read_dir(src)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                modules.push(fs::read_to_string(path)?);
            }
        }
        Self::new(&lib, &modules)
    }

    /// Reads the exports from the texts of the root and of the modules.
    pub(super) fn new(lib: &str, modules: &[String]) -> Result<Self> {
        let mut all = Vec::new();
        let lib = without_comments(lib);
        let mut condition = None;
        for statement in lib.split_inclusive([';', ']']) {
            let statement = statement.trim();
            if let Some(attribute) = statement.strip_prefix("#[cfg(") {
                condition = Some(parse_condition(attribute)?);
            } else if let Some(path) = statement.strip_prefix("pub use ") {
                let names = path.trim_end_matches(';').rsplit("::").next().unwrap_or_default();
                let names = names.trim_matches(['{', '}']).split(',').map(str::trim);
                all.extend(names.filter(|name| !name.is_empty()).map(|name| Export {
                    name: name.to_owned(),
                    kind: kind(name),
                    condition: condition.clone(),
                }));
            }
            // Another attribute may stand between the condition and the item to which both belong.
            if !statement.starts_with('#') {
                condition = None;
            }
        }
        let declarations = modules.iter().map(|text| without_comments(text)).collect();
        Ok(Self { all, declarations })
    }

    /// Returns the declared parameters and result of a function, in one line.
    pub(super) fn signature(&self, name: &str) -> Result<String> {
        let (_, rest) = self
            .declarations
            .split_once(&format!("pub fn {name}("))
            .ok_or_else(|| format!("the original exports {name}, but does not declare it"))?;
        let end = rest.find(';').ok_or_else(|| format!("the declaration of {name} has no end"))?;
        let words: Vec<&str> = rest[..end].split_whitespace().collect();
        Ok(format!("({}", words.join(" ")).replace("( ", "(").replace(" )", ")"))
    }

    /// Returns the names of a structure's fields; `None` for an alias.
    pub(super) fn fields(&self, name: &str) -> Option<Vec<&str>> {
        let (_, rest) = self.declarations.split_once(&format!("pub struct {name} {{"))?;
        let (body, _) = rest.split_once('}')?;
        let names = body.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split(':').next());
        Some(names.collect())
    }
}

/// Returns the text without comment lines.
fn without_comments(text: &str) -> String {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| [line, "\n"]).collect()
}

/// Parses `feature = "x")]` or `not(feature = "x"))]`.
fn parse_condition(text: &str) -> Result<(String, bool)> {
    let feature = text.split('"').nth(1).ok_or_else(|| format!("not a feature: #[cfg({text}"))?;
    Ok((feature.to_owned(), !text.starts_with("not(")))
}

fn kind(name: &str) -> Kind {
    if name.starts_with("CL_") || name.starts_with("GL_") {
        Kind::Constant
    } else if !name.ends_with("_fn") && name.strip_prefix("cl").is_some_and(|rest| !rest.starts_with('_')) {
        Kind::Function
    } else {
        Kind::Type
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_read_with_their_conditions() {
        let lib = "// pub use self::a::clNot;\nmod a;\npub use self::a::{clOne, cl_one_fn,\n    CL_sRGB};\n\
            #[cfg(not(feature = \"mesa\"))]\npub use self::a::clTwo;\n\
            #[cfg(feature = \"opencl_version_1_2\")]\n#[allow(x)]\npub use self::a::{clThree_fn};\n\
            #[cfg(feature = \"mesa\")]\nmod b;\npub use self::b::clFour;\n";
        let exports = Exports::new(lib, &[]).expect("exports");
        let names: Vec<_> = exports.all.iter().map(|export| (export.name.as_str(), export.kind)).collect();
        let expected = [
            ("clOne", Kind::Function),
            ("cl_one_fn", Kind::Type),
            ("CL_sRGB", Kind::Constant),
            ("clTwo", Kind::Function),
            ("clThree_fn", Kind::Type),
            ("clFour", Kind::Function),
        ];
        assert_eq!(names, expected);
        let on = |features: &[&str]| -> Vec<bool> {
            exports.all.iter().skip(2).map(|export| export.is_on(features)).collect()
        };
        assert_eq!(on(&[]), [true, true, false, true]);
        assert_eq!(on(&["default", "mesa"]), [true, false, true, true]);
    }

    #[test]
    fn declarations_are_read_across_lines_and_comments() {
        let text = "//   pub fn clOne(old: X);\npub fn clOne(\n    // the first\n    a: *mut c_void,\n    b: Option<\n        extern \"C\" fn(c: X),\n    >,\n) -> cl_int;\n\
            pub struct S {\n    pub a: X,\n    // AKA c\n    pub b: X,\n}\npub type T = X;";
        let exports = Exports::new("", &[text.to_owned()]).expect("exports");
        let signature = exports.signature("clOne").expect("a signature");
        assert_eq!(signature, "(a: *mut c_void, b: Option< extern \"C\" fn(c: X), >,) -> cl_int");
        assert!(exports.signature("clTwo").is_err());
        assert_eq!(exports.fields("S"), Some(vec!["a", "b"]));
        assert_eq!(exports.fields("T"), None);
    }
}
