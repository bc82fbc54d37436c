//! Methods of Rust's primitive types, vectors and complex numbers as operations.

use super::{helpers, logistic};
use crate::element::ScalarType::{self, F64, I32, U32, U64};
use crate::ir::op::{FunctionRef, NodeId, Op, Site, Type};

/// The operations that a method or an operator becomes, and their operands.
type Graph = crate::ir::graph::Graph<'static>;

/// Adds the nodes of a method call. `of` has the receiver, then the arguments. Returns `None` if the receiver's type
/// does not have this method on the device.
pub(super) fn method(graph: &mut Graph, name: &'static str, of: &[NodeId], result: Type) -> Option<NodeId> {
    let &x = of.first()?;
    let ty = graph.ty(x);
    match (name, ty.number()) {
        ("new" | "splat" | "from" | "into" | "to_array", _) => converted(graph, name, of, result),
        ("from_bits" | "to_bits", Some(_)) => Some(graph.node(Op::Bitcast, result, &[x])),
        (_, Some(number)) if number.is_float() => of_float(graph, name, of, number),
        (_, Some(number)) => of_integer(graph, name, of, number, result),
        _ if ty.is_complex() => of_complex(graph, name, of),
        _ if ty.is_wide() => graph.op(one_operation(name)?, of),
        _ => None,
    }
}

/// Adds a conversion between a value and its components or items.
fn converted(graph: &mut Graph, name: &'static str, of: &[NodeId], result: Type) -> Option<NodeId> {
    let ty = graph.ty(*of.first()?);
    let array_of = |array: Type| match array {
        Type::Array(item, len) => Some((item.number()?, len)),
        _ => None,
    };
    let parts: Vec<NodeId> = match (of, result.parts(), ty.parts()) {
        ([re, im], Some(_), _) if result.is_complex() => vec![*re, *im],
        ([x], Some((part, _)), None) if ty == Type::from(part) => {
            return (name == "splat" || result.is_complex()).then(|| graph.node(Op::Cast, result, &[*x]));
        }
        ([x], Some((_, count)), _) if array_of(ty) == result.parts() => {
            let items = (0..count).map(|at| {
                let at = graph.number(at as f64, U64);
                graph.op(Op::Item, &[*x, at])
            });
            items.collect::<Option<_>>()?
        }
        ([x], _, Some((_, count))) if array_of(result) == ty.parts() => {
            (0..count).map(|at| graph.op(Op::Component(at as u32), &[*x])).collect::<Option<_>>()?
        }
        ([x], ..) => return graph.converted(*x, result),
        _ => return None,
    };
    Some(graph.node(Op::Make, result, &parts))
}

/// Returns the OpenCL name of a method of floats, if OpenCL has the same function under this or another name.
#[rustfmt::skip]
fn same_as(name: &'static str) -> Option<&'static str> {
    Some(match name {
        "sqrt" | "cbrt" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh"
        | "asinh" | "acosh" | "atanh" | "exp" | "exp2" | "log2" | "log10" | "floor" | "ceil" | "trunc" | "round"
        | "hypot" | "copysign" | "sqrt_normal" => name,
        "exp_m1" => "expm1",
        "ln" => "log",
        "ln_1p" => "log1p",
        "abs" => "fabs",
        "round_ties_even" => "rint",
        "powf" => "pow",
        "powi" => "pown",
        "mul_add" => "fma",
        "min" => "fmin",
        "max" => "fmax",
        _ => return None,
    })
}

/// Returns the OpenCL name of a test of floats.
fn same_test(name: &str) -> Option<&'static str> {
    Some(match name {
        "is_nan" => "isnan",
        "is_infinite" => "isinf",
        "is_finite" => "isfinite",
        "is_normal" => "isnormal",
        "is_sign_negative" => "signbit",
        _ => return None,
    })
}

