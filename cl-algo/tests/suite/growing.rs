//! Vectors that grow and shrink, against `Vec`; their capacity, errors and driver calls.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::function::RawFunction;
use cl_algo::prelude::*;
use cl_algo::{F32x3, ranked};
use cl_core::{Buffer, Error};
use cl_test::counting::{Calls, exclusive};
use cl_test::each_device;

/// A small generator: the tests need variety, not quality.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Applies random changes to a vector and to a `Vec`.
fn compare<T: Element + PartialEq + std::fmt::Debug>(queue: &Queue, value: impl Fn(usize) -> T) {
    let mut random = Random(7);
    let (mut x, mut host) = (DeviceVec::with_capacity(queue, 0).unwrap(), Vec::new());
    for step in 0..200 {
        let len = host.len();
        let values: Vec<T> = (0..random.below(6)).map(|i| value(100 * step + i)).collect();
        let other = DeviceVec::from_slice(queue, &values).unwrap();
        let (begin, end) = (random.below(len + 1), random.below(len + 1));
        let range = begin.min(end)..begin.max(end);
        match random.below(13) {
            0 | 1 => {
                x.push(value(step)).unwrap();
                host.push(value(step));
            }
            2 | 3 => {
                x.extend_from_slice(&values).unwrap();
                host.extend_from_slice(&values);
            }
            4 => {
                x.extend(other.iter().rev()).unwrap();
                host.extend(values.iter().rev());
            }
            5 => assert_eq!(x.pop().unwrap(), host.pop()),
            6 => {
                x.insert(begin, value(step)).unwrap();
                host.insert(begin, value(step));
            }
            7 => {
                x.splice(range.clone(), &other).unwrap();
                host.splice(range, values).for_each(drop);
            }
            8 if begin < len => match step % 2 {
                0 => assert_eq!(x.remove(begin).unwrap(), host.remove(begin)),
                _ => assert_eq!(x.swap_remove(begin).unwrap(), host.swap_remove(begin)),
            },
            9 if range.len() < 7 => {
                let removed = x.drain(range.clone()).unwrap();
                assert_eq!(removed.to_vec().unwrap(), host.drain(range).collect::<Vec<T>>());
            }
            10 => {
                let mut rest = x.split_off(end).unwrap();
                let host_rest = host.split_off(end);
                assert_eq!(rest.to_vec().unwrap(), host_rest);
                x.append(&mut rest).unwrap();
                host.extend(host_rest);
                assert!(rest.is_empty());
            }
            11 => {
                x.resize(len + 3, value(step)).unwrap();
                x.resize(len + 2, value(0)).unwrap();
                host.resize(len + 2, value(step));
            }
            _ => x.shrink_to_fit().unwrap(),
        }
        assert_eq!(x.len(), host.len());
        assert!(x.capacity() >= x.len());
        assert_eq!(x.to_vec().unwrap(), host, "step {step}");
        assert_eq!((x.first().unwrap(), x.last().unwrap()), (host.first().copied(), host.last().copied()));
    }
    assert!(host.len() > 5, "the vector stayed short");
}

#[test]
fn changes_are_those_of_a_vec() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        compare(&queue, |i| i as u32);
        compare(&queue, |i| F32x3::from([i as f32, 1.0, 2.0]));
    });
}

#[test]
fn the_spare_capacity_is_not_seen() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = DeviceVec::from_slice(&queue, &[5_u32, 6, 7, 8, 9]).unwrap();
        x.truncate(2);
        assert_eq!((x.len(), x.capacity()), (2, 5));
        assert_eq!(x.to_vec().unwrap(), [5, 6]);
        assert_eq!(x.to_string(), "[5, 6]");
        assert_eq!((x.sum().unwrap(), (&x + 1).collect().unwrap().to_vec().unwrap()), (11, vec![6, 7]));
        assert_eq!(x.try_clone().unwrap().capacity(), 2);
        assert!(x.get(2).is_err() && x.write(1, &[1, 2]).is_err());
        assert_eq!(x.buffer().len(), 2);
        assert_eq!(x.buffer().map(&queue, ..).unwrap().len(), 2);
        // Fills and sorts keep away from what is behind the end.
        x.assign(1).unwrap();
        x.buffer_mut().fill(&queue, 3).unwrap();
        x.sort_descending().unwrap();
        // A computed index, a layout and an index space are held to the length.
        let far = x.iter().gather(iota(1_u32, 2)).collect().unwrap();
        assert!(matches!(far.to_vec(), Err(Error::IndexOutOfRange { .. })));
        let [short, long] = [2, 4].map(|len| ranked::Layout::row_major(&[len]).unwrap());
        let mut y = DeviceVec::filled(&queue, 0_u32, 4).unwrap();
        assert!(ranked::assign("test", (&mut y, long), ranked::load(&x, &long)).is_err());
        assert!(ranked::assign("test", (&mut y, long), ranked::load(&x, &short)).is_err());
        // The elements behind the end are as they were: a buffer with its whole length shows them.
        let mut buffer = x.into_buffer();
        // SAFETY: all elements have been written above.
        unsafe { buffer.set_len(5) }.unwrap();
        assert_eq!(buffer.to_vec(&queue).unwrap(), [3, 3, 7, 8, 9]);
        // SAFETY: as above; this is refused.
        assert!(unsafe { buffer.set_len(6) }.is_err());
        // A buffer keeps its capacity in a vector.
        let mut buffer = Buffer::from_slice(&queue, &[1_u32, 2, 3]).unwrap();
        buffer.truncate(1);
        let x = DeviceVec::<u32>::from_buffer(&queue, buffer).unwrap();
        assert_eq!((x.to_vec().unwrap(), x.capacity()), (vec![1], 3));
    });
}

