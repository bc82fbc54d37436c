//! Convolutions and correlations, compared with loops on the host.

use crate::against_ndarray::{elements, numbers, shape};
use crate::rearranged::PADDING;
use crate::stencils::{element, pads};
use cl_array::prelude::*;
use cl_array::{Convolution, Double, Rank, Weights};
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced, full_or_small};
use ndarray::{ArrayD, Dimension, IxDyn};
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Options {
    /// Length of the kernel, stride and dilation, for each axis.
    of_axes: Vec<[usize; 3]>,
    ends: Ends,
    pad: Pad<i64>,
    flipped: bool,
    /// `true` for weights of the host.
    from_host: bool,
}

fn options() -> impl Strategy<Value = Options> {
    let of_axis =
        (1..3_usize, prop_oneof![2 => Just(1), 1 => 1..4_usize], prop_oneof![2 => Just(1), 1 => 1..4_usize]);
    let of_axes = proptest::collection::vec(of_axis.prop_map(|(a, b, c)| [a, b, c]), 3);
    let longer = 0..4_usize;
    let ends = prop_oneof![Just(Ends::Valid), Just(Ends::Same), Just(Ends::Full)];
    (of_axes, longer, ends, pads(), any::<bool>(), any::<bool>()).prop_map(
        |(mut of_axes, longer, ends, pad, flipped, from_host)| {
            of_axes[0][0] += longer;
            Options { of_axes, ends, pad, flipped, from_host }
        },
    )
}

/// Returns a convolution by the definition of SciPy, or `None` if the kernel does not fit.
fn on_host(image: &ArrayD<i64>, kernel: &ArrayD<i64>, options: &Options) -> Option<ArrayD<i64>> {
    let rank = image.ndim();
    let axes = &options.of_axes[..rank];
    let (mut shape, mut first) = (Vec::new(), Vec::new());
    for (axis, &[size, stride, dilation]) in axes.iter().enumerate() {
        let (len, reach) = (image.shape()[axis], (size - 1) * dilation);
        // The part of the full result, which begins where the kernel's last weight reads element 0.
        let (begin, len) = match options.ends {
            Ends::Valid => (reach, len.checked_sub(reach).filter(|&len| len > 0)?),
            Ends::Same => (reach / 2, len),
            Ends::Full => (0, len + reach),
        };
        shape.push(len.div_ceil(stride));
        first.push(begin as isize - reach as isize);
    }
    if image.is_empty() {
        return None;
    }
    Some(ArrayD::from_shape_fn(IxDyn(&shape), |at| {
        let products = kernel.indexed_iter().map(|(tap, &weight)| {
            let at: Vec<isize> = (0..rank)
                .map(|axis| {
                    let [size, stride, dilation] = axes[axis];
                    let tap = if options.flipped { size - 1 - tap[axis] } else { tap[axis] };
                    first[axis] + (at.slice()[axis] * stride + tap * dilation) as isize
                })
                .collect();
            weight.wrapping_mul(element(image, &at, options.pad))
        });
        products.fold(0, i64::wrapping_add)
    }))
}

