//! Recorded closures on the host: the results of the device, bit by bit, and functions within 4 ulp.
//!
//! 12 trees of each type; `CL_TEST_CASES=5000` runs more.

use cl_algo::Rounding;
use cl_algo::prelude::*;
use cl_algo::ranked::{HostElement, HostScratch, Neighbourhood};
use cl_test::each_device;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::fmt::Debug;

/// The number of items of each input of a tree: whole vectors of any processor, and a tail.
const LEN: usize = 133;
/// The number of inputs that a tree may read.
const INPUTS: usize = 4;

/// Returns the values of a closure on the host.
fn on_host<T: HostElement, R: HostElement>(
    closure: &Neighbourhood<T, R, usize>,
    inputs: &[Vec<T>],
) -> Vec<R> {
    let rows: Vec<&[T]> = closure.reads().iter().map(|read| &inputs[*read][..]).collect();
    let mut out = vec![<R as Element>::zeroed(); inputs[0].len()];
    closure.on_host().unwrap().run(&mut HostScratch::default(), &rows, &mut out).unwrap();
    out
}

#[derive(Clone, Debug)]
enum Tree<T> {
    Input(usize),
    Scalar(T),
    Unary(&'static str, Box<Tree<T>>),
    /// The sum of a subtree and its square: the subtree is used three times.
    Shared(Box<Tree<T>>),
    Binary(&'static str, Box<Tree<T>>, Box<Tree<T>>),
    /// A selection by a comparison of two subtrees.
    Select(&'static str, [Box<Tree<T>>; 4]),
}

/// Numbers with the operations of trees.
trait Model: cl_algo::Ordered + HostElement + Debug + PartialEq {
    const UNARY: &'static [&'static str];
    const BINARY: &'static [&'static str];
    fn unary(name: &str, x: Val<Self>) -> Val<Self>;
    fn binary(name: &str, x: Val<Self>, y: Val<Self>) -> Val<Self>;
    /// Returns whether the values are equal; NaN is equal to NaN, and zeros of both signs are equal.
    fn agrees(self, other: Self) -> bool;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Model for $type {
            const UNARY: &'static [&'static str] = &["0 -", "!", "as i8", "as u16", "as f64", "as f32", "abs", "clz"];
            const BINARY: &'static [&'static str] = &[
                "+", "+", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "min", "max", "add_sat", "sub_sat",
                "hadd", "rhadd", "mul_hi", "rotate",
            ];

            fn unary(name: &str, x: Val<$type>) -> Val<$type> {
                match name {
                    "0 -" => Val::from(0) - x,
                    "!" => !x,
                    "as i8" => x.cast::<i8>().cast(),
                    "as u16" => (x.cast::<u16>() / 3).cast(),
                    "as f64" => (x.cast::<f64>() * 1.5).cast(),
                    "as f32" => (x.cast::<f32>() * 0.5).convert(Rounding::Up, false),
                    "abs" => x.abs().bitcast(),
                    _ => x.clz() + x.popcount(),
                }
            }

            fn binary(name: &str, x: Val<$type>, y: Val<$type>) -> Val<$type> {
                match name {
                    "+" => x + y,
                    "-" => x - y,
                    "*" => x * y,
                    "/" => x / y,
                    "%" => x % y,
                    "&" => x & y,
                    "|" => x | y,
                    "^" => x ^ y,
                    "<<" => x << y,
                    ">>" => x >> y,
                    "min" => x.min(y),
                    "max" => x.max(y),
                    "add_sat" => x.add_sat(y),
                    "sub_sat" => x.sub_sat(y),
                    "hadd" => x.hadd(y),
                    "rhadd" => x.rhadd(y),
                    "mul_hi" => x.mul_hi(y),
                    _ => x.rotate(y),
                }
            }

            fn agrees(self, other: $type) -> bool {
                self == other
            }
        }
    )*};
}

