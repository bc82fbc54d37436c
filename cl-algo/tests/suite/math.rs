//! The built-in functions on every device, compared with the host: integers exactly, floats within the errors that the
//! OpenCL specification allows ("Relative Error as ULPs").
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

mod complete;
mod extremes;
mod floats;
mod geometric;
mod integers;
mod logistic;
mod mixed;
mod native;
mod precise;
mod relational;

use cl_algo::Item;
use cl_algo::prelude::*;

/// Returns the values of many expressions, eight of them in each kernel, because compiling takes most of the time.
fn values<T: Element>(exprs: &[Expr<'_, T>]) -> Vec<Vec<T>> {
    let mut all = Vec::with_capacity(exprs.len() + 8);
    for some in exprs.chunks(8) {
        let at = |i: usize| some[i.min(some.len() - 1)].clone();
        let vectors = zip((at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7))).collect().unwrap();
        let (a, b, c, d, e, f, g, h) = vectors;
        all.extend([a, b, c, d, e, f, g, h].iter().take(some.len()).map(|v| v.to_vec().unwrap()));
    }
    all
}

/// Returns the values of an expression of two parts.
fn pair<A: Element, B: Element>(expr: Expr<'_, (A, B)>) -> (Vec<A>, Vec<B>)
where
    (A, B): Item<Vectors = (DeviceVec<A>, DeviceVec<B>)>,
{
    let (first, second) = expr.collect().unwrap();
    (first.to_vec().unwrap(), second.to_vec().unwrap())
}
