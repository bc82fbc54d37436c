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
//! let short = n.iter().map(cl!(|n: u64| if collatz(n) < limit { n } else { 0 }));
//! assert_eq!(short.collect()?.to_vec()?, [6, 0, 0]);
//! # Ok(())
//! # }
//! ```
//!
//! `#[device_fn]` keeps a function unchanged for the host, and describes it for the device:
//!
//! | file | concept |
//! | --- | --- |
//! | `tree` | a body as data, as the macros write it |
//! | `probe` | inference of the types that the tree leaves open |
//! | `probed_call` | calls of device functions in probes |
//! | `item` | the results of calls |
//! | `device_type` | the Rust types of values |
//! | `translate/` | from tree and types to typed statements, which `lower` writes |
//! | `methods` | Rust's methods as operations |
//! | `mul_hi`, `sqrt_normal`, `total_lt`, `total_le`, `total_gt`, `total_ge` | methods that Rust does not have |
//! | `logistic` | the logistic function and its relatives |
//! | `helpers` | functions that generated text calls |
//! | `intern` | one [`Function`] for each content, found by the type that represents it |
//! | `call` | calls with host values, device vectors and recorded values |
//! | `lazy` | calls with device vectors and recorded values |
//!
//! The operators of primitive types never panic on the device: integers wrap around, shifts mask their count, an
//! integer divided by zero is zero with the integer itself as remainder, and the smallest signed integer divided by -1
//! is itself. An index out of bounds reads the last item instead, writes nothing, and is recorded as a fault.

pub mod call;
pub mod device_type;
mod helpers;
pub mod intern;
pub mod item;
pub mod lazy;
pub(crate) mod logistic;
mod methods;
mod mul_hi;
pub mod probe;
pub mod probed_call;
mod raw;
mod sqrt_normal;
mod total_order;
mod translate;
pub mod tree;

pub use crate::ir::function::Function;
pub use crate::ir::types::Type;
pub use device_type::DeviceType;
pub use item::DeviceItem;
pub use logistic::Logistic;
pub use mul_hi::MulHi;
pub use raw::{OnDevice, RawArgument, RawFunction, RawParameter, Slice};
pub use sqrt_normal::SqrtNormal;
pub use total_order::TotalOrder;

use crate::element::ElementType;
use crate::ir::code::{Code, has_loops};
use crate::ir::function::c_identifier;
use crate::ir::graph::Graph;
use crate::ir::op::{Node, NodeId, Op};
use crate::ir::straight;
use crate::lower::body::Body;
use crate::lower::{self, builtin};
#[doc(hidden)]
pub use cl_core::Result as Outcome; // for the macros, so that users need no dependency of their own
use cl_core::{Error, Result};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The maximal number of bytes of arrays in a device function. On CPUs they lie on a thread's stack: under PoCL 3.1 1.6
/// MB worked, and 12 MB ended the process. Compilers may copy an array more often than the text does.
const MOST_ARRAY_BYTES: usize = 1 << 18;

impl Function {
    /// Returns the function for one monomorphisation of a body. For the macros.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for an operation that a type does not have on the device.
    #[doc(hidden)]
    pub fn translate(body: &'static tree::Body, body_types: &tree::BodyTypes) -> Result<Function> {
        let function = translate::function(body, body_types)?;
        if function.array_bytes > MOST_ARRAY_BYTES {
            let reason = format!(
                "`{}` and its callees have arrays, and copies of them, of {} bytes; at most {MOST_ARRAY_BYTES} \
                 are certain to fit: pass a `&DeviceVec` instead",
                body.name, function.array_bytes
            );
            return Err(Error::invalid_input("device function", reason));
        }
        Ok(function)
    }

    /// Returns a function whose definition follows its name: from the opening parenthesis of the parameters on.
    pub(crate) fn new(
        name: &str,
        parameters: Vec<Type>,
        result: Type,
        definition: &str,
        callees: Vec<&'static Function>,
    ) -> Function {
        let mut hasher = DefaultHasher::new();
        (definition, &result).hash(&mut hasher);
        callees.iter().for_each(|callee| callee.name.hash(&mut hasher));
        let name = format!("{}_{:016x}", c_identifier(name), hasher.finish());
        Function {
            // Static, because a CPU's compiler keeps, and calls, functions that other programs might call.
            source: format!("static inline {} {name}{definition}", result.c_name()),
            types: parameters.iter().chain([&result]).filter_map(|of| of.element()).collect(),
            checks_indices: callees.iter().any(|callee| callee.checks_indices),
            array_bytes: callees.iter().map(|callee| callee.array_bytes).max().unwrap_or(0),
            has_loops: true,
            is_corrected: false,
            straight: None,
            name,
            parameters,
            result,
            callees,
        }
    }

