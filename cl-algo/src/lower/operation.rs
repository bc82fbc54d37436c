//! One operation as OpenCL C text, for single items and for packs of them.
//!
//! Integer arithmetic wraps around, as documented on [`Number`](crate::Number). Signed overflow is undefined in C, so
//! signed values are computed as unsigned ones.

use super::builtin::call;
use super::value_type::{ValueType, stored_name};
use super::{number, structs};
use crate::element::{ElementType, ScalarType};
use crate::expr::Rounding;
use crate::ir::function::Function;
use crate::ir::op::{Op, Type};

/// A value in generated code.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) text: String,
    pub(crate) ty: ValueType,
    /// The bits of a constant.
    pub(crate) constant: Option<u64>,
}

impl Operand {
    /// Returns a single item.
    pub(crate) fn item(text: String, ty: Type, op: Op) -> Operand {
        Operand::new(text, ValueType::item(ty), op)
    }

    /// Returns the value of an operation.
    pub(crate) fn new(text: String, ty: ValueType, op: Op) -> Operand {
        let constant = if let Op::Constant(bits) = op { Some(bits) } else { None };
        Operand { text, ty, constant }
    }

    /// Returns whether the divisor is a positive constant, so that a division need not check it.
    fn is_positive(&self) -> bool {
        self.constant.zip(self.ty.item.scalar()).is_some_and(|(bits, of)| number::is_positive(bits, of))
    }
}

/// Returns whether the text of an operation on single items mentions an operand more than once. Device functions then
/// call a function whose body is the operation.
pub(crate) fn repeats(op: Op, ty: Type, operands: &[Operand]) -> bool {
    let has_arrays =
        |ty: Type| matches!(ty, Type::Element(ElementType::Struct(of)) if structs::has_arrays(of));
    match (op, operands) {
        (Op::Div | Op::Rem, [_, b]) if ty.number().is_some_and(|of| !of.is_float()) => !b.is_positive(),
        (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Neg | Op::Eq | Op::Ne, _) => {
            operands.iter().any(|operand| operand.ty.item.parts().is_some())
        }
        (Op::Cast, [from]) => from.ty.is_float() && !ValueType::item(ty).is_float(),
        (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Call(_), [first, ..]) => first.ty.item.is_wide(),
        (Op::Make, _) => has_arrays(ty),
        (Op::Field(_), [whole]) => has_arrays(whole.ty.item) && ty.parts().is_some(),
        _ => false,
    }
}

