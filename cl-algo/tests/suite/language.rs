//! The expression language beyond arithmetic: `bool`s, views, tuples, closures, sinks.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::Vector;
use cl_algo::math::log;
use cl_algo::prelude::*;
use cl_core::Error;
use cl_test::each_device;

/// Returns lengths around packs, tiles and chunks.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(vec![1, 2, 3, 17, 255, 1000, 4097, 70_001], vec![1, 2, 3, 17, 255, 1000, 9001])
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| (i * 7919 % 1013) as f32 - 300.0).collect()
}

#[test]
fn comparisons_and_select() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let a = numbers(len);
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let is_small = (x.iter().lt(10.0) & !x.iter().eq(-300.0)).collect().unwrap();
            let small: Vec<bool> = a.iter().map(|&a| a < 10.0 && a != -300.0).collect();
            assert_eq!(is_small.to_vec().unwrap(), small, "{len}");
            let chosen = is_small.iter().select(&x * 2.0, 0.5).collect().unwrap();
            let expected: Vec<f32> =
                a.iter().zip(&small).map(|(a, &s)| if s { a * 2.0 } else { 0.5 }).collect();
            assert_eq!(chosen.to_vec().unwrap(), expected);
            let counted = is_small.iter().cast::<u32>().sum().unwrap();
            assert_eq!(counted as usize, small.iter().filter(|&&s| s).count());
            // Combines comparisons of numbers of different sizes.
            let wide = (index::<f64>().lt(5.0) | x.iter().gt(100.0)) ^ is_small.iter();
            let expected: Vec<bool> =
                (0..len).map(|i| ((i as f64) < 5.0 || a[i] > 100.0) ^ small[i]).collect();
            assert_eq!(wide.collect().unwrap().to_vec().unwrap(), expected);
        }
    });
}

#[test]
fn views() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let a = numbers(len);
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let get = |expr: Expr<'_, f32>| expr.collect().unwrap().to_vec().unwrap();
            let reversed: Vec<f32> = a.iter().rev().copied().collect();
            assert_eq!(get(x.iter().rev()), reversed);
            assert_eq!(get(x.iter().rev().rev() * 1.0), a);
            let third: Vec<f32> = a.iter().copied().step_by(3).collect();
            assert_eq!(get(x.iter().step_by(3)), third);
            let odd: Vec<f32> = a.iter().skip(1).rev().step_by(2).copied().take(40).collect();
            assert_eq!(get(x.iter().skip(1).rev().step_by(2).take(40)), odd);
            let differences: Vec<f32> = a.windows(2).map(|w| w[1] - w[0]).collect();
            assert_eq!(get(x.slice(1..) - x.slice(..len - 1)), differences);
            let numbered: Vec<(u64, f32)> = (0..).zip(a.iter().copied()).collect();
            let (numbers, values) = x.iter().enumerate().collect().unwrap();
            let both = numbers.to_vec().unwrap().into_iter().zip(values.to_vec().unwrap());
            assert_eq!(both.collect::<Vec<_>>(), numbered);
        }
    });
}

#[test]
fn neighbours() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let a = numbers(len);
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            for offset in [-70_002_isize, -3, -1, 0, 1, 2, 1_000_000] {
                let at = |i: usize| i as isize + offset;
                let clamped: Vec<f32> =
                    (0..len).map(|i| a[at(i).clamp(0, len as isize - 1) as usize]).collect();
                let wrapped: Vec<f32> =
                    (0..len).map(|i| a[at(i).rem_euclid(len as isize) as usize]).collect();
                let constant: Vec<f32> = (0..len)
                    .map(|i| usize::try_from(at(i)).ok().and_then(|at| a.get(at)).copied().unwrap_or(7.5))
                    .collect();
                let get = |border| x.iter().shifted(offset, border).collect().unwrap().to_vec().unwrap();
                assert_eq!(get(Border::Clamp), clamped, "{offset} of {len}");
                assert_eq!(get(Border::Wrap), wrapped, "{offset} of {len}");
                assert_eq!(get(Border::Constant(7.5)), constant, "{offset} of {len}");
            }
        }
    });
}

