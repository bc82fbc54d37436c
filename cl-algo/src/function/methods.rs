//! Methods of Rust's primitive types as OpenCL C text.

use super::device_type::{Type, float, integer};
use super::helpers;
use super::operators::{self, Text};
use super::parts;
use super::tree::{Binary, Unary};
use crate::element::ScalarType;

/// A method by its name, on the receiver and its arguments; `None` if the type has none of this name
/// on the device.
pub(super) fn method(name: &str, of: &Type, result: &Type, arguments: &[&str]) -> Option<Text> {
    let element = of.scalar();
    if let Some(text) = parts::converted(name, of, result, arguments) {
        return Some(text);
    }
    match (name, element) {
        ("from" | "into" | "from_bits" | "to_bits", _) => converted(name, of, result, arguments),
        (_, Some(element)) if element.is_float() => of_float(name, element, arguments),
        (_, Some(element)) => of_integer(name, element, arguments),
        _ => parts::of_complex(name, of, result, arguments),
    }
}

fn converted(name: &str, of: &Type, result: &Type, arguments: &[&str]) -> Option<Text> {
    let [x] = arguments else {
        return None;
    };
    if name.ends_with("_bits") {
        return Text::plain(format!("as_{}({x})", result.c_name()));
    }
    operators::cast(of, result, x)
}

/// The name in OpenCL of functions that are alike but for the name.
fn same_as(name: &str) -> Option<&'static str> {
    Some(match name {
        "sqrt" => "sqrt",
        "cbrt" => "cbrt",
        "sin" => "sin",
        "cos" => "cos",
        "tan" => "tan",
        "asin" => "asin",
        "acos" => "acos",
        "atan" => "atan",
        "atan2" => "atan2",
        "sinh" => "sinh",
        "cosh" => "cosh",
        "tanh" => "tanh",
        "asinh" => "asinh",
        "acosh" => "acosh",
        "atanh" => "atanh",
        "exp" => "exp",
        "exp2" => "exp2",
        "exp_m1" => "expm1",
        "ln" => "log",
        "ln_1p" => "log1p",
        "log2" => "log2",
        "log10" => "log10",
        "abs" => "fabs",
        "floor" => "floor",
        "ceil" => "ceil",
        "trunc" => "trunc",
        "round" => "round",
        "round_ties_even" => "rint",
        "powf" => "pow",
        "powi" => "pown",
        "hypot" => "hypot",
        "copysign" => "copysign",
        "mul_add" => "fma",
        "min" => "fmin",
        "max" => "fmax",
        _ => return None,
    })
}

fn of_float(name: &str, of: ScalarType, arguments: &[&str]) -> Option<Text> {
    if let Some(function) = same_as(name) {
        return Text::plain(format!("{function}({})", arguments.join(", ")));
    }
    let one = float(1.0, of)?;
    // As Rust's standard library states them, in the precision of each type.
    let degrees = 180.0 / std::f64::consts::PI;
    let radians = match of {
        ScalarType::F64 => std::f64::consts::PI / 180.0,
        _ => f64::from(std::f32::consts::PI / 180.0),
    };
    match (name, arguments) {
        ("recip", [x]) => Text::plain(format!("({one} / {x})")),
        ("log", [x, base]) => Text::plain(format!("(log({x}) / log({base}))")),
        ("to_degrees", [x]) => Text::plain(format!("({x} * {})", float(degrees, of)?)),
        ("to_radians", [x]) => Text::plain(format!("({x} * {})", float(radians, of)?)),
        ("sqrt_normal", _) if of == ScalarType::F32 => Text::call(helpers::sqrt_normal(), arguments),
        ("is_nan", [x]) => Text::plain(format!("((bool)isnan({x}))")),
        ("is_infinite", [x]) => Text::plain(format!("((bool)isinf({x}))")),
        ("is_finite", [x]) => Text::plain(format!("((bool)isfinite({x}))")),
        ("is_normal", [x]) => Text::plain(format!("((bool)isnormal({x}))")),
        ("is_sign_negative", [x]) => Text::plain(format!("(signbit({x}) != 0)")),
        ("is_sign_positive", [x]) => Text::plain(format!("(signbit({x}) == 0)")),
        ("total_lt" | "total_le" | "total_gt" | "total_ge", [x, y]) => {
            let symbol = match name {
                "total_lt" => "<",
                "total_le" => "<=",
                "total_gt" => ">",
                _ => ">=",
            };
            let key = helpers::total_key(of);
            Some(Text(format!("({0}({x}) {symbol} {0}({y}))", key.name), Some(key)))
        }
        _ => Text::call(helpers::method(name, of)?, arguments),
    }
}

