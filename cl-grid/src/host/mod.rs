//! Formulas on the host: the same functions and operators, over arrays in host memory.

mod compile;
mod rows;

use crate::evaluate::Inside;
use crate::formula::{Formula, GridNumber, Kind};
use crate::region::{Region, Span};
use cl_algo::ranked::HostElement;
use cl_core::{Error, Result};
use compile::Program;
use rayon::prelude::*;
use rows::Rows;
use std::borrow::Cow;

/// The threads of the host that evaluate a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread.
    One,
    /// The threads of rayon's pool.
    All,
}

/// The maximal number of points of a row on a grid of one axis.
const LONG_ROW: usize = 1 << 14;

impl<'a, T: GridNumber, const N: usize> Formula<'a, T, N> {
    /// Returns the function whose values are in memory of the host, in row-major order. Only the host evaluates formulas of
    /// it: see [`Inside::assign_to_host`].
    ///
    /// A shape with another number of points is a deferred error.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// use cl_grid::Threads;
    /// # fn main() -> cl_core::Result<()> {
    /// let f = Formula::from_host([2, 3], &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
    /// let ahead = Operator::new(|at| at([0, 1]) - at([0, 0]));
    /// let mut h = [0.0; 6];
    /// ahead.of(f).inside([(0, 0), (0, 1)]).assign_to_host(&mut h, Threads::One)?;
    /// assert_eq!(h, [1.0, 2.0, 0.0, 8.0, 16.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_host(shape: [usize; N], values: impl Into<Cow<'a, [T]>>) -> Formula<'a, T, N> {
        let values = values.into();
        let count = cl_algo::ranked::count(&shape);
        let failure = match count {
            Ok(count) if count == values.len() => None,
            Ok(count) => {
                let reason = format!("{} values for shape {shape:?} of {count} points", values.len());
                Some(Error::invalid_input("from_host", reason))
            }
            Err(error) => Some(error),
        };
        Formula::new(Kind::Host(values), Some(shape), Region::of_grid(shape), failure)
    }
}

impl<T: GridNumber + HostElement, const N: usize> Inside<'_, T, N> {
    /// Evaluates the function at the points on the host, into an array of all points of the grid in row-major order. The
    /// points in the margins are not changed.
    ///
    /// The function's arrays are in host memory: see [`Formula::from_host`]. Results have the bits of the device's for
    /// integers and for arithmetic of floats. Parts of a formula that several points read are kept in a few planes of
    /// memory.
    ///
    /// # Errors
    /// Deferred errors; [`Error::InvalidInput`] if the function reads arrays of a device, has no value at some of the points,
    /// or if `target` has another number of elements than the grid has points; for functions of OpenCL that the host does
    /// not have: see [`Neighbourhood::on_host`](cl_algo::ranked::Neighbourhood::on_host).
    pub fn assign_to_host(&self, target: &mut [T], threads: Threads) -> Result<()> {
        const OPERATION: &str = "assign_to_host";
        let shape = self.formula.grid(OPERATION)?;
        let region = self.margins.inside(shape);
        self.formula.check_at(OPERATION, shape, &region)?;
        let count: usize = shape.iter().product();
        if target.len() != count {
            let reason = format!("{} elements for a grid of shape {shape:?}", target.len());
            return Err(Error::invalid_input(OPERATION, reason));
        }
        if region.is_empty() {
            return Ok(());
        }
        let program = Program::new(&self.formula)?;
        // The first axis is divided, so that each part has its own elements of the target.
        let len = region.0[0].len();
        let workers = match threads {
            Threads::One => 1,
            Threads::All => rayon::current_num_threads(),
        };
        let longest = if N == 1 { LONG_ROW } else { len };
        let parts = workers.max(len.div_ceil(longest)).min(len);
        let plane: usize = shape[1..].iter().product();
        let mut rest = &mut target[region.0[0].begin as usize * plane..];
        let mut jobs = Vec::new();
        let mut begin = region.0[0].begin;
        for part in 0..parts {
            let end = region.0[0].begin + (len * (part + 1) / parts) as i64;
            let (own, behind) = rest.split_at_mut((end - begin) as usize * plane);
            let part = region.with(0, Span { begin, end });
            jobs.push((own, part, program.regions(&self.formula, part)));
            (rest, begin) = (behind, end);
        }
        let run = |(own, part, regions): (&mut [T], Region<N>, Vec<Region<N>>)| {
            Rows::new(&program, regions, part).evaluate(own, shape)
        };
        match threads {
            Threads::One => jobs.into_iter().try_for_each(run),
            Threads::All => jobs.into_par_iter().try_for_each(run),
        }
    }
}
