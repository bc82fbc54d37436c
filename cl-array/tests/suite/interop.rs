//! Conversions from and to arrays of the crate ndarray.

use cl_array::prelude::*;
use cl_test::each_device;
use ndarray::{ArrayView as HostView, Axis, Dim, Dimension, ShapeBuilder, Slice};

/// Converts an array of this shape, and views of it, and converts the results back.
fn check<const N: usize>(queue: &Queue, shape: [usize; N])
where
    Dim<[usize; N]>: Dimension,
{
    let mut dim = Dim::<[usize; N]>::zeros(N);
    dim.slice_mut().copy_from_slice(&shape);
    let values: Vec<i32> = (0..dim.size() as i32).map(|i| i * 7 % 101).collect();
    let rows = ndarray::Array::from_shape_vec(dim, values.clone()).unwrap();
    let columns = ndarray::Array::from_shape_vec(dim.f(), values.clone()).unwrap();
    for host in [rows.view(), rows.t(), columns.view()] {
        same(queue, host);
    }
    for axis in 0..N {
        let slice = |step| rows.slice_axis(Axis(axis), Slice::new(0, None, step));
        same(queue, slice(2));
        same(queue, slice(-1));
    }
    // On the device, too, memory has another order than coordinates.
    let vector = DeviceVec::from_slice(queue, &values).unwrap();
    let a = Array::column_major(vector, shape).unwrap();
    assert_eq!(a.to_ndarray().unwrap(), columns);
    assert_eq!(a.t().to_ndarray().unwrap(), columns.t());
}

fn same<const N: usize>(queue: &Queue, host: HostView<'_, i32, Dim<[usize; N]>>)
where
    Dim<[usize; N]>: Dimension,
{
    let a = Array::from_ndarray(queue, &host).unwrap();
    assert_eq!(&a.shape()[..], host.shape());
    assert_eq!(a.to_vec().unwrap(), host.iter().copied().collect::<Vec<_>>());
    let back = a.to_ndarray().unwrap();
    assert!(back.is_standard_layout());
    assert_eq!(back, host);
    assert_eq!(a.t().to_ndarray().unwrap(), host.t());
}

#[test]
fn every_rank() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        check(queue, []);
        check(queue, [0]);
        check(queue, [9]);
        check(queue, [3, 4]);
        check(queue, [3, 0]);
        check(queue, [4, 3, 2]);
        check(queue, [2, 3, 1, 4]);
        check(queue, [2, 1, 3, 2, 3]);
        check(queue, [2, 3, 1, 2, 2, 3]);
    });
}

#[test]
fn each_kind_of_array() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut host = ndarray::array![[true, false], [false, false]];
        let row = ndarray::arr1(&[1.5_f64, 2.5]);
        assert_eq!(Array::from_ndarray(queue, &host.view_mut()).unwrap().to_ndarray().unwrap(), host);
        assert_eq!(Array::from_ndarray(queue, &host.to_shared()).unwrap().to_ndarray().unwrap(), host);
        let repeated = row.broadcast([3, 2]).unwrap();
        let a = Array::from_ndarray(queue, &repeated).unwrap();
        assert_eq!(a.to_ndarray().unwrap(), repeated);
        let dynamic = host.clone().into_dyn().into_dimensionality::<ndarray::Ix2>().unwrap();
        assert_eq!(
            Array::from_ndarray(queue, &dynamic).unwrap().to_vec().unwrap(),
            [true, false, false, false]
        );
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_ndarray(queue, &ndarray::arr2(&[[1, 2], [3, 4]])).unwrap();
        let message = a.slice(s![2, ..]).to_ndarray().unwrap_err().to_string();
        assert!(message.contains("[2, 2]"), "{message}");
    });
}
