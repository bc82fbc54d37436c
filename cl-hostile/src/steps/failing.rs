//! Steps in which commands wait for an event that fails: what a failed command should have written is an error, never
//! data.

use crate::dice::Dice;
use crate::finding::{Finding, Outcome, same};
use crate::world::World;
use cl_core::{Buffer, Queue, QueueOptions, Result, Status, UserEvent};

/// How a user event ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Fails,
    Dropped,
    Completes,
}

/// A vector whose fill waits for a user event, and what comes behind it.
///
/// The queue is the step's own: a queue in which a command failed may refuse what follows.
pub(crate) fn event(world: &World, end: End, behind: usize, out_of_order: bool, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 6);
    let context = world.queue(0).context();
    let out_of_order = out_of_order && context.device().has_out_of_order_queues()?;
    let options = QueueOptions::new();
    let queue = Queue::new(context, if out_of_order { options.out_of_order() } else { options })?;
    // Oclgrind runs a queue's commands on the thread that flushes it, and would wait there for the event.
    if context.device().platform().name()? == "Oclgrind" {
        return Ok(());
    }
    let n = 1 + dice.len();
    let mut filled = Buffer::filled(&queue, 1_u32, n)?;
    queue.finish()?;
    let go = UserEvent::new(context)?;
    filled.fill(queue.after(&[go.event()]), 2)?;
    let mut later = Vec::new();
    for i in 0..behind {
        later.push(Buffer::filled(&queue, 7 + i as u32, n));
    }
    let failed = match end {
        End::Fails => {
            go.fail(Status(-5))?;
            true
        }
        End::Dropped => {
            drop(go);
            true
        }
        End::Completes => {
            go.complete()?;
            false
        }
    };
    let reader = if dice.one_in(2) { &queue } else { world.queue(0) };
    if !failed {
        same("what was filled", &filled.to_vec(reader)?, &vec![2; n])?;
    } else if let Ok(values) = filled.to_vec(reader) {
        let text = format!("a read of what a failed fill should have written gives {}", values[0]);
        return Err(Finding::NoError(text));
    }
    for (i, buffer) in later.into_iter().enumerate() {
        data_or_error(buffer.and_then(|buffer| buffer.to_vec(reader)), 7 + i as u32, n, failed)?;
    }
    // The memory can be used again, and so can the context.
    let fresh = Queue::new(context, QueueOptions::new())?;
    filled.fill(&fresh, 5)?;
    same("what was filled again", &filled.to_vec(&fresh)?, &vec![5; n])?;
    let _ = queue.finish();
    Ok(())
}

/// What a command behind one that failed has written is there, or an error.
fn data_or_error(result: Result<Vec<u32>>, value: u32, n: usize, failed: bool) -> Outcome {
    match result {
        Ok(values) => same("what was filled behind it", &values, &vec![value; n]),
        Err(_) if failed => Ok(()),
        Err(error) => Err(error.into()),
    }
}