fn check<const N: usize, const M: usize>(shape: [usize; N], options: &Options)
where
    Rank<N>: Double<Rank = Rank<M>>,
{
    let [sizes, strides, dilations] =
        [0, 1, 2].map(|at| -> [usize; N] { std::array::from_fn(|axis| options.of_axes[axis][at]) });
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 5)).unwrap();
    let kernel = ArrayD::from_shape_vec(IxDyn(&sizes), numbers(sizes.iter().product(), 9)).unwrap();
    let image = host.t().mapv(|x| x + 1);
    let wanted = on_host(&image, &kernel, options);
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
        let k = Array::from_slice(queue, sizes, &elements(&kernel)).unwrap();
        let convolution =
            Convolution::new(options.ends).strides(strides).dilations(dilations).border(options.pad);
        let weights = elements(&kernel);
        let image = || a.t() + 1;
        let kernel = if options.from_host { (sizes, &weights[..]).into() } else { Weights::from(&k) };
        let got = if options.flipped {
            convolution.convolve(image(), kernel)
        } else {
            convolution.correlate(image(), kernel)
        };
        let Some(wanted) = &wanted else {
            let error = got.map(drop).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
            return;
        };
        let got = got.unwrap();
        assert_eq!(got.shape(), wanted.shape());
        assert_eq!(got.to_vec().unwrap(), elements(wanted), "{shape:?} {options:?}");
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(full_or_small(6, 2)))]

    #[test]
    fn one_axis(shape in shape::<1>(), options in options()) {
        check::<1, 2>(shape, &options);
    }

    #[test]
    fn two_axes(shape in shape::<2>(), options in options()) {
        check::<2, 4>(shape, &options);
    }

    #[test]
    fn three_axes(shape in shape::<3>(), options in options()) {
        check::<3, 6>(shape, &options);
    }
}

/// Kernels with more weights than one kernel of the device takes.
#[test]
fn large_kernels() {
    for (ends, pad) in
        [(Ends::Valid, Pad::Edge), (Ends::Same, Pad::Reflect), (Ends::Full, Pad::Constant(PADDING))]
    {
        for flipped in [false, true] {
            let of_axes = vec![[140, 1, 1]];
            check::<1, 2>([300], &Options { of_axes, ends, pad, flipped, from_host: flipped });
        }
        let of_axes = vec![[13, 2, 1], [11, 1, 2]];
        check::<2, 4>([40, 33], &Options { of_axes, ends, pad, flipped: true, from_host: false });
    }
}

/// Compares with SciPy 1.17.1 for a kernel of even length: `scipy.ndimage.correlate` and `scipy.signal.convolve2d` for each
/// border, `scipy.signal.correlate` and `numpy.convolve` for zeros.
#[test]
fn even_kernels_begin_where_scipy_begins() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = Array::from_slice(queue, [4], &[1, 2, 4, 8]).unwrap();
        let cases = [
            (Pad::Symmetric, [11, 21, 42, 84], [11, 12, 24, 48]),
            (Pad::Wrap, [18, 21, 42, 84], [81, 12, 24, 48]),
            (Pad::Constant(0), [10, 21, 42, 84], [1, 12, 24, 48]),
            (Pad::Reflect, [12, 21, 42, 84], [21, 12, 24, 48]),
        ];
        for (pad, correlated, convolved) in cases {
            let of = Convolution::new(Ends::Same).border(pad);
            assert_eq!(of.correlate(&x, [1, 10]).unwrap().to_vec().unwrap(), correlated, "{pad:?}");
            assert_eq!(of.convolve(&x, [1, 10]).unwrap().to_vec().unwrap(), convolved, "{pad:?}");
        }
    });
}

/// The examples of `scipy.ndimage.convolve`, and of `numpy.convolve`.
#[test]
fn examples_of_others() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = [[1, 2, 0, 0], [5, 3, 0, 4], [0, 0, 0, 7], [9, 3, 0, 0]].concat();
        let a = Array::from_slice(queue, [4, 4], &a).unwrap();
        let k = [[1, 1, 1], [1, 1, 0], [1, 0, 0]];
        let same = Convolution::new(Ends::Same);
        let zeros = same.convolve(&a, k).unwrap().to_vec().unwrap();
        assert_eq!(zeros, [11, 10, 7, 4, 10, 3, 11, 11, 15, 12, 14, 7, 12, 3, 7, 0]);
        let ones = same.border(Pad::Constant(1)).convolve(&a, k).unwrap().to_vec().unwrap();
        assert_eq!(ones, [13, 11, 8, 7, 11, 3, 11, 14, 16, 12, 14, 10, 15, 6, 10, 5]);
        let c = Array::from_slice(queue, [3, 3], &[2, 0, 1, 1, 0, 0, 0, 0, 0]).unwrap();
        let k = [[0, 1, 0]; 5];
        let nearest = same.border(Pad::Edge).convolve(&c, k).unwrap().to_vec().unwrap();
        assert_eq!(nearest, [7, 0, 3, 5, 0, 2, 3, 0, 1]);
        // An even kernel: numpy.convolve([1, 2, 3, 4], [1, 10], "same") and numpy.correlate.
        let x = Array::from_slice(queue, [4], &[1, 2, 3, 4]).unwrap();
        assert_eq!(convolve(&x, [1, 10], Ends::Same).unwrap().to_vec().unwrap(), [1, 12, 23, 34]);
        assert_eq!(correlate(&x, [1, 10], Ends::Same).unwrap().to_vec().unwrap(), [10, 21, 32, 43]);
    });
}

