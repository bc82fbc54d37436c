//! Recordings, sharing in place, names, and structs: unusual uses that are allowed.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::{Element, Symbol};
use cl_core::Error;
use cl_test::each_device;

/// Checks that the prelude does not hide names of ordinary Rust code.
#[test]
fn ordinary_rust_code_compiles_beside_the_prelude() {
    use std::cmp::{max, min};
    use std::iter::zip;
    assert_eq!((max(1, 2), min(1, 2)), (2, 1));
    assert_eq!((f32::max(1.0, 2.0), 1.0_f64.min(2.0), 4.0_f32.sqrt(), f64::floor(1.5)), (2.0, 1.0, 2.0, 1.0));
    assert_eq!((1.0_f32.clamp(0.0, 0.5), (-1_i32).signum(), 3_u8.pow(2), 5_i32.abs()), (0.5, -1, 9, 5));
    let v: Vec<i32> = [3, 1, 2].iter().map(|x| x + 1).rev().skip(1).take(2).step_by(1).collect();
    assert_eq!((v.iter().sum::<i32>(), v.iter().max(), v.iter().any(|&x| x % 4 == 2)), (6, Some(&4), true));
    assert!(v.iter().zip(&v).enumerate().all(|(i, (a, b))| i < 2 && a.eq(b) && a.le(b)));
    assert_eq!(zip(&v, &v).map(|(a, b)| a * b).min(), Some(4));
    assert!(
        v.partial_cmp(&v).is_some() && 1.0_f32.lt(&2.0) && 1.cmp(&2).is_lt() && 2_u32.leading_zeros() == 30
    );
    let (step, index, distance, length, sign, mix, dot) = (1, 2, 3, 4, 5, 6, 7);
    assert_eq!(step + index + distance + length + sign + mix + dot, 28);
    let angle = 0.5_f64;
    let (sin, cos) = angle.sin_cos();
    assert!((sin.hypot(cos) - 1.0).abs() < 1e-15 && angle.exp().ln().round() == 1.0_f64.round() - 0.0);
}

/// A factor that is doubled where it is used.
struct Doubled(Val<f32>);

impl Symbol<f32> for Doubled {
    fn into_val(self) -> Val<f32> {
        self.0 * 2.0
    }
}

#[test]
fn symbols_of_users_may_compute() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0]).unwrap();
        let y = x.iter().map(|x| (x + Doubled(x)).max(Doubled(x)).mad(Doubled(x), Doubled(x)));
        let y = y.map(|y| y.lt(Doubled(y)).select(Doubled(y), Doubled(y)));
        assert_eq!(y.collect().unwrap().to_vec().unwrap(), [16.0, 56.0]);
        let pair = x.iter().map(|x| Val::vector((Doubled(x), x))).map(|v| v.y() + v.x());
        assert_eq!(pair.collect().unwrap().to_vec().unwrap(), [3.0, 6.0]);
        let polar = x.iter().map(|x| Val::complex(Doubled(x), Doubled(x)).re());
        assert_eq!(polar.collect().unwrap().to_vec().unwrap(), [2.0, 4.0]);
    });
}

#[test]
fn values_stay_in_their_closure() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0]).unwrap();
        let refused = |expr: Expr<'_, f32>| {
            let error = expr.collect().unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "symbolic value", .. }), "{error}");
        };
        let mut smuggled = None;
        let _ = x.iter().map(|v| {
            smuggled = Some(v);
            v
        });
        let smuggled = smuggled.unwrap();
        refused(x.iter().map(|_| smuggled));
        refused(x.iter().map(|v| v + smuggled));
        // Used outside of a recording.
        let nowhere = smuggled + 1.0;
        refused(x.iter().map(|v| v + nowhere));
        // In another thread.
        refused(x.iter().map(|v| v + std::thread::scope(|s| s.spawn(|| v * 2.0).join().unwrap())));
        // The inner closure may not use the outer one's values, but the outer closure can continue with its own.
        let inner = |v: Val<f32>| x.iter().map(|w| w + 1.0).len().map_or(v, |_| v);
        let fine = x.iter().map(|v| inner(v) * 3.0).collect().unwrap();
        assert_eq!(fine.to_vec().unwrap(), [3.0, 6.0]);
        let _ = x.iter().map(|v| {
            refused(x.iter().map(|w| w + v));
            v
        });
        // A panic leaves no recording behind.
        for _ in 0..2 {
            let panicked = std::panic::catch_unwind(|| {
                let _ = x.iter().map(|v| {
                    x.iter().map(|w| if true { panic!("on purpose") } else { w }).len().map_or(v, |_| v)
                });
            });
            assert!(panicked.is_err());
        }
        let outside = smuggled * 2.0;
        refused(x.iter().map(|v| v + outside));
        assert_eq!(x.iter().map(|v| v * 2.0).sum().unwrap(), 6.0);
    });
}

