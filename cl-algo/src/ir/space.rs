//! Index spaces: the axes that a kernel goes along, and the indices that it reads and writes on its way.
//!
//! The items of an index space have a coordinate along each axis, [`Op::Coordinate`]. Axes are counted from the last one,
//! so that shapes of different ranks agree in their last axes, as NumPy's broadcasting requires. An element of an array
//! is a load at an affine index: an offset, plus a stride for each axis times the coordinate ([`Op::Strided`]).
//!
//! Before a kernel is looked up, [`Space::lowered`] brings the space into the form that kernels are written for: axes of
//! length 1 are dropped, axes are put in the order of the output's strides, and neighbouring axes are merged if every
//! index allows it. A space of one axis is left for arrays that are contiguous, and such kernels are those of vectors.
//! The last axis of a larger space gives the items of a row, whose number is [`Op::Index`]. What the other axes add to an
//! index is computed once for each row, [`Op::Row`].

use super::graph::{Graph, Replace};
use super::leaf::{self, Scalar};
use super::op::{Node, NodeId, Op, Type};
use crate::codegen::section::Section;
use crate::lower::quotient;
use cl_core::{Arg, Error, Result};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::fmt::{self, Write};

/// The maximal number of axes.
pub(crate) const MOST_AXES: usize = 6;

/// The number of elements that divides the indices of aligned rows: the largest pack of a row then begins at a multiple
/// of its size.
const ALIGNED: i64 = 16;

/// An index that is an affine function of the coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Affine {
    pub(crate) offset: i64,
    /// The factor of the coordinate along each axis, counted from the last axis.
    pub(crate) strides: [i64; MOST_AXES],
}

impl Affine {
    fn constant(offset: i64) -> Affine {
        Affine { offset, ..Affine::default() }
    }

    fn coordinate(axis: u32) -> Affine {
        let mut form = Affine::default();
        form.strides[axis as usize] = 1;
        form
    }

    fn plus(mut self, other: Affine) -> Affine {
        self.offset = self.offset.wrapping_add(other.offset);
        for (stride, other) in self.strides.iter_mut().zip(other.strides) {
            *stride = stride.wrapping_add(other);
        }
        self
    }

    fn times(mut self, factor: i64) -> Affine {
        self.offset = self.offset.wrapping_mul(factor);
        self.strides.iter_mut().for_each(|stride| *stride = stride.wrapping_mul(factor));
        self
    }

    /// Returns the value of a form without strides.
    fn as_constant(self) -> Option<i64> {
        (self.strides == [0; MOST_AXES]).then_some(self.offset)
    }

    /// Returns an error unless all values in a space of this shape are indices of a vector of `len` elements.
    fn within(&self, axes: &[usize], len: usize, operation: &'static str) -> Result<()> {
        let (mut least, mut last) = (i128::from(self.offset), i128::from(self.offset));
        for (&stride, &extent) in self.strides.iter().zip(axes) {
            let far = i128::from(stride) * (extent as i128 - 1);
            if far < 0 { least += far } else { last += far }
        }
        if least < 0 || last >= len as i128 {
            let clamped = |index: i128| usize::try_from(index.max(0)).unwrap_or(usize::MAX);
            return Err(Error::out_of_bounds(operation, clamped(least), clamped(last + 1), len));
        }
        Ok(())
    }

    /// Returns the largest absolute value in a space of this shape.
    fn reach(&self, axes: &[usize]) -> i128 {
        let along =
            |(&stride, &extent): (&i64, &usize)| i128::from(stride).abs() * (extent as i128 - 1).max(0);
        i128::from(self.offset).abs() + self.strides.iter().zip(axes).map(along).sum::<i128>()
    }
}

/// The number that a row begins with, and whether packs of the row are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowBegin {
    /// The number among [`Rows::begins`].
    pub(crate) slot: u32,
    /// `true` if the begins of all rows are multiples of [`ALIGNED`].
    pub(crate) aligned: bool,
}

