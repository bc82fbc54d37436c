//! Finds files of a crate that use each other in a circle.
//!
//! Files in a circle cannot be read, changed or moved on their own. File A uses file B if a path in A names
//! an item that B defines. Paths are followed through re-exports. Module declarations, re-exports and tests
//! do not count as uses.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, ItemUse, Macro, Meta, Path, Token, UseTree, Visibility};

use super::super::file::{Offence, SourceFile};
use super::known_circles::KNOWN;

/// The segments of a path that begins at the root of the crate. The path leads to an item or to a file's
/// module.
type Names = Vec<String>;

/// Checks that every circle is in `KNOWN`, and that every circle in `KNOWN` exists.
pub(super) fn circles(files: &[SourceFile]) -> Vec<Offence> {
    offences(files, KNOWN)
}

fn offences(files: &[SourceFile], known: &[(&[&str], &str)]) -> Vec<Offence> {
    let mut offences = Vec::new();
    let mut found: BTreeMap<Names, Vec<String>> = BTreeMap::new();
    let crates: BTreeSet<&str> =
        files.iter().filter_map(|file| Some(file.path.split_once("/src/")?.0)).collect();
    for name in crates {
        let Ok(krate) = Crate::read(name, files) else { continue };
        found.extend(krate.circles());
    }
    let file = |path: &str| files.iter().find(|file| file.path == path);
    let is = |row: &[&str], circle: &Names| row.iter().eq(circle.iter());
    for (circle, uses) in found.iter().filter(|(circle, _)| !known.iter().any(|(row, _)| is(row, circle))) {
        if let Some(first) = file(&circle[0]) {
            let problem = format!("is in a circle of {} files: {}", circle.len(), uses.join("; "));
            offences.push(Offence::file(first, problem));
        }
    }
    for (row, _) in known.iter().filter(|(row, _)| !found.keys().any(|circle| is(row, circle))) {
        if let Some(first) = file(row[0]) {
            offences.push(Offence::file(first, format!("is not in this known circle: {}", row.join(", "))));
        }
    }
    offences
}

/// The files of a crate, by their modules.
struct Crate(BTreeMap<Names, Parsed>);

/// One file.
#[derive(Default)]
struct Parsed {
    path: String,
    /// The names that the file defines.
    defined: BTreeSet<String>,
    /// The names that the file imports or re-exports, each with the path of its origin.
    imports: BTreeMap<String, Names>,
    /// The modules from which the file imports everything.
    globs: Vec<Names>,
    /// The names that the file uses.
    used: BTreeSet<Names>,
}

impl Crate {
    fn read(name: &str, files: &[SourceFile]) -> syn::Result<Crate> {
        let folder = format!("{name}/src/");
        let own = |file: &&SourceFile| file.path.starts_with(&folder) && file.extension() == "rs";
        let own: Vec<&SourceFile> = files.iter().filter(own).collect();
        let modules: BTreeSet<Names> = own.iter().map(|file| modules(&file.path[folder.len()..])).collect();
        let mut all = BTreeMap::new();
        for file in own {
            let module = self::modules(&file.path[folder.len()..]);
            let mut reader = Reader { module: &module, modules: &modules, parsed: Parsed::default() };
            reader.parsed.path.clone_from(&file.path);
            reader.visit_file(&syn::parse_file(file.text.as_deref().unwrap_or_default())?);
            let parsed = reader.parsed;
            all.insert(module, parsed);
        }
        Ok(Crate(all))
    }

    /// Returns the file that defines the item that `names` lead to.
    fn definer(&self, names: &[String], seen: &mut Vec<Names>) -> Option<&Parsed> {
        if seen.iter().any(|other| other == names) {
            return None;
        }
        seen.push(names.to_vec());
        let depth = (0..=names.len()).rev().find(|&depth| self.0.contains_key(&names[..depth]))?;
        let (file, rest) = (&self.0[&names[..depth]], &names[depth..]);
        let Some(name) = rest.first() else { return Some(file) };
        let behind = |from: &Names| [from, rest].concat();
        if let Some(from) = file.imports.get(name) {
            return self.definer(&[from, &rest[1..]].concat(), seen);
        }
        if !file.defined.contains(name) {
            for from in &file.globs {
                if let Some(other) =
                    self.definer(&behind(from), seen).filter(|other| other.defined.contains(name))
                {
                    return Some(other);
                }
            }
        }
        Some(file)
    }

