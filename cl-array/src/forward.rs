//! Reductions, scans and sorts as methods of arrays and of views, which call those of expressions.

use crate::array::Array;
use crate::rank::{Rank, Reduce};
use crate::reduce::Reduced;
use crate::view::ArrayView;
use cl_algo::{Castable, Float, Number, Ordered, SortKey};
use cl_core::Result;

/// Defines reductions of a whole array, then reductions along an axis.
macro_rules! reductions {
    ($(impl[$($generics:tt)*] $element:ident $whole:tt along $along:tt)*) => {$(
        reductions!(@ [$($generics)*] Array<$element, N>, $whole $along);
        reductions!(@ [$($generics)*] ArrayView<'_, $element, N>, $whole $along);
    )*};
    (@ [$($generics:tt)*] $owner:ty, {
        $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*
    } {
        $($along:ident($($more:ident: $more_type:ty),*) -> $reduced:ty;)*
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
        }
    };
}

reductions! {
    impl[T: Number,] T {
        sum() -> T;
    } along {
        sum_axis() -> T;
    }
    impl[T: Float + Castable,] T {
        mean() -> Option<T>;
        variance(ddof: usize) -> Option<T>;
        norm() -> T;
    } along {
        mean_axis() -> T;
        variance_axis(ddof: usize) -> T;
        norm_axis() -> T;
    }
    impl[T: Ordered + PartialEq,] T {
    } along {
        argmin_axis() -> u64;
        argmax_axis() -> u64;
    }
    impl[] bool {
        any() -> bool;
        all() -> bool;
        count() -> u64;
    } along {
        any_axis() -> bool;
        all_axis() -> bool;
        count_axis() -> u64;
    }
}

/// Defines operations along an axis whose results have the shape of the array.
macro_rules! same_shape {
    ($($class:path { $($name:ident -> $result:ty;)* })*) => {$(
        impl<T: $class, const N: usize> Array<T, N> {$(
            #[doc = concat!("Does the same as [`ArrayExpr::", stringify!($name), "`](crate::ArrayExpr::",
                stringify!($name), ").\n\n# Errors\nAs there.")]
            pub fn $name(&self, axis: usize) -> Result<Array<$result, N>> {
                self.iter().$name(axis)
            }
        )*}
    )*};
}

same_shape! {
    Number {
        cumulative_sum -> T;
        cumulative_product -> T;
    }
    Ordered {
        cumulative_min -> T;
        cumulative_max -> T;
    }
    SortKey {
        sort_axis -> T;
        argsort_axis -> u64;
    }
}
