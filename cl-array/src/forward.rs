//! Reductions, scans, sorts and products as methods of arrays and of views, which call those of expressions.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::product::Product;
use crate::rank::{Broadcast, Rank, Reduce};
use crate::reduce::Reduced;
use crate::view::ArrayView;
use cl_algo::{Castable, Element, Float, Item, Number, Ordered, Recorded, SortKey, Val};
use cl_core::Result;

/// Defines reductions of a whole array, then reductions along an axis, then reductions along several axes.
macro_rules! reductions {
    ($(impl[$($generics:tt)*] $element:ident $whole:tt axis $along:tt axes $several:tt)*) => {$(
        reductions!(@ [$($generics)*] Array<$element, N>, $whole $along $several);
        reductions!(@ [$($generics)*] ArrayView<'_, $element, N>, $whole $along $several);
    )*};
    (@ [$($generics:tt)*] $owner:ty, {
        $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*
    } {
        $($along:ident($($more:ident: $more_type:ty),*) -> $reduced:ty;)*
    } {
        $($several:ident($($other:ident: $other_type:ty),*) -> $left:ty;)*
    }) => {
        impl<$($generics)* const N: usize> $owner {
            $(
                #[doc = concat!("Does the same as [`ArrayExpr::", stringify!($name), "`](crate::ArrayExpr::",
                    stringify!($name), ").\n\n# Errors\nAs there.")]
                pub fn $name(&self $(, $argument: $type)*) -> Result<$result> {
                    self.iter().$name($($argument),*)
                }
            )*
            $(
                #[doc = concat!("Does the same as [`ArrayExpr::", stringify!($along), "`](crate::ArrayExpr::",
                    stringify!($along), ").\n\n# Errors\nAs there.")]
                pub fn $along(&self, axis: usize $(, $more: $more_type)*) -> Result<Reduced<$reduced, N>>
                where
                    Rank<N>: Reduce,
                {
                    self.iter().$along(axis $(, $more)*)
                }
            )*
            $(
                #[doc = concat!("Does the same as [`ArrayExpr::", stringify!($several), "`](crate::ArrayExpr::",
                    stringify!($several), ").\n\n# Errors\nAs there.")]
                pub fn $several<const M: usize>(
                    &self,
                    axes: &[usize]
                    $(, $other: $other_type)*
                ) -> Result<Array<$left, M>> {
                    self.iter().$several(axes $(, $other)*)
                }
            )*
        }
    };
}

reductions! {
    impl[T: Number,] T {
        sum() -> T;
        product() -> Option<T>;
    } axis {
        sum_axis() -> T;
        product_axis() -> T;
    } axes {
        sum_axes() -> T;
        product_axes() -> T;
    }
    impl[T: Ordered,] T {
        reduce_min() -> Option<T>;
        reduce_max() -> Option<T>;
    } axis {
        min_axis() -> T;
        max_axis() -> T;
    } axes {
        min_axes() -> T;
        max_axes() -> T;
    }
    impl[T: Float + Castable,] T {
        mean() -> Option<T>;
        variance(ddof: usize) -> Option<T>;
        std(ddof: usize) -> Option<T>;
        norm() -> T;
        norm_l1() -> T;
        norm_max() -> T;
        logsumexp() -> T;
    } axis {
        mean_axis() -> T;
        variance_axis(ddof: usize) -> T;
        std_axis(ddof: usize) -> T;
        norm_axis() -> T;
        norm_l1_axis() -> T;
        norm_max_axis() -> T;
        logsumexp_axis() -> T;
    } axes {
        mean_axes() -> T;
        variance_axes(ddof: usize) -> T;
        std_axes(ddof: usize) -> T;
        logsumexp_axes() -> T;
    }
    impl[T: Ordered + PartialEq,] T {
        argmin() -> Option<[usize; N]>;
        argmax() -> Option<[usize; N]>;
    } axis {
        argmin_axis() -> u64;
        argmax_axis() -> u64;
    } axes {}
    impl[] bool {
        any() -> bool;
        all() -> bool;
        count() -> u64;
    } axis {
        any_axis() -> bool;
        all_axis() -> bool;
        count_axis() -> u64;
    } axes {
        any_axes() -> bool;
        all_axes() -> bool;
        count_axes() -> u64;
    }
}

/// Defines operations along an axis whose results have the shape of the array.
macro_rules! same_shape {
    ($(where T: $($class:path),+ { $($name:ident($($more:ident: $type:ty)?) -> $result:ty;)* })*) => {$(
        same_shape!(@ Array<T, N>, [$($class),+] { $($name($($more: $type)?) -> $result;)* });
        same_shape!(@ ArrayView<'_, T, N>, [$($class),+] { $($name($($more: $type)?) -> $result;)* });
    )*};
    (@ $owner:ty, [$($class:path),+] { $($name:ident($($more:ident: $type:ty)?) -> $result:ty;)* }) => {
        impl<T: $($class +)+, const N: usize> $owner {$(
            #[doc = concat!("Does the same as [`ArrayExpr::", stringify!($name), "`](crate::ArrayExpr::",
                stringify!($name), ").\n\n# Errors\nAs there.")]
            pub fn $name(&self, axis: usize $(, $more: $type)?) -> Result<Array<$result, N>> {
                self.iter().$name(axis $(, $more)?)
            }
        )*}
    };
}

same_shape! {
    where T: Float, Castable {
        softmax() -> T;
        log_softmax() -> T;
        layer_norm(epsilon: T) -> T;
    }
    where T: Number {
        cumulative_sum() -> T;
        cumulative_product() -> T;
    }
    where T: Ordered {
        cumulative_min() -> T;
        cumulative_max() -> T;
    }
    where T: SortKey {
        sort_axis() -> T;
        sort_axis_descending() -> T;
        argsort_axis() -> u64;
        argsort_axis_descending() -> u64;
    }
}

