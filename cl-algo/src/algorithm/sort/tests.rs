//! Tests of all methods of sorting on every device, with every kind of key.

use super::*;
use crate::codegen::look_back::LookBack;
use crate::codegen::look_back::tests::ways;
use cl_core::Queue;
use half::f16;

fn methods(queue: &Queue) -> Vec<Method> {
    if ends_loops(queue) {
        return vec![Method::ByDevice];
    }
    ways(queue).into_iter().map(Method::LookBack).chain([Method::Runs]).collect()
}

/// Returns whether the device ends loops after fewer steps than a chunk takes.
fn ends_loops(queue: &Queue) -> bool {
    profile(queue.context()).unwrap().loop_steps.is_some()
}

/// Returns numbers without a pattern.
fn noise(len: usize) -> impl Iterator<Item = u64> {
    (0..len as u64)
        .map(|i| (i ^ 0x5bd1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(i | 1))
}

/// Sorts `keys` and two vectors of values, and compares the results with the host's, which sorts by `order`.
fn check<K: SortKey + PartialEq + std::fmt::Debug>(
    queue: &Queue,
    sort: &Sort,
    keys: &[K],
    same: impl Fn(&K, &K) -> bool,
    order: impl Fn(&K, &K) -> std::cmp::Ordering,
) {
    check_by(queue, &methods(queue), sort, keys, same, order);
}

/// Does the same as [`check`] by these methods.
fn check_by<K: SortKey + PartialEq + std::fmt::Debug>(
    queue: &Queue,
    methods: &[Method],
    sort: &Sort,
    keys: &[K],
    same: impl Fn(&K, &K) -> bool,
    order: impl Fn(&K, &K) -> std::cmp::Ordering,
) {
    let len = keys.len();
    let mut expected: Vec<u32> = (0..len as u32).collect();
    expected.sort_by(|&a, &b| {
        let order = order(&keys[a as usize], &keys[b as usize]);
        if sort.descending { order.reverse() } else { order }
    });
    for &method in methods {
        let sort = Sort { method, ..sort.clone() };
        let label = format!("{} {len} {sort:?}", std::any::type_name::<K>());
        let sorted = |x: &DeviceVec<K>| {
            let x = x.to_vec().unwrap();
            for (i, (x, &at)) in x.iter().zip(&expected).enumerate() {
                assert!(same(x, &keys[at as usize]), "{label}: {i}: {x:?}");
            }
        };
        let mut x = DeviceVec::from_slice(queue, keys).unwrap();
        let argsort = sort.argsort(&x).unwrap().to_vec().unwrap();
        assert!(argsort == expected, "{label}: argsort");
        sort.keys(&mut x).unwrap();
        sorted(&x);
        let mut x = DeviceVec::from_slice(queue, keys).unwrap();
        let mut a = DeviceVec::from_fn(queue, len, |i| i as u32).unwrap();
        let mut b = DeviceVec::from_fn(queue, len, |i| crate::F32x3::splat(i as f32)).unwrap();
        sort.by_key(&mut x, (&mut a, &mut b)).unwrap();
        sorted(&x);
        assert!(a.to_vec().unwrap() == expected, "{label}: values");
        let b = b.to_vec().unwrap();
        let same = b.iter().zip(&expected).all(|(b, &at)| *b == crate::F32x3::splat(at as f32));
        assert!(same, "{label}: large values");
    }
}

#[test]
fn sizes_around_every_edge() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let edges =
            [0, 1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, 1023, 1025, 2047, 2048, 2049, 4095, 4096, 4097];
        let all = [&edges[..], &[16_384, 32_767, 32_768, 65_537, 100_003]].concat();
        for len in cl_test::full_or_small(all, vec![0, 1, 17, 257, 2049, 5003]) {
            let keys: Vec<u32> = noise(len).map(|x| x as u32).collect();
            check(queue, &Sort::new(), &keys, u32::eq, u32::cmp);
            // Many equal keys.
            let keys: Vec<u32> = keys.iter().map(|x| x & 0x300).collect();
            check(queue, &Sort::new(), &keys, u32::eq, u32::cmp);
        }
    });
}

