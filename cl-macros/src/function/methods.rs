//! The methods of primitive types that devices have, by name.

use syn::{Error, Ident, Result};

/// The methods of floats, of integers, and of slices and arrays.
pub(super) const ALL: &[&str] = &[
    // Floats.
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "clamp",
    "copysign",
    "cos",
    "cosh",
    "div_euclid",
    "exp",
    "exp2",
    "exp_m1",
    "floor",
    "fract",
    "hypot",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_normal",
    "is_sign_negative",
    "is_sign_positive",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "log_sigmoid",
    "logit",
    "max",
    "min",
    "mul_add",
    "powf",
    "powi",
    "recip",
    "relu",
    "rem_euclid",
    "round",
    "round_ties_even",
    "sigmoid",
    "signum",
    "silu",
    "sin",
    "sinh",
    "softplus",
    "sqrt",
    "sqrt_normal",
    "tan",
    "tanh",
    "to_degrees",
    "to_radians",
    "total_ge",
    "total_gt",
    "total_le",
    "total_lt",
    "trunc",
    // Integers.
    "abs_diff",
    "count_ones",
    "count_zeros",
    "is_negative",
    "is_positive",
    "is_power_of_two",
    "leading_ones",
    "leading_zeros",
    "mul_hi",
    "pow",
    "rotate_left",
    "rotate_right",
    "saturating_add",
    "saturating_sub",
    "trailing_ones",
    "trailing_zeros",
    "unsigned_abs",
    "wrapping_abs",
    "wrapping_add",
    "wrapping_div",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_pow",
    "wrapping_rem",
    "wrapping_shl",
    "wrapping_shr",
    "wrapping_sub",
    // From one type to another.
    "from",
    "from_bits",
    "into",
    "to_bits",
    // Slices and arrays.
    "is_empty",
    "len",
];

/// The methods by which a random stream draws its next number. Each changes the stream.
pub(super) const DRAWS: &[&str] =
    &["below", "bits", "exponential", "normal", "normal_f64", "uniform", "uniform_f64"];

/// The functions that make vectors and complex numbers.
pub(super) const CONSTRUCTORS: &[&str] = &["new", "splat"];

/// The methods that only complex numbers have.
const OF_COMPLEX: &[&str] =
    &["arg", "conj", "inv", "l1_norm", "norm", "norm_sqr", "powu", "scale", "unscale"];

/// The methods that numbers and complex numbers have.
const OF_BOTH: &[&str] = &["exp", "is_finite", "is_infinite", "is_nan", "is_normal", "powi"];

/// Returns the function in `cl_algo`'s `function::probe` that checks a method's receiver.
pub(super) fn receiver(name: &str) -> &'static str {
    match name {
        "len" | "is_empty" => "items",
        "from" | "into" => "convertible",
        "to_array" => "vector",
        name if OF_COMPLEX.contains(&name) => "complex",
        name if OF_BOTH.contains(&name) => "scalar_or_complex",
        _ => "scalar",
    }
}

/// Alternatives to some methods that devices do not have.
const INSTEAD: &[(&str, &str)] = &[
    ("iter", "loop over the indices, `for i in 0..x.len()`"),
    ("iter_mut", "loop over the indices, `for i in 0..x.len()`"),
    ("into_iter", "loop over the indices, `for i in 0..x.len()`"),
    ("get", "write `x[i]`, which checks its bounds"),
    ("get_mut", "write `x[i]`, which checks its bounds"),
    ("clone", "values on devices are copied: leave `.clone()` out"),
    ("unwrap", "there is no `Option` on a device"),
    ("sin_cos", "call `sin` and `cos`"),
    ("map", "write out the loop"),
];

/// Checks that devices have a method of this name.
///
/// # Errors
/// An error at the name if they do not.
pub(super) fn check(name: &Ident) -> Result<()> {
    let text = name.to_string();
    if ALL.contains(&text.as_str()) || OF_COMPLEX.contains(&text.as_str()) || text == "to_array" {
        return Ok(());
    }
    let instead = INSTEAD.iter().find(|(method, _)| *method == text).map(|(_, instead)| *instead);
    let instead = instead.unwrap_or(match text.split_once('_') {
        Some(("checked" | "overflowing", _)) => {
            "there is no `Option` on a device: use the wrapping or saturating one"
        }
        _ => "write a function with #[device_fn], and call that",
    });
    Err(Error::new(name.span(), format!("devices do not have the method `{text}`: {instead}")))
}
