//! Which types the values of a device function may have, and what they are in OpenCL C.

use crate::element::{Element, ElementType};
use std::sync::Arc;

/// A type that variables, parameters and results of device functions may have: elements, `bool`,
/// `usize` and `isize` (64 bits on the device), and tuples and arrays of such.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a value in a device function",
    label = "this is a `{Self}`",
    note = "elements, `bool`, `usize`, `isize`, and tuples and arrays of these can"
)]
pub trait DeviceType: Copy + 'static {
    /// The type on the device.
    fn device_type() -> Type;

    /// The value in OpenCL C.
    #[doc(hidden)]
    fn literal(self) -> String;
}

/// A type in OpenCL C.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `()`: no value.
    Unit,
    /// `bool`.
    Bool,
    /// An element.
    Scalar(ElementType),
    /// A tuple.
    Struct(Arc<Structure>),
    /// An array, which is a struct around one in C, so that it can be assigned and returned.
    Array(Arc<Type>, usize),
}

/// A struct in OpenCL C.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Structure {
    /// The name of the type.
    pub name: String,
    /// Rust's name of each field, and its type.
    pub fields: Vec<(String, Type)>,
}

/// A constant of the host, as C text.
#[derive(Debug)]
pub struct Constant {
    pub(crate) of: Type,
    pub(crate) text: String,
}

impl Constant {
    /// A constant's value.
    #[must_use]
    pub fn new<T: DeviceType>(value: T) -> Constant {
        Constant { of: T::device_type(), text: value.literal() }
    }
}

impl Structure {
    /// A tuple of the given types.
    fn tuple(items: Vec<Type>) -> Structure {
        let names: Vec<String> = items.iter().map(Type::rust_name).collect();
        let fields = items.into_iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect();
        Structure { name: format!("tuple{}_{}", names.len(), names.join("_")), fields }
    }

    /// A field by Rust's name: its name in C, and its type.
    pub(crate) fn field(&self, name: &str) -> Option<(String, &Type)> {
        let (name, of) = self.fields.iter().find(|(field, _)| field == name)?;
        Some((c_field(name), of))
    }
}

/// The name of a field in C, where a number is none.
fn c_field(name: &str) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name.to_owned() }
}

impl Type {
    /// The name in OpenCL C.
    #[must_use]
    pub fn c_name(&self) -> String {
        match self {
            Type::Unit => "void".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Scalar(element) => element.c_name().to_owned(),
            Type::Struct(structure) => structure.name.clone(),
            Type::Array(..) => self.rust_name(),
        }
    }

    /// A name made of the names in Rust, fit to be part of a C name.
    pub(crate) fn rust_name(&self) -> String {
        match self {
            Type::Unit => "unit".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Scalar(element) => format!("{element:?}").to_lowercase(),
            Type::Struct(structure) => structure.name.clone(),
            Type::Array(item, len) => format!("array{len}_{}", item.rust_name()),
        }
    }

    /// The element, for a scalar.
    #[must_use]
    pub fn scalar(&self) -> Option<ElementType> {
        match self {
            Type::Scalar(element) => Some(*element),
            _ => None,
        }
    }

    /// What a slice of these is made of: a `bool` has no fixed size in OpenCL, so it is a byte there.
    pub(crate) fn in_memory(&self) -> String {
        if *self == Type::Bool { "uchar".to_owned() } else { self.c_name() }
    }

    /// A value all of whose bits are zero.
    pub(crate) fn zero(&self) -> String {
        match self {
            Type::Unit => String::new(),
            Type::Bool => "false".to_owned(),
            Type::Scalar(_) => format!("({})0", self.c_name()),
            Type::Struct(structure) => {
                let fields: Vec<String> = structure.fields.iter().map(|(_, field)| field.zero()).collect();
                format!("({}){{{}}}", structure.name, fields.join(", "))
            }
            // C sets the other items to zero, too.
            Type::Array(item, _) => format!("({}){{{{{}}}}}", self.c_name(), item.zero()),
        }
    }

    /// Appends the definitions of this type's structs, what they are made of first.
    pub(crate) fn define(&self, definitions: &mut Vec<(String, String)>) {
        let mut field = |name: String, of: &Type| {
            of.define(definitions);
            format!("{} {name};", of.c_name())
        };
        let fields = match self {
            Type::Struct(structure) => {
                let fields = structure.fields.iter().map(|(name, of)| field(c_field(name), of));
                fields.collect::<Vec<_>>().join(" ")
            }
            Type::Array(item, len) => field(format!("v[{len}]"), item),
            _ => return,
        };
        let name = self.c_name();
        if definitions.iter().all(|(known, _)| *known != name) {
            let definition = format!("typedef struct {{ {fields} }} {name};\n");
            definitions.push((name, definition));
        }
    }
}

