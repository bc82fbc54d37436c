//! Closures over symbolic values, recorded once by running them.
//!
//! A recording is a graph without vectors: its inputs are [`Op::Parameter`]s. Recordings nest, so each thread has a
//! stack of recordings. A [`Val`] is an index into one of them. It has no lifetime, so that generic numeric code runs
//! on it unchanged.

use super::Item;
use crate::element::Element;
use crate::ir::graph::Graph;
use crate::ir::leaf::Scalar;
use crate::ir::op::{NodeId, Op, Type};
use cl_core::Error;
use std::cell::RefCell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) mod sealed {
    /// Seals traits. Other code relies on the nodes that an implementation returns, but the traits are not
    /// `unsafe`, so other crates must not implement them.
    pub trait Sealed {}
}
use sealed::Sealed;

/// A symbolic value: one element of a lazy vector, while a closure over it is recorded.
///
/// [`Expr::map`](super::Expr::map) and the algorithms pass symbolic values to their closures. `Val` is `Copy` and has
/// the operators of its type, so a generic function such as `fn step<T: Copy + Add<Output = T> + Mul<f32, Output =
/// T>>(x: T) -> T` runs on it as it does on numbers. Scalars in the closure become kernel arguments. A closure cannot
/// branch on a symbolic value: see [`Val::select`], or `#[device_fn]` for control flow.
///
/// A value is valid within the closure that it was given to. If it is used elsewhere, the evaluation returns an error.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
/// let y = DeviceVec::from_slice(&queue, &[4.0_f32, 5.0, 6.0])?;
/// let z = x.iter().zip(&y).map(|(x, y)| (y - x) * x).collect()?;
/// assert_eq!(z.to_vec()?, [3.0, 6.0, 9.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Val<T: Element>(State<T>);

#[derive(Clone, Copy)]
enum State<T> {
    Known(T),
    Recorded(Handle),
}

/// A node of a recording.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Handle {
    recording: u64,
    node: NodeId,
}

impl Handle {
    /// The handle of a value that was made outside of any recording.
    const NOWHERE: Handle = Handle { recording: 0, node: 0 };
}

/// The graph of a closure that is being recorded.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // not accessible outside of this crate
pub struct Recording {
    id: u64,
    graph: Graph<'static>,
}

thread_local! {
    /// The current recordings. Never dropped, so that destructors of other thread-locals can record, too. It owns
    /// memory only while there are recordings.
    static RECORDINGS: ManuallyDrop<RefCell<Vec<Recording>>> =
        const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A result that a recorded closure may return: a [`Val`], a constant, or a tuple of these.
#[diagnostic::on_unimplemented(
    message = "a closure over symbolic values cannot return `{Self}`",
    label = "not a `Val`, nor a tuple of `Val`s",
    note = "comparisons are methods, and `&` and `|` take the place of `&&` and `||`: \
            `x.gt(0.0) & x.lt(5.0)` for `x > 0.0 && x < 5.0`",
    note = "`Val::known(1.0)` makes a symbolic value of a number; `cl!(|x: f32| ..)` is a closure with `if` and `>`"
)]
pub trait Recorded: Sealed {
    /// The type of the result for one element.
    type Item: Item;

    /// Adds the nodes of the result.
    #[doc(hidden)]
    fn roots(self, recording: &mut Recording, into: &mut Vec<NodeId>);
}

/// A symbolic value or a constant.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a symbolic `{T}`",
    label = "not a `{T}`, nor a `Val<{T}>`",
    note = "values have one type: write `1.0` for `1` beside floats, `1.0_f32` beside `f32`; \
            `y.cast::<{T}>()` converts a symbolic value",
    note = "a closure cannot capture a vector or a device scalar: `zip((&x, &y)).map(|(x, y)| x + y)`"
)]
pub trait Symbol<T: Element> {
    /// Returns the symbolic value.
    fn into_val(self) -> Val<T>;
}

impl<T: Element> Symbol<T> for Val<T> {
    fn into_val(self) -> Val<T> {
        self
    }
}

impl<T: Element> Symbol<T> for T {
    fn into_val(self) -> Val<T> {
        Val::known(self)
    }
}

impl<T: Element> From<T> for Val<T> {
    fn from(value: T) -> Val<T> {
        Val::known(value)
    }
}

impl<T: Element> Val<T> {
    /// Returns the symbolic value of a value of the host. In a recording it becomes a kernel argument.
    #[must_use]
    pub const fn known(value: T) -> Val<T> {
        Val(State::Known(value))
    }

