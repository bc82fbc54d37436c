//! Steps that evaluate expressions: assignments, folds, searches, scans, selections, operations by key.

use crate::expression::Ex;
use crate::finding::{Outcome, equal, refused, same};
use crate::target::{Target, at, put};
use crate::world::World;
use cl_algo::prelude::*;
use cl_algo::stl::{
    adjacent_difference, assign_if, copy_if, count_if, exclusive_scan, exclusive_scan_by_key, find,
    histogram, inclusive_scan, inclusive_scan_by_key, inner_product, is_sorted, lower_bounds, merge,
    partition, reduce_by_key, remove_copy_if, sort, unique, unique_by_key,
};
use cl_algo::{mapped, zip};

/// A function that computes one value from an expression, for the host.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fold {
    Sum,
    /// The sum as `i64`.
    WideSum,
    Extremes,
    Largest,
    SmallestElement,
    Count,
    Position,
    IsSorted,
    Product,
}

pub(crate) const FOLDS: [Fold; 9] = [
    Fold::Sum,
    Fold::WideSum,
    Fold::Extremes,
    Fold::Largest,
    Fold::SmallestElement,
    Fold::Count,
    Fold::Position,
    Fold::IsSorted,
    Fold::Product,
];

/// A function that computes a sequence from an expression and stores it in a view.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Store {
    Assign,
    /// The sum of the view's elements and the expression.
    Add,
    If,
    Mapped,
    InclusiveScan,
    ExclusiveScan,
    ScanByKey,
    /// The sum of each run of equal keys. The keys are `x & 3`, unlike those of `ReduceByKey`, which are the
    /// values.
    SumsByKey,
    SumsBefore,
    UniqueByKey,
    CopyIf,
    RemoveCopyIf,
    Partition,
    Unique,
    ReduceByKey,
    Difference,
}

pub(crate) const STORES: [Store; 16] = [
    Store::Assign,
    Store::Add,
    Store::If,
    Store::Mapped,
    Store::InclusiveScan,
    Store::ExclusiveScan,
    Store::ScanByKey,
    Store::SumsByKey,
    Store::SumsBefore,
    Store::UniqueByKey,
    Store::CopyIf,
    Store::RemoveCopyIf,
    Store::Partition,
    Store::Unique,
    Store::ReduceByKey,
    Store::Difference,
];

/// Computes `fold` of the expression and compares it with the model's.
pub(crate) fn fold(world: &World, fold: Fold, ex: &Ex) -> Outcome {
    let (host, device) = (ex.on_host(world), ex.on_device(world)?);
    let sum = |x: &[i32]| x.iter().fold(0_i32, |a, &b| a.wrapping_add(b));
    match fold {
        Fold::Sum => equal("the sum", device.sum()?, sum(&host)),
        Fold::WideSum => {
            equal("the sum as i64", device.sum_as::<i64>()?, host.iter().map(|&x| i64::from(x)).sum())
        }
        Fold::Extremes => {
            let (least, most) = (host.iter().copied().min(), host.iter().copied().max());
            equal("the extremes", device.reduce_minmax()?, least.zip(most))
        }
        Fold::Product => {
            let squares: Vec<i32> = host.iter().map(|x| x.wrapping_mul(*x)).collect();
            equal("the inner product", inner_product(device.clone(), device, 0)?, sum(&squares))
        }
        Fold::Largest => equal("the largest", device.reduce_max()?, host.iter().copied().max()),
        Fold::SmallestElement => {
            let expected = host.iter().copied().enumerate().min_by_key(|&(i, x)| (x, i));
            equal("the smallest element", device.min_element()?, expected)
        }
        Fold::Count => {
            let expected = host.iter().filter(|&&x| x > 3).count();
            equal("the count", count_if(device, |x| x.gt(3))?, expected)
        }
        Fold::Position => {
            let expected = host.iter().position(|&x| x == 7);
            equal("the position", find(device, 7)?, expected)
        }
        Fold::IsSorted => equal("the result of is_sorted", is_sorted(device)?, host.is_sorted()),
    }
}

/// Replaces a scalar by the sum of the expression, which stays on the device.
pub(crate) fn scalar(world: &mut World, into: usize, ex: &Ex) -> Outcome {
    let expected = ex.on_host(world).iter().fold(0_i32, |a, &b| a.wrapping_add(b));
    let made = ex.on_device(world)?.sum_on_device()?;
    (world.scalars[into], world.host_scalars[into]) = (made, expected);
    Ok(())
}

/// Evaluates the expression into a new vector, which replaces the vector `into` of `world`.
pub(crate) fn collect(world: &mut World, into: usize, ex: &Ex) -> Outcome {
    world.change(into, |world, device, host| {
        let made = ex.on_device(world)?.collect_on(world.main_queue())?;
        (*device, *host) = (made, ex.on_host(world));
        Ok(())
    })
}

