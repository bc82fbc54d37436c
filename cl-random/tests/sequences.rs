//! Sequences: the same on device and host, wherever they begin, for every engine.
#![allow(clippy::unwrap_used)]

use cl_algo::prelude::*;
use cl_random::*;
use std::fmt::Debug;

/// The first `count` values from `from` on, on the device and on the host.
fn same<E: Engine, D: Distribution<Value: PartialEq + Debug>>(
    queue: &Queue,
    draws: &Draws<E, D>,
    from: u64,
    count: usize,
) {
    let draws = draws.skip(from);
    let on_device = draws.take(count).collect_on(queue).unwrap().to_vec().unwrap();
    let on_host: Vec<_> = draws.iter().take(count).collect();
    let first = (0..count).find(|&i| on_device[i] != on_host[i]);
    assert_eq!(first.map(|i| (i, on_device[i], on_host[i])), None, "{draws:?} from {from}");
    if count > 0 {
        assert_eq!(draws.get(count as u64 - 1), on_host[count - 1]);
    }
}

/// Where sequences are compared: odd places, and the end of what 32 bits count.
const PLACES: [u64; 4] = [0, 1, 1_000_003, (1 << 34) - 5];

fn engine_is_the_same<E: Engine>(engine: E) {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for from in PLACES {
            same(queue, &engine.bits::<u32>(), from, 777);
        }
        same(queue, &engine.bits::<u64>(), 0, 1001);
        same(queue, &engine.bits::<u64>(), 3, 1001);
        same(queue, &engine.uniform::<f32>(), 0, 4099);
    });
}

macro_rules! engines {
    ($($test:ident: $engine:ident;)*) => {$(
        #[test]
        fn $test() {
            engine_is_the_same::<$engine>($engine::new(0x1234_5678_9abc_def0));
        }
    )*};
}

engines! {
    philox_2x32: Philox2x32;
    philox_4x32: Philox4x32;
    philox_2x64: Philox2x64;
    philox_4x64: Philox4x64;
    threefry_2x32: Threefry2x32;
    threefry_4x32: Threefry4x32;
    threefry_2x64: Threefry2x64;
    threefry_4x64: Threefry4x64;
}

/// Whether kernels can use `double`.
fn has_doubles(queue: &Queue) -> bool {
    queue.device().has_fp64().unwrap()
}

#[test]
fn distributions_are_the_same_on_both_sides() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let engine: Philox4x32 = Philox4x32::new(77);
        let count = 20_001;
        same(queue, &engine.draws(OpenClosed01::<f32>::new()), 0, count);
        same(queue, &engine.draws(Open01::<f32>::new()), 0, count);
        same(queue, &engine.draws(Uniform::new(-3.5_f32, 100.0).unwrap()), 0, count);
        same(queue, &engine.draws(Uniform::open(1.0_f32, 1.000_001).unwrap()), 0, count);
        same(queue, &engine.draws(Bernoulli::new(0.3).unwrap()), 0, count);
        same(queue, &engine.draws(UniformInteger::new(1..=6_u8).unwrap()), 0, count);
        same(queue, &engine.draws(UniformInteger::new(-5..1_000_000_000_i32).unwrap()), 1, count);
        same(queue, &engine.draws(UniformInteger::<u32>::new(..).unwrap()), 0, count);
        same(queue, &engine.draws(UniformInteger::new(i64::MIN..i64::MAX).unwrap()), 0, count);
        same(queue, &engine.draws(UniformInteger::<u64>::new(..).unwrap()), 0, count);
        same(queue, &engine.draws(UniformInteger::new(..1_u64 << 63 | 3).unwrap()), 0, count);
        if device.rounds_division_correctly().unwrap() {
            same(queue, &engine.normal::<f32>(), 0, count);
            same(queue, &engine.draws(Normal::new(10.0_f32, 0.5).unwrap()), 1, count);
            same(queue, &engine.draws(LogNormal::new(0.5_f32, 2.0).unwrap()), 0, count);
            same(queue, &engine.draws(Exponential::new(3.0_f32).unwrap()), 0, count);
            same(queue, &engine.draws(Gamma::new(2.5_f32, 2.0).unwrap()), 0, count);
            same(queue, &engine.draws(Gamma::new(0.3_f32, 1.0).unwrap()), 0, count);
            same(queue, &engine.draws(Poisson::new(3.0).unwrap()), 0, count);
        }
        if has_doubles(queue) {
            same(queue, &engine.uniform::<f64>(), 0, count);
            same(queue, &engine.draws(Uniform::new(0.0_f64, 1e300).unwrap()), 0, count);
            same(queue, &engine.normal::<f64>(), 0, count);
            same(queue, &engine.draws(LogNormal::new(0.5, 2.0).unwrap()), 0, count);
            same(queue, &engine.draws(Exponential::new(3.0).unwrap()), 0, count);
            same(queue, &engine.draws(Gamma::new(0.7, 1.0).unwrap()), 0, count);
            same(queue, &engine.draws(Poisson::new(1234.5).unwrap()), 0, count);
        }
        let weights = [0.5, 0.0, 3.0, 1.5];
        let discrete = Discrete::new(queue, &weights).unwrap();
        let on_device = discrete.draw(&engine, 5..5 + count as u64).collect().unwrap().to_vec().unwrap();
        let on_host: Vec<u32> = (5..5 + count as u64).map(|i| discrete.get(&engine, i)).collect();
        assert!(on_device == on_host, "discrete");
    });
}