/// Returns the operation on the given operands, which are names, or terms that can stand beside any operator.
/// Leaves and the index arithmetic of views are not written here, but in [`Body`](super::body::Body), which
/// knows their slots.
pub(crate) fn apply(op: Op, ty: ValueType, operands: &[Operand]) -> String {
    if let (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem, [a, b]) = (op, operands)
        && (is_scalar(a) != is_scalar(b))
        && ty.item.scalar().is_none()
    {
        return with_scalar(op, ty, a, b);
    }
    let texts: Vec<&str> = operands.iter().map(|operand| operand.text.as_str()).collect();
    let first = operands.first().map_or(ty, |operand| operand.ty);
    match (op, &texts[..]) {
        (Op::Add, [a, b]) => wrapping(ty, "+", a, b),
        (Op::Sub, [a, b]) => wrapping(ty, "-", a, b),
        (Op::Mul, [a, b]) if ty.item.is_complex() => format!("complex_multiply({a}, {b})"),
        (Op::Mul, [a, b]) => wrapping(ty, "*", a, b),
        (Op::Div, [a, b]) if ty.item.is_complex() => format!("complex_divide({a}, {b})"),
        (Op::Div, [a, b]) if ty.is_float() => format!("{a} / {b}"),
        (Op::Div | Op::Rem, [a, b]) if operands[1].is_positive() => {
            let quotient = format!("{a} {} {b}", op.symbol());
            if ty.count() == 1 { format!("({})({quotient})", ty.name()) } else { quotient }
        }
        (Op::Div, [a, b]) => divide(ty, a, b),
        (Op::Rem, [a, b]) if ty.item.is_complex() => format!("complex_remainder({a}, {b})"),
        (Op::Rem, arguments) if ty.is_float() => call("fmod", ty, arguments),
        (Op::Rem, [a, b]) => remainder(ty, a, b),
        (Op::Neg, [a]) => negate(ty, a),
        (Op::Not, [a]) if ty.is_bool() && ty.width == 1 => format!("!{a}"),
        (Op::Not, [a]) => format!("~{a}"),
        (Op::BitAnd | Op::BitOr | Op::BitXor, [a, _]) => {
            format!("{a} {} {}", op.symbol(), as_mask(&operands[1], ty))
        }
        (Op::And | Op::Or, [a, b]) => format!("({a} {} {b})", op.symbol()),
        (Op::Shl | Op::Shr, [a, b]) if ty.count() > 1 && operands[1].ty.scalar() != ty.scalar() => {
            shift(op, ty, a, &format!("convert_{}({b})", ty.name()))
        }
        (Op::Shl | Op::Shr, [a, b]) => shift(op, ty, a, b),
        (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge, [a, _]) => {
            compare(op, a, &as_mask(&operands[1], first), first)
        }
        (Op::Select, [condition, _, _]) if ty.width == 1 => {
            format!("({condition} ? {} : {})", texts[1], texts[2])
        }
        (Op::Select, [_, yes, _]) => {
            let mask = ValueType { mask: ty.scalar().map_or(ty.mask, ScalarType::signed), ..operands[0].ty };
            let no = as_mask(&operands[2], ty);
            format!("select({no}, {yes}, {})", as_mask(&operands[0], mask))
        }
        (Op::Cast, [a]) => cast(first, ty, a),
        (Op::Convert(rounding, saturated), [a]) => convert(first, ty, a, rounding, saturated),
        (Op::Rounded(format), [a]) => format!("rounded_to_{}({a})", format.name()),
        (Op::Bitcast, [a]) => format!("as_{}({a})", ty.name()),
        (Op::Call("min"), [a, b]) if ty.item.is_wide() => format!("({} ? {b} : {a})", structs::less(b, a)),
        (Op::Call("max"), [a, b]) if ty.item.is_wide() => format!("({} ? {b} : {a})", structs::less(a, b)),
        (Op::Call("clamp"), [a, low, high]) if ty.item.is_wide() => {
            let (below, above) = (structs::less(a, low), structs::less(high, a));
            format!("({below} ? {low} : {above} ? {high} : {a})")
        }
        (Op::Call(name @ ("min" | "max")), [a, _]) if ty.is_bool() => {
            format!("{a} {} {}", if name == "min" { "&" } else { "|" }, as_mask(&operands[1], ty))
        }
        (Op::Call("clamp"), [a, _, _]) if ty.is_bool() => {
            format!("({a} | {}) & {}", as_mask(&operands[1], ty), as_mask(&operands[2], ty))
        }
        (Op::Call(name) | Op::Pair(&(name, _)), arguments) => call(name, ty, arguments),
        (Op::Test(name), arguments) => {
            let call = format!("{name}({})", arguments.join(", "));
            if ty.width == 1 { format!("({call} != 0)") } else { call }
        }
        (Op::Component(at), [a]) => format!("{a}.s{at:x}"),
        (Op::Constant(bits), _) => number::constant(ty, bits),
        // A negative number, converted to an unsigned type, becomes too large.
        (Op::Checked(site), [at, bound]) => {
            format!("checked_index(fault, {}u, (ulong)({at}), {bound})", site as u32)
        }
        (Op::Writable(site), [at, bound]) => {
            format!("may_write(fault, {}u, (ulong)({at}), {bound})", site as u32)
        }
        (Op::Trusted, [at]) => format!("(INDEX)({at})"),
        (Op::Item, [whole, at]) => match first.item {
            Type::Slice(element) => load(element, whole, at),
            _ => format!("{whole}.v[{at}]"),
        },
        (Op::Len, [slice]) => format!("{slice}_len"),
        (Op::Function(function), arguments) => called(function.0, arguments),
        (Op::OrElse(function), [condition, value, arguments @ ..]) => {
            format!("{condition} ? {value} : {}", called(function.0, arguments))
        }
        (Op::Field(at), [whole]) => match first.item {
            Type::Element(ElementType::Struct(of)) => structs::read(of, at as usize, whole),
            _ => String::new(), // only structs have fields
        },
        (Op::Make, parts) => match ty.item {
            Type::Element(ElementType::Struct(of)) => structs::make(of, parts),
            Type::Array(..) => format!("({}){{{{{}}}}}", ty.name(), parts.join(", ")),
            _ => format!("({})({})", ty.name(), parts.join(", ")),
        },
        _ => String::new(),
    }
}