macro_rules! floats {
    ($($type:ty: $bits:ty;)*) => {$(
        impl Model for $type {
            const UNARY: &'static [&'static str] = &["-", "abs", "floor", "as i32", "as u8", "bits", "* 0.3"];
            const BINARY: &'static [&'static str] = &["+", "+", "+", "-", "-", "-", "*", "min", "max", "fma"];

            fn unary(name: &str, x: Val<$type>) -> Val<$type> {
                match name {
                    "-" => -x,
                    "abs" => x.abs(),
                    "floor" => x.floor(),
                    "as i32" => x.cast::<i32>().cast(),
                    "as u8" => x.convert::<u8>(Rounding::Default, true).cast(),
                    // The sign of a zero or a NaN is not among the bits.
                    "bits" => ((x.eq(x).select(x, 1.0) + 0.0).bitcast::<$bits>() ^ 1).bitcast(),
                    _ => x * 0.3,
                }
            }

            fn binary(name: &str, x: Val<$type>, y: Val<$type>) -> Val<$type> {
                match name {
                    "+" => x + y,
                    "-" => x - y,
                    "*" => x * y,
                    "min" => x.min(y),
                    "max" => x.max(y),
                    _ => x.mul_add(y, x),
                }
            }

            fn agrees(self, other: $type) -> bool {
                self == other || self.is_nan() && other.is_nan()
            }
        }
    )*};
}

integers!(i32 u32 i64);
floats! { f32: u32; f64: u64; }

impl<T: Model> Tree<T> {
    /// Records the tree, whose inputs are the items that `at` returns.
    fn record(&self, at: &dyn Fn(usize) -> Val<T>) -> Val<T> {
        let of = |tree: &Tree<T>| tree.record(at);
        match self {
            Tree::Input(number) => at(*number),
            Tree::Scalar(value) => Val::known(*value),
            Tree::Unary(name, x) => T::unary(name, of(x)),
            Tree::Shared(x) => {
                let x = of(x);
                T::binary("+", T::binary("*", x, x), x)
            }
            Tree::Binary(name, x, y) => T::binary(name, of(x), of(y)),
            Tree::Select(comparison, [x, y, yes, no]) => {
                let (x, y) = (of(x), of(y));
                let condition = match *comparison {
                    "<" => x.lt(y),
                    "<=" => x.le(y),
                    ">" => x.gt(y),
                    ">=" => x.ge(y),
                    "==" => x.eq(y),
                    _ => x.ne(y) & !x.lt(y) | x.eq(y) ^ x.gt(y),
                };
                condition.select(of(yes), of(no))
            }
        }
    }
}

fn trees<T: Model>(scalars: impl Strategy<Value = T> + Clone + 'static) -> impl Strategy<Value = Tree<T>> {
    let leaf = prop_oneof![
        4 => (0..INPUTS).prop_map(Tree::Input),
        2 => scalars.prop_map(Tree::Scalar),
    ];
    leaf.prop_recursive(9, 96, 4, |inner| {
        let comparison = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "mixed"]);
        let four = prop::array::uniform4(inner.clone().prop_map(Box::new));
        let unary = (prop::sample::select(T::UNARY), inner.clone());
        let binary = (prop::sample::select(T::BINARY), inner.clone(), inner.clone());
        prop_oneof![
            2 => unary.prop_map(|(name, x)| Tree::Unary(name, Box::new(x))),
            1 => inner.prop_map(|x| Tree::Shared(Box::new(x))),
            9 => binary.prop_map(|(name, x, y)| Tree::Binary(name, Box::new(x), Box::new(y))),
            1 => (comparison, four).prop_map(|(comparison, four)| Tree::Select(comparison, four)),
        ]
    })
}

/// Evaluates random closures over random inputs on each device and on the host.
fn host_agrees_with_device<T: Model>(values: impl Strategy<Value = T> + Clone + 'static) {
    let input = prop::collection::vec(values.clone(), LEN);
    let cases = std::env::var("CL_TEST_CASES").map_or(12, |cases| cases.parse().unwrap());
    let all = (trees(values), prop::collection::vec(input, INPUTS));
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&all, |(tree, inputs)| {
            // The last term gives expressions without inputs a length.
            let closure =
                Neighbourhood::<T, T, usize>::record(|at| T::binary("+", tree.record(&|k| at(k)), at(0)));
            let vectors: Vec<DeviceVec<T>> =
                inputs.iter().map(|values| DeviceVec::from_slice(&queue, values).unwrap()).collect();
            let device = closure.of(|k| vectors[k].iter()).collect().unwrap().to_vec().unwrap();
            let host = on_host(&closure, &inputs);
            for (at, (device, host)) in device.into_iter().zip(host).enumerate() {
                prop_assert!(host.agrees(device), "at {}: {:?} instead of {:?}", at, host, device);
            }
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{failure}");
        }
    });
}

