//! Random formulas: the device agrees with loops on the host.
//!
//! 60 formulas; `CL_TEST_CASES=500` evaluates more. Each is evaluated on the points of a box of its grid. The other
//! points of the target keep the value that they had.

mod build;
mod model;
mod tree;

use build::{Value, build};
use cl_grid::Threads;
use cl_grid::prelude::*;
use cl_test::each_device;
use model::{Number, Region};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tree::{Tree, trees};

/// The ways to evaluate a formula.
#[derive(Clone, Copy, Debug)]
enum Sink {
    Inside,
    Part,
    Collect,
    Update,
    Sum,
    /// On the host: the values of the leaves are in host memory.
    Host(Threads),
}

/// The points that are evaluated.
#[derive(Clone, Copy, Debug)]
enum Points {
    /// Those of a random box at which the formula has values.
    Valid,
    /// A random box. The formula may lack values there.
    Any,
    All,
    /// None: the margins overlap.
    Covered,
}

#[derive(Clone, Debug)]
struct Case {
    shape: Vec<usize>,
    tree: Tree,
    sink: Sink,
    points: Points,
    /// The parts of 16 of each axis in front of the box and behind it.
    ends: [(usize, usize); 3],
    seed: i32,
}

fn cases() -> impl Strategy<Value = Case> {
    let few = prop::collection::vec(1..=9_usize, 1..=3);
    let more = prop::collection::vec(1..=40_usize, 1..=2);
    // Grids whose borders are evaluated by kernels of their own.
    let large = prop::sample::select(vec![vec![17_000], vec![128, 130], vec![24, 26, 28], vec![2, 9000]]);
    let shape = prop_oneof![8 => few, 2 => more, 2 => large];
    let sinks = vec![
        Sink::Inside,
        Sink::Part,
        Sink::Collect,
        Sink::Update,
        Sink::Sum,
        Sink::Host(Threads::One),
        Sink::Host(Threads::All),
    ];
    let points = prop_oneof![
        8 => Just(Points::Valid),
        1 => Just(Points::Any),
        3 => Just(Points::All),
        1 => Just(Points::Covered)
    ];
    // Most boxes reach to most borders.
    let end = || prop_oneof![2 => Just(0), 1 => 0..=8_usize];
    let ends = prop::array::uniform3((end(), end()));
    (shape, trees(), prop::sample::select(sinks), points, ends, 0..1000)
        .prop_map(|(shape, tree, sink, points, ends, seed)| Case { shape, tree, sink, points, ends, seed })
}

impl Case {
    /// Returns the points that are evaluated, of those at which the formula has values.
    fn region(&self, shape: [usize; 3], domain: &Region) -> Region {
        std::array::from_fn(|axis| {
            let len = shape[axis] as i64;
            let (a, b) = self.ends[axis];
            let random = (len * a as i64 / 16, len - len * b as i64 / 16);
            match self.points {
                _ if axis >= self.shape.len() => (0, 1),
                Points::Valid => (random.0.max(domain[axis].0), random.1.min(domain[axis].1)),
                Points::Any => random,
                Points::All => (0, len),
                Points::Covered => (len, len),
            }
        })
    }

