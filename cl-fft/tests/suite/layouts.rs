//! Several axes, batches, strides and distances, in place or not, in both shapes of kernels.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::reference::{Layout, UNIT, along_axes, bound, difference, noise, real};
use cl_algo::DeviceProfile;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_fft::plan::DeviceLimits;
use cl_fft::{Fft, Normalization, Planner, Problem, RealFft};
use cl_test::forced;

/// Runs a test for both shapes of kernels.
fn each_shape(test: impl Fn(&Queue)) {
    for device in cl_test::devices().iter().chain(&forced::gpus()) {
        test(&Queue::on(device).unwrap());
    }
}

fn floats(points: &[Complex<f64>]) -> Vec<Complex<f32>> {
    points.iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect()
}

/// One case: lengths, axes, batch, and the layouts of input and output.
struct Case {
    lengths: Vec<usize>,
    axes: Vec<usize>,
    batch: usize,
    input: Option<Layout>,
    output: Option<Layout>,
}

impl Case {
    fn new(lengths: &[usize], axes: &[usize], batch: usize) -> Case {
        Case { lengths: lengths.to_vec(), axes: axes.to_vec(), batch, input: None, output: None }
    }

    fn with(self, input: (&[usize], usize), output: (&[usize], usize)) -> Case {
        let layout = |(strides, distance): (&[usize], usize)| Layout { strides: strides.to_vec(), distance };
        Case { input: Some(layout(input)), output: Some(layout(output)), ..self }
    }

    fn problem(&self) -> Problem {
        let mut problem = Problem::new(&self.lengths).axes(&self.axes).batch(self.batch);
        if let Some(Layout { strides, distance }) = &self.input {
            problem = problem.input(strides, *distance);
        }
        if let Some(Layout { strides, distance }) = &self.output {
            problem = problem.output(strides, *distance);
        }
        problem
    }

    fn check(&self, queue: &Queue, inverse: bool) {
        let points: usize = self.lengths.iter().product();
        let input = self.input.clone().unwrap_or_else(|| Layout::dense(&self.lengths));
        let output = self.output.clone().unwrap_or_else(|| Layout::dense(&self.lengths));
        let (from, to) =
            (input.addresses(&self.lengths, self.batch), output.addresses(&self.lengths, self.batch));
        let dense = noise(points * self.batch, 7);
        // Gaps between the points are NaN, and must not matter.
        let mut host = vec![Complex::new(f32::NAN, f32::NAN); from.iter().max().unwrap() + 1];
        from.iter().zip(floats(&dense)).for_each(|(&at, z)| host[at] = z);
        let x = DeviceVec::from_slice(queue, &host).unwrap();
        let untouched = Complex::new(-7.0, 7.0);
        let mut y = DeviceVec::filled(queue, untouched, to.iter().max().unwrap() + 1).unwrap();
        let fft = Fft::c2c(queue, self.problem()).unwrap().normalized(Normalization::None);
        if inverse { fft.inverse_into(&mut y, &x) } else { fft.forward_into(&mut y, &x) }.unwrap();
        let mut result = y.to_vec().unwrap();
        let got: Vec<_> = to.iter().map(|&at| std::mem::replace(&mut result[at], untouched)).collect();
        let expected: Vec<_> = dense
            .chunks(points)
            .flat_map(|part| along_axes(part, &self.lengths, &self.axes, inverse))
            .collect();
        let all: usize = self.axes.iter().map(|&axis| self.lengths[axis]).product();
        let error = difference(&got, &expected) / bound(all, UNIT);
        assert!(error <= 1.0, "{:?} {inverse}: {error}", self.problem());
        assert!(result.iter().all(|&z| z == untouched), "{:?} wrote between its points", self.problem());
        if self.input.is_none() && self.output.is_none() {
            let mut y = DeviceVec::from_slice(queue, &host).unwrap();
            if inverse { fft.inverse_in_place(&mut y) } else { fft.forward_in_place(&mut y) }.unwrap();
            let error = difference(&y.to_vec().unwrap(), &expected) / bound(all, UNIT);
            assert!(error <= 1.0, "{:?} {inverse} in place: {error}", self.problem());
        }
    }
}

#[test]
fn axes() {
    each_shape(|queue| {
        Case::new(&[3, 12, 20], &[1], 2).check(queue, false);
        Case::new(&[4, 5, 6], &[0, 1, 2], 2).check(queue, false);
        Case::new(&[17, 1, 6], &[2, 0], 2).check(queue, true);
    });
}