#[test]
fn gather_and_scatter() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let a = numbers(len);
            let order: Vec<u32> = (0..len as u32).rev().map(|i| (i + 5) % len as u32).collect();
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let by = DeviceVec::from_slice(&queue, &order).unwrap();
            let gathered: Vec<f32> = order.iter().map(|&i| a[i as usize] + 1.0).collect();
            assert_eq!((&x + 1.0).gather(&by).collect().unwrap().to_vec().unwrap(), gathered);
            let mut y = DeviceVec::filled(&queue, 0.0_f32, len).unwrap();
            assign(y.scatter_mut(&by), &x * 2.0).unwrap();
            let mut scattered = vec![0.0; len];
            order.iter().zip(&a).for_each(|(&to, a)| scattered[to as usize] = a * 2.0);
            assert_eq!(y.to_vec().unwrap(), scattered);
        }
    });
}

#[test]
fn indices_out_of_range_are_reported_once() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let by = DeviceVec::from_slice(&queue, &[0_i32, -1, 2, 7]).unwrap();
        let y = x.iter().gather(&by).collect().unwrap();
        let error = y.to_vec().unwrap_err();
        assert!(matches!(error, Error::IndexOutOfRange { operation: "gather", bound: 3, .. }), "{error}");
        assert_eq!(y.to_vec().unwrap(), [1.0, 3.0, 3.0, 3.0]);

        let mut z = DeviceVec::filled(&queue, 0.0_f32, 3).unwrap();
        let by = DeviceVec::from_slice(&queue, &[2_u64, u64::MAX, 0]).unwrap();
        assign(z.scatter_mut(&by), &x).unwrap();
        let error = z.iter().sum().unwrap_err();
        let expected = Error::index_out_of_range("scatter", u64::MAX, 3);
        assert_eq!(error.to_string(), expected.to_string());
        assert_eq!(z.to_vec().unwrap(), [3.0, 0.0, 1.0]);
    });
}

#[test]
fn several_outputs_of_one_kernel() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let a = numbers(len);
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let mut sum = DeviceVec::filled(&queue, 0.0_f32, len).unwrap();
            let mut big = DeviceVec::filled(&queue, false, len).unwrap();
            let mut long = DeviceVec::filled(&queue, 0_i64, 2 * len).unwrap();
            let values = (&x + 1.0, x.iter().gt(0.0), x.iter().cast::<i64>());
            assign((&mut sum, &mut big, long.view_mut().rev().step_by(2)), values).unwrap();
            assert_eq!(sum.to_vec().unwrap(), a.iter().map(|a| a + 1.0).collect::<Vec<_>>());
            assert_eq!(big.to_vec().unwrap(), a.iter().map(|&a| a > 0.0).collect::<Vec<_>>());
            let long = long.to_vec().unwrap();
            assert!((0..len).all(|i| long[2 * len - 1 - 2 * i] == a[i] as i64 && long[2 * i] == 0));
            let (mut low, mut high) = (DeviceVec::filled(&queue, 0.0_f32, len).unwrap(), sum);
            assign(
                (mapped(&mut low, |(a, b): (Val<f32>, Val<f32>)| a.min(b)), &mut high, Discard),
                ((&x, 3.0), &x, &x),
            )
            .unwrap();
            assert_eq!(low.to_vec().unwrap(), a.iter().map(|a| a.min(3.0)).collect::<Vec<_>>());
            assert_eq!(high.to_vec().unwrap(), a);
        }
    });
}

/// Computes one Runge-Kutta step, for any type with arithmetic.
fn rk4<T>(x: T, h: f64, f: impl Fn(T) -> T) -> T
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let k1 = f(x);
    let k2 = f(x + k1 * (0.5 * h));
    let k3 = f(x + k2 * (0.5 * h));
    let k4 = f(x + k3 * h);
    x + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0)
}

