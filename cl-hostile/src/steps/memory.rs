//! Steps with buffers: copies, maps, parts, and maps of several threads at once.

use crate::dice::Dice;
use crate::expression::range;
use crate::finding::{Finding, Outcome, same};
use crate::world::World;
use cl_core::NotWritten;
use std::thread;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Command {
    Fill,
    Write,
    Read,
    CopyWithin,
    CopyFrom,
    ReadOwned,
    WriteOwned,
    MapMut,
    MapOverwrite,
    Parts,
}

pub(crate) const COMMANDS: [Command; 10] = [
    Command::Fill,
    Command::Write,
    Command::Read,
    Command::CopyWithin,
    Command::CopyFrom,
    Command::ReadOwned,
    Command::WriteOwned,
    Command::MapMut,
    Command::MapOverwrite,
    Command::Parts,
];

/// Runs one command on the buffer of a vector, by any queue.
pub(crate) fn command(world: &mut World, command: Command, vector: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 3);
    world.change(vector, |world, device, host| {
        let part = range(dice.len(), dice.len(), host.len());
        let queue = world.queue(dice.below(4));
        let values: Vec<i32> = part.clone().map(|_| dice.value()).collect();
        let buffer = device.buffer_mut();
        match command {
            Command::Fill => {
                buffer.slice_mut(part.clone())?.fill(queue, 77)?;
                host[part].fill(77);
            }
            Command::Write => {
                buffer.slice_mut(part.clone())?.write(queue, &values)?;
                host[part].copy_from_slice(&values);
            }
            Command::Read => same("what was read", &buffer.slice(part.clone())?.to_vec(queue)?, &host[part])?,
            Command::CopyWithin => {
                let room = host.len() - part.len();
                let start = dice.below(room + 1);
                let apart = start + part.len() <= part.start || part.end <= start;
                let copied = buffer.copy_within(queue, part.clone(), start);
                match (copied, apart || part.is_empty()) {
                    (Ok(()), true) => host.copy_within(part, start),
                    (Err(_), false) => {}
                    (Ok(()), false) => return Err(Finding::NoError("a copy onto itself".to_owned())),
                    (Err(error), true) => return Err(error.into()),
                }
            }
            Command::CopyFrom => {
                let other = world.resolve(dice.below(8));
                let n = world.host[other].len().min(part.len());
                let (start, there) = (part.start, world.vector(other).buffer().slice(..n)?);
                buffer.slice_mut(start..start + n)?.copy_from(queue, there)?;
                host[start..start + n].copy_from_slice(&world.host[other][..n]);
            }
            Command::ReadOwned => {
                let pending = buffer.read_owned(queue, part.clone())?;
                same("what was read", &pending.wait()?, &host[part])?;
            }
            Command::WriteOwned => {
                let failed = |failure: NotWritten<i32>| Finding::Error(failure.error.to_string());
                let pending = buffer.write_owned(queue, part.start, values.clone()).map_err(failed)?;
                if dice.one_in(2) {
                    pending.wait().map_err(failed)?;
                }
                host[part].copy_from_slice(&values);
            }
            Command::MapMut => {
                let mut map = buffer.map_mut(queue, part.clone())?;
                same("what was mapped", &map, &host[part.clone()])?;
                map.copy_from_slice(&values);
                host[part].copy_from_slice(&values);
            }
            Command::MapOverwrite => {
                buffer.map_overwrite(queue, part.clone())?.copy_from_slice(&values);
                host[part].copy_from_slice(&values);
            }
            Command::Parts => {
                let middle = part.start;
                let (mut left, right) = buffer.slice_mut(..)?.split_at_mut(middle)?;
                let n = left.len().min(right.len());
                let (room, there) = (left.reborrow().into_slice_mut(..n)?, right.as_slice().slice(..n)?);
                let mut room = room;
                room.copy_from(queue, there)?;
                host.copy_within(middle..middle + n, 0);
            }
        }
        Ok(())
    })
}

/// Maps, reads and evaluates ranges of one vector in several threads at once.
pub(crate) fn threads(world: &World, vector: usize, threads: usize, rounds: usize, seed: u64) -> Outcome {
    let vector = world.resolve(vector);
    let (device, host) = (world.vector(vector), &world.host[vector]);
    let whole = Dice::new(seed, 4).one_in(2);
    let work = |number: usize| -> Outcome {
        let mut dice = Dice::new(seed, 5 + number as u64);
        let queue = world.queue(dice.below(4));
        for _ in 0..rounds {
            let part = if whole { 0..host.len() } else { range(dice.len(), dice.len(), host.len()) };
            match dice.below(8) {
                0 => {
                    same("what was read", &device.buffer().slice(part.clone())?.to_vec(queue)?, &host[part])?;
                }
                1 => same("what was evaluated", &(device.iter() + 1).collect()?.to_vec()?, &plus_one(host))?,
                2 => {
                    let (first, second) =
                        (device.buffer().map(queue, part.clone())?, device.buffer().map(queue, ..)?);
                    same("the first of two maps", &first, &host[part.clone()])?;
                    first.unmap()?;
                    same("the second of two maps", &second, host)?;
                }
                _ => same("what was mapped", &device.buffer().map(queue, part.clone())?, &host[part])?,
            }
        }
        Ok(())
    };
    let work = &work;
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|number| scope.spawn(move || work(number))).collect();
        running.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(Finding::Panic("in a thread of a step".to_owned())))
        })
    })
}

fn plus_one(host: &[i32]) -> Vec<i32> {
    host.iter().map(|x| x.wrapping_add(1)).collect()
}
