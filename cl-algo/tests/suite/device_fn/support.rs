//! Comparisons of a device function's results on the device and on the host.

use cl_algo::{DeviceVec, Element};
use std::fmt::Debug;

/// A value that can be compared within a number of units in the last place.
pub(crate) trait Close: Copy + Debug {
    fn is_close(self, other: Self, ulps: u64) -> bool;
}

macro_rules! exact {
    ($($of:ty)*) => {$(
        impl Close for $of {
            fn is_close(self, other: Self, _: u64) -> bool {
                self == other
            }
        }
    )*};
}

exact! { bool i8 u8 i16 u16 i32 u32 i64 u64 usize isize }

macro_rules! floats {
    ($($of:ty as $bits:ty;)*) => {$(
        impl Close for $of {
            fn is_close(self, other: Self, ulps: u64) -> bool {
                // Bits of equal sign count through the floats in order.
                self == other
                    || self.is_nan() && other.is_nan()
                    || self.is_sign_negative() == other.is_sign_negative()
                        && u64::from(self.to_bits().abs_diff(other.to_bits())) <= ulps
            }
        }
    )*};
}

floats! { f32 as u32; f64 as u64; }

/// Device vectors that can be read as the results of the host's function.
pub(crate) trait Download<R> {
    fn download(self) -> Vec<R>;
}

impl<T: Element> Download<T> for DeviceVec<T> {
    fn download(self) -> Vec<T> {
        self.to_vec().unwrap()
    }
}

impl Download<usize> for DeviceVec<u64> {
    fn download(self) -> Vec<usize> {
        self.to_vec().unwrap().into_iter().map(|value| value as usize).collect()
    }
}

macro_rules! tuples {
    ($($($name:ident $vector:ident $at:tt)+;)*) => {$(
        impl<$($name: Close),+> Close for ($($name,)+) {
            fn is_close(self, other: Self, ulps: u64) -> bool {
                $(self.$at.is_close(other.$at, ulps))&&+
            }
        }

        impl<$($name: Copy, $vector: Download<$name>),+> Download<($($name,)+)> for ($($vector,)+) {
            fn download(self) -> Vec<($($name,)+)> {
                let columns = ($(self.$at.download(),)+);
                (0..columns.0.len()).map(|at| ($(columns.$at[at],)+)).collect()
            }
        }
    )*};
}

tuples! {
    A V 0 B W 1;
    A V 0 B W 1 C X 2;
    A V 0 B W 1 C X 2 D Y 3;
    A V 0 B W 1 C X 2 D Y 3 E Z 4 F U 5;
}

/// Asserts that device vectors have the host's result at each index, within `ulps` units in the last place.
pub(crate) fn assert_close<R: Close>(
    actual: impl Download<R>,
    ulps: u64,
    what: &str,
    host: impl Fn(usize) -> R,
) {
    let actual = actual.download();
    assert!(!actual.is_empty(), "nothing is compared");
    for (at, actual) in actual.into_iter().enumerate() {
        let expected = host(at);
        assert!(actual.is_close(expected, ulps), "{what} at {at}: {actual:?} instead of {expected:?}");
    }
}

/// Asserts that a device function has the same results for columns of arguments on the device as on the host, within
/// `ulps` units in the last place; slices follow a semicolon.
macro_rules! agree {
    ($queue:expr, $ulps:expr, $function:ident($($x:ident),+ $(; $slice:ident)*)) => {{
        let actual = {
            $(let $x = &cl_algo::DeviceVec::from_slice($queue, &$x).unwrap();)+
            $(let $slice = &cl_algo::DeviceVec::from_slice($queue, &$slice).unwrap();)*
            $function($($x,)+ $($slice,)*).collect().unwrap()
        };
        let host = |at: usize| $function($($x[at],)+ $(&$slice,)*);
        $crate::device_fn::support::assert_close(actual, $ulps, stringify!($function), host);
    }};
}

/// Returns integers of all sizes, including the ends of their range.
pub(crate) fn integers() -> Vec<i64> {
    let mut values = vec![0, 1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 100, 127, 128, 255, 256, 32767, 65535];
    values.extend([i64::from(i32::MAX), i64::from(u32::MAX), i64::MAX, 0x0123_4567_89ab_cdef, 1 << 40]);
    let negative: Vec<i64> = values.iter().map(|value| -value).collect();
    values.extend(negative);
    values.extend([i64::MIN, i64::from(i32::MIN), i64::from(i16::MIN), i64::from(i8::MIN)]);
    values
}

/// Returns all pairs.
pub(crate) fn pairs<T: Copy>(values: &[T]) -> (Vec<T>, Vec<T>) {
    values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).unzip()
}
