//! Harm that safe calls must not be able to do, and results that were easy to get wrong.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::codegen::{Definition, Fused, Template};
use cl_algo::prelude::*;
use cl_algo::stl::{adjacent_difference, is_sorted, lower_bound, lower_bounds};
use cl_core::{Arg, Error};
use cl_test::each_device;

/// A length that is not a multiple of any pack or tile.
const LEN: usize = 5003;

fn ramp(len: usize) -> Vec<f32> {
    (0..len).map(|i| i as f32).collect()
}

fn values<T: Element>(expr: Expr<'_, T>) -> Vec<T> {
    expr.collect().unwrap().to_vec().unwrap()
}

#[test]
fn nothing_is_gathered_from_an_empty_vector() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let empty = DeviceVec::<f32>::from_slice(&queue, &[]).unwrap();
        let by = DeviceVec::from_slice(&queue, &[0_u32, 1, 2]).unwrap();
        let error = empty.iter().gather(&by).collect().unwrap_err();
        assert!(error.to_string().contains("0 items"), "{error}");
        let x = DeviceVec::from_slice(&queue, &ramp(3)).unwrap();
        let error = x.iter().take(0).gather(&by).collect().unwrap_err();
        assert!(error.to_string().contains("0 items"), "{error}");
        // A gather of zero items from an empty vector is empty.
        assert!(values(empty.iter().gather(by.slice(..0))).is_empty());
    });
}

#[test]
fn neighbours_of_views_and_of_indices() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let a = ramp(LEN);
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let clamped = |a: &[f32], offset: isize| -> Vec<f32> {
            let last = a.len() as isize - 1;
            (0..a.len()).map(|i| a[(i as isize + offset).clamp(0, last) as usize]).collect()
        };
        let skipped = x.iter().skip(2).shifted(1, Border::Clamp);
        assert_eq!(values(skipped), clamped(&a[2..], 1));
        let reversed: Vec<f32> = a.iter().rev().copied().collect();
        assert_eq!(values(x.iter().rev().shifted(-1, Border::Clamp)), clamped(&reversed, -1));
        let third: Vec<f32> = a.iter().step_by(3).copied().collect();
        assert_eq!(values(x.iter().step_by(3).shifted(-1, Border::Clamp)), clamped(&third, -1));
        let beside = (&x + iota(0.0_f32, LEN)).shifted(1, Border::Clamp);
        let doubled: Vec<f32> = a.iter().map(|a| 2.0 * a).collect();
        assert_eq!(values(beside), clamped(&doubled, 1));
        let ring = iota(0_u64, LEN).shifted(-1, Border::Wrap).collect_on(&queue).unwrap().to_vec().unwrap();
        assert_eq!((ring[0], ring[1], ring[LEN - 1]), (LEN as u64 - 1, 0, LEN as u64 - 2));
        // The largest offsets.
        let far = |offset| x.iter().shifted(offset, Border::Clamp);
        assert_eq!(values(far(isize::MAX)), [(LEN - 1) as f32; LEN]);
        assert_eq!(values(far(isize::MIN)), [0.0; LEN]);
        // A view of neighbours.
        let viewed = x.iter().shifted(1, Border::Constant(-1.0)).rev().skip(1);
        let mut expected: Vec<f32> = (1..LEN).map(|i| i as f32).collect();
        expected.reverse();
        assert_eq!(values(viewed), expected);
    });
}

#[test]
fn indices_as_numbers_beyond_32_bits() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let on = |expr: Expr<'_, u64>| expr.collect_on(&queue).unwrap().to_vec().unwrap();
        let expected: Vec<u64> = (0..10).map(|i| i << 30).collect();
        assert_eq!(on(index::<u64>().step_by(1 << 30).take(10)), expected);
        assert_eq!(on(index::<u64>().step_by(1 << 15).step_by(1 << 15).take(10)), expected);
        assert_eq!(on(index::<u64>().skip(u32::MAX as usize).take(3))[2], u64::from(u32::MAX) + 2);
        assert_eq!(
            on(index::<u64>().skip((1 << 31) - 1).step_by((1 << 31) - 1).take(4))[3],
            4 * ((1 << 31) - 1)
        );
        let by = DeviceVec::from_slice(&queue, &[9_u8, 0, 7]).unwrap();
        let gathered = index::<u64>().step_by(1 << 30).take(10).gather(&by);
        assert_eq!(on(gathered), [9 << 30, 0, 7 << 30]);
    });
}

