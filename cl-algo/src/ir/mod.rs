//! The intermediate representation that expressions and device functions share.
//!
//! An expression is a [`Graph`](graph::Graph) of [`Node`](op::Node)s. A device function is [`Code`](code::Code):
//! statements around nodes of the same kind. A helper of device functions is a small graph, and so is a device function
//! without loops, which expressions take in as if it had been written there.
//!
//! | file | concept |
//! | --- | --- |
//! | `types` | the types of values |
//! | `op` | the operations, and the types of their results |
//! | `graph` | the untyped, hash-consed representation of an expression |
//! | `leaf` | what an expression reads: vectors, and values given at launch |
//! | `postfix` | an expression as it is written, of which its graph is made |
//! | `fold` | folds of ranges: what belongs to the entries, and what to the item |
//! | `function` | functions that nodes call |
//! | `code` | the statements of a device function |
//! | `build` | graphs of operations whose types follow from those of their operands |
//! | `straight` | from code without loops to a graph |
//! | `fused`, `fragment`, `target` | what fills a template: named parts, and where their values go |

pub(crate) mod build;
pub(crate) mod code;
pub(crate) mod fold;
pub(crate) mod fragment;
pub(crate) mod function;
pub(crate) mod fused;
pub(crate) mod graph;
pub(crate) mod leaf;
pub(crate) mod op;
pub(crate) mod postfix;
pub(crate) mod straight;
pub(crate) mod target;
pub(crate) mod types;
