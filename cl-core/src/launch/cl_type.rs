//! Types of OpenCL C that also exist in Rust: scalars, and vectors as arrays.

use half::f16;
use std::any::TypeId;
use std::fmt;

/// A scalar or vector type of OpenCL C, for the parameters of kernels and for Rust types on the
/// device. Vectors are arrays in Rust.
///
/// ```
/// use cl_core::{ClScalar, ClType};
///
/// let float4 = ClType::of::<[f32; 4]>().unwrap();
/// assert_eq!(float4, ClType { scalar: ClScalar::Float, components: 4 });
/// assert_eq!(float4.to_string(), "float4");
/// assert_eq!(ClType::named("float4"), Some(float4));
/// // Three components take the space of four.
/// assert_eq!(ClType::of::<[f32; 3]>().unwrap().size(), 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClType {
    /// The type of each component.
    pub scalar: ClScalar,
    /// The number of components: 1 for a scalar; 2, 3, 4, 8 or 16 for a vector.
    pub components: u8,
}

impl ClType {
    /// Returns the size of a value on the device, in bytes. A vector of three has the size of a
    /// vector of four.
    #[must_use]
    pub const fn size(self) -> usize {
        self.scalar.size() * if self.components == 3 { 4 } else { self.components as usize }
    }

    /// Returns the type of this name: `uint`, `float4`; also `unsigned int`. `None` for any other
    /// type, such as a struct or a `typedef`.
    #[must_use]
    pub fn named(name: &str) -> Option<ClType> {
        let (unsigned, name) = match name.strip_prefix("unsigned ") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let stem = &name[..name.len() - digits.len()];
        let components = match digits {
            "" => 1,
            "2" => 2,
            "3" => 3,
            "4" => 4,
            "8" => 8,
            "16" => 16,
            _ => return None,
        };
        let is_named = |scalar: &&ClScalar| match (unsigned, scalar.name().strip_prefix('u')) {
            (true, Some(signed)) => signed == stem,
            (true, None) => false,
            (false, _) => scalar.name() == stem,
        };
        ClScalar::ALL.iter().find(is_named).map(|&scalar| ClType { scalar, components })
    }

    /// Returns the name of the type in Rust: `f32`, `[f32; 4]`.
    pub(super) fn in_rust(self) -> String {
        match (self.scalar.rust_name(), self.components) {
            (name, 1) => name.to_owned(),
            (name, components) => format!("[{name}; {components}]"),
        }
    }

    /// Returns `true` if a kernel's pointer to this type may point to elements of type `given`. The
    /// elements have Rust's layout, which is not padded. So a pointer to `float4` and a pointer to
    /// `float` can walk over the same elements. Elements of three components fit only a pointer to
    /// their scalar type, because a vector of three is padded on the device.
    pub(super) fn overlays(self, given: ClType) -> bool {
        self.scalar == given.scalar && (given.components != 3 || self.components == 1)
    }
}

impl fmt::Display for ClType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scalar.name())?;
        if self.components > 1 { write!(f, "{}", self.components) } else { Ok(()) }
    }
}

macro_rules! scalars {
    ($($scalar:ident, $name:literal, $rust:ident;)*) => {
        /// A scalar type of OpenCL C.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ClScalar {
            $(
                #[doc = concat!("`", $name, "`, in Rust `", stringify!($rust), "`.")]
                $scalar,
            )*
        }

        impl ClScalar {
            const ALL: &[ClScalar] = &[$(ClScalar::$scalar),*];

            /// Returns the size of a value in bytes.
            #[must_use]
            pub const fn size(self) -> usize {
                match self {
                    $(ClScalar::$scalar => size_of::<$rust>(),)*
                }
            }

            /// Returns the name in OpenCL C.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(ClScalar::$scalar => $name,)*
                }
            }

            const fn rust_name(self) -> &'static str {
                match self {
                    $(ClScalar::$scalar => stringify!($rust),)*
                }
            }
        }

        impl ClType {
            /// Returns the type of OpenCL C for `T`, if `T` is a number or an array of 2, 3, 4, 8
            /// or 16 numbers.
            #[inline]
            #[must_use]
            pub fn of<T: 'static>() -> Option<ClType> {
                // The compiler evaluates these comparisons, so that one constant is left.
                let id = TypeId::of::<T>();
                $(
                    let scalar = ClScalar::$scalar;
                    if id == TypeId::of::<$rust>() {
                        return Some(ClType { scalar, components: 1 });
                    }
                    if id == TypeId::of::<[$rust; 2]>() {
                        return Some(ClType { scalar, components: 2 });
                    }
                    if id == TypeId::of::<[$rust; 3]>() {
                        return Some(ClType { scalar, components: 3 });
                    }
                    if id == TypeId::of::<[$rust; 4]>() {
                        return Some(ClType { scalar, components: 4 });
                    }
                    if id == TypeId::of::<[$rust; 8]>() {
                        return Some(ClType { scalar, components: 8 });
                    }
                    if id == TypeId::of::<[$rust; 16]>() {
                        return Some(ClType { scalar, components: 16 });
                    }
                )*
                None
            }
        }
    };
}

scalars! {
    Char, "char", i8;
    UChar, "uchar", u8;
    Short, "short", i16;
    UShort, "ushort", u16;
    Int, "int", i32;
    UInt, "uint", u32;
    Long, "long", i64;
    ULong, "ulong", u64;
    Half, "half", f16;
    Float, "float", f32;
    Double, "double", f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_back() {
        for &scalar in ClScalar::ALL {
            for components in [1, 2, 3, 4, 8, 16] {
                let it = ClType { scalar, components };
                assert_eq!(ClType::named(&it.to_string()), Some(it));
            }
        }
        assert_eq!(ClType::named("unsigned int"), ClType::named("uint"));
        assert_eq!(ClType::named("unsigned char4"), ClType::named("uchar4"));
        for other in ["", "float5", "float44", "bool", "size_t", "unsigned float", "4", "image2d_t", "Float"]
        {
            assert_eq!(ClType::named(other), None, "{other:?}");
        }
    }

    #[test]
    fn of_rust_types() {
        assert_eq!(ClType::of::<u8>(), ClType::named("uchar"));
        assert_eq!(ClType::of::<f16>(), ClType::named("half"));
        assert_eq!(ClType::of::<[i64; 16]>(), ClType::named("long16"));
        assert_eq!(ClType::of::<[f32; 5]>(), None);
        assert_eq!(ClType::of::<bool>(), None);
        assert_eq!(ClType::of::<usize>(), None);
    }
}