#[test]
fn indices_out_of_data_beyond_32_bits() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let by = DeviceVec::from_slice(&queue, &[1_u64 << 39, 5, (1 << 32) + 3]).unwrap();
        let gathered = index::<u64>().take(1 << 40).gather(&by).collect().unwrap();
        assert_eq!(gathered.to_vec().unwrap(), [1 << 39, 5, (1 << 32) + 3]);
    });
}

#[test]
fn views_with_absurd_steps() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = DeviceVec::from_slice(&queue, &ramp(4)).unwrap();
        for step in [4, 1 << 31, 1 << 32, 1 << 62, usize::MAX / 2, usize::MAX - 1, usize::MAX] {
            assert_eq!(values(x.iter().step_by(step)), [0.0], "{step}");
            assert_eq!(values(x.iter().skip(1).step_by(step).step_by(step).rev()), [1.0], "{step}");
            let view = x.slice_mut(2..).step_by(step).step_by(step).rev().step_by(step);
            assign(view, 7.0).unwrap();
            assert_eq!(x.to_vec().unwrap(), [0.0, 1.0, 7.0, 3.0], "{step}");
            let (one, none) = x.slice_mut(2..).step_by(step).split_at(1);
            assign(none, DeviceVec::filled(&queue, 1.0_f32, 0).unwrap().iter()).unwrap();
            assert_eq!((one.len(), one.rev().slice(1..).step_by(step).rev().len()), (1, 0));
            assign(x.slice_mut(2..3), 2.0).unwrap();
        }
        assert!(values(x.iter().skip(usize::MAX)).is_empty());
        assert!(values(x.iter().skip(5).rev().step_by(usize::MAX).rev()).is_empty());
        assert_eq!(values(x.iter().take(usize::MAX)), ramp(4));
        for range in [(usize::MAX, usize::MAX), (3, 2), (0, 5), (5, 5)] {
            let (begin, end) = range;
            assert!(matches!(x.slice(begin..end).collect(), Err(Error::InvalidInput { .. })), "{range:?}");
            let refused = assign(x.slice_mut(begin..end), 1.0);
            assert!(matches!(refused, Err(Error::InvalidInput { .. })), "{range:?}");
        }
        assert!(matches!(x.slice(..=usize::MAX).collect(), Err(Error::InvalidInput { .. })));
    });
}

