//! Conjugates and absolute values of elements, on the host and on devices.

use cl_core::Queue;
use cl_linalg::prelude::*;
use num_complex::Complex;

#[test]
fn conjugates_are_those_of_the_host() {
    let z = [Complex::new(3.0_f32, 4.0), Complex::new(-1.0, 0.5)];
    assert_eq!(z[0].magnitude(), 5.0);
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let a = Array::from_slice(&queue, [2], &z).unwrap();
        let conjugates = Scalar::conjugates(a.iter()).to_vec().unwrap();
        assert_eq!(conjugates, z.map(Scalar::conjugate));
        let b = Array::from_slice(&queue, [2], &[3.0_f32, -4.0]).unwrap();
        assert_eq!(<f32 as Scalar>::conjugates(b.iter()).to_vec().unwrap(), [3.0, -4.0]);
    });
}
