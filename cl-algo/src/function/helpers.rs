//! Functions in OpenCL C that generated text calls, for what is not one C expression.

use super::device_type::{Type, integer};
use super::intern::keep;
use super::{Function, Parameter};
use crate::element::{ElementType, ScalarType};
use crate::expr::op::Site;

/// What faults name, in `record_fault` of kernels/index.cl.
const SLICE: u32 = Site::Slice as u32;
const ARRAY: u32 = Site::Array as u32;

fn helper(name: &str, parameters: Vec<Parameter>, result: Type, definition: &str) -> Function {
    Function::new(name, parameters, result, definition, Vec::new(), Vec::new())
}

/// A function of values of one type.
fn of_values(name: &str, arity: usize, of: &Type, result: Type, definition: &str) -> &'static Function {
    let parameters = vec![Parameter::Value(of.clone()); arity];
    keep(helper(&format!("{name}_{}", of.rust_name()), parameters, result, definition))
}

/// A function that records an index out of bounds.
fn checking(name: &str, of: Type, result: Type, definition: &str) -> &'static Function {
    let parameters = vec![Parameter::Value(of)];
    keep(Function { checks_indices: true, ..helper(name, parameters, result, definition) })
}

fn size() -> Type {
    Type::Scalar(ScalarType::U64)
}

/// Not a function, but the definition of an array's type, for those that use it.
pub(super) fn array(item: &Type, of: &Type) -> &'static Function {
    let (name, Type::Array(_, len)) = (of.c_name(), of) else {
        return keep(helper("no_array", Vec::new(), Type::Unit, "(void) {}\n"));
    };
    let source = format!("typedef VOLATILE struct {{ VOLATILE {} v[{len}]; }} {name};", item.c_name());
    let callees = match item {
        Type::Array(inner, _) => vec![array(inner, item)],
        _ => Vec::new(),
    };
    let types = item.element().into_iter().collect();
    keep(Function {
        name,
        source,
        parameters: Vec::new(),
        result: Type::Unit,
        callees,
        types,
        checks_indices: false,
        array_bytes: 0,
    })
}

/// Whether an index is below a bound.
pub(super) fn is_index() -> &'static Function {
    let definition = format!(
        "(ulong index, ulong bound FAULT_PARAMETER)
{{
    if (index < bound)
        return true;
    record_fault(fault, {ARRAY}u, index, bound);
    return false;
}}
"
    );
    checking("is_index", size(), Type::Bool, &definition)
}

/// The index if it is below the bound, else the last one.
pub(super) fn checked_index() -> &'static Function {
    let definition = format!(
        "(ulong index, ulong bound FAULT_PARAMETER)
{{
    if (index < bound)
        return index;
    record_fault(fault, {ARRAY}u, index, bound);
    return bound - 1;
}}
"
    );
    checking("checked_index", size(), size(), &definition)
}

/// Item of a slice: the last one where the index is out of bounds, zero if there is none.
pub(super) fn element(of: &Type) -> &'static Function {
    let (memory, name, zero) = (of.in_memory(), of.rust_name(), of.zero());
    let item = |index: &str| match of {
        Type::Bool => format!("x[{index}] != 0"),
        Type::Element(ElementType::Vector(_, 3)) => format!("vload3({index}, x)"),
        _ => format!("x[{index}]"),
    };
    let definition = format!(
        "(global const {memory} *x, ulong len, ulong index FAULT_PARAMETER)
{{
    if (index < len)
        return {};
    record_fault(fault, {SLICE}u, index, len);
    if (len == 0)
        return {zero};
    return {};
}}
",
        item("index"),
        item("len - 1")
    );
    let parameters = vec![Parameter::Slice(of.clone()), Parameter::Value(size())];
    let function = helper(&format!("element_{name}"), parameters, of.clone(), &definition);
    keep(Function { checks_indices: true, types: of.element().into_iter().collect(), ..function })
}

/// Integer division where nothing can trap: x / 0 = 0, and MIN / -1 = MIN.
pub(super) fn divide(of: ScalarType) -> &'static Function {
    let name = of.c_name();
    let unsigned = of.unsigned().c_name();
    let minus = match of.is_signed() {
        true => format!(" : b == -1 ? ({name})(({unsigned})0 - ({unsigned})a)"),
        false => String::new(),
    };
    let definition =
        format!("({name} a, {name} b)\n{{\n    return b == 0 ? 0{minus} : ({name})(a / b);\n}}\n");
    let of = Type::Scalar(of);
    of_values("divide", 2, &of, of.clone(), &definition)
}

/// The remainder to [`divide`]: x % 0 = x, and MIN % -1 = 0.
pub(super) fn remainder(of: ScalarType) -> &'static Function {
    let name = of.c_name();
    let minus = if of.is_signed() { " : b == -1 ? 0" } else { "" };
    let definition =
        format!("({name} a, {name} b)\n{{\n    return b == 0 ? a{minus} : ({name})(a % b);\n}}\n");
    let of = Type::Scalar(of);
    of_values("remainder", 2, &of, of.clone(), &definition)
}

/// Float to integer as Rust's `as` does it: to the nearest that there is, NaN to zero.
pub(super) fn to_integer(from: ScalarType, to: ScalarType) -> &'static Function {
    let (from_name, to_name) = (from.c_name(), to.c_name());
    let definition = format!(
        "({from_name} x)\n{{\n    return isnan(x) ? ({to_name})0 : convert_{to_name}_sat_rtz(x);\n}}\n"
    );
    let name = format!("to_{to_name}");
    of_values(&name, 1, &Type::Scalar(from), Type::Scalar(to), &definition)
}

