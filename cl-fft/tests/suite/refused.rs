//! Errors that are returned before any driver call, and their texts.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_core::Error;
use cl_fft::{
    Convolution, Ends, Fft, Normalization, Poisson, Problem, RealFft, convolve, correlate, fftfreq_along,
    fftshift, ifftshift, rfftfreq_along,
};
use cl_test::counting;

const ZERO: Complex<f32> = Complex::new(0.0, 0.0);

/// Checks that the closure fails without a driver call, with all of these words in the error.
fn refused<R>(counter: &counting::Exclusive, words: &[&str], what: impl FnOnce() -> cl_core::Result<R>) {
    let mut result = None;
    let calls = counter.calls_during(|| result = Some(what().map(drop)));
    let error = result.unwrap().expect_err("this should have been refused");
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "{text}, without some of {words:?}");
    assert!(calls.is_empty(), "{text}: {calls:?}");
}

#[test]
fn problems() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let c2c = |problem: Problem| Fft::<f32>::c2c(&queue, problem);
        let new = |lengths: [usize; 2]| Problem::new(lengths);
        refused(&counter, &["lengths"], || c2c(Problem::new([])));
        refused(&counter, &["length", "axis 1"], || c2c(new([2, 1 << 40])));
        refused(&counter, &["length", "axis 0"], || c2c(new([(1 << 29) + 11, 2])));
        refused(&counter, &["axis", "2"], || c2c(new([4, 4]).axes([2])));
        refused(&counter, &["axis", "1", "more than once"], || c2c(new([4, 4]).axes([1, 1])));
        refused(&counter, &["axes"], || c2c(new([4, 4]).axes([])));
        refused(&counter, &["strides", "input", "1"], || c2c(new([4, 4]).input([1], 16)));
        refused(&counter, &["stride 3", "output axis 0"], || c2c(new([4, 4]).output([3, 1], 16)));
        refused(&counter, &["distance 15", "output"], || c2c(new([4, 4]).batch(2).output([4, 1], 15)));
        refused(&counter, &["stride 0", "output"], || c2c(new([4, 4]).output([4, 0], 16)));
        refused(&counter, &["beyond"], || c2c(new([4, 4]).input([usize::MAX / 2, 1], 16)));
        refused(&counter, &["beyond"], || c2c(Problem::new([1 << 30; 4])));
        refused(&counter, &["padded_from", "5", "axis 0"], || c2c(new([4, 4]).padded_from([5, 4])));
        refused(&counter, &["cropped_to", "2 lengths"], || c2c(Problem::new([4]).cropped_to([4, 4])));
        refused(&counter, &["cropped_to", "axis 0"], || c2c(new([4, 4]).axes([1]).cropped_to([2, 4])));
        refused(&counter, &["cropped_to", "axis 1"], || c2c(new([4, 4]).cropped_to([4, 0])));
        refused(&counter, &["half"], || RealFft::<f32>::new_on(&queue, Problem::new([8]).cropped_to([3])));
    }
}

/// Checks that the error comes before the host computes a table that does not fit into the device's
/// memory.
#[test]
fn tables_beyond_the_device() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        // The factors between the spectra of pairs and of all numbers take 4 bytes for each point.
        let points: usize = 1 << 31;
        if device.max_allocation().unwrap() > 4 * points as u64 {
            return;
        }
        let began = std::time::Instant::now();
        let refused = RealFft::<f32>::new_on(&queue, [points]).map(drop);
        assert!(matches!(refused, Err(Error::TooLarge { .. })), "{refused:?} on {device}");
        assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
    });
}

