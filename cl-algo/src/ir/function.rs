//! Functions in OpenCL C that nodes call.

use super::graph::Graph;
use super::types::Type;
use crate::element::ElementType;
use std::fmt;

/// A function in OpenCL C. Equal functions are one and the same.
pub struct Function {
    /// The name in C, made unique by a hash of all that the function is.
    pub(crate) name: String,
    /// The definition in OpenCL C, without those of the functions that it calls.
    pub(crate) source: String,
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Type,
    pub(crate) callees: Vec<&'static Function>,
    /// Elements that `source` mentions.
    pub(crate) types: Vec<ElementType>,
    /// Whether it takes the hidden last parameter by which faults are recorded.
    pub(crate) checks_indices: bool,
    /// Whether it has a loop, or calls a function that has one, as far as is known.
    pub(crate) has_loops: bool,
    /// Whether it calls functions of `kernels/corrected.cl`.
    pub(crate) is_corrected: bool,
    /// Bytes of its arrays, and of the function that it calls that has the most.
    pub(crate) array_bytes: usize,
    /// What it computes, in a form that expressions take in instead of calling it.
    pub(crate) straight: Option<Graph<'static>>,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function")
            .field("name", &self.name)
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl Function {
    /// The name as it was given, without what makes that in OpenCL C unique.
    pub(crate) fn given_name(&self) -> &str {
        self.name.rsplit_once('_').map_or(&self.name, |(given, _)| given)
    }

    /// The name in OpenCL C.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The definition in OpenCL C, without those of the functions that it calls.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What it takes, besides the hidden parameter of functions that check indices.
    #[must_use]
    pub fn parameters(&self) -> &[Type] {
        &self.parameters
    }

    /// The type of its result.
    #[must_use]
    pub fn result(&self) -> Type {
        self.result
    }

    /// Whether it takes the hidden last parameter by which faults are recorded: `FAULT_ARGUMENT`
    /// in calls.
    #[must_use]
    pub fn checks_indices(&self) -> bool {
        self.checks_indices
    }
}

/// A name in Rust without what names in C cannot have.
pub(crate) fn c_identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
