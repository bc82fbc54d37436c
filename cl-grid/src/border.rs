//! Rules for reading beyond the borders of a grid.

use crate::formula::{Formula, GridNumber, Kind, Node, OwnValues};
use crate::region::Span;
use cl_array::Pad;
use cl_core::Error;

/// A rule for the values of a function beyond the borders of its grid.
///
/// | rule | values beyond the ends of `a b c d` | boundary condition |
/// | --- | --- | --- |
/// | [`Value`](BorderRule::Value) | `v v a b c d v v` | Dirichlet |
/// | [`Function`](BorderRule::Function) | `g g a b c d g g` | Dirichlet, with a function of the point |
/// | [`Edge`](BorderRule::Edge) | `a a a b c d d d` | clamp; Neumann in cells, for a reach of 1 |
/// | [`Reflect`](BorderRule::Reflect) | `c b a b c d c b` | Neumann, the border on the last point |
/// | [`Symmetric`](BorderRule::Symmetric) | `b a a b c d d c` | Neumann, the border half a step beyond the last point |
/// | [`Antisymmetric`](BorderRule::Antisymmetric) | `-b -a a b c d -d -c` | zero, half a step beyond the last point |
/// | [`Periodic`](BorderRule::Periodic) | `c d a b c d a b` | periodic |
///
/// The rules of several axes apply one after the other, from axis 0 on. All rules reach as far as they are read, also further
/// than the grid is long; `Reflect` repeats the value of a single point.
///
/// One kernel evaluates all points, and computes those that read nothing beyond a border without the rules.
#[derive(Debug)]
#[non_exhaustive]
pub enum BorderRule<'a, T: GridNumber, const N: usize> {
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
    /// As [`Symmetric`](BorderRule::Symmetric), with the sign changed.
    Antisymmetric,
    /// The values from the other end.
    Periodic,
}

impl<T: GridNumber, const N: usize> Clone for BorderRule<'_, T, N> {
    fn clone(&self) -> Self {
        match self {
            BorderRule::Value(value) => BorderRule::Value(*value),
            BorderRule::Function(function) => BorderRule::Function(function.clone()),
            BorderRule::Edge => BorderRule::Edge,
            BorderRule::Reflect => BorderRule::Reflect,
            BorderRule::Symmetric => BorderRule::Symmetric,
            BorderRule::Antisymmetric => BorderRule::Antisymmetric,
            BorderRule::Periodic => BorderRule::Periodic,
        }
    }
}

impl<'a, T: GridNumber, const N: usize> BorderRule<'a, T, N> {
    /// Returns the rule for values of the formula itself, and the function whose values replace these.
    fn into_parts(self) -> (OwnValues<T>, Option<Formula<'a, T, N>>) {
        let (pad, alternates, function) = match self {
            BorderRule::Value(value) => (Pad::Constant(value), false, None),
            BorderRule::Function(function) => (Pad::Edge, false, Some(function)),
            BorderRule::Edge => (Pad::Edge, false, None),
            BorderRule::Reflect => (Pad::Reflect, false, None),
            BorderRule::Symmetric => (Pad::Symmetric, false, None),
            BorderRule::Antisymmetric => (Pad::Symmetric, true, None),
            BorderRule::Periodic => (Pad::Wrap, false, None),
        };
        (OwnValues { pad, alternates }, function)
    }
}

impl<'a, T: GridNumber, const N: usize> Formula<'a, T, N> {
    /// Continues the function beyond all borders of its grid by a rule, so that neighbours there can be read. See
    /// [`BorderRule`].
    ///
    /// A function without a value somewhere on the grid, a function that fits every grid, and a border by a function on
    /// another grid are deferred errors.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let f = Array::from_slice(&queue, [3], &[1.0_f32, 2.0, 4.0])?;
    /// let sums = Operator::new(|at| at([-1]) + at([1]));
    /// assert_eq!(sums.of(Formula::from(&f).border(BorderRule::Value(10.0))).to_vec()?, [12.0, 5.0, 12.0]);
    /// assert_eq!(sums.of(Formula::from(&f).border(BorderRule::Periodic)).to_vec()?, [6.0, 5.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn border(self, border: BorderRule<'a, T, N>) -> Formula<'a, T, N> {
        (0..N).fold(self, |formula, axis| formula.border_axis(axis, border.clone()))
    }

    /// Continues the function beyond the two ends of one axis by a rule. See [`border`](Formula::border).
    pub fn border_axis(self, axis: usize, border: BorderRule<'a, T, N>) -> Formula<'a, T, N> {
        let Node { shape, mut domain, ref failure, .. } = *self.node;
        let mut failure = failure.clone();
        let fails = match shape {
            _ if axis >= N => Some(format!("axis {axis} of a grid of {N} axes")),
            None => Some("the function fits every grid, and so has no border".to_owned()),
            Some(shape) if !domain.0[axis].contains(Span::new(0, shape[axis])) => Some(format!(
                "the function has no value at some points of the grid along axis {axis}: it has values in {domain} of \
                 shape {shape:?}; give its operands a border instead"
            )),
            Some(shape)
                if shape[axis] == 0 && !matches!(border, BorderRule::Value(_) | BorderRule::Function(_)) =>
            {
                Some(format!("axis {axis} of shape {shape:?} has no points to continue"))
            }
            Some(_) => None,
        };
        if let Some(reason) = fails {
            failure.get_or_insert_with(|| Error::invalid_input("border", reason));
        } else {
            domain.0[axis] = Span::EVERYWHERE;
        }
        let (own, function) = border.into_parts();
        if let Some(function) = &function {
            failure = failure.or_else(|| function.node.failure.clone());
            match (shape, function.node.shape) {
                (Some(left), Some(right)) if left != right => {
                    let reason = format!("functions on grids of shapes {left:?} and {right:?}");
                    failure.get_or_insert_with(|| Error::invalid_input("border", reason));
                }
                _ => {}
            }
            domain = domain.and(&function.node.domain);
        }
        Formula::new(Kind::Bordered { inner: self, axis, own, function }, shape, domain, failure)
    }
}