/// Returns the call of a function.
fn called(function: &Function, arguments: &[&str]) -> String {
    let fault = if function.checks_indices { " FAULT_ARGUMENT" } else { "" };
    format!("{}({}{fault})", function.name, arguments.join(", "))
}

/// Returns the text of the operand. A pack of `bool`s is a vector of masks, and is converted to masks as wide
/// as those of `ty`.
pub(crate) fn as_mask(operand: &Operand, ty: ValueType) -> String {
    if !operand.ty.is_bool() || operand.ty.width == 1 || operand.ty.mask == ty.mask {
        return operand.text.clone();
    }
    format!("convert_{}{}({})", ty.mask.c_name(), operand.ty.width, operand.text)
}

/// Returns the mask type of an operation's result, if that is a pack of `bool`s.
pub(crate) fn mask_of(op: Op, operands: &[Operand]) -> ScalarType {
    let of = |at: usize| operands.get(at).and_then(|operand| operand.ty.scalar());
    let wanted = if op == Op::Select { of(1) } else { of(0) };
    wanted.map_or(ScalarType::I8, ScalarType::signed)
}

/// Returns the element at an index of a vector in memory.
pub(crate) fn load(element: ElementType, pointer: &str, index: &str) -> String {
    match element {
        ElementType::Vector(_, 3) => format!("vload3({index}, {pointer})"),
        ElementType::BOOL => format!("({pointer}[{index}] != 0)"),
        _ => format!("{pointer}[{index}]"),
    }
}

/// Returns the pointer to a vector in memory, cast to elements of another type.
pub(crate) fn reinterpreted(pointer: &str, element: ElementType) -> String {
    format!("((global const {} *){pointer})", stored_name(element))
}

/// Returns a sum, difference or product.
pub(super) fn wrapping(ty: ValueType, symbol: &str, a: &str, b: &str) -> String {
    if ty.is_float() {
        return format!("{a} {symbol} {b}");
    }
    let (Some(scalar), name) = (ty.scalar(), ty.name()) else { return String::new() };
    if ty.count() == 1 && scalar.size() < 4 {
        // C widens small operands to `int`; the product of two `ushort` can overflow it.
        return format!("({name})((uint){a} {symbol} (uint){b})");
    }
    if !ty.is_signed() {
        return format!("{a} {symbol} {b}");
    }
    let unsigned = ty.name_as(scalar.unsigned());
    format!("as_{name}(as_{unsigned}({a}) {symbol} as_{unsigned}({b}))")
}

fn negate(ty: ValueType, a: &str) -> String {
    if ty.is_float() { format!("-{a}") } else { wrapping(ty, "-", &ty.constant(0), a) }
}

/// Returns an integer division that never traps: x / 0 = 0, and MIN / -1 = MIN.
fn divide(ty: ValueType, a: &str, b: &str) -> String {
    let (zero, one) = (ty.constant(0), ty.constant(1));
    let minus_one = ty.constant(-1);
    if ty.count() == 1 {
        let name = ty.name();
        let negated = negate(ty, a);
        let quotient = format!("({name})({a} / {b})");
        return match ty.is_signed() {
            true => format!("({b} == 0 ? {zero} : {b} == -1 ? {negated} : {quotient})"),
            false => format!("({b} == 0 ? {zero} : {quotient})"),
        };
    }
    if ty.is_signed() {
        let safe = format!("select({b}, {one}, ({b} == {zero}) | ({b} == {minus_one}))");
        let quotient = format!("select({a} / {safe}, {zero}, {b} == {zero})");
        format!("select({quotient}, {}, {b} == {minus_one})", negate(ty, a))
    } else {
        format!("select({a} / select({b}, {one}, {b} == {zero}), {zero}, {b} == {zero})")
    }
}

/// Returns the remainder that fits [`divide`]: x % 0 = x, and MIN % -1 = 0.
fn remainder(ty: ValueType, a: &str, b: &str) -> String {
    let (zero, one) = (ty.constant(0), ty.constant(1));
    let minus_one = ty.constant(-1);
    if ty.count() == 1 {
        let name = ty.name();
        let rest = format!("({name})({a} % {b})");
        return match ty.is_signed() {
            true => format!("({b} == 0 ? {a} : {b} == -1 ? {zero} : {rest})"),
            false => format!("({b} == 0 ? {a} : {rest})"),
        };
    }
    let unsafe_divisor = match ty.is_signed() {
        true => format!("({b} == {zero}) | ({b} == {minus_one})"),
        false => format!("{b} == {zero}"),
    };
    // x % 1 is 0, which is also right for -1.
    let rest = format!("({a} % select({b}, {one}, {unsafe_divisor}))");
    format!("select({rest}, {a}, {b} == {zero})")
}