/// Stalls tiles, the first one and one in the middle: tiles that send no messages are counted by other tiles.
#[test]
fn stalled_tiles() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let stalled =
            |way| [(0, 0), (20, 2)].map(|(spins, stalled)| LookBack { spins, stalled: Some(stalled), ..way });
        for way in ways(queue).into_iter().flat_map(stalled) {
            let method = Method::LookBack(way);
            let sort = Sort { method, ..Sort::new() };
            for len in [4096, cl_test::full_or_small(100_003, 9001)] {
                let mut expected: Vec<u32> = noise(len).map(|x| x as u32).collect();
                let mut keys = DeviceVec::from_slice(queue, &expected).unwrap();
                sort.keys(&mut keys).unwrap();
                expected.sort_unstable();
                assert!(keys.to_vec().unwrap() == expected, "{len} {method:?}");
            }
        }
    });
}

/// Sorts few items with the kernels of GPUs: in one tile, in a tile and one item more, and in many tiles.
#[test]
fn few_items_on_gpus() {
    for device in cl_test::forced::gpus() {
        let queue = &Queue::on(&device).unwrap();
        let methods = [Method::ByDevice];
        let orders = [Sort::new(), Sort::new().descending()];
        let tile = small::tile(&profile(queue.context()).unwrap(), 4);
        let many = cl_test::full_or_small(5 * tile + 77, 2 * tile + 1);
        for len in [2, 3, 100, tile - 1, tile, tile + 1, 2 * tile, many] {
            let keys: Vec<u32> = noise(len).map(|x| x as u32).collect();
            check_by(queue, &methods, &orders[0], &keys, u32::eq, u32::cmp);
            // Many equal keys, whose values keep their order.
            let keys: Vec<u32> = keys.iter().map(|x| x & 0x300).collect();
            check_by(queue, &methods, &orders[len % 2], &keys, u32::eq, u32::cmp);
        }
        let bits = |many| noise(many).map(|x| if x % 7 == 0 { 0 } else { x });
        for sort in &orders {
            macro_rules! integers_of {
                ($($type:ident)*) => {$({
                    let keys: Vec<$type> = bits(many).map(|x| x as $type).collect();
                    check_by(queue, &methods, sort, &keys, $type::eq, $type::cmp);
                })*};
            }
            integers_of! { i8 u16 i32 i64 u64 i128 }
            macro_rules! floats_of {
                ($($type:ident)*) => {$({
                    let keys: Vec<$type> = bits(many).map(|x| $type::from_bits(x as _)).collect();
                    let same = |a: &$type, b: &$type| a.to_bits() == b.to_bits();
                    check_by(queue, &methods, sort, &keys, same, $type::total_cmp);
                })*};
            }
            floats_of! { f16 f32 f64 }
        }
        let keys: Vec<bool> = bits(many).map(|x| x % 2 == 1).collect();
        check_by(queue, &methods, &orders[0], &keys, bool::eq, bool::cmp);
        values_of_each_size(queue, many);
    }
}

/// Sorts keys with values of each size that moves along with its key.
fn values_of_each_size(queue: &Queue, len: usize) {
    let host: Vec<u16> = noise(len).map(|x| x as u16 & 0x3ff).collect();
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by_key(|&i| host[i]);
    macro_rules! values {
        ($($type:ident)*) => {$({
            let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
            let mut values = DeviceVec::from_fn(queue, len, |i| i as $type).unwrap();
            sort_by_key(&mut keys, &mut values).unwrap();
            assert!(keys.to_vec().unwrap().into_iter().eq(order.iter().map(|&i| host[i])));
            assert!(values.to_vec().unwrap().into_iter().eq(order.iter().map(|&i| i as $type)));
        })*};
    }
    values! { u8 i16 f32 u64 f64 }
    let keys = DeviceVec::from_slice(queue, &host).unwrap();
    let long = Sort::new().argsort_u64(keys.iter() * 2).unwrap().to_vec().unwrap();
    assert!(long.into_iter().eq(order.iter().map(|&i| i as u64)));
}

