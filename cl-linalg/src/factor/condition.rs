//! Estimates of norms of inverses, from which condition numbers follow.

use crate::error::Result;
use crate::scalar::{RealScalar, Scalar};

/// The maximal number of steps. More than a few are hardly ever needed.
const STEPS: usize = 5;

/// Estimates the 1-norm of a square matrix from products with it and with its adjoint. `times` gets a vector, and `true`
/// for the adjoint. The estimate is a lower bound.
///
/// Hager, "Condition Estimates", SIAM J. Sci. Stat. Comput. 5, 1984; Higham, ACM Trans. Math. Softw. 14, 1988, algorithm
/// 4.1 with the alternating vector that finds what the steps miss.
pub(super) fn one_norm<T: Scalar>(
    len: usize,
    mut times: impl FnMut(&[T], bool) -> Result<Vec<T>>,
) -> Result<T::Real> {
    let real = |value: f64| T::from_real(T::Real::from_f64(value));
    if len == 0 {
        return Ok(T::Real::from_f64(0.0));
    }
    let norm = |vector: &[T]| vector.iter().map(|item| item.magnitude().to_f64()).sum::<f64>();
    let mut start = vec![real(1.0 / len as f64); len];
    let mut best = 0.0;
    let mut last = None;
    for _ in 0..STEPS {
        let product = times(&start, false)?;
        let estimate = norm(&product);
        if last.is_some() && estimate <= best {
            break;
        }
        best = estimate;
        let signs: Vec<T> = product
            .iter()
            .map(|&item| {
                let size = item.magnitude();
                if size == T::Real::from_f64(0.0) { real(1.0) } else { item.over(size) }
            })
            .collect();
        let gradient = times(&signs, true)?;
        let largest = (0..len)
            .max_by(|&a, &b| gradient[a].magnitude().to_f64().total_cmp(&gradient[b].magnitude().to_f64()));
        let Some(largest) = largest else { break };
        if last == Some(largest) {
            break;
        }
        last = Some(largest);
        start = vec![real(0.0); len];
        start[largest] = real(1.0);
    }
    let step = |at: usize| 1.0 + at as f64 / (len.max(2) - 1) as f64;
    let alternating: Vec<T> =
        (0..len).map(|at| real(if at % 2 == 0 { step(at) } else { -step(at) })).collect();
    let other = 2.0 * norm(&times(&alternating, false)?) / (3.0 * len as f64);
    Ok(T::Real::from_f64(best.max(other)))
}
