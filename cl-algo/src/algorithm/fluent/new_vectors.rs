//! New vectors as outputs of algorithms.

use crate::algorithm::moved::items_at;
use crate::expr::{Expr, Item};
use crate::ir::graph::Graph;
use crate::ir::op::NodeId;
use crate::ir::target::Stores;
use crate::sink::{Sink, sealed::Sealed};
use cl_core::{Error, Queue, Result};
use std::borrow::Cow;

/// New vectors, as a sink.
pub(in crate::algorithm) struct NewVectors<'t, T: Item>(pub(in crate::algorithm) &'t T::Vectors);

impl<T: Item> Sealed for NewVectors<'_, T> {}

impl<'t, T: Item> Sink<'t, T> for NewVectors<'t, T> {
    fn add_targets(self, roots: &[NodeId], into: &mut Stores<'_, 't>) {
        let mut targets = Vec::new();
        T::targets(self.0, &mut targets);
        for (root, target) in roots.iter().zip(targets) {
            into.put(*root, target);
        }
    }
}

/// Returns the queue and the length of the first input that has them.
pub(super) fn extent<'a>(operation: &'static str, inputs: &[&Graph<'a>]) -> Result<(Cow<'a, Queue>, usize)> {
    for input in inputs {
        input.check()?;
    }
    let extents = || inputs.iter().map(|input| input.extent());
    let Some(queue) = extents().find_map(|extent| extent.queue) else {
        let reason = "no input reads a vector, so there is no queue: give it one with `on`".to_owned();
        return Err(Error::invalid_input(operation, reason));
    };
    let Some(len) = extents().find_map(|extent| extent.len) else {
        let reason = "the input consists of scalars, so there is no length: use `take`".to_owned();
        return Err(Error::invalid_input(operation, reason));
    };
    Ok((queue, len))
}

/// Returns vectors of the first `count` items of `vectors`, whose length is `len`.
pub(super) fn shortened<T: Item>(
    queue: &Queue,
    vectors: T::Vectors,
    len: usize,
    count: usize,
) -> Result<T::Vectors> {
    if count == len {
        return Ok(vectors);
    }
    let mut targets = Vec::new();
    T::targets(&vectors, &mut targets);
    let items: Expr<'_, T> = Expr::new(items_at("collect", &targets));
    items.slice(..count).collect_on(queue)
}
