//! Explicit Runge-Kutta methods for systems of functions on a grid.

use crate::evaluate::GridTargets;
use crate::formula::Formula;
use crate::grid::GridFloat;
use cl_array::Array;
use cl_core::{Error, Result};

/// An explicit Runge-Kutta method, by its order of accuracy in the step.
///
/// After E. Hairer, S. P. Nørsett and G. Wanner, "Solving Ordinary Differential Equations I", 2nd edition, section II.1;
/// [`Ssp3`](Method::Ssp3) after C.-W. Shu and S. Osher, 1988.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Euler's method: order 1, one stage.
    Euler,
    /// The midpoint method: order 2, two stages.
    Midpoint,
    /// Heun's method: order 2, two stages.
    Heun,
    /// The method of order 3 with three stages that keeps the variation of a solution from growing, if Euler's method does.
    Ssp3,
    /// The classical method: order 4, four stages.
    Kutta4,
}

/// The coefficients of a method: for each stage the weights of the earlier stages, and the weights of all stages in the sum.
struct Tableau {
    stages: &'static [&'static [f64]],
    weights: &'static [f64],
}

impl Method {
    fn tableau(self) -> Tableau {
        let (stages, weights): (&[&[f64]], &[f64]) = match self {
            Method::Euler => (&[&[]], &[1.0]),
            Method::Midpoint => (&[&[], &[0.5]], &[0.0, 1.0]),
            Method::Heun => (&[&[], &[1.0]], &[0.5, 0.5]),
            Method::Ssp3 => (&[&[], &[1.0], &[0.25, 0.25]], &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0]),
            Method::Kutta4 => {
                (&[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]], &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0])
            }
        };
        Tableau { stages, weights }
    }
}

/// Steps in time of `M` functions on a grid by a Runge-Kutta method: `du/dt = f(t, u)`.
///
/// A step is one kernel for each stage, which computes all functions: the last stage is a part of the sum, and the arguments
/// of stages are never stored. Arrays for the other stages are allocated once.
///
/// ```
/// use cl_grid::prelude::*;
/// use cl_grid::{Method, RungeKutta};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // A wave on a ring: the height and its velocity.
/// let grid = Grid::uniform([32], [1.0 / 32.0])?;
/// let turn = 2.0 * std::f32::consts::PI;
/// let height = grid.function::<f32>(|[x]| (x * turn).sin()).collect_on(&queue)?;
/// let velocity = grid.zeros(&queue)?;
/// let laplacian = grid.laplacian::<f32>();
///
/// let mut state = [height, velocity];
/// let mut method = RungeKutta::new(Method::Kutta4, &state)?;
/// for step in 0..100 {
///     method.step(&mut state, 0.01 * f64::from(step), 0.01, |_, [height, velocity]| {
///         [velocity, laplacian.of(height.border(BorderRule::Periodic))]
///     })?;
/// }
/// // One period later the wave is where it was, but for the error of the grid.
/// assert!((state[0].get([8])? - 1.0).abs() < 0.02);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RungeKutta<T: GridFloat, const N: usize, const M: usize> {
    method: Method,
    /// The derivatives at all stages but the last one.
    stages: Vec<[Array<T, N>; M]>,
    next: [Array<T, N>; M],
}

impl<T: GridFloat, const N: usize, const M: usize> RungeKutta<T, N, M> {
    /// Returns a method with arrays for states of the shape of `state`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the functions of the state have different shapes; as [`Array::filled`].
    pub fn new(method: Method, state: &[Array<T, N>; M]) -> Result<RungeKutta<T, N, M>> {
        let shape = state.first().map_or([0; N], Array::shape);
        if let Some(other) = state.iter().map(Array::shape).find(|other| *other != shape) {
            let reason = format!("the functions of the state have shapes {shape:?} and {other:?}");
            return Err(Error::invalid_input("runge_kutta", reason));
        }
        let stages = method.tableau().stages.len() - 1;
        let stages = (0..stages).map(|_| zeros_like(state)).collect::<Result<_>>()?;
        Ok(RungeKutta { method, stages, next: zeros_like(state)? })
    }

    /// Replaces the state at the time `t` by the state at `t + dt`. Does not wait.
    ///
    /// `derivative` returns the derivatives of the functions at a time. It gets the functions without borders, and gives
    /// them the borders that it needs. Operators with data own them here: `grid.diffusion(k)` and not `grid.diffusion(&k)`.
    ///
    /// # Errors
    /// As [`Target::assign`](crate::Target::assign). If a step fails, the state is that before the step.
    pub fn step(
        &mut self,
        state: &mut [Array<T, N>; M],
        t: f64,
        dt: f64,
        derivative: impl for<'b> Fn(f64, [Formula<'b, T, N>; M]) -> [Formula<'b, T, N>; M],
    ) -> Result<()> {
        let Tableau { stages, weights } = self.method.tableau();
        for (stage, weights_of_earlier) in stages.iter().enumerate() {
            let time = t + dt * weights_of_earlier.iter().sum::<f64>();
            let (earlier, rest) = self.stages.split_at_mut(stage);
            let argument = moved(state, earlier, weights_of_earlier, dt);
            let derivatives = derivative(time, argument);
            let is_last = stage + 1 == stages.len();
            if is_last {
                let own = T::nearest(dt * weights[stage]);
                let mut sums = derivatives.map(|derivative| Formula::number(own) * derivative);
                for (sum, earlier) in sums.iter_mut().zip(moved(state, earlier, weights, dt)) {
                    *sum = earlier + &*sum;
                }
                self.next.each_mut().whole().assign(sums)?;
            } else if let Some(targets) = rest.first_mut() {
                targets.each_mut().whole().assign(derivatives)?;
            }
        }
        std::mem::swap(state, &mut self.next);
        Ok(())
    }
}

/// Returns new arrays of zeros of the shapes of a state.
fn zeros_like<T: GridFloat, const N: usize, const M: usize>(
    state: &[Array<T, N>; M],
) -> Result<[Array<T, N>; M]> {
    let arrays: Vec<_> = state
        .iter()
        .map(|array| Array::filled(array.queue(), array.shape(), T::zeroed()))
        .collect::<Result<_>>()?;
    arrays.try_into().map_err(|_| Error::invalid_input("runge_kutta", "the state has another length"))
}

/// Returns the state plus the sum of the derivatives of the stages, each multiplied by its weight and the step.
fn moved<'b, T: GridFloat, const N: usize, const M: usize>(
    state: &'b [Array<T, N>; M],
    stages: &'b [[Array<T, N>; M]],
    weights: &[f64],
    dt: f64,
) -> [Formula<'b, T, N>; M] {
    std::array::from_fn(|at| {
        let terms = stages.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        terms.fold(Formula::from(&state[at]), |sum, (stage, &weight)| {
            sum + Formula::number(T::nearest(dt * weight)) * &stage[at]
        })
    })
}