#[test]
fn generic_code_is_recorded() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let a: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.003).collect();
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let stepped = x.iter().map(|x| rk4(x, 0.01, |x| x * x)).collect().unwrap();
        let expected: Vec<f64> = a.iter().map(|&x| rk4(x, 0.01, |x| x * x)).collect();
        assert_eq!(stepped.to_vec().unwrap(), expected);
    });
}

#[test]
fn symbolic_values_stay_in_their_closure() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0]).unwrap();
        let mut smuggled = Val::known(0.0_f32);
        let _ = x.iter().map(|x| {
            smuggled = x;
            x
        });
        let error = x.iter().map(|x| x + smuggled).collect().unwrap_err();
        assert!(error.to_string().contains("outside of the closure"), "{error}");
        // Outside of a recording it has no value, either.
        assert_eq!((smuggled + 1.0).value(), None);
    });
}

#[test]
fn in_place_reads_own_elements_only() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let error = x.assign_with(|x| x.clone().rev() + x).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        assert_eq!(x.to_vec().unwrap(), [1.0, 2.0, 3.0]);
    });
}

#[test]
fn compound_assignment() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let a: Vec<u32> = (0..1003_u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let mut y = DeviceVec::from_fn(&queue, a.len(), |i| i as u32 + 3).unwrap();
        y.add_assign(&x).unwrap();
        y.mul_assign(&x ^ 5).unwrap();
        y.shr_assign(3).unwrap();
        y.rem_assign(1000).unwrap();
        let expected = a
            .iter()
            .enumerate()
            .map(|(i, &a)| ((i as u32 + 3).wrapping_add(a).wrapping_mul(a ^ 5) >> 3) % 1000);
        assert_eq!(y.to_vec().unwrap(), expected.collect::<Vec<_>>());
    });
}

#[test]
fn bytes_as_other_types() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32, -2.0, 0.5, 3.0]).unwrap();
        let bits = x.reinterpret::<u32>().collect().unwrap().to_vec().unwrap();
        assert_eq!(bits, [1.0_f32, -2.0, 0.5, 3.0].map(f32::to_bits));
        // One argument, read as two types.
        let both = (x.reinterpret::<u32>() >> 31).cast::<f32>() + &x;
        assert_eq!(both.collect().unwrap().to_vec().unwrap(), [1.0, -1.0, 0.5, 3.0]);
        assert_eq!(x.reinterpret::<u64>().len(), Some(2));
        let three = x.slice(..3).collect().unwrap();
        assert!(three.reinterpret::<u64>().collect().is_err());
    });
}

#[test]
fn floats_become_integers_as_in_rust() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let special = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e9, -3e9, -0.0, 2.9, -2.9];
        // Packs, and a tail.
        let host: Vec<f32> = special.iter().copied().cycle().take(71).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        macro_rules! check {
            ($($to:ty)*) => {$(
                let expected: Vec<$to> = host.iter().map(|&x| x as $to).collect();
                assert_eq!(x.iter().cast::<$to>().collect().unwrap().to_vec().unwrap(), expected);
            )*};
        }
        check!(i8 u8 i16 u16 i32 u32 i64 u64);
        if device.has_fp64().unwrap() {
            let host: Vec<f64> = host.iter().map(|&x| x.into()).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let expected: Vec<i8> = host.iter().map(|&x| x as i8).collect();
            assert_eq!(x.iter().cast::<i8>().collect().unwrap().to_vec().unwrap(), expected);
        }
        // Vectors are converted by other code.
        let four = [f32::NAN, 3e9, -3e9, -2.9];
        let v = DeviceVec::from_slice(&queue, &[Vector::new(four)]).unwrap();
        let cast = v.iter().cast_components::<i32>().collect().unwrap().to_vec().unwrap();
        assert_eq!(cast, [Vector::new(four.map(|x| x as i32))]);
    });
}

#[test]
fn graphs_show_what_is_shared() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32]).unwrap();
        let dot = (log(&x) * (log(&x) + &x)).graphviz();
        assert_eq!(dot.matches("log: float").count(), 1, "{dot}");
        assert_eq!(dot.matches("x0: float").count(), 1, "{dot}");
        assert_eq!(dot.matches("peripheries=2").count(), 1, "{dot}");
    });
}
