//! Arrays read at computed coordinates, compared with loops on the host.

use crate::against_ndarray::{elements, numbers, shape};
use cl_algo::ranked::{Layout, assign, load};
use cl_array::prelude::*;
use cl_array::{Broadcast, Rank, Reduce};
use cl_core::Error;
use cl_test::counting::{devices, exclusive};
use cl_test::{each_device, each_device_and_forced, full_or_small};
use ndarray::{ArrayD, Axis, Dimension, IxDyn};
use proptest::prelude::*;

/// Returns the array of this shape whose elements are those of `array` at the coordinates that `from` returns.
fn read(array: &ArrayD<i64>, shape: &[usize], from: impl Fn(usize, usize) -> Option<usize>) -> ArrayD<i64> {
    ArrayD::from_shape_fn(IxDyn(shape), |at| {
        let at: Option<Vec<usize>> =
            at.slice().iter().enumerate().map(|(axis, &at)| from(axis, at)).collect();
        at.map_or(PADDING, |at| array[&at[..]])
    })
}

pub(crate) const PADDING: i64 = -7;

/// Returns the coordinate that a padded array reads, found step by step.
pub(crate) fn padded(at: usize, before: usize, len: usize, pad: Pad<i64>) -> Option<usize> {
    let (mut at, len) = (at as i64 - before as i64, len as i64);
    while at < 0 || at >= len {
        at = match pad {
            Pad::Edge => at.clamp(0, len - 1),
            Pad::Wrap if at < 0 => at + len,
            Pad::Wrap => at - len,
            Pad::Symmetric if at < 0 => -at - 1,
            Pad::Symmetric => 2 * len - 1 - at,
            Pad::Reflect if at < 0 => {
                if len == 1 {
                    0
                } else {
                    -at
                }
            }
            Pad::Reflect => {
                if len == 1 {
                    0
                } else {
                    2 * (len - 1) - at
                }
            }
            _ => return None,
        };
    }
    Some(at as usize)
}

/// A change of an array.
#[derive(Clone, Debug)]
enum Change {
    Pad([(usize, usize); 4], Pad<i64>),
    Roll(usize, isize),
    Tile([usize; 4]),
    Repeat(usize, usize),
    /// An axis, and indices as parts of its length.
    Take(usize, Vec<f64>),
}

fn changes(rank: usize) -> impl Strategy<Value = Change> {
    let pads = prop_oneof![
        Just(Pad::Constant(PADDING)),
        Just(Pad::Edge),
        Just(Pad::Reflect),
        Just(Pad::Symmetric),
        Just(Pad::Wrap)
    ];
    let widths = proptest::array::uniform((0..4_usize, prop_oneof![4 => 0..4_usize, 1 => 4..20_usize]));
    prop_oneof![
        2 => (widths, pads).prop_map(|(widths, pad)| Change::Pad(widths, pad)),
        1 => (0..rank, -50..50_isize).prop_map(|(axis, shift)| Change::Roll(axis, shift)),
        1 => proptest::array::uniform(0..3_usize).prop_map(Change::Tile),
        1 => (0..rank, 0..4_usize).prop_map(|(axis, count)| Change::Repeat(axis, count)),
        2 => (0..rank, proptest::collection::vec(0.0..1.0_f64, 0..30))
            .prop_map(|(axis, indices)| Change::Take(axis, indices)),
    ]
}

impl Change {
    fn on_host(&self, array: &ArrayD<i64>) -> ArrayD<i64> {
        let own = array.shape().to_vec();
        let mut shape = own.clone();
        match self {
            Change::Pad(widths, pad) => {
                shape.iter_mut().zip(widths).for_each(|(len, (before, after))| *len += before + after);
                read(array, &shape, |axis, at| padded(at, widths[axis].0, own[axis], *pad))
            }
            &Change::Roll(along, shift) => read(array, &shape, |axis, at| {
                let len = own[axis] as isize;
                Some(if axis == along { (at as isize - shift).rem_euclid(len) as usize } else { at })
            }),
            Change::Tile(counts) => {
                shape.iter_mut().zip(counts).for_each(|(len, count)| *len *= count);
                read(array, &shape, |axis, at| Some(at % own[axis]))
            }
            &Change::Repeat(along, count) => {
                shape[along] *= count;
                read(array, &shape, |axis, at| Some(if axis == along { at / count } else { at }))
            }
            Change::Take(axis, _) => {
                let indices: Vec<usize> = self.indices(&own).iter().map(|&index| index as usize).collect();
                array.select(Axis(*axis), &indices)
            }
        }
    }

