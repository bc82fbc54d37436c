//! Algorithms on sequences: the standard library with one thread, rayon with all.

use super::HostPeer;
use crate::Failure;
use crate::data::Source;
use crate::timing::Restored;
use rayon::prelude::*;
use std::hint::black_box;

type Prepared = Result<Restored, Failure>;

const fn by_std(case: &'static str, element: &'static str, prepare: fn(usize) -> Prepared) -> HostPeer {
    HostPeer { name: "std", case, element, prepare }
}

const fn by_rayon(case: &'static str, element: &'static str, prepare: fn(usize) -> Prepared) -> HostPeer {
    HostPeer { name: "rayon", case, element, prepare }
}

pub(super) static ALL: &[HostPeer] = &[
    by_std("saxpy z = a x + y", "f32", |n| {
        let ([x, y], mut z) = (floats(n), vec![0.0; n]);
        step(move || {
            for ((z, x), y) in z.iter_mut().zip(&x).zip(&y) {
                *z = 2.5 * x + y;
            }
            black_box(&mut z);
        })
    }),
    by_rayon("saxpy z = a x + y", "f32", |n| {
        let ([x, y], mut z) = (floats(n), vec![0.0; n]);
        step(move || z.par_iter_mut().zip(&x).zip(&y).for_each(|((z, x), y)| *z = 2.5 * x + y))
    }),
    by_std("sum", "f32", |n| of_values(Source::f32s, n, |x| x.iter().sum::<f32>())),
    by_std("sum", "f64", |n| of_values(Source::f64s, n, |x| x.iter().sum::<f64>())),
    by_std("sum", "u32", |n| {
        of_values(Source::u32s, n, |x| x.iter().fold(0, |a: u32, &b| a.wrapping_add(b)))
    }),
    by_rayon("sum", "f32", |n| of_values(Source::f32s, n, |x| x.par_iter().sum::<f32>())),
    by_rayon("sum", "f64", |n| of_values(Source::f64s, n, |x| x.par_iter().sum::<f64>())),
    by_rayon("sum", "u32", |n| {
        of_values(Source::u32s, n, |x| x.par_iter().copied().reduce(|| 0, u32::wrapping_add))
    }),
    by_std("dot product", "f32", |n| {
        let [x, y] = floats(n);
        step(move || x.iter().zip(&y).map(|(x, y)| x * y).sum::<f32>())
    }),
    by_rayon("dot product", "f32", |n| {
        let [x, y] = floats(n);
        step(move || x.par_iter().zip(&y).map(|(x, y)| x * y).sum::<f32>())
    }),
    by_std("maximum", "f32", |n| of_values(Source::f32s, n, |x| x.iter().copied().fold(0.0, f32::max))),
    by_rayon("maximum", "f32", |n| {
        of_values(Source::f32s, n, |x| x.par_iter().copied().reduce(|| 0.0, f32::max))
    }),
    by_std("count_if", "f32", |n| of_values(Source::f32s, n, |x| x.iter().filter(|&&x| x < 0.25).count())),
    by_rayon("count_if", "f32", |n| {
        of_values(Source::f32s, n, |x| x.par_iter().filter(|&&x| x < 0.25).count())
    }),
    by_std("inclusive scan", "u32", |n| {
        let (x, mut sums) = (Source::fresh().u32s(n), vec![0; n]);
        step(move || {
            let mut sum = 0_u32;
            for (to, x) in sums.iter_mut().zip(&x) {
                sum = sum.wrapping_add(*x);
                *to = sum;
            }
            black_box(&mut sums);
        })
    }),
    by_std("copy_if, half kept", "u32", |n| {
        let (x, mut out) = (Source::fresh().u32s(n), Vec::with_capacity(n));
        step(move || {
            out.clear();
            out.extend(x.iter().copied().filter(|x| x & 1 == 1));
            black_box(&mut out);
        })
    }),
    by_rayon("copy_if, half kept", "u32", |n| {
        of_values(Source::u32s, n, |x| x.par_iter().copied().filter(|x| x & 1 == 1).collect::<Vec<u32>>())
    }),
    by_std("partition_copy, half", "u32", |n| {
        of_values(Source::u32s, n, |x| x.iter().partition::<Vec<u32>, _>(|&x| x & 1 == 1))
    }),
    by_rayon("partition_copy, half", "u32", |n| {
        of_values(Source::u32s, n, |x| x.par_iter().partition::<Vec<u32>, Vec<u32>, _>(|&x| x & 1 == 1))
    }),
    by_std("unique, runs of 4", "u32", |n| unique(n, 4)),
    by_std("unique, runs of 1000", "u32", |n| unique(n, 1000)),
    by_std("reduce_by_key, runs of 4", "u32", |n| reduce_by_key(n, 4)),
    by_std("reduce_by_key, runs of 1000", "u32", |n| reduce_by_key(n, 1000)),
    by_std("lower bounds, random needles", "u32", |n| {
        let (x, needles, mut out) = searched(n);
        step(move || {
            for (to, needle) in out.iter_mut().zip(&needles) {
                *to = x.partition_point(|x| x < needle) as u32;
            }
            black_box(&mut out);
        })
    }),
    by_rayon("lower bounds, random needles", "u32", |n| {
        let (x, needles, mut out) = searched(n);
        step(move || {
            let places = out.par_iter_mut().zip(&needles);
            places.for_each(|(to, needle)| *to = x.partition_point(|x| x < needle) as u32);
        })
    }),
    by_std("histogram, 256 bins", "u8", |n| {
        of_values(Source::u8s, n, |x| {
            let mut counts = [0_u32; 256];
            x.iter().for_each(|&x| counts[usize::from(x)] += 1);
            counts
        })
    }),
    by_std("sort", "u32", |n| sorted(Source::u32s, n, <[u32]>::sort_unstable)),
    by_std("sort", "u64", |n| sorted(Source::u64s, n, <[u64]>::sort_unstable)),
    by_std("sort", "f32", |n| sorted(Source::f32s, n, |x| x.sort_unstable_by(f32::total_cmp))),
    by_rayon("sort", "u32", |n| sorted(Source::u32s, n, <[u32]>::par_sort_unstable)),
    by_rayon("sort", "u64", |n| sorted(Source::u64s, n, <[u64]>::par_sort_unstable)),
    by_rayon("sort", "f32", |n| sorted(Source::f32s, n, |x| x.par_sort_unstable_by(f32::total_cmp))),
    by_std("merge sort of random numbers", "u32", |n| sorted(Source::u32s, n, <[u32]>::sort)),
    by_rayon("merge sort of random numbers", "u32", |n| sorted(Source::u32s, n, <[u32]>::par_sort)),
    by_std("sort_by_key, one vector of u32", "u32", |n| sorted(pairs, n, |x| x.sort_by_key(|(key, _)| *key))),
    by_rayon("sort_by_key, one vector of u32", "u32", |n| {
        sorted(pairs, n, |x| x.par_sort_by_key(|(key, _)| *key))
    }),
];