/// A float's bits as a signed integer in the same place of the total order.
pub(super) fn total_key(of: ScalarType) -> &'static Function {
    let (from, to) = match of {
        ScalarType::F16 => (of, ScalarType::I16),
        ScalarType::F64 => (of, ScalarType::I64),
        _ => (of, ScalarType::I32),
    };
    let (from_name, to_name, unsigned) = (from.c_name(), to.c_name(), to.unsigned().c_name());
    let last = 8 * to.size() - 1;
    let definition = format!(
        "({from_name} x)\n{{\n    const {to_name} bits = as_{to_name}(x);\n    \
         return bits ^ ({to_name})(({unsigned})(bits >> {last}) >> 1);\n}}\n"
    );
    of_values("total_key", 1, &Type::Scalar(from), Type::Scalar(to), &definition)
}

/// Methods of floats that are more than one expression: name, arity, definition for type `$T`.
const OF_FLOATS: &[(&str, usize, &str)] = &[
    (
        "clamp",
        3,
        "($T x, $T low, $T high)
{
    return x < low ? low : x > high ? high : x;
}
",
    ),
    (
        "signum",
        1,
        "($T x)
{
    return isnan(x) ? x : copysign(($T)1, x);
}
",
    ),
    (
        "fract",
        1,
        "($T x)
{
    return x - trunc(x);
}
",
    ),
    (
        "rem_euclid",
        2,
        "($T x, $T y)
{
    const $T r = fmod(x, y);
    return r < 0 ? r + fabs(y) : r;
}
",
    ),
    (
        "div_euclid",
        2,
        "($T x, $T y)
{
    const $T q = trunc(x / y);
    return fmod(x, y) < 0 ? (y > 0 ? q - 1 : q + 1) : q;
}
",
    ),
];

/// The same for integers. `$WIDE` is the unsigned type to compute in, `$DIVIDE` and `$REMAINDER` are
/// the helpers of these names.
const OF_INTEGERS: &[(&str, usize, &str)] = &[
    (
        "pow",
        2,
        "($T x, uint n)
{
    $WIDE result = 1, power = ($WIDE)x;
    for (; n != 0; n >>= 1) {
        if (n & 1)
            result *= power;
        power *= power;
    }
    return ($T)result;
}
",
    ),
    (
        "signum",
        1,
        "($T x)
{
    return ($T)((x > 0) - (x < 0));
}
",
    ),
    // The sign of the remainder is mended.
    (
        "rem_euclid",
        2,
        "($T x, $T y)
{
    const $T r = $REMAINDER(x, y);
    return r < 0 ? ($T)(($WIDE)r + (y < 0 ? -($WIDE)y : ($WIDE)y)) : r;
}
",
    ),
    (
        "div_euclid",
        2,
        "($T x, $T y)
{
    const $T q = $DIVIDE(x, y);
    return $REMAINDER(x, y) < 0 ? ($T)(y > 0 ? q - 1 : q + 1) : q;
}
",
    ),
];

/// The zeros below the lowest one.
const TRAILING_ZEROS: &str = "($T x)
{
    return x == 0 ? $BITS : (uint)popcount(($UNSIGNED)(~($WIDE)x & (($WIDE)x - 1)));
}
";

/// The square root of a number that is far from 0 and infinity. NVIDIA's own function looks for the others, in a
/// branch; where there are none it does what is done here, and a test compares all of them with it: an
/// estimate, and one step of Newton's from what it lacks, which is exact.
pub(super) fn sqrt_normal() -> &'static Function {
    let definition = "(float x)
{
#ifdef cl_nv_pragma_unroll
    float inverse;
    asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(inverse) : \"f\"(x));
    const float root = x * inverse;
    return fma(fma(-root, root, x), 0.5f * inverse, root);
#else
    return sqrt(x);
#endif
}
";
    let of = Type::Scalar(ScalarType::F32);
    of_values("sqrt_normal", 1, &of, of.clone(), definition)
}

/// A method that is more than one expression, by its name in Rust.
pub(super) fn method(name: &str, of: ScalarType) -> Option<&'static Function> {
    let element = Type::Scalar(of);
    let wide = if of.size() == 8 { "ulong" } else { "uint" };
    let filled = |text: &str| text.replace("$T", of.c_name()).replace("$WIDE", wide);
    if name == "trailing_zeros" {
        let bits = integer(8 * of.size() as u128, ScalarType::U32);
        let text =
            filled(TRAILING_ZEROS).replace("$BITS", &bits).replace("$UNSIGNED", of.unsigned().c_name());
        return Some(of_values(name, 1, &element, Type::Scalar(ScalarType::U32), &text));
    }
    let table = if of.is_float() { OF_FLOATS } else { OF_INTEGERS };
    let &(_, arity, text) = table.iter().find(|(method, ..)| *method == name)?;
    if !text.contains("$REMAINDER") {
        return Some(of_values(name, arity, &element, element.clone(), &filled(text)));
    }
    let (quotient, rest) = (divide(of), remainder(of));
    let text = filled(text).replace("$DIVIDE", &quotient.name).replace("$REMAINDER", &rest.name);
    let parameters = vec![Parameter::Value(element.clone()); arity];
    let name = format!("{name}_{}", element.rust_name());
    Some(keep(Function::new(&name, parameters, element, &text, vec![quotient, rest], Vec::new())))
}
