//! Complex numbers as elements: arithmetic against the host, at the ends of the range too.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::num_complex::{Complex, Complex32, Complex64};
use cl_algo::prelude::*;
use cl_test::each_device;
use proptest::prelude::*;

const LENGTHS: [usize; 6] = [0, 1, 2, 3, 17, 1000];

fn numbers(len: usize, shift: usize) -> Vec<Complex32> {
    let part = |i: usize| (i * 7919 % 1013) as f32 * 0.25 - 120.0;
    (0..len).map(|i| Complex::new(part(i + shift), part(3 * i + shift + 1))).collect()
}

/// That the distance is at most some units in the last place of the larger part.
fn assert_close(device: Complex64, host: Complex64, epsilon: f64, what: &str) {
    let near = |a: f64, b: f64| a == b || (a - b).abs() <= epsilon * host.re.abs().max(host.im.abs());
    assert!(near(device.re, host.re) && near(device.im, host.im), "{what}: {device}, on the host {host}");
}

fn wide(z: Complex32) -> Complex64 {
    Complex::new(z.re.into(), z.im.into())
}

fn exp(z: Complex64) -> Complex64 {
    Complex::new(z.im.cos(), z.im.sin()) * z.re.exp()
}

fn get(expr: Expr<'_, Complex32>) -> Vec<Complex32> {
    expr.collect().unwrap().to_vec().unwrap()
}

#[test]
fn sums_and_products_are_the_hosts() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS {
            let (a, b) = (numbers(len, 0), numbers(len, 5));
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let y = DeviceVec::from_slice(&queue, &b).unwrap();
            let host = |f: fn(Complex32, Complex32) -> Complex32| -> Vec<_> {
                a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect()
            };
            let (sum, difference, product, negated) =
                x.iter().zip(&y).map(|(x, y)| (x + y, x - y, x * y, -x)).collect().unwrap();
            assert_eq!(sum.to_vec().unwrap(), host(|a, b| a + b));
            assert_eq!(difference.to_vec().unwrap(), host(|a, b| a - b));
            assert_eq!(product.to_vec().unwrap(), host(|a, b| a * b));
            assert_eq!(negated.to_vec().unwrap(), host(|a, _| -a));
            for ((q, a), b) in get(&x / &y).into_iter().zip(&a).zip(&b) {
                assert_close(wide(q), wide(*a) / wide(*b), 4e-7, "quotient");
            }
        }
    });
}

#[test]
fn scalars_on_either_side() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let a = numbers(17, 0);
        let weights: Vec<f32> = (0..17).map(|i| i as f32 - 4.5).collect();
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let w = DeviceVec::from_slice(&queue, &weights).unwrap();
        let host = |f: &dyn Fn(Complex32, f32) -> Complex32| -> Vec<_> {
            a.iter().zip(&weights).map(|(&a, &w)| f(a, w)).collect()
        };
        assert_eq!(get(2.0 * &x + 1.0), host(&|a, _| 2.0 * a + 1.0));
        assert_eq!(get(&x * &w - 0.5), host(&|a, w| a * w - 0.5));
        assert_eq!(get(x.iter() / (&w * 2.0)), host(&|a, w| a / (w * 2.0)));
        assert_eq!(get(3.0 - &x), host(&|a, _| 3.0 - a));
        let i = Complex32::i();
        assert_eq!(get(i * &x + i), host(&|a, _| i * a + i));
        assert_eq!(get(x.iter().map(|x| 0.5 * x * i - 2.0)), host(&|a, _| 0.5 * a * i - 2.0));
        for (q, a) in get(1.0 / &x).into_iter().zip(&a) {
            assert_close(wide(q), 1.0 / wide(*a), 4e-7, "reciprocal");
        }
        // Expressions of real numbers on the left, and complex numbers of the host beside them.
        assert_eq!(get(&w * &x), host(&|a, w| w * a));
        assert_eq!(get((&w + 1.0) * &x - &w), host(&|a, w| a * (w + 1.0) - w));
        assert_eq!(get(&w - &x), host(&|a, w| -(a - w)));
        assert_eq!(get(&w * i), host(&|_, w| i * w));
        assert_eq!(get(i * &w + (&w * 2.0) * i), host(&|_, w| i * w + i * (w * 2.0)));
        let closure = |(a, w): (Val<Complex32>, Val<f32>)| a * w + i * w + (w + i);
        assert_eq!(get(zip((&x, &w)).map(closure)), host(&|a, w| a * w + i * w + (w + i)));
        // Casts still know what they are to be.
        let casts = get((&w + w.iter().cast::<i32>().cast()) * Complex32::new(1.0, 0.0));
        assert_eq!(casts, host(&|_, w| Complex::new(w + w.trunc(), 0.0)));
        for ((q, a), w) in get(&w / &x).into_iter().zip(&a).zip(&weights) {
            assert_close(wide(q), f64::from(*w) / wide(*a), 4e-7, "quotient");
        }
        // A scalar has no imaginary part that could meet infinity.
        let infinite = DeviceVec::from_slice(&queue, &[Complex::new(f32::INFINITY, 1.0)]).unwrap();
        assert_eq!(get(&infinite * 2.0), [Complex::new(f32::INFINITY, 2.0)]);
        assert_eq!(get(2.0 * &infinite / 4.0), [Complex::new(f32::INFINITY, 0.5)]);
    });
}

