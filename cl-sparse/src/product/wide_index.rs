//! Kernels with indices of 64 bits, which otherwise only very large matrices have.
#![allow(clippy::unwrap_used)]

use crate::plan::Kernel;
use crate::{Csr, HostCsr, generate};
use cl_algo::{DeviceVec, iota};
use cl_core::Queue;

#[test]
fn wide_indices() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: HostCsr<i32> =
            generate::banded(700, 900, 5, 90, |row, column| (row * column % 7) as i32).unwrap();
        let x: Vec<i32> = (0..900).map(|i| i % 11 - 5).collect();
        let wanted: Vec<i32> =
            host.multiply(&x).unwrap().iter().zip(0..).map(|(product, i)| i - product).collect();
        let x = DeviceVec::from_slice(queue, &x).unwrap();
        for kernel in [
            Kernel::Chunks { chunks: 3 },
            Kernel::Staged { group: 64, per: 5 },
            Kernel::Lanes { group: 64, lanes: 8 },
            Kernel::Merge { group: 64, per: 7 },
        ] {
            let narrow = Csr::new(queue, &host).unwrap().with_kernel(kernel).unwrap();
            let wide = Csr::new(queue, &host).unwrap().with_kernel(kernel).unwrap().wide();
            for a in [narrow, wide] {
                let product = (iota(0, 700) - &a * &x).collect().unwrap().to_vec().unwrap();
                assert_eq!(product, wanted, "{kernel:?}");
            }
        }
    });
}