    /// Returns the indices of a gather.
    fn indices(&self, shape: &[usize]) -> Vec<u32> {
        let Change::Take(axis, parts) = self else { return Vec::new() };
        let len = shape[*axis] as f64;
        parts.iter().map(|part| (part * len) as u32).filter(|_| len > 0.0).collect()
    }

    fn of_expr<'a, const N: usize>(
        &self,
        expr: ArrayExpr<'a, i64, N>,
        indices: &'a Array<u32, 1>,
    ) -> ArrayExpr<'a, i64, N> {
        match self {
            Change::Pad(widths, pad) => expr.pad(std::array::from_fn(|axis| widths[axis]), *pad),
            Change::Roll(axis, shift) => expr.roll(*axis, *shift),
            Change::Tile(counts) => expr.tile(std::array::from_fn(|axis| counts[axis])),
            Change::Repeat(axis, count) => expr.repeat(*axis, *count),
            Change::Take(axis, _) => expr.take(*axis, indices),
        }
    }

    /// Returns whether the change is not defined for an array of this shape.
    fn fails(&self, shape: &[usize]) -> bool {
        let Change::Pad(widths, pad) = self else { return false };
        let widths = &widths[..shape.len()];
        let is_empty = shape.iter().zip(widths).any(|(&len, (before, after))| len + before + after == 0);
        !matches!(pad, Pad::Constant(_))
            && !is_empty
            && shape.iter().zip(widths).any(|(&len, &widths)| len == 0 && widths != (0, 0))
    }
}

/// Compares two changes, one after the other, of a transposed array.
fn check<const N: usize>(shape: [usize; N], first: &Change, second: &Change)
where
    for<'a> Rank<N>: Broadcast<Rank<N>, Expr<'a, i64> = ArrayExpr<'a, i64, N>> + Reduce,
    <Rank<N> as Reduce>::Array<i64>: Elements<i64>,
{
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 3)).unwrap();
    let start = host.t().to_owned();
    if first.fails(start.shape()) {
        return check_failure(shape, first);
    }
    let once = first.on_host(&start);
    // The host's model of a pad has no end for an axis that is empty, so that it must see the shape of the pad's operand.
    let operand = once.t().to_owned() * 2 + 1;
    if second.fails(operand.shape()) {
        return;
    }
    let wanted = second.on_host(&operand);

    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
        let of = |shape: &[usize], change: &Change| {
            let indices = change.indices(shape);
            Array::from_slice(queue, [indices.len()], &indices).unwrap()
        };
        let indices = of(start.shape(), first);
        let expr = first.of_expr(a.t().into(), &indices);
        assert_eq!(expr.shape(), once.shape());
        assert_eq!(expr.clone().to_vec().unwrap(), elements(&once), "{first:?} of {:?}", start.shape());
        // Views and operators of the result, and the second change of that.
        let next = of(once.t().shape(), second);
        let expr = second.of_expr(expr.t() * 2 + 1, &next);
        assert_eq!(expr.shape(), wanted.shape());
        assert_eq!(
            expr.clone().to_vec().unwrap(),
            elements(&wanted),
            "{second:?} after {first:?} of {shape:?}"
        );

        // As the value of a target whose axes are turned and reversed, and as the input of a reduction.
        let mut target = Array::filled(queue, expr.t_shape(), 0_i64).unwrap();
        target.view_mut().t().flip(0).assign(&expr).unwrap();
        assert_eq!(ArrayExpr::from(target.t().flip(0)).to_vec().unwrap(), elements(&wanted));
        for axis in 0..N {
            let sums = expr.clone().sum_axis(axis).unwrap().elements();
            assert_eq!(
                sums,
                elements(&wanted.sum_axis(Axis(axis))),
                "{second:?} after {first:?} of {shape:?}"
            );
        }
    });
}

trait TransposedShape<const N: usize> {
    fn t_shape(&self) -> [usize; N];
}

impl<const N: usize> TransposedShape<N> for ArrayExpr<'_, i64, N> {
    fn t_shape(&self) -> [usize; N] {
        self.clone().t().shape()
    }
}

