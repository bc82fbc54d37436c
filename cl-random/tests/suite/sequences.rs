//! Sequences are the same on device and host, at every position, for every engine.
#![allow(clippy::unwrap_used)]

use cl_algo::prelude::*;
use cl_random::*;
use std::fmt::Debug;

/// Runs a test for both shapes of kernels on every device.
fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device_and_forced(|device| test(&Queue::on(device).unwrap()));
}

/// Compares the `count` values from `from` on, drawn on the device and on the host.
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

/// Tests aligned and unaligned positions, near 0 and beyond 32 bits, and a carry out of the lowest word. Each
/// line with its own sequence compiles a kernel, which takes longer than the rest of this file.
fn engine_is_the_same<E: Engine>(engine: E) {
    let lowest = if E::Word::BITS == 64 { u64::MAX } else { u32::MAX.into() };
    each_queue(|queue| {
        same(queue, &engine.uniform::<f32>(), 0, 777);
        same(queue, &engine.uniform::<f32>(), (1 << 40) + 8, 777);
        same(queue, &engine.jump((lowest - 9).into()).bits::<u64>(), 1, 100);
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

/// Returns `true` if kernels can use `double`.
fn has_doubles(queue: &Queue) -> bool {
    queue.device().has_fp64().unwrap()
}

fn engine(seed: u64) -> Philox4x32 {
    Philox4x32::new(seed)
}

/// Lengths around a chunk of CPUs and a tile of GPUs.
const COUNT: usize = 5003;

#[test]
fn uniform_floats_and_truth_values() {
    each_queue(|queue| {
        same(queue, &engine(77).draws(OpenClosed01::<f32>::new()), 0, COUNT);
        same(queue, &engine(77).draws(Open01::<f32>::new()), 0, COUNT);
        same(queue, &engine(77).draws(Uniform::new(-3.5_f32, 100.0).unwrap()), 0, COUNT);
        same(queue, &engine(77).draws(Uniform::open(1.0_f32, 1.000_001).unwrap()), 0, COUNT);
        same(queue, &engine(77).draws(Bernoulli::new(0.3).unwrap()), 0, COUNT);
        if has_doubles(queue) {
            same(queue, &engine(77).uniform::<f64>(), 0, COUNT);
            same(queue, &engine(77).draws(Uniform::new(-1.0, 1e300).unwrap()), 0, COUNT);
        }
    });
}

#[test]
fn integers_of_ranges() {
    each_queue(|queue| {
        same(queue, &engine(77).draws(UniformInteger::new(1..=6_u8).unwrap()), 0, COUNT);
        same(queue, &engine(77).draws(UniformInteger::new(-5..1_000_000_000_i32).unwrap()), 1, COUNT);
        same(queue, &engine(77).draws(UniformInteger::<i32>::new(..).unwrap()), 1, COUNT);
        // One kernel for all of these.
        same(queue, &engine(77).draws(UniformInteger::new(i64::MIN..i64::MAX).unwrap()), 0, COUNT);
        same(queue, &engine(77).draws(UniformInteger::<i64>::new(..).unwrap()), 0, COUNT);
        same(queue, &engine(77).draws(UniformInteger::new(0..1_i64 << 62 | 3).unwrap()), 0, COUNT);
    });
}

/// Tests distributions without square roots and divisions of `f32`, which devices may round differently.
#[test]
fn numbers_that_round_alike_everywhere() {
    each_queue(|queue| {
        same(queue, &engine(77).draws(Exponential::new(3.0_f32).unwrap()), 0, COUNT);
        same(queue, &engine(77).draws(Poisson::new(3.0).unwrap()), 0, COUNT);
        if has_doubles(queue) {
            same(queue, &engine(77).normal::<f64>(), 0, COUNT);
            same(queue, &engine(77).draws(LogNormal::new(0.5, 2.0).unwrap()), 0, COUNT);
            same(queue, &engine(77).draws(Gamma::new(0.7, 1.0).unwrap()), 0, COUNT);
            same(queue, &engine(77).draws(Gamma::new(0.05, 1e20).unwrap()), 0, COUNT);
            same(queue, &engine(77).draws(Poisson::new(1234.5).unwrap()), 0, COUNT);
        }
    });
}

#[test]
fn numbers_with_square_roots() {
    each_queue(|queue| {
        if !queue.device().rounds_division_correctly().unwrap() {
            let draws = engine(77).normal::<f32>();
            let on_device = draws.take(COUNT).collect_on(queue).unwrap().to_vec().unwrap();
            on_device.into_iter().zip(draws.iter()).for_each(|(value, wanted)| close(value, wanted));
            return;
        }
        same(queue, &engine(77).normal::<f32>(), 0, COUNT);
        same(queue, &engine(77).draws(Normal::new(10.0_f32, 0.5).unwrap()), 1, COUNT);
        same(queue, &engine(77).draws(LogNormal::new(0.5_f32, 2.0).unwrap()), 0, COUNT);
        // One kernel for both.
        same(queue, &engine(77).draws(Gamma::new(2.5_f32, 2.0).unwrap()), 0, COUNT);
        same(queue, &engine(77).draws(Gamma::new(0.3_f32, 1.0).unwrap()), 0, COUNT);
        same(queue, &engine(77).draws(Gamma::new(0.05_f32, 1e20).unwrap()), 0, COUNT);
    });
}

/// Checks that a value is within two units in the last place.
fn close(value: f32, wanted: f32) {
    let unit = f32::from_bits(wanted.abs().to_bits() + 1) - wanted.abs();
    assert!((value - wanted).abs() <= 2.0 * unit, "{value}, {wanted}");
}

#[test]
fn indices_with_weights() {
    each_queue(|queue| {
        let discrete = Discrete::new(queue, &[0.5, 0.0, 3.0, 1.5]).unwrap();
        let mut draws = discrete.draws(&engine(77)).skip((1 << 33) + 5);
        let wanted: Vec<u32> = draws.iter().take(3 * COUNT).collect();
        assert_eq!(draws.get(COUNT as u64), wanted[COUNT]);
        assert_eq!(draws.take(COUNT).collect().unwrap().to_vec().unwrap(), wanted[..COUNT]);
        assert_eq!(draws.slice(7..99).collect().unwrap().to_vec().unwrap(), wanted[7..99]);
        assert_eq!(draws.draw(COUNT).collect().unwrap().to_vec().unwrap(), wanted[..COUNT]);
        let mut stored = DeviceVec::filled(queue, 0_u32, 2 * COUNT).unwrap();
        draws.fill(&mut stored).unwrap();
        assert_eq!(stored.to_vec().unwrap(), wanted[COUNT..]);
        assert_eq!(draws.position(), (1 << 33) + 5 + 3 * COUNT as u128);
    });
}

#[test]
fn values_of_128_bits_take_two_short_blocks() {
    each_queue(|queue| {
        let engine: Philox2x32 = Philox2x32::new(5);
        same(queue, &engine.draws(UniformInteger::new(0..10_u64).unwrap()), 0, 1001);
        same(queue, &engine.draws(UniformInteger::new(0..10_u64).unwrap()), (1 << 33) + 7, 1001);
        if has_doubles(queue) {
            same(queue, &engine.normal::<f64>(), 3, 1001);
        }
        let engine: Threefry4x64 = Threefry4x64::new(5);
        same(queue, &engine.draws(UniformInteger::new(0..10_u64).unwrap()), 1, 1001);
    });
}

#[test]
fn drawing_goes_on_at_any_place() {
    each_queue(|queue| {
        let exact = queue.device().rounds_division_correctly().unwrap();
        let whole: Vec<f32> = engine(8).normal::<f32>().iter().take(5000).collect();
        let mut pieces = Vec::new();
        let mut draws = engine(8).normal::<f32>();
        for count in [0, 1, 3, 101, 7, 1024, 2, 2047, 1, 500] {
            let mut piece = DeviceVec::filled(queue, 0.0_f32, count).unwrap();
            draws.fill(&mut piece).unwrap();
            pieces.extend(piece.to_vec().unwrap());
            let lazy = draws.draw(count / 3 + 1).collect_on(queue).unwrap();
            pieces.extend(lazy.to_vec().unwrap());
            assert_eq!(draws.position() as usize, pieces.len());
        }
        for (&piece, &value) in pieces.iter().zip(&whole) {
            if exact {
                assert_eq!(piece, value);
            } else {
                close(piece, value);
            }
        }
        assert!(pieces.len() < whole.len());
    });
}

#[test]
fn what_lies_before_an_offset_is_left_alone() {
    each_queue(|queue| {
        let mut x = DeviceVec::filled(queue, -1.0_f32, 152).unwrap();
        let mut draws = engine(8).uniform::<f32>();
        assign(x.slice_mut(51..), draws.draw(101)).unwrap();
        let x = x.to_vec().unwrap();
        assert_eq!(x[..51], [-1.0; 51]);
        assert!(x[51..].iter().copied().eq(engine(8).uniform().iter().take(101)));
    });
}

#[test]
fn views_are_filled() {
    each_queue(|queue| {
        let mut x = DeviceVec::filled(queue, -1.0_f32, 70_100).unwrap();
        let mut draws = engine(8).uniform::<f32>().skip(3);
        draws.fill(x.slice_mut(51..60)).unwrap();
        // Enough values that the odd one in front is stored on its own; all values in reverse.
        draws.skip(1).fill(x.slice_mut(100..).rev()).unwrap();
        draws.fill(x.slice_mut(..51).step_by(7)).unwrap();
        assert_eq!(draws.position(), 3 + 9 + 8);
        assert!(draws.fill(x.slice_mut(70_000..70_101)).is_err());
        assert_eq!(draws.position(), 3 + 9 + 8);
        let (x, values) = (x.to_vec().unwrap(), engine(8).uniform::<f32>());
        let wanted = |at: usize| match at {
            0..51 if at.is_multiple_of(7) => values.get(12 + at as u64 / 7),
            51..60 => values.get(3 + at as u64 - 51),
            100.. => values.get(13 + 70_099 - at as u64),
            _ => -1.0,
        };
        let first = (0..100).chain((100..x.len()).step_by(101)).find(|&at| x[at] != wanted(at));
        assert_eq!(first.map(|at| (at, x[at], wanted(at))), None);
        let mut indices = DeviceVec::filled(queue, 9_u32, 6).unwrap();
        let discrete = Discrete::new(queue, &[1.0, 2.0]).unwrap();
        discrete.draws(&engine(8)).fill(indices.slice_mut(2..4)).unwrap();
        let wanted: Vec<u32> = discrete.draws(&engine(8)).iter().take(2).collect();
        assert_eq!(indices.to_vec().unwrap(), [&[9; 2][..], &wanted, &[9; 2]].concat());
    });
}

/// Fills enough values that the odd ones in front are stored on their own.
#[test]
fn long_fills_begin_anywhere() {
    each_queue(|queue| {
        let mut draws = engine(8).uniform::<f32>().skip((1 << 32) - 70_001);
        let mut stored = DeviceVec::filled(queue, 0.0_f32, 70_003).unwrap();
        for _ in 0..2 {
            let wanted: Vec<f32> = draws.iter().take(stored.len()).collect();
            draws.fill(&mut stored).unwrap();
            assert!(stored.to_vec().unwrap() == wanted, "at {}", draws.position());
        }
    });
}

#[test]
fn pairs_are_neighbours() {
    each_queue(|queue| {
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

/// Tests a carry out of the lowest word, and out of all words.
#[test]
fn counters_carry_to_the_end() {
    each_queue(|queue| {
        let last = [u32::MAX - 9, u32::MAX, u32::MAX, u32::MAX];
        let engine = Philox4x32::<10>::with_key([1, 2]).with_counter(last);
        same(queue, &engine.bits::<u64>(), 1, 100);
        assert_eq!(engine.block(10), Philox4x32::<10>::with_key([1, 2]).block(0));
        let engine = Threefry4x64::<20>::with_key([1, 2, 3, 4]).with_counter([u64::MAX - 9, u64::MAX, 6, 7]);
        same(queue, &engine.bits::<u64>(), 1, 100);
        assert_eq!(engine.block(10), engine.with_counter([0, 0, 7, 7]).block(0));
    });
}

/// Checks that periods and seeds are not truncated to 32 bits.
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

/// Tests positions that drawing cannot reach, but that a program may ask for.
#[test]
fn positions_beyond_64_bits() {
    each_queue(|queue| {
        let late = engine(7).bits::<u64>().skip(u64::MAX - 5).skip(2);
        same(queue, &late, 1, 101);
        assert_eq!(late.skip(u64::MAX).position(), u128::from(u64::MAX) * 2 - 3);
        assert_eq!(late.skip(7).get(u64::MAX), late.skip(u64::MAX).get(7));
        // The longest expression, and more values than any memory holds.
        assert_eq!(late.take(usize::MAX / 2).len(), Some(usize::MAX / 2));
        assert!(late.take(usize::MAX / 2).collect_on(queue).is_err());
        assert!(late.take(usize::MAX).collect_on(queue).is_err());
        assert!(late.slice(7..u64::MAX).collect_on(queue).is_err());
        assert!(late.pairs(usize::MAX).collect_on(queue).is_err());
        #[allow(clippy::reversed_empty_ranges)]
        let backwards = late.slice(7..3);
        assert!(backwards.collect_on(queue).unwrap().is_empty());
    });
}