macro_rules! integers {
    ($($type:ident)*) => {
        #[test]
        fn every_integer() {
            cl_test::each_device(|device| {
                let queue = &Queue::on(device).unwrap();
                $({
                    let len = cl_test::full_or_small(5003, 503);
                    let mut keys: Vec<$type> = noise(len).map(|x| x as $type).collect();
                    keys[77] = $type::MIN;
                    keys[78] = $type::MAX;
                    keys[79] = 0;
                    keys[len - 3] = $type::MIN;
                    for sort in [Sort::new(), Sort::new().descending()] {
                        check(queue, &sort, &keys, $type::eq, $type::cmp);
                    }
                })*
            });
        }
    };
}

integers! { i8 u8 i16 u16 i32 u32 i64 u64 }

#[test]
fn integers_of_128_bits() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = cl_test::full_or_small(5003, 503);
        // Both halves decide, and many upper halves are equal.
        let halves = noise(len).zip(noise(len).skip(1));
        let mut keys: Vec<u128> =
            halves.map(|(x, y)| u128::from(x >> (x % 67).min(63)) << 64 | u128::from(y)).collect();
        keys[77..80].copy_from_slice(&[u128::MAX, 0, 1 << 127]);
        let signed: Vec<i128> = keys.iter().map(|&x| x.cast_signed()).collect();
        for sort in [Sort::new(), Sort::new().descending()] {
            check(queue, &sort, &keys, u128::eq, u128::cmp);
            check(queue, &sort, &signed, i128::eq, i128::cmp);
            // Bits of both halves, in digits that lie in one half or in both.
            let bits = |x: &u128| *x >> 57 & 0x7ff;
            check(queue, &sort.clone().bits(57..68), &keys, u128::eq, |a, b| bits(a).cmp(&bits(b)));
        }
    });
}

macro_rules! floats {
    ($($type:ident)*) => {
        #[test]
        fn every_float_in_total_order() {
            cl_test::each_device(|device| {
                let queue = &Queue::on(device).unwrap();
                $({
                    let special = [
                        $type::NAN, -$type::NAN, $type::INFINITY, $type::NEG_INFINITY,
                        $type::from_bits(0), -$type::from_bits(0), $type::MIN, $type::MAX,
                        $type::from_bits(1), -$type::from_bits(1), $type::MIN_POSITIVE, -$type::MIN_POSITIVE,
                    ];
                    // All bit patterns, including NaNs with all payloads.
                    let random =
                        noise(cl_test::full_or_small(5003, 503)).map(|x| $type::from_bits(x as _));
                    let keys: Vec<$type> = random.chain(special).collect();
                    for sort in [Sort::new(), Sort::new().descending()] {
                        let same = |a: &$type, b: &$type| a.to_bits() == b.to_bits();
                        check(queue, &sort, &keys, same, $type::total_cmp);
                    }
                })*
            });
        }
    };
}

floats! { f16 f32 f64 }

#[test]
fn truth_values() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let keys: Vec<bool> = noise(5003).map(|x| x >> 40 & 1 == 1).collect();
        for sort in [Sort::new(), Sort::new().descending()] {
            check(queue, &sort, &keys, bool::eq, bool::cmp);
        }
    });
}

#[test]
fn kernels_of_64_bit_indices() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: Vec<i64> = noise(cl_test::full_or_small(50_021, 5021)).map(|x| x as i64).collect();
        let mut expected = host.clone();
        expected.sort_unstable();
        for method in methods(queue) {
            // The values equal the keys.
            let [keys, values] = [(); 2].map(|()| DeviceVec::from_slice(queue, &host).unwrap());
            let columns = [&keys, &values].map(|x| Column::in_place(&Target::whole(x)));
            let items =
                Sort::new().items::<i64>("sort", queue, host.len(), columns[0], vec![columns[1]]).unwrap();
            sort_by(&Items { compiled_len: 1 << 31, ..items }, method).unwrap();
            assert!(keys.to_vec().unwrap() == expected, "{method:?}");
            assert!(values.to_vec().unwrap() == expected, "{method:?}: values");
        }
    });
}

