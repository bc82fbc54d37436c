//! Shuffles and permutations.
#![allow(clippy::unwrap_used)]

use cl_algo::prelude::*;
use cl_random::*;

fn engine(seed: u64) -> Philox4x32 {
    Philox4x32::new(seed)
}

#[test]
fn every_number_once_without_memory() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for count in [1, 2, 3, 5, 64, 65, 1000, 1025] {
            let permutation = Permutation::new(count, &engine(count));
            let numbers = permutation.expr().collect_on(queue).unwrap().to_vec().unwrap();
            assert!((0..count).all(|i| permutation.get(i) == numbers[i as usize]));
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..count), "{count}: {numbers:?}");
        }
        let none = Permutation::new(0, &engine(1));
        assert!(none.is_empty() && none.expr().collect_on(queue).unwrap().is_empty());
    });
}

/// Places beyond 2^32 are found as well, and different numbers go to different places.
#[test]
fn huge_ranges_need_no_memory() {
    let count = (1 << 40) + 12_345;
    let permutation = Permutation::new(count, &engine(1));
    let mut places: Vec<u64> = (0..1000).map(|i| permutation.get(count - 1 - i * 977)).collect();
    assert!(places.iter().all(|&place| place < count));
    assert!(places.iter().any(|&place| place > u64::from(u32::MAX)));
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 1000);
}

#[test]
fn shuffles_keep_all_and_move_most() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let count = 10_007;
        let mut x = iota(0_u32, count).collect_on(queue).unwrap();
        shuffle(&mut x, &engine(1)).unwrap();
        let shuffled = x.to_vec().unwrap();
        let order = permutation(queue, count, &engine(1)).unwrap().to_vec().unwrap();
        assert_eq!(shuffled, order);
        assert_ne!(shuffled, permutation(queue, count, &engine(2)).unwrap().to_vec().unwrap());
        // One fixed point is expected.
        assert!(shuffled.iter().enumerate().filter(|(i, x)| *i as u32 == **x).count() < 12);
        let mut sorted = shuffled;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..count as u32));

        let mut nothing = DeviceVec::from_slice(queue, &[0_u32; 0]).unwrap();
        shuffle(&mut nothing, &engine(1)).unwrap();
        assert!(permutation(queue, 0, &engine(1)).unwrap().is_empty());
    });
}
