//! From the intermediate representation to OpenCL C: one place for what an operation is there, and for the workarounds
//! of drivers that get it wrong.
//!
//! | file | concept |
//! | --- | --- |
//! | `operation` | one operation as OpenCL C, for single items and for packs of them |
//! | `builtin` | built-in functions, and the ones of which drivers are wrong |
//! | `number` | constants |
//! | `quotient` | division of integers by values given at launch |
//! | `lanes` | the types of values in generated code |
//! | `structs` | definitions, fields and values of structs |
//! | `body` | the statements of a graph |
//! | `flat` | what neighbouring items share: parts that are interleaved |
//! | `or_else` | values that a function must compute for few of the items |
//! | `fold` | loops over the entries of ranges |
//! | `code` | the statements of a device function |

pub(crate) mod body;
pub(crate) mod builtin;
pub(crate) mod code;
pub(crate) mod flat;
mod fold;
pub(crate) mod lanes;
pub(crate) mod number;
pub(crate) mod operation;
pub(crate) mod or_else;
pub(crate) mod quotient;
pub(crate) mod structs;
