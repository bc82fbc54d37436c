//! Rules for reading beyond the borders of a grid.

use crate::formula::{Formula, GridNumber};

/// A rule for the values of a function beyond the borders of its grid.
///
/// | rule | values beyond the ends of `a b c d` | boundary condition |
/// | --- | --- | --- |
/// | [`Value`](Border::Value) | `v v a b c d v v` | Dirichlet |
/// | [`Function`](Border::Function) | `g g a b c d g g` | Dirichlet, with a function of the point |
/// | [`Edge`](Border::Edge) | `a a a b c d d d` | clamp; Neumann in cells, for a reach of 1 |
/// | [`Reflect`](Border::Reflect) | `c b a b c d c b` | Neumann, the border on the last point |
/// | [`Symmetric`](Border::Symmetric) | `b a a b c d d c` | Neumann, the border half a step beyond the last point |
/// | [`Antisymmetric`](Border::Antisymmetric) | `-b -a a b c d -d -c` | zero, half a step beyond the last point |
/// | [`Periodic`](Border::Periodic) | `c d a b c d a b` | periodic |
///
/// The rules of several axes apply one after the other, from axis 0 on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Border<'a, T: GridNumber, const N: usize> {
    /// This number.
    Value(T),
    /// The values of this function at the points beyond the border.
    Function(Formula<'a, T, N>),
    /// The value at the border.
    Edge,
    /// The values inside the border in reverse order, without the value at the border.
    Reflect,
    /// The values inside the border in reverse order, from the value at the border on.
    Symmetric,
    /// As [`Symmetric`](Border::Symmetric), with the sign changed.
    Antisymmetric,
    /// The values from the other end.
    Periodic,
}

impl<T: GridNumber, const N: usize> Clone for Border<'_, T, N> {
    fn clone(&self) -> Self {
        match self {
            Border::Value(value) => Border::Value(*value),
            Border::Function(function) => Border::Function(function.clone()),
            Border::Edge => Border::Edge,
            Border::Reflect => Border::Reflect,
            Border::Symmetric => Border::Symmetric,
            Border::Antisymmetric => Border::Antisymmetric,
            Border::Periodic => Border::Periodic,
        }
    }
}