/// Returns a shift by a count modulo the width, as Rust's `wrapping_shl` computes; C leaves other counts undefined.
fn shift(op: Op, ty: ValueType, a: &str, b: &str) -> String {
    let (Some(scalar), name) = (ty.scalar(), ty.name()) else { return String::new() };
    let count = format!("({b} & {})", ty.constant(8 * scalar.size() as i32 - 1));
    match (op, ty.is_signed()) {
        (Op::Shl, true) => {
            let unsigned = ty.name_as(scalar.unsigned());
            match ty.count() {
                1 if scalar.size() < 4 => format!("({name})((uint){a} << {count})"),
                // The count of a single item may have another size.
                1 => format!("as_{name}(as_{unsigned}({a}) << {count})"),
                _ => format!("as_{name}(as_{unsigned}({a}) << as_{unsigned}({count}))"),
            }
        }
        (Op::Shl, false) => format!("({name})({a} << {count})"),
        _ => format!("({name})({a} >> {count})"),
    }
}

fn compare(op: Op, a: &str, b: &str, of: ValueType) -> String {
    // In masks true is -1, which is less than false.
    let op = match op {
        Op::Lt if is_mask(of) => Op::Gt,
        Op::Le if is_mask(of) => Op::Ge,
        Op::Gt if is_mask(of) => Op::Lt,
        Op::Ge if is_mask(of) => Op::Le,
        op => op,
    };
    match op {
        Op::Lt if of.item.is_wide() => structs::less(a, b),
        Op::Gt if of.item.is_wide() => structs::less(b, a),
        Op::Le if of.item.is_wide() => format!("!{}", structs::less(b, a)),
        Op::Ge if of.item.is_wide() => format!("!{}", structs::less(a, b)),
        Op::Eq => equal(a, b, of),
        Op::Ne if of.item.scalar().is_none() => format!("!{}", equal(a, b, of)),
        _ => format!("({a} {} {b})", op.symbol()),
    }
}

/// Returns the term for `==`. Vectors, complex numbers and structs are equal if all components or fields are.
pub(super) fn equal(a: &str, b: &str, of: ValueType) -> String {
    match of.item {
        Type::Element(ElementType::Complex(_) | ElementType::Vector(..)) => format!("(all({a} == {b}) != 0)"),
        Type::Element(ElementType::Struct(of)) => structs::equal(of, a, b),
        _ => format!("({a} == {b})"),
    }
}

fn is_mask(ty: ValueType) -> bool {
    ty.is_bool() && ty.width > 1
}

fn is_scalar(operand: &Operand) -> bool {
    operand.ty.item.scalar().is_some()
}

/// Returns an operation on a scalar and a vector or a complex number.
fn with_scalar(op: Op, ty: ValueType, a: &Operand, b: &Operand) -> String {
    if ty.item.is_complex() && (op == Op::Mul || (op == Op::Div && is_scalar(b))) {
        // Component by component. As a complex number the scalar would have an imaginary zero, and that times infinity
        // is NaN.
        return format!("{} {} {}", a.text, if op == Op::Mul { "*" } else { "/" }, b.text);
    }
    if ty.item.is_complex() && op == Op::Rem && is_scalar(b) {
        // Component by component as well: as the host computes it, and exactly.
        return call("fmod", ty, &[&a.text, &format!("({})({})", ty.name(), b.text)]);
    }
    if matches!(op, Op::Div | Op::Rem) && !ty.is_float() && is_scalar(b) && !b.is_positive() {
        return divide_by_scalar(op, ty, &a.text, &b.text);
    }
    // The imaginary zero that does not change the sum: 0 + -0 is 0, and -0 + -0 is -0.
    let imaginary = if op == Op::Add { "-0.0f" } else { "0" };
    let widened = |operand: &Operand| match is_scalar(operand) {
        true => Operand { text: widen(ty, &operand.text, imaginary), ty, constant: None },
        false => operand.clone(),
    };
    apply(op, ty, &[widened(a), widened(b)])
}

