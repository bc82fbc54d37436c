//! The affine indices of a graph: which nodes they are, and the nodes that compute them in a kernel or in another space.

use super::graph::{Graph, Replace};
use super::leaf::Scalar;
use super::op::{Node, NodeId, Op, Type};
use super::rows::{ALIGNED, Affine, MOST_AXES, Rows};
use cl_core::{Error, Result};
use smallvec::SmallVec;

/// The indices of a kernel that others are near to.
#[derive(Default)]
pub(super) struct Near<'s> {
    bases: Vec<(Affine, NodeId)>,
    /// The extents of a space with tiles of rows, and a bound of its indices.
    tiled: Option<(&'s [usize], usize)>,
}

impl<'s> Near<'s> {
    /// The maximal distance of an index that is near to another.
    const MOST: i64 = 16;

    /// Returns whether an index at this distance from another is near to it.
    pub(super) fn is_near(by: i64) -> bool {
        by.unsigned_abs() <= Near::MOST.unsigned_abs()
    }

    /// Returns a `Near` for a space with tiles of rows, whose indices are at most `reach`. There an index is near to the closest
    /// one that begins aligned rows.
    pub(super) fn tiled(axes: &'s [usize], reach: usize) -> Near<'s> {
        Near { bases: Vec::new(), tiled: Some((axes, reach)) }
    }

    /// Returns the index that a new one is near to: itself, or the closest one that begins aligned rows.
    fn base(&self, form: Affine) -> Affine {
        let Some((axes, reach)) = self.tiled else { return form };
        let rest = (form.offset.wrapping_add(ALIGNED / 2)).rem_euclid(ALIGNED) - ALIGNED / 2;
        let base = Affine { offset: form.offset.wrapping_sub(rest), ..form };
        let [least, last] = base.range(axes);
        let is_aligned = form.strides[0] == 1 && form.strides[1..].iter().all(|stride| stride % ALIGNED == 0);
        if is_aligned && least >= 0 && last <= reach as i128 { base } else { form }
    }

    /// Returns the node of an index. If the index is at a small, constant distance from an earlier index, as those of
    /// neighbours in a row are, its node is that distance from the earlier node. Otherwise `far` makes the node.
    ///
    /// Such distances are part of the source. So arrays have distances only if their rows are long: then they are the
    /// same for all shapes.
    pub(super) fn index<'a>(
        &mut self,
        form: Affine,
        graph: &mut Graph<'a>,
        far: impl FnOnce(Affine, &mut Graph<'a>) -> NodeId,
    ) -> NodeId {
        let mut new = form;
        let is_far = |&stride: &i64| stride == 0 || stride.unsigned_abs() > 2 * Near::MOST.unsigned_abs();
        if form.strides[1..].iter().all(is_far) {
            let near = self.bases.iter().find_map(|(base, node)| {
                let by = form.offset.checked_sub(base.offset)?;
                (base.strides == form.strides && Near::is_near(by)).then_some((*node, by as i32))
            });
            if let Some((base, by)) = near {
                return if by == 0 { base } else { graph.node(Op::Near(by), Type::Index, &[base]) };
            }
            new = self.base(form);
        }
        let node = far(new, graph);
        self.bases.push((new, node));
        match form.offset - new.offset {
            0 => node,
            by => graph.node(Op::Near(by as i32), Type::Index, &[node]),
        }
    }
}

/// Returns the node of an index of a space of one axis.
pub(super) fn vector_index<'a>(form: Affine, own: NodeId, graph: &mut Graph<'a>) -> NodeId {
    match form.strides[0] {
        0 => graph.scalar_node(Scalar::index(form.offset)),
        stride => graph.affine(own, stride, form.offset),
    }
}

