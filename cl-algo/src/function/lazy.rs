//! Calls whose arguments are device vectors, expressions or recorded values.

use super::call::{Argument, Host, Join, Mode, SliceArgument};
use super::device_type::Scalar;
use super::item::TuplePath;
use super::probe::Unknown;
use super::{DeviceItem, DeviceType};
use crate::element::{Element, ElementType};
use crate::expr::{Expr, Operand, Recording, Val};
use crate::ir::function::Function;
use crate::ir::graph::Graph;
use crate::ir::leaf;
use crate::ir::op::{FunctionRef, NodeId, Op, Type};
use crate::ir::postfix::Postfix;
use crate::vec::DeviceVec;
use cl_core::{Error, Result};
use std::fmt;
use std::marker::PhantomData;

/// The mode of device vectors and expressions.
#[derive(Debug)]
pub struct Lazy<'a>(PhantomData<&'a ()>);

/// The mode of symbolic values of a recording.
#[derive(Debug)]
pub enum Recorded {}

/// An argument of a lazy call.
pub struct LazyArgument<'a>(Postfix<'a>);

impl fmt::Debug for LazyArgument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LazyArgument")
    }
}

/// An argument of a recorded call: a function that adds it to the recording.
pub struct RecordedArgument(Box<dyn FnOnce(&mut Recording) -> NodeId>);

impl fmt::Debug for RecordedArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecordedArgument")
    }
}

/// Returns the error for a host value that is not an element.
fn no_argument() -> Error {
    let reason =
        "tuples and arrays of the host cannot be arguments of a call on the device: pass their parts"
            .to_owned();
    Error::invalid_input("argument of a device function", reason)
}

impl<'a> Mode for Lazy<'a> {
    type Of<F, R: DeviceItem> = Expr<'a, R::Item>;
    type Passed = LazyArgument<'a>;

    fn evaluate<F, R: DeviceItem>(
        _: Option<R>,
        function: impl FnOnce() -> Result<&'static Function>,
        arguments: impl FnOnce() -> Vec<LazyArgument<'a>>,
    ) -> Expr<'a, R::Item> {
        let element = R::element_type();
        let arguments = arguments().into_iter().map(|argument| argument.0);
        let mut graph = match function() {
            Ok(function) => {
                let call = Op::Function(FunctionRef(function));
                Postfix::of(arguments, call, element, "call of a device function").into_graph()
            }
            Err(error) => {
                let mut graph = Graph::leaf(Op::Constant(0), element);
                graph.fail(error);
                graph
            }
        };
        let call = graph.root();
        graph.roots.clear();
        parts(&mut graph, call, element);
        // A function without loops becomes nodes of the graph. The node that makes its tuple is not needed,
        // because the tuple's items are the roots.
        Expr::new(if graph.roots.len() > 1 { graph.pruned() } else { graph })
    }
}

/// Makes the elements of a result the roots.
fn parts(graph: &mut Graph<'_>, node: NodeId, element: ElementType) {
    match tuple_parts(element) {
        Some(items) => {
            for (at, item) in items.enumerate() {
                let part = graph.node(Op::Field(at as u32), item, &[node]);
                parts(graph, part, item);
            }
        }
        None => graph.roots.push(node),
    }
}

/// Returns the fields of a tuple. Its size tells it from a struct: tuples are never stored in memory, and have size 0.
fn tuple_parts(element: ElementType) -> Option<impl Iterator<Item = ElementType>> {
    match element {
        ElementType::Struct(of) if of.size == 0 => Some(of.fields.iter().map(|field| field.element)),
        _ => None,
    }
}

impl Mode for Recorded {
    type Of<F, R: DeviceItem> = R::Values;
    type Passed = RecordedArgument;

    fn evaluate<F, R: DeviceItem>(
        by_host: Option<R>,
        function: impl FnOnce() -> Result<&'static Function>,
        arguments: impl FnOnce() -> Vec<RecordedArgument>,
    ) -> R::Values {
        if let Some(known) = by_host {
            return known.known();
        }
        let element = R::element_type();
        let mut parts = Some((function, arguments()));
        let mut call = None;
        let mut part = |recording: &mut Recording, path: TuplePath<'_>| {
            let whole = *call.get_or_insert_with(|| {
                // Taken once: the first part makes the call.
                let Some((function, arguments)) = parts.take() else { return NodeId::MAX };
                let nodes: Vec<NodeId> =
                    arguments.into_iter().map(|argument| (argument.0)(recording)).collect();
                match function() {
                    Ok(function) => recording.apply(Op::Function(FunctionRef(function)), element, &nodes),
                    Err(error) => recording.fail(error, element),
                }
            });
            field(recording, whole, element, path).0
        };
        R::record(&mut part, TuplePath::Whole)
    }
}

/// Returns the result of a `cl!` closure's call.
#[doc(hidden)]
pub fn record<R: DeviceItem>(
    by_host: Option<R>,
    function: impl FnOnce() -> Result<&'static Function>,
    arguments: impl FnOnce() -> Vec<RecordedArgument>,
) -> R::Values {
    Recorded::evaluate::<(), R>(by_host, function, arguments)
}