#[test]
fn trees_of_i32() {
    host_agrees_with_device(prop_oneof![any::<i32>(), -3..4]);
}

#[test]
fn trees_of_u32() {
    host_agrees_with_device(prop_oneof![any::<u32>(), 0_u32..4]);
}

#[test]
fn trees_of_i64() {
    host_agrees_with_device(prop_oneof![any::<i64>(), -3_i64..4]);
}

#[test]
fn trees_of_f32() {
    let special = prop::sample::select(vec![0.0, -0.0, 1.0, f32::INFINITY, f32::NAN, f32::MAX]);
    host_agrees_with_device(prop_oneof![6 => -10.0_f32..10.0, 1 => special]);
}

#[test]
fn trees_of_f64() {
    let special = prop::sample::select(vec![0.0, -0.0, 1.0, f64::INFINITY, f64::NAN, f64::MAX]);
    host_agrees_with_device(prop_oneof![6 => -10.0_f64..10.0, 1 => special]);
}

/// A function of two values, and the error in ulp that host and device may differ by.
type Function<T> = (&'static str, u64, fn(Val<T>, Val<T>) -> Val<T>);

macro_rules! functions_of {
    ($($name:ident $type:ty;)*) => {$(
        /// Compares all functions of floats for x between 0.05 and 0.95, and y between -3 and 3.
        #[test]
        fn $name() {
            let exact: [Function<$type>; 32] = [
                ("-", 0, |x, _| -x),
                ("fabs", 0, |_, y| y.abs()),
                ("floor", 0, |_, y| y.floor()),
                ("ceil", 0, |_, y| y.ceil()),
                ("trunc", 0, |_, y| y.trunc()),
                ("round", 0, |_, y| y.round()),
                ("rint", 0, |_, y| (y * 2.0).rint()),
                ("fract", 0, |_, y| { let (fraction, floor) = y.fract(); fraction - floor * 0.5 }),
                ("modf", 0, |_, y| { let (fraction, whole) = y.modf(); fraction - whole * 0.5 }),
                ("fmin", 0, |x, y| x.min(y)),
                ("fmax", 0, |x, y| x.max(y)),
                ("minmag", 0, |x, y| x.minmag(y)),
                ("maxmag", 0, |x, y| x.maxmag(y)),
                ("fdim", 0, |x, y| x.fdim(y)),
                ("copysign", 0, |x, y| x.copysign(y)),
                ("nextafter", 0, |x, y| x.nextafter(y)),
                ("sign", 0, |_, y| y.sign()),
                ("step", 0, |x, y| x.step(y)),
                ("clamp", 0, |x, y| y.clamp(-x, x)),
                ("fma", 0, |x, y| x.mul_add(y, y)),
                ("%", 0, |x, y| y % x),
                ("bitselect", 0, |x, y| x.bitselect(y, x + 1.0)),
                ("isfinite", 0, |x, y| (y / x.floor()).isfinite().select(x, y)),
                ("isinf", 0, |x, y| (y / x.floor()).isinf().select(x, y)),
                ("isnan", 0, |x, y| (y / x.floor() * 0.0).isnan().select(x, y)),
                ("isnormal", 0, |x, y| y.isnormal().select(x, y)),
                ("signbit", 0, |x, y| y.signbit().select(x, y)),
                ("islessgreater", 0, |x, y| x.islessgreater(y).select(x, y)),
                ("isordered", 0, |x, y| x.isordered(y).select(x, y)),
                ("isunordered", 0, |x, y| x.isunordered(y).select(x, y)),
                ("isgreaterequal", 0, |x, y| x.isgreaterequal(y).select(x, y)),
                ("isnotequal", 0, |x, y| x.isnotequal(y).select(x, y)),
            ];
            let near: [Function<$type>; 40] = [
                ("/", 4, |x, y| y / x),
                ("sqrt", 4, |x, _| x.sqrt()),
                ("rsqrt", 4, |x, _| x.rsqrt()),
                ("cbrt", 4, |x, _| x.cbrt()),
                ("hypot", 4, |x, y| x.hypot(y)),
                ("sin", 4, |_, y| y.sin()),
                ("cos", 4, |_, y| y.cos()),
                ("tan", 4, |x, _| x.tan()),
                ("sincos", 4, |_, y| { let (sine, cosine) = y.sincos(); y.signbit().select(sine, cosine) }),
                ("asin", 4, |x, _| x.asin()),
                ("acos", 4, |x, _| x.acos()),
                ("atan", 4, |_, y| y.atan()),
                ("atan2", 4, |x, y| y.atan2(x)),
                ("asinpi", 4, |x, _| x.asinpi()),
                ("acospi", 4, |x, _| x.acospi()),
                ("atanpi", 4, |x, _| x.atanpi()),
                ("atan2pi", 4, |x, y| y.atan2pi(x)),
                ("sinh", 4, |_, y| y.sinh()),
                ("cosh", 4, |_, y| y.cosh()),
                ("tanh", 4, |_, y| y.tanh()),
                ("asinh", 4, |_, y| y.asinh()),
                ("acosh", 4, |x, _| (x + 1.0).acosh()),
                ("acosh of more than 2", 4, |x, _| (x + 2.0).acosh()),
                ("atanh", 4, |x, _| x.atanh()),
                ("exp", 4, |_, y| y.exp()),
                ("exp2", 4, |_, y| y.exp2()),
                ("exp10", 4, |_, y| y.exp10()),
                ("expm1", 4, |_, y| y.expm1()),
                ("log", 4, |x, _| x.log()),
                ("log2", 4, |x, _| x.log2()),
                ("log10", 4, |x, _| x.log10()),
                ("log1p", 4, |x, _| x.log1p()),
                ("pow", 4, |x, y| x.pow(y)),
                ("powr", 4, |x, y| x.powr(y)),
                ("pown", 4, |x, y| y.pown((x * 4.0).cast::<i32>())),
                ("degrees", 4, |_, y| y.degrees()),
                ("radians", 4, |_, y| y.radians()),
                ("mad", 4, |x, _| x.mad(x, x)),
                ("mix", 4, |x, _| x.mix(x + 1.0, x)),
                ("smoothstep", 4, |x, _| (x - 1.0).smoothstep(x + 1.0, x)),
            ];
            let inputs = [
                (0..LEN).map(|i| 0.05 + 0.9 * (i as $type) / LEN as $type).collect::<Vec<_>>(),
                (0..LEN).map(|i| ((i * 37 % LEN) as $type - 66.0) / 22.0).collect(),
            ];
            let ulps = |a: $type, b: $type| match a == b || a.is_nan() && b.is_nan() {
                true => 0,
                false if a.is_sign_negative() != b.is_sign_negative() => u64::MAX,
                false => a.to_bits().abs_diff(b.to_bits()).into(),
            };
            each_device(|device| {
                if !cl_test::offers(device, "double precision", device.has_fp64()) {
                    return;
                }
                let queue = Queue::on(device).unwrap();
                let vectors = inputs.each_ref().map(|input| DeviceVec::from_slice(&queue, input).unwrap());
                // One kernel computes eight functions.
                for functions in exact.chunks(8).chain(near.chunks(8)) {
                    let closures: Vec<_> = functions
                        .iter()
                        .map(|(_, _, f)| Neighbourhood::<$type, $type, usize>::record(|at| f(at(0), at(1))))
                        .collect();
                    let of = |k: usize| closures[k].of(|input| vectors[input].iter());
                    let all = zip((of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7))).collect().unwrap();
                    let all = [all.0, all.1, all.2, all.3, all.4, all.5, all.6, all.7];
                    for ((closure, (name, bound, _)), device) in closures.iter().zip(functions).zip(all) {
                        let host = on_host(closure, &inputs);
                        for (at, (host, device)) in host.into_iter().zip(device.to_vec().unwrap()).enumerate() {
                            let (x, y) = (inputs[0][at], inputs[1][at]);
                            let off = ulps(host, device);
                            assert!(off <= *bound, "{name} of {x:e}, {y:e}: {host:e}, {device:e} on the device");
                        }
                    }
                }
            });
        }
    )*};
}

