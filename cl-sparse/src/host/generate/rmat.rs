//! Graphs with few vertices of high degree and many of low degree.

use super::unit_f64;
use crate::host::{HostCsr, InvalidMatrix, Triplets};
use crate::index::Index;
use rand_core::Rng;
use std::ops::Add;

/// The parameters of a recursive graph after D. Chakrabarti, Y. Zhan and C. Faloutsos: "R-MAT: A recursive model for
/// graph mining", SIAM Int. Conf. Data Mining (2004).
///
/// Each edge chooses a quarter of the adjacency matrix, then a quarter of the quarter, and so on, down to one entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RMat {
    /// The base-2 logarithm of the number of vertices.
    pub scale: u32,
    /// The number of edges to draw. The weights of edges that coincide are added.
    pub edges: usize,
    /// The probability of the quarter of low rows and low columns.
    pub a: f64,
    /// The probability of the quarter of low rows and high columns.
    pub b: f64,
    /// The probability of the quarter of high rows and low columns. The last quarter has the remaining probability.
    pub c: f64,
}

impl RMat {
    /// Creates a graph with the quarters of the Graph500 benchmark: 0.57, 0.19, 0.19 and 0.05.
    #[must_use]
    pub fn new(scale: u32, edges: usize) -> RMat {
        RMat { scale, edges, a: 0.57, b: 0.19, c: 0.19 }
    }
}

/// Returns the adjacency matrix of a recursive graph: an edge from vertex i to vertex j is in row i and column j. Rows
/// are sorted. `value` draws the weights of edges; the weights of edges that coincide are added.
///
/// ```
/// use cl_random::{Engine, Philox4x32};
/// use cl_sparse::{HostCsr, generate::{RMat, rmat}};
///
/// let mut rng = Philox4x32::<10>::new(7).rng();
/// let graph: HostCsr<f32> = rmat(RMat::new(10, 8000), &mut rng, |_| 1.0)?;
/// assert_eq!((graph.rows(), graph.values().iter().sum::<f32>()), (1024, 8000.0));
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If the probabilities are not between 0 and 1 or add to more than 1; if `I` cannot count the vertices or edges, or
/// there is not enough memory for them; if integer weights of edges that coincide overflow when they are added.
pub fn rmat<T: Copy + Add<Output = T> + 'static, I: Index, R: Rng>(
    graph: RMat,
    rng: &mut R,
    mut value: impl FnMut(&mut R) -> T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    let RMat { scale, edges, a, b, c } = graph;
    let Some(vertices) = 1_usize.checked_shl(scale) else {
        return Err(InvalidMatrix::parameter(
            "the scale",
            format!("is {scale}: more vertices than a size can express"),
        ));
    };
    // The check also rejects NaN.
    if ![a, b, c].iter().all(|part| (0.0..=1.0).contains(part)) || a + b + c > 1.0 + f64::EPSILON {
        return Err(InvalidMatrix::parameter(
            "probabilities",
            format!("are {a}, {b} and {c}: not parts of 1"),
        ));
    }
    InvalidMatrix::count::<I>("rows", vertices)?;
    InvalidMatrix::count::<I>("values", edges)?;
    let mut triplets = Triplets::new(vertices, vertices);
    triplets.reserve("edges", edges)?;
    for _ in 0..edges {
        let (mut row, mut column) = (0, 0);
        for _ in 0..scale {
            let chance = unit_f64(rng);
            let (low_row, low_column) = (chance < a + b, chance < a || (a + b..a + b + c).contains(&chance));
            row = row << 1 | usize::from(!low_row);
            column = column << 1 | usize::from(!low_column);
        }
        triplets.push(row, column, value(rng))?;
    }
    triplets.to_csr()
}
