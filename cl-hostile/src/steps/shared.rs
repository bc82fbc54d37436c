//! Steps with shared virtual memory, which the host and several queues use in turn.

use crate::dice::Dice;
use crate::expression::range;
use crate::finding::{Finding, Outcome, same};
use crate::world::World;
use cl_core::{Coarse, SvmCapabilities, SvmVec};

/// Runs commands on two vectors in shared virtual memory.
pub(crate) fn shared(world: &World, commands: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 12);
    let device = world.queue(0).device();
    let has = device.svm_capabilities()?;
    if !has.is_some_and(|has| has.contains(SvmCapabilities::COARSE_GRAIN_BUFFER)) {
        return Ok(());
    }
    let n = dice.len();
    let mut host = [vec![3_i32; n], (0..n as i32).collect()];
    let made = |values: &[i32], queue| SvmVec::<i32, Coarse>::from_slice(queue, values);
    let mut vectors = [made(&host[0], world.queue(0))?, made(&host[1], world.queue(dice.below(4)))?];
    for _ in 0..commands {
        let queue = world.queue(dice.below(4));
        let i = dice.below(2);
        let part = range(dice.len(), dice.len(), n);
        let values: Vec<i32> = part.clone().map(|_| dice.value()).collect();
        let [first, second] = &mut vectors;
        let (vector, other) = if i == 0 { (first, second) } else { (second, first) };
        match dice.below(7) {
            0 => {
                vector.fill(queue, 7)?;
                host[i].fill(7);
            }
            1 => {
                vector.write(queue, part.start, &values)?;
                host[i][part].copy_from_slice(&values);
            }
            2 => {
                let mut got = vec![0; part.len()];
                vector.read(queue, part.start, &mut got)?;
                same("what was read of shared memory", &got, &host[i][part])?;
            }
            3 => {
                vector.copy_from(queue, other)?;
                host[i] = host[1 - i].clone();
            }
            4 => {
                let maps = (vector.map(queue)?, vector.map(world.queue(dice.below(4)))?);
                same("shared memory", &maps.0, &host[i])?;
                drop(maps.0);
                same("shared memory that was mapped twice", &maps.1, &host[i])?;
            }
            5 => {
                let mut map = vector.map_mut(queue)?;
                map[part.clone()].copy_from_slice(&values);
                host[i][part].copy_from_slice(&values);
            }
            _ => {
                let written = vector.write(queue, n, &[1]).is_ok();
                if written || vector.read(queue, 1, &mut vec![0; n.max(1)]).is_ok() {
                    return Err(Finding::NoError("beyond the end of shared memory".to_owned()));
                }
            }
        }
    }
    let queue = world.queue(dice.below(4));
    (0..2).try_for_each(|i| same("a vector in shared memory", &vectors[i].to_vec(queue)?, &host[i]))
}