fn of_float(g: &mut Graph, name: &'static str, of: &[NodeId], number: ScalarType) -> Option<NodeId> {
    if let Some(function) = same_as(name) {
        return g.op(Op::Call(function), of);
    }
    if let Some(test) = same_test(name) {
        return g.op(Op::Test(test), of);
    }
    match (name, of) {
        ("recip", &[x]) => {
            let one = g.number(1.0, number);
            g.op(Op::Div, &[one, x])
        }
        ("log", &[x, base]) => {
            let (x, base) = (g.op(Op::Call("log"), &[x])?, g.op(Op::Call("log"), &[base])?);
            g.op(Op::Div, &[x, base])
        }
        // The factors are those of Rust's standard library, which have the precision of each type.
        ("to_degrees", &[x]) => {
            let factor = g.number(180.0 / std::f64::consts::PI, number);
            g.op(Op::Mul, &[x, factor])
        }
        ("to_radians", &[x]) => {
            let factor = match number {
                F64 => std::f64::consts::PI / 180.0,
                _ => f64::from(std::f32::consts::PI / 180.0),
            };
            let factor = g.number(factor, number);
            g.op(Op::Mul, &[x, factor])
        }
        ("is_sign_positive", _) => {
            let negative = g.op(Op::Test("signbit"), of)?;
            g.op(Op::Not, &[negative])
        }
        ("total_lt" | "total_le" | "total_gt" | "total_ge", &[x, y]) => {
            let (x, y) = (g.total_key(x)?, g.total_key(y)?);
            compared(g, name, x, y)
        }
        ("clamp", &[x, low, high]) => {
            let (below, above) = (g.op(Op::Lt, &[x, low])?, g.op(Op::Gt, &[x, high])?);
            let rest = g.op(Op::Select, &[above, high, x])?;
            g.op(Op::Select, &[below, low, rest])
        }
        ("signum", &[x]) => {
            let (one, is_nan) = (g.number(1.0, number), g.op(Op::Test("isnan"), of)?);
            let sign = g.op(Op::Call("copysign"), &[one, x])?;
            g.op(Op::Select, &[is_nan, x, sign])
        }
        ("fract", &[x]) => {
            let whole = g.op(Op::Call("trunc"), of)?;
            g.op(Op::Sub, &[x, whole])
        }
        ("rem_euclid", &[x, y]) => {
            let size = g.op(Op::Call("fabs"), &[y])?;
            remainder_above_zero(g, x, y, size, number)
        }
        ("div_euclid", &[x, y]) => {
            let quotient = g.op(Op::Div, &[x, y])?;
            let quotient = g.op(Op::Call("trunc"), &[quotient])?;
            quotient_of_remainder_above_zero(g, x, y, quotient, number)
        }
        // The host has no `erfc`.
        (name, &[_]) if name != "gelu" => logistic::method(g, name, of, number),
        _ => None,
    }
}

/// Adds the comparison that `total_lt` and similar methods end in.
fn compared(g: &mut Graph, name: &str, x: NodeId, y: NodeId) -> Option<NodeId> {
    let op = match name {
        "total_lt" => Op::Lt,
        "total_le" => Op::Le,
        "total_gt" => Op::Gt,
        _ => Op::Ge,
    };
    g.op(op, &[x, y])
}

/// Adds the remainder that is not negative; `size` is the absolute value of `y`.
fn remainder_above_zero(g: &mut Graph, x: NodeId, y: NodeId, size: NodeId, of: ScalarType) -> Option<NodeId> {
    let (rest, zero) = (g.op(Op::Rem, &[x, y])?, g.number(0.0, of));
    let is_below = g.op(Op::Lt, &[rest, zero])?;
    let mended = g.op(Op::Add, &[rest, size])?;
    g.op(Op::Select, &[is_below, mended, rest])
}

/// Adds the quotient that fits [`remainder_above_zero`], given the quotient rounded towards zero.
fn quotient_of_remainder_above_zero(
    g: &mut Graph,
    x: NodeId,
    y: NodeId,
    quotient: NodeId,
    of: ScalarType,
) -> Option<NodeId> {
    let (rest, zero, one) = (g.op(Op::Rem, &[x, y])?, g.number(0.0, of), g.number(1.0, of));
    let (is_below, divides_up) = (g.op(Op::Lt, &[rest, zero])?, g.op(Op::Gt, &[y, zero])?);
    let (less, more) = (g.op(Op::Sub, &[quotient, one])?, g.op(Op::Add, &[quotient, one])?);
    let mended = g.op(Op::Select, &[divides_up, less, more])?;
    g.op(Op::Select, &[is_below, mended, quotient])
}

/// Returns the operation of integers that a method is another name of.
fn one_operation(name: &'static str) -> Option<Op> {
    Some(match name {
        "wrapping_add" => Op::Add,
        "wrapping_sub" => Op::Sub,
        "wrapping_mul" => Op::Mul,
        "wrapping_div" => Op::Div,
        "wrapping_rem" => Op::Rem,
        "wrapping_shl" => Op::Shl,
        "wrapping_shr" => Op::Shr,
        "wrapping_neg" => Op::Neg,
        "min" | "max" | "clamp" => Op::Call(name),
        _ => return None,
    })
}

