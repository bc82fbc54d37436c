//! Operators of integers of 128 bits in device functions.

use super::intern::keep;
use crate::element::ScalarType;
use crate::ir::function::Function;
use crate::ir::graph::Graph;
use crate::ir::op::{FunctionRef, NodeId, Op, Type};

/// A long division bit by bit, of numbers without a sign. Divisions by zero give 0, and the dividend as the remainder.
const DIVISION: &str = "($T x, $T y)
{
    const int x_below = $SIGNED && (long)x.field_high < 0, y_below = $SIGNED && (long)y.field_high < 0;
    ulong high = (ulong)x.field_high, low = x.field_low;
    ulong by_high = (ulong)y.field_high, by_low = y.field_low;
    if ((by_high | by_low) == 0) {
        if (!$REMAINDER) {
            x.field_high = 0;
            x.field_low = 0;
        }
        return x;
    }
    if (x_below) {
        low = 0 - low;
        high = ~high + (low == 0);
    }
    if (y_below) {
        by_low = 0 - by_low;
        by_high = ~by_high + (by_low == 0);
    }
    ulong rest_high = 0, rest_low = 0;
    if ((high | by_high) == 0) {
        rest_low = low % by_low;
        low /= by_low;
    } else {
        for (uint i = 0; i < 128; ++i) {
            const ulong carry = rest_high >> 63;
            rest_high = rest_high << 1 | rest_low >> 63;
            rest_low = rest_low << 1 | high >> 63;
            high = high << 1 | low >> 63;
            low <<= 1;
            if (carry != 0 || rest_high > by_high || (rest_high == by_high && rest_low >= by_low)) {
                rest_high -= by_high + (rest_low < by_low);
                rest_low -= by_low;
                low |= 1;
            }
        }
    }
    if ($REMAINDER) {
        high = rest_high;
        low = rest_low;
    }
    if (x_below != ($REMAINDER ? 0 : y_below)) {
        low = 0 - low;
        high = ~high + (low == 0);
    }
    x.field_high = ($HIGH)high;
    x.field_low = low;
    return x;
}
";

/// Adds an operation of a device function; `None` if it is not defined for the operands.
pub(super) fn operation(graph: &mut Graph<'static>, op: Op, of: &[NodeId]) -> Option<NodeId> {
    let ty = graph.ty(*of.first()?);
    match (op, ty.upper_half()) {
        (Op::Div | Op::Rem, Some(high)) => {
            let function = division(ty, high, op == Op::Rem);
            Some(graph.node(Op::Function(FunctionRef(function)), ty, of))
        }
        _ => graph.op(op, of),
    }
}

fn division(of: Type, high: Type, remainder: bool) -> &'static Function {
    let signed = high.number().is_some_and(ScalarType::is_signed);
    let definition = DIVISION
        .replace("$T", &of.c_name())
        .replace("$SIGNED", if signed { "1" } else { "0" })
        .replace("$REMAINDER", if remainder { "1" } else { "0" })
        .replace("$HIGH", &high.c_name());
    let name = if remainder { "remainder" } else { "quotient" };
    keep(Function::new(&format!("{name}_{}", of.rust_name()), vec![of, of], of, &definition, Vec::new()))
}
