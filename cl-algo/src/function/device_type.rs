//! Which types the values of a device function may have, and what they are in OpenCL C.

use super::item::DeviceItem;
use crate::codegen::lanes::stored_name;
use crate::codegen::structs;
use crate::element::{Element, ElementType, Field, ScalarType, StructType};
use crate::expr::leaf;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A type that variables, parameters and results of device functions may have: elements, `usize` and
/// `isize` (64 bits on the device), tuples of such, and arrays.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a value in a device function",
    label = "this is a `{Self}`",
    note = "elements, `usize`, `isize`, tuples of these, and arrays can"
)]
pub trait DeviceType: Copy + 'static {
    /// The type on the device.
    fn device_type() -> Type;

    /// The value in OpenCL C.
    #[doc(hidden)]
    fn literal(self) -> String;

    /// The value as a kernel argument, if it can be one.
    #[doc(hidden)]
    fn scalar(self) -> Scalar {
        Scalar(None)
    }
}

/// A value of the host on its way to the device.
#[derive(Clone)]
pub struct Scalar(pub(crate) Option<leaf::Scalar>);

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scalar")
    }
}

/// A type in OpenCL C.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `()`: no value.
    Unit,
    /// `bool`.
    Bool,
    /// A number.
    Scalar(ScalarType),
    /// Another element, or a tuple, which is a struct on the device.
    Element(ElementType),
    /// An array, which is a struct around one in C, so that it can be assigned and returned.
    Array(Arc<Type>, usize),
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

impl From<ElementType> for Type {
    fn from(element: ElementType) -> Type {
        match element {
            ElementType::BOOL => Type::Bool,
            ElementType::Scalar(scalar) => Type::Scalar(scalar),
            element => Type::Element(element),
        }
    }
}

impl Type {
    /// The type as an element, unless it is an array.
    #[must_use]
    pub fn element(&self) -> Option<ElementType> {
        match *self {
            Type::Bool => Some(ElementType::BOOL),
            Type::Scalar(scalar) => Some(ElementType::Scalar(scalar)),
            Type::Element(element) => Some(element),
            Type::Unit | Type::Array(..) => None,
        }
    }

    /// Returns whether the type is a struct in C.
    pub(crate) fn is_struct(&self) -> bool {
        matches!(self, Type::Array(..) | Type::Element(ElementType::Struct(_)))
    }

    /// Bytes of an array, 0 for other types.
    pub(crate) fn array_bytes(&self) -> usize {
        let Type::Array(item, len) = self else { return 0 };
        let one = item.element().map_or_else(|| item.array_bytes(), ElementType::size);
        one.saturating_mul(*len)
    }

    /// The number's type, for a number.
    #[must_use]
    pub fn scalar(&self) -> Option<ScalarType> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The name in OpenCL C.
    #[must_use]
    pub fn c_name(&self) -> String {
        match self {
            Type::Unit => "void".to_owned(),
            Type::Array(..) => self.rust_name(),
            Type::Bool => "bool".to_owned(),
            Type::Scalar(scalar) => scalar.c_name().to_owned(),
            Type::Element(element) => element.c_name().into_owned(),
        }
    }

    /// A name made of the names in Rust, fit to be part of a C name.
    pub(crate) fn rust_name(&self) -> String {
        match self {
            Type::Unit => "unit".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Scalar(scalar) => format!("{scalar:?}").to_lowercase(),
            // In C, complex numbers have the name of vectors.
            Type::Element(ElementType::Complex(part)) => format!("complex_{}", part.c_name()),
            Type::Element(element) => element.c_name().into_owned(),
            Type::Array(item, len) => format!("array{len}_{}", item.rust_name()),
        }
    }

    /// What a slice of these is made of: bytes for `bool`, which has no fixed size in OpenCL, and
    /// numbers for vectors of three, which OpenCL would give the room of four.
    pub(crate) fn in_memory(&self) -> String {
        self.element().map_or_else(|| self.c_name(), stored_name)
    }

    /// A field by Rust's name: its number, its name in C, and its type.
    pub(crate) fn field(&self, name: &str) -> Option<(usize, String, Type)> {
        if let Type::Element(ElementType::Complex(part)) = self {
            let at = ["re", "im"].iter().position(|part| *part == name)?;
            return Some((at, format!("s{at}"), Type::Scalar(*part)));
        }
        let Type::Element(ElementType::Struct(of)) = self else { return None };
        // Those of tuples have numbers for names.
        let numbered = |field: &Field| field.name.strip_prefix('_') == Some(name);
        let at = of.fields.iter().position(|field| field.name == name || numbered(field))?;
        let field = of.fields.get(at)?;
        Some((at, field.c_name(), field.element.into()))
    }

    /// A value all of whose bits are zero.
    pub(crate) fn zero(&self) -> String {
        match self {
            Type::Unit => String::new(),
            Type::Bool => "false".to_owned(),
            Type::Element(ElementType::Struct(of)) => {
                let zero = |field: &Field| structs::initial(of, field, &Type::from(field.element).zero());
                let fields: Vec<String> = of.fields.iter().map(zero).collect();
                format!("({}){{{}}}", self.c_name(), fields.join(", "))
            }
            Type::Scalar(_) | Type::Element(_) => format!("(({})(0))", self.c_name()),
            // C sets the other items to zero, too.
            Type::Array(item, _) => format!("({}){{{{{}}}}}", self.c_name(), item.zero()),
        }
    }
}

/// The struct that a tuple is on the device. Kept for ever: there are as many as the program's text
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
        // A size of 0: tuples never lie in memory, so their layout is the device's own affair.
        Box::leak(Box::new(StructType { name: name.leak(), size: 0, fields: fields.leak() }))
    });
    ElementType::Struct(of)
}