#[cl_algo::device_fn]
fn second(x: &[f32], at: f32) -> f32 {
    x[at as usize] + at
}

#[test]
fn in_place_nothing_else_of_the_vector_is_read() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<f32> = (0..5003).map(|i| i as f32).collect();
        let mut x = DeviceVec::from_slice(&queue, &host).unwrap();
        let by = DeviceVec::from_fn(&queue, 5003, |i| i as u32).unwrap();
        let views: [fn(Expr<'_, f32>) -> Expr<'_, f32>; 5] = [
            |x| x.rev(),
            |x| x.shifted(1, Border::Wrap),
            |x| x.clone() + x.shifted(0, Border::Constant(0.0)),
            |x| x.clone().rev() + x,
            |x| x.skip(1).take(5002).rev().slice(..5002).shifted(1, Border::Clamp),
        ];
        for view in views {
            assert!(x.assign_with(view).is_err());
        }
        assert!(x.assign_with(|x| x.gather(&by)).is_err());
        assert!(x.assign_with(|x| x.take(5)).is_err());
        assert_eq!(x.to_vec().unwrap(), host);
        // The operands read the same element in different spellings.
        x.assign_with(|x| x.clone().rev().rev() + x.slice(..)).unwrap();
        // The closure's result keeps a borrow of the vector after the assignment.
        let mut kept = None;
        x.assign_with(|x| {
            kept = Some(x.clone().rev().take(1));
            x + 1.0
        })
        .unwrap();
        assert_eq!(kept.unwrap().collect().unwrap().to_vec().unwrap(), [10005.0]);
        // A vector that is read in several ways by several outputs at once.
        let (mut a, mut b) = (
            DeviceVec::filled(&queue, 0.0_f32, 5003).unwrap(),
            DeviceVec::filled(&queue, 0.0_f32, 5003).unwrap(),
        );
        assign((a.view_mut().rev(), &mut b), (&x, second(&x, index::<f32>().take(5003)))).unwrap();
        let doubled: Vec<f32> = host.iter().map(|x| 2.0 * x + 1.0).collect();
        assert_eq!(a.iter().rev().collect().unwrap().to_vec().unwrap(), doubled);
        assert_eq!(b.to_vec().unwrap(), host.iter().map(|x| 3.0 * x + 1.0).collect::<Vec<_>>());
        // Both halves of one vector, each from a mirrored half of another.
        let (left, right) = a.view_mut().split_at(2500);
        assign((left, right.slice(..2500).rev()), (b.slice(..2500), b.slice(2500..5000))).unwrap();
        let b = b.to_vec().unwrap();
        let mut expected = b[..2500].to_vec();
        expected.extend(b[2500..5000].iter().rev());
        assert_eq!(a.to_vec().unwrap()[..5000], expected);
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Flags {
    up: bool,
    down: bool,
    count: u16,
}

#[test]
fn structs_of_truth_values() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<Flags> =
            (0..5003).map(|i| Flags { up: i % 2 == 0, down: i % 3 == 0, count: i as u16 }).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let swapped = x.iter().map(|f| Flags::val(f.down(), !f.up(), f.count() + 1)).collect().unwrap();
        let expected: Vec<Flags> =
            host.iter().map(|f| Flags { up: f.down, down: !f.up, count: f.count + 1 }).collect();
        assert_eq!(swapped.to_vec().unwrap(), expected);
        let same = x.iter().eq(&swapped).collect().unwrap().to_vec().unwrap();
        assert!(same.iter().zip(host.iter().zip(&expected)).all(|(&same, (a, b))| same == (a == b)));
        // Any byte but 0 is true, also in a field, and is returned as a valid `bool`.
        let bytes = DeviceVec::from_slice(&queue, &[200_u8, 0, 1, 2, 0, 255, 3, 4]).unwrap();
        let flags = bytes.reinterpret::<Flags>().collect().unwrap().to_vec().unwrap();
        assert_eq!(flags.iter().map(|f| (f.up, f.down)).collect::<Vec<_>>(), [(true, false), (false, true)]);
        let ups = bytes.reinterpret::<Flags>().map(|f| (f.up(), f.down().select(1_u8, 0))).collect().unwrap();
        assert_eq!(ups.0.to_vec().unwrap(), [true, false]);
        assert_eq!(ups.1.to_vec().unwrap(), [0, 1]);
    });
}

#[test]
fn expressions_without_a_queue_say_so() {
    let error = iota(0_u32, 5).sum().unwrap_err().to_string();
    assert!(error.contains("queue"), "{error}");
}

#[cl_algo::device_fn]
fn of_no_items(at: u64) -> f32 {
    let none: [f32; 0] = [];
    none[at as usize]
}

#[test]
fn arrays_without_items_are_never_read() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let at = DeviceVec::from_slice(&queue, &[0_u64, 1 << 40]).unwrap();
        assert!(of_no_items(&at).collect().is_err());
    });
}
