//! Inputs and outputs of templates that are vectors in memory (`LOAD_FROM`, `STORE_TO`), and others.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::codegen::{Definition, Fused, Template};
use cl_algo::prelude::*;

static COPY: Template = Template {
    kernel: "copy",
    definition: &Definition::new(
        "kernel void copy(PARAMETERS OUTPUTS const uint count) { STORE(0, LOAD(0)); RETURN; }",
    ),
    shape: |profile, size, ()| profile.elementwise(size),
};

#[test]
fn pointers_are_given_for_whole_vectors_only() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let mut y = DeviceVec::filled(&queue, 0.0_f32, 3).unwrap();
        let (from, to) = ("#define LOAD_FROM x0\n", "#define STORE_TO out0\n");

        let whole = Fused::new("copy").input("", &x).output::<f32>("", "", &mut y);
        assert_eq!(whole.room(), Some(3));
        let source = whole.by(&COPY, ()).source(device).unwrap();
        assert!(source.contains(from) && source.contains(to), "{source}");

        for input in [&x + 1.0, x.slice(1..), x.iter().rev(), x.reinterpret::<u32>().cast()] {
            let copy = Fused::new("copy").input("", input).output::<f32>("", "", &mut y);
            let source = copy.by(&COPY, ()).source(device).unwrap();
            assert!(!source.contains("LOAD_FROM") && source.contains(to), "{source}");
        }
        let part = Fused::new("copy").input("", &x).output::<f32>("", "", y.slice_mut(1..));
        assert_eq!(part.room(), Some(2));
        assert!(!part.by(&COPY, ()).source(device).unwrap().contains("STORE_TO"));
        let sink = mapped(&mut y, |value: Val<f32>| value * 2.0);
        let changed = Fused::new("copy").input("", &x).output::<f32>("", "", sink);
        assert!(!changed.by(&COPY, ()).source(device).unwrap().contains("STORE_TO"));
        assert_eq!(Fused::new("copy").input("", &x).output::<f32>("", "", Discard).room(), None);
        assert!(Fused::new("copy").input("", x.slice(1..9)).check().is_err());
    });
}