#[test]
fn floats() {
    const SHAPE: [usize; 2] = [50, 61];
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: Vec<f32> =
            numbers(SHAPE[0] * SHAPE[1], 5).iter().map(|&x| x as f32 / (1 << 20) as f32).collect();
        let weights: [[f32; 7]; 7] =
            std::array::from_fn(|i| std::array::from_fn(|j| (i as f32 - j as f32) / 7.0));
        let a = Array::from_slice(queue, SHAPE, &host).unwrap();
        let got = correlate(&a, weights, Ends::Valid).unwrap();
        assert_eq!(got.shape(), [44, 55]);
        for (at, got) in got.to_vec().unwrap().into_iter().enumerate() {
            let (i, j) = (at / 55, at % 55);
            let products = (0..49).map(|tap| {
                let (y, x) = (tap / 7, tap % 7);
                f64::from(weights[y][x]) * f64::from(host[(i + y) * SHAPE[1] + j + x])
            });
            let (sum, size) = products.fold((0.0, 0.0), |(sum, size), p| (sum + p, size + p.abs()));
            // Each of 49 products and 48 sums is rounded once.
            let bound = 100.0 * f64::from(f32::EPSILON) * size;
            assert!((f64::from(got) - sum).abs() <= bound, "{at}: {got} instead of {sum}");
        }
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [3, 4], 1_i64).unwrap();
        let check = |result: cl_core::Result<Array<i64, 2>>, part: &str| {
            let error = result.unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, Error::InvalidInput { .. }) && text.contains(part), "{text}");
        };
        let k = [[1_i64, 2]];
        check(Convolution::new(Ends::Same).strides([0, 1]).convolve(&a, k), "stride 0 along axis 0");
        check(Convolution::new(Ends::Full).dilations([1, 0]).correlate(&a, k), "dilation 0 along axis 1");
        let far = Convolution::new(Ends::Full).dilations([1, usize::MAX]);
        check(far.convolve(&a, k), "along axis 1");
        let far = Convolution::new(Ends::Same).dilations([1, usize::MAX / 5]);
        check(far.convolve(&a, k), "reaches over");
        check(convolve(&a, [[0_i64; 0]], Ends::Full), "length 0 along axis 1");
        check(convolve(&a, [[0_i64; 5]; 2], Ends::Valid), "along axis 1, and the array has 4");
        check(convolve(&a, ([2, 2], &[1, 2, 3][..]), Ends::Full), "has 4 weights, and 3 are given");
        let none = Array::filled(queue, [0, 4], 1_i64).unwrap();
        check(convolve(&none, k, Ends::Full), "zero elements");
        check(convolve(&a, &none, Ends::Full), "length 0 along axis 0");
        check(convolve(a.slice(s![..9, ..]), k, Ends::Same), "axis 0");
        check(convolve(&a, a.slice(s![..9, ..]), Ends::Same), "axis 0");
        // A stride beyond the image leaves the first element.
        let first = Convolution::new(Ends::Same).strides([usize::MAX, 9]).correlate(&a, k).unwrap();
        assert_eq!((first.shape(), first.to_vec().unwrap()), ([1, 1], vec![2]));
    });
}
