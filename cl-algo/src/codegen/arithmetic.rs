//! One operation as OpenCL C text, for single items and for packs of them.
//!
//! Integer arithmetic wraps, as documented on [`Number`](crate::Number): signed overflow is
//! undefined in C, so signed values are computed as unsigned ones.

use crate::element::ElementType;
use crate::expr::graph::Op;

/// An element type at a width: `float`, or `float4` for packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lanes {
    pub(crate) element: ElementType,
    pub(crate) width: usize,
}

impl Lanes {
    /// The type's name.
    pub(crate) fn name(self) -> String {
        match self.width {
            1 => self.element.c_name().to_owned(),
            width => format!("{}{width}", self.element.c_name()),
        }
    }

    fn unsigned(self) -> Option<Lanes> {
        Some(Lanes { element: self.element.unsigned()?, ..self })
    }

    /// A number in every lane.
    fn constant(self, value: i32) -> String {
        format!("({})({value})", self.name())
    }
}

/// The operation on the given operands.
pub(crate) fn apply(op: Op, lanes: Lanes, operands: &[&str]) -> String {
    match (op, operands) {
        (Op::Add, [a, b]) => wrapping(lanes, "+", a, b),
        (Op::Sub, [a, b]) => wrapping(lanes, "-", a, b),
        (Op::Mul, [a, b]) => wrapping(lanes, "*", a, b),
        (Op::Div, [a, b]) if lanes.element.is_float() => format!("{a} / {b}"),
        (Op::Div, [a, b]) => divide(lanes, a, b),
        (Op::Neg, [a]) => negate(lanes, a),
        (Op::Call(name, _), arguments) => format!("{name}({})", arguments.join(", ")),
        // Leaves are written where their slots are known.
        _ => String::new(),
    }
}

fn wrapping(lanes: Lanes, symbol: &str, a: &str, b: &str) -> String {
    if lanes.element.is_float() {
        return format!("{a} {symbol} {b}");
    }
    let name = lanes.name();
    if lanes.width == 1 && lanes.element.size() < 4 {
        // C widens small operands to int, where the product of two ushort can overflow.
        return format!("({name})((uint){a} {symbol} (uint){b})");
    }
    match lanes.unsigned() {
        Some(unsigned) => {
            let unsigned = unsigned.name();
            format!("as_{name}(as_{unsigned}({a}) {symbol} as_{unsigned}({b}))")
        }
        None => format!("{a} {symbol} {b}"),
    }
}

fn negate(lanes: Lanes, a: &str) -> String {
    if lanes.element.is_float() { format!("-{a}") } else { wrapping(lanes, "-", &lanes.constant(0), a) }
}

/// Integer division where nothing can trap: x / 0 = 0, and MIN / -1 = MIN.
fn divide(lanes: Lanes, a: &str, b: &str) -> String {
    let (zero, one) = (lanes.constant(0), lanes.constant(1));
    let signed = lanes.unsigned().is_some();
    let minus_one = lanes.constant(-1);
    if lanes.width == 1 {
        let name = lanes.name();
        let negated = negate(lanes, a);
        let quotient = format!("({name})({a} / {b})");
        return match signed {
            true => format!("({b} == 0 ? {zero} : {b} == -1 ? {negated} : {quotient})"),
            false => format!("({b} == 0 ? {zero} : {quotient})"),
        };
    }
    if signed {
        let safe = format!("select({b}, {one}, ({b} == {zero}) | ({b} == {minus_one}))");
        let quotient = format!("select({a} / {safe}, {zero}, {b} == {zero})");
        format!("select({quotient}, {}, {b} == {minus_one})", negate(lanes, a))
    } else {
        format!("select({a} / select({b}, {one}, {b} == {zero}), {zero}, {b} == {zero})")
    }
}