fn check_failure<const N: usize>(shape: [usize; N], change: &Change) {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let count = shape.iter().product();
        let a = Array::from_slice(queue, shape, &numbers(count, 3)).unwrap();
        let indices = Array::from_slice(queue, [0], &[]).unwrap();
        let error = change.of_expr(a.t().into(), &indices).collect().unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
    });
}

/// Reads an array whose rank a trait determines.
pub(crate) trait Elements<T> {
    fn elements(&self) -> Vec<T>;
}

impl<T: Element, const N: usize> Elements<T> for Array<T, N> {
    fn elements(&self) -> Vec<T> {
        self.to_vec().unwrap()
    }
}

macro_rules! ranks {
    ($($test:ident $n:literal;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(full_or_small(3, 1)))]
            $(
                #[test]
                fn $test(shape in shape::<$n>(), first in changes($n), second in changes($n)) {
                    check::<$n>(shape, &first, &second);
                }
            )*
        }
    };
}

ranks! {
    one_axis 1;
    two_axes 2;
    three_axes 3;
    four_axes 4;
}

#[test]
fn every_pad_of_short_axes() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in 0..4_usize {
            let host = numbers(len, 1);
            let a = Array::from_slice(queue, [len], &host).unwrap();
            for (widths, pad) in [(0, 0), (0, 3), (2, 0), (9, 11)].into_iter().flat_map(|widths| {
                [Pad::Constant(PADDING), Pad::Edge, Pad::Reflect, Pad::Symmetric, Pad::Wrap]
                    .map(|pad| (widths, pad))
            }) {
                let got = a.iter().pad([widths], pad).to_vec();
                if len == 0 && widths != (0, 0) && !matches!(pad, Pad::Constant(_)) {
                    assert!(matches!(got.unwrap_err(), Error::InvalidInput { .. }));
                    continue;
                }
                let count = widths.0 + len + widths.1;
                let at = |i| padded(i, widths.0, len, pad).map_or(PADDING, |at| host[at]);
                assert_eq!(got.unwrap(), (0..count).map(at).collect::<Vec<_>>(), "{len} {widths:?} {pad:?}");
            }
        }
    });
}

#[test]
fn triangles_and_diagonals() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in [[1, 1, 1], [2, 0, 3], [1, 5, 7], [3, 8, 4], [0, 2, 2]] {
            let host = ndarray::Array3::from_shape_vec(shape, numbers(shape.iter().product(), 4)).unwrap();
            let a = Array::from_slice(queue, shape, host.as_slice().unwrap()).unwrap();
            for k in [-9, -2, 0, 1, 7] {
                let lower = host.tril(k);
                assert_eq!(a.iter().tril(k).to_vec().unwrap(), lower.as_slice().unwrap(), "{shape:?} {k}");
                let upper = host.triu(k);
                assert_eq!(a.iter().triu(k).to_vec().unwrap(), upper.as_slice().unwrap(), "{shape:?} {k}");
            }
        }
        for len in [0, 1, 2, 33] {
            let host = numbers(len, 6);
            let a = Array::from_slice(queue, [len], &host).unwrap();
            let wanted = ndarray::Array2::from_diag(&ndarray::Array1::from(host));
            assert_eq!(a.iter().diag().to_vec().unwrap(), wanted.as_slice().unwrap());
        }
        let flags = Array::filled(queue, [2, 2], true).unwrap();
        assert_eq!(flags.iter().triu(0).to_vec().unwrap(), [true, true, false, true]);
        let line = Array::filled(queue, [3], 1).unwrap();
        assert!(matches!(line.iter().tril(0).collect().unwrap_err(), Error::InvalidInput { .. }));
    });
}

