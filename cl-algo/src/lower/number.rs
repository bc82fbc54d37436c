//! Constants in OpenCL C: exact, and the same for expressions and device functions.

use super::value_type::ValueType;
use crate::element::ScalarType;
use crate::ir::op::Type;

/// Returns a constant, given by its bits. The first number of a vector is in the lowest bits.
pub(super) fn constant(ty: ValueType, bits: u64) -> String {
    let name = ty.name();
    match (ty.item, ty.item.scalar()) {
        (Type::Index, _) => format!("({name})({bits})"),
        (_, Some(ScalarType::Bool)) if ty.width > 1 => {
            format!("({name})({})", if bits == 0 { "0" } else { "-1" })
        }
        (_, Some(scalar)) if ty.width > 1 => format!("({name})({})", number(scalar, bits)),
        (_, Some(scalar)) => number(scalar, bits),
        _ => {
            let Some(scalar) = ty.scalar() else { return String::new() };
            let of = |at: usize| number(scalar, (bits >> (8 * scalar.size() * at)) & mask(scalar));
            format!("({name})({})", (0..ty.count()).map(of).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns a mask as wide as the scalar.
fn mask(scalar: ScalarType) -> u64 {
    u64::MAX >> (64 - 8 * scalar.size())
}

/// Returns whether these bits, as a number of this type, are an integer above zero.
pub(crate) fn is_positive(bits: u64, of: ScalarType) -> bool {
    !of.is_float() && of != ScalarType::Bool && (1..=mask(of) >> 1).contains(&(bits & mask(of)))
}

fn number(of: ScalarType, bits: u64) -> String {
    let bits = bits & mask(of);
    match of {
        ScalarType::Bool => (bits != 0).to_string(),
        ScalarType::F16 => match half::f16::from_bits(bits as u16) {
            value if value.is_finite() => signed(format!("(half){:?}f", value.to_f32()), true),
            _ => format!("as_half((ushort)0x{bits:x})"),
        },
        // The shortest decimal number that is read as the same float.
        ScalarType::F32 => match f32::from_bits(bits as u32) {
            value if value.is_finite() => signed(format!("{value:?}f"), value.is_sign_negative()),
            _ => format!("as_float(0x{bits:x}u)"),
        },
        ScalarType::F64 => match f64::from_bits(bits) {
            value if value.is_finite() => signed(format!("{value:?}"), value.is_sign_negative()),
            _ => format!("as_double(0x{bits:x}UL)"),
        },
        of => integer(of, bits),
    }
}

fn signed(text: String, parentheses: bool) -> String {
    if parentheses { format!("({text})") } else { text }
}

fn integer(of: ScalarType, bits: u64) -> String {
    let name = of.c_name();
    if of.is_signed() && bits > mask(of) >> 1 {
        // Two's complement: the difference to the power of 2. The smallest value has no positive counterpart.
        let twin = bits.wrapping_neg() & mask(of);
        return if twin == bits {
            format!("(({name})0x{bits:x}UL)")
        } else {
            format!("(({name})(-{twin}L))")
        };
    }
    match of {
        ScalarType::I32 => bits.to_string(),
        ScalarType::U32 => format!("{bits}u"),
        ScalarType::I64 => format!("{bits}L"),
        ScalarType::U64 => format!("{bits}UL"),
        _ => format!("(({name}){bits})"),
    }
}