/// Stores a sequence computed from the expression in the view, from position `start` on. A longer expression
/// is shortened to the view.
pub(crate) fn store(world: &mut World, store: Store, target: &Target, ex: &Ex, start: usize) -> Outcome {
    world.change(target.vector, |world, device, host| {
        let positions = target.positions(host.len());
        let values = ex.on_host(world);
        let n = values.len().min(positions.len());
        let start = start % (positions.len() - n + 1);
        let positions = &positions[start..start + n];
        let values = &values[..n];
        let before = at(host, positions);
        let x = ex.on_device(world)?.take(n);
        let into = |device| Target::view(target, device).slice(start..start + n);
        let scan = |first: Option<i32>| {
            let mut sum = 0_i32;
            let mut sums: Vec<i32> = first.into_iter().collect();
            sum = sum.wrapping_add(first.unwrap_or(0));
            sums.extend(values.iter().map(|&x| {
                sum = sum.wrapping_add(x);
                sum
            }));
            sums.truncate(n);
            sums
        };
        let mut runs: Vec<(i32, i32)> = Vec::new();
        for &value in values {
            match runs.last_mut() {
                Some((key, length)) if *key == value => *length += 1,
                _ => runs.push((value, 1)),
            }
        }
        // For each run of equal `value & 3`: the first value, and the sums of its first 0, 1, 2, ... values.
        let mut by_key: Vec<(i32, Vec<i32>)> = Vec::new();
        for &value in values {
            match by_key.last_mut() {
                Some((first, sums)) if *first & 3 == value & 3 => {
                    sums.push(sums[sums.len() - 1].wrapping_add(value));
                }
                _ => by_key.push((value, vec![0, value])),
            }
        }
        let chosen = |yes: bool| values.iter().copied().filter(move |&x| (x > 2) == yes);
        match store {
            Store::Assign => {
                assign(into(device), x)?;
                put(host, positions, values.iter().copied());
            }
            Store::Add => {
                assign_with(into(device), |own| own + x)?;
                put(host, positions, values.iter().zip(before).map(|(x, own)| x.wrapping_add(own)));
            }
            Store::If => {
                assign_if(into(device), x.clone().lt(1), x)?;
                put(host, positions, values.iter().zip(before).map(|(&x, own)| if x < 1 { x } else { own }));
            }
            Store::Mapped => {
                assign(mapped(into(device), |x: Val<i32>| x ^ 5), x)?;
                put(host, positions, values.iter().map(|x| x ^ 5));
            }
            Store::InclusiveScan => {
                inclusive_scan(x, into(device))?;
                put(host, positions, scan(None));
            }
            Store::ExclusiveScan => {
                exclusive_scan(x, 9, into(device))?;
                put(host, positions, scan(Some(9)));
            }
            Store::ScanByKey => {
                inclusive_scan_by_key(x, 2, into(device))?;
                put(host, positions, runs.iter().flat_map(|&(_, length)| (1..=length).map(|i| 2 * i)));
            }
            Store::SumsByKey => {
                let count = reduce_by_key(x.clone() & 3, x, Discard, into(device))?;
                put(host, positions, by_key.iter().map(|(_, sums)| sums[sums.len() - 1]));
                equal("the number of runs", count.get()?, by_key.len() as u64)?;
            }
            Store::SumsBefore => {
                exclusive_scan_by_key(x.clone() & 3, x, 4, into(device))?;
                let sums = by_key.iter().flat_map(|(_, sums)| &sums[..sums.len() - 1]);
                put(host, positions, sums.map(|sum| sum.wrapping_add(4)));
            }
            Store::UniqueByKey => {
                let count = unique_by_key(x.clone() & 3, x, Val::eq, (Discard, into(device)))?;
                put(host, positions, by_key.iter().map(|run| run.0));
                equal("the number of runs", count.get()?, by_key.len() as u64)?;
            }
            Store::CopyIf => {
                let count = copy_if(x, |x| x.gt(2), into(device))?;
                put(host, positions, chosen(true));
                equal("the number of copies", count.get()?, chosen(true).count() as u64)?;
            }
            Store::RemoveCopyIf => {
                let count = remove_copy_if(x, |x| x.gt(2), into(device))?;
                put(host, positions, chosen(false));
                equal("the number of copies", count.get()?, chosen(false).count() as u64)?;
            }
            Store::Partition => {
                let count = partition(x, |x| x.gt(2), into(device))?;
                put(host, positions, chosen(true).chain(chosen(false)));
                equal("the first part", count.get()?, chosen(true).count() as u64)?;
            }
            Store::Unique => {
                let count = unique(x, into(device))?;
                put(host, positions, runs.iter().map(|run| run.0));
                equal("the number of runs", count.get()?, runs.len() as u64)?;
            }
            Store::ReduceByKey => {
                let count = reduce_by_key(x, 1, Discard, into(device))?;
                put(host, positions, runs.iter().map(|run| run.1));
                equal("the number of runs", count.get()?, runs.len() as u64)?;
            }
            Store::Difference => {
                adjacent_difference(x, |a, b| a - b, into(device))?;
                let rest = values.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
                put(host, positions, values.first().copied().into_iter().chain(rest));
            }
        }
        Ok(())
    })
}