functions_of! { functions_of_f32 f32; functions_of_f64 f64; }

/// Rows of every length around whole vectors and whole rows are computed as a whole, and nothing beyond them is written.
#[test]
fn rows_of_any_length() {
    let closure = Neighbourhood::<f32, f32, usize>::record(|at| (at(0) - 3.0 * at(1)) * at(0).sqrt() + at(2));
    let kernel = closure.on_host().unwrap();
    let mut scratch = HostScratch::default();
    for len in [0, 1, 15, 16, 17, 31, 511, 512, 513, 1024, 1041] {
        let inputs: Vec<Vec<f32>> =
            (0..3).map(|k| (0..len).map(|i| (i * 7 % 23 + k) as f32).collect()).collect();
        let [x, y, z] = &inputs[..] else { unreachable!() };
        let expected: Vec<f32> = (0..len).map(|i| (x[i] - 3.0 * y[i]) * x[i].sqrt() + z[i]).collect();
        let mut out = vec![-1.0; len + 1];
        kernel.run(&mut scratch, &[x, y, z], &mut out[..len]).unwrap();
        assert_eq!((&out[..len], out[len]), (&expected[..], -1.0), "{len} items");
    }
}

/// Sums that are one step round as the single operations do.
#[test]
fn sums_in_one_step() {
    type Sum = fn([Val<f64>; 4]) -> Val<f64>;
    type Expected = fn([f64; 4]) -> f64;
    let sums: [(Sum, Expected); 12] = [
        (|[a, b, c, d]| a + b + c + d, |[a, b, c, d]| a + b + c + d),
        (|[a, b, c, d]| a - (b + c) - d, |[a, b, c, d]| a - (b + c) - d),
        (|[a, b, c, d]| (a + b) + (c - d), |[a, b, c, d]| (a + b) + (c - d)),
        (|[a, b, c, _]| -(a + b) - c, |[a, b, c, _]| -(a + b) - c),
        (|[a, b, c, d]| 0.1 * (a + 0.3 * b - c) + d, |[a, b, c, d]| 0.1 * (a + 0.3 * b - c) + d),
        (|[a, b, c, d]| d - 0.1 * (a + 0.3 * b - c), |[a, b, c, d]| d - 0.1 * (a + 0.3 * b - c)),
        (|[a, b, _, _]| (0.1 * a) * 0.7 - b * 0.7, |[a, b, _, _]| (0.1 * a) * 0.7 - b * 0.7),
        (|[a, b, c, _]| (0.1 * (a + b) + c) * 0.7, |[a, b, c, _]| (0.1 * (a + b) + c) * 0.7),
        (|[a, b, _, _]| (a - b) * 0.1 - (b + 1.5) * 0.7, |[a, b, _, _]| (a - b) * 0.1 - (b + 1.5) * 0.7),
        (
            |[a, b, c, d]| [a, b, c, d, a, b, c, d, a, b].into_iter().reduce(|x, y| x + y).unwrap_or(a),
            |[a, b, c, d]| [a, b, c, d, a, b, c, d, a, b].into_iter().reduce(|x, y| x + y).unwrap_or(a),
        ),
        (|[a, ..]| 1.0 - (0.5 - a) * 1.0, |[a, ..]| 1.0 - (0.5 - a) * 1.0),
        (
            |[a, b, ..]| {
                let s = a + b;
                s * 0.1 + s * s
            },
            |[a, b, ..]| {
                let s = a + b;
                s * 0.1 + s * s
            },
        ),
    ];
    let values = [0.1, -0.0, 0.0, 1.0, -1.0, 1e16, 3.3, -7.7, 1e-9, 0.3];
    let inputs: Vec<Vec<f64>> =
        [1, 3, 7, 9].iter().map(|step| (0..100).map(|i| values[i / step % 10]).collect()).collect();
    for (number, (sum, model)) in sums.iter().enumerate() {
        let closure = Neighbourhood::<f64, f64, usize>::record(|at| sum([at(0), at(1), at(2), at(3)]));
        for (i, value) in on_host(&closure, &inputs).into_iter().enumerate() {
            let items = [0, 1, 2, 3].map(|k| inputs[k][i]);
            assert_eq!(value.to_bits(), model(items).to_bits(), "sum {number} of {items:?}");
        }
    }
}