/// Returns the node of an index of a space with rows. `crosses` is true if the kernel reads inputs across rows.
pub(super) fn row_index(
    form: Affine,
    own: NodeId,
    crosses: bool,
    graph: &mut Graph<'_>,
    rows: &mut Rows,
) -> NodeId {
    let (stride, begin) = (form.strides[0], begin_of(form));
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
            let op = if crosses && begin.strides[0] == 1 { Op::Crossed } else { Op::Affine };
            graph.node(op, Type::Index, &[own, stride, row])
        }
    }
}

/// Returns the part of an index that is constant within a row: the offset, and the strides of all axes but the last.
pub(super) fn begin_of(form: Affine) -> Affine {
    let mut strides = [0; MOST_AXES];
    strides[..MOST_AXES - 1].copy_from_slice(&form.strides[1..]);
    Affine { offset: form.offset, strides }
}

/// The indices of a graph.
pub(super) struct Indices {
    /// For each node that is an affine index, its form.
    pub(super) forms: Vec<Option<Affine>>,
    /// The affine indices that nodes of other kinds use: loads, checks and casts.
    pub(super) used: Vec<NodeId>,
    /// For each node, whether nodes that are not affine indices use it.
    pub(super) is_used: Vec<bool>,
    /// `true` if an affine index has a number that cannot be counted.
    wraps: bool,
}

/// Returns the form of each node of a graph that is an affine index in a space of this shape.
pub(crate) fn affine_forms(graph: &Graph<'_>, shape: &[usize]) -> Vec<Option<Affine>> {
    Indices::of(graph, shape).forms
}

impl Indices {
    pub(super) fn of(graph: &Graph<'_>, shape: &[usize]) -> Indices {
        let axes: SmallVec<[usize; MOST_AXES]> = shape.iter().rev().copied().collect();
        let mut forms: Vec<Option<Affine>> = Vec::with_capacity(graph.nodes.len());
        let mut wraps = false;
        for node in &graph.nodes {
            let form = match node.ty == Type::Index {
                true => affine_form(graph, node, &forms, &axes, &mut wraps),
                false => None,
            };
            forms.push(form);
        }
        let mut is_used = vec![false; graph.nodes.len()];
        for (node, form) in graph.nodes.iter().zip(&forms) {
            if form.is_none() {
                node.arguments.iter().for_each(|&argument| is_used[argument as usize] = true);
            }
        }
        let is_index = |&id: &NodeId| {
            let op = graph.nodes[id as usize].op;
            is_used[id as usize]
                && forms[id as usize].is_some()
                && !matches!(op, Op::Scalar(_) | Op::Constant(_))
        };
        let used = (0..graph.nodes.len() as NodeId).filter(is_index).collect();
        Indices { forms, used, is_used, wraps }
    }

    /// Returns an error unless all affine indices can be counted, and depend on coordinates along the axes of a space of this
    /// shape only, or along one of the axes `beside` them.
    pub(super) fn check(&self, operation: &'static str, shape: &[usize], beside: &[usize]) -> Result<()> {
        if self.wraps {
            let reason = format!("it reads coordinates beyond {} in a space of shape {shape:?}", i64::MAX);
            return Err(Error::invalid_input(operation, reason));
        }
        let forms = || self.used.iter().filter_map(|&id| self.forms[id as usize]);
        let beyond = shape.len().min(MOST_AXES)..;
        if forms().all(|form| form.strides[beyond.clone()] == [0; MOST_AXES][beyond.clone()]) {
            return Ok(());
        }
        let leaves = |axis: usize| !beside.contains(&axis) && forms().any(|form| form.strides[axis] != 0);
        match (shape.len()..MOST_AXES).rfind(|&axis| leaves(axis)) {
            None => Ok(()),
            Some(axis) => {
                let reason = format!(
                    "the expression has {} axes or more, and is evaluated over a space of shape {shape:?}",
                    axis + 1
                );
                Err(Error::invalid_input(operation, reason))
            }
        }
    }

    /// Checks the loads of the graph: see [`Graph::loads_within`].
    pub(super) fn bound(&self, operation: &'static str, graph: &Graph<'_>, shape: &[usize]) -> Result<i128> {
        let axes: SmallVec<[usize; MOST_AXES]> = shape.iter().rev().copied().collect();
        graph.loads_within(&self.forms, &axes, operation)
    }
}