/// Returns [`divide`] or [`remainder`] of a vector by a scalar, which is compared once for all components. NVIDIA's
/// compiler (driver 580) crashes if a vector is compared in the unrolled loop of a device function.
fn divide_by_scalar(op: Op, ty: ValueType, a: &str, b: &str) -> String {
    let unsafe_divisor = if ty.is_signed() { format!("{b} == 0 || {b} == -1") } else { format!("{b} == 0") };
    let divisor = widen(ty, &format!("{unsafe_divisor} ? 1 : {b}"), "0");
    let zero = ty.constant(0);
    match op {
        // x % 1 is 0, which is also right for -1.
        Op::Rem => format!("({b} == 0 ? {a} : {a} % {divisor})"),
        _ if ty.is_signed() => {
            format!("({b} == 0 ? {zero} : {b} == -1 ? {} : {a} / {divisor})", negate(ty, a))
        }
        _ => format!("({b} == 0 ? {zero} : {a} / {divisor})"),
    }
}

/// Returns a scalar as a vector with equal components, or as a complex number.
fn widen(to: ValueType, a: &str, imaginary: &str) -> String {
    let part = to.scalar().map_or("", ScalarType::c_name);
    let imaginary = if to.item.is_complex() { format!(", {imaginary}") } else { String::new() };
    format!("({})(({part})({a}){imaginary})", to.name())
}

/// Returns the conversion of Rust's `as`.
fn cast(from: ValueType, to: ValueType, a: &str) -> String {
    let name = to.name();
    match to.item {
        Type::Element(ElementType::Vector(..)) if from.count() > 1 => {
            return match (from.is_float(), to.is_float()) {
                (true, false) => to_integers(from, to, "", a),
                _ => format!("convert_{name}({a})"),
            };
        }
        Type::Element(ElementType::Vector(..) | ElementType::Complex(_)) => return widen(to, a, "0"),
        _ => {}
    }
    if from.is_bool() && from.width > 1 {
        // Masks are 0 and -1.
        return format!("convert_{name}(-{a})");
    }
    match (from.is_float(), to.is_float()) {
        (true, false) => to_integers(from, to, "", a),
        _ if to.width == 1 && !from.is_float() && !to.is_float() => format!("({name})({a})"),
        _ if from.is_bool() => format!("({name})({a})"),
        _ => format!("convert_{name}({a})"),
    }
}

/// Returns floats converted to integers: rounded, towards zero without a suffix, then clamped to the range of the type.
///
/// NaN becomes 0 explicitly, as OpenCL recommends. The result is replaced, and NaN is found by its bits: for
/// `convert_uchar_sat(x == x ? x : 0)`, an H200 gave 128 for a NaN of `f64`, as its instruction for conversions does.
fn to_integers(from: ValueType, to: ValueType, rounding: &str, a: &str) -> String {
    let (name, from) = (to.name(), from.name());
    let float = from.trim_end_matches(|c: char| c.is_ascii_digit());
    let (bits, without_sign, infinity) = match float {
        "half" => ("ushort", "0x7fff", "0x7c00"),
        "float" => ("uint", "0x7fffffff", "0x7f800000"),
        _ => ("ulong", "0x7fffffffffffffff", "0x7ff0000000000000"),
    };
    let lanes = &from[float.len()..];
    let is_number =
        format!("((as_{bits}{lanes}({a}) & ({bits}{lanes})({without_sign})) <= ({bits}{lanes})({infinity}))");
    let mask = if lanes.is_empty() {
        format!("({name})(-{is_number})")
    } else {
        format!("convert_{name}{is_number}")
    };
    format!("(convert_{name}_sat{rounding}({a}) & {mask})")
}

fn convert(from: ValueType, to: ValueType, a: &str, rounding: Rounding, saturated: bool) -> String {
    if from.is_bool() {
        return cast(from, to, a);
    }
    let rounding = match rounding {
        Rounding::Default => "",
        Rounding::NearestEven => "_rte",
        Rounding::TowardsZero => "_rtz",
        Rounding::Up => "_rtp",
        Rounding::Down => "_rtn",
    };
    if saturated && from.is_float() && !to.is_float() {
        return to_integers(from, to, rounding, a);
    }
    let saturated = if saturated { "_sat" } else { "" };
    format!("convert_{}{saturated}{rounding}({a})", to.name())
}
