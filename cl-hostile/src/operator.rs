//! Operators of two values.

use cl_algo::prelude::*;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Min,
    Max,
    /// The left value if it is less than the right one, else 7.
    Less,
}

impl Op {
    pub(crate) fn on_host(self, x: i32, y: i32) -> i32 {
        match self {
            Op::Add => x.wrapping_add(y),
            Op::Sub => x.wrapping_sub(y),
            Op::Mul => x.wrapping_mul(y),
            Op::Min => x.min(y),
            Op::Max => x.max(y),
            Op::Less => {
                if x < y {
                    x
                } else {
                    7
                }
            }
        }
    }

    pub(crate) fn on_device<'w>(self, x: Expr<'w, i32>, y: Expr<'w, i32>) -> Expr<'w, i32> {
        match self {
            Op::Add => x + y,
            Op::Sub => x - y,
            Op::Mul => x * y,
            Op::Min => x.min(y),
            Op::Max => x.max(y),
            Op::Less => x.clone().lt(y).select(x, 7),
        }
    }

    pub(crate) fn of_values(self, x: Val<i32>, y: Val<i32>) -> Val<i32> {
        match self {
            Op::Add => x + y,
            Op::Sub => x - y,
            Op::Mul => x * y,
            Op::Min => x.min(y),
            Op::Max => x.max(y),
            Op::Less => x.lt(y).select(x, 7),
        }
    }
}
