//! The types of values, in expressions and in device functions.

use crate::element::{ElementType, Field, ScalarType};
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The type of a value on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `()`: no value.
    Unit,
    /// An element, or a tuple, which is a struct on the device.
    Element(ElementType),
    /// An index of a vector, as wide as the kernel's indices.
    Index,
    /// A whole vector, for functions that choose the elements to read: in C its address, and its length as `ulong`.
    Slice(ElementType),
    /// An array. In C it is wrapped in a struct, so that it can be assigned and returned.
    Array(&'static Type, usize),
}

impl From<ElementType> for Type {
    fn from(element: ElementType) -> Type {
        Type::Element(element)
    }
}

impl From<ScalarType> for Type {
    fn from(scalar: ScalarType) -> Type {
        Type::Element(ElementType::Scalar(scalar))
    }
}

impl From<ScalarType> for ElementType {
    fn from(scalar: ScalarType) -> ElementType {
        ElementType::Scalar(scalar)
    }
}

impl Type {
    /// `bool`.
    pub const BOOL: Type = Type::Element(ElementType::BOOL);

    /// Returns the type of an array.
    pub(crate) fn array(item: Type, len: usize) -> Type {
        static ITEMS: LazyLock<Mutex<HashSet<&'static Type>>> = LazyLock::new(Mutex::default);
        let mut items = ITEMS.lock().unwrap_or_else(PoisonError::into_inner);
        // Leaked: there are only as many as the program's text has array types.
        let item = items.get(&item).copied().unwrap_or_else(|| Box::leak(Box::new(item)));
        items.insert(item);
        Type::Array(item, len)
    }

    /// Returns the type of the element, or of the vector's elements.
    #[must_use]
    pub fn element(self) -> Option<ElementType> {
        match self {
            Type::Element(element) | Type::Slice(element) => Some(element),
            Type::Unit | Type::Index | Type::Array(..) => None,
        }
    }

    /// Returns the type of a number or a `bool`.
    #[must_use]
    pub fn scalar(self) -> Option<ScalarType> {
        match self {
            Type::Element(element) => element.scalar(),
            _ => None,
        }
    }

    /// Returns the type of a number.
    pub(crate) fn number(self) -> Option<ScalarType> {
        self.scalar().filter(|&scalar| scalar != ScalarType::Bool)
    }

    /// Returns the type and the number of the components of a vector or a complex number.
    pub(crate) fn parts(self) -> Option<(ScalarType, usize)> {
        match self {
            Type::Element(ElementType::Vector(part, count)) => Some((part, usize::from(count))),
            Type::Element(ElementType::Complex(part)) => Some((part, 2)),
            _ => None,
        }
    }

    pub(crate) fn is_complex(self) -> bool {
        matches!(self, Type::Element(ElementType::Complex(_)))
    }

    /// Returns the types of a tuple's items. Tuples are never stored in memory, so, unlike other structs, they have no
    /// size.
    pub(crate) fn tuple(self) -> Option<&'static [Field]> {
        match self {
            Type::Element(ElementType::Struct(of)) if of.size == 0 => Some(of.fields),
            _ => None,
        }
    }

    /// Returns the number and the type of a field, by its name in Rust.
    pub(crate) fn field(self, name: &str) -> Option<(usize, Type)> {
        match self {
            Type::Element(ElementType::Complex(part)) => {
                Some((["re", "im"].iter().position(|part| *part == name)?, part.into()))
            }
            Type::Element(ElementType::Struct(of)) => {
                // The names of a tuple's fields are numbers.
                let numbered = |field: &Field| field.name.strip_prefix('_') == Some(name);
                let at = of.fields.iter().position(|field| field.name == name || numbered(field))?;
                Some((at, of.fields.get(at)?.element.into()))
            }
            _ => None,
        }
    }

    /// Returns whether this is an integer of 128 bits.
    pub(crate) fn is_wide(self) -> bool {
        self.upper_half().is_some()
    }

    /// Returns the type of the upper half of an integer of 128 bits.
    pub(crate) fn upper_half(self) -> Option<Type> {
        match self {
            Type::Element(element) => element.wide().map(Type::from),
            _ => None,
        }
    }

    /// Returns whether the type is a struct in C.
    pub(crate) fn is_struct(self) -> bool {
        matches!(self, Type::Array(..) | Type::Element(ElementType::Struct(_)))
    }

    /// Returns the number of bytes of an array; 0 for other types.
    pub(crate) fn array_bytes(self) -> usize {
        let Type::Array(item, len) = self else { return 0 };
        let one = item.element().map_or_else(|| item.array_bytes(), ElementType::size);
        one.saturating_mul(len)
    }

    /// Returns the type's name in Rust, in a form that can be part of a name in C.
    pub(crate) fn rust_name(self) -> String {
        match self {
            Type::Unit => "unit".to_owned(),
            Type::Index => "index".to_owned(),
            // In C, complex numbers have the names of vectors.
            Type::Element(ElementType::Complex(part)) => format!("complex_{}", part.c_name()),
            Type::Element(ElementType::Scalar(scalar)) => format!("{scalar:?}").to_lowercase(),
            Type::Element(ElementType::Struct(of)) if self.is_wide() => of.name.to_owned(),
            Type::Element(element) => element.c_name().into_owned(),
            Type::Slice(element) => format!("slice_{}", Type::from(element).rust_name()),
            Type::Array(item, len) => format!("array{len}_{}", item.rust_name()),
        }
    }
}