/// Defines the largest elements along an axis.
macro_rules! top_k {
    ($($owner:ty),*) => {$(
        impl<T: SortKey, const N: usize> $owner {
            /// Does the same as [`ArrayExpr::top_k_axis`](crate::ArrayExpr::top_k_axis).
            ///
            /// # Errors
            /// As there.
            pub fn top_k_axis(&self, axis: usize, k: usize) -> Result<(Array<T, N>, Array<u64, N>)> {
                self.iter().top_k_axis(axis, k)
            }
        }
    )*};
}

top_k!(Array<T, N>, ArrayView<'_, T, N>);

/// Defines products for arrays and for views.
macro_rules! products {
    ($($owner:ident $(<$view:lifetime>)? ($($borrow:lifetime)?);)*) => {$(
        impl<'a, T: Number, const N: usize> $owner<$($view,)? T, N> {
            /// Returns the product of two matrices, or of stacks of matrices; see
            /// [`ArrayExpr::matmul`](crate::ArrayExpr::matmul).
            ///
            /// # Errors
            /// As [`ArrayExpr::matmul`](crate::ArrayExpr::matmul).
            #[doc(alias("dot", "gemm", "product", "bmm"))]
            pub fn matmul<const M: usize>(
                &$($borrow)? self,
                other: impl ArrayOperand<'a, T, M>,
            ) -> Result<Product<T, N, M>>
            where
                Rank<N>: Broadcast<Rank<M>>,
            {
                self.iter().matmul(other)
            }

            /// Returns what a closure computes of a product of matrices and another operand; see
            /// [`ArrayExpr::matmul_with`](crate::ArrayExpr::matmul_with).
            ///
            /// # Errors
            /// As [`ArrayExpr::matmul_with`](crate::ArrayExpr::matmul_with).
            #[doc(alias("gemm", "addmm", "linear"))]
            pub fn matmul_with<E: Item, R: Recorded, const M: usize, const L: usize>(
                &$($borrow)? self,
                other: impl ArrayOperand<'a, T, M>,
                with: impl ArrayOperand<'a, E, L>,
                finish: impl FnOnce(Val<T>, E::Values) -> R,
            ) -> Result<Product<R::Item, N, M>>
            where
                R::Item: Element,
                Rank<N>: Broadcast<Rank<M>>,
            {
                self.iter().matmul_with(other, with, finish)
            }
        }

        impl<'a, T: Number> $owner<$($view,)? T, 2> {
            /// Returns the product of a matrix and a vector; see [`ArrayExpr::matvec`](crate::ArrayExpr::matvec).
            ///
            /// # Errors
            /// As [`ArrayExpr::matmul`](crate::ArrayExpr::matmul).
            #[doc(alias("dot", "gemv"))]
            pub fn matvec(&$($borrow)? self, vector: impl ArrayOperand<'a, T, 1>) -> Result<Array<T, 1>> {
                self.iter().matvec(vector)
            }
        }

        impl<'a, T: Number> $owner<$($view,)? T, 1> {
            /// Returns the sum of the products of the elements of two vectors; see
            /// [`ArrayExpr::dot`](crate::ArrayExpr::dot).
            ///
            /// # Errors
            /// As [`ArrayExpr::dot`](crate::ArrayExpr::dot).
            #[doc(alias("inner", "inner_product", "vdot"))]
            pub fn dot(&$($borrow)? self, other: impl ArrayOperand<'a, T, 1>) -> Result<T> {
                self.iter().dot(other)
            }

            /// Returns the products of all pairs of elements of two vectors, lazily; see
            /// [`ArrayExpr::outer`](crate::ArrayExpr::outer).
            #[doc(alias("outer_prod", "ger"))]
            pub fn outer(&$($borrow)? self, other: impl ArrayOperand<'a, T, 1>) -> ArrayExpr<'a, T, 2> {
                self.iter().outer(other)
            }
        }
    )*};
}

products! {
    Array ('a);
    ArrayView<'a> ();
}

impl<T: Number, const N: usize> Array<T, N> {
    /// Evaluates a product of matrices into the array; see [`ArrayViewMut::assign_matmul`](crate::ArrayViewMut::assign_matmul).
    ///
    /// # Errors
    /// As [`ArrayViewMut::assign_matmul`](crate::ArrayViewMut::assign_matmul).
    #[doc(alias("out", "gemm"))]
    pub fn assign_matmul<'a, const L: usize, const M: usize>(
        &'a mut self,
        left: impl ArrayOperand<'a, T, L>,
        right: impl ArrayOperand<'a, T, M>,
    ) -> Result<()> {
        self.view_mut().assign_matmul(left, right)
    }

    /// Adds a product of matrices to the array: `C = alpha A B + beta C`; see [`ArrayViewMut::add_matmul`](crate::ArrayViewMut::add_matmul).
    ///
    /// # Errors
    /// As [`ArrayViewMut::add_matmul`](crate::ArrayViewMut::add_matmul).
    #[doc(alias("gemm", "baddbmm", "addmm", "accumulate"))]
    pub fn add_matmul<'a, const L: usize, const M: usize>(
        &'a mut self,
        alpha: T,
        left: impl ArrayOperand<'a, T, L>,
        right: impl ArrayOperand<'a, T, M>,
        beta: T,
    ) -> Result<()>
    where
        T: PartialEq,
    {
        self.view_mut().add_matmul(alpha, left, right, beta)
    }
}
