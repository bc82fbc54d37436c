//! The results of calls, and their types in expressions and recordings.

use super::device_type::{DeviceType, tuple};
use crate::element::{Element, ElementType, ScalarType};
use crate::expr::Item;
use crate::expr::{Recorded, Recording, Val, extend};

/// A type that device functions can return, alone or in tuples: an element, `usize`, `isize`, or a tuple of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a device function, nor a part of a tuple there",
    note = "elements, `usize`, `isize` and tuples of these can"
)]
pub trait DeviceItem: DeviceType {
    /// The item of a lazy call.
    type Item: Item;
    /// The result of a recorded call.
    type Values: Recorded<Item = Self::Item>;

    /// Returns the type on the device.
    fn element_type() -> ElementType;

    /// Returns a host value as the result of a recorded call.
    fn known(self) -> Self::Values;

    /// Returns the result of a recorded call, made of its fields.
    #[doc(hidden)]
    fn record(part: &mut Build<'_>, path: TuplePath<'_>) -> Self::Values;
}

/// A function that adds a part of a call's result to a recording.
#[doc(hidden)]
pub type Build<'f> = dyn FnMut(&mut Recording, TuplePath<'_>) -> u32 + 'f;

/// The path to a part of a result: the numbers of the fields that lead to it, the last one first.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum TuplePath<'p> {
    /// The whole result.
    Whole,
    /// A field of a part.
    Field(&'p TuplePath<'p>, u32),
}

fn value<T: Element>(part: &mut Build<'_>, path: TuplePath<'_>) -> Val<T> {
    extend(|recording| part(recording, path))
}

#[diagnostic::do_not_recommend]
impl<T: Element> DeviceItem for T {
    type Item = T;
    type Values = Val<T>;

    fn element_type() -> ElementType {
        T::TYPE
    }

    fn known(self) -> Val<T> {
        Val::known(self)
    }

    fn record(part: &mut Build<'_>, path: TuplePath<'_>) -> Val<T> {
        value(part, path)
    }
}

macro_rules! sizes {
    ($($size:ty as $element:ty = $scalar:ident;)*) => {$(
        impl DeviceItem for $size {
            type Item = $element;
            type Values = Val<$element>;

            fn element_type() -> ElementType {
                ElementType::Scalar(ScalarType::$scalar)
            }

            fn known(self) -> Val<$element> {
                Val::known(self as $element)
            }

            fn record(part: &mut Build<'_>, path: TuplePath<'_>) -> Val<$element> {
                value(part, path)
            }
        }
    )*};
}

sizes! {
    usize as u64 = U64;
    isize as i64 = I64;
}

macro_rules! tuples {
    ($($($item:ident $at:tt)*;)*) => {$(
        impl<$($item: DeviceItem),*> DeviceItem for ($($item,)*) {
            type Item = ($($item::Item,)*);
            type Values = ($($item::Values,)*);

            fn element_type() -> ElementType {
                tuple(&[$($item::element_type()),*])
            }

            fn known(self) -> Self::Values {
                ($(self.$at.known(),)*)
            }

            fn record(part: &mut Build<'_>, path: TuplePath<'_>) -> Self::Values {
                ($($item::record(part, TuplePath::Field(&path, $at)),)*)
            }
        }
    )*};
}

tuples! {
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}
