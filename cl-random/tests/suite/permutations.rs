//! Shuffles and permutations.
#![allow(clippy::unwrap_used)]

use cl_algo::prelude::*;
use cl_random::*;

fn engine(seed: u64) -> Philox4x32 {
    Philox4x32::new(seed)
}

fn assert_each_once(mut numbers: Vec<u64>, count: u64) {
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..count), "{count}");
}

#[test]
fn every_number_once_without_memory() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for count in [1, 2, 3, 5, 7, 8, 9, 16, 17, 24, 25, 31, 32, 33, 63, 64, 65, 1000, 1024, 1025] {
            // Two of them, so that the first numbers change places in one network and not in the other.
            for seed in [count, count + 1] {
                let permutation = Permutation::new(count, &engine(seed));
                let numbers = permutation.iter().collect_on(queue).unwrap().to_vec().unwrap();
                assert!((0..count).all(|i| permutation.get(i) == numbers[i as usize]), "{count}");
                assert_each_once(numbers, count);
            }
        }
        let none = Permutation::new(0, &engine(1));
        assert!(none.is_empty() && none.iter().collect_on(queue).unwrap().is_empty());
    });
}

/// On the host, which computes what devices do.
#[test]
fn every_number_once_for_many_counts() {
    let larger = [1000, 1023, 1024, 1025, 2187, 3000, 4093, 4095, 4096, 4097, 5000, 65_537];
    for count in (0..400).chain(larger) {
        for seed in 0..4 {
            let permutation = Permutation::new(count, &engine(seed));
            assert_each_once((0..count).map(|i| permutation.get(i)).collect(), count);
            // Places that it does not have.
            assert!([count, count + 1, u64::MAX].into_iter().all(|i| permutation.get(i) == i), "{count}");
        }
    }
}

/// Places beyond 2^32 are found as well, and different numbers go to different places.
#[test]
fn huge_ranges_need_no_memory() {
    for count in [(1 << 32) - 1, 1 << 32, (1 << 40) + 12_345, 1 << 63, (1 << 63) + 1, u64::MAX] {
        let permutation = Permutation::new(count, &engine(1));
        let ends = (0..1000).chain((0..1000).map(|i| count - 1 - i * 977));
        let mut places: Vec<u64> = ends.map(|i| permutation.get(i)).collect();
        assert!(places.iter().all(|&place| place < count));
        assert!(
            places.iter().any(|&place| place > count / 2) && places.iter().any(|&place| place < count / 2)
        );
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 2000, "{count}");
    }
}

#[test]
fn devices_find_places_of_huge_ranges() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for count in [(1 << 32) - 1, 1 << 32, (1 << 40) + 12_345, (1 << 62) + 1, (1 << 63) - 1] {
            let permutation = Permutation::new(count, &engine(2));
            let first = permutation.iter().take(100).collect_on(queue).unwrap().to_vec().unwrap();
            assert!((0..100).all(|i| permutation.get(i) == first[i as usize]), "{count}");
        }
    });
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
