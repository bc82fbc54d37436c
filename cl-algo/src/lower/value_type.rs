//! The types of values in generated code, for single items and for packs of them.

use crate::element::{ElementType, ScalarType};
use crate::ir::op::Type;

impl Type {
    /// Returns the name in OpenCL C.
    #[must_use]
    pub fn c_name(self) -> String {
        ValueType::item(self).name()
    }

    /// Returns the declaration of a parameter of this type in OpenCL C.
    pub(crate) fn declared(self, name: &str) -> String {
        match self {
            Type::Slice(of) => format!("global const {} *{name}, ulong {name}_len", stored_name(of)),
            of => format!("{} {name}", of.c_name()),
        }
    }
}

/// A type at a width: `float`, or `float4` for packs.
///
/// A single `bool` is a `bool`. In a pack it is the result of OpenCL's comparisons: a vector of signed integers as wide
/// as the compared numbers, with all bits set for true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueType {
    /// The type of a single item.
    pub(crate) item: Type,
    pub(crate) width: usize,
    /// The integers that represent `bool`s in packs.
    pub(crate) mask: ScalarType,
}

/// The integers that represent `bool`s loaded from memory or stored to it.
pub(crate) const STORED_MASK: ScalarType = ScalarType::I8;

impl ValueType {
    pub(crate) fn item(ty: impl Into<Type>) -> ValueType {
        ValueType { item: ty.into(), width: 1, mask: STORED_MASK }
    }

    pub(crate) fn pack(ty: impl Into<Type>, width: usize) -> ValueType {
        ValueType { item: ty.into(), width, mask: STORED_MASK }
    }

    /// Returns the type's name.
    pub(crate) fn name(self) -> String {
        match (self.item, self.width) {
            (Type::Unit, _) => "void".to_owned(),
            (Type::Array(..), _) => self.item.rust_name(),
            (Type::Index, 1) => "INDEX".to_owned(),
            (Type::Index, _) => "INDEX_PACK".to_owned(),
            (Type::Element(element), 1) => element.c_name().into_owned(),
            (Type::Slice(element), _) => format!("global const {} *", stored_name(element)),
            (Type::Element(_), width) => match self.scalar() {
                Some(scalar) => format!("{}{width}", scalar.c_name()),
                None => String::new(), // only scalars are packed
            },
        }
    }

    /// Returns the scalar type of each item of a pack (the mask's integer for `bool`s), or of each component of an
    /// element.
    pub(crate) fn scalar(self) -> Option<ScalarType> {
        match self.item {
            Type::Element(ElementType::Scalar(ScalarType::Bool)) if self.width > 1 => Some(self.mask),
            Type::Element(ElementType::Scalar(scalar) | ElementType::Vector(scalar, _)) => Some(scalar),
            Type::Element(ElementType::Complex(part)) => Some(part),
            _ => None,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        self.scalar().is_some_and(ScalarType::is_float)
    }

    pub(crate) fn is_signed(self) -> bool {
        self.scalar().is_some_and(ScalarType::is_signed)
    }

    /// Returns the type with unsigned integers of the same size.
    pub(crate) fn unsigned(self) -> ValueType {
        let item = self.item.number().map_or(self.item, |of| of.unsigned().into());
        ValueType { item, ..self }
    }

    pub(crate) fn is_bool(self) -> bool {
        self.item == Type::Element(ElementType::BOOL)
    }

    /// Returns the number of numbers in a value.
    pub(crate) fn count(self) -> usize {
        match self.item {
            Type::Element(ElementType::Vector(_, count)) => usize::from(count),
            Type::Element(ElementType::Complex(_)) => 2,
            _ => self.width,
        }
    }

    /// Returns the name of a type with as many numbers of another scalar type.
    pub(crate) fn name_as(self, scalar: ScalarType) -> String {
        match self.count() {
            1 => scalar.c_name().to_owned(),
            count => format!("{}{count}", scalar.c_name()),
        }
    }

    /// Returns a number, repeated for all items or components.
    pub(crate) fn constant(self, value: i32) -> String {
        format!("({})({value})", self.name())
    }
}

/// Returns the words as which a pack of more than four small numbers is loaded and stored; see
/// `kernels/small_packs.cl`.
pub(crate) fn small_words(element: ElementType, width: usize) -> Option<&'static str> {
    match (element.scalar().map(ScalarType::size), width) {
        (Some(1), 8) => Some("uint2"),
        (Some(1), 16) | (Some(2), 8) => Some("uint4"),
        _ => None,
    }
}

/// Returns the term for pack `p` of a vector in memory.
pub(crate) fn stored_pack(element: ElementType, width: usize, pointer: &str) -> String {
    let name = stored_name(element);
    match small_words(element, width) {
        Some(words) => format!("GET_SMALL({name}{width}, {words}, {pointer}, p)"),
        None => format!("((global const {name}{width} *){pointer})[p]"),
    }
}

/// Returns the name of the type in memory.
pub(crate) fn stored_name(element: ElementType) -> String {
    match element {
        ElementType::Scalar(ScalarType::Bool) => "uchar".to_owned(),
        // Without a gap: loaded and stored by vload3 and vstore3.
        ElementType::Vector(scalar, 3) => scalar.c_name().to_owned(),
        element => element.c_name().into_owned(),
    }
}

/// Returns the name of the scalar of a pack: `bool`s are masks of bytes.
pub(crate) fn packed_name(element: ElementType) -> String {
    if element == ElementType::BOOL { "char".to_owned() } else { ValueType::item(element).name() }
}

/// Returns a type for a pack whose items can be indexed by a variable.
pub(crate) fn indexable_pack(scalar: &str, width: usize) -> String {
    format!("VOLATILE union {{ VOLATILE {scalar}{width} pack; VOLATILE {scalar} item[PACK]; }}")
}

/// Returns the mark of a heavy function that must not be inlined.
pub(crate) fn once(is_heavy: bool) -> &'static str {
    if is_heavy { "__attribute__((noinline)) " } else { "" }
}
