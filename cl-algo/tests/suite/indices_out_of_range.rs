//! Out-of-range indices: whatever indices data choose, nothing outside the vectors is read or written, and the next
//! call that waits returns operation, index and bound.
//!
//! The vectors here lie in the middle of larger buffers, between canaries: values that must never be read, and never
//! change.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_core::raw::{CL_SUCCESS, clRetainMemObject};
use cl_core::{Buffer, Error};
use cl_test::each_device;

/// The number of elements on either side of a guarded vector: a multiple of every alignment.
const GUARD: usize = 4096;

/// A vector whose elements lie between canaries in one buffer.
struct Guarded {
    all: Buffer<f64>,
    vector: DeviceVec<f64>,
}

const CANARY: f64 = -777.25;

impl Guarded {
    fn new(queue: &Queue, values: &[f64]) -> Guarded {
        let mut content = vec![CANARY; GUARD];
        content.extend_from_slice(values);
        content.resize(content.len() + GUARD, CANARY);
        let mut all = Buffer::from_slice(queue, &content).unwrap();
        let part = all.sub_buffer_mut(GUARD..GUARD + values.len()).unwrap();
        let raw = part.memory().as_raw();
        // SAFETY: the handle is alive, and the new reference belongs to the buffer made from it. The tests use the
        // whole buffer only after waiting for commands on the part.
        let part = unsafe {
            assert_eq!(clRetainMemObject(raw), CL_SUCCESS);
            Buffer::from_raw(queue.context(), raw).unwrap()
        };
        let mut vector = DeviceVec::filled(queue, 0.0, values.len()).unwrap();
        *vector.buffer_mut() = part;
        Guarded { all, vector }
    }

    /// Asserts that all canaries are unchanged, and returns the values between them.
    fn check(&self) -> Vec<f64> {
        let all = self.all.to_vec(self.vector.queue()).unwrap();
        let (before, rest) = all.split_at(GUARD);
        let (values, after) = rest.split_at(self.vector.len());
        assert!(before.iter().chain(after).all(|&value| value == CANARY), "a canary died");
        values.to_vec()
    }
}

/// Runs a test on devices that have `f64`.
fn each_double_device(test: impl Fn(&Queue)) {
    each_device(|device| {
        if device.has_fp64().unwrap() {
            test(&Queue::on(device).unwrap());
        }
    });
}

#[test]
fn what_is_negative_is_shown_so() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1, 2, 3]).unwrap();
        for (index, text) in [(-7_i64, "index -7 is"), (i64::MAX, "index 9223372036854775807 is")] {
            let by = DeviceVec::from_slice(&queue, &[index]).unwrap();
            let error = x.iter().gather(&by).collect().unwrap().to_vec().unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
            assert!(matches!(error, Error::IndexOutOfRange { index: got, .. } if got == index as u64));
        }
    });
}

/// Returns indices around both ends of a vector, and far away.
fn indices(len: i64) -> Vec<i64> {
    let far = [i64::MIN, i64::MAX, 1 << 31, 1 << 32, (1 << 32) + 1, -(1 << 32), 1 << 61, (1 << 61) + 1];
    (-(GUARD as i64)..len + GUARD as i64).chain(far).collect()
}

fn values(len: usize) -> Vec<f64> {
    (0..len).map(|i| i as f64 + 0.5).collect()
}

/// Asserts that the next call that waits returns an out-of-range index, and the one after it no error. Returns the
/// index.
fn assert_told(queue: &Queue, operation: &str, bound: usize) -> u64 {
    match queue.finish() {
        Err(Error::IndexOutOfRange { operation: told, index, bound: of, .. }) => {
            assert_eq!((told, of), (operation, bound as u64));
            assert!(index >= of, "{index} is below {of}");
            queue.finish().unwrap();
            index
        }
        other => panic!("no index out of range is told: {other:?}"),
    }
}

const LENGTHS: [usize; 4] = [1, 3, 100, 5000];

