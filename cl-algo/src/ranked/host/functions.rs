//! The table of operations: from an operation and the types of its operands to the loop that computes it.
//!
//! Integers wrap around, `x / 0` is 0, and `x % 0` is x, as on devices. A product and a sum of floats are rounded
//! separately.

use super::rows::{self, Operand, Step, binary, ternary, unary};
use crate::element::ScalarType::{self, *};
use crate::ir::op::Op;
use bytemuck::Pod;
use std::cmp::Ordering;

/// Returns the step of an operation on operands of these types; `None` if the host does not have it.
pub(super) fn step(op: Op, of: &[ScalarType], result: ScalarType, operands: &[Operand]) -> Option<Step> {
    match (op, of, operands) {
        (Op::Cast, &[from], &[a]) => return cast(from, result, a),
        (Op::Select, _, _) | (Op::Call("bitselect"), _, _) | (Op::Bitcast, _, _) => {
            return match result.size() {
                1 => bytes(op, operands),
                2 => shorts(op, operands),
                4 => words(op, operands),
                _ => longs(op, operands),
            };
        }
        (Op::Rounded(format), [F32], &[a]) => return Some(unary(a, move |x: f32| format.rounded(x))),
        (Op::Not, [Bool], &[a]) => return Some(unary(a, |a: u8| a ^ 1)),
        (Op::Call("pown"), [F32, I32], &[x, n]) => {
            return Some(binary(x, n, |x: f32, n: i32| f64::from(x).powf(n.into()) as f32));
        }
        (Op::Call("pown"), [F64, I32], &[x, n]) => {
            return Some(binary(x, n, |x: f64, n: i32| x.powf(n.into())));
        }
        _ => {}
    }
    let first = *of.first()?;
    if of.iter().any(|of| *of != first) {
        return None;
    }
    match first {
        Bool | U8 => of_u8(op, operands),
        I8 => of_i8(op, operands),
        I16 => of_i16(op, operands),
        U16 => of_u16(op, operands),
        I32 => of_i32(op, operands),
        U32 => of_u32(op, operands),
        I64 => of_i64(op, operands),
        U64 => of_u64(op, operands),
        F32 => of_f32(op, operands),
        F64 => of_f64(op, operands),
        F16 => None,
    }
}

/// Returns the step of a comparison.
fn compare<T: Pod + PartialOrd>(op: Op, operands: &[Operand]) -> Option<Step> {
    let &[a, b] = operands else { return None };
    Some(match op {
        Op::Eq | Op::Test("isequal") => binary(a, b, |a: T, b: T| u8::from(a == b)),
        Op::Ne | Op::Test("isnotequal") => binary(a, b, |a: T, b: T| u8::from(a != b)),
        Op::Lt | Op::Test("isless") => binary(a, b, |a: T, b: T| u8::from(a < b)),
        Op::Le | Op::Test("islessequal") => binary(a, b, |a: T, b: T| u8::from(a <= b)),
        Op::Gt | Op::Test("isgreater") => binary(a, b, |a: T, b: T| u8::from(a > b)),
        Op::Ge | Op::Test("isgreaterequal") => binary(a, b, |a: T, b: T| u8::from(a >= b)),
        _ => return None,
    })
}

/// Operations on values of any type, by their bits.
macro_rules! by_size {
    ($($name:ident $bits:ident)*) => {$(
        fn $name(op: Op, operands: &[Operand]) -> Option<Step> {
            Some(match (op, operands) {
                (Op::Bitcast, &[a]) => unary(a, |a: $bits| a),
                (Op::Select, &[condition, yes, no]) => {
                    ternary(condition, yes, no, |c: u8, yes: $bits, no: $bits| if c != 0 { yes } else { no })
                }
                (Op::Call("bitselect"), &[x, y, by]) => {
                    ternary(x, y, by, |x: $bits, y: $bits, by: $bits| x & !by | y & by)
                }
                _ => return None,
            })
        }
    )*};
}

by_size!(bytes u8 shorts u16 words u32 longs u64);

macro_rules! casts {
    ($($from:ident $type:ident)*) => {
        /// Returns the step of Rust's `as`. `bool`s are the bytes 0 and 1.
        fn cast(from: ScalarType, to: ScalarType, a: Operand) -> Option<Step> {
            match from {
                $($from => cast_from!($type, to, a),)*
                F16 => None,
            }
        }
    };
}

