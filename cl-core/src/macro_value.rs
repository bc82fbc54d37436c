//! Values of macros that build options define.

use std::fmt;

/// The value of a macro: a number or a name. Made by `From`, see [`BuildOptions::define`](crate::BuildOptions::define).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MacroValue<'a> {
    /// A signed number of up to 64 bits: an `int`, or a `long` if an `int` is too small.
    Signed(i64),
    /// An unsigned number of up to 64 bits: as `Signed`, or an `ulong` if a `long` is too small.
    Unsigned(u64),
    /// A `float`, exactly; may be infinite or not a number.
    Float(f32),
    /// A `double`, exactly; may be infinite or not a number.
    Double(f64),
    /// An identifier: the name of a type, a function or another macro.
    Name(&'a str),
}

impl fmt::Display for MacroValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rust writes enough digits to tell a number from its neighbours, so C reads the same number back.
        match *self {
            // C has no literal for this value: the minus sign would stand before a number that is too large.
            MacroValue::Signed(i64::MIN) => write!(f, "~{}", i64::MAX),
            MacroValue::Signed(value) => write!(f, "{value}"),
            MacroValue::Unsigned(value) if i64::try_from(value).is_err() => write!(f, "{value}UL"),
            MacroValue::Unsigned(value) => write!(f, "{value}"),
            MacroValue::Float(value) if value.is_finite() => write!(f, "{value:e}f"),
            MacroValue::Double(value) if value.is_finite() => write!(f, "{value:e}"),
            MacroValue::Float(value) => f.write_str(not_finite(value.into())),
            MacroValue::Double(value) => f.write_str(not_finite(value)),
            MacroValue::Name(name) => f.write_str(name),
        }
    }
}

fn not_finite(value: f64) -> &'static str {
    if value.is_nan() {
        "NAN"
    } else if value < 0.0 {
        "-INFINITY"
    } else {
        "INFINITY"
    }
}

/// Defines one conversion for each Rust type.
macro_rules! macro_values {
    ($($type:ty => $variant:ident),* $(,)?) => {
        $(impl From<$type> for MacroValue<'_> {
            fn from(value: $type) -> Self {
                MacroValue::$variant(value.into())
            }
        })*
    };
}

macro_values! {
    bool => Signed, i8 => Signed, i16 => Signed, i32 => Signed, i64 => Signed,
    u8 => Unsigned, u16 => Unsigned, u32 => Unsigned, u64 => Unsigned,
    f32 => Float, f64 => Double,
}

impl From<usize> for MacroValue<'_> {
    fn from(value: usize) -> Self {
        MacroValue::Unsigned(value as u64) // no pointer has more than 64 bits
    }
}

impl<'a> From<&'a str> for MacroValue<'a> {
    fn from(name: &'a str) -> Self {
        MacroValue::Name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_are_written_as_c_reads_them() {
        let text = |value: MacroValue<'_>| value.to_string();
        assert_eq!(text(true.into()), "1");
        assert_eq!(text(i64::MIN.into()), "~9223372036854775807");
        assert_eq!(text(u64::MAX.into()), "18446744073709551615UL");
        assert_eq!(text(7_usize.into()), "7");
        assert_eq!(text(0.1_f32.into()), "1e-1f");
        assert_eq!(text((-2.5_f64).into()), "-2.5e0");
        assert_eq!(text(f32::NEG_INFINITY.into()), "-INFINITY");
        assert_eq!(text(f64::NAN.into()), "NAN");
        assert_eq!(text("float4".into()), "float4");
    }

    proptest! {
        #[test]
        fn numbers_come_back(single in any::<f32>(), double in any::<f64>()) {
            let text = MacroValue::Float(single).to_string();
            if single.is_finite() {
                prop_assert_eq!(text.trim_end_matches('f').parse::<f32>().map(f32::to_bits), Ok(single.to_bits()));
            }
            if double.is_finite() {
                let text = MacroValue::Double(double).to_string();
                prop_assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(double.to_bits()));
            }
        }
    }
}