/// Returns the form of a node. Sets `wraps` if a number of it cannot be counted.
fn affine_form(
    graph: &Graph<'_>,
    node: &Node,
    forms: &[Option<Affine>],
    axes: &[usize],
    wraps: &mut bool,
) -> Option<Affine> {
    let of = |at: usize| forms[node.arguments[at] as usize];
    let wraps = std::cell::Cell::from_mut(wraps);
    let counted = |form: Option<Affine>| {
        wraps.set(wraps.get() || form.is_none());
        form
    };
    let constant = |at: usize| of(at).and_then(Affine::as_constant);
    match node.op {
        Op::Coordinate(axis) => Some(Affine::coordinate(axis)),
        Op::Scalar(slot) => Some(Affine::constant(graph.scalars[slot as usize].value())),
        Op::Constant(bits) => Some(Affine::constant(bits as i64)),
        Op::Offset => counted(of(0)?.plus(of(1)?)),
        Op::Mirror => counted(of(1)?.plus(counted(of(0)?.times(-1))?)),
        Op::Affine => counted(counted(of(0)?.times(constant(1)?))?.plus(of(2)?)),
        Op::Strided => {
            let mut sum = of(0)?;
            for at in (1..node.arguments.len()).step_by(2) {
                let term = counted(of(at)?.times(constant(at + 1)?))?;
                sum = counted(sum.plus(term))?;
            }
            Some(sum)
        }
        // An index that is in range anyway: the safeguard of `Expr::with_shape` and `Expr::map_axis`.
        Op::Neighbour(_) => {
            let index = counted(of(0)?.plus(of(1)?))?;
            let [least, last] = index.range(axes);
            (least >= 0 && last < i128::from(constant(2)?)).then_some(index)
        }
        _ => None,
    }
}

/// Returns a graph over a space of this shape as one over the space in which groups of neighbouring axes are one axis each:
/// the coordinate along the joined axis is the number of the item among those of the group, in row-major order. `groups`
/// has the number of axes of each group. Returns `None` unless each index of the graph is affine along the joined axes.
pub(crate) fn joined<'a>(graph: &Graph<'a>, shape: &[usize], groups: &[usize]) -> Option<Graph<'a>> {
    let indices = Indices::of(graph, shape);
    let mut joined = Graph::default();
    (joined.on, joined.failure) = (graph.on.clone(), graph.failure.clone());
    let mut moved = vec![NodeId::MAX; graph.nodes.len()];
    let mut used = indices.used.iter().peekable();
    for (id, node) in graph.nodes.iter().enumerate() {
        moved[id] = match (used.next_if(|used| **used as usize == id), indices.forms[id]) {
            (Some(_), form) => strided(&form?.joined(shape, groups)?, &mut joined),
            // A node that only other affine indices use is not needed.
            (None, Some(_)) if !matches!(node.op, Op::Scalar(_) | Op::Constant(_)) => NodeId::MAX,
            // All coordinates are affine: the nodes that are adopted do not use one.
            (None, _) => joined.adopt(graph, node, &moved, Replace::Nothing),
        };
    }
    joined.roots = graph.roots.iter().map(|&root| moved[root as usize]).collect();
    Some(joined.pruned())
}

/// Returns the node of an index as a function of the coordinates.
fn strided(form: &Affine, graph: &mut Graph<'_>) -> NodeId {
    let mut arguments = vec![graph.scalar_node(Scalar::index(form.offset))];
    for (axis, &stride) in form.strides.iter().enumerate().filter(|(_, stride)| **stride != 0) {
        arguments.push(graph.node(Op::Coordinate(axis as u32), Type::Index, &[]));
        arguments.push(graph.scalar_node(Scalar::index(stride)));
    }
    graph.node(Op::Strided, Type::Index, &arguments)
}