#[test]
fn parts_and_functions() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS {
            let a: Vec<Complex32> = numbers(len, 0).into_iter().map(|a| a * 0.05).collect();
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let all = x.iter().map(|z| (z.re(), z.im(), z.conj(), z.norm_sqr(), z.norm(), z.arg()));
            let (re, im, conj, norm_sqr, norm, arg) = all.collect().unwrap();
            assert_eq!(re.to_vec().unwrap(), a.iter().map(|a| a.re).collect::<Vec<_>>());
            assert_eq!(im.to_vec().unwrap(), a.iter().map(|a| a.im).collect::<Vec<_>>());
            assert_eq!(conj.to_vec().unwrap(), a.iter().map(Complex::conj).collect::<Vec<_>>());
            assert_eq!(norm_sqr.to_vec().unwrap(), a.iter().map(Complex::norm_sqr).collect::<Vec<_>>());
            let near = |device: Vec<f32>, host: fn(Complex64) -> f64| {
                for (d, &a) in device.into_iter().zip(&a) {
                    let h = host(wide(a));
                    // Six units in the last place: what OpenCL allows atan2; hypot four.
                    assert!((f64::from(d) - h).abs() <= 6.0 * 1.2e-7 * h.abs(), "{a}: {d}, on the host {h}");
                }
            };
            near(norm.to_vec().unwrap(), |z| z.re.hypot(z.im));
            near(arg.to_vec().unwrap(), |z| z.im.atan2(z.re));
            assert_eq!(get(complex(x.iter().re(), x.iter().im())), a);
            assert_eq!(get(x.iter().conj().conj()), a);
            for (e, a) in get(x.iter().exp()).into_iter().zip(&a) {
                assert_close(wide(e), exp(wide(*a)), 1e-6, "exp");
            }
            for (p, a) in get(from_polar(x.iter().norm(), x.iter().arg())).into_iter().zip(&a) {
                assert_close(wide(p), wide(*a), 4e-6, "from_polar");
            }
        }
    });
}

#[test]
fn exp_at_the_ends_of_the_range() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let infinity = f32::INFINITY;
        let a = [
            Complex::new(0.0, 0.0),
            Complex::new(-infinity, 1.0),
            Complex::new(infinity, 0.0),
            // exp(89) is infinite as f32, its product with cos(1.57) is not.
            Complex::new(89.0, 1.57),
            Complex::new(-infinity, infinity),
        ];
        let z = get(DeviceVec::from_slice(&queue, &a).unwrap().iter().exp());
        assert_eq!(z[0], Complex::new(1.0, 0.0));
        assert_eq!(z[1], Complex::new(0.0, 0.0));
        assert_eq!(z[2], Complex::new(infinity, 0.0));
        let expected = exp(wide(a[3]));
        assert!((f64::from(z[3].re) / expected.re - 1.0).abs() < 1e-4, "{} {expected}", z[3]);
        assert_eq!(z[3].im, infinity);
        assert_eq!(z[4], Complex::new(0.0, 0.0));
    });
}

