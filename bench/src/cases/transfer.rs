//! Transfers between host and device: ordinary slices and pinned vectors, compared with the blocking C calls.

use super::verify;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_core::raw::{CL_TRUE, clEnqueueReadBuffer, clEnqueueWriteBuffer};
use cl_core::{Buffer, Error, PinnedVec, Queue, Result};

/// The direction of a transfer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    ToDevice,
    FromDevice,
}

/// The values on the host.
enum Host {
    /// In ordinary memory.
    Slice(Vec<f32>),
    /// In pinned memory.
    Pinned(PinnedVec<f32>),
    /// In ordinary memory, moved by the C call only.
    Bare(Vec<f32>),
}

struct Transfer {
    queue: Queue,
    way: Way,
    host: Host,
    device: Buffer<f32>,
}

impl Transfer {
    fn step(&mut self) -> Result<()> {
        let Transfer { queue, way, host, device } = self;
        match (host, *way) {
            (Host::Slice(host), Way::ToDevice) => device.write(&*queue, 0, host),
            (Host::Slice(host), Way::FromDevice) => device.read(&*queue, 0, host),
            (Host::Pinned(host), Way::ToDevice) => device.write(&*queue, 0, host),
            (Host::Pinned(host), Way::FromDevice) => device.read(&*queue, 0, host),
            (Host::Bare(host), way) => bare(queue, way, device, host),
        }
    }
}

/// Transfers by the blocking C call.
fn bare(queue: &Queue, way: Way, device: &mut Buffer<f32>, host: &mut [f32]) -> Result<()> {
    let (raw, memory, bytes) = (queue.as_raw(), device.as_raw(), size_of_val(host));
    let (none, no_event) = (std::ptr::null(), std::ptr::null_mut());
    // SAFETY: the objects are valid and of one context, host and device have the same number of elements,
    // and the calls block. The measured device belongs to the process's library.
    let status = unsafe {
        match way {
            Way::ToDevice => {
                let host = host.as_ptr().cast();
                clEnqueueWriteBuffer(raw, memory, CL_TRUE, 0, bytes, host, 0, none, no_event)
            }
            Way::FromDevice => {
                let host = host.as_mut_ptr().cast();
                clEnqueueReadBuffer(raw, memory, CL_TRUE, 0, bytes, host, 0, none, no_event)
            }
        }
    };
    if status == 0 {
        return Ok(());
    }
    Err(Error::invalid_input("bare transfer", cl_core::Status(status).to_string()))
}

pub(super) fn slice_to_device(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    prepare(queue, Way::ToDevice, Host::Slice(vec![0.0; n]))
}

pub(super) fn slice_from_device(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    prepare(queue, Way::FromDevice, Host::Slice(vec![0.0; n]))
}

pub(super) fn pinned_to_device(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    prepare(queue, Way::ToDevice, Host::Pinned(PinnedVec::zeroed(queue, n)?))
}

pub(super) fn pinned_from_device(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    prepare(queue, Way::FromDevice, Host::Pinned(PinnedVec::zeroed(queue, n)?))
}

pub(super) fn bare_to_device(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    prepare(queue, Way::ToDevice, Host::Bare(vec![0.0; n]))
}

pub(super) fn bare_from_device(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    prepare(queue, Way::FromDevice, Host::Bare(vec![0.0; n]))
}

fn values(host: &mut Host) -> &mut [f32] {
    match host {
        Host::Slice(values) | Host::Bare(values) => values,
        Host::Pinned(values) => values,
    }
}

fn prepare(queue: &Queue, way: Way, mut host: Host) -> std::result::Result<Step, Failure> {
    let expected = Source::fresh().f32s(values(&mut host).len());
    let device = match way {
        Way::ToDevice => Buffer::filled(queue, -1.0, expected.len())?,
        Way::FromDevice => Buffer::from_slice(queue, &expected)?,
    };
    if way == Way::ToDevice {
        values(&mut host).copy_from_slice(&expected);
    }
    let mut transfer = Transfer { queue: queue.clone(), way, host, device };
    transfer.step()?;
    match way {
        Way::ToDevice => verify(&transfer.device.to_vec(queue)?, expected.into_iter())?,
        Way::FromDevice => verify(values(&mut transfer.host), expected.into_iter())?,
    }
    Ok(Box::new(move || transfer.step()))
}
