//! Arrays and dense matrices of other crates, each with the feature of its name.
//!
//! | file | crate |
//! | --- | --- |
//! | `ndarray` | ndarray: arrays of any rank |
//! | `nalgebra` | nalgebra: matrices and vectors |
//! | `faer` | faer: matrices |

#[cfg(feature = "faer")]
mod faer;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;

#[cfg(any(feature = "faer", feature = "nalgebra"))]
use crate::{Array, ArrayView};
#[cfg(any(feature = "faer", feature = "nalgebra"))]
use cl_algo::Element;

/// Copies the elements of a matrix to the host, column by column.
#[cfg(any(feature = "faer", feature = "nalgebra"))]
fn columns<T: Element>(matrix: &Array<T, 2>) -> cl_core::Result<Vec<T>> {
    let transposed = matrix.t();
    if transposed.layout().is_contiguous() { matrix.as_vec().to_vec() } else { columns_of(&transposed.t()) }
}

/// Copies the elements of a view to the host, column by column.
#[cfg(any(feature = "faer", feature = "nalgebra"))]
fn columns_of<T: Element>(matrix: &ArrayView<'_, T, 2>) -> cl_core::Result<Vec<T>> {
    matrix.clone().t().to_vec()
}
