//! Index spaces: the axes of the items that a kernel computes, and the indices that it loads and stores at.
//!
//! The items of an index space have a coordinate along each axis, [`Op::Coordinate`]. Axes are counted from the last one,
//! so that shapes of different ranks agree in their last axes, as NumPy's broadcasting requires. An element of an array
//! is a load at an affine index: an offset, plus a stride for each axis times the coordinate ([`Op::Strided`]).
//!
//! Before a kernel is looked up, [`Space::lowered`] brings the space into the form that kernels are written for: axes of
//! length 1 are dropped, axes are put in the order of the output's strides, and neighbouring axes are merged if every
//! index allows it. If all arrays are contiguous, one axis remains, and the kernel is the one for vectors. If several
//! axes remain, a row consists of the items along the last axis, and [`Op::Index`] is the number of an item in its row.
//! The part of an index that depends on the other axes is computed once for each row, [`Op::Row`]. An index at a small,
//! constant distance from another one is that distance from it, [`Op::Near`].

mod order;

use super::graph::{Graph, Replace};
use super::indices::{Indices, Near, begin_of, row_index, vector_index};
use super::op::{NodeId, Op, Type};
use super::rows::{ALIGNED, Affine, MOST_AXES, RowBegin, Rows};
use crate::element::ElementType;
use cl_core::Result;
use smallvec::SmallVec;

/// The minimal numbers of loose indices and of indices in other rows of a stencil: see [`Space::is_stencil`].
const LEAST_LOOSE: usize = 4;
const LEAST_MOVED: usize = 2;
/// The minimal length and number of rows for tiles of them: shorter or fewer ones would leave most of a tile empty.
const LEAST_LENGTH: usize = 32;
const LEAST_ROWS: usize = 4;

/// The index that an output's item is stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoreLine {
    /// `stride * i + offset`, in a space of one axis.
    Vector { stride: i64, offset: i64 },
    /// `stride * i` after the begin of the row.
    Row { stride: i64, begin: RowBegin },
}

/// An index space with the indices that a kernel computes in it.
pub(crate) struct Space {
    /// The extent of each axis, counted from the last one.
    axes: SmallVec<[usize; MOST_AXES]>,
    /// The indices of the outputs, then those that the graph uses.
    forms: Vec<Affine>,
    /// The number of outputs.
    stores: usize,
    /// A bound of the absolute values of the indices that are not affine.
    computed: i128,
}

/// The rows that a device prefers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InLines {
    /// Rows of at least this many items begin in front of their first item if their packs are then stored to whole lines of
    /// memory.
    pub(crate) long: usize,
    /// `true` for devices whose kernels of stencils have tiles of rows.
    pub(crate) tiles: bool,
    /// The bound that [`Space::bound`] returned for the parts of a graph whose loads are checked already.
    pub(crate) bound: Option<i128>,
}

impl Default for InLines {
    fn default() -> InLines {
        InLines { long: usize::MAX, tiles: false, bound: None }
    }
}

/// The options of [`Space::finish`].
#[derive(Clone, Copy, Default)]
struct Finish {
    reach: usize,
    /// `true` for kernels that work on rows also if the space has one axis.
    has_rows: bool,
    /// `true` for kernels that read inputs across rows.
    crosses: bool,
    /// [`Rows::apart`].
    apart: usize,
    /// `true` for kernels with tiles of rows.
    tiled: bool,
}

/// The way in which a kernel folds or scans the rows of a space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folding {
    /// `true` if the items of a row are combined; `false` if rows are combined item by item.
    pub(crate) inner: bool,
    /// The number of neighbouring rows that are combined.
    pub(crate) rows: usize,
    /// `true` if neighbouring outputs share elements of an input, as in a product of matrices.
    pub(crate) shares: bool,
    /// `true` if the items are combined in the order of their coordinates along the folded axis, which is the only one.
    pub(crate) in_order: bool,
}

/// A graph whose coordinates have become rows and items of rows.
pub(crate) struct Lowered<'a> {
    pub(crate) graph: Graph<'a>,
    pub(crate) stores: Vec<StoreLine>,
    /// `None` if the space has one axis.
    pub(crate) rows: Option<Rows>,
    /// The number of items, with those before `begin`.
    pub(crate) len: usize,
    /// The first item of each row; the items before it are not part of the space.
    pub(crate) begin: usize,
    /// A bound of the absolute values of all indices.
    pub(crate) reach: usize,
    /// `true` if an input is contiguous along the axis of neighbouring rows instead of along a row.
    pub(crate) crosses: bool,
    /// `true` if the items read neighbours in other rows, and the kernel may have tiles of rows. Two axes are apart.
    pub(crate) tiled: bool,
}

