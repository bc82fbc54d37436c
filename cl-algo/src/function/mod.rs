//! Functions in OpenCL C that generated kernels call.

use crate::element::ElementType;

/// A function in OpenCL C. Equal functions are one.
#[derive(Debug)]
pub struct Function {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) result: ElementType,
    pub(crate) callees: Vec<&'static Function>,
    /// The types that it mentions.
    pub(crate) types: Vec<ElementType>,
    pub(crate) checks_indices: bool,
}

/// What a [`Function`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// A value.
    Value(ElementType),
    /// A vector, as a `global` pointer and a length.
    Slice(ElementType),
}
