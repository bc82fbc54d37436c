//! The parameters of a template are macros of the kernel, and errors name them.

use cl_algo::codegen::{Definition, Fused, Parameters, Ready, Template};
use cl_algo::prelude::*;
use cl_core::{Arg, Error, Status};
use cl_test::{each_device, faults};

#[derive(Clone, Copy, Parameters)]
struct Tile {
    rows: usize,
    transposed: bool,
    order: Order,
    bounds: [Bounds; 2],
    /// The largest item that is stored.
    limit: Option<usize>,
}

#[derive(Clone, Copy, Parameters)]
enum Order {
    Ascending = 3,
    Descending,
}

#[derive(Clone, Copy, Parameters)]
struct Bounds {
    from: u32,
    steps: [u8; 2],
}

const TILE: Tile = Tile {
    rows: 8,
    transposed: true,
    order: Order::Descending,
    bounds: [Bounds { from: 5, steps: [1, 2] }, Bounds { from: 6, steps: [3, 4] }],
    limit: None,
};

const MACROS: &str =
    "ROWS 8, TRANSPOSED 1, ORDER 4, FROM0 5, STEPS0 1, STEPS1 2, FROM1 6, STEPS2 3, STEPS3 4, LIMIT -1";

/// A kernel that stores its macros.
static STORED: Template<Tile> = Template {
    kernel: "stored",
    definition: &Definition::new(
        "kernel void stored(PARAMETERS OUTPUTS const uint count) {
               const int values[10] = {
                   ROWS, TRANSPOSED, ORDER, FROM0, STEPS0, STEPS1, FROM1, STEPS2, STEPS3, LIMIT
               };
               const uint i = get_global_id(0);
               if (i < count)
                   STORE(i, LOAD(i) + values[i]);
               RETURN;
           }",
    ),
    shape: |profile, size, _| profile.elementwise(size),
};

/// A kernel that does not compile.
static WRONG: Template<Tile> = Template {
    kernel: "wrong",
    definition: &Definition::new(
        "kernel void wrong(PARAMETERS OUTPUTS const uint count) { STORE(0, LOAD(0) + UNKNOWN); }",
    ),
    ..STORED
};

/// Returns the text of an error of launching one work-group of this size.
fn refused(ready: &Ready<'_, '_>, group: usize) -> Option<String> {
    // SAFETY: the kernel reads and writes ten elements at most.
    let launched = unsafe { ready.launch(&[Arg::value(10_u32)], 1, group) };
    launched.err().map(|error| error.to_string())
}

#[test]
fn fields_are_macros() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut out = DeviceVec::filled(&queue, 0_i32, 10).unwrap();
        let other = Tile { limit: Some(7), order: Order::Ascending, ..TILE };
        for (tile, order, limit) in [(TILE, 4, -1), (other, 3, 7)] {
            let fused =
                Fused::new("test").input("", constant(100_i32).take(10)).output::<i32>("", "", &mut out);
            let ready = fused.by(&STORED, tile).compile(&queue, 10).unwrap();
            assert_eq!(refused(&ready, 10), None);
            drop(ready);
            drop(fused);
            let expected = [108, 101, 100 + order, 105, 101, 102, 106, 103, 104, 100 + limit];
            assert_eq!(out.to_vec().unwrap(), expected);
        }
    });
}

#[test]
fn errors_name_template_and_parameters() {
    let ending = format!("; compiled with {MACROS}");
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut out = DeviceVec::filled(&queue, 0_i32, 10).unwrap();
        let fused = Fused::new("test").input("", constant(1_i32).take(10)).output::<i32>("", "", &mut out);
        let error = fused.by(&WRONG, TILE).compile(&queue, 10).err().unwrap();
        assert!(matches!(error, Error::Build(_)), "{error}");
        let purpose = format!("purpose: kernel `wrong`, for `test`{ending}\n");
        assert!(error.to_string().contains(&purpose), "{error}");

        let ready = fused.by(&STORED, TILE).compile(&queue, 10).unwrap();
        let text = refused(&ready, 1 << 30).unwrap();
        assert!(text.contains("kernel `stored` cannot be launched: ") && text.ends_with(&ending), "{text}");
    });
}

#[test]
fn errors_of_drivers_name_template_and_parameters() {
    let faults = faults::exclusive();
    for device in faults.devices() {
        let queue = Queue::on(&device).unwrap();
        let mut out = DeviceVec::filled(&queue, 0_i32, 10).unwrap();
        let fused = Fused::new("test").input("", constant(1_i32).take(10)).output::<i32>("", "", &mut out);
        let ready = fused.by(&STORED, TILE).compile(&queue, 10).unwrap();
        for call in 1.. {
            faults.fail(call, Status::OUT_OF_RESOURCES);
            let text = refused(&ready, 10);
            let hit = faults.hit();
            faults.forward_all();
            assert!(hit.is_some(), "no call of a launch that fails is the launch itself");
            if hit == Some("clEnqueueNDRangeKernel") {
                let text = text.unwrap();
                let named = format!("CL_OUT_OF_RESOURCES (-5), kernel `stored`; compiled with {MACROS}");
                assert!(text.ends_with(&named), "{text}");
                break;
            }
        }
    }
}