#[test]
fn indices_out_of_range_are_reported() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: Vec<i64> = (0..12).collect();
        let a = Array::from_slice(queue, [3, 4], &host).unwrap();
        let far = Array::from_slice(queue, [4], &[1_u64, 3, u64::MAX, 1 << 32]).unwrap();
        let negative = Array::from_slice(queue, [2], &[-1_i32, 2]).unwrap();
        let rows = a.iter().take(0, &far).collect().unwrap();
        let error = queue.finish().unwrap_err();
        assert!(matches!(error, Error::IndexOutOfRange { bound: 3, .. }), "{error}");
        // The last row is read instead.
        assert_eq!(
            rows.to_vec().unwrap(),
            [[4, 5, 6, 7], [8, 9, 10, 11], [8, 9, 10, 11], [8, 9, 10, 11]].concat()
        );
        let columns = a.iter().take(1, &negative).collect().unwrap();
        let error = columns.to_vec().unwrap_err();
        assert!(matches!(error, Error::IndexOutOfRange { index: u64::MAX, bound: 4, .. }), "{error}");
        assert_eq!(columns.to_vec().unwrap(), [3, 2, 7, 6, 11, 10]);
        // In a fold, and with computed indices.
        let sums = a.iter().take(1, far.iter() * 2).sum_axis(0).unwrap();
        let error = queue.finish().unwrap_err();
        assert!(matches!(error, Error::IndexOutOfRange { bound: 4, .. }), "{error}");
        assert_eq!(sums.to_vec().unwrap(), [18, 21, 21, 21]);
        queue.finish().unwrap();
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [2, 3], 1_i64).unwrap();
        let none = Array::filled(queue, [0, 3], 1_i64).unwrap();
        let indices = Array::filled(queue, [2], 0_u32).unwrap();
        let other = Queue::on(device).unwrap();
        let foreign = Array::filled(&other, [2], 0_u32).unwrap();
        for error in [
            a.iter().take(2, &indices).collect().unwrap_err(),
            none.iter().take(0, &indices).collect().unwrap_err(),
            a.iter().roll(2, 1).collect().unwrap_err(),
            a.iter().repeat(2, 1).collect().unwrap_err(),
            a.iter().pad([(usize::MAX, 1), (0, 0)], Pad::Edge).collect().unwrap_err(),
            a.iter().tile([usize::MAX, 2]).collect().unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
        let error = a.iter().take(0, &foreign).collect().unwrap_err();
        assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        assert_eq!(none.iter().take(1, &indices).shape(), [0, 2]);
        assert!(none.iter().take(1, &indices).to_vec().unwrap().is_empty());

        // The mechanism below checks the axis that it is given.
        let x = DeviceVec::from_slice(queue, &[1_i64, 2, 3]).unwrap();
        let mut y = DeviceVec::filled(queue, 0_i64, 2).unwrap();
        let to = Layout::row_major(&[2]).unwrap();
        let gathered =
            |len| load(&x, &Layout::row_major(&[3]).unwrap()).gather_axis(0, &[len], indices.as_vec());
        let error = assign("test", (&mut y, to), gathered(4)).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
        assign("test", (&mut y, to), gathered(3)).unwrap();
        assert_eq!(y.to_vec().unwrap(), [1, 1]);
        // Another shape than that of the vector, which has no coordinates.
        let error = assign("test", (&mut y, to), &x).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        let mapped = load(&x, &Layout::row_major(&[3]).unwrap()).map_axis(0, &[1000], |at| at + 998);
        let error = assign("test", (&mut y, to), mapped).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
    });
}

#[test]
fn other_shapes_use_the_same_kernels() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let evaluate = |[rows, columns]: [usize; 2]| {
            let a = Array::filled(queue, [rows, columns], 1.0_f32).unwrap();
            let indices = Array::filled(queue, [rows + 3], 1_u32).unwrap();
            for pad in [Pad::Constant(0.0), Pad::Edge, Pad::Reflect, Pad::Wrap] {
                drop(a.iter().pad([(2, rows), (columns, 1)], pad).collect().unwrap());
            }
            drop(a.iter().take(0, &indices).collect().unwrap());
            drop(a.iter().take(1, &indices).collect().unwrap());
            drop(a.iter().roll(1, columns as isize / 3).collect().unwrap());
            drop(a.iter().tile([rows, 2]).collect().unwrap());
            drop(a.iter().triu(rows as isize / 2).collect().unwrap());
        };
        evaluate([37, 83]);
        // Rows that begin at multiples of 16 elements have kernels of their own, with aligned packs.
        evaluate([61, 160]);
        let calls = counter.calls_during(|| (1..9).for_each(|k| evaluate([37 + 5 * k, 83 + 7 * k])));
        let count = |name: &str| calls.get(name).copied().unwrap_or(0);
        assert_eq!(count("clCreateProgramWithSource") + count("clCreateProgramWithBinary"), 0, "{calls:?}");
        assert_eq!(count("clEnqueueReadBuffer"), 0, "{calls:?}");
    }
}