    fn check<T: Value, const N: usize>(&self, queue: &Queue) {
        let shape: [usize; N] = std::array::from_fn(|axis| self.shape[axis]);
        let shape3 = std::array::from_fn(|axis| self.shape.get(axis).copied().unwrap_or(1));
        let hosts: [Vec<i32>; 2] = std::array::from_fn(|which| {
            let value = |at: usize| (at as i32 * (29 + which as i32 * 8) + self.seed) % 23 - 11;
            (0..shape.iter().product()).map(value).collect()
        });
        let leaves = hosts.each_ref().map(|host| {
            let host: Vec<T> = host.iter().map(|&value| T::of(value)).collect();
            match self.sink {
                Sink::Host(_) => Formula::from_host(shape, host),
                _ => Array::from_slice(queue, shape, &host).unwrap().into(),
            }
        });
        let (formula, model) = build::<T, N>(&self.tree, &leaves, &hosts, shape3);
        let region = self.region(shape3, &model.domain);
        let is_empty = region.iter().any(|&(begin, end)| begin >= end);
        let has_values = (0..N)
            .all(|axis| model.domain[axis].0 <= region[axis].0 && region[axis].1 <= model.domain[axis].1);
        let region = if is_empty { [(0, 0); 3] } else { region };
        let wanted = if is_empty || !has_values { Vec::new() } else { model.values(&region, shape3) };
        let margins: [(usize, usize); N] = std::array::from_fn(|axis| {
            let (begin, end) = region[axis];
            let more = if is_empty { self.ends[axis].0 } else { 0 };
            (begin as usize + more, shape[axis] - end as usize)
        });
        let canary = T::of(77);
        let mut target = Array::filled(queue, shape, canary).unwrap();
        let outcome = match self.sink {
            Sink::Inside => target.inside(margins).assign(&formula),
            Sink::Part => {
                let ranges = std::array::from_fn(|axis| region[axis].0 as usize..region[axis].1 as usize);
                target.part(ranges).assign(formula)
            }
            Sink::Update => target.inside(margins).assign_with(|own| &own + &own - &formula),
            Sink::Collect => formula.inside(margins).to_vec().map(|actual| {
                self.compare::<T>(&actual, &wanted, 0);
            }),
            Sink::Host(threads) => {
                let mut values = vec![canary; shape.iter().product()];
                let outcome = formula.inside(margins).assign_to_host(&mut values, threads);
                target = Array::from_slice(queue, shape, &values).unwrap();
                outcome
            }
            Sink::Sum => formula.inside(margins).sum().map(|sum| {
                let zero = <T::Model as Number>::of(0);
                let total = wanted.iter().fold(zero, |sum, &value| sum.add(value));
                self.compare::<T>(&[sum], &[total], wanted.len());
            }),
        };
        assert_eq!(outcome.is_ok(), is_empty || has_values, "{outcome:?} {:?} at {region:?}", model.domain);
        if matches!(self.sink, Sink::Collect | Sink::Sum) {
            return;
        }
        let mut all = vec![<T::Model as Number>::of(77); shape.iter().product()];
        for (value, at) in wanted.into_iter().zip(model::points(&region)) {
            let own = &mut all[model::index(at, shape3)];
            *own = match self.sink {
                Sink::Update => <T::Model as Number>::of(77).add(*own).sub(value),
                _ => value,
            };
        }
        self.compare::<T>(&target.to_vec().unwrap(), &all, 0);
    }

    #[track_caller]
    fn compare<T: Value>(&self, actual: &[T], wanted: &[T::Model], terms: usize) {
        assert_eq!(actual.len(), wanted.len());
        for (at, (&actual, &wanted)) in actual.iter().zip(wanted).enumerate() {
            assert!(T::agrees(actual, wanted, terms), "{actual:?} instead of {wanted:?} at {at}");
        }
    }
}

/// Evaluates random formulas on each device and on the host.
fn device_agrees_with_host<T: Value>(share: u32) {
    let cases_of_all =
        std::env::var("CL_TEST_CASES").map_or(cl_test::full_or_small(60, 15), |cases| cases.parse().unwrap());
    each_device(|device| {
        if T::IS_DOUBLE && !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let config = Config {
            cases: cases_of_all / share,
            failure_persistence: None,
            max_shrink_iters: 300,
            ..Config::default()
        };
        let outcome = TestRunner::new(config).run(&cases(), |case| {
            match case.shape.len() {
                1 => case.check::<T, 1>(&queue),
                2 => case.check::<T, 2>(&queue),
                _ => case.check::<T, 3>(&queue),
            }
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{failure}");
        }
    });
}

#[test]
fn random_formulas_of_i32() {
    device_agrees_with_host::<i32>(2);
}

#[test]
fn random_formulas_of_f32() {
    device_agrees_with_host::<f32>(4);
}

#[test]
fn random_formulas_of_f64() {
    device_agrees_with_host::<f64>(4);
}