/// An integer of the given type, with the value modulo its size.
pub(crate) fn integer(value: u128, of: ElementType) -> String {
    let name = of.c_name();
    let bits = 8 * of.size() as u32;
    let value = (value as u64) & (u64::MAX >> (64 - bits));
    let largest = if of.unsigned().is_some() { u64::MAX >> (65 - bits) } else { u64::MAX >> (64 - bits) };
    match of {
        _ if value > largest => {
            // Two's complement: what is missing to 2^bits. The smallest value has no positive twin.
            let twin = value.wrapping_neg() & (u64::MAX >> (64 - bits));
            if twin > largest { format!("(({name})0x{value:x}UL)") } else { format!("(({name})(-{twin}L))") }
        }
        ElementType::I32 => value.to_string(),
        ElementType::U32 => format!("{value}u"),
        ElementType::I64 => format!("{value}L"),
        ElementType::U64 => format!("{value}UL"),
        _ => format!("(({name}){value})"),
    }
}

/// A float of the given type, exactly; `None` if the type is none.
pub(crate) fn float(value: f64, of: ElementType) -> Option<String> {
    // The shortest decimal number that reads as the same float again.
    let text = match of {
        ElementType::F16 if value.is_finite() => {
            format!("((half){:?}f)", half::f16::from_f64(value).to_f32())
        }
        ElementType::F16 => format!("as_half((ushort)0x{:x})", half::f16::from_f64(value).to_bits()),
        ElementType::F32 if value.is_finite() => format!("{:?}f", value as f32),
        ElementType::F32 => format!("as_float(0x{:x}u)", (value as f32).to_bits()),
        ElementType::F64 if value.is_finite() => format!("{value:?}"),
        ElementType::F64 => format!("as_double(0x{:x}UL)", value.to_bits()),
        _ => return None,
    };
    Some(if value.is_sign_negative() { format!("({text})") } else { text })
}

impl<T: Element> DeviceType for T {
    fn device_type() -> Type {
        Type::Scalar(T::TYPE)
    }

    fn literal(self) -> String {
        let mut bytes = [0; 16];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&self));
        let bits = u128::from_le_bytes(bytes);
        match T::TYPE {
            ElementType::F16 => float(half::f16::from_bits(bits as u16).to_f64(), T::TYPE),
            ElementType::F32 => float(f32::from_bits(bits as u32).into(), T::TYPE),
            ElementType::F64 => float(f64::from_bits(bits as u64), T::TYPE),
            _ => None,
        }
        .unwrap_or_else(|| integer(bits, T::TYPE))
    }
}

impl DeviceType for () {
    fn device_type() -> Type {
        Type::Unit
    }

    fn literal(self) -> String {
        String::new()
    }
}

impl DeviceType for bool {
    fn device_type() -> Type {
        Type::Bool
    }

    fn literal(self) -> String {
        self.to_string()
    }
}

impl DeviceType for usize {
    fn device_type() -> Type {
        Type::Scalar(ElementType::U64)
    }

    fn literal(self) -> String {
        integer(self as u128, ElementType::U64)
    }
}

impl DeviceType for isize {
    fn device_type() -> Type {
        Type::Scalar(ElementType::I64)
    }

    fn literal(self) -> String {
        integer(self as i64 as u64 as u128, ElementType::I64)
    }
}

impl<T: DeviceType, const N: usize> DeviceType for [T; N] {
    fn device_type() -> Type {
        Type::Array(Arc::new(T::device_type()), N)
    }

    fn literal(self) -> String {
        let items = self.map(DeviceType::literal).join(", ");
        format!("({}){{{{{items}}}}}", Self::device_type().c_name())
    }
}

macro_rules! tuples {
    ($($($item:ident $value:ident)*;)*) => {$(
        impl<$($item: DeviceType),*> DeviceType for ($($item,)*) {
            fn device_type() -> Type {
                Type::Struct(Arc::new(Structure::tuple(vec![$($item::device_type()),*])))
            }

            fn literal(self) -> String {
                let ($($value,)*) = self;
                let items = [$($value.literal()),*].join(", ");
                format!("({}){{{items}}}", Self::device_type().c_name())
            }
        }
    )*};
}

tuples! {
    A a;
    A a B b;
    A a B b C c;
    A a B b C c D d;
    A a B b C c D d E e;
    A a B b C c D d E e F f;
    A a B b C c D d E e F f G g;
    A a B b C c D d E e F f G g H h;
}