macro_rules! cast_from {
    ($type:ident, $to:ident, $a:ident) => {
        cast_from!($type, $to, $a: I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 F32 f32 F64 f64)
    };
    ($type:ident, $to:ident, $a:ident: $($result:ident $into:ident)*) => {
        match $to {
            $($result => Some(unary($a, |a: $type| a as $into)),)*
            F16 | Bool => None,
        }
    };
}

casts!(Bool u8 I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 F32 f32 F64 f64);

macro_rules! integers {
    ($($name:ident $type:ident $wide:ident $magnitude:expr;)*) => {$(
        fn $name(op: Op, operands: &[Operand]) -> Option<Step> {
            const BITS: u32 = <$type>::BITS;
            Some(match (op, operands) {
                (Op::Neg, &[a]) => unary(a, <$type>::wrapping_neg),
                (Op::Not, &[a]) => unary(a, |a: $type| !a),
                (Op::Add, &[a, b]) => binary(a, b, <$type>::wrapping_add),
                (Op::Sub, &[a, b]) => binary(a, b, <$type>::wrapping_sub),
                (Op::Mul | Op::Call("mul24"), &[a, b]) => binary(a, b, <$type>::wrapping_mul),
                (Op::Div, &[a, b]) => {
                    binary(a, b, |a: $type, b: $type| if b == 0 { 0 } else { a.wrapping_div(b) })
                }
                (Op::Rem, &[a, b]) => {
                    binary(a, b, |a: $type, b: $type| if b == 0 { a } else { a.wrapping_rem(b) })
                }
                (Op::BitAnd | Op::And, &[a, b]) => binary(a, b, |a: $type, b: $type| a & b),
                (Op::BitOr | Op::Or, &[a, b]) => binary(a, b, |a: $type, b: $type| a | b),
                (Op::BitXor, &[a, b]) => binary(a, b, |a: $type, b: $type| a ^ b),
                (Op::Shl, &[a, b]) => binary(a, b, |a: $type, b: $type| a.wrapping_shl(b as u32)),
                (Op::Shr, &[a, b]) => binary(a, b, |a: $type, b: $type| a.wrapping_shr(b as u32)),
                (Op::Call("min"), &[a, b]) => binary(a, b, |a: $type, b: $type| a.min(b)),
                (Op::Call("max"), &[a, b]) => binary(a, b, |a: $type, b: $type| a.max(b)),
                (Op::Call("clamp"), &[x, low, high]) => {
                    ternary(x, low, high, |x: $type, low: $type, high: $type| x.max(low).min(high))
                }
                (Op::Call("abs"), &[a]) => unary(a, $magnitude),
                (Op::Call("abs_diff"), &[a, b]) => binary(a, b, <$type>::abs_diff),
                (Op::Call("add_sat"), &[a, b]) => binary(a, b, <$type>::saturating_add),
                (Op::Call("sub_sat"), &[a, b]) => binary(a, b, <$type>::saturating_sub),
                (Op::Call("hadd"), &[a, b]) => {
                    binary(a, b, |a: $type, b: $type| (a & b).wrapping_add((a ^ b) >> 1))
                }
                (Op::Call("rhadd"), &[a, b]) => {
                    binary(a, b, |a: $type, b: $type| (a | b).wrapping_sub((a ^ b) >> 1))
                }
                (Op::Call("mul_hi"), &[a, b]) => {
                    binary(a, b, |a: $type, b: $type| (a as $wide * b as $wide >> BITS) as $type)
                }
                (Op::Call("rotate"), &[a, b]) => {
                    binary(a, b, |a: $type, b: $type| a.rotate_left(b as u32 & (BITS - 1)))
                }
                (Op::Call("clz"), &[a]) => unary(a, |a: $type| a.leading_zeros() as $type),
                (Op::Call("popcount"), &[a]) => unary(a, |a: $type| a.count_ones() as $type),
                _ => return compare::<$type>(op, operands),
            })
        }
    )*};
}

integers! {
    of_i8 i8 i16 i8::unsigned_abs;
    of_u8 u8 u16 |a: u8| a;
    of_i16 i16 i32 i16::unsigned_abs;
    of_u16 u16 u32 |a: u16| a;
    of_i32 i32 i64 i32::unsigned_abs;
    of_u32 u32 u64 |a: u32| a;
    of_i64 i64 i128 i64::unsigned_abs;
    of_u64 u64 u128 |a: u64| a;
}

