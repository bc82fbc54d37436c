//! Random expressions: device and host agree bit by bit.
//!
//! 60 trees of each type; `CL_TEST_CASES=5000` runs more.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_test::each_device;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::fmt::Debug;

/// The number of elements of each vector: packs, and a tail.
const LEN: usize = 133;
/// The number of vectors that a tree reads.
const VECTORS: usize = 3;

#[derive(Clone, Debug)]
enum Tree<T> {
    Vector(usize, View),
    Scalar(T),
    /// A constant in the source.
    Constant(T),
    /// The index, as a number.
    Index,
    Unary(&'static str, Box<Tree<T>>),
    /// The product of a subtree with itself.
    Square(Box<Tree<T>>),
    Binary(&'static str, Box<Tree<T>>, Box<Tree<T>>),
    /// A selection by a comparison of two subtrees.
    Select(&'static str, [Box<Tree<T>>; 4]),
}

/// The index at which a vector is read.
#[derive(Clone, Copy, Debug)]
enum View {
    Own,
    Reversed,
    Clamped(isize),
    Wrapped(isize),
    /// Every third element, repeatedly.
    Gathered,
}

impl View {
    fn at(self, i: usize) -> usize {
        let last = LEN as isize - 1;
        match self {
            View::Own => i,
            View::Reversed => LEN - 1 - i,
            View::Clamped(offset) => (i as isize + offset).clamp(0, last) as usize,
            View::Wrapped(offset) => (i as isize + offset).rem_euclid(LEN as isize) as usize,
            View::Gathered => 3 * i % LEN,
        }
    }

    fn of<'a, T: Element>(self, vector: &'a DeviceVec<T>, gathered: &'a DeviceVec<u32>) -> Expr<'a, T> {
        match self {
            View::Own => vector.iter(),
            View::Reversed => vector.iter().rev(),
            View::Clamped(offset) => vector.iter().shifted(offset, Border::Clamp),
            View::Wrapped(offset) => vector.iter().shifted(offset, Border::Wrap),
            View::Gathered => vector.iter().gather(gathered),
        }
    }
}

/// Elements whose host arithmetic is the reference.
trait Model: Signed + cl_algo::Ordered + PartialOrd + Debug {
    const UNARY: &'static [&'static str];
    const BINARY: &'static [&'static str];
    fn index(i: usize) -> Self;
    fn unary(name: &str, x: Self) -> Self;
    fn binary(name: &str, x: Self, y: Self) -> Self;
    fn device_unary<'a>(name: &str, x: Expr<'a, Self>) -> Expr<'a, Self>;
    fn device_binary<'a>(name: &str, x: Expr<'a, Self>, y: Expr<'a, Self>) -> Expr<'a, Self>;
    fn agrees(self, expected: Self) -> bool;
}

impl Model for i32 {
    const UNARY: &'static [&'static str] = &["-", "!", "as i8", "as f64", "as u64"];
    const BINARY: &'static [&'static str] = &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];

    fn index(i: usize) -> i32 {
        i as i32
    }
    fn unary(name: &str, x: i32) -> i32 {
        match name {
            "-" => x.wrapping_neg(),
            "!" => !x,
            "as i8" => i32::from(x as i8),
            "as f64" => (f64::from(x) * 1.5) as i32,
            _ => ((x as u64) >> 7) as i32,
        }
    }
    fn binary(name: &str, x: i32, y: i32) -> i32 {
        match name {
            "+" => x.wrapping_add(y),
            "-" => x.wrapping_sub(y),
            "*" => x.wrapping_mul(y),
            "/" => x.checked_div(y).unwrap_or(if y == 0 { 0 } else { x }),
            "%" => x.checked_rem(y).unwrap_or(if y == 0 { x } else { 0 }),
            "&" => x & y,
            "|" => x | y,
            "^" => x ^ y,
            "<<" => x.wrapping_shl(y as u32),
            _ => x.wrapping_shr(y as u32),
        }
    }
    fn device_unary<'a>(name: &str, x: Expr<'a, i32>) -> Expr<'a, i32> {
        match name {
            "-" => -x,
            "!" => !x,
            "as i8" => x.cast::<i8>().cast(),
            "as f64" => (x.cast::<f64>() * 1.5).cast(),
            _ => (x.cast::<u64>() >> 7).cast(),
        }
    }
    fn device_binary<'a>(name: &str, x: Expr<'a, i32>, y: Expr<'a, i32>) -> Expr<'a, i32> {
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
            _ => x >> y,
        }
    }
    fn agrees(self, expected: i32) -> bool {
        self == expected
    }
}

