//! From vectors to index spaces, and back: the index of a vector's item is the item's number in row-major order. The same for
//! groups of axes.

use super::expr::{has_axes, index_node};
use super::layout::{Layout, MAX_RANK};
use crate::expr::{Expr, Item};
use crate::ir::graph::{Graph, Replace};
use crate::ir::indices::joined;
use crate::ir::leaf::Scalar;
use crate::ir::op::{Beyond, Op, Type};
use crate::ir::space::Space;
use cl_core::{Error, Result};

impl<'a, T: Item> Expr<'a, T> {
    /// Returns the items of a vector as an expression over an index space of this shape, in row-major order.
    ///
    /// A shape with another number of items is a deferred error. An expression without a length, of scalars only, has
    /// the same value at all coordinates.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::ranked::{Layout, assign, load};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[10, 20])?;
    /// let mut table = DeviceVec::filled(&queue, 0, 6)?;
    /// let column = load(&x, &Layout::row_major(&[2, 1])?);
    /// assign("table", (&mut table, Layout::row_major(&[2, 3])?), column + iota(0, 6).with_shape(&[2, 3]))?;
    /// assert_eq!(table.to_vec()?, [10, 11, 12, 23, 24, 25]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_shape(self, shape: &[usize]) -> Expr<'a, T> {
        let layout = match Layout::row_major(shape) {
            Ok(layout) => layout,
            Err(error) => return self.failed(error),
        };
        if let Some(len) = self.len().filter(|&len| len != layout.len()) {
            let reason =
                format!("shape {shape:?} has {} elements, and the expression has {len}", layout.len());
            return self.failed(Error::invalid_input("with_shape", reason));
        }
        let mut graph = Graph::default();
        let own = index_node(&mut graph, &layout);
        // Keeps loads in range if the expression is evaluated over a larger space. In its own space it costs nothing.
        let limits = [0, layout.len()].map(|limit| graph.scalar_node(Scalar::index(limit as i64)));
        let index = graph.node(Op::Neighbour(Beyond::Clamp), Type::Index, &[own, limits[0], limits[1]]);
        graph.roots = graph.absorb(&self.into_graph(), Replace::Index(index), "with_shape");
        Expr::new(graph.pruned())
    }

    /// Returns the items of an expression over an index space of this shape as a vector, in row-major order; `None`
    /// unless all arrays that it reads lie in memory in this order.
    ///
    /// # Errors
    /// Deferred errors; [`Error::OutOfBounds`] if an array is read beyond its vector; [`Error::InvalidInput`] for a shape
    /// with too many axes or elements.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::ranked::{Layout, load};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
    /// let table = load(&x, &Layout::row_major(&[2, 2])?);
    /// let all = table.map(|x| 2 * x).flattened(&[2, 2])?;
    /// assert_eq!(all.map(|all| all.take(3).to_vec()).transpose()?, Some(vec![2, 4, 6]));
    /// let transposed = load(&x, &Layout::column_major(&[2, 2])?);
    /// assert!(transposed.flattened(&[2, 2])?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn flattened(self, shape: &[usize]) -> Result<Option<Expr<'a, T>>> {
        let layout = Layout::row_major(shape)?;
        self.check()?;
        let own = self.into_graph();
        if layout.is_empty() {
            // A space without items has no loads to look at.
            let mut graph = Graph::default();
            let index = graph.node(Op::Constant(0), Type::Index, &[]);
            graph.roots = graph.absorb(&own, Replace::Coordinates(&[index; MAX_RANK]), "flattened");
            graph.len = Some(0);
            return Ok(Some(Expr::new(graph)));
        }
        let lowered = Space::lowered("flattened", &own, &[layout.affine()], shape, false)?;
        // If one axis is left, it is that of a vector.
        Ok(lowered.rows.is_none().then(|| Expr::new(lowered.graph)))
    }

    /// Returns an expression over an index space of this shape as an expression over the space in which groups of
    /// neighbouring axes are one axis each, whose items are in row-major order; `None` unless all arrays that it reads lie
    /// in memory so that this needs no division. `groups` has the number of axes of each group, from the first axis on. A
    /// group of zero axes is an axis of length 1.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::ranked::{Layout, assign, load};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let cube = load(&x, &Layout::row_major(&[2, 2, 2])?);
    /// let Some(table) = cube.with_joined_axes(&[2, 2, 2], &[1, 2])? else { unreachable!() };
    /// let mut doubled = DeviceVec::filled(&queue, 0, 8)?;
    /// assign("double", (&mut doubled, Layout::row_major(&[2, 4])?), 2 * table)?;
    /// assert_eq!(doubled.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
    /// let turned = load(&x, &Layout::column_major(&[2, 2, 2])?);
    /// assert!(turned.with_joined_axes(&[2, 2, 2], &[1, 2])?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Deferred errors; [`Error::InvalidInput`] for a shape with too many axes or elements, and unless the groups have
    /// all axes of the shape, and the shape all axes of the expression.
    pub fn with_joined_axes(self, shape: &[usize], groups: &[usize]) -> Result<Option<Expr<'a, T>>> {
        Layout::row_major(shape)?;
        self.check()?;
        if groups.len() > MAX_RANK || groups.iter().sum::<usize>() != shape.len() {
            let reason = format!("groups of {groups:?} axes, and shape {shape:?} has {} axes", shape.len());
            return Err(Error::invalid_input("with_joined_axes", reason));
        }
        let graph = self.into_graph();
        has_axes("with_joined_axes", &graph, shape)?;
        Ok(joined(&graph, shape, groups).map(Expr::new))
    }
}
