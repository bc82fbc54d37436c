//! Fragments: named pieces that fill a template, and become functions in its prelude.
//!
//! | fragment | defines |
//! | --- | --- |
//! | input | `LOAD(i)`, the item at an index; `LOAD_PACK(p)`, the items of a pack; `LANE(pack, k)`, item k of a pack; `UNPACK(pack, items)`, which stores all items of a pack in an array, and `PACKED(items)`, the reverse |
//! | operator | `NAME(a, b)` on items, and `NAME_PACK(a, b)` on packs |
//! | function | the same of items of several inputs and functions, with the types of its results as an input has them |
//! | output | `STORE(i, item)` and `STORE_PACK(p, pack)` |
//!
//! If an input is a vector with its items in order, `LOAD_FROM` is defined as the pointer to it, for kernels that move
//! many items at once. If items are stored to a vector unchanged, `STORE_TO` is defined as the pointer to it.
//!
//! An input called `KEY` defines `KEY_LOAD`, `KEY_LOAD_PACK`, `KEY_ITEM` and `KEY_PACK_ITEM`. The input without a name
//! defines `LOAD`, `LOAD_PACK`, `ITEM` and `PACK_ITEM`. Outputs are named likewise. `STORED`, or `KEY_STORED`, is the
//! type with which memory is declared for items that are not tuples. It is `ITEM`, except for vectors of three, which
//! are stored component by component, and `bool`, which is stored as a byte. Inputs whose items have the same elements
//! share their types.

use super::graph::Graph;
use super::op::{NodeId, Site};
use super::rows::RowBegin;
use crate::element::ElementType;
use smallvec::SmallVec;

/// A piece that fills a template, as far as the source depends on it.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// The values that it computes.
    pub(crate) roots: SmallVec<[NodeId; 2]>,
}

/// Every call of a kernel compares all fragments with those of the kernel that it finds. Calls of `memcmp` would take a fifth of
/// the host's time for a short expression, so nothing is compared by its bytes but different names.
impl PartialEq for Fragment {
    fn eq(&self, other: &Fragment) -> bool {
        is_name(self.name, other.name)
            && self.roots.iter().eq(other.roots.iter())
            && match (&self.kind, &other.kind) {
                (Kind::Output { of, outputs }, Kind::Output { of: other_of, outputs: others }) => {
                    is_name(of, other_of) && outputs.iter().eq(others.iter())
                }
                (Kind::Operator { of, arity }, Kind::Operator { of: other_of, arity: other_arity }) => {
                    arity == other_arity && is_name(of, other_of)
                }
                (Kind::Function { of }, Kind::Function { of: others }) => {
                    of.len() == others.len() && of.iter().zip(others).all(|(of, other)| is_name(of, other))
                }
                (Kind::Input, Kind::Input) => true,
                _ => false,
            }
    }
}

impl Eq for Fragment {}

/// Returns whether two names are equal, which most often are the same text.
fn is_name(name: &'static str, other: &'static str) -> bool {
    std::ptr::eq(name, other) || name == other
}

/// The kind of a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A function of the index.
    Input,
    /// A function of `arity` items of the input or function called `of`.
    Operator { of: &'static str, arity: usize },
    /// A function of an item of each of the inputs and functions called `of`.
    Function { of: SmallVec<[&'static str; 4]> },
    /// Stores items of the input or function called `of`. The roots are the values, one for each output, followed by the indices of
    /// scattered outputs.
    Output { of: &'static str, outputs: SmallVec<[Output; 2]> },
}

/// An output vector of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Output {
    pub(crate) element: ElementType,
    pub(crate) index: StoreIndex,
    /// `true` if the vector is also read.
    pub(crate) in_place: bool,
}

/// The index in its vector that an output's value is stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StoreIndex {
    /// The item's own index.
    Own,
    /// `i + offset`, with an offset given at launch.
    Slice {
        /// `true` if packs begin at lines of memory: see `codegen/aligned.rs`.
        aligned: bool,
    },
    /// `stride * i + offset`, both given at launch.
    Line,
    /// `i` after the begin of the row, or `stride * i` with a stride given at launch.
    Row { begin: RowBegin, strided: bool },
    /// The index that the root `place` of the fragment computes. The kernel checks the root `checked`, which is an index
    /// along an axis of an array or `place` itself. Errors name the site.
    Scatter { checked: u32, place: u32, site: Site },
}

impl Fragment {
    /// Returns a name of the prelude, such as `KEY_LOAD` for the input called `KEY`.
    pub(crate) fn named(of: &str, what: &str) -> String {
        if of.is_empty() { what.to_owned() } else { format!("{of}_{what}") }
    }

    /// Returns the name of the fragment's macro, for people.
    pub(crate) fn label(&self) -> String {
        match self.kind {
            Kind::Input => Fragment::named(self.name, "LOAD"),
            Kind::Operator { .. } | Kind::Function { .. } => self.name.to_owned(),
            Kind::Output { .. } => Fragment::named(self.name, "STORE"),
        }
    }

    /// Returns the elements that it computes.
    pub(crate) fn elements(&self, graph: &Graph<'_>) -> Vec<ElementType> {
        // Roots are elements: indices are cast before they become roots.
        self.roots.iter().filter_map(|&root| graph.nodes[root as usize].ty.element()).collect()
    }

    /// Returns the elements that it loads or stores, of which packs are made.
    pub(crate) fn moved(&self, graph: &Graph<'_>) -> Vec<ElementType> {
        match &self.kind {
            Kind::Output { outputs, .. } => outputs.iter().map(|output| output.element).collect(),
            _ => self.elements(graph),
        }
    }

    /// Returns the name of the type of its items or of packs of them; `all` are the template's fragments.
    pub(crate) fn item(&self, all: &[Fragment], graph: &Graph<'_>, pack: bool) -> String {
        let what = if pack { "PACK_ITEM" } else { "ITEM" };
        let of = match self.kind {
            Kind::Input | Kind::Function { .. } => {
                self.same_as(all, graph).map_or(self.name, |other| other.name)
            }
            Kind::Output { of, .. } => of,
            Kind::Operator { of, .. } => match source(all, of) {
                Some(source) if source.elements(graph) == self.elements(graph) => of,
                _ => self.name,
            },
        };
        Fragment::named(of, what)
    }
}

impl Fragment {
    /// Returns the first input whose items have the same elements. The input shares its types, so that an operator on
    /// items of one input takes items of the other.
    fn same_as<'f>(&self, all: &'f [Fragment], graph: &Graph<'_>) -> Option<&'f Fragment> {
        let elements = self.elements(graph);
        all.iter().find(|other| other.kind == Kind::Input && other.elements(graph) == elements)
    }
}

/// Returns the input or function of this name.
pub(crate) fn source<'f>(all: &'f [Fragment], name: &str) -> Option<&'f Fragment> {
    let is_source = |fragment: &&Fragment| matches!(fragment.kind, Kind::Input | Kind::Function { .. });
    all.iter().filter(is_source).find(|fragment| fragment.name == name)
}
