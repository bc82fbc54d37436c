//! Steps in which commands on several queues wait for user events that fail. Commands that depend on a failed
//! event must return an error. Everything else must be as if the event had completed.

use crate::dice::Dice;
use crate::expression::range;
use crate::finding::{Finding, Outcome, same};
use crate::world::World;
use cl_algo::DeviceVec;
use cl_core::{Event, Queue, QueueOptions, Result, Status, UserEvent};

/// The number of vectors of a step.
const VECTORS: usize = 4;

/// A set of user events: bit `i` is the event `i`.
type Causes = u32;

/// An event that commands wait for, and the user events that it depends on.
struct Awaited {
    event: Event,
    causes: Causes,
}

/// The model of a vector: its elements, and the user events that they depend on.
#[derive(Clone)]
struct Known {
    values: Vec<u32>,
    causes: Causes,
}

struct Scene {
    queues: Vec<Queue>,
    device: Vec<DeviceVec<u32>>,
    host: Vec<Known>,
    /// The user events that are undecided; `None` for an event that has failed or completed.
    users: Vec<Option<UserEvent>>,
    /// The user events that have failed.
    failures: Causes,
    /// The user events first, then events of commands.
    events: Vec<Awaited>,
}

impl Scene {
    fn new(world: &World, events: usize, dice: &mut Dice) -> Outcome<Scene> {
        let context = world.queue(0).context();
        let out_of_order = dice.one_in(2) && context.device().has_out_of_order_queues()?;
        let options = QueueOptions::new().fresh_scratch();
        let options = if out_of_order { options.out_of_order() } else { options };
        let mut queues = world.queues.clone();
        queues.push(Queue::new(context, options)?);
        let n = 1 + dice.len();
        let known = |i: u32| Known { values: vec![i; n], causes: 0 };
        let host: Vec<Known> = (0..VECTORS as u32).map(known).collect();
        let mut device = Vec::new();
        for known in &host {
            device.push(DeviceVec::from_slice(&queues[0], &known.values)?);
        }
        let (mut users, mut awaited) = (Vec::new(), Vec::new());
        for i in 0..events {
            let user = UserEvent::new(context)?;
            awaited.push(Awaited { event: user.event().clone(), causes: 1 << i });
            users.push(Some(user));
        }
        world.finish()?;
        Ok(Scene { queues, device, host, users, failures: 0, events: awaited })
    }

    fn failed(&self, causes: Causes) -> bool {
        causes & self.failures != 0
    }

    /// Fails, drops or completes a user event, unless it is already decided.
    fn decide(&mut self, i: usize, dice: &mut Dice) -> Outcome {
        let Some(user) = self.users[i].take() else { return Ok(()) };
        match dice.below(3) {
            0 => user.fail(Status(-5 - i as i32))?,
            1 => drop(user),
            _ => return Ok(user.complete()?),
        }
        self.failures |= 1 << i;
        Ok(())
    }

    /// Enqueues a command on a vector, which may read another one. It waits for some of the events.
    fn command(&mut self, dice: &mut Dice) -> Outcome {
        let (to, from) = (dice.below(VECTORS), dice.below(VECTORS));
        let value = dice.below(1000) as u32;
        let n = self.host[to].values.len();
        let part = if dice.one_in(2) { 0..n } else { range(dice.len(), dice.len(), n) };
        let count = if dice.one_in(3) { dice.below(3) } else { 0 };
        let waits: Vec<&Awaited> = (0..count).map(|_| &self.events[dice.below(self.events.len())]).collect();
        let events: Vec<&Event> = waits.iter().map(|awaited| &awaited.event).collect();
        let awaited = waits.iter().fold(0, |causes, awaited| causes | awaited.causes);
        let queue = &self.queues[dice.below(self.queues.len())];
        let mut signalled = None;
        let source = self.host[from].clone();
        let operation = if from == to { 0 } else { dice.below(4) };
        let reads = match operation {
            0 => 0,
            1 | 2 => source.causes,
            _ => source.causes | self.host[to].causes,
        };
        // Operations 2 and 3 evaluate expressions, which do not wait for `events`. They depend only on the
        // events of the memory that they read.
        let causes = reads | if operation < 2 { awaited } else { 0 };
        let submission = queue.after(&events).signal(&mut signalled);
        let mut target = std::mem::replace(&mut self.device[to], DeviceVec::filled(&self.queues[0], 0, 0)?);
        let room = &mut target;
        let done = || -> Result<()> {
            match operation {
                0 => room.buffer_mut().slice_mut(part.clone())?.fill(submission, value),
                1 => {
                    let source = self.device[from].buffer().slice(part.clone())?;
                    room.buffer_mut().slice_mut(part.clone())?.copy_from(submission, source)
                }
                2 => room.assign(&self.device[from] + value),
                _ => room.assign_with(|own| own * 3 + &self.device[from]),
            }
        };
        let done = done();
        self.device[to] = target;
        let empty = operation < 2 && part.is_empty();
        let refused = self.failed(causes) && !empty;
        match (done, refused) {
            (Ok(()), false) => {}
            (Err(_), true) => return Ok(()),
            (Ok(()), true) => return Err(Finding::NoError("a command behind a failure".to_owned())),
            // A command on an empty part does not call the driver, and may or may not check its events.
            (Err(_), false) if empty && self.failed(awaited) => return Ok(()),
            (Err(error), false) => return Err(error.into()),
        }
        let known = &mut self.host[to];
        let whole = part.len() == n;
        match operation {
            0 => known.values[part.clone()].fill(value),
            1 => known.values[part.clone()].copy_from_slice(&source.values[part.clone()]),
            2 => known.values = source.values.iter().map(|x| x.wrapping_add(value)).collect(),
            _ => {
                let pairs = known.values.iter_mut().zip(&source.values);
                pairs.for_each(|(own, x)| *own = own.wrapping_mul(3).wrapping_add(*x));
            }
        }
        if operation == 2 || operation < 2 && whole {
            known.causes = 0;
        }
        if !empty {
            known.causes |= causes;
        }
        // The event of a command on an empty part is left out, because the command may not have one.
        if let Some(event) = signalled.filter(|_| !empty) {
            self.events.push(Awaited { event, causes });
        }
        Ok(())
    }

