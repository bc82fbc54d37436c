//! One operator of a primitive type as OpenCL C text, with Rust's meaning and without undefined
//! behaviour: signed values are computed as unsigned ones, which wrap.
//!
//! Operands are texts that can stand beside any operator; so are results.

use super::device_type::Type;
use super::tree::{Binary, Unary};
use super::{Function, helpers, parts};
use crate::element::ScalarType;

/// A C expression, and the helper that it calls.
pub(super) struct Text(pub(super) String, pub(super) Option<&'static Function>);

impl Text {
    pub(super) fn plain(text: impl Into<String>) -> Option<Text> {
        Some(Text(text.into(), None))
    }

    pub(super) fn call(function: &'static Function, arguments: &[&str]) -> Option<Text> {
        Some(Text(format!("{}({})", function.name, arguments.join(", ")), Some(function)))
    }
}

/// The unsigned type in which arithmetic of an integer type is done: C has none narrower than 32 bits.
fn unsigned(of: ScalarType) -> &'static str {
    if of.size() == 8 { "ulong" } else { "uint" }
}

/// Whether C computes with the type as it is, and wraps.
fn wraps(of: ScalarType) -> bool {
    matches!(of, ScalarType::U32 | ScalarType::U64)
}

pub(super) fn symbol(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Rem => "%",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::Shl => "<<",
        Binary::Shr => ">>",
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Eq => "==",
        Binary::Ne => "!=",
        Binary::Lt => "<",
        Binary::Le => "<=",
        Binary::Gt => ">",
        Binary::Ge => ">=",
    }
}

/// The type of an operator's result.
pub(super) fn result(op: Binary, left: &Type, right: &Type) -> Type {
    match op {
        _ if left.parts().is_some() || right.parts().is_some() => {
            parts::result(op, left, right).unwrap_or(Type::Unit)
        }
        Binary::And | Binary::Or | Binary::Eq | Binary::Ne => Type::Bool,
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => Type::Bool,
        _ => left.clone(),
    }
}

/// An operator on two values; `None` if the type has no such operator.
pub(super) fn binary(op: Binary, of: &Type, right: &Type, a: &str, b: &str) -> Option<Text> {
    if of.parts().is_some() || right.parts().is_some() {
        return parts::binary(op, of, right, a, b);
    }
    let plain = || Text::plain(format!("({a} {} {b})", symbol(op)));
    match (of, op) {
        (Type::Bool, Binary::BitAnd | Binary::BitOr) => {
            Text::plain(format!("((bool)({a} {} {b}))", symbol(op)))
        }
        (Type::Bool, Binary::BitXor) => Text::plain(format!("({a} != {b})")),
        (Type::Bool, _) if result(op, of, right) == Type::Bool => plain(),
        (Type::Scalar(_), Binary::And | Binary::Or) => None,
        (Type::Scalar(_), _) if result(op, of, right) == Type::Bool => plain(),
        (Type::Scalar(of), Binary::Add | Binary::Sub | Binary::Mul | Binary::Div) if of.is_float() => plain(),
        (Type::Scalar(of), Binary::Rem) if of.is_float() => Text::plain(format!("fmod({a}, {b})")),
        (Type::Scalar(of), _) if !of.is_float() => integers(op, *of, a, b),
        _ => None,
    }
}

fn integers(op: Binary, of: ScalarType, a: &str, b: &str) -> Option<Text> {
    let (name, wide) = (of.c_name(), unsigned(of));
    let symbol = symbol(op);
    let mask = 8 * of.size() - 1;
    match op {
        Binary::Div => Text::call(helpers::divide(of), &[a, b]),
        Binary::Rem => Text::call(helpers::remainder(of), &[a, b]),
        Binary::Shl if wraps(of) => Text::plain(format!("({a} << ((uint){b} & {mask}))")),
        Binary::Shl => Text::plain(format!("(({name})(({wide}){a} << ((uint){b} & {mask})))")),
        Binary::Shr => Text::plain(format!("(({name})({a} >> ((uint){b} & {mask})))")),
        _ if wraps(of) => Text::plain(format!("({a} {symbol} {b})")),
        Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
            Text::plain(format!("(({name})({a} {symbol} {b}))"))
        }
        _ => Text::plain(format!("(({name})(({wide}){a} {symbol} ({wide}){b}))")),
    }
}

/// An operator on one value; `None` if the type has no such operator.
pub(super) fn unary(op: Unary, of: &Type, x: &str) -> Option<Text> {
    match (op, of) {
        (Unary::Not, Type::Bool) => Text::plain(format!("(!{x})")),
        (Unary::Not, Type::Scalar(of)) if !of.is_float() => Text::plain(format!("(({})~{x})", of.c_name())),
        (Unary::Neg, Type::Scalar(of)) if of.is_float() => Text::plain(format!("(-{x})")),
        (Unary::Neg, Type::Scalar(of)) => {
            Text::plain(format!("(({})(({})0 - ({}){x}))", of.c_name(), unsigned(*of), unsigned(*of)))
        }
        (Unary::Neg, of) => parts::negative(of, x),
        _ => None,
    }
}

/// `x as T`; `None` if the types cannot be cast.
pub(super) fn cast(from: &Type, to: &Type, x: &str) -> Option<Text> {
    match (from, to) {
        _ if from == to => Text::plain(x),
        (Type::Scalar(from), Type::Scalar(to)) if from.is_float() && !to.is_float() => {
            Text::call(helpers::to_integer(*from, *to), &[x])
        }
        (Type::Scalar(_) | Type::Bool, Type::Scalar(to)) => Text::plain(format!("(({}){x})", to.c_name())),
        _ => None,
    }
}