/// Returns a number with all bits below `bit` set.
fn lowest(bit: u32) -> u64 {
    u64::MAX.checked_shr(64 - bit).unwrap_or(0)
}

/// Sorts chunks whose first item of a digit comes second in its line.
///
/// Such a chunk leaves the first item of the line to the chunk before, which has only items of that digit and so moves
/// its items without lines.
#[test]
fn lines_that_begin_in_another_run() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        const RUN: u32 = 16_384;
        if ends_loops(queue) {
            return;
        }
        let key = |i: u32| {
            let (run, at) = (i / RUN, i % RUN);
            // The zeros fill a line of 16 exactly, except for one more in the last chunk.
            let zero = run % 2 == 0 && at % 4 == 0 || run == 7 && at == 0;
            i << 8 | u32::from(!zero)
        };
        let mut keys: Vec<u32> = (0..8 * RUN).map(key).collect();
        let mut x = DeviceVec::from_slice(queue, &keys).unwrap();
        Sort { method: Method::Runs, ..Sort::new().bits(0..8) }.keys(&mut x).unwrap();
        keys.sort_by_key(|key| key & 255);
        assert!(x.to_vec().unwrap() == keys);
    });
}

/// Sorts keys of 64 bits of each kind: those that their highest bits tell apart, those that these bits tell apart with few
/// exceptions, at the ends of chunks too, those that agree in nearly all of these bits, and those with few bits that differ.
#[test]
fn keys_whose_digits_the_device_chooses() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        if ends_loops(queue) {
            return;
        }
        const LEN: usize = 70_001;
        let bit = |n: u64, from: u32, to: u32| (n >> from & 1) << to;
        let kinds: [&dyn Fn(u64) -> u64; 6] = [
            &|n| n,
            &|n| {
                bit(n, 63, 63)
                    | bit(n, 62, 54)
                    | (n >> 55 & 127) << 40
                    | (n >> 49 & 63) << 33
                    | n & 0x3fff_ffff
            },
            &|n| bit(n, 63, 63) | bit(n, 62, 54) | bit(n, 61, 45) | bit(n, 60, 36) | n & 0xf_ffff,
            &|n| n & 3 | (n >> 5 & 3) << 33,
            &|n| n & 0xff_ffff,
            &|_| 7,
        ];
        let check = |keys: &[u64], sort: Sort, within: u64| {
            let mut expected: Vec<u32> = (0..LEN as u32).collect();
            let key = |i: &u32| (keys[*i as usize] & within) ^ if sort.descending { within } else { 0 };
            expected.sort_by_key(key);
            let mut x = DeviceVec::from_slice(queue, keys).unwrap();
            let mut order = DeviceVec::from_fn(queue, LEN, |i| i as u32).unwrap();
            let sort = Sort { method: Method::Runs, ..sort };
            assert!(sort.argsort(&x).unwrap().to_vec().unwrap() == expected);
            sort.by_key(&mut x, &mut order).unwrap();
            assert!(order.to_vec().unwrap() == expected);
            let sorted = x.to_vec().unwrap();
            assert!(sorted.iter().zip(&expected).all(|(x, &at)| *x == keys[at as usize]));
        };
        for kind in kinds {
            let keys: Vec<u64> = noise(LEN).map(kind).collect();
            check(&keys, Sort::new(), u64::MAX);
            check(&keys, Sort::new().descending().bits(3..61), (1 << 61) - 8);
        }
    });
}

/// Returns lengths of segments of each kind: in tiles, alone, and by several work-groups, several of which stall.
fn lengths() -> Vec<u32> {
    let short = (0..200_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 25);
    let long = [cl_test::full_or_small(40_000, 5000), 0, 1, cl_test::full_or_small(25_000, 3000)];
    short.chain(long).chain([5, 0, cl_test::full_or_small(9000, 900)]).collect()
}