/// An integer of the given type, with the value modulo its size.
pub(crate) fn integer(value: u128, of: ScalarType) -> String {
    let name = of.c_name();
    let bits = 8 * of.size() as u32;
    let value = (value as u64) & (u64::MAX >> (64 - bits));
    let largest = if of.is_signed() { u64::MAX >> (65 - bits) } else { u64::MAX >> (64 - bits) };
    match of {
        _ if value > largest => {
            // Two's complement: what is missing to 2^bits. The smallest value has no positive twin.
            let twin = value.wrapping_neg() & (u64::MAX >> (64 - bits));
            if twin > largest { format!("(({name})0x{value:x}UL)") } else { format!("(({name})(-{twin}L))") }
        }
        ScalarType::I32 => value.to_string(),
        ScalarType::U32 => format!("{value}u"),
        ScalarType::I64 => format!("{value}L"),
        ScalarType::U64 => format!("{value}UL"),
        _ => format!("(({name}){value})"),
    }
}

/// A float of the given type, exactly; `None` if the type is none.
pub(crate) fn float(value: f64, of: ScalarType) -> Option<String> {
    // The shortest decimal number that reads as the same float again.
    let text = match of {
        ScalarType::F16 if value.is_finite() => {
            format!("((half){:?}f)", half::f16::from_f64(value).to_f32())
        }
        ScalarType::F16 => format!("as_half((ushort)0x{:x})", half::f16::from_f64(value).to_bits()),
        ScalarType::F32 if value.is_finite() => format!("{:?}f", value as f32),
        ScalarType::F32 => format!("as_float(0x{:x}u)", (value as f32).to_bits()),
        ScalarType::F64 if value.is_finite() => format!("{value:?}"),
        ScalarType::F64 => format!("as_double(0x{:x}UL)", value.to_bits()),
        _ => return None,
    };
    Some(if value.is_sign_negative() { format!("({text})") } else { text })
}

#[diagnostic::do_not_recommend]
impl<T: Element> DeviceType for T {
    fn device_type() -> Type {
        T::TYPE.into()
    }

    fn literal(self) -> String {
        let stored = [T::as_stored(std::slice::from_ref(&self))[0]];
        of_bytes(bytemuck::cast_slice(&stored), T::TYPE)
    }

    fn scalar(self) -> Scalar {
        Scalar(Some(leaf::Scalar::new(self)))
    }
}

/// A constant by its bytes.
fn of_bytes(bytes: &[u8], of: ElementType) -> String {
    let name = of.c_name();
    match of {
        ElementType::Scalar(scalar) => of_number(bytes, scalar),
        ElementType::Vector(part, _) | ElementType::Complex(part) => {
            let parts: Vec<String> =
                bytes.chunks_exact(part.size()).map(|part_of| of_number(part_of, part)).collect();
            format!("(({name})({}))", parts.join(", "))
        }
        ElementType::Struct(of) => {
            let field = |field: &Field| {
                let end = field.offset + field.element.size();
                let value = bytes
                    .get(field.offset..end)
                    .map_or_else(String::new, |part| of_bytes(part, field.element));
                structs::initial(of, field, &value)
            };
            let fields: Vec<String> = of.fields.iter().map(field).collect();
            format!("(({name}){{{}}})", fields.join(", "))
        }
    }
}

fn of_number(bytes: &[u8], of: ScalarType) -> String {
    let mut wide = [0; 16];
    wide[..bytes.len().min(16)].copy_from_slice(&bytes[..bytes.len().min(16)]);
    let bits = u128::from_le_bytes(wide);
    match of {
        ScalarType::Bool => return (bits != 0).to_string(),
        ScalarType::F16 => float(half::f16::from_bits(bits as u16).to_f64(), of),
        ScalarType::F32 => float(f32::from_bits(bits as u32).into(), of),
        ScalarType::F64 => float(f64::from_bits(bits as u64), of),
        _ => None,
    }
    .unwrap_or_else(|| integer(bits, of))
}

impl DeviceType for () {
    fn device_type() -> Type {
        Type::Unit
    }

    fn literal(self) -> String {
        String::new()
    }
}

impl DeviceType for usize {
    fn device_type() -> Type {
        Type::Scalar(ScalarType::U64)
    }

    fn literal(self) -> String {
        (self as u64).literal()
    }

    fn scalar(self) -> Scalar {
        (self as u64).scalar()
    }
}

impl DeviceType for isize {
    fn device_type() -> Type {
        Type::Scalar(ScalarType::I64)
    }

    fn literal(self) -> String {
        (self as i64).literal()
    }

    fn scalar(self) -> Scalar {
        (self as i64).scalar()
    }
}

impl<T: DeviceType, const N: usize> DeviceType for [T; N] {
    fn device_type() -> Type {
        Type::Array(Arc::new(T::device_type()), N)
    }

    fn literal(self) -> String {
        let items = self.map(DeviceType::literal).join(", ");
        format!("(({}){{{{{items}}}}})", Self::device_type().c_name())
    }
}

macro_rules! tuples {
    ($($($item:ident $value:ident)*;)*) => {$(
        impl<$($item: DeviceItem),*> DeviceType for ($($item,)*) {
            fn device_type() -> Type {
                Type::Element(tuple(&[$($item::element_type()),*]))
            }

            fn literal(self) -> String {
                let ($($value,)*) = self;
                let items = [$($value.literal()),*].join(", ");
                format!("(({}){{{items}}})", Self::device_type().c_name())
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
