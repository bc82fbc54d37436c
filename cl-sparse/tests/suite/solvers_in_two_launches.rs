//! Solvers on devices with neither a fence among work-groups nor `double`: the devices of the machine, with changed
//! answers.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::solver_systems::{Matrix, download, noise, norm, upload};
use cl_algo::prelude::*;
use cl_core::raw::*;
use cl_sparse::solve::{BiCgStab, Breakdown, Cg, Gmres, SolveError, Tolerance};
use cl_test::forced::{self, system};

/// Answers that the device has OpenCL C 1.2, no extensions and no `double`. All other answers are true.
unsafe extern "system" fn modest_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let bytes: &[u8] = match name {
        CL_DEVICE_OPENCL_C_VERSION => c"OpenCL C 1.2 ".to_bytes_with_nul(),
        CL_DEVICE_EXTENSIONS => c"".to_bytes_with_nul(),
        CL_DEVICE_DOUBLE_FP_CONFIG => &[0; 8],
        CL_DEVICE_OPENCL_C_ALL_VERSIONS | CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => return CL_INVALID_VALUE,
        // SAFETY: the caller's arguments, unchanged.
        _ => return unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) },
    };
    // SAFETY: the caller's pointers.
    unsafe { forced::answer(bytes, size, value, size_ret) }
}

#[test]
fn sums_take_a_launch_more() {
    let functions = Functions { clGetDeviceInfo: modest_info, ..*system() };
    // SAFETY: one function behaves as described above, which OpenCL allows; the others are the system's.
    let devices = unsafe { forced::devices(functions) };
    assert!(!devices.is_empty());
    for device in devices {
        let queue = Queue::on(&device).unwrap();
        let profile = cl_algo::DeviceProfile::of(&device).unwrap();
        assert!(profile.fence.is_none() && !profile.fp64);
        // One work-group, and several.
        for n in [5, 5000] {
            let b = upload::<f32>(&queue, &noise(n));
            let start = || upload::<f32>(&queue, &vec![0.0; n]);
            let (symmetric, unsymmetric) = (Matrix::symmetric(n), Matrix::unsymmetric(n));
            let mut x = start();
            Cg::new().solve(&symmetric.operator(&queue), &b, &mut x).unwrap();
            let small = 2e-5 * norm(&download(&b));
            assert!(symmetric.residual(&download(&x), &download(&b)) < small);
            let a = unsymmetric.operator(&queue);
            let (mut y, mut z) = (start(), start());
            BiCgStab::new().solve(&a, &b, &mut y).unwrap();
            assert!(unsymmetric.residual(&download(&y), &download(&b)) < small);
            let report = Gmres::new().restart(6).history(true).solve(&a, &b, &mut z).unwrap();
            assert!(unsymmetric.residual(&download(&z), &download(&b)) < small);
            assert!((report.history[0] - norm(&download(&b))).abs() < 1e-3);
        }
        // Squares of `float` overflow sooner, and solvers detect it.
        let (a, mut x) = (Matrix::symmetric(9).operator::<f32>(&queue), upload::<f32>(&queue, &[0.0; 9]));
        let error = Cg::new().solve(&a, 1e30_f32, &mut x).unwrap_err();
        assert!(matches!(error, SolveError::NotFinite(_)), "{error}");
        for (b, relative) in [(1e-30_f32, 1e-5), (1e-15, 1e-5)] {
            let mut cg = Cg::new().tolerance(Tolerance::Relative(relative));
            let error = cg.solve(&a, b, &mut x).unwrap_err();
            assert!(matches!(error, SolveError::Breakdown { what: Breakdown::Threshold, .. }), "{error}");
        }
        assert_eq!(x.to_vec().unwrap(), [0.0; 9]);
    }
}
