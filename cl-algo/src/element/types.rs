//! The types of elements on the device.

use std::borrow::Cow;

/// A scalar type of OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named after the Rust types
#[non_exhaustive]
pub enum ScalarType {
    Bool,
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

/// The type of an element on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElementType {
    /// A number or a `bool`.
    Scalar(ScalarType),
    /// An OpenCL vector of 2, 3, 4, 8 or 16 scalars. Vectors of three are stored without a gap.
    Vector(ScalarType, u8),
    /// A complex number: real part, then imaginary part.
    Complex(ScalarType),
    /// A struct.
    Struct(&'static StructType),
}

/// A struct on the device. Its fields have the offsets that C gives them, and it does not contain bytes of
/// padding.
///
/// Vectors and complex numbers are arrays of their numbers inside structs. As in Rust, and unlike elsewhere in OpenCL
/// C, they are not aligned to their size.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct StructType {
    /// The path of the Rust type. Its name on the device is made from it.
    pub name: &'static str,
    /// The size in bytes.
    pub size: usize,
    /// The fields in the order of their offsets.
    pub fields: &'static [Field],
}

/// A field of a [`StructType`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name in Rust. The name on the device is [`Field::c_name`].
    pub name: &'static str,
    /// The offset in bytes from the beginning of the struct.
    pub offset: usize,
    /// The type.
    pub element: ElementType,
}

impl ScalarType {
    /// Returns the name in OpenCL C. (`bool` has no size there: it is stored as `uchar`.)
    #[must_use]
    pub const fn c_name(self) -> &'static str {
        match self {
            ScalarType::Bool => "bool",
            ScalarType::I8 => "char",
            ScalarType::U8 => "uchar",
            ScalarType::I16 => "short",
            ScalarType::U16 => "ushort",
            ScalarType::I32 => "int",
            ScalarType::U32 => "uint",
            ScalarType::I64 => "long",
            ScalarType::U64 => "ulong",
            ScalarType::F16 => "half",
            ScalarType::F32 => "float",
            ScalarType::F64 => "double",
        }
    }

    /// Returns the size in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            ScalarType::Bool | ScalarType::I8 | ScalarType::U8 => 1,
            ScalarType::I16 | ScalarType::U16 | ScalarType::F16 => 2,
            ScalarType::I32 | ScalarType::U32 | ScalarType::F32 => 4,
            ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => 8,
        }
    }

    /// Returns whether this is a floating-point type.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, ScalarType::F16 | ScalarType::F32 | ScalarType::F64)
    }

    /// Returns whether this is a signed integer type.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64)
    }

    /// Returns the unsigned integer type of the same size.
    #[must_use]
    pub const fn unsigned(self) -> ScalarType {
        match self.size() {
            1 => ScalarType::U8,
            2 => ScalarType::U16,
            4 => ScalarType::U32,
            _ => ScalarType::U64,
        }
    }

    /// Returns the signed integer type of the same size.
    #[must_use]
    pub const fn signed(self) -> ScalarType {
        match self.size() {
            1 => ScalarType::I8,
            2 => ScalarType::I16,
            4 => ScalarType::I32,
            _ => ScalarType::I64,
        }
    }
}

macro_rules! scalar_types {
    ($($name:ident = $scalar:ident)*) => {
        #[allow(missing_docs)] // named after the Rust types
        impl ElementType {
            $(pub const $name: ElementType = ElementType::Scalar(ScalarType::$scalar);)*
        }
    };
}

scalar_types! {
    BOOL = Bool I8 = I8 U8 = U8 I16 = I16 U16 = U16 I32 = I32 U32 = U32 I64 = I64 U64 = U64
    F16 = F16 F32 = F32 F64 = F64
}

impl ElementType {
    /// Returns the name in OpenCL C.
    #[must_use]
    pub fn c_name(self) -> Cow<'static, str> {
        match self {
            ElementType::Scalar(scalar) => Cow::Borrowed(scalar.c_name()),
            ElementType::Vector(scalar, count) => Cow::Owned(format!("{}{count}", scalar.c_name())),
            ElementType::Complex(part) => Cow::Owned(format!("{}2", part.c_name())),
            ElementType::Struct(of) => Cow::Owned(of.c_name()),
        }
    }

    /// Returns the size in bytes in device memory.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            ElementType::Scalar(scalar) => scalar.size(),
            ElementType::Vector(scalar, count) => scalar.size() * count as usize,
            ElementType::Complex(part) => 2 * part.size(),
            ElementType::Struct(of) => of.size,
        }
    }

    /// Returns the alignment in bytes that an address needs so that a kernel can load or store the element as a whole:
    /// OpenCL aligns vectors to their size.
    #[must_use]
    pub const fn alignment(self) -> usize {
        match self {
            // Vectors of three are loaded and stored one component at a time.
            ElementType::Vector(scalar, 3) => scalar.size(),
            ElementType::Scalar(_) | ElementType::Vector(..) | ElementType::Complex(_) => self.size(),
            ElementType::Struct(of) => {
                let (mut most, mut at) = (1, 0);
                while at < of.fields.len() {
                    let field = of.fields[at].element.alignment_in_struct();
                    most = if field > most { field } else { most };
                    at += 1;
                }
                most
            }
        }
    }

    /// Returns the alignment in bytes of a field of this type: inside structs, vectors and complex numbers are arrays.
    #[must_use]
    pub const fn alignment_in_struct(self) -> usize {
        match self {
            ElementType::Vector(scalar, _) | ElementType::Complex(scalar) => scalar.size(),
            other => other.alignment(),
        }
    }

    /// Returns the scalar type if this is a scalar.
    #[must_use]
    pub const fn scalar(self) -> Option<ScalarType> {
        match self {
            ElementType::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Returns whether this is a floating-point scalar.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, ElementType::Scalar(scalar) if scalar.is_float())
    }

    /// Returns whether this is a floating-point number, a vector of floating-point numbers, or a complex number.
    #[must_use]
    pub const fn has_floats(self) -> bool {
        match self {
            ElementType::Scalar(scalar) | ElementType::Vector(scalar, _) | ElementType::Complex(scalar) => {
                scalar.is_float()
            }
            ElementType::Struct(_) => false,
        }
    }

    /// Returns whether a value contains numbers of this scalar type.
    #[must_use]
    pub fn contains(self, part: ScalarType) -> bool {
        match self {
            ElementType::Scalar(scalar) | ElementType::Vector(scalar, _) | ElementType::Complex(scalar) => {
                scalar == part
            }
            ElementType::Struct(of) => of.fields.iter().any(|field| field.element.contains(part)),
        }
    }
}

impl Field {
    /// Returns the name in OpenCL C: `field_` and the Rust name. Keywords of OpenCL C and names of macros do
    /// not begin with `field_`.
    #[must_use]
    pub fn c_name(&self) -> String {
        format!("field_{}", self.name)
    }
}

impl StructType {
    /// Returns the name in OpenCL C: the Rust path with `_` for characters that C does not allow, and a hash
    /// of the whole struct. The hash is needed because different paths can become equal, and functions can
    /// contain structs of the same path. A path begins with the name of a crate. The name of a program may
    /// begin with a digit, but a name in C may not.
    #[must_use]
    pub fn c_name(&self) -> String {
        let path: String =
            self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let before = if path.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        format!("{before}{path}_{:08x}", self.digest())
    }

    /// Returns FNV-1a of path and fields: equal in every process, as names in cached programs must be.
    fn digest(&self) -> u32 {
        format!("{self:?}")
            .bytes()
            .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}
