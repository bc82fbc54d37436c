//! Random expressions: the device computes what the host does, bit by bit.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_test::each_device;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::fmt::Debug;

/// Elements of each vector: packs, and a tail.
const LEN: usize = 133;
/// Vectors that a tree reads.
const VECTORS: usize = 3;

#[derive(Clone, Debug)]
enum Tree<T> {
    Vector(usize),
    Scalar(T),
    Neg(Box<Tree<T>>),
    Abs(Box<Tree<T>>),
    Sqrt(Box<Tree<T>>),
    /// One subtree as both factors.
    Square(Box<Tree<T>>),
    Binary(char, Box<Tree<T>>, Box<Tree<T>>),
}

/// Elements whose host arithmetic is the reference.
trait Model: Signed + Debug {
    fn host(symbol: char, a: Self, b: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn device_abs(x: Expr<'_, Self>) -> Expr<'_, Self>;
    fn device_sqrt(x: Expr<'_, Self>) -> Expr<'_, Self>;
    fn agrees(self, expected: Self) -> bool;
}

/// Integers have no functions yet: these leave the value as it is.
impl Model for i32 {
    fn host(symbol: char, a: i32, b: i32) -> i32 {
        match symbol {
            '+' => a.wrapping_add(b),
            '-' => a.wrapping_sub(b),
            _ => a.wrapping_mul(b),
        }
    }
    fn neg(self) -> i32 {
        self.wrapping_neg()
    }
    fn abs(self) -> i32 {
        self
    }
    fn sqrt(self) -> i32 {
        self
    }
    fn device_abs(x: Expr<'_, i32>) -> Expr<'_, i32> {
        x
    }
    fn device_sqrt(x: Expr<'_, i32>) -> Expr<'_, i32> {
        x
    }
    fn agrees(self, expected: i32) -> bool {
        self == expected
    }
}

impl Model for f32 {
    fn host(symbol: char, a: f32, b: f32) -> f32 {
        match symbol {
            '+' => a + b,
            '-' => a - b,
            _ => a * b,
        }
    }
    fn neg(self) -> f32 {
        -self
    }
    fn abs(self) -> f32 {
        f32::abs(self)
    }
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }
    fn device_abs(x: Expr<'_, f32>) -> Expr<'_, f32> {
        abs(x)
    }
    fn device_sqrt(x: Expr<'_, f32>) -> Expr<'_, f32> {
        sqrt(x)
    }
    fn agrees(self, expected: f32) -> bool {
        self.to_bits() == expected.to_bits() || self.is_nan() && expected.is_nan()
    }
}

impl<T: Model> Tree<T> {
    /// The tree as an expression. Where square roots are not exact, they are left out.
    fn on_device<'a>(&self, vectors: &'a [DeviceVec<T>], roots: bool) -> Expr<'a, T> {
        let of = |tree: &Tree<T>| tree.on_device(vectors, roots);
        match self {
            Tree::Vector(slot) => vectors[*slot].expr(),
            Tree::Scalar(value) => value.into_expr(),
            Tree::Neg(x) => -of(x),
            Tree::Abs(x) => T::device_abs(of(x)),
            Tree::Sqrt(x) if roots => T::device_sqrt(of(x)),
            Tree::Sqrt(x) => of(x),
            Tree::Square(x) => {
                let x = of(x);
                &x * &x
            }
            Tree::Binary('+', x, y) => of(x) + of(y),
            Tree::Binary('-', x, y) => of(x) - of(y),
            Tree::Binary(_, x, y) => of(x) * of(y),
        }
    }

    /// Its value at one place.
    fn on_host(&self, vectors: &[Vec<T>], at: usize, roots: bool) -> T {
        let of = |tree: &Tree<T>| tree.on_host(vectors, at, roots);
        match self {
            Tree::Vector(slot) => vectors[*slot][at],
            Tree::Scalar(value) => *value,
            Tree::Neg(x) => of(x).neg(),
            Tree::Abs(x) => of(x).abs(),
            Tree::Sqrt(x) if roots => of(x).sqrt(),
            Tree::Sqrt(x) => of(x),
            Tree::Square(x) => T::host('*', of(x), of(x)),
            Tree::Binary(symbol, x, y) => T::host(*symbol, of(x), of(y)),
        }
    }
}

/// Trees with at least one vector, so that they have a length.
fn trees<T: Model>(scalars: impl Strategy<Value = T> + 'static) -> impl Strategy<Value = Tree<T>> {
    let leaf = prop_oneof![3 => (0..VECTORS).prop_map(Tree::Vector), 1 => scalars.prop_map(Tree::Scalar)];
    let tree = leaf.prop_recursive(7, 48, 2, |inner| {
        let symbol = prop_oneof![Just('+'), Just('-'), Just('*')];
        prop_oneof![
            1 => inner.clone().prop_map(|x| Tree::Neg(Box::new(x))),
            1 => inner.clone().prop_map(|x| Tree::Abs(Box::new(x))),
            1 => inner.clone().prop_map(|x| Tree::Sqrt(Box::new(x))),
            1 => inner.clone().prop_map(|x| Tree::Square(Box::new(x))),
            6 => (symbol, inner.clone(), inner).prop_map(|(symbol, x, y)| Tree::Binary(symbol, Box::new(x), Box::new(y))),
        ]
    });
    tree.prop_map(|tree| Tree::Binary('+', Box::new(tree), Box::new(Tree::Vector(0))))
}

/// Evaluates random trees over random vectors on each device and on the host.
fn device_agrees_with_host<T: Model>(values: impl Strategy<Value = T> + Clone + 'static) {
    let vector = prop::collection::vec(values.clone(), LEN);
    let inputs = (trees(values), prop::collection::vec(vector, VECTORS));
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let roots = device.rounds_division_correctly().unwrap();
        let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&inputs, |(tree, host)| {
            let on_device: Vec<DeviceVec<T>> =
                host.iter().map(|values| DeviceVec::from_slice(&queue, values).unwrap()).collect();
            let actual = tree.on_device(&on_device, roots).collect().unwrap().to_vec().unwrap();
            for (at, actual) in actual.into_iter().enumerate() {
                let expected = tree.on_host(&host, at, roots);
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
    let special =
        prop::sample::select(vec![0.0, -0.0, f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE, 1e-40]);
    device_agrees_with_host(prop_oneof![6 => -10.0_f32..10.0, 2 => prop::num::f32::NORMAL, 1 => special]);
}