#[test]
fn sums() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS.into_iter().chain([cl_test::full_or_small(70_001, 9001)]) {
            let a: Vec<Complex32> = (0..len).map(|i| Complex::new(i as f32 % 8.0, -0.5)).collect();
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let expected: Complex32 = a.iter().sum();
            assert_eq!(x.sum().unwrap(), expected, "{len}");
            let squares: f32 = a.iter().map(Complex::norm_sqr).sum();
            assert_eq!(x.iter().norm_sqr().sum().unwrap(), squares, "{len}");
        }
        // A plain loop loses all ones behind the first number; with compensation only its tile does.
        let mut a = vec![Complex::new(1.0_f32, -1.0); 70_001];
        a[0] = Complex::new(1e8, -1e8);
        let total = DeviceVec::from_slice(&queue, &a).unwrap().sum().unwrap();
        assert_close(wide(total), Complex::new(1.0007e8, -1.0007e8), 5e-5, "sum");
    });
}

#[test]
fn wherever_elements_go() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS.into_iter().filter(|&len| len > 0) {
            let a = numbers(len, 0);
            let order: Vec<u32> = (0..len as u32).map(|i| (i + 5) % len as u32).collect();
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let by = DeviceVec::from_slice(&queue, &order).unwrap();
            let gathered: Vec<_> = order.iter().map(|&i| a[i as usize]).collect();
            assert_eq!(get(x.iter().gather(&by)), gathered);
            let mut y = DeviceVec::filled(&queue, Complex::default(), len).unwrap();
            assign(y.scatter_mut(&by), &x).unwrap();
            let mut scattered = vec![Complex::default(); len];
            order.iter().zip(&a).for_each(|(&to, &a)| scattered[to as usize] = a);
            assert_eq!(y.to_vec().unwrap(), scattered);
            assert_eq!(get(x.slice(1..)), a[1..]);
            let wrapped: Vec<_> = (0..len).map(|i| a[(i + 1) % len]).collect();
            assert_eq!(get(x.iter().shifted(1, Border::Wrap)), wrapped);
            y.assign(&x * constant(Complex::new(0.5, -1.0))).unwrap();
            let scaled: Vec<_> = a.iter().map(|a| a * Complex::new(0.5, -1.0)).collect();
            assert_eq!(y.to_vec().unwrap(), scaled);
            let equal: Vec<bool> = a.iter().map(|&z| z == a[0]).collect();
            assert_eq!(x.iter().eq(a[0]).collect().unwrap().to_vec().unwrap(), equal);
        }
        let counted: Vec<Complex32> = (0..9_u8).map(|i| Complex::new(f32::from(i), 2.0)).collect();
        assert_eq!(
            iota(Complex::new(0.0_f32, 2.0), 9).collect_on(&queue).unwrap().to_vec().unwrap(),
            counted
        );
    });
}

#[test]
fn remainders_are_the_hosts() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let a: Vec<Complex32> =
            (0..100_u8).map(|i| Complex::new(f32::from(i) - 50.3, f32::from(i) * 0.7)).collect();
        let divisor = Complex::new(3.1_f32, -1.7);
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        for (r, a) in get(&x % divisor).into_iter().zip(&a) {
            assert!((r - a % divisor).l1_norm() < 2e-5, "{a}: {r}, on the host {}", a % divisor);
        }
    });
}

/// Two numbers, and what their quotient must be.
type Case = (Complex32, Complex32, fn(Complex32) -> bool);

/// What becomes of zeros and infinities: as in C99, annex G.
#[test]
fn quotients_of_limits() {
    let (infinity, nan) = (f32::INFINITY, f32::NAN);
    let z = |re, im| Complex::new(re, im);
    let cases: [Case; 9] = [
        (z(1.0, 1.0), z(0.0, 0.0), |q| q.re == f32::INFINITY && q.im == f32::INFINITY),
        (z(-1.0, 2.0), z(0.0, 0.0), |q| q.re == -f32::INFINITY && q.im == f32::INFINITY),
        (z(0.0, 0.0), z(0.0, 0.0), |q| q.is_nan()),
        (z(1.0, 2.0), z(infinity, infinity), |q| q == Complex::new(0.0, 0.0)),
        (z(1.0, 2.0), z(-infinity, 3.0), |q| q == Complex::new(0.0, 0.0)),
        (z(infinity, 1.0), z(1.0, 0.5), |q| q.re.is_infinite() || q.im.is_infinite()),
        (z(infinity, infinity), z(1.0, 1.0), |q| q.re.is_infinite() || q.im.is_infinite()),
        (z(infinity, 1.0), z(infinity, 1.0), |q| q.is_nan()),
        (z(nan, nan), z(1.0, 1.0), |q| q.is_nan()),
    ];
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &cases.map(|case| case.0)).unwrap();
        let y = DeviceVec::from_slice(&queue, &cases.map(|case| case.1)).unwrap();
        for (q, (a, b, expected)) in get(&x / &y).into_iter().zip(cases) {
            assert!(expected(q), "({a}) / ({b}) = {q}");
        }
    });
}