    /// Returns a function made of nodes: those of its text, or of its graph.
    fn of_nodes(
        name: &str,
        parameters: &[(String, Type)],
        result: Type,
        body: &str,
        nodes: &[Node],
        others: impl Iterator<Item = Type>,
    ) -> Function {
        let mut callees: Vec<&'static Function> = Vec::new();
        let mut types: Vec<ElementType> = Vec::new();
        let mut call = |function: &'static Function| {
            if !callees.iter().any(|known| std::ptr::eq(*known, function)) {
                callees.push(function);
            }
        };
        let all = parameters.iter().map(|(_, of)| *of).chain([result]).chain(others);
        for of in all.chain(nodes.iter().map(|node| node.ty)) {
            match of {
                Type::Array(item, _) => call(helpers::array(*item, of)),
                of => types.extend(of.element().filter(|element| !types.contains(element))),
            }
        }
        for node in nodes {
            if let Some(function) = node.op.function() {
                call(function);
            }
        }
        let checks = nodes.iter().any(|node| matches!(node.op, Op::Checked(_) | Op::Writable(_)))
            || callees.iter().any(|callee| callee.checks_indices);
        // Structs are constant because of Mesa 22: see `Translator::parameters`.
        let before = |of: &Type| if of.is_struct() { "const " } else { "" };
        let list: Vec<String> =
            parameters.iter().map(|(name, of)| format!("{}{}", before(of), of.declared(name))).collect();
        let hidden = if checks { " FAULT_PARAMETER" } else { "" };
        let definition = format!("({}{hidden})\n{{\n{body}}}\n", list.join(", "));
        let parameters = parameters.iter().map(|(_, of)| *of).collect();
        let has_loops = callees.iter().any(|callee| callee.has_loops);
        Function {
            types,
            has_loops,
            checks_indices: checks,
            is_corrected: nodes.iter().any(|node| builtin::is_corrected(node.op, node.ty.scalar())),
            ..Function::new(name, parameters, result, &definition, callees)
        }
    }

    /// Returns the function of a graph's only root, as a function of the graph's parameters.
    pub(crate) fn of_graph(name: &str, graph: &Graph<'static>) -> Function {
        let is_given = |(_, node): &(usize, &Node)| matches!(node.op, Op::Parameter(_));
        let given: Vec<NodeId> =
            graph.nodes.iter().enumerate().filter(is_given).map(|(id, _)| id as NodeId).collect();
        let parameters: Vec<(String, Type)> =
            given.iter().map(|&id| (format!("v{id}"), graph.ty(id))).collect();
        let mut body = String::new();
        // Writing to a String cannot fail.
        let values =
            Body::with_given(graph, &graph.roots, &given).write(&mut body, 1, &given, &|_| String::new());
        for value in values.unwrap_or_default() {
            let _ = writeln!(body, "    return {value};");
        }
        let name = match given.first() {
            Some(&first) => format!("{name}_{}", graph.ty(first).rust_name()),
            None => name.to_owned(),
        };
        let result = graph.ty(graph.root());
        let function =
            Function::of_nodes(&name, &parameters, result, &body, &graph.nodes, std::iter::empty());
        Function { straight: straight::of_graph(graph), ..function }
    }

    /// Returns the function of this code.
    pub(crate) fn of_code(name: &str, result: Type, code: &Code) -> Function {
        let (given, others) = code.variables.split_at(code.parameters);
        let parameters: Vec<(String, Type)> =
            given.iter().map(|variable| (variable.name.clone(), variable.ty)).collect();
        let others = others.iter().map(|variable| variable.ty);
        let function =
            Function::of_nodes(name, &parameters, result, &lower::code::write(code), &code.nodes, others);
        let array_bytes = function.array_bytes.saturating_add(code.array_bytes());
        let has_loops = function.has_loops || has_loops(&code.body);
        Function { array_bytes, has_loops, straight: straight::of_code(code), ..function }
    }
}
