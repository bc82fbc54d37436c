//! Which Rust types can be elements of device vectors, and what they are called on the device.

use bytemuck::Pod;
use half::f16;

/// A type that lives on devices.
///
/// Implemented for OpenCL's scalar types, and by `#[derive(Element)]` for transparent newtypes
/// around one of them.
///
/// # Safety
/// A value has exactly the bytes of the OpenCL C type [`Element::TYPE`].
pub unsafe trait Element: Pod + Send + Sync {
    /// The type's name and nature on the device.
    const TYPE: ElementType;
}

/// Elements that can be added, subtracted, multiplied and divided.
///
/// Integers wrap around on overflow. An integer divided by zero is zero, and the smallest signed
/// integer divided by -1 is itself: on the device nothing can panic.
pub trait Number: Element {}

/// Numbers that can be negated.
pub trait Signed: Number {}

/// Floating-point numbers.
pub trait Float: Signed {}

/// A scalar type of OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named after the Rust types
pub enum ElementType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

impl ElementType {
    /// The name in OpenCL C.
    #[must_use]
    pub fn c_name(self) -> &'static str {
        match self {
            ElementType::I8 => "char",
            ElementType::U8 => "uchar",
            ElementType::I16 => "short",
            ElementType::U16 => "ushort",
            ElementType::I32 => "int",
            ElementType::U32 => "uint",
            ElementType::I64 => "long",
            ElementType::U64 => "ulong",
            ElementType::F16 => "half",
            ElementType::F32 => "float",
            ElementType::F64 => "double",
        }
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            ElementType::I8 | ElementType::U8 => 1,
            ElementType::I16 | ElementType::U16 | ElementType::F16 => 2,
            ElementType::I32 | ElementType::U32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::U64 | ElementType::F64 => 8,
        }
    }

    /// Whether this is a floating-point type.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, ElementType::F16 | ElementType::F32 | ElementType::F64)
    }

    /// The unsigned type of the same size, for a signed integer type.
    #[must_use]
    pub fn unsigned(self) -> Option<ElementType> {
        match self {
            ElementType::I8 => Some(ElementType::U8),
            ElementType::I16 => Some(ElementType::U16),
            ElementType::I32 => Some(ElementType::U32),
            ElementType::I64 => Some(ElementType::U64),
            _ => None,
        }
    }
}

macro_rules! elements {
    ($($type:ty = $name:ident: $($class:ident)*;)*) => {$(
        // SAFETY: OpenCL fixes size and representation of its scalar types; these are the same.
        unsafe impl Element for $type {
            const TYPE: ElementType = ElementType::$name;
        }
        $(impl $class for $type {})*
    )*};
}

elements! {
    i8 = I8: Number Signed;
    u8 = U8: Number;
    i16 = I16: Number Signed;
    u16 = U16: Number;
    i32 = I32: Number Signed;
    u32 = U32: Number;
    i64 = I64: Number Signed;
    u64 = U64: Number;
    f16 = F16: Number Signed Float;
    f32 = F32: Number Signed Float;
    f64 = F64: Number Signed Float;
}
