//! Structs by `#[derive(Element)]`: round trips, fields, making, comparisons, and where they go.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::{ElementType, StructType, device_fn};
use cl_algo::{F32x3, F32x4, I16x2};
use cl_test::each_device;
use proptest::prelude::*;

const LENGTHS: [usize; 6] = [0, 1, 2, 3, 17, 1000];

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Body {
    mass: f32,
    at: F32x4,
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Pair(i32, u32);

/// Everything that a struct can have, three and odd sizes among it.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Mixed {
    body: Body,
    normal: F32x3,
    z: Complex<f32>,
    count: u16,
    small: I16x2,
    fixed: bool,
    r#type: u8,
}

fn body(i: usize) -> Body {
    let i = i as f32;
    Body { mass: i + 0.5, at: F32x4::from([i, -i, 2.0 * i, 1.0]) }
}

fn mixed(i: usize) -> Mixed {
    Mixed {
        body: body(i),
        normal: F32x3::from([i as f32, 1.0, -1.0]),
        z: Complex::new(1.5, -(i as f32)),
        count: i as u16,
        small: I16x2::from([i as i16, -3]),
        fixed: i.is_multiple_of(3),
        r#type: (i % 251) as u8,
    }
}

#[test]
fn the_name_in_c_is_one() {
    for name in ["first::Body", "01_first::Body", "größe::Body"] {
        let name = StructType { name, size: 0, fields: &[] }.c_name();
        assert!(!name.starts_with(|c: char| c.is_ascii_digit()), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
    }
}

#[test]
fn the_layout_is_the_hosts() {
    assert_eq!(Body::TYPE.size(), 20);
    assert_eq!(Mixed::TYPE.size(), size_of::<Mixed>());
    let ElementType::Struct(of) = Mixed::TYPE else { panic!("{:?}", Mixed::TYPE) };
    let fields: Vec<_> = of.fields.iter().map(|field| (field.name, field.offset)).collect();
    let expected = [("body", 0), ("normal", 20), ("z", 32), ("count", 40), ("small", 42), ("fixed", 46)];
    assert_eq!(fields[..6], expected);
    assert_eq!(fields[6], ("type", 47));
    assert!(Mixed::TYPE.contains(cl_algo::ScalarType::Bool));
}

#[test]
fn round_trips() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS {
            let host: Vec<Mixed> = (0..len).map(mixed).collect();
            let there = DeviceVec::from_slice(&queue, &host).unwrap();
            assert_eq!(there.to_vec().unwrap(), host);
            assert_eq!(there.iter().collect().unwrap().to_vec().unwrap(), host);
            let filled = DeviceVec::filled(&queue, mixed(7), len).unwrap();
            assert_eq!(filled.to_vec().unwrap(), vec![mixed(7); len]);
        }
    });
}

#[test]
fn fields_in_expressions_and_closures() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS {
            let host: Vec<Body> = (0..len).map(body).collect();
            let bodies = DeviceVec::from_slice(&queue, &host).unwrap();
            let doubled: Vec<f32> = host.iter().map(|b| b.mass * 2.0).collect();
            let closure = bodies.iter().map(|b| b.mass() * 2.0);
            assert_eq!(closure.collect().unwrap().to_vec().unwrap(), doubled);
            assert_eq!((bodies.mass() * 2.0).collect().unwrap().to_vec().unwrap(), doubled);
            let moments: Vec<F32x4> = host.iter().map(|b| b.at * b.mass).collect();
            assert_eq!((bodies.at() * bodies.mass()).collect().unwrap().to_vec().unwrap(), moments);
            let y: Vec<f32> = host.iter().map(|b| b.at[1]).collect();
            assert_eq!(bodies.at().y().collect().unwrap().to_vec().unwrap(), y);
            let total: f32 = host.iter().map(|b| b.mass).sum();
            assert_eq!(bodies.mass().sum().unwrap(), total);
        }
    });
}

