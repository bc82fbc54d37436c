//! The generators of the host with the traits of `rand_core`, compared with the sequences of
//! kernels.

use cl_random::*;
use rand::{RngExt, SeedableRng};
use rand_core::Rng;

#[test]
fn words_are_those_of_the_engine() {
    let engine: Philox4x32 = Philox4x32::new(9);
    let mut rng = CounterRng::<Philox4x32>::seed_from_u64(9);
    let words: Vec<u32> = (0..9).map(|_| rng.next_u32()).collect();
    assert!(words.iter().copied().eq(engine.bits::<u32>().iter().take(9)));
    let mut rng = engine.rng();
    let words: Vec<u64> = (0..9).map(|_| rng.next_u64()).collect();
    assert!(words.iter().copied().eq(engine.bits::<u64>().iter().take(9)));

    let engine: Threefry2x64 = Threefry2x64::new(9);
    let mut rng = engine.rng();
    let words: Vec<u64> = (0..9).map(|_| rng.next_u64()).collect();
    assert!(words.iter().copied().eq(engine.bits::<u64>().iter().take(9)));
    assert_eq!(rng.next_u32(), engine.bits::<u64>().get(9) as u32);
}

#[test]
fn positions_clones_and_bytes() {
    let engine: Philox4x64 = Philox4x64::new(10);
    let mut rng = engine.rng();
    let mut bytes = [0; 45];
    rng.fill_bytes(&mut bytes);
    let words: Vec<u8> = engine.bits::<u64>().iter().take(6).flat_map(u64::to_le_bytes).collect();
    assert_eq!(bytes[..], words[..45]);
    assert_eq!(rng.position(), 6);
    let mut other = rng.clone();
    assert_eq!(rng, other);
    assert_eq!(rng.next_u64(), other.next_u64());
    other.set_position((1 << 70) + 3);
    assert_ne!(rng, other);
    assert_eq!(other.next_u64(), engine.jump((1 << 70) / 4).block(0)[3]);
    assert_eq!(other.next_u64(), engine.jump((1 << 70) / 4 + 1).block(0)[0]);
}

#[test]
fn seeds_are_keys() {
    let rng = CounterRng::<Philox4x32>::from_seed([1, 0, 0, 0, 0, 2, 0, 0]);
    assert_eq!(rng.engine().key(), [1, 512]);
    let rng = CounterRng::<Threefry4x64>::from_seed(std::array::from_fn(|at| u8::from(at % 8 == 0)));
    assert_eq!(rng.engine().key(), [1; 4]);
}

#[test]
fn rand_draws_from_it() {
    let mut rng = Philox4x32::<10>::new(3).rng();
    let dice: Vec<u8> = (0..100).map(|_| rng.random_range(1..=6)).collect();
    assert!((1..=6).all(|dots| dice.contains(&dots)));
}