fn of_integer(
    g: &mut Graph,
    name: &'static str,
    of: &[NodeId],
    number: ScalarType,
    result: Type,
) -> Option<NodeId> {
    let bits = 8.0 * number.size() as f64;
    let u32 = Type::from(U32);
    /// Adds a count of an integer's bits. The built-in function returns it in the integer's own type.
    fn counted(g: &mut Graph, function: &'static str, x: NodeId) -> Option<NodeId> {
        let count = g.op(Op::Call(function), &[x])?;
        g.converted(count, U32.into())
    }
    let saturated = match name {
        "mul_hi" => Some(Op::Call(name)),
        "saturating_add" => Some(Op::Call("add_sat")),
        "saturating_sub" => Some(Op::Call("sub_sat")),
        _ => None,
    };
    if let Some(op) = one_operation(name).or(saturated) {
        return g.op(op, of);
    }
    match (name, of) {
        ("pow" | "wrapping_pow", _) => {
            let power = helpers::power(number.into());
            g.op(Op::Function(FunctionRef(power)), of)
        }
        ("abs" | "wrapping_abs", _) => {
            let size = g.node(Op::Call("abs"), Type::from(number.unsigned()), of);
            g.converted(size, number.into())
        }
        ("unsigned_abs", _) => Some(g.node(Op::Call("abs"), result, of)),
        ("abs_diff", _) => Some(g.node(Op::Call("abs_diff"), result, of)),
        ("count_ones", &[x]) => counted(g, "popcount", x),
        ("leading_zeros", &[x]) => counted(g, "clz", x),
        ("count_zeros", &[x]) => {
            let (bits, ones) = (g.number(bits, U32), counted(g, "popcount", x)?);
            g.op(Op::Sub, &[bits, ones])
        }
        ("leading_ones", &[x]) => {
            let zeros = g.op(Op::Not, &[x])?;
            counted(g, "clz", zeros)
        }
        // `!x & (x - 1)` has a one for each trailing zero of x. For 0 these are all bits.
        ("trailing_zeros", &[x]) => {
            let (one, zeros) = (g.number(1.0, number), g.op(Op::Not, &[x])?);
            let below = g.op(Op::Sub, &[x, one])?;
            let trailing = g.op(Op::BitAnd, &[zeros, below])?;
            counted(g, "popcount", trailing)
        }
        ("trailing_ones", &[x]) => {
            let zeros = g.op(Op::Not, &[x])?;
            of_integer(g, "trailing_zeros", &[zeros], number, u32)
        }
        ("rotate_left" | "rotate_right", &[x, n]) => {
            let bits = g.number(bits, U32);
            let mut n = g.op(Op::Rem, &[n, bits])?;
            if name == "rotate_right" {
                n = g.op(Op::Sub, &[bits, n])?;
            }
            let n = g.converted(n, number.into())?;
            g.op(Op::Call("rotate"), &[x, n])
        }
        ("is_power_of_two", &[x]) => {
            let (ones, one) = (g.op(Op::Call("popcount"), &[x])?, g.number(1.0, number));
            g.op(Op::Eq, &[ones, one])
        }
        ("is_positive", &[x]) => {
            let zero = g.number(0.0, number);
            g.op(Op::Gt, &[x, zero])
        }
        ("is_negative", &[x]) => {
            let zero = g.number(0.0, number);
            g.op(Op::Lt, &[x, zero])
        }
        ("signum", &[x]) => {
            let zero = g.number(0.0, number);
            let (above, below) = (g.op(Op::Gt, &[x, zero])?, g.op(Op::Lt, &[x, zero])?);
            let (above, below) = (g.converted(above, number.into())?, g.converted(below, number.into())?);
            g.op(Op::Sub, &[above, below])
        }
        ("rem_euclid", &[x, y]) => {
            let (zero, minus) = (g.number(0.0, number), g.op(Op::Neg, &[y])?);
            let is_below = g.op(Op::Lt, &[y, zero])?;
            let size = g.op(Op::Select, &[is_below, minus, y])?;
            remainder_above_zero(g, x, y, size, number)
        }
        ("div_euclid", &[x, y]) => {
            let quotient = g.op(Op::Div, &[x, y])?;
            quotient_of_remainder_above_zero(g, x, y, quotient, number)
        }
        ("total_lt" | "total_le" | "total_gt" | "total_ge", &[x, y]) => compared(g, name, x, y),
        _ => None,
    }
}

