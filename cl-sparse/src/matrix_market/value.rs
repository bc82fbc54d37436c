//! The types of values.

use super::lines::{Words, text};
use super::{Field, Problem};
use cl_algo::num_complex::Complex;
use std::io::{self, Write};
use std::ops::{Add, Neg};
use std::str::FromStr;

/// A type of values that can be read and written: `f32`, `f64`, `i32`, `i64`, and complex numbers of floats.
///
/// Reading rounds numbers to the nearest value of a float type. It does not drop the fraction or the
/// imaginary part of a number: a file of real numbers is not read as integers, and a file of complex numbers
/// is not read as real numbers. Integers, and the ones of a pattern, are read as any type.
pub trait Value:
    Copy + Default + PartialEq + Add<Output = Self> + Neg<Output = Self> + sealed::Text + 'static
{
    /// The name of the type.
    const NAME: &'static str;

    /// The kind of these values in a file.
    const FIELD: Field;

    /// Returns the complex conjugate, which is the value itself for real types.
    #[must_use]
    fn conjugate(self) -> Self {
        self
    }
}

pub(super) mod sealed {
    use super::{Field, Problem, Words, io};

    /// The text form of values in a file.
    pub trait Text: Sized {
        /// The value of a pattern's entries.
        const ONE: Self;

        /// Returns whether values of this field can be read as this type.
        fn accepts(field: Field) -> bool;

        /// Reads a value. The type must accept `field`, and `field` must not be a pattern.
        #[allow(private_interfaces)] // the trait is sealed, so it is not called from outside
        fn read(field: Field, words: &mut Words<'_>) -> Result<Self, Problem>;

        /// Writes the value. Reading it returns the same value.
        fn write(self, out: &mut impl io::Write) -> io::Result<()>;

        /// Returns the negated value, or `None` if the type cannot hold it, as for the smallest integer.
        fn negated(self) -> Option<Self>;

        /// Returns whether the two values are equal. All NaNs count as equal.
        fn is_same(&self, other: &Self) -> bool;

        /// Returns whether the imaginary part is zero.
        fn is_real(&self) -> bool {
            true
        }
    }
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Value for $float {
            const NAME: &'static str = stringify!($float);
            const FIELD: Field = Field::Real;
        }

        impl sealed::Text for $float {
            const ONE: $float = 1.0;

            fn accepts(field: Field) -> bool {
                field != Field::Complex
            }

            #[allow(private_interfaces)] // the trait is sealed, so it is not called from outside
            fn read(field: Field, words: &mut Words<'_>) -> Result<$float, Problem> {
                if field == Field::Integer { integral(words, "value") } else { real(words, "value") }
            }

            fn write(self, out: &mut impl Write) -> io::Result<()> {
                write!(out, "{self:?}")
            }

            fn negated(self) -> Option<$float> {
                Some(-self)
            }

            fn is_same(&self, other: &$float) -> bool {
                self == other || (self.is_nan() && other.is_nan())
            }
        }

        impl Value for Complex<$float> {
            const NAME: &'static str = concat!("Complex<", stringify!($float), ">");
            const FIELD: Field = Field::Complex;

            fn conjugate(self) -> Self {
                self.conj()
            }
        }

        impl sealed::Text for Complex<$float> {
            const ONE: Complex<$float> = Complex::new(1.0, 0.0);

            fn accepts(_: Field) -> bool {
                true
            }

            #[allow(private_interfaces)] // the trait is sealed, so it is not called from outside
            fn read(field: Field, words: &mut Words<'_>) -> Result<Complex<$float>, Problem> {
                if field != Field::Complex {
                    return Ok(<$float>::read(field, words)?.into());
                }
                Ok(Complex::new(real(words, "real part")?, real(words, "imaginary part")?))
            }

            fn write(self, out: &mut impl Write) -> io::Result<()> {
                write!(out, "{:?} {:?}", self.re, self.im)
            }

            fn negated(self) -> Option<Complex<$float>> {
                Some(-self)
            }

            fn is_same(&self, other: &Complex<$float>) -> bool {
                self.re.is_same(&other.re) && self.im.is_same(&other.im)
            }

            fn is_real(&self) -> bool {
                self.im == 0.0
            }
        }
    )*};
}

floats!(f32 f64);

macro_rules! integers {
    ($($integer:ident)*) => {$(
        impl Value for $integer {
            const NAME: &'static str = stringify!($integer);
            const FIELD: Field = Field::Integer;
        }

        impl sealed::Text for $integer {
            const ONE: $integer = 1;

            fn accepts(field: Field) -> bool {
                matches!(field, Field::Integer | Field::Pattern)
            }

            #[allow(private_interfaces)] // the trait is sealed, so it is not called from outside
            fn read(_: Field, words: &mut Words<'_>) -> Result<$integer, Problem> {
                parse(words, "value", concat!("integer of type ", stringify!($integer)), |word| word.parse().ok())
            }

            fn write(self, out: &mut impl Write) -> io::Result<()> {
                write!(out, "{self}")
            }

            fn negated(self) -> Option<$integer> {
                self.checked_neg()
            }

            fn is_same(&self, other: &$integer) -> bool {
                self == other
            }
        }
    )*};
}

integers!(i32 i64);

/// Parses the next word as a number.
fn parse<T>(
    words: &mut Words<'_>,
    what: &'static str,
    kind: &'static str,
    number: impl Fn(&str) -> Option<T>,
) -> Result<T, Problem> {
    let word = words.next().ok_or(Problem::Missing { what })?;
    let parsed = std::str::from_utf8(word).ok().and_then(number);
    parsed.ok_or_else(|| Problem::Number { what, word: text(word), kind })
}

/// Parses the next word as a real number, possibly with a Fortran exponent.
fn real<T: FromStr>(words: &mut Words<'_>, what: &'static str) -> Result<T, Problem> {
    parse(words, what, "number", |word| {
        word.parse().ok().or_else(|| word.replace(['d', 'D'], "e").parse().ok())
    })
}

/// Parses the next word as an integer of any size, rounded to a real number.
fn integral<T: FromStr>(words: &mut Words<'_>, what: &'static str) -> Result<T, Problem> {
    parse(words, what, "integer", |word| {
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        let is_integer = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        if is_integer { word.parse().ok() } else { None }
    })
}
