//! Pipes (OpenCL 2.0): queues of packets between kernels.

use super::untyped::Memory;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::info;
use crate::launch::{Arg, KernelArg};
use crate::library::Library;
use crate::raw::{self, cl_mem, cl_uint, require};
use bytemuck::{AnyBitPattern, Pod};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::null;
use std::sync::Arc;

/// A pipe of packets, first in, first out: one kernel writes them and another one reads them. The
/// host cannot see the packets.
///
/// Reading takes packets out of the pipe, so both kernels get it as `&mut Pipe`, and the commands
/// that use it run one after the other. A kernel that writes more packets than the pipe has room
/// for finds it full.
///
/// ```
/// use cl_core::{Context, Device, Error, Pipe};
///
/// # fn main() -> cl_core::Result<()> {
/// let context = Context::on(&Device::first()?)?;
/// match Pipe::<[f32; 4]>::new(&context, 100) {
///     Err(Error::Unsupported { feature, device, .. }) => println!("{device} has no {feature}"),
///     pipe => println!("{:?}", pipe?),
/// }
/// # Ok(())
/// # }
/// ```
pub struct Pipe<T: Pod> {
    memory: Memory,
    packets: u32,
    packet: PhantomData<T>,
}

impl<T: Pod> Pipe<T> {
    /// Creates an empty pipe with room for `packets` packets.
    ///
    /// # Errors
    /// [`Error::Unsupported`] on a device without pipes, [`Error::InvalidInput`] for zero packets,
    /// for packets of zero bytes, or for packets larger than the device allows,
    /// [`Error::TooLarge`], or [`Error::Driver`].
    pub fn new(context: &Context, packets: u32) -> Result<Pipe<T>> {
        let device = context.device();
        let refuse = |reason: String| Err(Error::InvalidInput { what: "pipe", reason });
        if packets == 0 || size_of::<T>() == 0 {
            return refuse(format!("{packets} packets of {} bytes", size_of::<T>()));
        }
        if device.has_pipes()? == Some(false) {
            return Err(Error::Unsupported { feature: "pipes".to_owned(), device: device.to_string() });
        }
        let create = require::clCreatePipe(device)?;
        let most = device.max_pipe_packet()?.unwrap_or(0);
        let packet = match u32::try_from(size_of::<T>()) {
            Ok(packet) if packet <= most => packet,
            _ => return refuse(format!("packets of {} bytes, {device} allows {most}", size_of::<T>())),
        };
        let bytes = u64::from(packet) * u64::from(packets);
        if bytes > device.limits()?.allocation {
            return Err(Error::too_large(u128::from(bytes), device));
        }
        let flags = raw::CL_MEM_READ_WRITE | raw::CL_MEM_HOST_NO_ACCESS;
        let mut status = 0;
        // SAFETY: a valid context, sizes within the device's limits, no properties.
        let raw = unsafe { create(context.as_raw(), flags, packet, packets, null(), &raw mut status) };
        Error::check("clCreatePipe", status)
            .map_err(|error| error.note(format!("{packets} packets of {packet} bytes")))?;
        // SAFETY: the call gave us the only reference.
        Ok(unsafe { Pipe::adopt(context, raw, packets) })
    }

    /// Takes over one reference to a pipe that other code made. If the other code keeps and
    /// releases its own reference, call `clRetainMemObject` first.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a null handle, for a handle of another kind of object, and for
    /// packets of another size; [`Error::ForeignObject`] for a pipe of another context;
    /// [`Error::Unsupported`] or [`Error::Driver`] when the driver fails to answer. After an error
    /// the reference still belongs to the caller.
    ///
    /// # Safety
    /// `raw` is null or a live memory object of the context's library, and one of its references
    /// belongs to the caller. Its packets are values of `T`. Commands that other code enqueued with
    /// it have ended, or the caller waits for them.
    pub unsafe fn from_raw(context: &Context, raw: cl_mem) -> Result<Pipe<T>> {
        let refuse = |reason: String| Err(Error::InvalidInput { what: "pipe handle", reason });
        if raw.is_null() {
            return refuse("it is null".to_owned());
        }
        let library = context.library();
        // SAFETY: by the caller's promise.
        let owner: usize = unsafe { ask(library, raw, raw::CL_MEM_CONTEXT)? };
        if owner != context.as_raw().addr() {
            let reason = "the pipe belongs to another context";
            return Err(Error::ForeignObject { operation: "pipe from a handle", reason });
        }
        // SAFETY: as above.
        let kind: cl_uint = unsafe { ask(library, raw, raw::CL_MEM_TYPE)? };
        if kind != raw::CL_MEM_OBJECT_PIPE {
            return refuse(format!("it is of kind {kind:#x}, not a pipe"));
        }
        let get = require::clGetPipeInfo(context.device())?;
        let number = |name: cl_uint| {
            info::value::<cl_uint>("clGetPipeInfo", |size, value, ret| {
                // SAFETY: a valid pipe; `info` passes matching pointers and sizes.
                unsafe { get(raw, name, size, value, ret) }
            })
        };
        let (packet, packets) = (number(raw::CL_PIPE_PACKET_SIZE)?, number(raw::CL_PIPE_MAX_PACKETS)?);
        if packet as usize != size_of::<T>() {
            return refuse(format!("its packets have {packet} bytes, not {}", size_of::<T>()));
        }
        // SAFETY: the reference is taken over here, after all steps that can fail.
        Ok(unsafe { Pipe::adopt(context, raw, packets) })
    }

    /// Makes a `Pipe` of a handle.
    ///
    /// # Safety
    /// `raw` is a pipe of the context for packets of `T`, and the caller owns the reference that it
    /// gives away.
    unsafe fn adopt(context: &Context, raw: cl_mem, packets: u32) -> Pipe<T> {
        let bytes = size_of::<T>().saturating_mul(packets as usize);
        // SAFETY: by the caller's promise.
        let memory = unsafe { Memory::of_object(context, raw, bytes, Arc::default()) };
        Pipe { memory, packets, packet: PhantomData }
    }

    /// Returns the number of packets that the pipe has room for.
    #[must_use]
    pub fn packets(&self) -> u32 {
        self.packets
    }

    /// Returns the C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_mem {
        self.memory.as_raw()
    }
}

/// Asks the driver for one property of a memory object.
///
/// # Safety
/// `memory` is a live memory object of the library.
unsafe fn ask<V: AnyBitPattern>(library: Library, memory: cl_mem, name: cl_uint) -> Result<V> {
    let get = library.functions().clGetMemObjectInfo;
    // SAFETY: by the caller's promise; `info` passes matching pointers and sizes.
    info::value("clGetMemObjectInfo", |size, value, ret| unsafe { get(memory, name, size, value, ret) })
}

/// Both ends: the kernel reads packets from the pipe or writes packets to it.
impl<'a, T: Pod> KernelArg<'a> for &'a mut Pipe<T> {
    fn into_arg(self) -> Arg<'a> {
        Arg::Image(&self.memory, Access::Write)
    }
}

impl<T: Pod> fmt::Debug for Pipe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pipe<{}>({} packets)", std::any::type_name::<T>(), self.packets)
    }
}
