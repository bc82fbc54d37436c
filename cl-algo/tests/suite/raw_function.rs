//! Functions whose body is OpenCL C.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::function::{RawFunction, Slice};
use cl_algo::prelude::*;
use cl_algo::stl::inclusive_scan;
use cl_core::Error;
use cl_test::each_device;

#[test]
fn of_values_slices_and_recorded_values() {
    // SAFETY: the text reads the slice below its length only, and ends.
    let pick = unsafe {
        RawFunction::<fn(u32, Slice<f32>, bool) -> f32>::new(
            "pick",
            ["at", "from", "negated"],
            "const float value = from[at % from_len]; return negated ? -value : value;",
        )
    };
    let pick = pick.unwrap();
    // SAFETY: arithmetic only.
    let add = unsafe { RawFunction::<fn(f32, f32) -> f32>::new("add", ["a", "b"], "return a + b;") }.unwrap();
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in [1, 5, 1000, 4099] {
            let from = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 4.0]).unwrap();
            let at = DeviceVec::from_fn(&queue, len, |i| i as u32).unwrap();
            let picked = pick.call((&at, &from, true)).collect().unwrap().to_vec().unwrap();
            let expected: Vec<f32> = (0..len).map(|i| -[1.0, 2.0, 4.0][i % 3]).collect();
            assert_eq!(picked, expected);
            let sums = at.iter().cast::<f32>().map(|x| add.call((x, 0.5)) * 2.0).collect().unwrap();
            assert_eq!(sums.to_vec().unwrap(), (0..len).map(|i| 2.0 * i as f32 + 1.0).collect::<Vec<_>>());
            // It is an expression like any other: it can be reduced, and another value does not compile a kernel.
            assert_eq!(
                add.call((&at.iter().cast::<f32>(), 1.0)).sum().unwrap(),
                (1..=len).sum::<usize>() as f32
            );
        }
    });
}

/// Tests built-in functions that kernels of this crate never use.
#[test]
fn any_built_in_function_may_be_called() {
    let text = "
        const ushort one = 0x3c00;
        const uint2 turned = shuffle((uint2)(3, 4), (uint2)(1, 0));
        return x * vload_half(0, (const private half *)&one) + turned.x;
    ";
    // SAFETY: the text reads a variable of its own.
    let function = unsafe { RawFunction::<fn(f32) -> f32>::new("rare", ["x"], text) }.unwrap();
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::filled(&queue, 2.5_f32, 3).unwrap();
        assert_eq!(function.call((&x,)).collect().unwrap().to_vec().unwrap(), [6.5; 3]);
    });
}

#[test]
fn mistakes_are_errors() {
    // SAFETY: never run.
    let error = unsafe { RawFunction::<fn(f32) -> f32>::new("f", ["a b"], "return 0;") }.unwrap_err();
    assert!(error.to_string().contains("`a b` is not a name in C"), "{error}");
    // SAFETY: does not compile.
    let wrong = unsafe { RawFunction::<fn(f32) -> f32>::new("wrong", ["a"], "return b;") }.unwrap();
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::filled(&queue, 1.0_f32, 3).unwrap();
        assert!(matches!(wrong.call((&x,)).collect().unwrap_err(), Error::Build(_)));

        // The error names the kernel, the call and the function, also if kernels are compiled together.
        let text = wrong.call((&x,)).collect().unwrap_err().to_string();
        let purpose = "purpose: kernel `assign`, for `collect`, with the function `wrong`\n";
        assert!(text.contains(purpose), "{text}");
        let text = wrong.call((&x,)).sum().unwrap_err().to_string();
        let purpose = "purpose: kernel `reduce`, for `sum`, with the function `wrong`; compiled with FENCE ";
        assert!(text.contains(purpose), "{text}");
        let mut sums = DeviceVec::filled(&queue, 0.0_f32, 3).unwrap();
        let text = inclusive_scan(wrong.call((&x,)), &mut sums).unwrap_err().to_string();
        assert!(text.contains("for `inclusive_scan`, with the function `wrong`; compiled with "), "{text}");
    });
}