/// More inputs than a call has room for on the stack, and more terms than a step adds.
#[test]
fn closures_of_many_inputs() {
    let inputs: Vec<Vec<i32>> = (0..20).map(|k| vec![1 << k, k]).collect();
    let sum = Neighbourhood::<i32, i32, usize>::record(|at| (1..20).fold(at(0), |sum, k| sum + at(k)));
    assert_eq!(on_host(&sum, &inputs), [(1 << 20) - 1, 190]);
}

#[test]
fn results_of_another_type() {
    let x = vec![vec![0, 1, -7, i32::MAX, i32::MIN]];
    let half = Neighbourhood::<i32, f64, usize>::record(|at| at(0).cast::<f64>() * 0.5);
    assert_eq!(on_host(&half, &x), [0.0, 0.5, -3.5, 1_073_741_823.5, -1_073_741_824.0]);
    let small = Neighbourhood::<i32, u64, usize>::record(|at| (-at(0)).cast::<u8>().cast::<u64>() << 60);
    assert_eq!(on_host(&small, &x), [0, 15 << 60, 7 << 60, 1 << 60, 0]);
    let y = vec![vec![0.5_f32, -1.5, f32::NAN, 1e20, -1e20]];
    let whole = Neighbourhood::<f32, i64, usize>::record(|at| at(0).cast::<i64>());
    assert_eq!(on_host(&whole, &y), [0, -1, 0, i64::MAX, i64::MIN]);
    let up = Neighbourhood::<f32, u32, usize>::record(|at| at(0).convert::<u32>(Rounding::Up, true));
    assert_eq!(on_host(&up, &y)[..2], [1, 0]);
}

