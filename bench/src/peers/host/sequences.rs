//! Algorithms on sequences, by the standard library with one thread, and by rayon with all threads.

use super::{HostPeer, expect_equal, expect_values};
use crate::cases::sets;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Restored;
use rayon::prelude::*;
use std::fmt::{Debug, Display};
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
    by_std("sum", "f32", |n| of_values(Source::f32s, n, |x| x.iter().sum(), check_sum)),
    by_std("sum", "f64", |n| of_values(Source::f64s, n, |x| x.iter().sum(), check_sum_of_f64)),
    by_std("sum", "u32", |n| {
        of_values(Source::u32s, n, |x| x.iter().fold(0, |a: u32, &b| a.wrapping_add(b)), check_whole_sum)
    }),
    by_rayon("sum", "f32", |n| of_values(Source::f32s, n, |x| x.par_iter().sum(), check_sum)),
    by_rayon("sum", "f64", |n| of_values(Source::f64s, n, |x| x.par_iter().sum(), check_sum_of_f64)),
    by_rayon("sum", "u32", |n| {
        of_values(Source::u32s, n, |x| x.par_iter().copied().reduce(|| 0, u32::wrapping_add), check_whole_sum)
    }),
    by_std("dot product", "f32", |n| dot(n, |x, y| x.iter().zip(y).map(|(x, y)| x * y).sum())),
    by_rayon("dot product", "f32", |n| dot(n, |x, y| x.par_iter().zip(y).map(|(x, y)| x * y).sum())),
    by_std("maximum", "f32", |n| {
        of_values(Source::f32s, n, |x| x.iter().copied().fold(0.0, f32::max), check_maximum)
    }),
    by_rayon("maximum", "f32", |n| {
        of_values(Source::f32s, n, |x| x.par_iter().copied().reduce(|| 0.0, f32::max), check_maximum)
    }),
    by_std("count_if", "f32", |n| {
        of_values(Source::f32s, n, |x| x.iter().filter(|&&x| x < 0.25).count(), check_count)
    }),
    by_rayon("count_if", "f32", |n| {
        of_values(Source::f32s, n, |x| x.par_iter().filter(|&&x| x < 0.25).count(), check_count)
    }),
    by_std("inclusive scan", "u32", scan),
    by_std("inclusive scan, 10000019 elements", "u32", scan),
    by_std("copy_if, half kept", "u32", |n| {
        let work = |x: &Vec<u32>, out: &mut Vec<u32>| {
            out.clear();
            out.extend(x.iter().copied().filter(|x| x & 1 == 1));
        };
        into(Source::fresh().u32s(n), Vec::with_capacity(n), work, |x, odd| check_odd(x, odd))
    }),
    by_rayon("copy_if, half kept", "u32", |n| {
        of_values(
            Source::u32s,
            n,
            |x| x.par_iter().copied().filter(|x| x & 1 == 1).collect::<Vec<u32>>(),
            |x, odd| check_odd(x, odd),
        )
    }),
    by_std("partition_copy, half", "u32", |n| {
        of_values(Source::u32s, n, |x| x.iter().partition::<Vec<u32>, _>(|&x| x & 1 == 1), check_parts)
    }),
    by_rayon("partition_copy, half", "u32", |n| {
        of_values(
            Source::u32s,
            n,
            |x| x.par_iter().partition::<Vec<u32>, Vec<u32>, _>(|&x| x & 1 == 1),
            check_parts,
        )
    }),
    by_std("unique, runs of 4", "u32", |n| unique(n, 4)),
    by_std("unique, runs of 1000", "u32", |n| unique(n, 1000)),
    by_std("reduce_by_key, runs of 4", "u32", |n| reduce_by_key(n, 4)),
    by_std("reduce_by_key, runs of 1000", "u32", |n| reduce_by_key(n, 1000)),
    by_std("set: union of two halves", "u32", |n| set_operation(n, sets::UNION)),
    by_std("set: intersection of two halves", "u32", |n| set_operation(n, sets::INTERSECTION)),
    by_std("lower bounds, random needles", "u32", |n| {
        searched(n, |x, needles, out| {
            for (to, needle) in out.iter_mut().zip(needles) {
                *to = x.partition_point(|x| x < needle) as u32;
            }
        })
    }),
    by_rayon("lower bounds, random needles", "u32", |n| {
        searched(n, |x, needles, out| {
            let targets = out.par_iter_mut().zip(needles);
            targets.for_each(|(to, needle)| *to = x.partition_point(|x| x < needle) as u32);
        })
    }),
    by_std("histogram, 256 bins", "u8", |n| {
        let count = |x: &[u8]| {
            let mut counts = [0_u32; 256];
            x.iter().for_each(|&x| counts[usize::from(x)] += 1);
            counts
        };
        of_values(Source::u8s, n, count, |x, counts| {
            for value in [0, 1, 254, 255] {
                let expected = x.iter().filter(|&&x| x == value).count();
                expect_equal(
                    format_args!("the count of {value}"),
                    counts[usize::from(value)] as usize,
                    expected,
                )?;
            }
            expect_equal("the sum of the counts", counts.iter().map(|&count| count as usize).sum(), x.len())
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
    by_std("select: the middle of random numbers", "f32", |n| selected(n, Source::f32s)),
    by_std("select: nth_element, in place", "f32", |n| selected(n, Source::f32s)),
    by_std("select: top 100", "f32", top_100),
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
    check: impl Fn(&[T], &R) -> Result<(), Failure>,
) -> Prepared {
    let values = fresh(&mut Source::fresh(), n);
    check(&values, &work(&values))?;
    Ok(super::step(move || {
        black_box(work(black_box(&values)));
    }))
}

/// Returns a step that fills a vector from values. The first result is verified.
fn into<T: 'static, R: 'static>(
    values: T,
    mut out: Vec<R>,
    mut work: impl FnMut(&T, &mut Vec<R>) + 'static,
    check: impl Fn(&T, &[R]) -> Result<(), Failure>,
) -> Prepared {
    work(&values, &mut out);
    check(&values, &out)?;
    Ok(super::step(move || {
        work(black_box(&values), &mut out);
        black_box(&mut out);
    }))
}

/// Returns an error unless a value is within the roundoff error of the exact value. `what` names the value.
fn expect_near(what: impl Display, found: f64, exact: f64, roundoff: f64) -> Result<(), Failure> {
    // The comparison also rejects NaN.
    if (found - exact).abs() <= roundoff * exact.abs() {
        return Ok(());
    }
    Err(format!("wrong result: {what} is {found}, expected {exact}").into())
}

/// Returns an error unless the sum is right, with the rounding errors of the standard library, which adds one
/// value after the other.
fn check_sum(x: &[f32], sum: &f32) -> Result<(), Failure> {
    expect_near("the sum", (*sum).into(), x.iter().map(|&x| f64::from(x)).sum(), 1e-2)
}

fn check_sum_of_f64(x: &[f64], sum: &f64) -> Result<(), Failure> {
    expect_near("the sum", *sum, x.chunks(1000).map(|x| x.iter().sum::<f64>()).sum(), 1e-9)
}

fn check_whole_sum(x: &[u32], sum: &u32) -> Result<(), Failure> {
    expect_equal("the sum", *sum, x.iter().map(|&x| u64::from(x)).sum::<u64>() as u32)
}

fn check_maximum(x: &[f32], max: &f32) -> Result<(), Failure> {
    expect_equal("the maximum", Some(max), x.iter().max_by(|a, b| a.total_cmp(b)))
}

fn check_count(x: &[f32], count: &usize) -> Result<(), Failure> {
    expect_equal("the count", *count, x.iter().map(|&x| usize::from(x < 0.25)).sum())
}

fn check_odd(x: &[u32], odd: &[u32]) -> Result<(), Failure> {
    expect_values(odd, x.iter().copied().filter(|x| x % 2 == 1))
}

fn check_parts(x: &[u32], (odd, even): &(Vec<u32>, Vec<u32>)) -> Result<(), Failure> {
    check_odd(x, odd)?;
    expect_values(even, x.iter().copied().filter(|x| x % 2 == 0))
}

fn saxpy(n: usize, work: fn(&mut [f32], &[f32], &[f32])) -> Prepared {
    let xy = [(); 2].map(|()| Source::fresh().f32s(n));
    let check = |[x, y]: &[Vec<f32>; 2], z: &[f32]| {
        let exact = x.iter().zip(y).map(|(&x, &y)| 2.5 * f64::from(x) + f64::from(y));
        for (i, (&z, exact)) in z.iter().zip(exact).enumerate() {
            expect_near(format_args!("element {i}"), z.into(), exact, 3e-7)?;
        }
        Ok(())
    };
    into(xy, vec![0.0; n], move |[x, y], z| work(z, x, y), check)
}

fn dot(n: usize, work: fn(&[f32], &[f32]) -> f32) -> Prepared {
    let xy = |source: &mut Source, n: usize| vec![source.f32s(n), source.f32s(n)];
    of_values(
        xy,
        n,
        move |xy| work(&xy[0], &xy[1]),
        |xy, dot| {
            let exact = xy[0].iter().zip(&xy[1]).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
            expect_near("the product", (*dot).into(), exact, 1e-2)
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
    let check = |x: &Vec<u32>, sums: &[u32]| {
        let before = [0].iter().chain(sums);
        expect_values(sums, before.zip(x).map(|(before, x)| before.wrapping_add(*x)))
    };
    into(Source::fresh().u32s(n), vec![0; n], add, check)
}

/// Returns a step that goes through two sorted sequences, with the loop of a merge.
fn set_operation(n: usize, keep: [bool; 3]) -> Prepared {
    let work = move |[a, b]: &[Vec<u32>; 2], out: &mut Vec<u32>| {
        out.clear();
        sets::kept(a, b, keep, out);
    };
    let check = move |[a, b]: &[Vec<u32>; 2], out: &[u32]| {
        // Elements of one sequence alone, as often as they occur there and not in the other one, and those of both.
        let count = |x: &[u32], value| x.partition_point(|&x| x <= value) - x.partition_point(|&x| x < value);
        let mut values = [&a[..], b].concat();
        values.sort_unstable();
        values.dedup();
        let expected = values.into_iter().flat_map(|value| {
            let (m, n) = (count(a, value), count(b, value));
            std::iter::repeat_n(value, if keep[0] { m.max(n) } else { m.min(n) })
        });
        expect_values(out, expected.collect::<Vec<_>>())
    };
    into(sets::sequences(n), Vec::with_capacity(n), work, check)
}

/// Returns a step that searches a sorted sequence for needles, and writes their positions.
fn searched(n: usize, work: fn(&[u32], &[u32], &mut [u32])) -> Prepared {
    let both = (Source::fresh().ascending(n), Source::fresh().u32s(n));
    let check = |(x, needles): &(Vec<u32>, Vec<u32>), positions: &[u32]| -> Result<(), Failure> {
        for (i, (&position, needle)) in positions.iter().zip(needles).enumerate() {
            let p = position as usize;
            if x.get(p).is_some_and(|x| x < needle) || (p > 0 && x.get(p - 1).is_none_or(|x| x >= needle)) {
                let expected = x.partition_point(|x| x < needle);
                return Err(format!("wrong result: element {i} is {position}, expected {expected}").into());
            }
        }
        Ok(())
    };
    into(both, vec![0; n], move |(x, needles), positions| work(x, needles, positions), check)
}

/// Returns a step that moves the same values around the one in the middle each time.
fn selected(n: usize, fresh: fn(&mut Source, usize) -> Vec<f32>) -> Prepared {
    let select = |x: &mut [f32]| {
        x.select_nth_unstable_by(x.len() / 2, f32::total_cmp);
    };
    let values = fresh(&mut Source::fresh(), n);
    let mut once = values.clone();
    select(&mut once);
    let (low, high) = once.split_at(n / 2);
    if high.iter().any(|x| low.iter().take(100).any(|y| x < y) || *x < high[0]) {
        return Err("wrong result: an element is on the wrong side".into());
    }
    Ok(super::restored(values, select))
}

/// Returns a step that moves the 100 largest values to the front and sorts them, from the same values each time.
fn top_100(n: usize) -> Prepared {
    let top = |x: &mut [f32]| {
        let k = x.len().min(100);
        if k < x.len() {
            x.select_nth_unstable_by(k, |a, b| b.total_cmp(a));
        }
        x[..k].sort_unstable_by(|a, b| b.total_cmp(a));
    };
    let values = Source::fresh().f32s(n);
    let (mut once, mut expected) = (values.clone(), values.clone());
    top(&mut once);
    expected.sort_unstable_by(|a, b| b.total_cmp(a));
    expect_values(&once[..n.min(100)], expected.into_iter().take(100))?;
    Ok(super::restored(values, top))
}

fn unique(n: usize, length: u64) -> Prepared {
    let work = |x: &Vec<u32>, out: &mut Vec<u32>| {
        out.clear();
        out.extend(x.chunk_by(u32::eq).map(|run| run[0]));
    };
    // The value of each run is one more than the value of the run before it; see `Source::runs`.
    let check = |x: &Vec<u32>, out: &[u32]| {
        expect_values(out, x.first().zip(x.last()).into_iter().flat_map(|(&first, &last)| first..=last))
    };
    into(Source::fresh().runs(n, length), Vec::with_capacity(n), work, check)
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
    let check = |(keys, values): &(Vec<u32>, Vec<u32>), out: &[(u32, u32)]| {
        let mut left = &values[..];
        let expected = keys.chunk_by(u32::eq).map(|run| {
            let (these, others) = left.split_at(run.len());
            left = others;
            (run[0], these.iter().map(|&value| u64::from(value)).sum::<u64>() as u32)
        });
        expect_values(out, expected)
    };
    into(both, Vec::with_capacity(n), work, check)
}

fn pairs(source: &mut Source, n: usize) -> Vec<(u32, u32)> {
    source.u32s(n).into_iter().zip(0..).collect()
}

/// Returns a step that sorts the same values each time. A first sort is verified here. Pairs are sorted by
/// their first fields.
fn sorted<T: Copy + PartialOrd + Debug + 'static>(
    fresh: fn(&mut Source, usize) -> Vec<T>,
    n: usize,
    sort: fn(&mut [T]),
) -> Prepared {
    let values = fresh(&mut Source::fresh(), n);
    let mut once = values.clone();
    sort(&mut once);
    if let Some(i) = once.windows(2).position(|two| !two.is_sorted()) {
        let [before, after] = [once[i], once[i + 1]];
        return Err(
            format!("wrong result: element {} is {after:?}, expected at least {before:?}", i + 1).into()
        );
    }
    Ok(super::restored(values, sort))
}