#[test]
fn every_kind_of_field_is_read_and_written() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS {
            let host: Vec<Mixed> = (0..len).map(mixed).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let changed = x.iter().map(|m| {
                let body = Body::val(m.body().mass() + 1.0, m.body().at());
                let fixed = !m.fixed();
                Mixed::val(body, -m.normal(), m.z() * m.z(), m.count() + 1, m.small() * 2, fixed, m.r#type())
            });
            let expected: Vec<Mixed> = host
                .iter()
                .map(|m| Mixed {
                    body: Body { mass: m.body.mass + 1.0, ..m.body },
                    normal: -m.normal,
                    z: m.z * m.z,
                    count: m.count.wrapping_add(1),
                    small: m.small * 2,
                    fixed: !m.fixed,
                    r#type: m.r#type,
                })
                .collect();
            assert_eq!(changed.collect().unwrap().to_vec().unwrap(), expected);
        }
    });
}

#[test]
fn made_of_lazy_fields_and_constants() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS {
            let mass: Vec<f32> = (0..len).map(|i| i as f32 * 0.25).collect();
            let x = DeviceVec::from_slice(&queue, &mass).unwrap();
            let bodies = Body::expr(&x, vector((&x, 0.0, &x * &x, 1.0)));
            let expected: Vec<Body> =
                mass.iter().map(|&m| Body { mass: m, at: F32x4::from([m, 0.0, m * m, 1.0]) }).collect();
            assert_eq!(bodies.collect().unwrap().to_vec().unwrap(), expected);
            let pairs = x.iter().map(|x| Pair::val(x.cast::<i32>(), 7)).collect().unwrap();
            let expected: Vec<Pair> = mass.iter().map(|&m| Pair(m as i32, 7)).collect();
            assert_eq!(pairs.to_vec().unwrap(), expected);
            let firsts: Vec<i32> = expected.iter().map(|pair| pair.0).collect();
            assert_eq!(pairs._0().collect().unwrap().to_vec().unwrap(), firsts);
        }
    });
}

#[test]
fn wherever_elements_go() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS.into_iter().filter(|&len| len > 0) {
            let host: Vec<Mixed> = (0..len).map(mixed).collect();
            let order: Vec<u32> = (0..len as u32).map(|i| (i + 5) % len as u32).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let by = DeviceVec::from_slice(&queue, &order).unwrap();
            let gathered: Vec<Mixed> = order.iter().map(|&i| host[i as usize]).collect();
            assert_eq!(x.iter().gather(&by).collect().unwrap().to_vec().unwrap(), gathered);

            let mut y = DeviceVec::filled(&queue, mixed(0), len).unwrap();
            assign(y.scatter_mut(&by), &x).unwrap();
            let mut scattered = vec![mixed(0); len];
            order.iter().zip(&host).for_each(|(&to, &m)| scattered[to as usize] = m);
            assert_eq!(y.to_vec().unwrap(), scattered);

            let reversed: Vec<Mixed> = host.iter().rev().copied().collect();
            assign(y.view_mut().rev(), &x).unwrap();
            assert_eq!(y.to_vec().unwrap(), reversed);
            assert_eq!(x.slice(1..).collect().unwrap().to_vec().unwrap(), host[1..]);

            let border = mixed(999);
            let shifted = x.iter().shifted(-1, Border::Constant(border)).collect().unwrap();
            let expected: Vec<Mixed> = [border].into_iter().chain(host.iter().copied()).take(len).collect();
            assert_eq!(shifted.to_vec().unwrap(), expected);

            let (numbers, same) = x.iter().enumerate().collect().unwrap();
            assert_eq!(numbers.to_vec().unwrap(), (0..len as u64).collect::<Vec<_>>());
            assert_eq!(same.to_vec().unwrap(), host);
            let constant = x.iter().map(|m| m.fixed().select(m, border)).collect().unwrap();
            let expected: Vec<Mixed> = host.iter().map(|&m| if m.fixed { m } else { border }).collect();
            assert_eq!(constant.to_vec().unwrap(), expected);
        }
    });
}

#[test]
fn equal_when_all_fields_are() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<Mixed> = (0..17).map(mixed).collect();
        let mut other = host.clone();
        other[1].body.at[3] += 1.0;
        other[2].normal[2] = 0.0;
        other[3].z.im = 0.5;
        other[4].fixed = !other[4].fixed;
        other[5].small[1] = 0;
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let y = DeviceVec::from_slice(&queue, &other).unwrap();
        let expected: Vec<bool> = host.iter().zip(&other).map(|(a, b)| a == b).collect();
        assert_eq!(expected.iter().filter(|&&equal| !equal).count(), 5);
        assert_eq!(x.iter().eq(&y).collect().unwrap().to_vec().unwrap(), expected);
        let different: Vec<bool> = expected.iter().map(|equal| !equal).collect();
        assert_eq!(x.iter().ne(&y).collect().unwrap().to_vec().unwrap(), different);
    });
}