impl Model for f32 {
    const UNARY: &'static [&'static str] = &["-", "abs", "floor", "as i32", "as u8", "bits"];
    const BINARY: &'static [&'static str] = &["+", "-", "*", "min", "max"];

    fn index(i: usize) -> f32 {
        i as f32
    }
    fn unary(name: &str, x: f32) -> f32 {
        match name {
            "-" => -x,
            "abs" => x.abs(),
            "floor" => x.floor(),
            "as i32" => x as i32 as f32,
            "as u8" => f32::from(x as u8),
            _ => f32::from_bits((x + 0.0).to_bits() ^ 1),
        }
    }
    fn binary(name: &str, x: f32, y: f32) -> f32 {
        match name {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            "min" => x.min(y),
            _ => x.max(y),
        }
    }
    fn device_unary<'a>(name: &str, x: Expr<'a, f32>) -> Expr<'a, f32> {
        match name {
            "-" => -x,
            "abs" => x.abs(),
            "floor" => x.floor(),
            "as i32" => x.cast::<i32>().cast(),
            "as u8" => x.cast::<u8>().cast(),
            _ => ((x + 0.0).bitcast::<u32>() ^ 1).bitcast(),
        }
    }
    fn device_binary<'a>(name: &str, x: Expr<'a, f32>, y: Expr<'a, f32>) -> Expr<'a, f32> {
        match name {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            "min" => x.min(y),
            _ => x.max(y),
        }
    }
    /// Zeros of either sign agree: OpenCL leaves open which of them `fmin` and `fmax` return.
    /// "bits" adds 0 first, so that the sign of a zero is not among the bits.
    fn agrees(self, expected: f32) -> bool {
        self == expected || self.is_nan() && expected.is_nan()
    }
}

/// The vectors that trees read, and the indices of [`View::Gathered`].
struct Inputs<T: Element> {
    vectors: Vec<DeviceVec<T>>,
    gathered: DeviceVec<u32>,
}

impl<T: Model> Tree<T> {
    /// Returns the tree as an expression.
    fn on_device<'a>(&self, inputs: &'a Inputs<T>) -> Expr<'a, T> {
        let of = |tree: &Tree<T>| tree.on_device(inputs);
        match self {
            Tree::Vector(slot, view) => view.of(&inputs.vectors[*slot], &inputs.gathered),
            Tree::Scalar(value) => value.into_expr(),
            Tree::Constant(value) => constant(*value),
            Tree::Index => index(),
            Tree::Unary(name, x) => T::device_unary(name, of(x)),
            Tree::Square(x) => {
                let x = of(x);
                &x * &x
            }
            Tree::Binary(name, x, y) => T::device_binary(name, of(x), of(y)),
            Tree::Select(comparison, [x, y, yes, no]) => {
                let (x, y) = (of(x), of(y));
                let condition = match *comparison {
                    "<" => x.lt(y),
                    "<=" => x.le(y),
                    ">" => x.gt(y),
                    ">=" => x.ge(y),
                    "==" => x.eq(y),
                    _ => !x.eq(y),
                };
                condition.select(of(yes), of(no))
            }
        }
    }

    /// Returns its value at one index.
    fn on_host(&self, vectors: &[Vec<T>], at: usize) -> T {
        let of = |tree: &Tree<T>| tree.on_host(vectors, at);
        match self {
            Tree::Vector(slot, view) => vectors[*slot][view.at(at)],
            Tree::Scalar(value) | Tree::Constant(value) => *value,
            Tree::Index => T::index(at),
            Tree::Unary(name, x) => T::unary(name, of(x)),
            Tree::Square(x) => T::binary("*", of(x), of(x)),
            Tree::Binary(name, x, y) => T::binary(name, of(x), of(y)),
            Tree::Select(comparison, [x, y, yes, no]) => {
                let (x, y) = (of(x), of(y));
                let condition = match *comparison {
                    "<" => x < y,
                    "<=" => x <= y,
                    ">" => x > y,
                    ">=" => x >= y,
                    "==" => x == y,
                    _ => x != y,
                };
                if condition { of(yes) } else { of(no) }
            }
        }
    }
}

