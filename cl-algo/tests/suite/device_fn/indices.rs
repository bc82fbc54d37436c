//! Indices out of bounds: the last item is read, nothing is written, and the next call that waits returns an error.

use cl_algo::{DeviceVec, device_fn};
use cl_core::{Error, Queue};
use cl_test::each_device;

#[device_fn]
fn read(at: i32, table: &[u32]) -> u32 {
    table[at as usize]
}

#[device_fn]
fn truth(at: u32, table: &[bool]) -> bool {
    table[at as usize]
}

/// Writes to the middle one of three arrays; returns their sums as digits.
#[device_fn]
fn write(at: u32) -> u32 {
    let low = [1; 4];
    let mut middle = [2; 4];
    let high = [3; 4];
    middle[at as usize] = 50;
    middle[at as usize] += 5;
    let sum = middle[0] + middle[1] + middle[2] + middle[3];
    low[0] + low[1] + low[2] + low[3] + 100 * sum + 10_000 * (high[0] + high[1] + high[2] + high[3])
}

#[device_fn]
fn read_array(at: u64) -> u32 {
    let table = [10, 20, 30];
    table[at as usize]
}

#[device_fn]
fn constant_indices(x: u32) -> u32 {
    let table = [x, 20, 30];
    table[0] + table[2]
}

/// Reads an item through a call.
#[device_fn]
fn read_by_call(at: i32, table: &[u32]) -> u32 {
    read(at, table) + table.len() as u32
}

fn assert_fault<T: cl_algo::Element>(vector: &DeviceVec<T>, index: u64, bound: u64, operation: &str) {
    match vector.to_vec() {
        Err(error @ Error::IndexOutOfRange { .. }) => {
            let Error::IndexOutOfRange { operation: told, index: at, bound: of, .. } = error.clone() else {
                return;
            };
            assert_eq!((at, of), (index, bound));
            assert!(told.contains(operation), "{error}");
        }
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("no error"),
    }
    assert!(vector.to_vec().is_ok(), "an offence is told once");
}

#[test]
fn slices_are_read_within_their_bounds() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let table = DeviceVec::from_slice(queue, &[7_u32, 8, 9]).unwrap();
        let good = DeviceVec::from_slice(queue, &[2, 1, 0]).unwrap();
        let values = read(&good, &table).collect().unwrap();
        assert_eq!(values.to_vec().unwrap(), [9, 8, 7]);
        for bad in [3, -1, i32::MIN, i32::MAX] {
            let at = DeviceVec::from_slice(queue, &[0, bad, 1]).unwrap();
            let values = read(&at, &table).collect().unwrap();
            assert_fault(&values, i64::from(bad) as u64, 3, "slice");
            assert_eq!(values.to_vec().unwrap(), [7, 9, 8]);
            let values = read_by_call(&at, &table).collect().unwrap();
            assert_fault(&values, i64::from(bad) as u64, 3, "slice");
            assert_eq!(values.to_vec().unwrap(), [10, 12, 11]);
        }
    });
}

#[test]
fn an_empty_slice_is_refused_before_the_launch() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let table = DeviceVec::<u32>::from_slice(queue, &[]).unwrap();
        let at = DeviceVec::from_slice(queue, &[0, 5]).unwrap();
        let error = read(&at, &table).collect().expect_err("there is nothing to read");
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        assert!(error.to_string().contains("empty"), "{error}");
    });
}

#[test]
fn slices_of_truths() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let table = DeviceVec::from_slice(queue, &[true, false, true]).unwrap();
        let at = DeviceVec::from_slice(queue, &[0, 1, 2, 1]).unwrap();
        let values = truth(&at, &table).collect().unwrap();
        assert_eq!(values.to_vec().unwrap(), [true, false, true, false]);
    });
}

#[test]
fn arrays_are_read_and_written_within_their_bounds() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for bad in [4, 5, u32::MAX] {
            let at = DeviceVec::from_slice(queue, &[1, bad]).unwrap();
            let sums = write(&at).collect().unwrap();
            assert_fault(&sums, u64::from(bad), 4, "array");
            assert_eq!(sums.to_vec().unwrap(), [126_104, 120_804]);
        }
        let at = DeviceVec::from_slice(queue, &[1_u64, u64::MAX]).unwrap();
        let values = read_array(&at).collect().unwrap();
        assert_fault(&values, u64::MAX, 3, "array");
        assert_eq!(values.to_vec().unwrap(), [20, 30]);
    });
}

/// Checks that constant indices, which the compiler can check, cost nothing at run time.
#[test]
fn constant_indices_are_not_checked() {
    use cl_algo::function::probe::DeviceFunction;
    assert!(!constant_indices::function().unwrap().checks_indices());
    assert!(read_by_call::function().unwrap().checks_indices());
}