macro_rules! floats {
    ($($name:ident $type:ident;)*) => {$(
        fn $name(op: Op, operands: &[Operand]) -> Option<Step> {
            use std::$type::consts::PI;

            fn unary(x: Operand, f: impl Fn($type) -> $type + Copy + Send + Sync + 'static) -> Step {
                rows::unary(x, f)
            }

            fn binary(
                x: Operand,
                y: Operand,
                f: impl Fn($type, $type) -> $type + Copy + Send + Sync + 'static,
            ) -> Step {
                rows::binary(x, y, f)
            }

            fn ternary(
                [x, y, z]: [Operand; 3],
                f: impl Fn($type, $type, $type) -> $type + Copy + Send + Sync + 'static,
            ) -> Step {
                rows::ternary(x, y, z, f)
            }

            fn test(name: &str, x: Operand) -> Option<Step> {
                Some(match name {
                    "isfinite" => rows::unary(x, |x: $type| u8::from(x.is_finite())),
                    "isinf" => rows::unary(x, |x: $type| u8::from(x.is_infinite())),
                    "isnan" => rows::unary(x, |x: $type| u8::from(x.is_nan())),
                    "isnormal" => rows::unary(x, |x: $type| u8::from(x.is_normal())),
                    "signbit" => rows::unary(x, |x: $type| u8::from(x.is_sign_negative())),
                    _ => return None,
                })
            }

            fn of_one(name: &str, x: Operand) -> Option<Step> {
                Some(match name {
                    "fabs" => unary(x, <$type>::abs),
                    "floor" => unary(x, <$type>::floor),
                    "ceil" => unary(x, <$type>::ceil),
                    "trunc" => unary(x, <$type>::trunc),
                    "round" => unary(x, <$type>::round),
                    "rint" => unary(x, <$type>::round_ties_even),
                    "fract" => unary(x, |x| (x - x.floor()).min(1.0 - <$type>::EPSILON / 2.0)),
                    "modf" => unary(x, |x| match x.is_infinite() {
                        true => (0.0 as $type).copysign(x),
                        false => (x - x.trunc()).copysign(x),
                    }),
                    "sqrt" => unary(x, <$type>::sqrt),
                    "rsqrt" => unary(x, |x| 1.0 / x.sqrt()),
                    "recip" => unary(x, |x| 1.0 / x),
                    "cbrt" => unary(x, <$type>::cbrt),
                    "sin" | "sincos" => unary(x, <$type>::sin),
                    "cos" => unary(x, <$type>::cos),
                    "tan" => unary(x, <$type>::tan),
                    "asin" => unary(x, <$type>::asin),
                    "acos" => unary(x, <$type>::acos),
                    "atan" => unary(x, <$type>::atan),
                    "asinpi" => unary(x, |x| x.asin() / PI),
                    "acospi" => unary(x, |x| x.acos() / PI),
                    "atanpi" => unary(x, |x| x.atan() / PI),
                    "sinh" => unary(x, <$type>::sinh),
                    "cosh" => unary(x, <$type>::cosh),
                    "tanh" => unary(x, <$type>::tanh),
                    "asinh" => unary(x, <$type>::asinh),
                    // The standard library's formula cancels near 1.
                    "acosh" => unary(x, |x| match x - 1.0 {
                        t if t < 1.0 => (t + (t * (t + 2.0)).sqrt()).ln_1p(),
                        _ => x.acosh(),
                    }),
                    "atanh" => unary(x, <$type>::atanh),
                    "exp" => unary(x, <$type>::exp),
                    "exp2" => unary(x, <$type>::exp2),
                    "exp10" => unary(x, |x| (10.0 as $type).powf(x)),
                    "expm1" => unary(x, <$type>::exp_m1),
                    "log" => unary(x, <$type>::ln),
                    "log2" => unary(x, <$type>::log2),
                    "log10" => unary(x, <$type>::log10),
                    "log1p" => unary(x, <$type>::ln_1p),
                    "degrees" => unary(x, <$type>::to_degrees),
                    "radians" => unary(x, <$type>::to_radians),
                    "sign" => unary(x, |x| match x {
                        x if x > 0.0 => 1.0,
                        x if x < 0.0 => -1.0,
                        x if x.is_nan() => 0.0,
                        zero => zero,
                    }),
                    _ => return None,
                })
            }

            fn of_two(name: &str, x: Operand, y: Operand) -> Option<Step> {
                Some(match name {
                    "fmin" => binary(x, y, <$type>::min),
                    "fmax" => binary(x, y, <$type>::max),
                    "minmag" => binary(x, y, |x, y| match (x.abs(), y.abs()) {
                        (a, b) if a < b => x,
                        (a, b) if b < a => y,
                        _ => x.min(y),
                    }),
                    "maxmag" => binary(x, y, |x, y| match (x.abs(), y.abs()) {
                        (a, b) if a > b => x,
                        (a, b) if b > a => y,
                        _ => x.max(y),
                    }),
                    "pow" | "powr" => binary(x, y, <$type>::powf),
                    "hypot" => binary(x, y, <$type>::hypot),
                    "atan2" => binary(x, y, <$type>::atan2),
                    "atan2pi" => binary(x, y, |y, x| y.atan2(x) / PI),
                    "copysign" => binary(x, y, <$type>::copysign),
                    "divide" => binary(x, y, |x, y| x / y),
                    "fdim" => binary(x, y, |x, y| if x <= y { 0.0 } else { x - y }),
                    "nextafter" => binary(x, y, |x, y| match x.partial_cmp(&y) {
                        Some(Ordering::Less) => x.next_up(),
                        Some(Ordering::Greater) => x.next_down(),
                        Some(Ordering::Equal) => y,
                        None => x + y,
                    }),
                    "step" => binary(x, y, |edge, x| if x < edge { 0.0 } else { 1.0 }),
                    _ => return None,
                })
            }

            fn of_three(name: &str, of: [Operand; 3]) -> Option<Step> {
                Some(match name {
                    "fma" => ternary(of, <$type>::mul_add),
                    "mad" => ternary(of, |x, y, z| x * y + z),
                    "clamp" => {
                        ternary(of, |x, low, high| x.max(low).min(high))
                    }
                    "mix" => ternary(of, |x, y, weight| x + (y - x) * weight),
                    "smoothstep" => ternary(of, |low, high, x| {
                        let t = ((x - low) / (high - low)).max(0.0).min(1.0);
                        t * t * (3.0 - 2.0 * t)
                    }),
                    _ => return None,
                })
            }

            Some(match (op, operands) {
                (Op::Neg, &[a]) => unary(a, |a| -a),
                (Op::Add, &[a, b]) => binary(a, b, |a, b| a + b),
                (Op::Sub, &[a, b]) => binary(a, b, |a, b| a - b),
                (Op::Mul, &[a, b]) => binary(a, b, |a, b| a * b),
                (Op::Div, &[a, b]) => binary(a, b, |a, b| a / b),
                (Op::Rem, &[a, b]) => binary(a, b, |a, b| a % b),
                (Op::Call(name), &[x]) => return of_one(precise(name), x),
                (Op::Call(name), &[x, y]) => return of_two(precise(name), x, y),
                (Op::Call(name), &[x, y, z]) => return of_three(name, [x, y, z]),
                (Op::Test(name), &[x]) => return test(name, x),
                (Op::Test("islessgreater"), &[a, b]) => {
                    rows::binary(a, b, |a: $type, b: $type| {
                        u8::from(a.partial_cmp(&b).is_some_and(Ordering::is_ne))
                    })
                }
                (Op::Test("isordered"), &[a, b]) => {
                    rows::binary(a, b, |a: $type, b: $type| u8::from(!(a.is_nan() || b.is_nan())))
                }
                (Op::Test("isunordered"), &[a, b]) => {
                    rows::binary(a, b, |a: $type, b: $type| u8::from(a.is_nan() || b.is_nan()))
                }
                _ => return compare::<$type>(op, operands),
            })
        }
    )*};
}

floats! {
    of_f32 f32;
    of_f64 f64;
}

/// Returns the function of which this one is a less precise variant. The variant may be as precise.
fn precise(name: &str) -> &str {
    name.strip_prefix("half_").or_else(|| name.strip_prefix("native_")).unwrap_or(name)
}
