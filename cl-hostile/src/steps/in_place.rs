//! Steps that change vectors in place: sorts, scans, scatters, and indices that are out of range.

use crate::dice::Dice;
use crate::expression::Ex;
use crate::finding::{Finding, Outcome, same};
use crate::target::{Target, at, put};
use crate::world::World;
use cl_algo::prelude::*;
use cl_algo::stl::{
    argsort, exclusive_scan_in_place, gather, inclusive_scan_in_place, scatter, sort, sort_by_key,
    sort_by_key_descending, sort_descending,
};
use cl_core::Error;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    Sort,
    SortDescending,
    InclusiveScan,
    ExclusiveScan,
    ForEach,
}

pub(crate) const CHANGES: [Change; 5] =
    [Change::Sort, Change::SortDescending, Change::InclusiveScan, Change::ExclusiveScan, Change::ForEach];

/// Changes a view in place.
pub(crate) fn change(world: &mut World, change: Change, target: &Target) -> Outcome {
    world.change(target.vector, |_, device, host| {
        let positions = target.positions(host.len());
        let mut values = at(host, &positions);
        let view = target.view(device);
        let mut sum = 0_i32;
        match change {
            Change::Sort => {
                sort(view)?;
                values.sort_unstable();
            }
            Change::SortDescending => {
                sort_descending(view)?;
                values.sort_unstable_by(|a, b| b.cmp(a));
            }
            Change::InclusiveScan => {
                inclusive_scan_in_place(view, |a, b| a + b)?;
                values.iter_mut().for_each(|x| {
                    sum = sum.wrapping_add(*x);
                    *x = sum;
                });
            }
            Change::ExclusiveScan => {
                exclusive_scan_in_place(view, 4, |a, b| a + b)?;
                sum = 4;
                values.iter_mut().for_each(|x| {
                    let next = sum.wrapping_add(*x);
                    *x = std::mem::replace(&mut sum, next);
                });
            }
            Change::ForEach => {
                cl_algo::stl::for_each(view, |x: Val<i32>| x * x + 1)?;
                values.iter_mut().for_each(|x| *x = x.wrapping_mul(*x).wrapping_add(1));
            }
        }
        put(host, &positions, values);
        Ok(())
    })
}

/// An operation on two views at once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pairs {
    Ascending,
    Descending,
    /// Replaces both views by their sums and differences.
    Assign,
}

pub(crate) const PAIRS: [Pairs; 3] = [Pairs::Ascending, Pairs::Descending, Pairs::Assign];

/// Sorts a view together with another one, or assigns to both.
pub(crate) fn pairs(world: &mut World, how: Pairs, keys: &Target, values: &Target) -> Outcome {
    world.change(keys.vector, |world, key_device, key_host| {
        world.change(values.vector, |_, value_device, value_host| {
            let (key_positions, value_positions) =
                (keys.positions(key_host.len()), values.positions(value_host.len()));
            let n = key_positions.len().min(value_positions.len());
            let (key_positions, value_positions) = (&key_positions[..n], &value_positions[..n]);
            let views = (keys.view(key_device).slice(..n), values.view(value_device).slice(..n));
            let both = at(key_host, key_positions).into_iter().zip(at(value_host, value_positions));
            let mut both: Vec<(i32, i32)> = both.collect();
            match how {
                Pairs::Ascending => {
                    sort_by_key(views.0, views.1)?;
                    both.sort_by_key(|pair| pair.0);
                }
                Pairs::Descending => {
                    sort_by_key_descending(views.0, views.1)?;
                    both.sort_by_key(|pair| std::cmp::Reverse(pair.0));
                }
                Pairs::Assign => {
                    assign_with(views, |both| both.map(|(a, b)| (a + b, a - b)))?;
                    both.iter_mut().for_each(|(a, b)| (*a, *b) = (a.wrapping_add(*b), a.wrapping_sub(*b)));
                }
            }
            put(key_host, key_positions, both.iter().map(|pair| pair.0));
            put(value_host, value_positions, both.iter().map(|pair| pair.1));
            Ok(())
        })
    })
}

