//! From the intermediate representation to OpenCL C: the text of each operation, and the workarounds for drivers that
//! get it wrong.
//!
//! | file | concept |
//! | --- | --- |
//! | `operation` | one operation as OpenCL C, for single items and for packs of them |
//! | `builtin` | built-in functions, and replacements for those that drivers get wrong |
//! | `number` | constants |
//! | `quotient` | division of integers by launch values |
//! | `value_type` | the types of values in generated code |
//! | `structs` | definitions, fields and values of structs |
//! | `body` | the statements of a graph |
//! | `flat` | interleaved values, which neighbouring items share |
//! | `or_else` | values that a function must compute for few of the items |
//! | `fold` | loops over the entries of ranges |
//! | `code` | the statements of a device function |

pub(crate) mod body;
pub(crate) mod builtin;
pub(crate) mod code;
pub(crate) mod flat;
mod fold;
pub(crate) mod number;
pub(crate) mod operation;
pub(crate) mod or_else;
pub(crate) mod quotient;
pub(crate) mod structs;
pub(crate) mod value_type;