/// The rows of an index space: the items that differ in the coordinate along the last axis alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// The number of items in a row.
    pub(crate) len: usize,
    /// The extents of the other axes, the last one first.
    pub(crate) extents: SmallVec<[usize; MOST_AXES - 1]>,
    /// The numbers that each row has. The strides are those of the other axes, the last one first.
    pub(crate) begins: Vec<Affine>,
}

impl Rows {
    /// Returns the number of rows.
    pub(crate) fn count(&self) -> usize {
        self.extents.iter().product()
    }

    /// Returns the arguments for the parameters that [`write`](Rows::write) adds.
    pub(crate) fn arguments(&self, wide_index: bool) -> Vec<Arg<'static>> {
        let mut arguments = Vec::new();
        let inner = self.extents.len().saturating_sub(1);
        for &extent in &self.extents[..inner] {
            arguments.push(leaf::index(extent as i64, wide_index));
            arguments.extend(quotient::of_index(extent, wide_index));
        }
        for begin in &self.begins {
            let strides = begin.strides[..self.extents.len()].iter();
            arguments.extend(strides.chain([&begin.offset]).map(|&number| leaf::index(number, wide_index)));
        }
        arguments
    }

    /// Writes `SPACE_PARAMETERS`, the kernel's parameters for the space, with those of the leaves before them, and
    /// `BEGIN_ROW(row)`, which computes the begins of a row. Adds the begins to the parameters and arguments of
    /// functions.
    pub(crate) fn write(
        &self,
        out: &mut Section,
        parameters: &mut String,
        arguments: &mut String,
    ) -> fmt::Result {
        let axes = self.extents.len();
        let (mut kernel, mut begin) = (parameters.clone(), String::new());
        write!(begin, "(row) const INDEX q0_ = row;")?;
        for axis in 0..axes {
            if axis + 1 < axes {
                write!(
                    kernel,
                    "const INDEX extent{axis}, const INDEX upper{axis}, const INDEX shift{axis}, "
                )?;
                let next = axis + 1;
                write!(begin, " const INDEX q{next}_ = divided(q{axis}_, upper{axis}, shift{axis}),")?;
                write!(begin, " c{axis}_ = q{axis}_ - q{next}_ * extent{axis};")?;
            } else {
                write!(begin, " const INDEX c{axis}_ = q{axis}_;")?;
            }
        }
        for slot in 0..self.begins.len() {
            write!(begin, " const INDEX r{slot} = r{slot}_begin")?;
            for axis in 0..axes {
                write!(kernel, "const INDEX r{slot}_{axis}, ")?;
                write!(begin, " + c{axis}_ * r{slot}_{axis}")?;
            }
            write!(kernel, "const INDEX r{slot}_begin, ")?;
            write!(begin, ";")?;
            write!(parameters, "const INDEX r{slot}, ")?;
            write!(arguments, "r{slot}, ")?;
        }
        out.define("SPACE_PARAMETERS", format_args!(" {kernel}"))?;
        out.define("BEGIN_ROW", begin)
    }

    /// Returns the number of the rows' begins at `offset` with these strides, which is added if it is new.
    fn begin(&mut self, begin: Affine) -> RowBegin {
        let known = self.begins.iter().position(|other| *other == begin);
        let slot = known.unwrap_or_else(|| {
            self.begins.push(begin);
            self.begins.len() - 1
        }) as u32;
        let aligned = begin.offset % ALIGNED == 0 && begin.strides.iter().all(|stride| stride % ALIGNED == 0);
        RowBegin { slot, aligned }
    }
}

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
    forms: Vec<Affine>,
}

/// A graph whose coordinates have become rows and items of rows.
pub(crate) struct Lowered<'a> {
    pub(crate) graph: Graph<'a>,
    pub(crate) stores: Vec<StoreLine>,
    /// `None` if the space has one axis.
    pub(crate) rows: Option<Rows>,
    /// The number of items.
    pub(crate) len: usize,
    /// A bound of the absolute values of all indices.
    pub(crate) reach: usize,
}