/// Sorts segments by each method, also where tiles stall, and in the kernels for 64-bit indices.
#[test]
fn segments_by_every_method() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let lengths = lengths();
        let len = lengths.iter().sum::<u32>() as usize;
        let host: Vec<u32> = noise(len).map(|x| x as u32).collect();
        let mut offsets = vec![0];
        lengths.iter().for_each(|len| offsets.push(offsets[offsets.len() - 1] + len));
        let offsets = DeviceVec::from_slice(queue, &offsets).unwrap();
        let longest = *lengths.iter().max().unwrap() as usize;
        let within = Some(Within { offsets: &offsets, longest });
        let mut expected: Vec<(u32, u32)> = host.iter().copied().zip(0..).collect();
        let mut begin = 0;
        for &len in &lengths {
            expected[begin..begin + len as usize].sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            begin += len as usize;
        }
        let mut methods = methods(queue);
        if !ends_loops(queue) {
            let stalled = [0, 2].map(|tile| LookBack { spins: 20, stalled: Some(tile), ..LookBack::ALONE });
            methods.extend(stalled.map(Method::LookBack));
        }
        for method in methods {
            for compiled_len in [len, 1 << 31] {
                let keys = DeviceVec::from_slice(queue, &host).unwrap();
                let values = DeviceVec::from_fn(queue, len, |i| i as u32).unwrap();
                let [keys_at, values_at] = [&keys, &values].map(|x| Column::in_place(&Target::whole(x)));
                let sort = Sort::new().descending();
                let items = sort.items::<u32>("sort", queue, len, keys_at, vec![values_at]).unwrap();
                sort_by(&Items { compiled_len, within, ..items }, method).unwrap();
                let sorted: Vec<(u32, u32)> =
                    keys.to_vec().unwrap().into_iter().zip(values.to_vec().unwrap()).collect();
                assert!(sorted == expected, "{method:?} {compiled_len}");
            }
        }
    });
}

#[test]
fn ranges_of_bits() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = cl_test::full_or_small(3001, 503);
        let keys: Vec<u64> = noise(len).collect();
        for (begin, end) in [(0, 0), (0, 1), (63, 64), (64, 64), (4, 12), (0, 16), (3, 20), (10, 43), (5, 64)]
        {
            for sort in [Sort::new(), Sort::new().descending()] {
                let bits = |key: u64| u128::from(key & lowest(end)) >> begin;
                let order = |a: &u64, b: &u64| bits(*a).cmp(&bits(*b));
                check(queue, &sort.bits(begin..end), &keys, u64::eq, order);
            }
        }
        // The highest bit of signed keys counts as inverted.
        let keys: Vec<i16> = noise(len).map(|x| x as i16).collect();
        check(queue, &Sort::new().bits(12..), &keys, i16::eq, |a, b| (a >> 12).cmp(&(b >> 12)));
    });
}

#[test]
fn digits_cover_the_bits_once() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::filled(queue, 0_u64, 1).unwrap();
        for begin in 0..=64_u32 {
            for end in begin..=64 {
                let column = Column::in_place(&Target::whole(&x));
                let items =
                    Sort::new().bits(begin..end).items::<u64>("sort", queue, 1, column, Vec::new()).unwrap();
                let (mut covered, mut passes) = (0_u64, 0);
                for digit in items.digits() {
                    assert!(digit.mask < 256 && digit.shift < 64);
                    let bits = u64::from(digit.mask) << digit.shift;
                    // The bits of each digit are above the bits of the digits before.
                    assert!(bits & covered == 0 && (bits == 0 || bits > covered), "{begin} {end} {digit:?}");
                    covered |= bits;
                    passes += 1;
                }
                assert_eq!(covered, lowest(end) ^ lowest(begin), "{begin} {end}");
                assert_eq!(passes % 2, 0);
            }
        }
    });
}
