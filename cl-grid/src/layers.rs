//! Functions that a kernel keeps in layers while it walks through the grid.

use crate::cost::{Costs, bytes_of_layers};
use crate::formula::{Formula, GridNumber, Node};
use crate::lower::{Kept, Lowering, has_own_kernel, operands_at, order_of, stand_in, within_borders};
use crate::region::Region;
use cl_algo::ranked::{AxisMap, Layers, Layout, work};
use cl_algo::zip;
use cl_array::{ArrayExpr, ArrayViewMut};
use cl_core::{Queue, Result};
use std::collections::HashMap;
use std::rc::Rc;

/// A function that a kernel keeps in layers.
pub(crate) struct Layered<'a, T: GridNumber, const N: usize> {
    pub(crate) function: Formula<'a, T, N>,
    /// The points that the kernel computes. Other points of its region are near borders.
    pub(crate) inside: Region<N>,
    /// The points of the function that these points read.
    read: Region<N>,
    /// The layout of the points `inside` of the array that the kernel stores to.
    output: Layout,
}

impl<'a, T: GridNumber, const N: usize> Layered<'a, T, N> {
    /// Returns the first of `functions` that the evaluation of a formula at the points of a region can keep in layers, outside
    /// of the functions that are kept in arrays. `output` is the layout of the array of these points.
    pub(crate) fn of(
        formula: &Formula<'a, T, N>,
        region: Region<N>,
        kept: &Kept<'a, T, N>,
        functions: &[Formula<'a, T, N>],
        queue: &Queue,
        output: &Layout,
    ) -> Result<Option<Layered<'a, T, N>>> {
        if functions.is_empty() || region.is_empty() {
            return Ok(None);
        }
        let inside = within_borders(formula, region, kept);
        if !has_own_kernel(inside, region) {
            return Ok(None);
        }
        for function in functions.iter().filter(|function| !Rc::ptr_eq(&function.node, &formula.node)) {
            let layered = Layered::at(formula, inside, kept, function, output);
            if let Some(layered) = layered
                && layered.overlap(queue)?.is_some()
            {
                return Ok(Some(layered));
            }
        }
        Ok(None)
    }

    /// Returns the function with the points of it that the evaluation of a formula reads at points that read nothing beyond
    /// a border. Returns `None` if it reads none.
    fn at(
        formula: &Formula<'a, T, N>,
        inside: Region<N>,
        kept: &Kept<'a, T, N>,
        function: &Formula<'a, T, N>,
        output: &Layout,
    ) -> Option<Layered<'a, T, N>> {
        if inside.is_empty() {
            return None;
        }
        let of = Rc::as_ptr(&function.node);
        let mut read: HashMap<*const Node<'a, T, N>, Region<N>> =
            HashMap::from([(Rc::as_ptr(&formula.node), inside)]);
        for formula in order_of(formula) {
            let key = Rc::as_ptr(&formula.node);
            let Some(&own) = read.get(&key).filter(|_| key != of && !kept.contains_key(&key)) else {
                continue;
            };
            for (operand, region) in operands_at(&formula, own) {
                let all = read.entry(Rc::as_ptr(&operand.node)).or_insert(region);
                *all = all.hull(&region);
            }
        }
        let &read = read.get(&of).filter(|_| !kept.contains_key(&of))?;
        let axes: [AxisMap; N] = std::array::from_fn(AxisMap::whole);
        let output = output.view(&axes, &inside.shape()).ok()?;
        Some(Layered { function: function.clone(), inside, read, output })
    }

    /// Returns the ratio of the values that are computed to those that are read; `None` if the device keeps no layers.
    fn overlap(&self, queue: &Queue) -> Result<Option<f64>> {
        let bytes = bytes_of_layers(queue, size_of::<T>())?;
        Layers::<T>::overlap(queue, &self.read.shape(), &self.output, bytes)
    }

    /// Returns the estimated time in seconds of the kernel.
    pub(crate) fn time(
        &self,
        formula: &Formula<'a, T, N>,
        kept: &Kept<'a, T, N>,
        queue: &Queue,
        costs: &Costs,
    ) -> Result<f64> {
        let inner = Lowering::new(queue, kept).values(&self.function, self.read)?;
        let mut all = kept.clone();
        all.insert(Rc::as_ptr(&self.function.node), (stand_in(queue, self.read)?, self.read));
        let own = Lowering::new(queue, &all).values(formula, self.inside)?;
        let (inner, own) = (inner.into_ranked(), own.into_ranked());
        // The layers count as one of the vectors.
        let vectors = work(&zip((inner.clone(), own.clone()))).vectors.saturating_sub(1);
        let overlap = self.overlap(queue)?.unwrap_or(1.0);
        let bytes = bytes_of_layers(queue, size_of::<T>())?;
        let idle = Layers::<T>::idle(queue, &self.read.shape(), &self.output, bytes)?.unwrap_or(1.0);
        Ok(idle * costs.time_in_layers(work(&inner), work(&own), vectors, overlap, self.inside.shape()))
    }

    /// Evaluates a formula at some of the points of `inside` into a view of them, in layers if there are enough of them. Calls
    /// `before` first; with layers, when they have been made and the kernel is compiled.
    pub(crate) fn assign(
        &self,
        formula: &Formula<'a, T, N>,
        points: Region<N>,
        kept: &Kept<'a, T, N>,
        queue: &Queue,
        target: ArrayViewMut<'_, T, N>,
        before: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let part = Layered::at(formula, points, kept, &self.function, target.layout());
        let bytes = bytes_of_layers(queue, size_of::<T>())?;
        if let Some(part) = &part
            && let Some(layers) = Layers::<T>::new(queue, &part.read.shape(), &part.output, bytes)?
        {
            let inner = Lowering::new(queue, kept).values(&part.function, part.read)?;
            let mut all = kept.clone();
            let items = ArrayExpr::from_ranked(layers.items(), part.read.shape());
            all.insert(Rc::as_ptr(&part.function.node), (items, part.read));
            let own = Lowering::new(queue, &all).values(formula, points)?;
            let (inner, own) = (inner.into_ranked(), own.into_ranked());
            return layers.assign_after("assign", target.into_target()?, inner, own, before);
        }
        let values = Lowering::new(queue, kept).values(formula, points)?;
        before()?;
        target.assign(values)
    }
}
