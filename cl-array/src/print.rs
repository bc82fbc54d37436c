//! Arrays as text, in the form in which the crate ndarray prints its arrays.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::view::ArrayView;
use cl_algo::{Element, Val, ranked};
use cl_core::Result;
use std::fmt::{Display, Formatter, Result as Printed};

/// The number of elements from which on long axes are shortened.
const MANY: usize = 500;

/// An axis as it is printed.
#[derive(Clone, Copy)]
struct Axis {
    /// The number of coordinates.
    len: usize,
    /// The number of coordinates that are printed at each end, if the others are left out.
    edge: Option<usize>,
}

impl Axis {
    /// Returns the axes of an array. `{:#}` prints whole arrays.
    fn all<const N: usize>(shape: [usize; N], is_alternate: bool) -> [Axis; N] {
        let is_short = is_alternate || shape.iter().product::<usize>() < MANY;
        std::array::from_fn(|axis| {
            let longest = if axis + 2 < N { 6 } else { 11 };
            let is_whole = is_short || shape[axis] <= longest;
            Axis { len: shape[axis], edge: (!is_whole).then_some(longest / 2) }
        })
    }

    /// Returns the number of coordinates that are printed.
    fn printed(self) -> usize {
        self.edge.map_or(self.len, |edge| 2 * edge)
    }
}

/// Prints the elements, one axis a level of brackets. Long axes of arrays of 500 or more elements are shortened, unless
/// the format is `{:#}`. Other flags apply to each element. Waits for the device, and reads printed elements only.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.5])?;
/// assert_eq!(a.to_string(), "[[1, 2, 3],\n [4, 5, 6.5]]");
/// assert_eq!(format!("{:.1}", a.row(1)), "[4.0, 5.0, 6.5]");
/// let long = Array::from_fn(&queue, [1000], |[i]| i)?;
/// assert_eq!(long.to_string(), "[0, 1, 2, 3, 4, ..., 995, 996, 997, 998, 999]");
/// # Ok(())
/// # }
/// ```
impl<T: Element + Display, const N: usize> Display for Array<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Printed {
        print(f, &self.view(), || self.to_vec())
    }
}

/// Prints the elements, as [`Array`] does.
impl<T: Element + Display, const N: usize> Display for ArrayView<'_, T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Printed {
        print(f, self, || self.clone().to_vec())
    }
}

/// Prints a view. `to_vec` copies all its elements.
fn print<T: Element + Display, const N: usize>(
    f: &mut Formatter<'_>,
    view: &ArrayView<'_, T, N>,
    to_vec: impl FnOnce() -> Result<Vec<T>>,
) -> Printed {
    let axes = Axis::all(view.shape(), f.alternate());
    let is_whole = axes.iter().all(|axis| axis.edge.is_none());
    match if is_whole { to_vec() } else { read(view, axes) } {
        Ok(elements) if elements.is_empty() => write!(f, "{}{}", "[".repeat(N), "]".repeat(N)),
        Ok(elements) => print_axes(f, &axes, 1, &elements),
        Err(error) => write!(f, "<error: {error}>"),
    }
}

/// Copies the printed elements to the host, in row-major order.
fn read<T: Element, const N: usize>(view: &ArrayView<'_, T, N>, axes: [Axis; N]) -> Result<Vec<T>> {
    view.check()?;
    let (offset, strides) = (view.layout.offset(), view.layout.strides());
    let indices = ranked::from_coordinates(|at: [Val<u64>; N]| {
        let mut index = Val::known(offset as u64);
        for ((at, axis), &stride) in at.into_iter().zip(axes).zip(strides) {
            let at = match axis.edge {
                Some(edge) => at.lt(edge as u64).select(at, at + (axis.len - 2 * edge) as u64),
                None => at,
            };
            // A negative stride wraps around.
            index = index + at * stride as u64;
        }
        index
    });
    ArrayExpr::lazy(view.vector.iter().gather(indices), axes.map(Axis::printed)).to_vec()
}

/// Prints the printed elements of these axes. `depth` is the number of open brackets.
fn print_axes<T: Display>(f: &mut Formatter<'_>, axes: &[Axis], depth: usize, elements: &[T]) -> Printed {
    let Some((axis, inner)) = axes.split_first() else {
        return elements.iter().try_for_each(|element| element.fmt(f));
    };
    let separator = match inner.len() {
        0 => ", ".to_owned(),
        axes => format!(",{}{}", "\n".repeat(axes), " ".repeat(depth)),
    };
    f.write_str("[")?;
    for (at, part) in elements.chunks(elements.len() / axis.printed()).enumerate() {
        if at > 0 {
            f.write_str(&separator)?;
        }
        if Some(at) == axis.edge {
            write!(f, "...{separator}")?;
        }
        print_axes(f, inner, depth + 1, part)?;
    }
    f.write_str("]")
}