    /// Returns the circles. Each consists of its files, sorted by path, and of one text for each use between
    /// them.
    fn circles(&self) -> Vec<(Names, Vec<String>)> {
        let mut graph = DiGraphMap::<&str, String>::new();
        for file in self.0.values() {
            for names in &file.used {
                if let Some(other) =
                    self.definer(names, &mut Vec::new()).filter(|other| other.path != file.path)
                {
                    graph.add_edge(&file.path, &other.path, names.join("::"));
                }
            }
        }
        let circles = tarjan_scc(&graph).into_iter().filter(|files| files.len() > 1);
        let described = circles.map(|mut files| {
            files.sort_unstable();
            let edges = graph.all_edges().filter(|(from, to, _)| files.contains(from) && files.contains(to));
            let uses = edges.map(|(from, to, names)| format!("{from} uses {to} for {names}")).collect();
            (files.iter().map(|path| (*path).to_owned()).collect(), uses)
        });
        described.collect()
    }
}

/// Returns the path of the module that a file contains. `path` is the file's path below `src`.
fn modules(path: &str) -> Names {
    let mut names: Names = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(names.last().map(String::as_str), Some("lib" | "main" | "mod")) {
        names.pop();
    }
    names
}

/// The reader of one file.
struct Reader<'f> {
    module: &'f [String],
    modules: &'f BTreeSet<Names>,
    parsed: Parsed,
}

impl Reader<'_> {
    /// Returns the path `names` as a path from the crate's root; `None` if it leads to another crate or
    /// begins with a name of the file itself.
    fn rooted(&self, names: &[String]) -> Option<Names> {
        let own = |above: usize| self.module[..self.module.len().saturating_sub(above)].to_vec();
        match names.first()?.as_str() {
            "crate" => Some(names[1..].to_vec()),
            "self" => Some([&own(0), &names[1..]].concat()),
            "super" => {
                let above = names.iter().take_while(|name| *name == "super").count();
                Some([&own(above), &names[above..]].concat())
            }
            child => {
                let module = [&own(0), &[child.to_owned()][..]].concat();
                self.modules.contains(&module).then(|| [&own(0), names].concat())
            }
        }
    }

    /// Adds a used path. A single name is skipped: this file defines it, or a `use` has imported it.
    fn used(&mut self, names: &[String]) {
        let names = Some(names).filter(|names| names.len() > 1).and_then(|names| self.rooted(names));
        self.parsed.used.extend(names);
    }

    /// Calls `found` for each name of a `use` tree, with the path of its origin and its name in this file.
    /// The name of a glob import is `None`.
    fn leaves(tree: &UseTree, before: &[String], found: &mut dyn FnMut(Names, Option<String>)) {
        let behind = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => Self::leaves(&path.tree, &behind(&path.ident), found),
            UseTree::Name(name) if name.ident == "self" => found(before.to_vec(), before.last().cloned()),
            UseTree::Name(name) => found(behind(&name.ident), Some(name.ident.to_string())),
            UseTree::Rename(name) => found(behind(&name.ident), Some(name.rename.to_string())),
            UseTree::Glob(_) => found(before.to_vec(), None),
            UseTree::Group(group) => group.items.iter().for_each(|tree| Self::leaves(tree, before, found)),
        }
    }

    /// Finds paths in the tokens of a macro call.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Names = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.used(&std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                other => {
                    self.used(&std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.used(&path);
    }
}

/// Returns whether the item exists in tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    let test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args().is_ok_and(|condition| needs_test(&condition))
    };
    attributes.iter().any(test)
}

/// Returns whether a condition of `cfg` holds in tests only.
fn needs_test(condition: &Meta) -> bool {
    let Meta::List(list) = condition else { return condition.path().is_ident("test") };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let Ok(parts) = parts else { return false };
    let all = list.path.is_ident("all") && parts.iter().any(needs_test);
    let any = list.path.is_ident("any") && parts.iter().all(needs_test);
    all || any
}