/// Checks lengths and indices, which are signed numbers on devices: results are right within their range, and errors
/// beyond it.
#[test]
fn lengths_and_indices_beyond_63_bits() {
    const LAST: usize = isize::MAX as usize;
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let on = |expr: Expr<'_, u64>| expr.collect_on(queue).unwrap().to_vec().unwrap();
        let last = LAST as u64;
        assert_eq!(on(iota(0_u64, LAST).rev().slice(..2)), [last - 1, last - 2]);
        assert_eq!(on(iota(7_u64, LAST).skip(LAST - 2)), [last + 5, last + 6]);
        assert_eq!(on(index::<u64>().skip(LAST - 1).take(2)), [last - 1, last]);
        assert_eq!(on(index::<u64>().skip(LAST).take(1)), [last]);
        assert_eq!(on(index::<u64>().slice(LAST - 2..LAST)), [last - 2, last - 1]);
        assert_eq!(on(index::<u64>().step_by(1 << 31).step_by(1 << 31).take(2)), [0, 1 << 62]);
        let far = iota(0_u64, LAST / 2);
        assert_eq!(on(far.clone().shifted(-1, Border::Wrap).take(2)), [LAST as u64 / 2 - 1, 0]);
        assert_eq!(on(far.shifted(isize::MAX, Border::Clamp).take(1)), [LAST as u64 / 2 - 1]);
        let by = DeviceVec::from_slice(queue, &[last - 1, 5]).unwrap();
        assert_eq!(values(iota(0_u64, LAST).gather(&by)), [last - 1, 5]);

        let refused: [(&str, Expr<'_, u64>); 20] = [
            ("iota", iota(0, LAST + 1).take(2)),
            ("iota", iota(0, usize::MAX).rev().slice(..2)),
            ("iota", iota(0, usize::MAX).gather(&by)),
            ("iota", iota(0, usize::MAX).shifted(-1, Border::Clamp).take(2)),
            ("iota", iota(0, usize::MAX).shifted(-1, Border::Constant(3)).take(2)),
            ("iota", iota(0, 1 << 63).shifted(1, Border::Wrap).take(2)),
            ("shifted", iota(0, LAST).shifted(1, Border::Wrap).take(2)),
            ("flat_map", iota(0, LAST).flat_map(|i| [i, i]).take(2)),
            ("take", index().take(usize::MAX).slice(..2)),
            ("take", index().skip(LAST).take(2)),
            ("take", index().step_by(1 << 62).take(3)),
            ("take", index().step_by(1 << 40).skip(1 << 22).take(1 << 23)),
            ("skip", index().skip(usize::MAX - 5).take(2)),
            ("skip", index().skip(LAST).skip(1).take(2)),
            ("skip", index().skip(1 << 63).skip(1 << 63).take(2)),
            ("skip", index().step_by(1 << 40).skip(1 << 23).take(2)),
            ("step_by", index().step_by(1 << 40).step_by(1 << 40).take(2)),
            ("step_by", index().step_by(usize::MAX).take(2)),
            ("slice", index().slice(usize::MAX - 5..usize::MAX - 3)),
            ("slice", (index::<u64>() * 3).slice(1 << 63..)),
        ];
        for (at, (name, expr)) in refused.into_iter().enumerate() {
            let error = expr.on(queue).sum().unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what, .. } if what == name), "{at}: {error}");
        }
        let far = || iota(0_u64, usize::MAX).on(queue);
        let mut out = DeviceVec::filled(queue, 7_u64, 3).unwrap();
        assert!(lower_bound(far().skip(usize::MAX - 5), u64::MAX - 3).is_err());
        assert!(adjacent_difference(far(), |a, b| a - b, &mut out).is_err());
        assert!(is_sorted(far().map(|i| i % 5)).is_err());
        assert_eq!(out.to_vec().unwrap(), [7; 3]);
    });
}

#[test]
fn any_byte_but_0_is_true() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let bytes: Vec<u8> = (0..LEN).map(|i| i as u8).collect();
        let x = DeviceVec::from_slice(&queue, &bytes).unwrap();
        let truth: Vec<bool> = bytes.iter().map(|&b| b != 0).collect();
        let as_bool = || x.reinterpret::<bool>();
        assert_eq!(
            values(as_bool().select(1_i32, 0)),
            truth.iter().map(|&t| i32::from(t)).collect::<Vec<_>>()
        );
        assert_eq!(values(as_bool().cast::<u64>()), truth.iter().map(|&t| u64::from(t)).collect::<Vec<_>>());
        assert_eq!(values(!as_bool()), truth.iter().map(|t| !t).collect::<Vec<_>>());
        assert_eq!(values(as_bool().eq(true)), truth);
        assert_eq!(values(as_bool().rev() & true), truth.iter().rev().copied().collect::<Vec<_>>());
        let shifted = values(as_bool().shifted(1, Border::Wrap).select(2_u8, 1));
        assert!((0..LEN).all(|i| shifted[i] == 1 + u8::from(truth[(i + 1) % LEN])));
    });
}