#[test]
fn strides_and_distances() {
    each_shape(|queue| {
        // Interleaved transforms, to rows and back.
        Case::new(&[20], &[0], 3).with((&[3], 1), (&[1], 20)).check(queue, false);
        Case::new(&[20], &[0], 35).with((&[1], 20), (&[35], 1)).check(queue, true);
        Case::new(&[20], &[0], 35).with((&[35], 1), (&[35], 1)).check(queue, false);
        // Gaps between points and transforms; a transposition.
        Case::new(&[20], &[0], 3).with((&[2], 41), (&[3], 100)).check(queue, false);
        Case::new(&[12, 20], &[0, 1], 2).with((&[20, 1], 240), (&[1, 12], 240)).check(queue, false);
        Case::new(&[12, 20], &[1], 2).with((&[25, 1], 300), (&[1, 13], 261)).check(queue, true);
        // The first and the last of eight lines are seven indices apart, but the lines between them are not in order.
        Case::new(&[2, 2, 2, 20], &[3], 1)
            .with((&[80, 40, 20, 1], 160), (&[1, 2, 4, 8], 160))
            .check(queue, false);
    });
}

#[test]
fn long_lines_beside_each_other() {
    each_shape(|queue| {
        // Too long for one kernel, along an axis that is not the last; also with a large prime factor.
        Case::new(&[16_384, 3], &[0], 1).check(queue, false);
        Case::new(&[3, 8209], &[1], 1).with((&[1, 3], 24_627), (&[8209, 1], 24_627)).check(queue, true);
    });
}

#[test]
fn long_lines_take_turns() {
    each_shape(|queue| {
        let limits = DeviceLimits::of(&DeviceProfile::of(queue.device()).unwrap());
        // Turns of fewer columns than the grid has; a batch that cannot be divided evenly, by a chirp in several
        // passes.
        for (lengths, axes, batch) in [(&[16_384, 6][..], &[0][..], 1), (&[8209], &[0], 5)] {
            let points: usize = lengths.iter().product::<usize>() * batch;
            let host = noise(points, 9);
            let planner = Planner::new(queue);
            let planner = planner.with_limits(DeviceLimits { resident: 500_000, ..limits.clone() });
            let fft = planner.c2c::<f32>(Problem::new(lengths).axes(axes).batch(batch)).unwrap();
            let turns = &fft.recipe().turns;
            assert!(turns.len() == 1 && turns[0].at_once < turns[0].units, "{lengths:?}: {turns:?}");
            let single = points / batch;
            let expected: Vec<_> =
                host.chunks(single).flat_map(|part| along_axes(part, lengths, axes, false)).collect();
            let mut y = DeviceVec::from_slice(queue, &floats(&host)).unwrap();
            fft.forward_in_place(&mut y).unwrap();
            let error = difference(&y.to_vec().unwrap(), &expected) / bound(lengths[0], UNIT);
            assert!(error <= 1.0, "{lengths:?} x {batch}: {error}");
        }
    });
}

#[test]
fn real_numbers() {
    each_shape(|queue| {
        for n in [2, 20, 45] {
            real(queue, &[n], &[0], 20);
        }
        real(queue, &[19], &[0], 2); // by Rader's permutation
        real(queue, &[46], &[0], 2); // by a chirp
        real(queue, &[3, 4, 20], &[1, 2], 2);
        real(queue, &[12, 5], &[0], 2);
    });
}

#[test]
fn frames_of_real_numbers_overlap() {
    each_shape(|queue| {
        // Even and odd lengths, by Rader's permutation and by a chirp. Hops of any size, and of zero: the same frame
        // again and again.
        for (n, batch, stride, hop) in [
            (2, 3, 1, 1),
            (20, 40, 1, 5),
            (20, 7, 1, 3),
            (45, 9, 1, 16),
            (20, 9, 3, 1),
            (20, 3, 1, 0),
            (8, 3, 0, 1),
        ]
        .into_iter()
        .chain([(19, 5, 1, 4), (46, 5, 1, 7)])
        {
            let problem = Problem::new([n]).batch(batch).input([stride], hop);
            let reals: Vec<f32> =
                noise((n - 1) * stride + (batch - 1) * hop + 1, 6).iter().map(|z| z.re as f32).collect();
            let x = DeviceVec::from_slice(queue, &reals).unwrap();
            let half =
                RealFft::new_on(queue, problem.clone()).unwrap().forward(&x).unwrap().to_vec().unwrap();
            let frame = |b: usize| (0..n).map(move |j| b * hop + j * stride);
            let expected: Vec<_> = (0..batch)
                .flat_map(|b| {
                    let points: Vec<_> = frame(b).map(|at| Complex::new(reals[at].into(), 0.0)).collect();
                    along_axes(&points, &[n], &[0], false).into_iter().take(n / 2 + 1)
                })
                .collect();
            let error = difference(&half, &expected) / bound(n, UNIT);
            assert!(error <= 1.0, "{problem:?}: {error}");
        }
    });
}

