//! Division of integers by launch values: a multiplication by a number that the host computes.
//!
//! CPUs cannot divide vectors of integers, and GPUs have no integer division at all. The method is that of A. D.
//! Robison, "N-Bit Unsigned Division via N-Bit Multiply-Add", ARITH 2005, with one shift. T. Granlund and P. L.
//! Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994, figure 4.1, use two. Both, and H. S.
//! Warren, "Hacker's Delight", chapter 10, prove that the quotients are exact for all dividends and divisors. Signed
//! numbers are divided by their absolute values. A divisor of 0, which the authors exclude, gets numbers that make
//! every quotient 0.

use super::builtin::{call, long_product};
use super::operation::wrapping;
use super::value_type::ValueType;
use crate::element::ScalarType::{self, I32, I64, U32, U64};
use crate::ir::graph::Graph;
use crate::ir::leaf::Scalar;
use crate::ir::op::{Node, Op};
use cl_core::Arg;
use std::collections::BTreeSet;

/// Returns whether divisions of this type by a launch value become multiplications.
fn is_multiplied(of: ScalarType) -> bool {
    matches!(of, I32 | U32 | I64 | U64)
}

/// Returns the multiplier for a divisor, which is given by its bits, and twice the number of bits to shift by. The
/// second number is odd if the multiplier is added to the product.
pub(crate) fn numbers(divisor: u64, of: ScalarType) -> [u64; 2] {
    let bits = 8 * of.size() as u32;
    let unused = 64 - bits;
    let size = match of.is_signed() {
        true => ((divisor << unused) as i64 >> unused).unsigned_abs(),
        false => divisor,
    };
    let Some(shift) = size.checked_ilog2() else { return [0, 0] };
    let (power, size) = (1_u128 << (bits + shift), u128::from(size));
    let (down, rest) = (power / size, power % size);
    let (multiplier, is_added) = match rest {
        0 => (down - 1, true),
        rest if size - rest <= 1 << shift => (down + 1, false),
        _ => (down, true),
    };
    [multiplier as u64, u64::from(2 * shift) + u64::from(is_added)]
}

/// Returns the first statement: it declares the upper half of the product of dividend and multiplier, which [`text`]
/// mentions by its name. `numbers` is the name of the result of [`numbers`].
pub(crate) fn upper_half(name: &str, ty: ValueType, dividend: &str, numbers: &str) -> String {
    let unsigned = ty.unsigned();
    let size = match ty.scalar() {
        // Not `abs`: compilers assume that its result is positive, but for the least number that holds only after the
        // conversion to unsigned.
        Some(of) if of.is_signed() => {
            let sign = format!("as_{}({dividend} >> {})", unsigned.name(), 8 * of.size() - 1);
            format!("((as_{}({dividend}) ^ {sign}) - {sign})", unsigned.name())
        }
        _ => dividend.to_owned(),
    };
    let by = format!("({})({numbers}.x)", unsigned.name());
    let added = format!("({numbers}.x * ({numbers}.y & 1))");
    let upper = if unsigned.scalar() == Some(U32) {
        long_product(unsigned, &[&size, &by], &format!(" + {added}"))
    } else {
        let carry = format!("({size} * {by} + {added} < {added})");
        let upper = call("mul_hi", unsigned, &[&size, &by]);
        // In vectors, true is -1.
        match ty.count() {
            1 => format!("{upper} + {carry}"),
            _ => format!("{upper} - as_{}{carry}", unsigned.name()),
        }
    };
    format!("const {} {name} = {upper};", unsigned.name())
}

/// Returns the quotient or the remainder.
pub(crate) fn text(op: Op, ty: ValueType, [a, b]: [&str; 2], numbers: &str, upper: &str) -> String {
    let mut quotient = format!("({upper} >> ({numbers}.y >> 1))");
    if let (true, Some(of)) = (ty.is_signed(), ty.scalar()) {
        let sign = format!("(({a} ^ {b}) >> {})", 8 * of.size() - 1);
        quotient = wrapping(ty, "-", &format!("(as_{}{quotient} ^ {sign})", ty.name()), &sign);
    }
    match op {
        Op::Div => quotient,
        _ => wrapping(ty, "-", a, &format!("({})", wrapping(ty, "*", &quotient, b))),
    }
}

impl Scalar {
    /// Returns the two numbers by which kernels divide by this integer, in the integer's size.
    pub(crate) fn division(&self) -> Option<Arg<'static>> {
        let of = self.ty.number()?;
        let by = numbers(self.bits()?, of);
        Some(if of.size() == 8 { Arg::value(by) } else { Arg::value(by.map(|number| number as u32)) })
    }
}

/// Returns the numbers by which the function `divided` of `kernels/space.cl` divides an index by `by`.
pub(crate) fn of_index(by: usize, wide_index: bool) -> [Arg<'static>; 2] {
    if wide_index {
        numbers(by as u64, U64).map(Arg::value)
    } else {
        numbers(by as u64, U32).map(|number| Arg::value(number as u32))
    }
}

impl Graph<'_> {
    /// Returns the slot of the launch value by which an integer is divided with a multiplication.
    pub(crate) fn launched_divisor(&self, node: &Node) -> Option<u32> {
        let (Op::Div | Op::Rem, &[_, by]) = (node.op, &node.arguments[..]) else { return None };
        match (self.nodes[by as usize].op, node.ty.number()) {
            (Op::Scalar(slot), Some(of)) if is_multiplied(of) && self.ty(by) == node.ty => Some(slot),
            _ => None,
        }
    }

    /// Returns the slots of all launch values by which integers are divided, in order.
    pub(crate) fn launched_divisors(&self) -> Vec<u32> {
        let slots = self.nodes.iter().filter_map(|node| self.launched_divisor(node));
        slots.collect::<BTreeSet<u32>>().into_iter().collect()
    }
}