fn step<R>(mut work: impl FnMut() -> R + 'static) -> Prepared {
    Ok(super::step(move || {
        black_box(work());
    }))
}

/// A function of fresh values.
fn of_values<T: 'static, R>(
    fresh: fn(&mut Source, usize) -> Vec<T>,
    n: usize,
    work: impl Fn(&[T]) -> R + 'static,
) -> Prepared {
    let values = fresh(&mut Source::fresh(), n);
    step(move || work(black_box(&values)))
}

fn floats(n: usize) -> [Vec<f32>; 2] {
    [(); 2].map(|()| Source::fresh().f32s(n))
}

fn pairs(source: &mut Source, n: usize) -> Vec<(u32, u32)> {
    source.u32s(n).into_iter().zip(0..).collect()
}

/// A sequence in order, needles, and room for places.
fn searched(n: usize) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    (Source::fresh().ascending(n), Source::fresh().u32s(n), vec![0; n])
}

fn unique(n: usize, length: u64) -> Prepared {
    let (x, mut out) = (Source::fresh().runs(n, length), Vec::with_capacity(n));
    step(move || {
        out.clear();
        out.extend(x.chunk_by(u32::eq).map(|run| run[0]));
        black_box(&mut out);
    })
}

fn reduce_by_key(n: usize, length: u64) -> Prepared {
    let (keys, values) = (Source::fresh().runs(n, length), Source::fresh().u32s(n));
    let mut out: Vec<(u32, u32)> = Vec::with_capacity(n);
    step(move || {
        out.clear();
        for (&key, &value) in keys.iter().zip(&values) {
            match out.last_mut() {
                Some(run) if run.0 == key => run.1 = run.1.wrapping_add(value),
                _ => out.push((key, value)),
            }
        }
        black_box(&mut out);
    })
}

/// Sorts the same values each time.
fn sorted<T: Copy + 'static>(
    fresh: fn(&mut Source, usize) -> Vec<T>,
    n: usize,
    sort: fn(&mut [T]),
) -> Prepared {
    Ok(super::restored(fresh(&mut Source::fresh(), n), sort))
}
