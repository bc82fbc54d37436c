//! Tests of kernels with 64-bit indices on short vectors. Otherwise only vectors of 2^31 elements get such kernels.

use super::{assign, reduce};
use crate::vec::DeviceVec;
use cl_core::Queue;

/// The smallest length for which kernels get 64-bit indices.
const WIDE: usize = 1 << 31;

#[test]
fn indices_have_64_bits_where_32_might_not_do() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in [1, 1000, 4097, 20_003] {
            let host: Vec<u32> = (0..len as u32).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let mut out = DeviceVec::filled(&queue, 0_u32, len).unwrap();
            let tripled: Vec<u32> = host.iter().map(|x| 3 * x).collect();

            let fused = assign::fused("assign", &mut out, &x * 3);
            assert!(
                !fused.by(assign::by_work(&fused), ()).compile(&queue, WIDE - 1).unwrap().compiled.wide_index
            );
            let wide = fused.by(assign::by_work(&fused), ()).compile(&queue, WIDE).unwrap();
            assert!(wide.compiled.wide_index);
            let shape = wide.shape();
            let own = [wide.index(len)];
            // SAFETY: `out` has as many elements as are computed.
            unsafe { wide.launch(&own, shape.groups(len), shape.group).unwrap() };
            drop(wide);
            drop(fused);
            assert_eq!(out.to_vec().unwrap(), tripled);

            let mut sum = DeviceVec::filled(&queue, 0_u32, 1).unwrap();
            let reduction = reduce::sum_into(&x * 3, &mut sum).unwrap();
            reduction.enqueue_for(WIDE).unwrap();
            let total = sum.to_vec().unwrap()[0];
            assert_eq!(total, tripled.iter().sum::<u32>());
        }
    });
}
