//! Algorithms on sequences, by the standard library with one thread, and by rayon with all threads.

use super::HostPeer;
use crate::data::Source;
use crate::failure::Failure;
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
        saxpy(n, |z, x, y| {
            for ((z, x), y) in z.iter_mut().zip(x).zip(y) {
                *z = 2.5 * x + y;
            }
        })
    }),
    by_rayon("saxpy z = a x + y", "f32", |n| {
        saxpy(n, |z, x, y| z.par_iter_mut().zip(x).zip(y).for_each(|((z, x), y)| *z = 2.5 * x + y))
    }),
    by_std("sum", "f32", |n| of_values(Source::f32s, n, |x| x.iter().sum(), is_sum)),
    by_std("sum", "f64", |n| of_values(Source::f64s, n, |x| x.iter().sum(), is_sum_of_f64)),
    by_std("sum", "u32", |n| {
        of_values(Source::u32s, n, |x| x.iter().fold(0, |a: u32, &b| a.wrapping_add(b)), is_whole_sum)
    }),
    by_rayon("sum", "f32", |n| of_values(Source::f32s, n, |x| x.par_iter().sum(), is_sum)),
    by_rayon("sum", "f64", |n| of_values(Source::f64s, n, |x| x.par_iter().sum(), is_sum_of_f64)),
    by_rayon("sum", "u32", |n| {
        of_values(Source::u32s, n, |x| x.par_iter().copied().reduce(|| 0, u32::wrapping_add), is_whole_sum)
    }),
    by_std("dot product", "f32", |n| dot(n, |x, y| x.iter().zip(y).map(|(x, y)| x * y).sum())),
    by_rayon("dot product", "f32", |n| dot(n, |x, y| x.par_iter().zip(y).map(|(x, y)| x * y).sum())),
    by_std("maximum", "f32", |n| {
        of_values(Source::f32s, n, |x| x.iter().copied().fold(0.0, f32::max), is_maximum)
    }),
    by_rayon("maximum", "f32", |n| {
        of_values(Source::f32s, n, |x| x.par_iter().copied().reduce(|| 0.0, f32::max), is_maximum)
    }),
    by_std("count_if", "f32", |n| {
        of_values(Source::f32s, n, |x| x.iter().filter(|&&x| x < 0.25).count(), is_count)
    }),
    by_rayon("count_if", "f32", |n| {
        of_values(Source::f32s, n, |x| x.par_iter().filter(|&&x| x < 0.25).count(), is_count)
    }),
    by_std("inclusive scan", "u32", scan),
    by_std("inclusive scan, 10000019 elements", "u32", scan),
    by_std("copy_if, half kept", "u32", |n| {
        let work = |x: &Vec<u32>, out: &mut Vec<u32>| {
            out.clear();
            out.extend(x.iter().copied().filter(|x| x & 1 == 1));
        };
        into(Source::fresh().u32s(n), Vec::with_capacity(n), work, |x, odd| are_odd(x, odd))
    }),
    by_rayon("copy_if, half kept", "u32", |n| {
        of_values(
            Source::u32s,
            n,
            |x| x.par_iter().copied().filter(|x| x & 1 == 1).collect::<Vec<u32>>(),
            |x, odd| are_odd(x, odd),
        )
    }),
    by_std("partition_copy, half", "u32", |n| {
        of_values(Source::u32s, n, |x| x.iter().partition::<Vec<u32>, _>(|&x| x & 1 == 1), are_parts)
    }),
    by_rayon("partition_copy, half", "u32", |n| {
        of_values(
            Source::u32s,
            n,
            |x| x.par_iter().partition::<Vec<u32>, Vec<u32>, _>(|&x| x & 1 == 1),
            are_parts,
        )
    }),
    by_std("unique, runs of 4", "u32", |n| unique(n, 4)),
    by_std("unique, runs of 1000", "u32", |n| unique(n, 1000)),
    by_std("reduce_by_key, runs of 4", "u32", |n| reduce_by_key(n, 4)),
    by_std("reduce_by_key, runs of 1000", "u32", |n| reduce_by_key(n, 1000)),
    by_std("lower bounds, random needles", "u32", |n| {
        searched(n, |x, needles, out| {
            for (to, needle) in out.iter_mut().zip(needles) {
                *to = x.partition_point(|x| x < needle) as u32;
            }
        })
    }),
    by_rayon("lower bounds, random needles", "u32", |n| {
        searched(n, |x, needles, out| {
            let places = out.par_iter_mut().zip(needles);
            places.for_each(|(to, needle)| *to = x.partition_point(|x| x < needle) as u32);
        })
    }),
    by_std("histogram, 256 bins", "u8", |n| {
        let count = |x: &[u8]| {
            let mut counts = [0_u32; 256];
            x.iter().for_each(|&x| counts[usize::from(x)] += 1);
            counts
        };
        of_values(Source::u8s, n, count, |x, counts| {
            let of = |value: u8| x.iter().filter(|&&x| x == value).count();
            [0, 1, 254, 255].into_iter().all(|value| counts[usize::from(value)] as usize == of(value))
                && counts.iter().map(|&count| count as usize).sum::<usize>() == x.len()
        })
    }),
    by_std("sort", "u32", |n| sorted(Source::u32s, n, <[u32]>::sort_unstable)),
    by_std("sort", "u8", |n| sorted(Source::u8s, n, <[u8]>::sort_unstable)),
    by_std("sort", "u16", |n| sorted(Source::u16s, n, <[u16]>::sort_unstable)),
    by_std("sort", "i32", |n| sorted(Source::i32s, n, <[i32]>::sort_unstable)),
    by_std("sort", "f64", |n| sorted(Source::f64s, n, |x| x.sort_unstable_by(f64::total_cmp))),
    by_std("sort, 10000019 elements", "u32", |n| sorted(Source::u32s, n, <[u32]>::sort_unstable)),
    by_std("sort, already sorted", "u32", |n| sorted(Source::ascending, n, <[u32]>::sort_unstable)),
    by_std("sort, 16 values", "u32", |n| sorted(Source::few, n, <[u32]>::sort_unstable)),
    by_std("sort, mostly small", "u32", |n| sorted(Source::skewed, n, <[u32]>::sort_unstable)),
    by_std("sort", "u64", |n| sorted(Source::u64s, n, <[u64]>::sort_unstable)),
    by_std("sort", "f32", |n| sorted(Source::f32s, n, |x| x.sort_unstable_by(f32::total_cmp))),
    by_rayon("sort", "u32", |n| sorted(Source::u32s, n, <[u32]>::par_sort_unstable)),
    by_rayon("sort", "u8", |n| sorted(Source::u8s, n, <[u8]>::par_sort_unstable)),
    by_rayon("sort", "u16", |n| sorted(Source::u16s, n, <[u16]>::par_sort_unstable)),
    by_rayon("sort", "i32", |n| sorted(Source::i32s, n, <[i32]>::par_sort_unstable)),
    by_rayon("sort", "f64", |n| sorted(Source::f64s, n, |x| x.par_sort_unstable_by(f64::total_cmp))),
    by_rayon("sort, 10000019 elements", "u32", |n| sorted(Source::u32s, n, <[u32]>::par_sort_unstable)),
    by_rayon("sort, already sorted", "u32", |n| sorted(Source::ascending, n, <[u32]>::par_sort_unstable)),
    by_rayon("sort, 16 values", "u32", |n| sorted(Source::few, n, <[u32]>::par_sort_unstable)),
    by_rayon("sort, mostly small", "u32", |n| sorted(Source::skewed, n, <[u32]>::par_sort_unstable)),
    by_rayon("sort", "u64", |n| sorted(Source::u64s, n, <[u64]>::par_sort_unstable)),
    by_rayon("sort", "f32", |n| sorted(Source::f32s, n, |x| x.par_sort_unstable_by(f32::total_cmp))),
    by_std("merge sort of random numbers", "u32", |n| sorted(Source::u32s, n, <[u32]>::sort)),
    by_rayon("merge sort of random numbers", "u32", |n| sorted(Source::u32s, n, <[u32]>::par_sort)),
    by_std("sort_by_key, one vector of u32", "u32", |n| sorted(pairs, n, |x| x.sort_by_key(|(key, _)| *key))),
    by_rayon("sort_by_key, one vector of u32", "u32", |n| {
        sorted(pairs, n, |x| x.par_sort_by_key(|(key, _)| *key))
    }),
];

