//! Algorithms write nothing to the user's standard error, and do not let drivers' compilers do it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::stl::{
    copy_if, equal, inclusive_scan, is_sorted, lower_bound, merge, mismatch, sort, sort_by, transform_reduce,
};

/// Tells [`child`] to work.
const CHILD: &str = "CL_ALGO_QUIET_TEST";

/// Runs in a process of its own, whose standard error is looked at.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_fn(&queue, 10_000, |i| (i * 7919 % 10_007) as f32).unwrap();
        let mut y = (2.0 * &x + 1.0).collect().unwrap();
        assert!(x.iter().reduce_min().unwrap().is_some() && x.iter().reduce_minmax().unwrap().is_some());
        assert!(x.iter().min_element().unwrap().is_some() && x.sum().unwrap() > 0.0);
        assert!(!equal(&x, &y).unwrap() && mismatch(&x, &y).unwrap() == Some(0) && !is_sorted(&x).unwrap());
        let pair = transform_reduce(&x, (0.0_f32, 0.0_f32), |(a, b), (c, d)| (a + c, b.max(d)), |x| (x, x));
        assert!(pair.unwrap().1 > 0.0);
        inclusive_scan(&x, &mut y).unwrap();
        assert!(copy_if(&x, |x| x.gt(5.0), &mut y).unwrap().get().unwrap() > 0);
        sort(&mut y).unwrap();
        let mut z = x.iter().collect().unwrap();
        sort_by(&mut z, Val::lt).unwrap();
        let mut both = DeviceVec::filled(&queue, 0.0_f32, 20_000).unwrap();
        merge(&y, &z, &mut both).unwrap();
        assert!(lower_bound(&both, 5.0).unwrap() > 0);
    });
}

#[test]
fn nothing_is_written_to_standard_error() {
    cl_test::known_faults::each_device("quiet::nothing_is_written_to_standard_error", |device| {
        let empty = std::env::temp_dir().join(format!("cl-algo-quiet-{}", std::process::id()));
        std::fs::create_dir_all(&empty).unwrap();
        // What a child prints is looked at on its standard error only.
        let mut command = cl_test::child(child);
        command.env(CHILD, "1").env("CL_TEST_DEVICE", device.to_string());
        let output = command.env("CL_CACHE", "off").env("POCL_CACHE_DIR", &empty).output().unwrap();
        let _ = std::fs::remove_dir_all(&empty);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    });
}