#[test]
fn growth_is_amortised() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = DeviceVec::with_capacity(&queue, 0).unwrap();
        let mut moves = 0;
        for i in 0..300_u32 {
            let before = x.capacity();
            x.push(i).unwrap();
            moves += usize::from(x.capacity() != before);
            assert!(x.capacity() == before || x.capacity() >= 2 * before);
        }
        assert!(moves <= 10, "{moves}");
        x.reserve(1000).unwrap();
        assert!(x.capacity() >= 1300);
        x.shrink_to_fit().unwrap();
        assert_eq!(x.capacity(), 300);
        assert_eq!(x.to_vec().unwrap(), (0..300).collect::<Vec<u32>>());
        let error = x.reserve(usize::MAX).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        assert_eq!(x.len(), 300);
    });
}

#[test]
fn wrong_changes_are_refused_and_change_nothing() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = DeviceVec::from_slice(&queue, &[1_u32, 2, 3]).unwrap();
        assert!(matches!(x.insert(4, 0), Err(Error::OutOfBounds { .. })));
        assert!(matches!(x.remove(3), Err(Error::OutOfBounds { .. })));
        assert!(x.swap_remove(3).is_err());
        assert!(x.erase(2..4).is_err() && x.drain(4..).is_err() && x.split_off(4).is_err());
        let error = x.extend(7).unwrap_err().to_string();
        assert!(error.contains("take"), "{error}");
        assert!(x.splice(1..2, 7).is_err());
        let other = Queue::on(device).unwrap();
        let mut foreign = DeviceVec::from_slice(&other, &[9_u32]).unwrap();
        assert!(matches!(x.append(&mut foreign), Err(Error::ForeignObject { .. })));
        assert!(matches!(x.splice(1..1, &foreign), Err(Error::ForeignObject { .. })));
        assert!(x.extend(&foreign).is_err());
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3]);
        assert_eq!(foreign.to_vec().unwrap(), [9]);
    });
}

#[test]
fn a_splice_that_fails_loses_no_elements() {
    // SAFETY: it does not compile.
    let wrong = unsafe { RawFunction::<fn(u32) -> u32>::new("wrong", ["a"], "return b;") }.unwrap();
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let y = DeviceVec::filled(&queue, 7_u32, 3).unwrap();
        for capacity in [0, 100] {
            // More elements than before, as many, and fewer; with and without elements behind the range.
            for range in [0..0, 2..2, 2..3, 6..6, 1..4, 3..6, 0..5, 0..6] {
                let mut x = DeviceVec::from_slice(&queue, &[1_u32, 2, 3, 4, 5, 6]).unwrap();
                x.reserve(capacity).unwrap();
                let error = x.splice(range.clone(), wrong.call((&y,))).unwrap_err();
                assert!(matches!(error, Error::Build(_)), "{error}");
                assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4, 5, 6], "{capacity} {range:?}");
            }
        }
    });
}

/// Returns the names of the commands and of the allocations, in alphabetical order, with their numbers.
fn commands(calls: &Calls) -> String {
    let of = |name: &str| name.starts_with("clEnqueue") || name == "clCreateBuffer";
    let all = calls.iter().filter(|(name, _)| of(name));
    let mut all: Vec<String> =
        all.map(|(name, count)| format!("{} {count}", name.replace("clEnqueue", ""))).collect();
    all.sort();
    all.join(", ")
}

#[test]
fn changes_are_few_driver_calls() {
    let counter = exclusive();
    for device in crate::probed::devices() {
        let queue = Queue::on(&device).unwrap();
        let mut x = DeviceVec::filled(&queue, 1_u32, 10).unwrap();
        let y = DeviceVec::filled(&queue, 2_u32, 4).unwrap();
        x.reserve(90).unwrap();
        x.splice(1..1, &y).unwrap(); // makes the scratch memory
        x.truncate(10);
        let mut check = |expected: &str, change: &dyn Fn(&mut DeviceVec<u32>)| {
            let calls = counter.calls_during(|| change(&mut x));
            assert_eq!(commands(&calls), expected);
        };
        check("", &|x| x.truncate(8));
        check("", &|x| x.erase(5..).unwrap());
        check("", &|x| x.reserve(1).unwrap());
        check("WriteBuffer 1", &|x| x.push(1).unwrap());
        check("WriteBuffer 1", &|x| x.extend_from_slice(&[1; 9]).unwrap());
        check("NDRangeKernel 1", &|x| x.extend(&y).unwrap());
        check("FillBuffer 1", &|x| x.resize(30, 3).unwrap());
        check("ReadBuffer 1", &|x| assert_eq!(x.pop().unwrap(), Some(3)));
        check("CopyBuffer 1", &|x| x.erase(1..28).unwrap());
        check("CopyBuffer 2, WriteBuffer 1", &|x| {
            x.resize(2, 0).and_then(|()| x.extend_from_slice(&[4; 6])).and_then(|()| x.erase(2..3)).unwrap();
        });
        check("CopyBuffer 2, WriteBuffer 1", &|x| x.insert(1, 5).unwrap());
        check("CopyBuffer 2, NDRangeKernel 1", &|x| x.splice(1..2, &y).unwrap());
        check("CopyBuffer 1, clCreateBuffer 1", &|x| x.shrink_to_fit().unwrap());
        check("CopyBuffer 2, WriteBuffer 1, clCreateBuffer 1", &|x| x.insert(1, 5).unwrap());
    }
}
