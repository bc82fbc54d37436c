//! Views of arrays and of expressions: slices, transpositions, broadcasting. Each is the coordinate along each axis of
//! the whole as a function of the view's coordinates.

use crate::expr::ArrayExpr;
use crate::rank::sealed::Sealed;
use crate::rank::{AnyRank, Axes, Extend, Rank, Reduce, Sliced};
use crate::slice::{AxisSlice, SliceInfo};
use crate::view::{ArrayView, ArrayViewMut};
use cl_algo::ranked::{AxisMap, MAX_RANK};
use cl_algo::{Element, Item};
use cl_core::Error;

/// Defines the methods that make views of a type.
macro_rules! views {
    ($type:ident, $class:ident) => {
        impl<'a, T: $class, const N: usize> $type<'a, T, N> {
            /// Returns the part that [`s!`](crate::s) describes. A part that the array does not have is a deferred
            /// error.
            #[doc(alias("slicer", "subarray", "block"))]
            pub fn slice<I, O>(self, slice: SliceInfo<I, O>) -> <Rank<N> as Sliced<I, O>>::Of<$type<'a, T, N>>
            where
                Rank<N>: Sliced<I, O>,
            {
                match slice.of(&self.shape()) {
                    Ok((axes, shape)) => <Rank<N> as Sliced<I, O>>::of(self, Axes(&axes), &shape),
                    Err(reason) => {
                        let failed = self.failed(Error::invalid_input("slice", reason));
                        <Rank<N> as Sliced<I, O>>::of(failed, Axes(&[AxisMap::at(0); N]), &[0; MAX_RANK])
                    }
                }
            }

            /// Returns the part of one axis, a range; the other axes are whole. [`Stepped`](crate::Stepped) is a range with
            /// a step.
            ///
            /// An axis or a range that the array does not have is a deferred error, and so is another kind of part.
            pub fn slice_axis(self, axis: usize, part: impl Into<AxisSlice>) -> $type<'a, T, N> {
                let part = part.into();
                if axis >= N {
                    return self.without_axis("slice_axis", axis);
                }
                if !matches!(part, AxisSlice::Range { .. }) {
                    let reason =
                        format!("{part:?} of axis {axis}: it is not a range; use `slice` or `index_axis`");
                    return self.failed(Error::invalid_input("slice_axis", reason));
                }
                let mut slices = [AxisSlice::Range { start: 0, end: None, step: 1 }; N];
                slices[axis] = part;
                self.slice(SliceInfo::<Rank<N>, Rank<N>>::of_axes(&slices))
            }

            /// Returns the transposed array: its axes in reverse order.
            #[doc(alias("transpose", "reversed_axes"))]
            pub fn t(self) -> $type<'a, T, N> {
                self.permute_axes(std::array::from_fn(|axis| N - 1 - axis))
            }

            /// Returns the array with its axes in another order: axis `k` of the result is axis `axes[k]` of the array.
            ///
            /// Axes that are not a permutation are a deferred error.
            #[doc(alias("transpose", "shuffle"))]
            pub fn permute_axes(self, axes: [usize; N]) -> $type<'a, T, N> {
                let shape = self.shape();
                let mut maps = [AxisMap::at(0); N];
                for (to, &from) in axes.iter().enumerate() {
                    if from < N {
                        maps[from] = AxisMap::whole(to);
                    }
                }
                if maps.iter().any(|map| map.axis.is_none()) {
                    let reason = format!("{axes:?} is not a permutation of the {N} axes");
                    return self.failed(Error::invalid_input("permute_axes", reason));
                }
                self.at(&maps, axes.map(|axis| shape[axis]))
            }

            /// Returns the array with two axes exchanged. An axis that the array does not have is a deferred error.
            pub fn swap_axes(self, a: usize, b: usize) -> $type<'a, T, N> {
                if a >= N || b >= N {
                    return self.without_axis("swap_axes", a.max(b));
                }
                let mut axes = std::array::from_fn(|axis| axis);
                axes.swap(a, b);
                self.permute_axes(axes)
            }

            /// Returns the array with the coordinates along an axis in reverse order.
            ///
            /// An axis that the array does not have is a deferred error.
            #[doc(alias("reverse", "invert_axis"))]
            pub fn flip(self, axis: usize) -> $type<'a, T, N> {
                if axis >= N {
                    return self.without_axis("flip", axis);
                }
                let shape = self.shape();
                let mut maps = std::array::from_fn::<_, N, _>(AxisMap::whole);
                maps[axis].stride = -1;
                maps[axis].offset = shape[axis].saturating_sub(1);
                self.at(&maps, shape)
            }

            pub(crate) fn without_axis(self, operation: &'static str, axis: usize) -> $type<'a, T, N> {
                let reason = format!("axis {axis} of an array that has {N} axes");
                self.failed(Error::invalid_input(operation, reason))
            }
        }

        impl<'a, T: $class, const N: usize> Sealed for $type<'a, T, N> {}

        impl<'a, T: $class, const N: usize> AnyRank for $type<'a, T, N> {
            type Of<const M: usize> = $type<'a, T, M>;

            fn at<const M: usize>(self, axes: Axes<'_>, shape: [usize; M]) -> $type<'a, T, M> {
                $type::at(self, axes.0, shape)
            }
        }

        impl<'a, T: $class, const N: usize> $type<'a, T, N> {
            /// Returns the array with an additional axis of length 1 in front of the axis `axis`.
            ///
            /// An axis beyond the rank is a deferred error.
            #[doc(alias("expand_dims", "unsqueeze", "newaxis"))]
            pub fn insert_axis(self, axis: usize) -> <Rank<N> as Extend>::Of<$type<'a, T, N>>
            where
                Rank<N>: Extend,
            {
                let at = axis.min(N);
                let mut shape = self.shape().to_vec();
                shape.insert(at, 1);
                let whole = if axis > N { self.without_axis("insert_axis", axis) } else { self };
                let axes: [AxisMap; N] = std::array::from_fn(|k| AxisMap::whole(k + usize::from(k >= at)));
                <Rank<N> as Extend>::of(whole, Axes(&axes), &shape)
            }

            /// Returns the array at one coordinate along an axis, without that axis.
            ///
            /// An axis or a coordinate that the array does not have is a deferred error.
            #[doc(alias("select", "take"))]
            pub fn index_axis(self, axis: usize, index: usize) -> <Rank<N> as Reduce>::Of<$type<'a, T, N>>
            where
                Rank<N>: Reduce,
            {
                let own = self.shape();
                let whole = match own.get(axis) {
                    None => self.without_axis("index_axis", axis),
                    Some(&len) if index >= len => {
                        let reason =
                            format!("index {index} of axis {axis}, which has length {len}: shape {own:?}");
                        self.failed(Error::invalid_input("index_axis", reason))
                    }
                    Some(_) => return self.without(axis, index),
                };
                whole.without(axis.min(N - 1), 0)
            }

            /// Returns the array without an axis of length 1.
            ///
            /// An axis that the array does not have or that has another length is a deferred error.
            #[doc(alias = "squeeze")]
            pub fn remove_axis(self, axis: usize) -> <Rank<N> as Reduce>::Of<$type<'a, T, N>>
            where
                Rank<N>: Reduce,
            {
                let own = self.shape();
                let whole = match own.get(axis) {
                    Some(1) => self,
                    Some(len) => {
                        let reason = format!("axis {axis} of shape {own:?} has length {len}, not 1");
                        self.failed(Error::invalid_input("remove_axis", reason))
                    }
                    None => self.without_axis("remove_axis", axis),
                };
                whole.without(axis.min(N - 1), 0)
            }

            /// Returns the array without an axis that it has, at a coordinate along it.
            fn without(self, axis: usize, index: usize) -> <Rank<N> as Reduce>::Of<$type<'a, T, N>>
            where
                Rank<N>: Reduce,
            {
                let mut shape = self.shape().to_vec();
                shape.remove(axis);
                let axes: [AxisMap; N] = std::array::from_fn(|k| match k {
                    _ if k == axis => AxisMap::at(index),
                    _ => AxisMap::whole(k - usize::from(k > axis)),
                });
                <Rank<N> as Reduce>::of(self, Axes(&axes), &shape)
            }
        }

        impl<'a, T: $class> $type<'a, T, 2> {
            /// Returns a row. A row that the array does not have is a deferred error.
            pub fn row(self, row: usize) -> $type<'a, T, 1> {
                self.slice(crate::s![row, ..])
            }

            /// Returns a column. A column that the array does not have is a deferred error.
            #[doc(alias = "col")]
            pub fn column(self, column: usize) -> $type<'a, T, 1> {
                self.slice(crate::s![.., column])
            }

            /// Returns the elements whose two coordinates are equal.
            #[doc(alias("diag", "trace"))]
            pub fn diagonal(self) -> $type<'a, T, 1> {
                let [rows, columns] = self.shape();
                self.at(&[AxisMap::whole(0); 2], [rows.min(columns)])
            }
        }
    };
}

