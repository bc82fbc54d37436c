//! Device functions: ordinary Rust functions that expressions can call on the device.
//!
//! ```
//! use cl_algo::prelude::*;
//!
//! /// Steps of the Collatz sequence down to 1.
//! #[device_fn]
//! fn collatz(n: u64) -> u32 {
//!     let mut n = n;
//!     let mut steps = 0;
//!     while n > 1 {
//!         n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
//!         steps += 1;
//!     }
//!     steps
//! }
//!
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! assert_eq!(collatz(27), 111); // on the host
//! let n = DeviceVec::from_slice(&queue, &[6_u64, 27, 97])?;
//! assert_eq!(collatz(&n).collect()?.to_vec()?, [8, 111, 118]); // on the device
//!
//! let limit = 10;
//! let short = n.expr().map(cl!(|n: u64| if collatz(n) < limit { n } else { 0 }));
//! assert_eq!(short.collect()?.to_vec()?, [6, 0, 0]);
//! # Ok(())
//! # }
//! ```
//!
//! `#[device_fn]` keeps a function as it is for the host, and describes it for the device:
//!
//! | file | concept |
//! | --- | --- |
//! | `tree` | a body as data, as the macros write it |
//! | `probe` | how the compiler tells the types that the tree leaves open |
//! | `item` | which values come out of a call |
//! | `device_type` | which types there are, and what they are in OpenCL C |
//! | `emit/` | from tree and types to OpenCL C |
//! | `operators`, `methods` | one operation of a primitive type as OpenCL C text |
//! | `parts` | the same for vectors and complex numbers |
//! | `mul_hi`, `sqrt_normal`, `total_lt`, `total_le`, `total_gt`, `total_ge` | methods that Rust does not have |
//! | `helpers` | functions in OpenCL C that generated text calls |
//! | `intern` | one [`Function`] for each content, found by the type that stands for it |
//! | `call` | calling with host values, device vectors and recorded values alike |
//! | `lazy` | calls with device vectors and recorded values |
//!
//! What the operators of primitive types do where Rust's would panic: integers wrap, shifts mask
//! their count, an integer divided by zero is zero, with itself as remainder, and the smallest
//! signed integer divided by -1 is itself. An index out of bounds reads the last item instead, writes
//! nothing, and is recorded as a fault.

pub mod call;
pub mod device_type;
mod emit;
mod helpers;
pub mod intern;
pub mod item;
pub mod lazy;
mod methods;
mod mul_hi;
mod operators;
mod parts;
pub mod probe;
mod raw;
mod sqrt_normal;
mod total_order;
pub mod tree;

pub use device_type::{DeviceType, Type};
pub use item::DeviceItem;
pub use mul_hi::MulHi;
pub use raw::{OnDevice, RawArgument, RawFunction, RawParameter, Slice};
pub use sqrt_normal::SqrtNormal;
pub use total_order::TotalOrder;

use crate::element::ElementType;
#[doc(hidden)]
pub use cl_core::Result as Outcome; // for the macros: users need no dependency of their own
use cl_core::{Error, Result};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A function in OpenCL C. Equal functions are one and the same.
#[derive(Debug)]
pub struct Function {
    /// The name in C, made unique by a hash of all that the function is.
    pub(crate) name: String,
    /// The definition in OpenCL C, without those of the functions that it calls.
    pub(crate) source: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) result: Type,
    pub(crate) callees: Vec<&'static Function>,
    /// Elements that `source` mentions.
    pub(crate) types: Vec<ElementType>,
    /// Whether it takes the hidden last parameter by which faults are recorded.
    pub(crate) checks_indices: bool,
    /// Bytes of its arrays and of the copies of them that its text makes, and of the function that it calls that has
    /// the most.
    pub(crate) array_bytes: usize,
}

/// The most bytes of arrays that a device function may have. On CPUs they lie on the stack of a thread: under PoCL 3.1
/// 1.6 MB worked, and 12 MB ended the process. Compilers may copy an array more often than the text does.
const MOST_ARRAY_BYTES: usize = 1 << 18;

/// What a function takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// One value.
    Value(Type),
    /// Elements in global memory: two parameters in C, the address and the number as `ulong`.
    Slice(Type),
}

impl Function {
    /// The function of one monomorphisation of a body. For the macros.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for what a type cannot do on the device.
    #[doc(hidden)]
    pub fn translate(body: &'static tree::Body, facts: &tree::Facts) -> Result<Function> {
        let function = emit::function(body, facts)?;
        if function.array_bytes > MOST_ARRAY_BYTES {
            let reason = format!(
                "`{}` and what it calls have arrays, and copies of them, of {} bytes, and {MOST_ARRAY_BYTES} at most \
                 are certain to fit: pass a `&DeviceVec` instead",
                body.name, function.array_bytes
            );
            return Err(Error::InvalidInput { what: "device function", reason });
        }
        Ok(function)
    }

    /// A function whose definition follows its name: from the parameters' parenthesis on.
    pub(crate) fn new(
        name: &str,
        parameters: Vec<Parameter>,
        result: Type,
        definition: &str,
        callees: Vec<&'static Function>,
        types: Vec<ElementType>,
    ) -> Function {
        let mut hasher = DefaultHasher::new();
        (definition, &result).hash(&mut hasher);
        callees.iter().for_each(|callee| callee.name.hash(&mut hasher));
        let name = format!("{}_{:016x}", c_identifier(name), hasher.finish());
        // Static, because a CPU's compiler keeps, and calls, what it thinks others might call.
        let source = format!("static inline {} {name}{definition}", result.c_name());
        let checks_indices = callees.iter().any(|callee| callee.checks_indices);
        let array_bytes = callees.iter().map(|callee| callee.array_bytes).max().unwrap_or(0);
        Function { name, source, parameters, result, callees, types, checks_indices, array_bytes }
    }

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
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The type of its result.
    #[must_use]
    pub fn result(&self) -> &Type {
        &self.result
    }

    /// Whether it takes the hidden last parameter by which faults are recorded: `FAULT_ARGUMENT`
    /// in calls.
    #[must_use]
    pub fn checks_indices(&self) -> bool {
        self.checks_indices
    }
}

/// A name in Rust without what names in C cannot have.
fn c_identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
