//! The driver calls of random numbers.
#![allow(clippy::unwrap_used)]

use cl_algo::prelude::*;
use cl_random::*;
use cl_test::counting::{Calls, Exclusive, devices, exclusive};

/// Checks the calls of a second run, when kernels and memory exist: `wanted` launches, and no call that
/// allocates, compiles, reads or waits.
fn launches(counter: &Exclusive, wanted: u64, mut run: impl FnMut()) {
    run();
    let calls = counter.calls_during(run);
    assert_eq!(calls.get("clEnqueueNDRangeKernel").copied().unwrap_or(0), wanted, "{calls:?}");
    for absent in ["clCreateBuffer", "clCreateKernel", "clBuildProgram", "clFinish", "clEnqueueReadBuffer"] {
        assert!(!calls.contains_key(absent), "{calls:?}");
    }
}

#[test]
fn fills_are_one_launch() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let engine: Philox4x32 = Philox4x32::new(1);
        let (mut few, mut many) = (
            DeviceVec::filled(&queue, 0.0_f32, 1001).unwrap(),
            DeviceVec::filled(&queue, 0.0_f32, 1 << 17).unwrap(),
        );
        let (uniform, normal) = (engine.uniform::<f32>(), engine.normal::<f32>());
        launches(&counter, 1, || uniform.clone().fill(&mut few).unwrap());
        launches(&counter, 1, || uniform.skip(3).fill(&mut few).unwrap());
        launches(&counter, 1, || normal.skip(8).fill(&mut many).unwrap());
        // Three values are left of a block; whole blocks follow.
        launches(&counter, 2, || normal.skip(1).fill(&mut many).unwrap());

        let discrete = Discrete::new(&queue, &[1.0, 2.0]).unwrap();
        let mut indices = DeviceVec::filled(&queue, 0_u32, 1001).unwrap();
        launches(&counter, 1, || discrete.draws(&engine).skip(1).fill(&mut indices).unwrap());

        // Sequences that continue, with existing kernels: engines and positions are arguments.
        let mut draws = uniform;
        let calls = counter.calls_during(|| (0..10).for_each(|_| draws.fill(&mut few).unwrap()));
        assert_eq!(calls["clEnqueueNDRangeKernel"], 10);
        let other = Philox4x32::<10>::new(u64::MAX).stream(7).uniform::<f32>().skip(1 << 40);
        let calls = counter.calls_during(|| other.clone().fill(&mut few).unwrap());
        assert!(!calls.contains_key("clCreateKernel"), "{calls:?}");
        // The release of a busy queue may wait in the background, and would count in the next test.
        queue.finish().unwrap();
    }
}

#[test]
fn making_sequences_and_mistakes_calls_nobody() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let mut nothing = DeviceVec::from_slice(&queue, &[] as &[f32]).unwrap();
        let mut no_keys = DeviceVec::from_slice(&queue, &[] as &[u32]).unwrap();
        let discrete = Discrete::new(&queue, &[1.0, 2.0]).unwrap();
        let calls = counter.calls_during(|| {
            let engine: Threefry4x64 = Threefry4x64::new(1);
            let mut normal = engine.stream(3).substream(1 << 50).normal::<f32>().skip(1 << 60);
            drop(normal.draw(1 << 30) * 2.0 + engine.draws(Poisson::new(3.0).unwrap()).take(1 << 30).cast());
            drop((
                normal.pairs(5),
                discrete.draws(&engine).take(7),
                Permutation::new(1 << 40, &engine).iter(),
            ));
            let on_host = (normal.get(7), normal.iter().nth(3), discrete.draws(&engine).get(8));
            assert_eq!(on_host.1, Some(normal.get(3)));
            normal.fill(&mut nothing).unwrap();
            discrete.draws(&engine).fill(&mut no_keys).unwrap();
            shuffle(&mut no_keys, &engine).unwrap();
            assert!(normal.take(0).collect_on(&queue).unwrap().is_empty());
            assert!(permutation(&queue, 0, &engine).unwrap().is_empty());

            Discrete::new(&queue, &[]).unwrap_err();
            Discrete::new(&queue, &[0.0, 0.0]).unwrap_err();
            Discrete::new(&queue, &[1.0, -1.0]).unwrap_err();
            Discrete::new(&queue, &[1.0, f64::NAN]).unwrap_err();
        });
        assert_eq!(calls, Calls::new());
        // More than the device's memory: only its limits are queried.
        let calls = counter.calls_during(|| {
            let many = Philox4x32::<10>::new(1).normal::<f32>();
            many.take(usize::MAX).collect_on(&queue).unwrap_err();
            many.pairs(usize::MAX).collect_on(&queue).unwrap_err();
        });
        assert!(calls.keys().all(|name| name.ends_with("Info")), "{calls:?}");
    }
}