/// Adds a method of complex numbers. The formulas are those of `num_complex`.
fn of_complex(g: &mut Graph, name: &'static str, of: &[NodeId]) -> Option<NodeId> {
    let &z = of.first()?;
    let ty = g.ty(z);
    let parts = [g.op(Op::Component(0), &[z])?, g.op(Op::Component(1), &[z])?];
    let [re, im] = parts;
    let both = |g: &mut Graph, op: Op| Some([g.op(op, &[re])?, g.op(op, &[im])?]);
    let call = |g: &mut Graph, name: &'static str, of: &[NodeId]| g.node(Op::Call(name), g.ty(re), of);
    match name {
        "conj" => {
            let im = g.op(Op::Neg, &[im])?;
            Some(g.node(Op::Make, ty, &[re, im]))
        }
        "norm_sqr" => {
            let squares = [g.op(Op::Mul, &[re, re])?, g.op(Op::Mul, &[im, im])?];
            g.op(Op::Add, &squares)
        }
        "norm" => Some(call(g, "hypot", &parts)),
        "l1_norm" => {
            let sizes = both(g, Op::Call("fabs"))?;
            g.op(Op::Add, &sizes)
        }
        "arg" => Some(call(g, "atan2", &[im, re])),
        "exp" => g.op(Op::Call("complex_exp"), &[z]),
        "scale" => g.op(Op::Mul, of),
        "unscale" => g.op(Op::Div, of),
        "inv" => {
            let (size, minus) = (of_complex(g, "norm_sqr", of)?, g.op(Op::Neg, &[im])?);
            let parts = [g.op(Op::Div, &[re, size])?, g.op(Op::Div, &[minus, size])?];
            Some(g.node(Op::Make, ty, &parts))
        }
        "is_nan" => {
            let tests = both(g, Op::Test("isnan"))?;
            g.op(Op::BitOr, &tests)
        }
        "is_infinite" => {
            let (nan, tests) = (of_complex(g, "is_nan", of)?, both(g, Op::Test("isinf"))?);
            let (number, infinite) = (g.op(Op::Not, &[nan])?, g.op(Op::BitOr, &tests)?);
            g.op(Op::BitAnd, &[number, infinite])
        }
        "is_finite" | "is_normal" => {
            let tests = both(g, Op::Test(same_test(name)?))?;
            g.op(Op::BitAnd, &tests)
        }
        "powu" => g.op(Op::Function(FunctionRef(helpers::power(ty))), of),
        "powi" => {
            let &[_, n] = of else { return None };
            let (zero, minus) = (g.number(0.0, I32), g.op(Op::Neg, &[n])?);
            let is_below = g.op(Op::Lt, &[n, zero])?;
            let inverse = of_complex(g, "inv", &[z])?;
            let base = g.op(Op::Select, &[is_below, inverse, z])?;
            let exponent = g.op(Op::Select, &[is_below, minus, n])?;
            let exponent = g.converted(exponent, U32.into())?;
            g.op(Op::Function(FunctionRef(helpers::power(ty))), &[base, exponent])
        }
        _ => None,
    }
}

/// Adds the component of a vector at an index that may be out of range. Comparisons select the component, because
/// vectors in registers have no address.
pub(super) fn component(g: &mut Graph, vector: NodeId, index: NodeId) -> Option<NodeId> {
    let (_, count) = g.ty(vector).parts()?;
    let bound = g.number(count as f64, U64);
    let at = g.op(Op::Checked(Site::Array), &[index, bound])?;
    let mut chosen = g.op(Op::Component(count as u32 - 1), &[vector])?;
    for number in (0..count - 1).rev() {
        let this = g.node(Op::Constant(number as u64), Type::Index, &[]);
        let (is_this, value) = (g.op(Op::Eq, &[at, this])?, g.op(Op::Component(number as u32), &[vector])?);
        chosen = g.op(Op::Select, &[is_this, value, chosen])?;
    }
    Some(chosen)
}

/// Adds a copy of the vector whose component at `index` is `value`. The index is in range.
pub(super) fn with_component(g: &mut Graph, vector: NodeId, index: NodeId, value: NodeId) -> Option<NodeId> {
    let ty = g.ty(vector);
    let mut parts = Vec::new();
    for number in 0..ty.parts()?.1 {
        let this = g.number(number as f64, g.ty(index).number()?);
        let (is_this, old) = (g.op(Op::Eq, &[index, this])?, g.op(Op::Component(number as u32), &[vector])?);
        parts.push(g.op(Op::Select, &[is_this, value, old])?);
    }
    Some(g.node(Op::Make, ty, &parts))
}