#[test]
fn values_of_128_bits_take_two_short_blocks() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let engine: Philox2x32 = Philox2x32::new(5);
        same(queue, &engine.draws(UniformInteger::new(0..10_u64).unwrap()), 0, 1001);
        same(queue, &engine.draws(UniformInteger::new(0..10_u64).unwrap()), 7, 1001);
        if has_doubles(queue) {
            same(queue, &engine.normal::<f64>(), 3, 1001);
        }
        let engine: Threefry4x64 = Threefry4x64::new(5);
        same(queue, &engine.draws(UniformInteger::new(0..10_u64).unwrap()), 1, 1001);
    });
}

#[test]
fn drawing_goes_on_at_any_place() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let engine: Philox4x32 = Philox4x32::new(8);
        let whole: Vec<f32> = engine.normal::<f32>().iter().take(5000).collect();
        let mut pieces = Vec::new();
        let mut draws = engine.normal::<f32>();
        for count in [0, 1, 3, 101, 7, 1024, 2, 2047, 1, 500] {
            let mut piece = DeviceVec::filled(queue, 0.0_f32, count).unwrap();
            draws.fill(&mut piece).unwrap();
            pieces.extend(piece.to_vec().unwrap());
            let lazy = draws.draw(count / 3 + 1).collect_on(queue).unwrap();
            pieces.extend(lazy.to_vec().unwrap());
            assert_eq!(draws.position() as usize, pieces.len());
        }
        let exact = device.rounds_division_correctly().unwrap();
        for (i, (piece, value)) in pieces.iter().zip(&whole).enumerate() {
            let close = (piece - value).abs() <= 2.0 * f32::EPSILON * value.abs();
            assert!(if exact { piece == value } else { close }, "{i}: {piece}, {value}");
        }
        assert!(pieces.len() < whole.len());
    });
}

#[test]
fn pairs_are_neighbours() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let check = |pairs: Expr<'_, (f32, f32)>, values: Vec<f32>| {
            let (x, y) = pairs.collect_on(queue).unwrap();
            let (x, y) = (x.to_vec().unwrap(), y.to_vec().unwrap());
            assert_eq!(x.len() + y.len(), values.len());
            assert!((0..x.len()).all(|i| x[i] == values[2 * i] && y[i] == values[2 * i + 1]));
        };
        for from in [0, 2, 3] {
            let u = Philox4x32::<10>::new(8).uniform::<f32>().skip(from);
            check(u.pairs(1003), u.iter().take(2006).collect());
        }
    });
}

/// A carry out of the lowest word, and out of all.
#[test]
fn counters_carry_on_both_sides() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let last = [u32::MAX - 9, u32::MAX, u32::MAX, u32::MAX];
        let engine = Philox4x32::<10>::with_key([1, 2]).with_counter(last);
        same(queue, &engine.bits::<u32>(), 0, 100);
        assert_eq!(engine.block(10), Philox4x32::<10>::with_key([1, 2]).block(0));
        let engine = Philox2x32::<10>::with_key([1]).with_counter([u32::MAX - 9, 7]);
        same(queue, &engine.bits::<u32>(), 0, 100);
        let engine = Threefry2x64::<20>::with_key([1, 2]).with_counter([u64::MAX - 9, u64::MAX]);
        same(queue, &engine.bits::<u64>(), 0, 100);
        let engine = Threefry4x64::<20>::with_key([1, 2, 3, 4]).with_counter([u64::MAX - 9, u64::MAX, 6, 7]);
        same(queue, &engine.bits::<u64>(), 0, 100);
        assert_eq!(engine.block(10), engine.with_counter([0, 0, 7, 7]).block(0));
    });
}

/// Periods and seeds are not cut to 32 bits.
#[test]
fn all_bits_of_seeds_and_positions_count() {
    let engine: Philox4x32 = Philox4x32::new(7);
    assert_ne!(engine.block(0), engine.block(1 << 32));
    fn seeds<E: Engine>(new: fn(u64) -> E) {
        assert_ne!(new(7).block(0), new(7 + (1 << 32)).block(0));
        assert_ne!(new(7).block(0), new(7).stream(1).block(0));
        assert_ne!(new(7).block(0), new(7).substream(1).block(0));
        assert_eq!(new(7).jump(3).block(2), new(7).block(5));
    }
    seeds(Philox2x32::<10>::new);
    seeds(Philox4x32::<10>::new);
    seeds(Philox2x64::<10>::new);
    seeds(Philox4x64::<10>::new);
    seeds(Threefry2x32::<20>::new);
    seeds(Threefry4x32::<20>::new);
    seeds(Threefry2x64::<20>::new);
    seeds(Threefry4x64::<20>::new);
    assert_eq!(engine.stream(3).substream(5).counter(), [0, 0, 5, 3]);
}