/// Returns a parameter of a `cl!` closure.
#[doc(hidden)]
#[must_use]
pub fn recorded<T: Element>(value: Val<T>) -> RecordedArgument {
    <Val<T> as Argument<T>>::pass(value)
}

/// Returns a variable that a `cl!` closure captures.
#[doc(hidden)]
#[must_use]
pub fn captured<T: DeviceType>(_: &Unknown<T>, value: T) -> RecordedArgument {
    recorded_scalar(value.scalar())
}

/// Returns the node of a part, and its type.
fn field(
    recording: &mut Recording,
    whole: NodeId,
    element: ElementType,
    path: TuplePath<'_>,
) -> (NodeId, ElementType) {
    let TuplePath::Field(base, at) = path else {
        return (whole, element);
    };
    let (node, of) = field(recording, whole, element, *base);
    let item = tuple_parts(of).and_then(|mut items| items.nth(at as usize)).unwrap_or(of);
    (recording.apply(Op::Field(at), item, &[node]), item)
}

/// Returns a host value as an argument of a lazy call.
fn lazy_scalar<'a>(scalar: Scalar) -> LazyArgument<'a> {
    match scalar.0 {
        Some(scalar) => {
            let mut postfix = Postfix::new();
            postfix.scalar(scalar);
            LazyArgument(postfix)
        }
        None => {
            let mut graph = Graph::leaf(Op::Constant(0), ElementType::U8);
            graph.fail(no_argument());
            LazyArgument(graph.into())
        }
    }
}

/// Returns a host value as an argument of a recorded call.
fn recorded_scalar(scalar: Scalar) -> RecordedArgument {
    RecordedArgument(Box::new(|recording| match scalar.0 {
        Some(scalar) => recording.scalar(scalar),
        None => recording.fail(no_argument(), ElementType::U8),
    }))
}

macro_rules! joins {
    ($([$($life:lifetime)?] $left:ty, $right:ty => $mode:ty: $from_left:expr, $from_right:expr;)*) => {$(
        impl$(<$life>)? Join<$right> for $left {
            type Mode = $mode;

            fn left(passed: <$left as Mode>::Passed) -> <$mode as Mode>::Passed {
                $from_left(passed)
            }

            fn right(passed: <$right as Mode>::Passed) -> <$mode as Mode>::Passed {
                $from_right(passed)
            }
        }
    )*};
}

joins! {
    ['a] Host, Lazy<'a> => Lazy<'a>: lazy_scalar, std::convert::identity;
    ['a] Lazy<'a>, Host => Lazy<'a>: std::convert::identity, lazy_scalar;
    ['a] Lazy<'a>, Lazy<'a> => Lazy<'a>: std::convert::identity, std::convert::identity;
    [] Host, Recorded => Recorded: recorded_scalar, std::convert::identity;
    [] Recorded, Host => Recorded: std::convert::identity, recorded_scalar;
    [] Recorded, Recorded => Recorded: std::convert::identity, std::convert::identity;
}

macro_rules! lazy_arguments {
    ($([$($generics:tt)*] $parameter:ty: $argument:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a $($generics)*> Argument<$parameter> for $argument {
            type Mode = Lazy<'a>;

            fn known(&self) -> Option<$parameter> {
                None
            }

            fn pass(self) -> LazyArgument<'a> {
                LazyArgument(self.into_expr().into_postfix())
            }
        }
    )*};
}

lazy_arguments! {
    [, T: Element] T: Expr<'a, T>;
    [, T: Element] T: &Expr<'a, T>;
    [, T: Element] T: &'a DeviceVec<T>;
    [] usize: Expr<'a, u64>;
    [] usize: &Expr<'a, u64>;
    [] usize: &'a DeviceVec<u64>;
}

#[diagnostic::do_not_recommend]
impl<T: Element> Argument<T> for Val<T> {
    type Mode = Recorded;

    fn known(&self) -> Option<T> {
        self.value()
    }

    fn pass(self) -> RecordedArgument {
        RecordedArgument(Box::new(move |recording| self.node(recording)))
    }
}

#[diagnostic::do_not_recommend]
impl Argument<usize> for Val<u64> {
    type Mode = Recorded;

    fn known(&self) -> Option<usize> {
        self.value().map(|value| value as usize)
    }

    fn pass(self) -> RecordedArgument {
        RecordedArgument(Box::new(move |recording| self.node(recording)))
    }
}

impl<'a, T: Element> SliceArgument<T> for &'a DeviceVec<T> {
    type Mode = Lazy<'a>;

    fn known(&self) -> Option<&[T]> {
        None
    }

    /// Returns the whole vector and its length as an argument.
    fn pass(self) -> LazyArgument<'a> {
        let mut graph = Graph::default();
        if self.is_empty() {
            let reason =
                "it is empty, and OpenCL has no memory of zero bytes to pass to the function".to_owned();
            graph.fail(Error::invalid_input("slice argument of a device function", reason));
        }
        let slot = graph.vector_slot(&self.as_leaf());
        let vector = graph.node(Op::Vector(slot), Type::Slice(T::TYPE), &[]);
        let len = graph.scalar_node(leaf::Scalar::new(self.len() as u64));
        graph.roots.extend([vector, len]);
        LazyArgument(graph.into())
    }
}
