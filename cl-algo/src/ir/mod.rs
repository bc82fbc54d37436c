//! The intermediate representation that expressions and device functions share.
//!
//! An expression is a [`Graph`](graph::Graph) of [`Node`](op::Node)s. A device function is [`Code`](code::Code):
//! statements around nodes of the same kind. A helper of device functions is a small graph. A device function without
//! loops is also a small graph, which expressions include as if its text stood there.
//!
//! | file | concept |
//! | --- | --- |
//! | `types` | the types of values |
//! | `op` | the operations, and the types of their results |
//! | `graph` | the untyped, hash-consed representation of an expression |
//! | `leaf` | the leaves of an expression: vectors, and launch values |
//! | `postfix` | an expression in postfix notation, from which its graph is made |
//! | `rows` | affine indices, and rows of an index space |
//! | `indices` | the affine indices of a graph |
//! | `space` | index spaces with several axes, and the rows that kernels go through |
//! | `within` | the check that loads stay inside their vectors |
//! | `fold` | folds of ranges: nodes for the entries, and nodes for the item |
//! | `format` | formats of numbers that matrix units multiply |
//! | `function` | functions that nodes call |
//! | `code` | the statements of a device function |
//! | `build` | operations whose result types follow from the types of their operands |
//! | `wide` | operations on integers of 128 bits, made of operations on their halves |
//! | `straight` | from code without loops to a graph |
//! | `fused`, `fragment`, `target` | named fragments that fill a template, and the targets of their values |

pub(crate) mod build;
pub(crate) mod code;
pub(crate) mod fold;
pub(crate) mod format;
pub(crate) mod fragment;
pub(crate) mod function;
pub(crate) mod fused;
pub(crate) mod graph;
pub(crate) mod indices;
pub(crate) mod leaf;
pub(crate) mod op;
pub(crate) mod postfix;
pub(crate) mod rows;
pub(crate) mod space;
pub(crate) mod straight;
pub(crate) mod target;
pub(crate) mod types;
mod wide;
mod within;