views!(ArrayView, Element);
views!(ArrayViewMut, Element);
views!(ArrayExpr, Item);

/// Defines the methods that make views of another rank, for types that can be read.
macro_rules! reading_views {
    ($type:ident, $class:ident) => {
        impl<'a, T: $class, const N: usize> $type<'a, T, N> {
            /// Returns the array with this shape, by NumPy's rules: axes of length 1 are repeated, and axes are added in
            /// front. A shape that does not fit is a deferred error.
            #[doc(alias("broadcast_to", "repeat", "expand"))]
            pub fn broadcast<const M: usize>(self, shape: [usize; M]) -> $type<'a, T, M> {
                let own = self.shape();
                let fits = M >= N && own.iter().zip(&shape[M - N..]).all(|(&own, &to)| own == to || own == 1);
                let failure = match cl_algo::ranked::count(&shape) {
                    Ok(_) if fits => None,
                    Ok(_) => {
                        let reason = format!("shape {own:?} cannot be broadcast to {shape:?}");
                        Some(Error::invalid_input("broadcast", reason))
                    }
                    Err(error) => Some(error),
                };
                if let Some(error) = failure {
                    return self.at(&[AxisMap::at(0); N], [0; M]).failed(error);
                }
                let axes: [AxisMap; N] = std::array::from_fn(|axis| match own[axis] {
                    1 => AxisMap::at(0),
                    _ => AxisMap::whole(axis + M - N),
                });
                self.at(&axes, shape)
            }
        }
    };
}

reading_views!(ArrayView, Element);
reading_views!(ArrayExpr, Item);
