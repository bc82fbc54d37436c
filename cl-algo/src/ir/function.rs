//! Functions in OpenCL C that nodes call.

use super::graph::Graph;
use super::types::Type;
use crate::element::ElementType;
use std::fmt;

/// A function in OpenCL C. Equal functions are one and the same.
pub struct Function {
    /// The name in C, made unique by a hash of the whole function.
    pub(crate) name: String,
    /// The definition in OpenCL C, without its callees.
    pub(crate) source: String,
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Type,
    pub(crate) callees: Vec<&'static Function>,
    /// The elements that `source` mentions.
    pub(crate) types: Vec<ElementType>,
    /// `true` if it takes the hidden last parameter through which faults are recorded.
    pub(crate) checks_indices: bool,
    /// `true` if it is known to have a loop, or to call a function that has one.
    pub(crate) has_loops: bool,
    /// `true` if it calls functions of `kernels/corrected.cl`.
    pub(crate) is_corrected: bool,
    /// The number of bytes of its arrays, plus those of the callee that has the most.
    pub(crate) array_bytes: usize,
    /// The graph that expressions include instead of calling the function, if the function has such a form.
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
    /// Returns the name as it was given, without the suffix that makes it unique in OpenCL C.
    pub(crate) fn given_name(&self) -> &str {
        self.name.rsplit_once('_').map_or(&self.name, |(given, _)| given)
    }

    /// Returns the name in OpenCL C.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the definition in OpenCL C, without its callees.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the types of its parameters, without the hidden parameter of functions that check indices.
    #[must_use]
    pub fn parameters(&self) -> &[Type] {
        &self.parameters
    }

    /// Returns the type of its result.
    #[must_use]
    pub fn result(&self) -> Type {
        self.result
    }

    /// Returns whether it takes the hidden last parameter through which faults are recorded: `FAULT_ARGUMENT` in calls.
    #[must_use]
    pub fn checks_indices(&self) -> bool {
        self.checks_indices
    }
}

/// Returns a name in Rust with `_` for characters that names in C cannot have.
pub(crate) fn c_identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
