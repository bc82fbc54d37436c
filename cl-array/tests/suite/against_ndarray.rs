//! Random views, expressions and reductions, compared with those of the crate ndarray.

use cl_array::prelude::*;
use cl_array::{AxisSlice, Broadcast, Rank, Reduce};
use cl_test::each_device_and_forced;
use ndarray::{ArrayD, Axis, IxDyn, SliceInfoElem};
use proptest::prelude::*;

/// A view of an array that keeps its rank.
#[derive(Clone, Debug)]
enum View {
    Permuted(Vec<usize>),
    Flipped(usize),
    /// An axis, the begin and the end of a range as parts of its length, and the step.
    Sliced(usize, f64, f64, isize),
}

fn views(rank: usize) -> impl Strategy<Value = Vec<View>> {
    let order: Vec<usize> = (0..rank).collect();
    let view = prop_oneof![
        Just(order).prop_shuffle().prop_map(View::Permuted),
        (0..rank).prop_map(View::Flipped),
        (0..rank, 0.0..=1.0_f64, 0.0..=1.0_f64, prop_oneof![1..4_isize, -3..0_isize])
            .prop_map(|(axis, a, b, step)| View::Sliced(axis, a.min(b), a.max(b), step)),
    ];
    proptest::collection::vec(view, 0..4)
}

impl View {
    /// Returns the range of an axis of length `len`.
    fn range(begin: f64, end: f64, len: usize) -> (isize, isize) {
        let at = |part: f64| (part * (len + 1) as f64) as isize;
        (at(begin).min(len as isize), at(end).min(len as isize))
    }

    fn on_host(&self, array: ArrayD<i64>) -> ArrayD<i64> {
        match self {
            View::Permuted(order) => array.permuted_axes(IxDyn(order)).as_standard_layout().into_owned(),
            View::Flipped(axis) => {
                let mut array = array;
                array.invert_axis(Axis(*axis));
                array
            }
            View::Sliced(axis, begin, end, step) => {
                let (start, end) = View::range(*begin, *end, array.shape()[*axis]);
                let mut slices = vec![SliceInfoElem::Slice { start: 0, end: None, step: 1 }; array.ndim()];
                slices[*axis] = SliceInfoElem::Slice { start, end: Some(end), step: *step };
                array.slice(&slices[..]).into_owned()
            }
        }
    }

    fn of_expr<'a, const N: usize>(&self, expr: ArrayExpr<'a, i64, N>) -> ArrayExpr<'a, i64, N> {
        match self {
            View::Permuted(order) => expr.permute_axes(std::array::from_fn(|axis| order[axis])),
            View::Flipped(axis) => expr.flip(*axis),
            View::Sliced(axis, begin, end, step) => {
                let (start, end) = View::range(*begin, *end, expr.shape()[*axis]);
                expr.slice_axis(*axis, AxisSlice::Range { start, end: Some(end), step: *step })
            }
        }
    }

    fn of_view<'a, const N: usize>(&self, view: ArrayView<'a, i64, N>) -> ArrayView<'a, i64, N> {
        match self {
            View::Permuted(order) => view.permute_axes(std::array::from_fn(|axis| order[axis])),
            View::Flipped(axis) => view.flip(*axis),
            View::Sliced(axis, begin, end, step) => {
                let (start, end) = View::range(*begin, *end, view.shape()[*axis]);
                view.slice_axis(*axis, AxisSlice::Range { start, end: Some(end), step: *step })
            }
        }
    }

    fn of_target<'a, const N: usize>(&self, view: ArrayViewMut<'a, i64, N>) -> ArrayViewMut<'a, i64, N> {
        match self {
            View::Permuted(order) => view.permute_axes(std::array::from_fn(|axis| order[axis])),
            View::Flipped(axis) => view.flip(*axis),
            View::Sliced(axis, begin, end, step) => {
                let (start, end) = View::range(*begin, *end, view.shape()[*axis]);
                view.slice_axis(*axis, AxisSlice::Range { start, end: Some(end), step: *step })
            }
        }
    }
}

/// Returns the elements of an array in the order of their coordinates.
pub(crate) fn elements(array: &ArrayD<i64>) -> Vec<i64> {
    array.iter().copied().collect()
}

pub(crate) fn numbers(count: usize, seed: i64) -> Vec<i64> {
    (0..count as i64).map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64) >> 40).collect()
}

