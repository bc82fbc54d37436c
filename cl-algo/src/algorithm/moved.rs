//! Copies of items between vectors, views and scratch memory.

use super::assign::{evaluate, fused_with};
use crate::element::ElementType;
use crate::expr::Expr;
use crate::expr::Item;
use crate::ir::graph::Graph;
use crate::ir::leaf::Vector;
use crate::ir::op::NodeId;
use crate::ir::target::{Stores, Target, TargetIndex};
use crate::sink::{Sink, sealed::Sealed};
use cl_core::{Error, Memory, Queue, Result, Scratch};

/// Returns the items that are stored at the targets, as tuples. `operation` is the name in errors.
pub(super) fn items_at<'t>(operation: &'static str, targets: &[Target<'t>]) -> Graph<'t> {
    let mut all: Option<Graph<'t>> = None;
    for target in targets {
        let Target { memory, queue, element, len, .. } = *target;
        let mut items = Graph::vector(Vector::new(memory, queue, element), len);
        if let TargetIndex::Line { stride, offset } = target.index
            && (stride, offset) != (1, 0)
        {
            items = items.at(&Graph::line_at(stride, offset), Some(len), "view");
        }
        if let Some(error) = &target.failure {
            items.fail((**error).clone());
        }
        all = Some(match all {
            Some(all) => all.zip(&items, operation),
            None => items,
        });
    }
    all.unwrap_or_default()
}

/// A sink of targets, one for each element of its items.
pub(super) struct Targets<'t>(pub(super) Vec<Target<'t>>);

impl Sealed for Targets<'_> {}

impl<'t, R: Item> Sink<'t, R> for Targets<'t> {
    fn add_targets(self, roots: &[NodeId], into: &mut Stores<'_, 't>) {
        roots.iter().zip(self.0).for_each(|(&root, target)| into.put(root, target));
    }
}

/// Copies items from some targets to others, in one kernel.
pub(super) fn copy<'t>(operation: &'static str, from: &[Target<'t>], to: Vec<Target<'t>>) -> Result<()> {
    evaluate(fused_with(operation, items_at(operation, from), to, false))
}

/// Returns scratch memory for items, a block for each of their elements.
pub(super) fn scratch<T: Item>(queue: &Queue, len: usize) -> Result<Vec<Scratch<'_>>> {
    scratch_for(queue, len, elements::<T>())
}

/// Returns a block of scratch memory for each of the elements.
pub(super) fn scratch_for(
    queue: &Queue,
    len: usize,
    elements: impl IntoIterator<Item = ElementType>,
) -> Result<Vec<Scratch<'_>>> {
    elements.into_iter().map(|element| queue.scratch(len.saturating_mul(element.size()))).collect()
}

/// Returns blocks of memory as targets.
pub(super) fn targets_in<'m>(
    queue: &'m Queue,
    memory: &[&'m Memory],
    len: usize,
    elements: impl IntoIterator<Item = ElementType>,
) -> Vec<Target<'m>> {
    let index = || TargetIndex::Line { stride: 1, offset: 0 };
    let target = |(element, memory): (ElementType, &&'m Memory)| Target {
        memory,
        queue,
        element,
        len,
        elements: len,
        index: index(),
        failure: None,
    };
    elements.into_iter().zip(memory).map(target).collect()
}

/// Returns the items that blocks of memory hold.
pub(super) fn read_from<'m, T: Item>(queue: &'m Queue, memory: &[&'m Memory], len: usize) -> Expr<'m, T> {
    Expr::new(items_at("sort_by", &targets_in(queue, memory, len, elements::<T>())))
}

/// Returns the types of the elements of an item.
pub(super) fn elements<T: Item>() -> Vec<ElementType> {
    let mut elements = Vec::with_capacity(T::count());
    T::each_element(&mut |element| elements.push(element));
    elements
}

/// Returns an element type that any device can copy: unsigned integers of the same size in place of floats. Other types
/// stay as they are, and so do structs.
pub(super) fn bits_of_floats(element: ElementType) -> ElementType {
    match element {
        ElementType::Scalar(scalar) if scalar.is_float() => ElementType::Scalar(scalar.unsigned()),
        ElementType::Vector(scalar, count) if scalar.is_float() => {
            ElementType::Vector(scalar.unsigned(), count)
        }
        ElementType::Complex(part) => ElementType::Vector(part.unsigned(), 2),
        element => element,
    }
}

/// Returns the part of some targets from `begin` on, of `len` items, in reverse order if `reversed`.
///
/// # Errors
/// [`Error::InvalidInput`] for targets that are not lines, such as scattered ones.
pub(super) fn part_of<'t>(
    targets: &[Target<'t>],
    begin: usize,
    len: usize,
    reversed: bool,
) -> Result<Vec<Target<'t>>> {
    let part = |target: &Target<'t>| {
        let Some((stride, offset)) = target.line() else {
            let reason = "a part of a scattered output: use a vector or a view".to_owned();
            return Err(Error::invalid_input("output", reason));
        };
        // A part of no items begins anywhere in the vector.
        let first = if len == 0 {
            0
        } else if reversed {
            begin + len - 1
        } else {
            begin
        };
        let index = TargetIndex::Line {
            stride: if reversed { -stride } else { stride },
            offset: offset + stride * first as i64,
        };
        Ok(Target { index, len, failure: target.failure.clone(), ..*target })
    };
    targets.iter().map(part).collect()
}

/// New vectors for intermediate items of any type, one vector for each element of an item.
///
/// ```
/// use cl_algo::codegen::StoredItems;
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // SAFETY: the assignment writes all items.
/// let mut pairs = unsafe { StoredItems::<(u32, f32)>::uninit(&queue, 3) }?;
/// assign(pairs.sink(), iota(1_u32, 3).zip(0.5_f32))?;
/// let sums = pairs.iter().map(|(a, b)| a.cast::<f32>() + b).collect()?;
/// assert_eq!(sums.to_vec()?, [1.5, 2.5, 3.5]);
/// # Ok(())
/// # }
/// ```
pub struct StoredItems<T: Item> {
    vectors: T::Vectors,
    queue: Queue,
    len: usize,
}

impl<T: Item> StoredItems<T> {
    /// Returns room for `len` items.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Driver`].
    ///
    /// # Safety
    /// A command must write every element before one reads it.
    pub unsafe fn uninit(queue: &Queue, len: usize) -> Result<StoredItems<T>> {
        // SAFETY: the caller promises the same.
        Ok(StoredItems { vectors: unsafe { T::uninit(queue, len) }?, queue: queue.clone(), len })
    }

    fn targets(&self) -> Vec<Target<'_>> {
        let mut targets = Vec::with_capacity(T::count());
        T::targets(&self.vectors, &mut targets);
        targets
    }

    /// Returns the vectors as an output.
    pub fn sink(&mut self) -> impl Sink<'_, T> {
        Targets(self.targets())
    }

    /// Returns the items as an expression.
    pub fn iter(&self) -> Expr<'_, T> {
        Expr::new(items_at("iter", &self.targets())).on(&self.queue).take(self.len)
    }
}

impl<T: Item> std::fmt::Debug for StoredItems<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredItems").field("len", &self.len).finish_non_exhaustive()
    }
}