#[test]
fn inputs_and_outputs() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, other) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let vector = |len| DeviceVec::filled(&queue, ZERO, len).unwrap();
        let (x, short, mut y, mut small) = (vector(16), vector(15), vector(16), vector(15));
        let mut foreign = DeviceVec::filled(&other, ZERO, 16).unwrap();
        let reals = DeviceVec::filled(&queue, 0.0_f32, 16).unwrap();
        let fft = Fft::c2c(&queue, [16]).unwrap();
        refused(&counter, &["input", "15", "16"], || fft.forward_into(&mut y, &short));
        refused(&counter, &["output", "15", "16"], || fft.forward_into(&mut small, &x));
        refused(&counter, &["output", "15"], || fft.forward_into(y.slice_mut(..15), &x));
        refused(&counter, &["range"], || fft.forward_into(y.slice_mut(..17), &x));
        refused(&counter, &["15"], || fft.forward_in_place(&mut small));
        refused(&counter, &["queue"], || fft.forward_in_place(&mut foreign));
        refused(&counter, &["16", "15"], || fft.inverse_into(&mut y, &x + &short));
        let strided = Fft::c2c(&queue, Problem::new([8]).input([2], 16)).unwrap();
        refused(&counter, &["input", "14", "at least 15"], || {
            strided.forward_into(y.slice_mut(..8), x.slice(..14))
        });
        refused(&counter, &["in place"], || strided.forward_in_place(&mut y));
        let gaps = Fft::c2c(&queue, Problem::new([8]).output([2], 16)).unwrap();
        refused(&counter, &["gaps"], || gaps.forward(x.slice(..8)));
        let real = RealFft::new_on(&queue, [16]).unwrap();
        refused(&counter, &["output", "16", "9"], || real.forward_into(&mut y, &reals));
        refused(&counter, &["input", "16", "9"], || real.inverse(&x));
        let mut odd = DeviceVec::filled(&queue, 0.0_f32, 19).unwrap();
        refused(&counter, &["19", "complex"], || real.forward_in_place(&mut odd));
        let mut row = DeviceVec::filled(&queue, 0.0_f32, 16).unwrap();
        let mut small_row = DeviceVec::filled(&queue, 0.0_f32, 4).unwrap();
        let mut rows = |words: &[&str], problem: Problem| {
            let fft = RealFft::new_on(&queue, problem).unwrap();
            refused(&counter, words, || fft.inverse_in_place(&mut row));
            refused(&counter, words, || fft.forward_in_place(&mut row));
        };
        rows(&["length", "8", "9"], Problem::new([16]).padded_rows());
        rows(&["distance", "6 of real", "4 of complex", "twice"], Problem::new([6]).batch(2));
        rows(&["axis 0", "4 of real", "3 of complex", "twice"], Problem::new([2, 4]));
        rows(&["axis 0", "6 of real", "both are 1"], Problem::new([2, 4]).axes([0]).padded_rows());
        // Points of an input may overlap, but points that the inverse writes may not.
        let mut back = |word: &str, problem: Problem| {
            let fft = RealFft::<f32>::new_on(&queue, problem).unwrap();
            let words = [word, "input", "inverse", "overlap"];
            refused(&counter, &words, || fft.inverse(&x));
            refused(&counter, &words, || fft.inverse_into(&mut small_row, &x));
            assert!(fft.recipes()[1].passes.is_empty());
        };
        back("distance 1", Problem::new([2]).batch(3).input([1], 1));
        back("distance 0", Problem::new([4]).batch(3).input([1], 0));
        back("stride 0", Problem::new([4]).input([0], 1));
        refused(&counter, &["queue"], || fft.forward(&foreign));
        refused(&counter, &["queue"], || fft.forward_into(&mut y, &foreign));
        refused(&counter, &["queue"], || fft.forward_into(&mut foreign, &x));
        refused(&counter, &["queue"], || real.inverse(foreign.slice(..9)));
    }
}