#[test]
fn canaries_see_who_comes_by() {
    each_double_device(|queue| {
        let mut guarded = Guarded::new(queue, &values(3));
        guarded.vector.assign(5.0).unwrap();
        queue.finish().unwrap();
        assert_eq!(guarded.check(), [5.0; 3]);
        // The part and the whole are the same memory.
        guarded.all.slice_mut(GUARD - 1..=GUARD).unwrap().fill(queue, 6.0).unwrap();
        assert_eq!(guarded.vector.to_vec().unwrap(), [6.0, 5.0, 5.0]);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| guarded.check())).is_err());
    });
}

#[test]
fn gather() {
    each_double_device(|queue| {
        for len in LENGTHS {
            let host = values(len);
            let guarded = Guarded::new(queue, &host);
            let at = indices(len as i64);
            let by = DeviceVec::from_slice(queue, &at).unwrap();
            let gathered = guarded.vector.iter().gather(&by).collect().unwrap();
            let index = assert_told(queue, "gather", len);
            assert!(at.contains(&(index as i64)));
            for (at, value) in at.iter().zip(gathered.to_vec().unwrap()) {
                let expected =
                    usize::try_from(*at).ok().and_then(|at| host.get(at)).unwrap_or(&host[len - 1]);
                assert_eq!(value, *expected, "{at} of {len}");
            }
            assert_eq!(guarded.check(), host);
        }
    });
}

#[test]
fn scatter() {
    each_double_device(|queue| {
        for len in LENGTHS {
            let mut guarded = Guarded::new(queue, &values(len));
            let at = indices(len as i64);
            let by = DeviceVec::from_slice(queue, &at).unwrap();
            assign(guarded.vector.scatter_mut(&by), by.iter().cast::<f64>()).unwrap();
            let index = assert_told(queue, "scatter", len);
            assert!(at.contains(&(index as i64)));
            assert_eq!(guarded.check(), (0..len).map(|i| i as f64).collect::<Vec<_>>());
        }
    });
}

/// Returns the acceleration of body `i` by all bodies, along a line.
#[device_fn]
fn acceleration(i: i64, x: &[f64], mass: &[f64]) -> f64 {
    let i = i as usize;
    let mut sum = 0.0;
    for j in 0..x.len() {
        let d = x[j] - x[i];
        sum += mass[j] * d / (d * d + 0.125);
    }
    sum
}

#[test]
fn bodies_that_are_not_there() {
    each_double_device(|queue| {
        for len in [1, 3, 100] {
            let (host, masses) = (values(len), vec![0.5; len]);
            let x = Guarded::new(queue, &host);
            let mass = Guarded::new(queue, &masses);
            let mut result = Guarded::new(queue, &vec![0.0; 2 * len + 1]);
            // From -len to len: the first half is out of range.
            let bodies = DeviceVec::from_fn(queue, 2 * len + 1, |i| i as i64 - len as i64).unwrap();
            result.vector.assign(acceleration(&bodies, &x.vector, &mass.vector)).unwrap();
            let index = assert_told(queue, "slice of a device function", len) as i64;
            assert!((-(len as i64)..0).contains(&index) || index == len as i64, "{index} of {len}");
            let expected: Vec<f64> = (-(len as i64)..=len as i64)
                .map(|i| if (0..len as i64).contains(&i) { i } else { len as i64 - 1 })
                .map(|i| acceleration(i, &host, &masses))
                .collect();
            assert_eq!(result.check(), expected);
            assert_eq!(x.check(), host);
            assert_eq!(mass.check(), masses);
        }
    });
}

/// Tests slices of different lengths: a mass is missing, and the function counts the positions.
#[test]
fn slices_of_different_lengths() {
    each_double_device(|queue| {
        let x = Guarded::new(queue, &values(100));
        let mass = Guarded::new(queue, &[0.5; 99]);
        let y = acceleration(iota(0_i64, 100), &x.vector, &mass.vector).collect().unwrap();
        assert_eq!(assert_told(queue, "slice of a device function", 99), 99);
        let (host, masses) = (values(100), vec![0.5; 100]);
        let expected: Vec<f64> = (0..100).map(|i| acceleration(i, &host, &masses)).collect();
        assert_eq!(y.to_vec().unwrap(), expected);
        mass.check();
    });
}
