//! Unusual field names of users' structs, and traits that users implement for their types.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise
#![allow(non_snake_case)] // unusual names are tested

use cl_algo::F32x2;
use cl_algo::prelude::*;
use cl_core::Error;

/// A struct whose fields are named like macros and words of OpenCL C, of its compilers and of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Names {
    PACK: f32,
    GROUP: u32,
    ITEM: f32,
    TILE: u32,
    CHUNKED: f32,
    PARAMETERS: u32,
    NULL: f32,
    INFINITY: u32,
    M_PI: f32,
    LOAD: u32,
    INDEX: f32,
    linux: u32,
    float: f32,
    global: u32,
    x0: F32x2,
}

fn names(i: usize) -> Names {
    let (f, u) = (i as f32, 100 + i as u32);
    Names {
        PACK: f,
        GROUP: u,
        ITEM: f + 1.0,
        TILE: u + 1,
        CHUNKED: f + 2.0,
        PARAMETERS: u + 2,
        NULL: f + 3.0,
        INFINITY: u + 3,
        M_PI: f + 4.0,
        LOAD: u + 4,
        INDEX: f + 5.0,
        linux: u + 5,
        float: f + 6.0,
        global: u + 6,
        x0: F32x2::from([f + 7.0, f + 8.0]),
    }
}

#[device_fn]
fn turned(names: Names) -> Names {
    let mut names = names;
    names.PACK = names.M_PI + names.NULL;
    names.linux += names.INFINITY;
    names
}

#[test]
fn fields_called_like_macros() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<Names> = (0..50).map(names).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let wanted: Vec<Names> = host.iter().map(|&names| turned(names)).collect();
        assert_eq!(turned(&x).collect().unwrap().to_vec().unwrap(), wanted);
        let sums = x.iter().map(|x| x.PACK() + x.NULL() + x.M_PI() + x.float());
        let wanted: Vec<f32> = host.iter().map(|x| x.PACK + x.NULL + x.M_PI + x.float).collect();
        assert_eq!(sums.collect().unwrap().to_vec().unwrap(), wanted);
        assert_eq!(
            x.iter().map(|x| x.TILE() + x.global()).sum().unwrap(),
            (0..50).map(|i| 207 + 2 * i).sum::<u32>()
        );
    });
}

/// A type whose author declares that it has arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
struct Metres(f32);

impl Number for Metres {}

/// A type whose author declares something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
struct Place(f32);

impl Number for Place {}
impl cl_algo::Ordered for Place {}
impl Integer for Place {}

#[test]
fn what_authors_say_of_newtypes() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[Metres(1.5), Metres(2.0)]).unwrap();
        assert_eq!((&x + &x).collect().unwrap().to_vec().unwrap(), [Metres(3.0), Metres(4.0)]);

        let places = DeviceVec::from_slice(&queue, &[Place(1e30), Place(f32::NAN)]).unwrap();
        let error = x.iter().gather(&places).collect().unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "gather", .. }), "{error}");
        assert!(error.to_string().contains("`float`"), "{error}");
        let mut y = DeviceVec::filled(&queue, Metres(0.0), 2).unwrap();
        let error = assign(y.scatter_mut(&places), &x).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "scatter_mut", .. }), "{error}");
        assert_eq!(y.to_vec().unwrap(), [Metres(0.0); 2]);
    });
}
