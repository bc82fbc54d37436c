//! Conversions from and to matrices of nalgebra and faer.

use cl_array::prelude::*;
use cl_test::each_device;
use faer::{Mat, MatRef};
use nalgebra::{DMatrix, Dim, Matrix, RawStorage};

fn same_nalgebra<R: Dim, C: Dim>(queue: &Queue, host: &Matrix<i32, R, C, impl RawStorage<i32, R, C>>) {
    let (rows, columns) = host.shape();
    let a = Array::from_nalgebra(queue, host).unwrap();
    assert_eq!(a.shape(), [rows, columns]);
    assert_eq!(a.as_vec().to_vec().unwrap(), host.iter().copied().collect::<Vec<_>>());
    let own = DMatrix::from_iterator(rows, columns, host.iter().copied());
    assert_eq!(a.to_nalgebra().unwrap(), own);
    assert_eq!(a.view().to_nalgebra().unwrap(), own);
    assert_eq!(a.t().to_nalgebra().unwrap(), own.transpose());
    // The same matrix in the order of rows.
    assert_eq!(a.iter().collect().unwrap().to_nalgebra().unwrap(), own);
}

#[test]
fn nalgebra_matrices() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = DMatrix::from_fn(5, 4, |row, column| (10 * row + column) as i32);
        same_nalgebra(queue, &host);
        same_nalgebra(queue, &host.columns(1, 2)); // without gaps
        same_nalgebra(queue, &host.view((1, 0), (3, 2))); // with gaps
        same_nalgebra(queue, &host.rows_with_step(0, 2, 1));
        same_nalgebra(queue, &host.row(2));
        same_nalgebra(queue, &nalgebra::Vector3::new(7, 8, 9));
        same_nalgebra(queue, &DMatrix::<i32>::zeros(0, 3));
        same_nalgebra(queue, &DMatrix::<i32>::zeros(1, 1));
    });
}

fn same_faer(queue: &Queue, host: MatRef<'_, f32>) {
    let a = Array::from_faer(queue, host).unwrap();
    assert_eq!(a.shape(), [host.nrows(), host.ncols()]);
    let rows: Vec<f32> =
        (0..host.nrows()).flat_map(|row| (0..host.ncols()).map(move |column| host[(row, column)])).collect();
    assert_eq!(a.to_vec().unwrap(), rows);
    assert_eq!(a.to_faer().unwrap().as_ref(), host);
    assert_eq!(a.t().to_faer().unwrap().as_ref(), host.transpose());
    assert_eq!(a.iter().collect().unwrap().to_faer().unwrap().as_ref(), host);
}

#[test]
fn faer_matrices() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = Mat::from_fn(5, 4, |row, column| (10 * row + column) as f32);
        same_faer(queue, host.as_ref());
        same_faer(queue, host.transpose());
        same_faer(queue, host.as_ref().submatrix(1, 1, 3, 2));
        same_faer(queue, host.as_ref().reverse_rows());
        same_faer(queue, Mat::<f32>::zeros(0, 3).as_ref());
        same_faer(queue, Mat::<f32>::zeros(2, 0).as_ref());
        let whole = Array::from_faer(queue, Mat::from_fn(2, 2, |i, j| i == j).as_ref()).unwrap();
        assert_eq!(whole.to_vec().unwrap(), [true, false, false, true]);
    });
}

#[test]
fn errors_are_returned() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [2, 2], 1.0_f32).unwrap();
        let wrong = a.slice(s![..3, ..]);
        assert!(wrong.to_nalgebra().unwrap_err().to_string().contains("[2, 2]"));
        assert!(wrong.to_faer().is_err());
    });
}