/// Compares views of a random array, a sum with a broadcast array, and an assignment to a view.
fn check<const N: usize>(shape: [usize; N], kept: [bool; N], first: &[View], second: &[View])
where
    for<'a> Rank<N>: Broadcast<Rank<N>, Expr<'a, i64> = ArrayExpr<'a, i64, N>>,
{
    let count = shape.iter().product();
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(count, 1)).unwrap();
    let wanted = first.iter().fold(host.clone(), |array, view| view.on_host(array));
    // An array that is broadcast along some axes of the view.
    let small: [usize; N] = std::array::from_fn(|axis| if kept[axis] { wanted.shape()[axis] } else { 1 });
    let other = ArrayD::from_shape_vec(IxDyn(&small), numbers(small.iter().product(), 99)).unwrap();
    let sum = if wanted.is_empty() { wanted.clone() } else { &wanted * 3 + &other };
    let twice = second.iter().fold(sum.clone(), |array, view| view.on_host(array));

    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
        let b = Array::from_slice(queue, small, &elements(&other)).unwrap();
        let view = first.iter().fold(a.view(), |view, of| of.of_view(view));
        assert_eq!(view.shape(), wanted.shape());
        assert_eq!(view.clone().to_vec().unwrap(), elements(&wanted));
        let expr = ArrayExpr::from(view) * 3 + b.view();
        assert_eq!(expr.clone().to_vec().unwrap(), elements(&sum));
        let expr = second.iter().fold(expr, |expr, of| of.of_expr(expr));
        assert_eq!(expr.to_vec().unwrap(), elements(&twice));

        let mut target = Array::filled(queue, shape, -7).unwrap();
        let size: [usize; N] = std::array::from_fn(|axis| wanted.shape()[axis]);
        let values = Array::from_slice(queue, size, &elements(&wanted)).unwrap();
        first.iter().fold(target.view_mut(), |view, of| of.of_target(view)).assign(&values).unwrap();
        // The view reads the values that were assigned to it; the other elements keep their value.
        let view = first.iter().fold(target.view(), |view, of| of.of_view(view));
        assert_eq!(view.to_vec().unwrap(), elements(&wanted));
        let changed = target.to_vec().unwrap().iter().filter(|&&x| x != -7).count();
        assert!(changed <= wanted.len());
    });
}

/// Compares sums, minima and products along each axis of a view.
fn check_reductions<const N: usize>(shape: [usize; N], views: &[View])
where
    Rank<N>: Reduce,
    <Rank<N> as Reduce>::Array<i64>: HostElements,
{
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 5)).unwrap();
    let wanted = views.iter().fold(host.clone(), |array, view| view.on_host(array));
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
        let expr = || ArrayExpr::from(views.iter().fold(a.view(), |view, of| of.of_view(view)));
        assert_eq!(expr().sum().unwrap(), wanted.sum(), "{shape:?} {views:?}");
        assert_eq!(expr().reduce_max().unwrap(), wanted.iter().copied().max());
        for axis in 0..N {
            let sums = expr().sum_axis(axis).unwrap().host();
            assert_eq!(sums, elements(&wanted.sum_axis(Axis(axis))), "{shape:?} {views:?} along {axis}");
            let squares = expr().map(|x| x * x + 1).sum_axis(axis).unwrap().host();
            assert_eq!(squares, elements(&wanted.mapv(|x| x * x + 1).sum_axis(Axis(axis))));
            if wanted.shape()[axis] > 0 {
                let least = wanted.map_axis(Axis(axis), |line| line.iter().copied().min().unwrap());
                assert_eq!(expr().min_axis(axis).unwrap().host(), elements(&least));
            } else if !wanted.sum_axis(Axis(axis)).is_empty() {
                assert!(expr().min_axis(axis).is_err());
            }
        }
    });
}

trait HostElements {
    fn host(&self) -> Vec<i64>;
}

impl<const N: usize> HostElements for Array<i64, N> {
    fn host(&self) -> Vec<i64> {
        self.to_vec().unwrap()
    }
}

pub(crate) fn shape<const N: usize>() -> impl Strategy<Value = [usize; N]> {
    let largest = [1, 700, 40, 14, 8, 5, 4][N];
    proptest::array::uniform(prop_oneof![1 => 0..2_usize, 3 => 1..=largest, 1 => Just(largest)])
}

macro_rules! ranks {
    ($($test:ident $reductions:ident $n:literal;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(3))]
            $(
                #[test]
                fn $test(
                    shape in shape::<$n>(),
                    kept in proptest::array::uniform(any::<bool>()),
                    first in views($n),
                    second in views($n),
                ) {
                    check::<$n>(shape, kept, &first, &second);
                }

                #[test]
                fn $reductions(shape in shape::<$n>(), views in views($n)) {
                    check_reductions::<$n>(shape, &views);
                }
            )*
        }
    };
}

ranks! {
    one_axis reductions_of_one_axis 1;
    two_axes reductions_of_two_axes 2;
    three_axes reductions_of_three_axes 3;
    four_axes reductions_of_four_axes 4;
    five_axes reductions_of_five_axes 5;
}