/// Makes calls that must be refused, and must change nothing but what fits into a slice.
pub(crate) fn refuse(world: &mut World, which: usize, target: &Target, ex: &Ex) -> Outcome {
    world.change(target.vector, |world, device, host| {
        let (positions, values) = (target.positions(host.len()), ex.on_host(world).len());
        let x = ex.on_device(world)?;
        match which % 8 {
            0 if values != positions.len() => {
                refused("assign of another length", assign(target.view(device), x))
            }
            1 => refused("slice beyond the end", x.slice(..=values).collect_on(world.main_queue())),
            2 => refused("step_by(0)", x.step_by(0).collect_on(world.main_queue())),
            3 => refused("sum of two lengths", (x.clone() + x.take(values.saturating_sub(1))).sum())
                .or_else(|finding| if values == 0 { Ok(()) } else { Err(finding) }),
            4 => refused("view beyond the end", assign(device.slice_mut(1..host.len() + 2), 1)),
            5 if values != positions.len() => {
                refused("scan into another length", inclusive_scan(x, target.view(device)))
            }
            6 if values > positions.len() && !target.is_slice(host.len()) => {
                refused("copy_if into too short a view", copy_if(x, |x| x.gt(0), target.view(device)))
            }
            6 if values > positions.len() => {
                refused(
                    "partition into too short a slice",
                    partition(x.clone(), |x| x.gt(0), target.view(device)),
                )?;
                // A slice needs room for the selected items only.
                let kept = ex.on_host(world).into_iter().filter(|&x| x > 0);
                let count = copy_if(x, |x| x.gt(0), target.view(device))?.get();
                let selected = kept.clone().count();
                put(host, &positions, kept);
                match selected > positions.len() {
                    true => refused("copy_if into a slice without room for what is selected", count),
                    false => equal("the number of copies", count?, selected as u64),
                }
            }
            7 if world.queues.len() > 1 => {
                refused("collect on another queue", x.collect_on(&world.queues[1]))
            }
            _ => Ok(()),
        }
    })
}

/// Sorts and merges both expressions.
pub(crate) fn merge_two(world: &World, a: &Ex, b: &Ex) -> Outcome {
    let sorted = |ex: &Ex| -> Outcome<(DeviceVec<i32>, Vec<i32>)> {
        let (mut host, mut device) =
            (ex.on_host(world), ex.on_device(world)?.collect_on(world.main_queue())?);
        sort(&mut device)?;
        host.sort_unstable();
        Ok((device, host))
    };
    let ((a, host_a), (b, host_b)) = (sorted(a)?, sorted(b)?);
    let mut output = DeviceVec::filled(world.main_queue(), 0, a.len() + b.len())?;
    merge(&a, &b, &mut output)?;
    let mut expected = [host_a.clone(), host_b.clone()].concat();
    expected.sort_unstable();
    same("the merged vector", &output.to_vec()?, &expected)?;
    let mut positions = DeviceVec::filled(world.main_queue(), 0_u32, b.len())?;
    lower_bounds(&a, &b, &mut positions)?;
    let expected: Vec<u32> = host_b.iter().map(|b| host_a.partition_point(|a| a < b) as u32).collect();
    same("lower bounds", &positions.to_vec()?, &expected)
}

/// Counts the expression's values in bins.
pub(crate) fn bins(world: &World, ex: &Ex, bins: usize) -> Outcome {
    let bins = 1 + bins % 70;
    let mut counts = DeviceVec::filled(world.main_queue(), 9_u32, bins)?;
    let mut expected = vec![0_u32; bins];
    for value in ex.on_host(world) {
        // A value outside of all bins is not counted.
        if let Some(count) = usize::try_from(value).ok().and_then(|value| expected.get_mut(value)) {
            *count += 1;
        }
    }
    histogram(ex.on_device(world)?, &mut counts)?;
    same("the histogram", &counts.to_vec()?, &expected)
}

/// Computes two results of one expression in one launch.
pub(crate) fn pair(world: &World, ex: &Ex) -> Outcome {
    let x = ex.on_device(world)?;
    let len = x.len().unwrap_or(0);
    let (a, b) =
        zip((x.clone().rev(), x.take(len))).map(|(a, b)| (a + b, a - b)).collect_on(world.main_queue())?;
    let host = ex.on_host(world);
    let pairs = || host.iter().rev().zip(&host);
    let sums: Vec<i32> = pairs().map(|(a, b)| a.wrapping_add(*b)).collect();
    let differences: Vec<i32> = pairs().map(|(a, b)| a.wrapping_sub(*b)).collect();
    same("the sums", &a.to_vec()?, &sums)?;
    same("the differences", &b.to_vec()?, &differences)
}