impl Space {
    /// Lowers `graph` to a kernel over the space of the given shape, which has at least one item. `stores` are the
    /// indices of the outputs.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if a load at an affine index reaches beyond its vector.
    pub(crate) fn lowered<'a>(
        operation: &'static str,
        graph: &Graph<'a>,
        stores: &[Affine],
        shape: &[usize],
    ) -> Result<Lowered<'a>> {
        let known = affine_forms(graph);
        let used = used_indices(graph, &known);
        let mut numbers: HashMap<NodeId, usize> = HashMap::new();
        let mut forms = stores.to_vec();
        for id in used {
            numbers.insert(id, forms.len());
            forms.push(known[id as usize].unwrap_or_default());
        }
        let mut space = Space { axes: shape.iter().rev().copied().collect(), forms };
        for node in &graph.nodes {
            if let Op::Load(slot) = node.op
                && let Some(form) = known[node.arguments[0] as usize]
            {
                let vector = &graph.vectors[slot as usize];
                let len = vector.memory.bytes() / vector.element.size().max(1);
                form.within(&space.axes, len, operation)?;
            }
        }
        let reach = space.forms.iter().map(|form| form.reach(&space.axes)).max().unwrap_or_default();
        space.simplify(stores.len());

        let mut rows = Rows { len: space.axes[0], extents: space.axes[1..].into(), begins: Vec::new() };
        let mut lowered = Graph::default();
        (lowered.on, lowered.failure) = (graph.on, graph.failure.clone());
        let own = lowered.node(Op::Index, Type::Index, &[]);
        let mut moved = vec![NodeId::MAX; graph.nodes.len()];
        for (id, node) in graph.nodes.iter().enumerate() {
            moved[id] = match numbers.get(&(id as NodeId)) {
                Some(&number) => space.index(space.forms[number], own, &mut lowered, &mut rows),
                // Unused steps of an affine index are left out.
                None if known[id].is_some() && !matches!(node.op, Op::Scalar(_)) => NodeId::MAX,
                None => lowered.adopt(graph, node, &moved, Replace::Nothing),
            };
        }
        lowered.roots = graph.roots.iter().map(|&root| moved[root as usize]).collect();
        let store = |form: &Affine| match space.axes.len() {
            1 => StoreLine::Vector { stride: form.strides[0], offset: form.offset },
            _ => StoreLine::Row { stride: form.strides[0], begin: rows.begin(begin_of(*form)) },
        };
        let stores = space.forms[..stores.len()].iter().map(store).collect();
        let len = shape.iter().product();
        lowered.len = Some(len);
        let rows = (space.axes.len() > 1).then_some(rows);
        let reach = usize::try_from(reach).unwrap_or(usize::MAX);
        Ok(Lowered { graph: lowered.pruned(), stores, rows, len, reach })
    }

    /// Drops, turns, sorts and merges axes. The first `stores` forms are those of the outputs.
    fn simplify(&mut self, stores: usize) {
        let long: SmallVec<[usize; MOST_AXES]> = (0..self.axes.len()).filter(|&k| self.axes[k] > 1).collect();
        let leading = if stores > 0 { self.forms[0].strides } else { Default::default() };
        let mut order = long;
        // Axes of stride 0, along which nothing is stored, keep their place behind the axes with smaller strides.
        order.sort_by_key(|&k| leading[k].unsigned_abs());
        if order.iter().any(|&k| leading[k] == 0) {
            order.sort_unstable();
        }
        self.axes = order.iter().map(|&k| self.axes[k]).collect();
        for form in &mut self.forms {
            let mut strides = [0; MOST_AXES];
            order.iter().zip(&mut strides).for_each(|(&from, to)| *to = form.strides[from]);
            form.strides = strides;
        }
        for axis in 0..self.axes.len() {
            if stores > 0 && self.forms[0].strides[axis] < 0 {
                self.turn(axis);
            }
        }
        let mut axis = 0;
        while axis + 1 < self.axes.len() {
            let extent = self.axes[axis] as i64;
            if self
                .forms
                .iter()
                .all(|form| form.strides[axis].checked_mul(extent) == Some(form.strides[axis + 1]))
            {
                self.merge(axis);
            } else {
                axis += 1;
            }
        }
        if self.axes.is_empty() {
            self.axes.push(1);
        }
    }

    /// Turns the direction of an axis around.
    fn turn(&mut self, axis: usize) {
        let last = self.axes[axis] as i64 - 1;
        for form in &mut self.forms {
            let stride = form.strides[axis];
            form.offset = form.offset.wrapping_add(stride.wrapping_mul(last));
            form.strides[axis] = stride.wrapping_neg();
        }
    }

    /// Merges an axis and the one before it.
    fn merge(&mut self, axis: usize) {
        let outer = self.axes.remove(axis + 1);
        self.axes[axis] *= outer;
        for form in &mut self.forms {
            form.strides[axis + 1..].rotate_left(1);
            form.strides[MOST_AXES - 1] = 0;
        }
    }

    /// Returns the node of an index of a simplified space.
    fn index<'a>(&self, form: Affine, own: NodeId, graph: &mut Graph<'a>, rows: &mut Rows) -> NodeId {
        let stride = form.strides[0];
        if self.axes.len() == 1 {
            return match stride {
                0 => graph.scalar_node(Scalar::index(form.offset)),
                stride => graph.affine(own, stride, form.offset),
            };
        }
        let begin = begin_of(form);
        if begin == Affine::default() && stride == 1 {
            return own;
        }
        let row = graph.node(Op::Row(rows.begin(begin)), Type::Index, &[]);
        match stride {
            0 => row,
            1 => graph.node(Op::Offset, Type::Index, &[own, row]),
            -1 => graph.node(Op::Mirror, Type::Index, &[own, row]),
            stride => {
                let stride = graph.scalar_node(Scalar::index(stride));
                graph.node(Op::Affine, Type::Index, &[own, stride, row])
            }
        }
    }
}

