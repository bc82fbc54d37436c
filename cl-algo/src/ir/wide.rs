//! Operations on integers of 128 bits, made of operations on their halves.

use super::graph::Graph;
use super::op::{NodeId, Op, Type};
use crate::element::ScalarType::{self, U64};
use crate::element::wide::{HIGH, LOW};

/// The halves of an integer of 128 bits, or of a result of one.
#[derive(Clone, Copy)]
struct Halves {
    high: NodeId,
    low: NodeId,
}

/// The number of bits of a half.
const HALF: u32 = 64;

impl Graph<'_> {
    /// Adds an operation whose first operand is an integer of 128 bits; `None` if such integers do not have the operation.
    /// Results wrap around, and shifts mask their count. Divisions are missing.
    pub(super) fn wide_op(&mut self, op: Op, of: &[NodeId]) -> Option<NodeId> {
        let ty = self.ty(*of.first()?);
        // The count of a shift has a type of its own.
        let is_shift = matches!(op, Op::Shl | Op::Shr);
        if !is_shift && of.iter().any(|&operand| self.ty(operand) != ty) {
            return None;
        }
        let result = match (op, of) {
            (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge, [_, _]) => {
                return Some(self.node(op, Type::BOOL, of));
            }
            (Op::Call("min" | "max" | "clamp"), _) => return Some(self.node(op, ty, of)),
            (Op::Not, &[x]) => {
                let x = self.halves(x);
                Halves { high: self.op(op, &[x.high])?, low: self.op(op, &[x.low])? }
            }
            (Op::BitAnd | Op::BitOr | Op::BitXor, &[x, y]) => {
                let (x, y) = (self.halves(x), self.halves(y));
                Halves { high: self.op(op, &[x.high, y.high])?, low: self.op(op, &[x.low, y.low])? }
            }
            (Op::Add | Op::Sub, &[x, y]) => {
                let (x, y) = (self.halves(x), self.halves(y));
                self.wide_sum(op, x, y)?
            }
            (Op::Neg, &[x]) => {
                let x = self.halves(x);
                let high = self.ty(x.high);
                let zero = Halves { high: self.node(Op::Constant(0), high, &[]), low: self.number(0.0, U64) };
                self.wide_sum(Op::Sub, zero, x)?
            }
            (Op::Mul, &[x, y]) => {
                let (x, y) = (self.halves(x), self.halves(y));
                self.wide_product(x, y)?
            }
            (Op::Shl | Op::Shr, &[x, count]) => {
                let x = self.halves(x);
                self.wide_shift(op, x, count)?
            }
            _ => return None,
        };
        Some(self.made_of_halves(result, ty))
    }

    /// Adds `x as to` from or to an integer of 128 bits; `None` for floats.
    pub(super) fn wide_converted(&mut self, x: NodeId, to: Type) -> Option<NodeId> {
        let from = self.ty(x);
        if !to.is_wide() {
            to.number().filter(|to| !to.is_float())?;
            let low = self.halves(x).low;
            return self.converted(low, to);
        }
        let halves = if from.is_wide() {
            self.halves(x)
        } else {
            from.scalar().filter(|from| !from.is_float())?;
            let signed = from.number().is_some_and(ScalarType::is_signed);
            let low = self.converted(x, U64.into())?;
            let high = if signed {
                // All bits are the sign.
                let (wide, last) = (self.converted(x, U64.signed().into())?, self.number(63.0, U64.signed()));
                self.op(Op::Shr, &[wide, last])?
            } else {
                self.number(0.0, U64)
            };
            Halves { high, low }
        };
        let high_type = to.upper_half()?;
        let high = self.converted(halves.high, high_type)?;
        Some(self.made_of_halves(Halves { high, ..halves }, to))
    }

    /// Adds a constant integer of 128 bits.
    pub(crate) fn wide_constant(&mut self, value: u128, of: Type) -> Option<NodeId> {
        let high_type = of.upper_half()?;
        let high = self.node(Op::Constant((value >> HALF) as u64), high_type, &[]);
        let low = self.node(Op::Constant(value as u64), Type::from(U64), &[]);
        Some(self.made_of_halves(Halves { high, low }, of))
    }

    fn halves(&mut self, x: NodeId) -> Halves {
        let high = self.ty(x).upper_half().unwrap_or(U64.into());
        Halves {
            high: self.node(Op::Field(HIGH), high, &[x]),
            low: self.node(Op::Field(LOW), Type::from(U64), &[x]),
        }
    }

    fn made_of_halves(&mut self, halves: Halves, ty: Type) -> NodeId {
        let Halves { high, low } = halves;
        let fields = if LOW == 0 { [low, high] } else { [high, low] };
        self.node(Op::Make, ty, &fields)
    }

    /// Adds a sum, or a difference.
    fn wide_sum(&mut self, op: Op, x: Halves, y: Halves) -> Option<Halves> {
        let high_type = self.ty(x.high);
        let low = self.op(op, &[x.low, y.low])?;
        // The sum is less than each operand if it wrapped around; the minuend is less than what is subtracted.
        let carries = match op {
            Op::Add => self.op(Op::Lt, &[low, x.low])?,
            _ => self.op(Op::Lt, &[x.low, y.low])?,
        };
        let carry = self.converted(carries, high_type)?;
        let high = self.op(op, &[x.high, y.high])?;
        Some(Halves { high: self.op(op, &[high, carry])?, low })
    }

    fn wide_product(&mut self, x: Halves, y: Halves) -> Option<Halves> {
        let high_type = self.ty(x.high);
        let [x_low, y_low] = [x.low, y.low].map(|low| self.converted(low, high_type));
        let first = self.op(Op::Mul, &[x_low?, y.high])?;
        let second = self.op(Op::Mul, &[x.high, y_low?])?;
        let both = self.op(Op::Add, &[first, second])?;
        let carried = self.op(Op::Call("mul_hi"), &[x.low, y.low])?;
        let carried = self.converted(carried, high_type)?;
        let low = self.op(Op::Mul, &[x.low, y.low])?;
        Some(Halves { high: self.op(Op::Add, &[carried, both])?, low })
    }

    fn wide_shift(&mut self, op: Op, x: Halves, count: NodeId) -> Option<Halves> {
        let high_type = self.ty(x.high);
        let count = self.converted(count, U64.into())?;
        let [one, half, inside] = [1, HALF, HALF - 1].map(|number| self.number(number.into(), U64));
        let zero = self.number(0.0, U64);
        // Counts are masked by 127: the bit of 64 exchanges the halves, and the rest shifts by less than a half.
        let crosses = self.op(Op::BitAnd, &[count, half])?;
        let crosses = self.op(Op::Ne, &[crosses, zero])?;
        let count = self.op(Op::BitAnd, &[count, inside])?;
        let rest = self.op(Op::BitXor, &[count, inside])?;
        let left = op == Op::Shl;
        let (from, to) = if left { (x.low, x.high) } else { (x.high, x.low) };
        let (from_type, to_type) = (self.ty(from), self.ty(to));
        // The bits that leave one half for the other: a shift by 64 - count, in two steps, because count may be 0.
        let bits = self.converted(from, U64.into())?;
        let back = if left { Op::Shr } else { Op::Shl };
        let moved = self.op(back, &[bits, one])?;
        let moved = self.op(back, &[moved, rest])?;
        let moved = self.converted(moved, to_type)?;
        let (near, far) = (self.op(op, &[from, count])?, self.op(op, &[to, count])?);
        let joined = self.op(Op::BitOr, &[far, moved])?;
        let near_as_far = self.converted(near, to_type)?;
        // The bits behind the last one: the sign, if numbers with a sign are shifted to the right.
        let empty = if !left && high_type != U64.into() {
            let last = self.number(f64::from(HALF - 1), U64);
            self.op(Op::Shr, &[from, last])?
        } else {
            self.node(Op::Constant(0), from_type, &[])
        };
        let from = self.op(Op::Select, &[crosses, empty, near])?;
        let to = self.op(Op::Select, &[crosses, near_as_far, joined])?;
        Some(if left { Halves { high: to, low: from } } else { Halves { high: from, low: to } })
    }
}
