//! What a template is filled with: named parts that become functions in its prelude.
//!
//! | fragment | gives the template |
//! | --- | --- |
//! | input | `LOAD(i)`, the item at an index; `LOAD_PACK(p)`, the items of a pack; `LANE(pack, k)`, one of them; `UNPACK(pack, items)`, all of them in an array, and `PACKED(items)` back |
//! | operator | `NAME(a, b)` on items, and `NAME_PACK(a, b)` on packs |
//! | output | `STORE(i, item)` and `STORE_PACK(p, pack)` |
//!
//! Where an input is a vector, its items in order, `LOAD_FROM` is defined as the pointer to it, for kernels that move
//! many items at once; where items go to a vector as they are, `STORE_TO` is.
//!
//! An input called `KEY` gives `KEY_LOAD`, `KEY_LOAD_PACK`, `KEY_ITEM` and `KEY_PACK_ITEM`; the one
//! without a name gives `LOAD`, `LOAD_PACK`, `ITEM` and `PACK_ITEM`. Outputs likewise. `STORED`, or
//! `KEY_STORED`, is what memory for items that are no tuples is declared as: `ITEM`, but for vectors of
//! three, which are stored number by number, and truth values, which are bytes. Inputs whose items have
//! the same elements have the same types.

use super::graph::Graph;
use super::op::NodeId;
use crate::element::ElementType;
use smallvec::SmallVec;

/// A part of what a template is filled with, as far as the source depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fragment {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// What it computes.
    pub(crate) roots: SmallVec<[NodeId; 2]>,
}

/// What a fragment is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A function of the index.
    Input,
    /// A function of so many items of an input, named.
    Operator { of: &'static str, arity: usize },
    /// Stores items of an input, named. The roots are the values, one an output, and then the
    /// indices of those that are scattered.
    Output { of: &'static str, outputs: SmallVec<[Output; 2]> },
}

/// An output vector of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Output {
    pub(crate) element: ElementType,
    pub(crate) place: Place,
    /// It is one of the vectors that are read, too.
    pub(crate) in_place: bool,
}

/// Where in its vector an output's value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// To the item's own index.
    Own,
    /// To `i + offset`, given at launch.
    Slice {
        /// Whether packs begin where lines of memory do: see `codegen/aligned.rs`.
        aligned: bool,
    },
    /// To `stride * i + offset`, both given at launch.
    Line,
    /// To the index that is this root of the fragment.
    Scatter(u32),
}

impl Fragment {
    /// A name of the prelude: `KEY_LOAD` of the input called `KEY`.
    pub(crate) fn named(of: &str, what: &str) -> String {
        if of.is_empty() { what.to_owned() } else { format!("{of}_{what}") }
    }

    /// What it is, for people.
    pub(crate) fn label(&self) -> String {
        match self.kind {
            Kind::Input => Fragment::named(self.name, "LOAD"),
            Kind::Operator { .. } => self.name.to_owned(),
            Kind::Output { .. } => Fragment::named(self.name, "STORE"),
        }
    }

    /// The elements that it computes.
    pub(crate) fn elements(&self, graph: &Graph<'_>) -> Vec<ElementType> {
        // Roots are elements: indices are cast before they become one.
        self.roots.iter().filter_map(|&root| graph.nodes[root as usize].ty.element()).collect()
    }

    /// The elements that it moves to or from its function: what packs are made of.
    pub(crate) fn moved(&self, graph: &Graph<'_>) -> Vec<ElementType> {
        match &self.kind {
            Kind::Output { outputs, .. } => outputs.iter().map(|output| output.element).collect(),
            _ => self.elements(graph),
        }
    }

    /// The name of the type of its items, alone or in packs; `all` are the template's fragments.
    pub(crate) fn item(&self, all: &[Fragment], graph: &Graph<'_>, pack: bool) -> String {
        let what = if pack { "PACK_ITEM" } else { "ITEM" };
        let of = match self.kind {
            Kind::Input => self.same_as(all, graph).map_or(self.name, |other| other.name),
            Kind::Output { of, .. } => of,
            Kind::Operator { of, .. } => match input(all, of) {
                Some(input) if input.elements(graph) == self.elements(graph) => of,
                _ => self.name,
            },
        };
        Fragment::named(of, what)
    }
}

impl Fragment {
    /// The first input with items of the same elements, which an input shares its types with: an
    /// operator on items of one takes those of the other.
    fn same_as<'f>(&self, all: &'f [Fragment], graph: &Graph<'_>) -> Option<&'f Fragment> {
        let elements = self.elements(graph);
        all.iter().find(|other| other.kind == Kind::Input && other.elements(graph) == elements)
    }
}

/// The input of this name.
pub(crate) fn input<'f>(all: &'f [Fragment], name: &str) -> Option<&'f Fragment> {
    all.iter().find(|fragment| fragment.kind == Kind::Input && fragment.name == name)
}
