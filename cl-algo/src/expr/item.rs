//! What an expression has at each place.

use super::{Handle, Recorded, Val};
use crate::device_scalar::DeviceScalar;
use crate::element::{Element, ElementType};
use crate::ir::graph::Graph;
use crate::ir::op::{NodeId, Op};
use crate::ir::target::Target;
use crate::vec::DeviceVec;
use cl_core::{Queue, Result};
use sealed::Sealed;
use smallvec::SmallVec;

mod sealed {
    /// Code relies on what [`Item`](super::Item) says of its vectors, and it is not `unsafe` to say it.
    pub trait Sealed {}

    impl<T: crate::element::Element> Sealed for T {}
}

/// An element, or a tuple of up to eight items: what `zip` makes, and what a kernel with several
/// outputs computes. A tuple never lies in memory: each of its elements has a vector of its own.
pub trait Item: Sealed + Copy + Send + Sync + 'static {
    /// The item as closures see it, while they are recorded.
    type Values: Recorded<Item = Self> + Copy;
    /// The vectors that hold such items.
    type Vectors;
    /// What holds one such item on the device: a [`DeviceScalar`], or a tuple of these.
    type Scalars;

    /// Calls the closure with each element that it consists of.
    #[doc(hidden)]
    fn each_element(tell: &mut dyn FnMut(ElementType));

    /// How many elements it consists of.
    #[doc(hidden)]
    fn count() -> usize {
        let mut count = 0;
        Self::each_element(&mut |_| count += 1);
        count
    }

    /// The symbolic values of a recording's parameters.
    #[doc(hidden)]
    fn parameters(next: &mut dyn FnMut(ElementType) -> Handle) -> Self::Values;

    /// Vectors to be written to.
    ///
    /// # Safety
    /// A command must write every element before one reads it.
    #[doc(hidden)]
    unsafe fn uninit(queue: &Queue, len: usize) -> Result<Self::Vectors>;

    /// The vectors as targets.
    #[doc(hidden)]
    fn targets<'t>(vectors: &'t Self::Vectors, into: &mut Vec<Target<'t>>);

    /// Vectors of one element each as scalars.
    ///
    /// # Safety
    /// Each vector has one element.
    #[doc(hidden)]
    unsafe fn scalars(vectors: Self::Vectors) -> Self::Scalars;

    /// The item as a value of a recording: an argument of the kernel.
    #[doc(hidden)]
    fn known(self) -> Self::Values;

    /// The item whose elements have these bytes, asked for one after the other.
    #[doc(hidden)]
    fn from_bytes<'b>(next: &mut dyn FnMut(ElementType) -> &'b [u8]) -> Self;
}

impl<T: Element> Item for T {
    type Values = Val<T>;
    type Vectors = DeviceVec<T>;
    type Scalars = DeviceScalar<T>;

    fn each_element(tell: &mut dyn FnMut(ElementType)) {
        tell(T::TYPE);
    }

    fn parameters(next: &mut dyn FnMut(ElementType) -> Handle) -> Val<T> {
        Val::recorded(next(T::TYPE))
    }

    unsafe fn uninit(queue: &Queue, len: usize) -> Result<DeviceVec<T>> {
        // SAFETY: by the caller's promise.
        unsafe { DeviceVec::uninit(queue, len) }
    }

    fn targets<'t>(vectors: &'t DeviceVec<T>, into: &mut Vec<Target<'t>>) {
        into.push(Target::whole(vectors));
    }

    unsafe fn scalars(vectors: DeviceVec<T>) -> DeviceScalar<T> {
        DeviceScalar::new(vectors)
    }

    fn known(self) -> Val<T> {
        Val::known(self)
    }

    fn from_bytes<'b>(next: &mut dyn FnMut(ElementType) -> &'b [u8]) -> T {
        T::from_stored(bytemuck::pod_read_unaligned(next(T::TYPE)))
    }
}

impl Graph<'_> {
    /// The parameters of an operator on an item, as many as it has elements.
    pub(crate) fn parameters<T: Item>(&mut self) -> SmallVec<[NodeId; 2]> {
        let mut parameters = SmallVec::new();
        T::each_element(&mut |element| {
            parameters.push(self.node(Op::Parameter(parameters.len() as u32), element, &[]));
        });
        parameters
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),+))+) => {$(
        impl<$($name: Item),+> Sealed for ($($name,)+) {}

        impl<$($name: Item),+> Item for ($($name,)+) {
            type Values = ($($name::Values,)+);
            type Vectors = ($($name::Vectors,)+);
            type Scalars = ($($name::Scalars,)+);

            fn each_element(tell: &mut dyn FnMut(ElementType)) {
                $($name::each_element(tell);)+
            }

            fn parameters(next: &mut dyn FnMut(ElementType) -> Handle) -> Self::Values {
                ($($name::parameters(next),)+)
            }

            unsafe fn uninit(queue: &Queue, len: usize) -> Result<Self::Vectors> {
                // SAFETY: by the caller's promise.
                Ok(unsafe { ($($name::uninit(queue, len)?,)+) })
            }

            fn targets<'t>(vectors: &'t Self::Vectors, into: &mut Vec<Target<'t>>) {
                $($name::targets(&vectors.$at, into);)+
            }

            unsafe fn scalars(vectors: Self::Vectors) -> Self::Scalars {
                // SAFETY: by the caller's promise.
                unsafe { ($($name::scalars(vectors.$at),)+) }
            }

            fn known(self) -> Self::Values {
                ($($name::known(self.$at),)+)
            }

            fn from_bytes<'b>(next: &mut dyn FnMut(ElementType) -> &'b [u8]) -> Self {
                ($($name::from_bytes(next),)+)
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