/// Returns a step that computes a result from fresh values. The first result is verified.
fn of_values<T: 'static, R: 'static>(
    fresh: fn(&mut Source, usize) -> Vec<T>,
    n: usize,
    work: impl Fn(&[T]) -> R + 'static,
    is_right: impl Fn(&[T], &R) -> bool,
) -> Prepared {
    let values = fresh(&mut Source::fresh(), n);
    expect(is_right(&values, &work(&values)))?;
    Ok(super::step(move || {
        black_box(work(black_box(&values)));
    }))
}

/// Returns a step that fills a vector from values. The first result is verified.
fn into<T: 'static, R: 'static>(
    values: T,
    mut out: Vec<R>,
    mut work: impl FnMut(&T, &mut Vec<R>) + 'static,
    is_right: impl Fn(&T, &[R]) -> bool,
) -> Prepared {
    work(&values, &mut out);
    expect(is_right(&values, &out))?;
    Ok(super::step(move || {
        work(black_box(&values), &mut out);
        black_box(&mut out);
    }))
}

fn expect(is_right: bool) -> Result<(), Failure> {
    if is_right { Ok(()) } else { Err("wrong result".into()) }
}

fn is_near(found: f64, exact: f64, roundoff: f64) -> bool {
    (found - exact).abs() <= roundoff * exact.abs()
}

