//! Folds of ranges: entries of other expressions, combined range by range, wherever an expression can be.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::codegen::Ranges;
use cl_algo::math::sin;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;

/// Six ranges, some of them empty, of 40 entries.
const OFFSETS: [u32; 7] = [0, 3, 3, 20, 24, 40, 40];

fn expected<T: Copy>(entries: &[T], initial: T, combine: impl Fn(T, T) -> T) -> Vec<T> {
    let range = |ends: &[u32]| entries[ends[0] as usize..ends[1] as usize].iter().copied();
    OFFSETS.windows(2).map(|ends| range(ends).fold(initial, &combine)).collect()
}

/// The sums of the ranges of an expression.
fn sums<'a, T: Number>(entries: Expr<'a, T>, offsets: &'a DeviceVec<u32>) -> Expr<'a, T> {
    // SAFETY: these offsets ascend, and there are 40 entries.
    unsafe { entries.fold_ranges(Ranges::between(offsets), T::zeroed(), |a, b| a + b, None) }
}

#[test]
fn sums_of_ranges_and_what_is_done_with_them() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let offsets = DeviceVec::from_slice(&queue, &OFFSETS).unwrap();
        let host: Vec<i32> = (0..40).map(|i| i * i - 7).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let plain = expected(&host, 0, |a, b| a + b);
        assert_eq!(sums(x.iter(), &offsets).collect().unwrap().to_vec().unwrap(), plain);
        // Within larger expressions, and of expressions; twice the same, and two that differ.
        let f = DeviceVec::from_slice(&queue, &[5, 4, 3, 2, 1, 0]).unwrap();
        let both = &f - sums(x.iter(), &offsets) * sums(&x * 3, &offsets) + sums(x.iter(), &offsets);
        let wanted: Vec<i32> =
            plain.iter().zip([5, 4, 3, 2, 1, 0]).map(|(&sum, f)| f - sum * (3 * sum) + sum).collect();
        assert_eq!(both.collect().unwrap().to_vec().unwrap(), wanted);
        // In place, and in reductions.
        let mut y = DeviceVec::filled(&queue, 1, 6).unwrap();
        y.add_assign(2 * sums(x.iter(), &offsets)).unwrap();
        assert_eq!(y.to_vec().unwrap(), plain.iter().map(|sum| 1 + 2 * sum).collect::<Vec<_>>());
        assert_eq!(sums(x.iter(), &offsets).sum().unwrap(), plain.iter().sum::<i32>());
        // At other indices.
        let reversed = sums(x.iter(), &offsets).rev().collect().unwrap().to_vec().unwrap();
        assert_eq!(reversed, plain.iter().rev().copied().collect::<Vec<_>>());
        let third = sums(x.iter().rev(), &offsets).slice(2..3).collect().unwrap().to_vec().unwrap();
        assert_eq!(third[0], host.iter().rev().skip(3).take(17).sum::<i32>());
    }
}

#[test]
fn any_operator_and_any_element() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let offsets = DeviceVec::from_slice(&queue, &OFFSETS).unwrap();
        let host: Vec<u64> = (0..40).map(|i| (i * 2_654_435_761) % 1009).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        // SAFETY: as in `sums`.
        let least = unsafe { x.iter().fold_ranges(Ranges::between(&offsets), u64::MAX, Val::min, None) };
        assert_eq!(least.collect().unwrap().to_vec().unwrap(), expected(&host, u64::MAX, u64::min));
        // SAFETY: as above.
        let any = unsafe { (&x % 5).eq(0).fold_ranges(Ranges::between(&offsets), false, |a, b| a | b, None) };
        let truths: Vec<bool> = host.iter().map(|x| x % 5 == 0).collect();
        assert_eq!(any.collect().unwrap().to_vec().unwrap(), expected(&truths, false, |a, b| a | b));
        // One that looks at one side only.
        // SAFETY: as above.
        let last = unsafe { x.iter().fold_ranges(Ranges::between(&offsets), 0, |_, b| b, None) };
        assert_eq!(last.collect().unwrap().to_vec().unwrap(), expected(&host, 0, |_, b| b));
        // Entries that are all the same, of which nothing is read.
        let ones = sums(iota(0_u32, 40) >> 31 | 1, &offsets).on(&queue);
        assert_eq!(ones.collect().unwrap().to_vec().unwrap(), [3, 0, 17, 4, 16, 0]);

        let host: Vec<Complex<f32>> = host.iter().map(|&x| Complex::new(x as f32, -1.0)).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let squares: Vec<_> = host.iter().map(|z| z * z).collect();
        let found = sums(&x * &x, &offsets).collect().unwrap().to_vec().unwrap();
        assert_eq!(found, expected(&squares, Complex::new(0.0, 0.0), |a, b| a + b), "all sums are exact");
    }
}