/// Returns trees with at least one vector, so that they have a length.
fn trees<T: Model>(scalars: impl Strategy<Value = T> + Clone + 'static) -> impl Strategy<Value = Tree<T>> {
    let view = prop_oneof![
        4 => Just(View::Own),
        1 => Just(View::Reversed),
        1 => (-140_isize..140).prop_map(View::Clamped),
        1 => (-140_isize..140).prop_map(View::Wrapped),
        1 => Just(View::Gathered),
    ];
    let leaf = prop_oneof![
        6 => (0..VECTORS, view).prop_map(|(slot, view)| Tree::Vector(slot, view)),
        2 => scalars.clone().prop_map(Tree::Scalar),
        1 => scalars.prop_map(Tree::Constant),
        1 => Just(Tree::Index),
    ];
    let tree = leaf.prop_recursive(7, 48, 4, |inner| {
        let comparison = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]);
        let four = prop::array::uniform4(inner.clone().prop_map(Box::new));
        prop_oneof![
            2 => (prop::sample::select(T::UNARY), inner.clone()).prop_map(|(name, x)| Tree::Unary(name, Box::new(x))),
            1 => inner.clone().prop_map(|x| Tree::Square(Box::new(x))),
            6 => (prop::sample::select(T::BINARY), inner.clone(), inner)
                .prop_map(|(name, x, y)| Tree::Binary(name, Box::new(x), Box::new(y))),
            1 => (comparison, four).prop_map(|(comparison, four)| Tree::Select(comparison, four)),
        ]
    });
    tree.prop_map(|tree| Tree::Binary("+", Box::new(tree), Box::new(Tree::Vector(0, View::Own))))
}

/// Evaluates random trees over random vectors on each device and on the host.
fn device_agrees_with_host<T: Model>(values: impl Strategy<Value = T> + Clone + 'static) {
    let vector = prop::collection::vec(values.clone(), LEN);
    let inputs = (trees(values), prop::collection::vec(vector, VECTORS));
    let cases = std::env::var("CL_TEST_CASES").map_or(60, |cases| cases.parse().unwrap());
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&inputs, |(tree, host)| {
            let inputs = Inputs {
                vectors: host.iter().map(|values| DeviceVec::from_slice(&queue, values).unwrap()).collect(),
                gathered: DeviceVec::from_fn(&queue, LEN, |i| View::Gathered.at(i) as u32).unwrap(),
            };
            let actual = tree.on_device(&inputs).collect().unwrap().to_vec().unwrap();
            for (at, actual) in actual.into_iter().enumerate() {
                let expected = tree.on_host(&host, at);
                prop_assert!(actual.agrees(expected), "at {}: {:?} instead of {:?}", at, actual, expected);
            }
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{failure}");
        }
    });
}

#[test]
fn random_expressions_of_i32() {
    device_agrees_with_host(prop_oneof![any::<i32>(), -3..4]);
}

#[test]
fn random_expressions_of_f32() {
    let special = prop::sample::select(vec![0.0, -0.0, f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE]);
    device_agrees_with_host(prop_oneof![6 => -10.0_f32..10.0, 2 => prop::num::f32::NORMAL, 1 => special]);
}