/// Returns whether the sum is right, with the rounding errors of the standard library, which adds one value
/// after the other.
fn is_sum(x: &[f32], sum: &f32) -> bool {
    is_near((*sum).into(), x.iter().map(|&x| f64::from(x)).sum(), 1e-2)
}

fn is_sum_of_f64(x: &[f64], sum: &f64) -> bool {
    is_near(*sum, x.chunks(1000).map(|x| x.iter().sum::<f64>()).sum(), 1e-9)
}

fn is_whole_sum(x: &[u32], sum: &u32) -> bool {
    x.iter().map(|&x| u64::from(x)).sum::<u64>() as u32 == *sum
}

fn is_maximum(x: &[f32], max: &f32) -> bool {
    x.contains(max) && x.iter().all(|x| x <= max)
}

fn is_count(x: &[f32], count: &usize) -> bool {
    x.iter().map(|&x| usize::from(x < 0.25)).sum::<usize>() == *count
}

fn are_odd(x: &[u32], odd: &[u32]) -> bool {
    x.iter().filter(|&x| x % 2 == 1).eq(odd)
}

fn are_parts(x: &[u32], (odd, even): &(Vec<u32>, Vec<u32>)) -> bool {
    are_odd(x, odd) && x.iter().filter(|&x| x % 2 == 0).eq(even)
}

fn saxpy(n: usize, work: fn(&mut [f32], &[f32], &[f32])) -> Prepared {
    let xy = [(); 2].map(|()| Source::fresh().f32s(n));
    let is_right = |[x, y]: &[Vec<f32>; 2], z: &[f32]| {
        let exact = x.iter().zip(y).map(|(&x, &y)| 2.5 * f64::from(x) + f64::from(y));
        z.iter().zip(exact).all(|(&z, exact)| is_near(z.into(), exact, 3e-7))
    };
    into(xy, vec![0.0; n], move |[x, y], z| work(z, x, y), is_right)
}