#[test]
fn convolutions_and_equations() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let kernel = DeviceVec::filled(&queue, 0.0_f32, 9).unwrap();
        let new =
            |lengths: &[usize], of: &[usize], ends| Convolution::new(&queue, lengths, &kernel, of, ends);
        refused(&counter, &["1 axes", "2"], || new(&[16], &[3, 3], Ends::Full));
        refused(&counter, &["axis 1", "0"], || new(&[16, 0], &[3, 3], Ends::Full));
        refused(&counter, &["axis 0", "9", "8"], || new(&[8], &[9], Ends::Valid));
        refused(&counter, &["kernels", "9", "1 x 8"], || new(&[16], &[8], Ends::Full));
        for (n, m) in [(usize::MAX / 2, 9), (usize::MAX, 9), ((1 << 31) - 7, 9), (9, usize::MAX)] {
            for ends in [Ends::Full, Ends::Same] {
                refused(&counter, &["axis 0", &n.to_string(), &m.to_string()], || new(&[n], &[m], ends));
            }
        }
        refused(&counter, &["axis 0", "18446744073709551615"], || new(&[usize::MAX], &[9], Ends::Cyclic));
        let (huge, all) = ([1 << 30; 3], 1.0_f32);
        refused(&counter, &["1073741824"], || Convolution::new(&queue, huge, all, huge, Ends::Full));
        refused(&counter, &["2147483647"], || {
            Convolution::new(&queue, [(1 << 31) - 1; 3], all, [1; 3], Ends::Cyclic)
        });
        for ends in [Ends::Full, Ends::Same, Ends::Valid, Ends::Cyclic] {
            refused(&counter, &["18446744073709551615", "3"], || {
                Convolution::many(&queue, [4], &kernel, [3], usize::MAX, ends)
            });
            refused(&counter, &["18446744073709551615", "3"], || {
                Convolution::many(&queue, [4], all, [3], usize::MAX, ends)
            });
        }
        let signal = DeviceVec::filled(&queue, 0.0_f32, 4).unwrap();
        let none = DeviceVec::<f32>::from_slice(&queue, &[]).unwrap();
        for ends in [Ends::Full, Ends::Same, Ends::Valid, Ends::Cyclic] {
            refused(&counter, &["axis 0", "length of 0"], || correlate(&signal, &none, ends));
            refused(&counter, &["axis 0", "length of 0"], || convolve(&none, &signal, ends));
        }
        refused(&counter, &["axis 0", "9", "4"], || correlate(&signal, &kernel, Ends::Cyclic));
        for size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            refused(&counter, &["sizes", "axis 1"], || Poisson::new(&queue, [8, 8], [1.0, size]));
        }
        refused(&counter, &["lengths", "[2, 4]", "8", "9"], || fftshift(&kernel, [2, 4]).collect());
        refused(&counter, &["lengths", "[5]", "5", "4"], || ifftshift(&signal, [5]).collect());
        refused(&counter, &["axis", "2"], || fftfreq_along([3, 4], 2, 1.0_f32).collect_on(&queue));
        refused(&counter, &["axis", "1"], || rfftfreq_along([3], 1, 1.0_f32).collect_on(&queue));
        refused(&counter, &["sizes", "1"], || Poisson::new(&queue, [8, 8], [1.0_f32]));
        // More points than a `usize` can count, or than an `isize` can count.
        for lengths in [[usize::MAX, 2, 2], [1 << 31, 1 << 31, 2]] {
            let words = ["lengths of a grid", &lengths[0].to_string()];
            refused(&counter, &words, || fftfreq_along(lengths, 0, 1.0_f32).collect_on(&queue));
            refused(&counter, &words, || rfftfreq_along(lengths, 0, 1.0_f32).take(3).collect_on(&queue));
            refused(&counter, &words, || fftshift(&kernel, lengths).collect());
            refused(&counter, &words, || ifftshift(1.0_f32, lengths).collect_on(&queue));
        }
        // A grid without points may have arbitrary other lengths.
        let none = fftfreq_along([0, usize::MAX, usize::MAX], 0, 1.0_f32).collect_on(&queue).unwrap();
        assert!(none.is_empty());
        assert!(fftshift(&none, [0, usize::MAX, usize::MAX]).collect().unwrap().is_empty());
    }
}

#[test]
fn doubles_where_there_are_none() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let fft = Fft::<f64>::c2c(&queue, [8]);
        match device.has_fp64().unwrap() {
            true => drop(fft.unwrap().normalized(Normalization::Root)),
            false => assert!(matches!(fft, Err(Error::Unsupported { .. }))),
        }
    }
}