/// Replaces a vector of indices by the sorted order of an expression's values.
pub(crate) fn order(world: &mut World, ex: &Ex, into: usize) -> Outcome {
    let host = ex.on_host(world);
    let made = argsort(ex.on_device(world)?)?;
    let mut expected: Vec<u32> = (0..host.len() as u32).collect();
    expected.sort_by_key(|&i| host[i as usize]);
    same("the order", &made.to_vec()?, &expected)?;
    (world.indices[into], world.host_indices[into]) = (made, expected);
    Ok(())
}

/// Scatters an expression's values to random positions of a vector, at most one value to each.
pub(crate) fn scatter_all(world: &mut World, ex: &Ex, into: usize, seed: u64) -> Outcome {
    world.change(into, |world, device, host| {
        let values = ex.on_host(world);
        let mut positions: Vec<u32> = (0..host.len() as u32).collect();
        let mut dice = Dice::new(seed, 1);
        for i in (1..positions.len()).rev() {
            positions.swap(i, dice.below(i + 1));
        }
        positions.truncate(values.len());
        let at = DeviceVec::from_slice(world.main_queue(), &positions)?;
        scatter(ex.on_device(world)?.take(positions.len()), &at, device)?;
        for (&position, &value) in positions.iter().zip(&values) {
            host[position as usize] = value;
        }
        Ok(())
    })
}

/// Reads or writes at indices some of which are out of range. This must return an error, and must not touch
/// other memory.
pub(crate) fn out_of_range(world: &mut World, into: usize, from: usize, seed: u64, writes: bool) -> Outcome {
    world.change(into, |world, device, host| {
        let from = world.resolve(from);
        let bound = if writes { host.len() } else { world.host[from].len() };
        let count = if writes { world.host[from].len().min(host.len()) } else { host.len() };
        if bound == 0 || count == 0 {
            return Ok(());
        }
        let mut dice = Dice::new(seed, 2);
        let mut free: Vec<i64> = (0..bound as i64).collect();
        let mut index = |dice: &mut Dice| match dice.below(9) {
            0 => dice.pick(&[-1, i64::MIN, i64::MAX, 1 << 32, bound as i64, bound as i64 + 1]),
            1 => bound as i64 + dice.below(5000) as i64,
            // Each position is written at most once.
            _ if writes => free.swap_remove(dice.below(free.len())),
            _ => dice.below(bound) as i64,
        };
        let indices: Vec<i64> = (0..count).map(|_| index(&mut dice)).collect();
        let inside = |index: i64| usize::try_from(index).ok().filter(|&index| index < bound);
        let wrong = indices.iter().filter(|&&index| inside(index).is_none()).count();
        world.finish()?;
        let positions = DeviceVec::from_slice(device.queue(), &indices)?;
        if writes {
            scatter(world.vector(from).iter().take(count), &positions, device)?;
        } else {
            gather(&positions, world.vector(from), &mut *device)?;
        }
        match (device.queue().finish(), wrong) {
            (Ok(()), 0) => {}
            (Err(Error::IndexOutOfRange { .. }), 1..) => {}
            (Ok(()), _) => return Err(Finding::NoError(format!("{wrong} indices out of range"))),
            (Err(error), _) => return Err(error.into()),
        }
        let got = device.to_vec()?;
        let source = &world.host[from];
        if writes {
            let before = host.clone();
            let written = indices.iter().zip(source).filter_map(|(&i, &x)| Some((inside(i)?, x)));
            written.for_each(|(position, value)| host[position] = value);
            // The value of an index out of range may be at any position of the vector. Other values, and
            // writes to other memory, are findings.
            for ((got, host), before) in got.iter().zip(&mut *host).zip(before) {
                if wrong > 0 && *host == before && source.contains(got) {
                    *host = *got;
                }
            }
        } else {
            for ((host, &index), &got) in host.iter_mut().zip(&indices).zip(&got) {
                *host = match inside(index) {
                    Some(index) => source[index],
                    None => got,
                };
                if !source.contains(&got) {
                    return Err(Finding::Wrong(format!("index {index} reads {got}, which is not there")));
                }
            }
        }
        same("the result of the indices", &got, host)
    })
}