#[test]
fn folds_of_folds() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let offsets = DeviceVec::from_slice(&queue, &OFFSETS).unwrap();
        let places = DeviceVec::from_fn(&queue, 40, |i| (i * 5 % 6) as u32).unwrap();
        let host: Vec<f32> = (0..40).map(|i| i as f32).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let inner = sums(x.iter(), &offsets);
        // SAFETY: places are below 6.
        let terms = &x * unsafe { inner.gather_unchecked("test", 6, &places) };
        let outer = sin(sums(terms, &offsets)).collect().unwrap().to_vec().unwrap();
        let sums = expected(&host, 0.0, |a, b| a + b);
        let terms: Vec<f32> = (0..40).map(|i| host[i] * sums[i * 5 % 6]).collect();
        for (found, wanted) in outer.iter().zip(expected(&terms, 0.0, |a, b| a + b)) {
            assert!((found - wanted.sin()).abs() < 1e-4, "{found} {}", wanted.sin());
        }
    }
}

#[test]
fn nothing_to_fold() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let nothing = DeviceVec::<i32>::from_slice(&queue, &[]).unwrap();
        let offsets = DeviceVec::from_slice(&queue, &[0_u32; 4]).unwrap();
        assert_eq!(sums(nothing.iter() * 2, &offsets).collect().unwrap().to_vec().unwrap(), [0; 3]);
        let other = DeviceVec::from_slice(&queue, &[1, 2]).unwrap();
        // SAFETY: no index is read.
        let mistake = unsafe { other.iter().gather_unchecked("test", 3, &nothing) };
        let error = sums(mistake, &offsets).collect().unwrap_err().to_string();
        assert!(error.contains("test: 3 and 2"), "{error}");
    }
}

/// Columns of a table whose rows lie one behind the other, as far as each column goes.
#[test]
fn entries_at_a_distance() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let (columns, rows) = (7, 11);
        let host: Vec<i32> = (0..columns * rows).map(|i| (i * i % 31) as i32).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let lengths = DeviceVec::from_slice(&queue, &[0_u32, 1, 3, 4, 5, 8, 11]).unwrap();
        let first = index::<u32>();
        let ends = zip((first.clone(), first + &lengths * columns as u32));
        let ranges = Ranges::strided::<u32>(ends, columns);
        // SAFETY: no column is longer than there are rows.
        let sums = unsafe { x.iter().fold_ranges(ranges, 0, |a, b| a + b, None) };
        let column = |at: usize, len: u32| host.iter().skip(at).step_by(columns).take(len as usize).sum();
        let wanted: Vec<i32> =
            lengths.to_vec().unwrap().into_iter().enumerate().map(|(at, len)| column(at, len)).collect();
        assert_eq!(sums.clone().collect().unwrap().to_vec().unwrap(), wanted);
        let last = (sums * 2).slice(6..).collect().unwrap().to_vec().unwrap();
        assert_eq!(last, [2 * wanted[6]]);
    }
}