/// Closures that are an input, a constant, or an operation on constants.
#[test]
fn closures_without_operations() {
    let x = vec![vec![1.5_f32, -2.0], vec![4.0, 5.0]];
    assert_eq!(on_host(&Neighbourhood::<f32, f32, usize>::record(|at| at(1)), &x), [4.0, 5.0]);
    assert_eq!(
        on_host(&Neighbourhood::<f32, u32, usize>::record(|at| at(1).bitcast()), &x[..]),
        [4.0_f32.to_bits(), 5.0_f32.to_bits()]
    );
    let seven = Neighbourhood::<f32, i32, usize>::record(|_| Val::from(9_i32) - Val::from(2));
    assert_eq!(on_host(&seven, &x), [7, 7]);
    let chosen =
        Neighbourhood::<f32, f32, usize>::record(|at| Val::from(2.0_f32).lt(1.0).select(at(0), at(1)));
    assert_eq!(on_host(&chosen, &x), [4.0, 5.0]);
}

#[device_fn]
fn root_by_steps(x: f32) -> f32 {
    let mut root = x;
    for _step in 0..50 {
        root = 0.5 * (root + x / root);
    }
    root
}

#[test]
fn closures_that_the_host_does_not_evaluate() {
    let error = |closure: &dyn Fn(Val<f32>) -> Val<f32>| {
        Neighbourhood::<f32, f32, usize>::record(|at| closure(at(0))).on_host().unwrap_err().to_string()
    };
    let cases = [
        (error(&|x| x.erf() + 1.0), "`erf`"),
        (error(&|x| x.cast::<half::f16>().cast()), "`Cast` of type f16"),
        (error(&|x| root_by_steps(x)), "`root_by_steps`"),
        (error(&|x| x.cast::<i32>().convert::<u8>(Rounding::Default, true).cast()), "from I32 to U8"),
        (error(&|x| x.frexp().0), "`frexp`"),
        (error(&|x| x.frexp().1.cast()), "`frexp`"),
    ];
    for (error, part) in cases {
        assert!(error.contains(part) && error.contains("device"), "{error} instead of {part}");
    }
    let mut escaped = None;
    Neighbourhood::<f32, f32, usize>::record(|at| *escaped.insert(at(0)));
    let error =
        Neighbourhood::<f32, f32, usize>::record(|at| at(0) + escaped.unwrap()).on_host().unwrap_err();
    assert!(error.to_string().contains("outside of the closure"), "{error}");
}

#[test]
fn inputs_that_do_not_fit() {
    let closure = Neighbourhood::<f32, f32, usize>::record(|at| at(0) + at(1));
    let kernel = closure.on_host().unwrap();
    let (x, mut out) = ([1.0; 4], [7.0; 4]);
    let mut run = |inputs: &[&[f32]]| kernel.run(&mut HostScratch::default(), inputs, &mut out).unwrap_err();
    assert!(run(&[&x]).to_string().contains("there are 1, and the closure reads 2"));
    assert!(run(&[&x, &x, &x]).to_string().contains("there are 3"));
    assert!(run(&[&x, &x[1..]]).to_string().contains('3'));
    assert_eq!(out, [7.0; 4]);
}