    /// Returns the value if it is [`known`](Val::known). The result of a device function is known if all its arguments
    /// are.
    #[must_use]
    pub fn value(self) -> Option<T> {
        if let State::Known(value) = self.0 { Some(value) } else { None }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn recorded(handle: Handle) -> Val<T> {
        Val(State::Recorded(handle))
    }

    /// Returns the value's node in the current recording.
    #[doc(hidden)]
    pub fn node(self, recording: &mut Recording) -> NodeId {
        match self.0 {
            State::Known(value) => recording.graph.scalar_node(Scalar::new(value)),
            State::Recorded(handle) if handle.recording == recording.id => handle.node,
            State::Recorded(_) => {
                let reason =
                    "it was used outside of the closure that it was given to: pass the value in by `zip`"
                        .to_owned();
                recording.graph.fail(Error::invalid_input("symbolic value", reason));
                recording.graph.node(Op::Constant(0), T::TYPE, &[])
            }
        }
    }
}

impl Recording {
    /// Returns the graph of the nodes so far.
    pub(crate) fn graph(&mut self) -> &mut Graph<'static> {
        &mut self.graph
    }

    /// Adds an operation and returns its node.
    pub(crate) fn apply(&mut self, op: Op, ty: impl Into<Type>, arguments: &[NodeId]) -> NodeId {
        self.graph.node(op, ty, arguments)
    }

    /// Adds a value of the host and returns its node.
    pub(crate) fn scalar(&mut self, scalar: Scalar) -> NodeId {
        self.graph.scalar_node(scalar)
    }

    /// Records a deferred error. Returns a node that stands for the value that cannot be computed.
    pub(crate) fn fail(&mut self, error: Error, ty: impl Into<Type>) -> NodeId {
        self.graph.fail(error);
        self.graph.node(Op::Constant(0), ty, &[])
    }
}

/// Adds the nodes of `build` to the current recording and returns the result's value. Outside of any recording, it adds
/// nothing.
pub(crate) fn extend<T: Element>(build: impl FnOnce(&mut Recording) -> NodeId) -> Val<T> {
    let handle = RECORDINGS.with(|recordings| {
        let mut recordings = recordings.borrow_mut();
        let recording = recordings.last_mut()?;
        let node = build(recording);
        Some(Handle { recording: recording.id, node })
    });
    Val::recorded(handle.unwrap_or(Handle::NOWHERE))
}

/// Records a closure: runs it on the parameters of a new recording, and returns the graph whose roots are the closure's
/// results.
pub(crate) fn record<T: Item, R: Recorded>(closure: impl FnOnce(T::Values) -> R) -> Graph<'static> {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut graph = Graph::default();
    let mut count = 0;
    let parameters = T::parameters(&mut |element| {
        let node = graph.node(Op::Parameter(count), element, &[]);
        count += 1;
        Handle { recording: id, node }
    });
    RECORDINGS.with(|recordings| recordings.borrow_mut().push(Recording { id, graph }));
    let unwinding = Unwinding;
    let result = closure(parameters);
    let mut recording = unwinding.end();
    let mut roots = Vec::new();
    result.roots(&mut recording, &mut roots);
    recording.graph.roots.extend(roots);
    recording.graph
}

/// Returns the number of the recording that began last; 0 outside of any recording.
pub(crate) fn current() -> u64 {
    RECORDINGS.with(|recordings| recordings.borrow().last().map_or(0, |recording| recording.id))
}

/// Returns the symbolic values of the parameters of a recording, from the parameter `first` on.
pub(crate) fn parameters_of<T: Item>(id: u64, first: u32) -> T::Values {
    RECORDINGS.with(|recordings| {
        let mut recordings = recordings.borrow_mut();
        let mut recording = recordings.iter_mut().find(|recording| recording.id == id);
        let mut number = first;
        T::parameters(&mut |element| {
            let Some(recording) = &mut recording else { return Handle::NOWHERE };
            let node = recording.graph.node(Op::Parameter(number), element, &[]);
            number += 1;
            Handle { recording: id, node }
        })
    })
}

/// Removes and returns the recording that began last. Recordings end in the reverse order of their beginning.
fn last() -> Option<Recording> {
    RECORDINGS.with(|recordings| {
        let mut recordings = recordings.borrow_mut();
        let last = recordings.pop();
        if recordings.is_empty() {
            *recordings = Vec::new();
        }
        last
    })
}

/// A guard that ends the current recording, also if the closure panics.
struct Unwinding;

impl Unwinding {
    fn end(self) -> Recording {
        std::mem::forget(self);
        last().unwrap_or_else(|| Recording { id: 0, graph: Graph::default() })
    }
}

impl Drop for Unwinding {
    fn drop(&mut self) {
        drop(last());
    }
}

impl<T: Element> Sealed for Val<T> {}

impl<T: Element> Recorded for Val<T> {
    type Item = T;

    fn roots(self, recording: &mut Recording, into: &mut Vec<NodeId>) {
        into.push(self.node(recording));
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),+))+) => {$(
        impl<$($name: Sealed),+> Sealed for ($($name,)+) {}

        impl<$($name: Recorded),+> Recorded for ($($name,)+) {
            type Item = ($($name::Item,)+);

            fn roots(self, recording: &mut Recording, into: &mut Vec<NodeId>) {
                $(self.$at.roots(recording, into);)+
            }
        }
    )+};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

impl<T: Element + fmt::Debug> fmt::Debug for Val<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            State::Known(value) => write!(f, "Val({value:?})"),
            State::Recorded(handle) => write!(f, "Val(v{})", handle.node),
        }
    }
}