    /// Reads a vector in one of several ways, which must fail if the vector depends on an event that has failed.
    fn check_read(&self, i: usize, dice: &mut Dice) -> Outcome {
        let (device, known) = (&self.device[i], &self.host[i]);
        let queue = &self.queues[dice.below(self.queues.len())];
        let mut read = || match dice.below(5) {
            0 => device.to_vec(),
            1 => device.buffer().to_vec(queue),
            2 => Ok(device.buffer().map(queue, ..)?.to_vec()),
            3 => device.buffer().read_owned(queue, ..)?.wait(),
            _ => device.iter().collect()?.to_vec(),
        };
        match (read(), self.failed(known.causes)) {
            (Ok(values), false) => same("what was written beside a failure", &values, &known.values),
            (Err(_), true) => Ok(()),
            (Ok(values), true) => Err(Finding::NoError(format!(
                "a read of vector {i}, which depends on an event that failed, gives {}",
                values[0]
            ))),
            (Err(error), false) => Err(error.into()),
        }
    }

    /// Makes a vector usable again after any failures.
    fn mend(&mut self, i: usize, dice: &mut Dice) -> Outcome {
        let queue = &self.queues[dice.below(self.queues.len())];
        let (device, n) = (&mut self.device[i], self.host[i].values.len());
        match dice.below(5) {
            0 => device.buffer_mut().fill(queue, 5)?,
            1 => device.buffer_mut().write(queue, 0, &vec![5; n])?,
            2 => device.buffer_mut().map_overwrite(queue, ..)?.fill(5),
            3 => device.assign(5)?,
            _ => {
                device.buffer().memory().forget_failures();
                device.to_vec()?;
                return Ok(());
            }
        }
        same("what was written again", &device.to_vec()?, &vec![5; n])
    }
}

/// Enqueues commands on several queues, some of which wait for user events. The events are decided between
/// the commands or after them.
pub(crate) fn events(world: &World, events: usize, commands: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 6);
    let mut scene = Scene::new(world, events, &mut dice)?;
    // Oclgrind runs a queue's commands on the thread that flushes the queue. An undecided event would block
    // this thread for ever, so all events are decided first.
    let early = world.queue(0).context().device().platform().name()? == "Oclgrind";
    if early {
        (0..events).try_for_each(|i| scene.decide(i, &mut dice))?;
    }
    for _ in 0..commands {
        scene.command(&mut dice)?;
        if dice.one_in(6) {
            scene.decide(dice.below(events), &mut dice)?;
        }
    }
    (0..events).try_for_each(|i| scene.decide(i, &mut dice))?;
    for awaited in &scene.events {
        match (awaited.event.wait(), scene.failed(awaited.causes)) {
            (Ok(()), false) | (Err(_), true) => {}
            (Ok(()), true) => return Err(Finding::NoError("an event that depends on a failure".to_owned())),
            (Err(error), false) => return Err(error.into()),
        }
    }
    (0..VECTORS).try_for_each(|i| scene.check_read(i, &mut dice))?;
    (0..VECTORS).try_for_each(|i| scene.mend(i, &mut dice))?;
    scene.queues.iter().try_for_each(|queue| Ok(queue.finish()?))
}