/// Returns the attributes and the name of an item.
fn described(item: &Item) -> (&[Attribute], Option<&syn::Ident>) {
    match item {
        Item::Const(item) => (&item.attrs, Some(&item.ident)),
        Item::Enum(item) => (&item.attrs, Some(&item.ident)),
        Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
        Item::Impl(item) => (&item.attrs, None),
        Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
        Item::Mod(item) => (&item.attrs, item.content.as_ref().map(|_| &item.ident)),
        Item::Static(item) => (&item.attrs, Some(&item.ident)),
        Item::Struct(item) => (&item.attrs, Some(&item.ident)),
        Item::Trait(item) => (&item.attrs, Some(&item.ident)),
        Item::Type(item) => (&item.attrs, Some(&item.ident)),
        Item::Union(item) => (&item.attrs, Some(&item.ident)),
        Item::Use(item) => (&item.attrs, None),
        _ => (&[], None),
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_file(&mut self, file: &'ast File) {
        let names = file.items.iter().filter_map(|item| described(item).1).map(ToString::to_string);
        self.parsed.defined.extend(names);
        visit::visit_file(self, file);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(described(item).0) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_private = matches!(item.vis, Visibility::Inherited);
        let mut leaves = Vec::new();
        Self::leaves(&item.tree, &[], &mut |names, name| leaves.push((names, name)));
        for (names, name) in leaves {
            let Some(names) = self.rooted(&names) else { continue };
            if is_private {
                self.parsed.used.insert(names.clone());
            }
            // Private imports are kept too, because child modules can reach items through them.
            match name {
                Some(name) => drop(self.parsed.imports.insert(name, names)),
                None => self.parsed.globs.push(names),
            }
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let names: Names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.used(&names);
        visit::visit_path(self, path);
    }

    /// Ignores visibilities, because `pub(in path)` is not a use.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_macro(&mut self, of: &'ast Macro) {
        self.tokens(of.tokens.clone());
        visit::visit_macro(self, of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[(&str, &str)], known: &[(&[&str], &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: (*path).to_owned(),
            text: Some((*text).to_owned()),
        };
        let files: Vec<SourceFile> = texts.iter().map(file).collect();
        offences(&files, known)
            .into_iter()
            .map(|offence| format!("{}: {}", offence.path, offence.problem))
            .collect()
    }

    #[test]
    fn a_circle_goes_through_re_exports_and_macros() {
        let texts = [
            ("a/src/lib.rs", "mod x; mod y; pub use x::X;"),
            ("a/src/x.rs", "use crate::y::shown; pub struct X;"),
            ("a/src/y/mod.rs", "mod deep; pub use deep::*; pub struct Y;"),
            ("a/src/y/deep.rs", "pub fn shown() { println!(\"{:?}\", (1, crate::X)) }"),
            ("b/src/lib.rs", "mod x; fn f() { x::g() }"),
            ("b/src/x.rs", "pub fn g() {} #[cfg(test)] mod tests { use crate::f; }"),
        ];
        let circle = "a/src/x.rs: is in a circle of 2 files: a/src/x.rs uses a/src/y/deep.rs for y::shown; \
                      a/src/y/deep.rs uses a/src/x.rs for X";
        assert_eq!(found(&texts, &[]), [circle]);
        assert!(found(&texts, &[(&["a/src/x.rs", "a/src/y/deep.rs"], "so")]).is_empty());
    }

    #[test]
    fn only_items_that_need_tests_are_left_out() {
        let count = |condition: &str| {
            let y = format!("#[cfg({condition})] pub fn f() {{ crate::x::g() }}");
            let texts = [
                ("a/src/lib.rs", "mod x; mod y;"),
                ("a/src/x.rs", "pub fn g() { crate::y::f() }"),
                ("a/src/y.rs", y.as_str()),
            ];
            found(&texts, &[]).len()
        };
        for condition in ["test", "all(test, unix)", "any(test, all(test, unix))", "all(unix, any(test))"] {
            assert_eq!(count(condition), 0, "{condition}");
        }
        for condition in ["not(test)", "any(test, unix)", "all(unix, not(test))", "feature = \"test\""] {
            assert_eq!(count(condition), 1, "{condition}");
        }
    }

    #[test]
    fn a_known_circle_that_was_opened_is_forgotten() {
        let texts = [
            ("a/src/lib.rs", "mod x; mod y;"),
            ("a/src/x.rs", "use super::y::f;"),
            ("a/src/y.rs", "pub fn f() {}"),
        ];
        let known: &[(&[&str], &str)] = &[(&["a/src/x.rs", "a/src/y.rs"], "so")];
        assert_eq!(found(&texts, known), ["a/src/x.rs: is not in this known circle: a/src/x.rs, a/src/y.rs"]);
    }

    #[test]
    fn known_circles_have_reasons() {
        assert!(
            KNOWN.iter().all(|(files, reason)| files.len() > 1 && files.is_sorted() && !reason.is_empty())
        );
    }
}