/// Two graphs that one kernel computes. Their coordinates have become rows and items of rows of the same axes.
pub(crate) struct Together<'a> {
    pub(crate) graphs: [Graph<'a>; 2],
    pub(crate) stores: [Vec<StoreLine>; 2],
    pub(crate) rows: Rows,
    /// The first item of each row of the first space; the items before it are not part of the space.
    pub(crate) begin: usize,
    /// A bound of the absolute values of all indices.
    pub(crate) reach: usize,
}

impl Space {
    /// Lowers `graph` to a kernel over the space of the given shape, which has at least one item. `stores` are the
    /// indices of the outputs. Kernels that can read inputs across rows set `may_cross`.
    ///
    /// # Errors
    /// As [`Graph::loads_within`].
    pub(crate) fn lowered<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        stores: &[Affine],
        shape: &[usize],
        may_cross: bool,
    ) -> Result<Lowered<'a>> {
        Space::lowered_in_lines(operation, graph, stores, shape, may_cross, InLines::default())
    }

    /// Lowers `graph` as [`Space::lowered`] does, to a kernel that stores whole lines of memory.
    ///
    /// # Errors
    /// As [`Space::lowered`].
    pub(crate) fn lowered_in_lines<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        stores: &[Affine],
        shape: &[usize],
        may_cross: bool,
        InLines { long, tiles, bound }: InLines,
    ) -> Result<Lowered<'a>> {
        let indices = Indices::of(graph, shape);
        indices.check(operation, shape, &[])?;
        let computed = match bound {
            Some(bound) => bound,
            None => indices.bound(operation, graph, shape)?,
        };
        let mut space = Space::new(computed, &indices, stores, shape);
        let reach = space.reach();
        let mut axes: Vec<usize> = (0..space.axes.len()).collect();
        space.sort(&mut axes, 0);
        space.turn_upwards(&axes, 0);
        space.merge(&mut axes);
        let crossed = if may_cross { space.crossing(&axes) } else { None };
        if let Some(at) = crossed {
            let axis = axes.remove(at);
            axes.insert(1, axis);
        }
        space.arrange(&axes);
        let crosses =
            crossed.is_some() && graph.nodes.iter().all(|node| node.ty.element().is_none_or(is_scalar));
        let tiled = tiles && !crosses && space.is_stencil();
        let is_long = !crosses && space.axes.len() > 1 && space.axes[0] >= long;
        let begin = if is_long || tiled { space.within_line().unwrap_or_default() } else { 0 };
        space.begin_rows_earlier(begin);
        let apart = if tiled { 2 } else { 0 };
        let lowered =
            space.finish(graph, &indices, Finish { reach, crosses, apart, tiled, ..Finish::default() });
        Ok(Lowered { crosses, begin, ..lowered })
    }

    /// Lowers `graph` to a kernel that folds the axes for which `is_folded` is true. Axes are counted from the last one.
    /// The strides of `stores` are zero along folded axes.
    ///
    /// # Errors
    /// As [`Space::lowered`].
    pub(crate) fn folded<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        stores: &[Affine],
        shape: &[usize],
        is_folded: impl Fn(usize) -> bool,
    ) -> Result<(Lowered<'a>, Folding)> {
        let (mut space, indices) = Space::of(operation, graph, stores, shape)?;
        let reach = space.reach();
        let (mut folded, mut kept): (Vec<usize>, Vec<usize>) =
            (0..space.axes.len()).partition(|&axis| is_folded(axis));
        // Outputs have stride 0 along folded axes, so the first index of the graph decides about the order of these
        // axes.
        let main = stores.len().min(space.forms.len() - 1);
        space.sort(&mut kept, 0);
        space.sort(&mut folded, main);
        let turns = |axis: &usize| space.forms.get(main).is_some_and(|form| form.strides[*axis] < 0);
        let in_order = folded.len() < 2 && !folded.iter().any(turns);
        space.turn_upwards(&kept, 0);
        space.turn_upwards(&folded, main);
        space.merge(&mut kept);
        space.merge(&mut folded);
        let inner = space.is_nearer(folded.first(), kept.first(), space.stores);
        let shares = !inner
            && kept
                .get(1)
                .is_some_and(|&axis| space.forms[space.stores..].iter().any(|form| form.strides[axis] == 0));
        let rows: usize = folded.iter().skip(usize::from(inner)).map(|&axis| space.axes[axis]).product();
        let axes: Vec<usize> = match (inner, kept.split_first()) {
            (false, Some((first, rest))) => {
                std::iter::once(first).chain(&folded).chain(rest).copied().collect()
            }
            _ => folded.iter().chain(&kept).copied().collect(),
        };
        space.arrange(&axes);
        Ok((
            space.finish(graph, &indices, Finish { reach, has_rows: true, ..Finish::default() }),
            Folding { inner, rows, shares, in_order },
        ))
    }

    /// Lowers `graph` to a kernel that scans along the axis `scanned`, which is counted from the last one.
    ///
    /// # Errors
    /// As [`Space::lowered`].
    pub(crate) fn scanned<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        stores: &[Affine],
        shape: &[usize],
        scanned: usize,
    ) -> Result<(Lowered<'a>, Folding)> {
        let (mut space, indices) = Space::of(operation, graph, stores, shape)?;
        let reach = space.reach();
        let mut kept: Vec<usize> = (0..space.axes.len()).filter(|&axis| axis != scanned).collect();
        space.sort(&mut kept, 0);
        space.turn_upwards(&kept, 0);
        space.merge(&mut kept);
        let inner = space.is_nearer(Some(&scanned), kept.first(), 0);
        let rows = if inner { 1 } else { space.axes[scanned] };
        kept.insert(usize::from(!inner), scanned);
        space.arrange(&kept);
        Ok((
            space.finish(graph, &indices, Finish { reach, has_rows: true, ..Finish::default() }),
            Folding { inner, rows, shares: false, in_order: true },
        ))
    }

    /// Lowers `graph` to a kernel over rows, as [`Space::lowered`] does, but keeps the order of the last axes: the items
    /// of a row differ in the coordinate along the last axis, and the `apart` axes in front of it stay as they are. Axes in
    /// front of these may be merged.
    ///
    /// # Errors
    /// As [`Space::lowered`].
    pub(crate) fn in_order<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        stores: &[Affine],
        shape: &[usize],
        apart: usize,
    ) -> Result<Lowered<'a>> {
        let (mut space, indices) = Space::of(operation, graph, stores, shape)?;
        Ok(space.kept_apart(graph, &indices, (0..=apart).collect()))
    }

    /// Lowers `graph` as [`Space::in_order`] does with one axis apart, but takes rows along the second to last axis if more
    /// inputs are contiguous along it. Then also returns `true`.
    ///
    /// # Errors
    /// As [`Space::lowered`].
    pub(crate) fn matrices<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        shape: &[usize],
    ) -> Result<(Lowered<'a>, bool)> {
        let (mut space, indices) = Space::of(operation, graph, &[], shape)?;
        let turned = space.has_turned_rows();
        let axes = if turned { vec![1, 0] } else { vec![0, 1] };
        Ok((space.kept_apart(graph, &indices, axes), turned))
    }

    /// Lowers two graphs, each with its outputs and the shape of its own space, to one kernel over rows that knows all
    /// coordinates. `order` has the axes, which are counted from the last one, in the order of the kernel; axes that a space
    /// does not have are of length 1. The graphs do not depend on these, except on the last one. Rows of the first space that have at least `long` items begin in front of their first
    /// item, as those of [`Space::lowered_in_lines`].
    ///
    /// # Errors
    /// As [`Space::lowered`].
    pub(crate) fn together<'a>(
        operation: &'static str,
        parts: [(&Graph<'a>, &[Affine], &[usize]); 2],
        order: &[usize],
        long: usize,
    ) -> Result<Together<'a>> {
        type Part<'p, 'a> = (&'p Graph<'a>, &'p [Affine], &'p [usize]);
        let arranged = |(graph, stores, shape): Part<'_, 'a>| -> Result<(Space, Indices, usize)> {
            let (mut space, indices) =
                Space::beside(operation, graph, stores, (shape, &order[order.len() - 1..]))?;
            let reach = space.reach();
            space.axes.resize(MOST_AXES, 1);
            space.arrange(order);
            Ok((space, indices, reach))
        };
        let [first, second] = parts;
        let ((mut space, indices, reach), (other, other_indices, other_reach)) =
            (arranged(first)?, arranged(second)?);
        let begin = if space.axes[0] >= long { space.within_line().unwrap_or_default() } else { 0 };
        space.begin_rows_earlier(begin);
        let mut rows = space.rows(order.len() - 2);
        let (graph, stores) = space.with_rows(first.0, &indices, Some(&mut rows), false, Near::default());
        let (other_graph, other_stores) =
            other.with_rows(second.0, &other_indices, Some(&mut rows), false, Near::default());
        Ok(Together {
            graphs: [graph, other_graph],
            stores: [stores, other_stores],
            rows,
            begin,
            reach: reach.max(other_reach),
        })
    }

    /// Lowers two graphs over matrices, each with the shape of its own space, to one kernel, and each as [`Space::matrices`]
    /// does. Spaces that both have axes in front of the matrices have the same ones. Also returns which graphs have rows along
    /// the second to last axis.
    ///
    /// # Errors
    /// As [`Space::lowered`].
    pub(crate) fn both_matrices<'a>(
        operation: &'static str,
        parts: [(&Graph<'a>, &[usize]); 2],
    ) -> Result<(Together<'a>, [bool; 2])> {
        let arranged = |(graph, shape): (&Graph<'a>, &[usize])| -> Result<(Space, Indices, usize, bool)> {
            let (mut space, indices) = Space::of(operation, graph, &[], shape)?;
            let (reach, turned) = (space.reach(), space.has_turned_rows());
            let rank = parts[0].1.len().max(parts[1].1.len());
            space.axes.resize(rank, 1);
            let first = if turned { [1, 0] } else { [0, 1] };
            space.arrange(&first.into_iter().chain(2..rank).collect::<Vec<_>>());
            Ok((space, indices, reach, turned))
        };
        let (space, indices, reach, turned) = arranged(parts[0])?;
        let (other, other_indices, other_reach, other_turned) = arranged(parts[1])?;
        // The rows of the kernel have the axes of the space that has more of them.
        let mut rows = if parts[0].1.len() < parts[1].1.len() { other.rows(1) } else { space.rows(1) };
        let (graph, _) = space.with_rows(parts[0].0, &indices, Some(&mut rows), false, Near::default());
        let (other_graph, _) =
            other.with_rows(parts[1].0, &other_indices, Some(&mut rows), false, Near::default());
        let graphs = [graph, other_graph];
        let reach = reach.max(other_reach);
        let together = Together { graphs, stores: [Vec::new(), Vec::new()], rows, begin: 0, reach };
        Ok((together, [turned, other_turned]))
    }

    fn of(
        operation: &'static str,
        graph: &Graph<'_>,
        stores: &[Affine],
        shape: &[usize],
    ) -> Result<(Space, Indices)> {
        Space::beside(operation, graph, stores, (shape, &[]))
    }

    /// Returns the space and the indices of a graph that may also depend on the axes `beside` those of the shape.
    fn beside(
        operation: &'static str,
        graph: &Graph<'_>,
        stores: &[Affine],
        (shape, beside): (&[usize], &[usize]),
    ) -> Result<(Space, Indices)> {
        let indices = Indices::of(graph, shape);
        indices.check(operation, shape, beside)?;
        Ok((Space::new(indices.bound(operation, graph, shape)?, &indices, stores, shape), indices))
    }

    /// Checks the indices and loads of a graph in a space of this shape: see [`Graph::loads_within`].
    pub(crate) fn bound(operation: &'static str, graph: &Graph<'_>, shape: &[usize]) -> Result<i128> {
        let indices = Indices::of(graph, shape);
        indices.check(operation, shape, &[])?;
        indices.bound(operation, graph, shape)
    }

    /// Returns the graph over rows along the first of `axes`, with the others of `axes` apart.
    fn kept_apart<'a>(&mut self, graph: &Graph<'a>, indices: &Indices, axes: Vec<usize>) -> Lowered<'a> {
        let (reach, apart) = (self.reach(), axes.len() - 1);
        let mut others: Vec<usize> =
            (axes.len()..self.axes.len()).filter(|&axis| self.axes[axis] > 1).collect();
        self.merge(&mut others);
        self.arrange(&axes.into_iter().chain(others).collect::<Vec<_>>());
        self.finish(graph, indices, Finish { reach, has_rows: true, apart, ..Finish::default() })
    }

    fn new(computed: i128, indices: &Indices, stores: &[Affine], shape: &[usize]) -> Space {
        let used = indices.used.iter().map(|&id| indices.forms[id as usize].unwrap_or_default());
        Space {
            computed,
            axes: shape.iter().rev().copied().collect(),
            forms: stores.iter().copied().chain(used).collect(),
            stores: stores.len(),
        }
    }

    /// Returns whether more inputs are contiguous along the second to last axis than along the last one.
    fn has_turned_rows(&self) -> bool {
        let contiguous = |axis: usize| self.forms.iter().filter(|form| form.strides[axis].abs() == 1).count();
        contiguous(1) > contiguous(0)
    }

    /// Returns a bound of the absolute values of all indices.
    fn reach(&self) -> usize {
        let reach = self.forms.iter().map(|form| form.reach(&self.axes)).fold(self.computed, i128::max);
        usize::try_from(reach).unwrap_or(usize::MAX)
    }

    /// Leaves out axes of length 1, and sorts the others by the strides of one of the indices.
    fn sort(&self, axes: &mut Vec<usize>, by: usize) {
        axes.retain(|&axis| self.axes[axis] > 1);
        if let Some(form) = self.forms.get(by) {
            form.sort(axes);
        }
    }

    /// Finds an input that is not contiguous along the first of `axes` but along a later one, as in a transposition.
    /// Returns the position in `axes` of that later axis.
    fn crossing(&self, axes: &[usize]) -> Option<usize> {
        let first = *axes.first()?;
        let crosses = |form: &&Affine| form.strides[first].unsigned_abs() > 1;
        self.forms[self.stores..]
            .iter()
            .filter(crosses)
            .find_map(|form| axes.iter().position(|&axis| form.strides[axis] == 1))
    }

    /// Merges neighbours among `axes` if all indices allow it.
    fn merge(&mut self, axes: &mut Vec<usize>) {
        let mut at = 0;
        while at + 1 < axes.len() {
            let (inner, outer) = (axes[at], axes[at + 1]);
            let extent = self.axes[inner] as i64;
            let merges = |form: &Affine| form.strides[inner].checked_mul(extent) == Some(form.strides[outer]);
            if self.forms.iter().all(merges) {
                self.axes[inner] *= self.axes[outer];
                axes.remove(at + 1);
            } else {
                at += 1;
            }
        }
    }

    /// Keeps the axes in `order`, in this order, and drops all others.
    fn arrange(&mut self, order: &[usize]) {
        for form in &mut self.forms {
            let mut strides = [0; MOST_AXES];
            order.iter().zip(&mut strides).for_each(|(&from, to)| *to = form.strides[from]);
            form.strides = strides;
        }
        self.axes = order.iter().map(|&axis| self.axes[axis]).collect();
        if self.axes.is_empty() {
            self.axes.push(1);
        }
    }

    /// Returns the graph with the indices of the arranged space.
    fn finish<'a>(&self, graph: &Graph<'a>, indices: &Indices, how: Finish) -> Lowered<'a> {
        let Finish { reach, crosses, .. } = how;
        let has_rows = how.has_rows || self.axes.len() > 1;
        let mut rows = Rows { tiled: how.tiled, ..self.rows(how.apart) };
        let near = match how.tiled {
            true => Near::tiled(&self.axes, reach),
            false => Near::default(),
        };
        let (graph, stores) = self.with_rows(graph, indices, has_rows.then_some(&mut rows), crosses, near);
        if how.tiled {
            rows.extents.resize(rows.extents.len().max(how.apart), 1);
        }
        Lowered {
            graph,
            stores,
            rows: has_rows.then_some(rows),
            len: self.axes.iter().product(),
            begin: 0,
            reach,
            crosses: false,
            tiled: how.tiled,
        }
    }

    /// Returns the rows of the arranged space, without begins.
    fn rows(&self, apart: usize) -> Rows {
        Rows { len: self.axes[0], extents: self.axes[1..].into(), apart, ..Rows::default() }
    }

    /// Returns the graph with the indices of the arranged space, and those of the outputs. Adds the begins of rows to
    /// `rows`, which is `None` for kernels of vectors.
    fn with_rows<'a>(
        &self,
        graph: &Graph<'a>,
        indices: &Indices,
        mut rows: Option<&mut Rows>,
        crosses: bool,
        mut near: Near<'_>,
    ) -> (Graph<'a>, Vec<StoreLine>) {
        let mut lowered = Graph::short();
        (lowered.on, lowered.failure) = (graph.on.clone(), graph.failure.clone());
        let own = lowered.node(Op::Index, Type::Index, &[]);
        let mut used = indices.used.iter().zip(&self.forms[self.stores..]).peekable();
        let mut moved = vec![NodeId::MAX; graph.nodes.len()];
        let is_needed = |id: usize| indices.is_used[id] || graph.roots.contains(&(id as NodeId));
        for (id, node) in graph.nodes.iter().enumerate() {
            moved[id] = match used.next_if(|(used, _)| **used as usize == id) {
                Some((_, form)) => near.index(*form, &mut lowered, |form, lowered| match &mut rows {
                    Some(rows) => row_index(form, own, crosses, lowered, rows),
                    None => vector_index(form, own, lowered),
                }),
                // A node that only other affine indices use is not needed.
                None if indices.forms[id].is_some()
                    && !(matches!(node.op, Op::Scalar(_) | Op::Constant(_)) && is_needed(id)) =>
                {
                    NodeId::MAX
                }
                None => lowered.adopt(graph, node, &moved, Replace::Nothing),
            };
        }
        lowered.roots = graph.roots.iter().map(|&root| moved[root as usize]).collect();
        let store = |form: &Affine| match &mut rows {
            Some(rows) => StoreLine::Row { stride: form.strides[0], begin: rows.begin(begin_of(*form)) },
            None => StoreLine::Vector { stride: form.strides[0], offset: form.offset },
        };
        let stores = self.forms[..self.stores].iter().map(store).collect();
        lowered.len = Some(self.axes.iter().product());
        (lowered.pruned(), stores)
    }

    /// Returns whether items read several neighbours, at distances from aligned rows, and some of these in other rows.
    fn is_stencil(&self) -> bool {
        let forms = || self.forms[self.stores..].iter().filter(|form| form.strides[0] == 1);
        let is_in_rows = |form: &&Affine| form.strides[1..].iter().any(|stride| *stride != 0);
        let Some(first) = forms().find(is_in_rows) else { return false };
        let is_loose = |form: &&Affine| form.offset % ALIGNED != 0;
        let in_aligned_rows = |form: &Affine| form.strides[1..].iter().all(|stride| stride % ALIGNED == 0);
        let is_moved = |form: &&Affine| {
            form.strides == first.strides && !Near::is_near(form.offset.wrapping_sub(first.offset))
        };
        self.axes.len() > 1
            && self.axes[0] >= LEAST_LENGTH
            && self.axes[1] >= LEAST_ROWS
            && forms().all(in_aligned_rows)
            && forms().filter(is_loose).count() >= LEAST_LOOSE
            && forms().filter(is_moved).count() >= LEAST_MOVED
    }

    /// Returns the number of elements between the begins of the outputs' rows and the last multiples of [`ALIGNED`] before
    /// them. Returns `None` if it is not the same for all rows and outputs.
    fn within_line(&self) -> Option<usize> {
        let begins: Vec<Affine> = self.forms[..self.stores].iter().map(|form| begin_of(*form)).collect();
        let within = begins.first()?.offset.rem_euclid(ALIGNED);
        let fits = |begin: &Affine| {
            begin.offset.rem_euclid(ALIGNED) == within
                && begin.strides.iter().all(|stride| stride % ALIGNED == 0)
        };
        let in_order = self.forms[..self.stores].iter().all(|form| form.strides[0] == 1);
        (in_order && begins.iter().all(fits)).then_some(within as usize)
    }

    /// Lets each row begin `by` items earlier.
    fn begin_rows_earlier(&mut self, by: usize) {
        self.axes[0] += by;
        for form in &mut self.forms {
            form.offset = form.offset.wrapping_sub(form.strides[0].wrapping_mul(by as i64));
        }
    }
}

fn is_scalar(element: ElementType) -> bool {
    element.scalar().is_some()
}