#[test]
fn truth_values_of_all_widths_meet() {
    cl_test::known_faults::each_device("expressions_surprises::truth_values_of_all_widths_meet", |device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<i8> = (0..LEN).map(|i| (i * 37) as i8).collect();
        let flags: Vec<bool> = (0..LEN).map(|i| i % 3 == 0).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let b = DeviceVec::from_slice(&queue, &flags).unwrap();
        type Test = fn(i8) -> bool;
        let tests: [(&str, Test); 4] =
            [("i8", |v| v > 10), ("i16", |v| v < 50), ("f32", |v| v % 2 == 0), ("i64", |v| v >= -20)];
        let lazy = |of: &str| match of {
            "i8" => x.iter().gt(10),
            "i16" => x.iter().cast::<i16>().lt(50),
            "f32" => (x.iter().cast::<f32>() % 2.0).eq(0.0),
            _ => x.iter().cast::<i64>().ge(-20),
        };
        for (at, (one, f)) in tests.into_iter().enumerate() {
            let (other, g) = tests[(at + 1) % 4];
            let both = |op: fn(bool, bool, bool) -> bool| -> Vec<bool> {
                host.iter().zip(&flags).map(|(&v, &b)| op(f(v), g(v), b)).collect()
            };
            let (p, q) = (|| lazy(one), || lazy(other));
            let all = zip((
                p() & q(),
                p() | q() & &b,
                p() ^ q(),
                !p().eq(q()),
                p().select(q(), &b),
                (&b).into_expr().select(p(), q()).ne(true),
                p().eq(q()).select(p(), b.iter()).eq(&b),
            ));
            let (and, or, xor, ne, select, not, mixed) = all.collect().unwrap();
            assert_eq!(and.to_vec().unwrap(), both(|p, q, _| p & q), "{one} {other}");
            assert_eq!(or.to_vec().unwrap(), both(|p, q, b| p | q & b), "{one} {other}");
            assert_eq!(xor.to_vec().unwrap(), both(|p, q, _| p ^ q), "{one} {other}");
            assert_eq!(ne.to_vec().unwrap(), both(|p, q, _| p != q), "{one} {other}");
            assert_eq!(select.to_vec().unwrap(), both(|p, q, b| if p { q } else { b }), "{one} {other}");
            assert_eq!(not.to_vec().unwrap(), both(|p, q, b| !(if b { p } else { q })), "{one} {other}");
            let expected = both(|p, q, b| (if p == q { p } else { b }) == b);
            assert_eq!(mixed.to_vec().unwrap(), expected, "{one} {other}");
        }
    });
}

#[device_fn]
fn is_odd(x: i32) -> bool {
    x % 2 != 0
}

/// Checks that `bool`s are stored as on the host, because libraries and users' kernels read them, too.
#[test]
fn truth_is_stored_as_1() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_fn(&queue, LEN, |i| i as i32).unwrap();
        let odd: Vec<u8> = (0..LEN).map(|i| (i % 2) as u8).collect();
        let stored = |truth: DeviceVec<bool>| truth.buffer().to_vec(&queue).unwrap();
        assert_eq!(stored((&x % 2).eq(1).collect().unwrap()), odd);
        assert_eq!(stored(is_odd(&x).collect().unwrap()), odd);
        assert_eq!(
            stored((&x % 2).eq(1).rev().collect().unwrap()).iter().rev().copied().collect::<Vec<_>>(),
            odd
        );
        // A pack of a function's results, in a sink that works on packs.
        let mut chosen = DeviceVec::filled(&queue, 0_i64, LEN).unwrap();
        assign(mapped(&mut chosen, |odd: Val<bool>| odd.select(7_i64, -1)), is_odd(&x)).unwrap();
        let expected: Vec<i64> = odd.iter().map(|&odd| if odd == 1 { 7 } else { -1 }).collect();
        assert_eq!(chosen.to_vec().unwrap(), expected);
    });
}