fn dot(n: usize, work: fn(&[f32], &[f32]) -> f32) -> Prepared {
    let xy = |source: &mut Source, n: usize| vec![source.f32s(n), source.f32s(n)];
    of_values(
        xy,
        n,
        move |xy| work(&xy[0], &xy[1]),
        |xy, dot| {
            let exact = xy[0].iter().zip(&xy[1]).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
            is_near((*dot).into(), exact, 1e-2)
        },
    )
}

fn scan(n: usize) -> Prepared {
    let add = |x: &Vec<u32>, sums: &mut Vec<u32>| {
        let mut sum = 0_u32;
        for (to, x) in sums.iter_mut().zip(x) {
            sum = sum.wrapping_add(*x);
            *to = sum;
        }
    };
    let is_right = |x: &Vec<u32>, sums: &[u32]| {
        let before = [0].iter().chain(sums);
        sums.iter().zip(before).zip(x).all(|((sum, before), x)| sum.wrapping_sub(*before) == *x)
    };
    into(Source::fresh().u32s(n), vec![0; n], add, is_right)
}

/// Returns a step that searches a sorted sequence for needles, and writes their positions.
fn searched(n: usize, work: fn(&[u32], &[u32], &mut [u32])) -> Prepared {
    let both = (Source::fresh().ascending(n), Source::fresh().u32s(n));
    let is_right = |(x, needles): &(Vec<u32>, Vec<u32>), places: &[u32]| {
        places.iter().zip(needles).all(|(&place, needle)| {
            let place = place as usize;
            x.get(place).is_none_or(|x| x >= needle) && (place == 0 || x[place - 1] < *needle)
        })
    };
    into(both, vec![0; n], move |(x, needles), places| work(x, needles, places), is_right)
}

fn unique(n: usize, length: u64) -> Prepared {
    let work = |x: &Vec<u32>, out: &mut Vec<u32>| {
        out.clear();
        out.extend(x.chunk_by(u32::eq).map(|run| run[0]));
    };
    // The value of each run is one more than the value of the run before it; see `Source::runs`.
    let is_right = |x: &Vec<u32>, out: &[u32]| {
        x.first() == out.first() && x.last() == out.last() && out.windows(2).all(|two| two[1] == two[0] + 1)
    };
    into(Source::fresh().runs(n, length), Vec::with_capacity(n), work, is_right)
}

fn reduce_by_key(n: usize, length: u64) -> Prepared {
    let both = (Source::fresh().runs(n, length), Source::fresh().u32s(n));
    let work = |(keys, values): &(Vec<u32>, Vec<u32>), out: &mut Vec<(u32, u32)>| {
        out.clear();
        for (&key, &value) in keys.iter().zip(values) {
            match out.last_mut() {
                Some(run) if run.0 == key => run.1 = run.1.wrapping_add(value),
                _ => out.push((key, value)),
            }
        }
    };
    let is_right = |(keys, values): &(Vec<u32>, Vec<u32>), out: &[(u32, u32)]| {
        let mut left = &values[..];
        keys.chunk_by(u32::eq)
            .map(|run| {
                let (these, others) = left.split_at(run.len());
                left = others;
                (run[0], these.iter().map(|&value| u64::from(value)).sum::<u64>() as u32)
            })
            .eq(out.iter().copied())
    };
    into(both, Vec::with_capacity(n), work, is_right)
}

fn pairs(source: &mut Source, n: usize) -> Vec<(u32, u32)> {
    source.u32s(n).into_iter().zip(0..).collect()
}

/// Returns a step that sorts the same values each time. A first sort is verified here. Pairs are sorted by
/// their first fields.
fn sorted<T: Copy + PartialOrd + 'static>(
    fresh: fn(&mut Source, usize) -> Vec<T>,
    n: usize,
    sort: fn(&mut [T]),
) -> Prepared {
    let values = fresh(&mut Source::fresh(), n);
    let mut once = values.clone();
    sort(&mut once);
    expect(once.is_sorted() && once.len() == values.len())?;
    Ok(super::restored(values, sort))
}