#[test]
fn long_frames_of_real_numbers_overlap() {
    each_shape(|queue| {
        // Longer than one kernel, with frames that are neighbours in memory, and with others.
        let n = if DeviceProfile::of(queue.device()).unwrap().chunked { 32_768 } else { 39_366 };
        for (batch, hop) in [(3, 1), (2, n / 2)] {
            let problem = Problem::new([n]).batch(batch).input([1], hop);
            let reals: Vec<f32> = noise(n + (batch - 1) * hop, 8).iter().map(|z| z.re as f32).collect();
            let x = DeviceVec::from_slice(queue, &reals).unwrap();
            let half =
                RealFft::new_on(queue, problem.clone()).unwrap().forward(&x).unwrap().to_vec().unwrap();
            let expected: Vec<_> = (0..batch)
                .flat_map(|b| {
                    let points: Vec<_> =
                        reals[b * hop..][..n].iter().map(|&x| Complex::new(x.into(), 0.0)).collect();
                    along_axes(&points, &[n], &[0], false).into_iter().take(n / 2 + 1)
                })
                .collect();
            let error = difference(&half, &expected) / bound(n, UNIT);
            assert!(error <= 1.0, "{problem:?}: {error}");
        }
    });
}

#[test]
fn long_real_numbers() {
    each_shape(|queue| {
        // The forward transform takes two kernels. The last one has an even or an odd number of lines, which are
        // neighbours in memory or not.
        if DeviceProfile::of(queue.device()).unwrap().chunked {
            real(queue, &[32_768, 3], &[0], 1);
        } else {
            real(queue, &[39_366], &[0], 2);
        }
    });
}

/// Transforms rows of real numbers forward and back, in place.
fn real_in_place(queue: &Queue, lengths: &[usize], batch: usize) {
    let fft = RealFft::<f32>::new_on(queue, Problem::new(lengths).batch(batch).padded_rows()).unwrap();
    let apart = RealFft::<f32>::new_on(queue, Problem::new(lengths).batch(batch)).unwrap();
    let n = lengths[lengths.len() - 1];
    let (rows, room) = (lengths.iter().product::<usize>() / n * batch, 2 * (n / 2 + 1));
    let reals: Vec<f32> = noise(rows * n, 5).iter().map(|z| z.re as f32).collect();
    // The padding of the rows is NaN, and must not matter.
    let mut padded = vec![f32::NAN; rows * room];
    reals.chunks(n).enumerate().for_each(|(row, line)| padded[row * room..][..n].copy_from_slice(line));
    let mut x = DeviceVec::from_slice(queue, &padded).unwrap();
    let expected = apart.forward(DeviceVec::from_slice(queue, &reals).unwrap()).unwrap().to_vec().unwrap();
    let wide: Vec<_> = expected.iter().map(|z| Complex::new(f64::from(z.re), f64::from(z.im))).collect();
    let all: usize = lengths.iter().product();
    for round in 0..2 {
        fft.forward_in_place(&mut x).unwrap();
        let half = x.reinterpret::<Complex<f32>>().collect().unwrap().to_vec().unwrap();
        let error = difference(&half, &wide) / (f64::from(1 + 2 * round) * bound(all, UNIT));
        assert!(error <= 1.0, "{lengths:?} x {batch}, round {round}: {error}");
        fft.inverse_in_place(&mut x).unwrap();
    }
    let back = x.to_vec().unwrap();
    let parts =
        |numbers: &[f32]| numbers.iter().map(|&x| Complex::new(f64::from(x), 0.0)).collect::<Vec<_>>();
    let got: Vec<f32> = back.chunks(room).flat_map(|row| row[..n].iter().copied()).collect();
    let error = difference(&parts(&got), &parts(&reals)) / (4.0 * bound(all, UNIT));
    assert!(error <= 1.0, "{lengths:?} x {batch} and back: {error}");
}

#[test]
fn real_numbers_in_place() {
    each_shape(|queue| {
        for n in [1, 2, 3, 20, 45] {
            real_in_place(queue, &[n], 21);
        }
        real_in_place(queue, &[19], 2); // by Rader's permutation
        real_in_place(queue, &[46], 2); // by a chirp
        real_in_place(queue, &[3, 4, 20], 2);
        real_in_place(queue, &[5, 7], 1);
    });
}

#[test]
fn long_real_numbers_in_place() {
    each_shape(|queue| {
        let long = if DeviceProfile::of(queue.device()).unwrap().chunked { 32_768 } else { 39_366 };
        real_in_place(queue, &[long], 2);
    });
}

#[test]
fn new_vectors_of_other_orders() {
    each_shape(|queue| {
        // A transposition leaves no gaps, so that a new vector can hold the result.
        let host = noise(240, 4);
        let x = DeviceVec::from_slice(queue, &floats(&host)).unwrap();
        let fft = Fft::c2c(queue, Problem::new([12, 20]).axes([1]).output([1, 12], 240)).unwrap();
        let turned = fft.forward(&x).unwrap().to_vec().unwrap();
        let rows = along_axes(&host, &[12, 20], &[1], false);
        let expected: Vec<_> = (0..240).map(|at| rows[at % 12 * 20 + at / 12]).collect();
        assert!(difference(&turned, &expected) <= bound(20, UNIT));
    });
}