#[test]
fn a_stored_truth_value_of_2_is_true() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = DeviceVec::from_slice(&queue, &[mixed(1)]).unwrap();
        assert!(!x.to_vec().unwrap()[0].fixed);
        let mut bytes: Vec<u8> = bytemuck::bytes_of(&x.buffer().to_vec(&queue).unwrap()[0]).to_vec();
        bytes[46] = 2;
        let stored = bytemuck::pod_read_unaligned(&bytes);
        x.buffer_mut().write(&queue, 0, &[stored]).unwrap();
        assert!(x.to_vec().unwrap()[0].fixed);
        assert_eq!(x.fixed().collect().unwrap().to_vec().unwrap(), [true]);
    });
}

mod elsewhere {
    use super::*;

    /// The name of another struct, but another one: both in one kernel.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    #[repr(C)]
    pub(super) struct Body {
        pub(super) mass: i32,
    }
}

#[test]
fn structs_of_the_same_name() {
    use elsewhere::BodyFields as _;

    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    #[repr(C)]
    struct Pair {
        left: f32,
    }

    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[elsewhere::Body { mass: 3 }]).unwrap();
        let y = DeviceVec::from_slice(&queue, &[body(1)]).unwrap();
        let z = DeviceVec::from_slice(&queue, &[super_pair()]).unwrap();
        let w = DeviceVec::from_slice(&queue, &[Pair { left: 0.5 }]).unwrap();
        let sum = x.mass().cast::<f32>() + y.mass() + z._1().cast::<f32>() + w.left();
        assert_eq!(sum.collect().unwrap().to_vec().unwrap(), [3.0 + 1.5 + 2.0 + 0.5]);
    });
}

fn super_pair() -> Pair {
    Pair(1, 2)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(20, 8)))]

    #[test]
    fn any_bytes_of_fields_survive(pairs in prop::collection::vec((any::<i32>(), any::<u32>()), 1..40)) {
        let host: Vec<Pair> = pairs.iter().map(|&(a, b)| Pair(a, b)).collect();
        each_device(|device| {
            let queue = Queue::on(device).unwrap();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let swapped = x.iter().map(|p| Pair::val(p._1().cast::<i32>(), p._0().cast::<u32>()));
            let expected: Vec<Pair> = host.iter().map(|p| Pair(p.1 as i32, p.0 as u32)).collect();
            assert_eq!(swapped.collect().unwrap().to_vec().unwrap(), expected);
        });
    }
}

/// In a device function, where vectors are moved as a whole.
#[device_fn]
fn heavier(a: Body, b: Body) -> Body {
    if a.mass > b.mass { Body { mass: a.mass + b.mass, at: a.at } } else { Body { mass: b.mass, at: b.at } }
}

#[test]
fn device_functions_move_vectors_in_structs() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<Body> = (0..17).map(body).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let moved = x.iter().zip(x.iter().rev()).map(|(a, b)| heavier(a, b));
        let expected: Vec<Body> = host
            .iter()
            .zip(host.iter().rev())
            .map(|(&a, &b)| {
                if a.mass > b.mass {
                    Body { mass: a.mass + b.mass, at: a.at }
                } else {
                    Body { mass: b.mass, at: b.at }
                }
            })
            .collect();
        assert_eq!(moved.collect().unwrap().to_vec().unwrap(), expected);
    });
}

#[device_fn]
fn moved(mut b: Body, to: F32x4) -> Body {
    b.at = to;
    b
}

#[test]
fn device_functions_assign_to_vectors_in_structs() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[body(1)]).unwrap();
        let to = F32x4::from([4.0, 3.0, 2.0, 1.0]);
        let found = x.iter().map(|b| moved(b, to)).collect().unwrap().to_vec().unwrap();
        assert_eq!(found, [moved(body(1), to)]);
        assert_eq!(found[0].at, to);
    });
}
