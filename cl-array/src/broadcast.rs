//! Broadcasting of lazy arrays, by NumPy's rules: to the shape of all operands, and to the shape of an output.

use crate::expr::ArrayExpr;
use crate::rank::{Broadcast, Rank};
use cl_algo::ranked::{self, AxisMap};
use cl_algo::{Expr, Item};
use cl_core::Error;

/// The larger rank of two, as a type.
pub(crate) type Joint<const N: usize, const M: usize> = <Rank<N> as Broadcast<Rank<M>>>::Rank;

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the result of an operation on this and another expression. `operation` is the name in errors.
    pub(crate) fn join<U: Item, R: Item, const M: usize>(
        self,
        other: ArrayExpr<'a, U, M>,
        operation: &'static str,
        apply: impl FnOnce(Expr<'a, T>, Expr<'a, U>) -> Expr<'a, R>,
    ) -> <Rank<N> as Broadcast<Rank<M>>>::Expr<'a, R>
    where
        Rank<N>: Broadcast<Rank<M>>,
    {
        let (shape, failure) = match ranked::broadcast(operation, &self.shape(), &other.shape()) {
            Ok(shape) => (shape, None),
            Err(error) => (vec![0; N.max(M)], Some(error)),
        };
        let expr = apply(self.repeated(&shape), other.repeated(&shape));
        let expr = match failure {
            Some(error) => expr.failed(error),
            None => expr,
        };
        <Rank<N> as Broadcast<Rank<M>>>::expr(expr, &shape)
    }

    /// Returns the result of an operation on three expressions; see [`join`](ArrayExpr::join).
    pub(crate) fn join_three<U: Item, V: Item, R: Item, const A: usize, const B: usize>(
        self,
        second: ArrayExpr<'a, U, A>,
        third: ArrayExpr<'a, V, B>,
        operation: &'static str,
        apply: impl FnOnce(Expr<'a, T>, Expr<'a, U>, Expr<'a, V>) -> Expr<'a, R>,
    ) -> <Joint<N, A> as Broadcast<Rank<B>>>::Expr<'a, R>
    where
        Rank<N>: Broadcast<Rank<A>>,
        Joint<N, A>: Broadcast<Rank<B>>,
    {
        let two = ranked::broadcast(operation, &self.shape(), &second.shape());
        let three = two.and_then(|two| ranked::broadcast(operation, &two, &third.shape()));
        let (shape, failure) = match three {
            Ok(shape) => (shape, None),
            Err(error) => (vec![0; N.max(A).max(B)], Some(error)),
        };
        let expr = apply(self.repeated(&shape), second.repeated(&shape), third.repeated(&shape));
        let expr = match failure {
            Some(error) => expr.failed(error),
            None => expr,
        };
        <Joint<N, A> as Broadcast<Rank<B>>>::expr(expr, &shape)
    }

    /// Returns the computation of each element of this array, broadcast to `shape`, whose last axes are those of this
    /// array.
    pub(crate) fn repeated(self, shape: &[usize]) -> Expr<'a, T> {
        let (own, ahead) = (self.shape(), shape.len().saturating_sub(N));
        let is_repeated = |axis: usize| own[axis] == 1 && shape[ahead + axis] != 1;
        if !(0..N).any(is_repeated) {
            return self.into_inner();
        }
        // A coordinate along an axis that is repeated is 0.
        let axes: [AxisMap; N] = std::array::from_fn(|axis| {
            if is_repeated(axis) { AxisMap::at(0) } else { AxisMap::whole(axis + ahead) }
        });
        self.into_inner().at_coordinates(&axes, shape.len())
    }

    pub(crate) fn broadcast_as<const M: usize>(
        self,
        operation: &'static str,
        to: [usize; M],
    ) -> ArrayExpr<'a, T, M> {
        let own = self.shape();
        let fits = M >= N && own.iter().zip(&to[M - N..]).all(|(&own, &to)| own == to || own == 1);
        if !fits {
            let reason = format!("an expression of shape {own:?} cannot be broadcast to shape {to:?}");
            return ArrayExpr::lazy(self.into_inner(), to).failed(Error::invalid_input(operation, reason));
        }
        ArrayExpr::lazy(self.repeated(&to), to)
    }

    /// Returns the expression, broadcast to the shape of an array that it is assigned to. As in NumPy, it may have more axes
    /// than the array if the first of them have length 1.
    pub(crate) fn broadcast_into<const M: usize>(
        self,
        operation: &'static str,
        to: [usize; M],
    ) -> ArrayExpr<'a, T, M> {
        let own = self.shape();
        let ahead = N.saturating_sub(M);
        let fits = |axis: usize| match axis.checked_sub(ahead) {
            None => own[axis] == 1,
            Some(at) => own[axis] == to[at] || own[axis] == 1,
        };
        if ahead == 0 || !(0..N).all(fits) {
            return self.broadcast_as(operation, to);
        }
        let axes: [AxisMap; N] = std::array::from_fn(|axis| match axis.checked_sub(ahead) {
            Some(at) if own[axis] == to[at] => AxisMap::whole(at),
            _ => AxisMap::at(0),
        });
        self.at(&axes, to)
    }
}
