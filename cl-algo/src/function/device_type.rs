//! The Rust types that values of a device function may have.

use super::item::DeviceItem;
use crate::element::{Element, ElementType, Field, ScalarType, StructType};
use crate::ir::leaf;
use crate::ir::types::Type;
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

/// A type that variables, parameters and results of device functions may have: elements, `usize` and `isize` (64 bits
/// on the device), tuples of these, and arrays.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a value in a device function",
    label = "this is a `{Self}`",
    note = "elements, `usize`, `isize`, tuples of these, and arrays can"
)]
pub trait DeviceType: Copy + 'static {
    /// Returns the type on the device.
    fn device_type() -> Type;

    /// Returns the value as a constant of the function's text.
    #[doc(hidden)]
    fn constant(self) -> Constant;

    /// Returns the value as a kernel argument, if it can be one.
    #[doc(hidden)]
    fn scalar(self) -> Scalar {
        Scalar(None)
    }
}

/// A host value that is passed to the device.
#[derive(Clone)]
pub struct Scalar(pub(crate) Option<leaf::Scalar>);

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scalar")
    }
}

/// A constant host value.
#[derive(Clone, Debug)]
pub enum Constant {
    /// A number or a `bool`, given by its bits.
    Scalar(ScalarType, u64),
    /// A value that is made of other constants.
    Whole(Type, Vec<Constant>),
}

impl Constant {
    /// Returns a value as a constant.
    #[must_use]
    pub fn new<T: DeviceType>(value: T) -> Constant {
        value.constant()
    }

    /// Returns the constant with these bytes.
    fn of_bytes(bytes: &[u8], of: ElementType) -> Constant {
        let part = |offset: usize, of: ElementType| {
            Constant::of_bytes(bytes.get(offset..offset + of.size()).unwrap_or_default(), of)
        };
        let parts = match of {
            ElementType::Scalar(scalar) => {
                let mut bits = [0; 8];
                bits[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
                return Constant::Scalar(scalar, u64::from_le_bytes(bits));
            }
            ElementType::Vector(scalar, count) => {
                (0..usize::from(count)).map(|at| part(at * scalar.size(), scalar.into())).collect()
            }
            ElementType::Complex(scalar) => vec![part(0, scalar.into()), part(scalar.size(), scalar.into())],
            ElementType::Struct(of) => {
                of.fields.iter().map(|field| part(field.offset, field.element)).collect()
            }
        };
        Constant::Whole(of.into(), parts)
    }
}

/// Returns the struct that represents a tuple on the device. It is leaked: there are only as many as the program's text
/// has tuple types.
pub(crate) fn tuple(items: &[ElementType]) -> ElementType {
    static KNOWN: LazyLock<Mutex<HashMap<Vec<ElementType>, &'static StructType>>> =
        LazyLock::new(Mutex::default);
    const NAMES: [&str; 8] = ["_0", "_1", "_2", "_3", "_4", "_5", "_6", "_7"];
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let of = known.entry(items.to_vec()).or_insert_with(|| {
        let parts: Vec<String> = items.iter().map(|&item| Type::from(item).rust_name()).collect();
        let name = format!("tuple{}_{}", items.len(), parts.join("_"));
        let fields = NAMES.iter().zip(items).map(|(name, &element)| Field { name, offset: 0, element });
        let fields: Vec<Field> = fields.collect();
        // A size of 0: tuples are never stored in memory, so their layout only matters on the device.
        Box::leak(Box::new(StructType { name: name.leak(), size: 0, fields: fields.leak() }))
    });
    ElementType::Struct(of)
}

#[diagnostic::do_not_recommend]
impl<T: Element> DeviceType for T {
    fn device_type() -> Type {
        T::TYPE.into()
    }

    fn constant(self) -> Constant {
        let stored = [T::as_stored(std::slice::from_ref(&self))[0]];
        Constant::of_bytes(bytemuck::cast_slice(&stored), T::TYPE)
    }

    fn scalar(self) -> Scalar {
        Scalar(Some(leaf::Scalar::new(self)))
    }
}

impl DeviceType for () {
    fn device_type() -> Type {
        Type::Unit
    }

    fn constant(self) -> Constant {
        Constant::Whole(Type::Unit, Vec::new())
    }
}

impl DeviceType for usize {
    fn device_type() -> Type {
        ElementType::U64.into()
    }

    fn constant(self) -> Constant {
        (self as u64).constant()
    }

    fn scalar(self) -> Scalar {
        (self as u64).scalar()
    }
}

impl DeviceType for isize {
    fn device_type() -> Type {
        ElementType::I64.into()
    }

    fn constant(self) -> Constant {
        (self as i64).constant()
    }

    fn scalar(self) -> Scalar {
        (self as i64).scalar()
    }
}

impl<T: DeviceType, const N: usize> DeviceType for [T; N] {
    fn device_type() -> Type {
        Type::array(T::device_type(), N)
    }

    fn constant(self) -> Constant {
        Constant::Whole(Self::device_type(), self.map(DeviceType::constant).into())
    }
}

macro_rules! tuples {
    ($($($item:ident $value:ident)*;)*) => {$(
        impl<$($item: DeviceItem),*> DeviceType for ($($item,)*) {
            fn device_type() -> Type {
                Type::Element(tuple(&[$($item::element_type()),*]))
            }

            fn constant(self) -> Constant {
                let ($($value,)*) = self;
                Constant::Whole(Self::device_type(), vec![$($value.constant()),*])
            }
        }
    )*};
}

tuples! {
    A a B b;
    A a B b C c;
    A a B b C c D d;
    A a B b C c D d E e;
    A a B b C c D d E e F f;
    A a B b C c D d E e F f G g;
    A a B b C c D d E e F f G g H h;
}
