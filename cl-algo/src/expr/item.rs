//! The items of expressions.

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
    /// Seals [`Item`](super::Item). Other code relies on the vectors that an implementation names, but `Item`
    /// is not an `unsafe` trait, so other crates must not implement it.
    pub trait Sealed {}

    impl<T: crate::element::Element> Sealed for T {}
}

/// An element, or a tuple of up to eight items, as [`zip`](super::zip) and kernels with several outputs make.
///
/// A tuple never lies in memory: each of its elements has a vector of its own.
pub trait Item: Sealed + Copy + Send + Sync + 'static {
    /// The symbolic values of an item, which closures get while they are recorded.
    type Values: Recorded<Item = Self> + Copy;
    /// The device vectors of an item's elements: a [`DeviceVec`], or a tuple of these.
    type Vectors;
    /// The device scalars of an item's elements: a [`DeviceScalar`], or a tuple of these.
    type Scalars;

    /// Calls the closure with the type of each element of the item.
    #[doc(hidden)]
    fn each_element(tell: &mut dyn FnMut(ElementType));

    /// Returns the number of elements of the item.
    #[doc(hidden)]
    fn count() -> usize {
        let mut count = 0;
        Self::each_element(&mut |_| count += 1);
        count
    }

    /// Returns the symbolic values of a recording's parameters.
    #[doc(hidden)]
    fn parameters(next: &mut dyn FnMut(ElementType) -> Handle) -> Self::Values;

    /// Returns vectors with uninitialized elements.
    ///
    /// # Safety
    /// A command must write every element before one reads it.
    #[doc(hidden)]
    unsafe fn uninit(queue: &Queue, len: usize) -> Result<Self::Vectors>;

    /// Appends the vectors as targets.
    #[doc(hidden)]
    fn targets<'t>(vectors: &'t Self::Vectors, into: &mut Vec<Target<'t>>);

    /// Returns vectors of one element each as scalars.
    ///
    /// # Safety
    /// Each vector must have one element.
    #[doc(hidden)]
    unsafe fn scalars(vectors: Self::Vectors) -> Self::Scalars;

    /// Returns the item as a value of a recording, which becomes an argument of the kernel.
    #[doc(hidden)]
    fn known(self) -> Self::Values;

    /// Returns the item with the given bytes. `next` returns the bytes of one element after the other.
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
        // SAFETY: the caller promises that a command writes every element before one reads it.
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
    /// Adds the parameters of an operator on an item, one for each of its elements.
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
                // SAFETY: the caller promises that a command writes every element before one reads it.
                Ok(unsafe { ($($name::uninit(queue, len)?,)+) })
            }

            fn targets<'t>(vectors: &'t Self::Vectors, into: &mut Vec<Target<'t>>) {
                $($name::targets(&vectors.$at, into);)+
            }

            unsafe fn scalars(vectors: Self::Vectors) -> Self::Scalars {
                // SAFETY: the caller promises that each vector has one element.
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