/// Returns what the axes before the last add to an index, with the offset.
fn begin_of(form: Affine) -> Affine {
    let mut strides = [0; MOST_AXES];
    strides[..MOST_AXES - 1].copy_from_slice(&form.strides[1..]);
    Affine { offset: form.offset, strides }
}

/// Returns, for each node that is an index, its affine form, if it has one.
fn affine_forms(graph: &Graph<'_>) -> Vec<Option<Affine>> {
    let mut forms: Vec<Option<Affine>> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let form = if node.ty == Type::Index { affine_form(graph, node, &forms) } else { None };
        forms.push(form);
    }
    forms
}

fn affine_form(graph: &Graph<'_>, node: &Node, forms: &[Option<Affine>]) -> Option<Affine> {
    let of = |at: usize| forms[node.arguments[at] as usize];
    let constant = |at: usize| of(at).and_then(Affine::as_constant);
    match node.op {
        Op::Coordinate(axis) => Some(Affine::coordinate(axis)),
        Op::Scalar(slot) => Some(Affine::constant(graph.scalars[slot as usize].value())),
        Op::Constant(bits) => Some(Affine::constant(bits as i64)),
        Op::Offset => Some(of(0)?.plus(of(1)?)),
        Op::Mirror => Some(of(1)?.plus(of(0)?.times(-1))),
        Op::Affine => Some(of(0)?.times(constant(1)?).plus(of(2)?)),
        Op::Strided => {
            let mut sum = of(0)?;
            for at in (1..node.arguments.len()).step_by(2) {
                sum = sum.plus(of(at)?.times(constant(at + 1)?));
            }
            Some(sum)
        }
        _ => None,
    }
}

/// Returns the affine indices that nodes of other kinds use: loads, checks and casts.
fn used_indices(graph: &Graph<'_>, forms: &[Option<Affine>]) -> Vec<NodeId> {
    let mut used = vec![false; graph.nodes.len()];
    for (node, form) in graph.nodes.iter().zip(forms) {
        if form.is_none() {
            node.arguments.iter().for_each(|&argument| used[argument as usize] = true);
        }
    }
    graph.roots.iter().for_each(|&root| used[root as usize] = true);
    let is_index = |id: &NodeId| {
        let op = graph.nodes[*id as usize].op;
        used[*id as usize] && forms[*id as usize].is_some() && !matches!(op, Op::Scalar(_) | Op::Constant(_))
    };
    (0..graph.nodes.len() as NodeId).filter(is_index).collect()
}
