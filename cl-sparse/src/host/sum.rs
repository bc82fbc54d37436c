//! Sums of values of any type, without the panic of integers that overflow.
//!
//! `+` of integers that overflow panics or wraps around silently, depending on how the program is compiled. Values come
//! from files, so neither is acceptable. Types that define their own overflow, such as [`std::num::Wrapping`], and
//! types outside the standard library keep their own `+`.

use std::any::Any;
use std::ops::Add;

/// Returns the value as a `B` if `A` and `B` are the same type.
fn same<A: Copy + 'static, B: Copy + 'static>(value: A) -> Option<B> {
    (&value as &dyn Any).downcast_ref().copied()
}

/// Defines `checked` and `wrapping`, each with a branch for each integer type. For each `T`, the compiler
/// removes the branches for other types.
macro_rules! sums {
    ($($integer:ident)*) => {
        /// Returns the sum, or `None` if it is an integer sum that overflows.
        pub(crate) fn checked<T: Copy + Add<Output = T> + 'static>(a: T, b: T) -> Option<T> {
            $(if let (Some(a), Some(b)) = (same::<T, $integer>(a), same::<T, $integer>(b)) {
                return a.checked_add(b).and_then(same);
            })*
            Some(a + b)
        }

        /// Returns the sum. Integer sums wrap around.
        pub(crate) fn wrapping<T: Copy + Add<Output = T> + 'static>(a: T, b: T) -> T {
            $(if let (Some(a), Some(b)) = (same::<T, $integer>(a), same::<T, $integer>(b))
                && let Some(sum) = same(a.wrapping_add(b))
            {
                return sum;
            })*
            a + b
        }
    };
}

sums!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

#[cfg(test)]
mod tests {
    use super::{checked, wrapping};
    use std::num::Wrapping;

    #[test]
    fn integers_beyond_their_range_are_told_or_wrap_around() {
        assert_eq!((checked(i32::MAX, 1), wrapping(i32::MAX, 1)), (None, i32::MIN));
        assert_eq!((checked(i64::MIN, -1), wrapping(i64::MIN, -1)), (None, i64::MAX));
        assert_eq!((checked(200_u8, 100), wrapping(200_u8, 100)), (None, 44));
        assert_eq!((checked(usize::MAX, 1), wrapping(usize::MAX, 1)), (None, 0));
        assert_eq!((checked(2_i32, 3), wrapping(2_i32, 3)), (Some(5), 5));
    }

    #[test]
    fn other_types_keep_their_own_sum() {
        assert_eq!((checked(f32::MAX, f32::MAX), wrapping(1.5_f64, 2.0)), (Some(f32::INFINITY), 3.5));
        assert_eq!(checked(Wrapping(i32::MAX), Wrapping(1)), Some(Wrapping(i32::MIN)));
    }
}