fn of_integer(name: &str, of: ScalarType, arguments: &[&str]) -> Option<Text> {
    let t = of.c_name();
    let bits = 8 * of.size();
    let plain = Text::plain;
    let element = Type::Scalar(of);
    let operator = |op| match arguments {
        [a, b] => operators::binary(op, &element, &element, a, b),
        _ => None,
    };
    match (name, arguments) {
        ("wrapping_add", _) => operator(Binary::Add),
        ("wrapping_sub", _) => operator(Binary::Sub),
        ("wrapping_mul", _) => operator(Binary::Mul),
        ("wrapping_div", _) => operator(Binary::Div),
        ("wrapping_rem", _) => operator(Binary::Rem),
        ("wrapping_shl", _) => operator(Binary::Shl),
        ("wrapping_shr", _) => operator(Binary::Shr),
        ("wrapping_neg", [x]) => operators::unary(Unary::Neg, &element, x),
        ("abs" | "wrapping_abs", [x]) => plain(format!("(({t})abs({x}))")),
        ("unsigned_abs", [x]) => plain(format!("abs({x})")),
        ("abs_diff", [x, y]) => plain(format!("abs_diff({x}, {y})")),
        ("min" | "max", [x, y]) => plain(format!("{name}({x}, {y})")),
        ("clamp", [x, low, high]) => plain(format!("clamp({x}, {low}, {high})")),
        // Compilers know the longer product, too; PoCL's built-in function takes it to pieces.
        ("mul_hi", [x, y]) if bits == 32 => {
            let wide = if of.is_signed() { "long" } else { "ulong" };
            plain(format!("(({t})((({wide}){x} * ({wide}){y}) >> 32))"))
        }
        ("mul_hi", [x, y]) => plain(format!("mul_hi({x}, {y})")),
        ("saturating_add", [x, y]) => plain(format!("add_sat({x}, {y})")),
        ("saturating_sub", [x, y]) => plain(format!("sub_sat({x}, {y})")),
        ("count_ones", [x]) => plain(format!("((uint)popcount({x}))")),
        ("count_zeros", [x]) => plain(format!("({bits}u - (uint)popcount({x}))")),
        ("leading_zeros", [x]) => plain(format!("((uint)clz({x}))")),
        ("leading_ones", [x]) => plain(format!("((uint)clz(({t})~{x}))")),
        ("trailing_ones", [x]) => {
            Text::call(helpers::method("trailing_zeros", of)?, &[&format!("(({t})~{x})")])
        }
        ("rotate_left", [x, n]) => plain(format!("rotate({x}, ({t})({n} % {bits}u))")),
        ("rotate_right", [x, n]) => plain(format!("rotate({x}, ({t})({bits}u - {n} % {bits}u))")),
        ("is_power_of_two", [x]) => plain(format!("(popcount({x}) == 1)")),
        ("is_positive", [x]) => plain(format!("({x} > {})", integer(0, of))),
        ("is_negative", [x]) => plain(format!("({x} < {})", integer(0, of))),
        ("total_lt", _) => operator(Binary::Lt),
        ("total_le", _) => operator(Binary::Le),
        ("total_gt", _) => operator(Binary::Gt),
        ("total_ge", _) => operator(Binary::Ge),
        ("wrapping_pow", _) => Text::call(helpers::method("pow", of)?, arguments),
        _ => Text::call(helpers::method(name, of)?, arguments),
    }
}