/// Divisions that simple methods fail at: table 1 of Baudin and Smith, "A robust complex division in
/// Scilab".
#[test]
fn quotients_at_the_ends_of_the_range() {
    let power = |exponent: i32| 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
    let z = |re: i32, im: i32| Complex::new(power(re), power(im));
    let cases = [
        (z(0, 0), z(0, 1023), Complex::new(power(-1023), -power(-1023))),
        (z(0, 0), z(-1023, -1023), Complex::new(power(1023), 0.0)),
        (z(1023, -1023), z(677, -677), Complex::new(power(346), -power(-1008))),
        (z(1023, 1023), z(0, 0), Complex::new(power(1023), 0.0)),
        (z(1020, -844), z(656, -780), Complex::new(power(364), -power(-1072))),
        (z(-71, 1021), z(1001, -323), Complex::new(power(-1072), power(20))),
        (z(-347, -54), z(-1037, -1058), Complex::new(3.898_125_604_559_113_3e289, 8.174_961_907_852_354e295)),
        (z(-1074, -1074), z(-1073, -1074), Complex::new(0.6, 0.2)),
        (z(1015, -989), z(1023, 1023), Complex::new(0.001953125, -0.001953125)),
        (
            z(-622, -1071),
            z(-343, -798),
            Complex::new(1.029_511_517_893_605_8e-84, 6.971_459_875_150_762e-220),
        ),
    ];
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &cases.map(|case| case.0)).unwrap();
        let y = DeviceVec::from_slice(&queue, &cases.map(|case| case.1)).unwrap();
        let quotients = (&x / &y).collect().unwrap().to_vec().unwrap();
        for (q, (a, b, expected)) in quotients.into_iter().zip(cases) {
            // Each part for itself; subnormal ones to their last bit.
            let near = |a: f64, b: f64| (a - b).abs() <= 4e-16 * b.abs() + f64::from_bits(1);
            assert!(
                near(q.re, expected.re) && near(q.im, expected.im),
                "({a}) / ({b}) = {q}, not {expected}"
            );
        }
    });
}

/// A float of any size that squares of `f64` can hold.
fn any_size() -> impl Strategy<Value = f32> {
    (-1.0_f32..1.0, -125..127_i32).prop_map(|(mantissa, exponent)| mantissa * 2_f32.powi(exponent))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(40, 8)))]

    #[test]
    fn quotients_of_any_size(
        parts in prop::collection::vec((any_size(), any_size(), any_size(), any_size()), 1..200)
    ) {
        let a: Vec<Complex32> = parts.iter().map(|p| Complex::new(p.0, p.1)).collect();
        let b: Vec<Complex32> = parts.iter().map(|p| Complex::new(p.2, p.3)).collect();
        each_device(|device| {
            let queue = Queue::on(device).unwrap();
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let y = DeviceVec::from_slice(&queue, &b).unwrap();
            for ((q, &a), &b) in get(&x / &y).into_iter().zip(&a).zip(&b) {
                let expected = wide(a) / wide(b);
                let size = expected.re.abs().max(expected.im.abs());
                // What does not fit into f32 as a whole is not compared; nor what is subnormal, which
                // devices may take for zero.
                if size < f64::from(f32::MAX) / 4.0 && size > 1e-30 {
                    assert_close(wide(q), expected, 1e-6, &format!("({a}) / ({b})"));
                }
            }
        });
    }

    #[test]
    fn products_are_the_hosts_bit_by_bit(
        parts in prop::collection::vec(prop::array::uniform4(-1e15_f32..1e15), 1..200)
    ) {
        let a: Vec<Complex32> = parts.iter().map(|p| Complex::new(p[0], p[1])).collect();
        let b: Vec<Complex32> = parts.iter().map(|p| Complex::new(p[2], p[3])).collect();
        let expected: Vec<Complex32> = a.iter().zip(&b).map(|(a, b)| a * b - a).collect();
        each_device(|device| {
            let queue = Queue::on(device).unwrap();
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let y = DeviceVec::from_slice(&queue, &b).unwrap();
            assert_eq!(get(&x * &y - &x), expected);
        });
    }
}