/// Checks that common subexpressions are computed once, in long expressions as in short ones.
#[test]
fn long_expressions_share_what_they_have_in_common() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &ramp(LEN)).unwrap();
        let mut sum = x.iter().sqrt();
        for k in 1..60 {
            sum = sum + x.iter().shifted(k, Border::Wrap) * constant(k as f32);
        }
        let source =
            (&sum + x.iter().sqrt() + x.iter().shifted(59, Border::Wrap)).kernel_source(device).unwrap();
        // One function for items, one for packs.
        assert!(source.matches("= sqrt(").count() <= 2, "{source}");
        assert_eq!(source.matches("global const float *x1").count(), 0);
        assert!(
            source
                .lines()
                .filter(|line| line.contains("wrapped_neighbour(v") && !line.contains("inline"))
                .count()
                <= 59
        );
    });
}

/// Returns a template whose name other templates also have.
const fn twin(definition: &'static Definition) -> Template {
    Template { kernel: "twin", definition, shape: |profile, size, ()| profile.elementwise(size) }
}

static ONE: Template = twin(&Definition::new(
    "kernel void twin(PARAMETERS OUTPUTS const uint count) {
         const uint i = get_global_id(0);
         if (i < count)
             STORE(i, LOAD(i));
         RETURN;
     }",
));
static OTHER: Template = twin(&Definition::new(
    "kernel void twin(PARAMETERS OUTPUTS const uint count) {
         const uint i = get_global_id(0);
         if (i < count)
             STORE(i, LOAD(count - 1 - i));
         RETURN;
     }",
));

#[test]
fn templates_of_the_same_name_are_not_confused() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let mut y = DeviceVec::filled(&queue, 0.0_f32, 3).unwrap();
        for (template, expected) in [(&ONE, [1.0, 2.0, 3.0]), (&OTHER, [3.0, 2.0, 1.0])] {
            let fused = Fused::new("copy").input("", &x).output::<f32>("", "", &mut y);
            let ready = fused.by(template, ()).compile(&queue, 3).unwrap();
            // SAFETY: three work-items, each of which reads one of three elements and writes one.
            unsafe { ready.launch(&[Arg::value(3_u32)], 3, 1).unwrap() };
            drop(ready);
            drop(fused);
            assert_eq!(y.to_vec().unwrap(), expected);
        }
    });
}

/// Checks that evaluating a very long expression is an error before any driver call, because compilers would take
/// minutes.
#[test]
fn expressions_too_long_for_compilers() {
    const STEPS: usize = 50_000;
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &ramp(5)).unwrap();
        let row = |steps: usize| (0..steps).fold(x.iter(), |sum, _| sum + &x);
        assert_eq!(values(row(300)), [0.0, 301.0, 602.0, 903.0, 1204.0]);
        // After a short operand the nodes of a long one keep their numbers.
        assert_eq!(values(&x - (&x - row(300)) - 1.0), values(row(300) - 1.0));

        let refused = |result: cl_core::Result<()>| {
            let text = result.unwrap_err().to_string();
            assert!(text.contains("more than 16384 operations") && text.contains("`collect`"), "{text}");
        };
        let long = row(STEPS);
        refused(long.clone().collect().map(drop));
        refused(long.clone().sum().map(drop));
        // Clones of an expression that is too long are fast, because it has lost its nodes.
        refused((0..STEPS).fold(long.clone(), |sum, _| &sum + &x).collect().map(drop));
        refused((0..STEPS).fold(long, |sum, _| &x + &sum).collect().map(drop));
        refused(x.iter().map(|x| (0..STEPS).fold(x, |sum, _| sum * x)).collect().map(drop));
        refused((0..STEPS).fold(x.iter(), |sum, _| sum.map(|x| -x * 2.0)).collect().map(drop));
        // Several expressions, each of which is short enough.
        let others = (0..10_000).fold(x.iter(), |sum, _| sum * &x);
        refused(zip((row(10_000), others)).collect().map(drop));
        let mut found = DeviceVec::filled(&queue, 0_u64, 5).unwrap();
        let needles = (0..10_000).fold(x.iter(), |sum, _| sum * &x);
        refused(lower_bounds(row(10_000), needles, &mut found));
    });
}
