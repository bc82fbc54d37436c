//! Samplers: the rules by which kernels read images between and beyond pixels.

use crate::context::Context;
use crate::error::{Error, Result};
use crate::info;
use crate::launch::{Arg, KernelArg};
use crate::library::Library;
use crate::memory::require_images;
use crate::queue_end::QueueEnd;
use crate::raw::{self, cl_bool, cl_context, cl_sampler, cl_uint};
use crate::sampler_release::Users;
use bytemuck::AnyBitPattern;
use std::fmt;
use std::sync::Arc;

/// The value of a read beyond the edge of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Addressing {
    /// An undefined value: the kernel must not read beyond the edge.
    None,
    /// The pixel at the edge.
    #[default]
    ClampToEdge,
    /// Zeros, with alpha 1 if the format has no alpha.
    ClampToBorder,
    /// The pixel of the repeated image. Normalised coordinates only.
    Repeat,
    /// The pixel of the repeated image, with every other repetition mirrored. Normalised
    /// coordinates only.
    MirroredRepeat,
}

/// The value of a read between pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filtering {
    /// The nearest pixel.
    #[default]
    Nearest,
    /// The mean of the adjacent pixels, weighted by nearness. Only for formats that kernels read as floats.
    Linear,
}

/// Options of a new sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SamplerOptions {
    addressing: Addressing,
    filtering: Filtering,
    normalized: bool,
}

impl SamplerOptions {
    /// Returns the defaults: coordinates in pixels, the nearest pixel, clamped to the edge.
    #[must_use]
    pub fn new() -> SamplerOptions {
        SamplerOptions::default()
    }

    /// Sets the value of a read beyond the edge.
    #[must_use]
    pub fn addressing(self, addressing: Addressing) -> SamplerOptions {
        SamplerOptions { addressing, ..self }
    }

    /// Sets the value of a read between pixels.
    #[must_use]
    pub fn filtering(self, filtering: Filtering) -> SamplerOptions {
        SamplerOptions { filtering, ..self }
    }

    /// Uses coordinates from 0 to 1 across the image, instead of pixels.
    #[must_use]
    pub fn normalized(self) -> SamplerOptions {
        SamplerOptions { normalized: true, ..self }
    }
}

/// A sampler, a kernel argument of type `sampler_t`.
///
/// ```
/// use cl_core::{Addressing, Context, Device, Error, Filtering, Sampler, SamplerOptions};
///
/// # fn main() -> cl_core::Result<()> {
/// let context = Context::on(&Device::first()?)?;
/// let smooth = SamplerOptions::new().normalized().filtering(Filtering::Linear);
/// match Sampler::new(&context, smooth.addressing(Addressing::Repeat)) {
///     Err(Error::Unsupported { feature, device, .. }) => println!("{device} has no {feature}"),
///     sampler => println!("{:?}", sampler?),
/// }
/// # Ok(())
/// # }
/// ```
pub struct Sampler {
    library: Library,
    raw: cl_sampler,
    /// The sampler's context, for comparisons only. The OpenCL sampler retains the context.
    context: cl_context,
    options: SamplerOptions,
    users: Users,
}

// SAFETY: OpenCL samplers may be used from any thread.
unsafe impl Send for Sampler {}
// SAFETY: as above.
unsafe impl Sync for Sampler {}

/// The pairs of our names and OpenCL's numbers, for both directions.
const ADDRESSINGS: [(Addressing, cl_uint); 5] = [
    (Addressing::None, raw::CL_ADDRESS_NONE),
    (Addressing::ClampToEdge, raw::CL_ADDRESS_CLAMP_TO_EDGE),
    (Addressing::ClampToBorder, raw::CL_ADDRESS_CLAMP),
    (Addressing::Repeat, raw::CL_ADDRESS_REPEAT),
    (Addressing::MirroredRepeat, raw::CL_ADDRESS_MIRRORED_REPEAT),
];

impl Sampler {
    /// Creates a sampler with these options.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the image is to be repeated and the coordinates are not
    /// normalised, [`Error::Unsupported`] on a device without images, or [`Error::Driver`].
    pub fn new(context: &Context, options: SamplerOptions) -> Result<Sampler> {
        let repeats = matches!(options.addressing, Addressing::Repeat | Addressing::MirroredRepeat);
        if repeats && !options.normalized {
            let reason = "repeating needs normalised coordinates: SamplerOptions::normalized".to_owned();
            return Err(Error::InvalidInput { what: "sampler", reason });
        }
        require_images(context)?;
        let addressing = ADDRESSINGS.iter().find(|(name, _)| *name == options.addressing);
        let filtering = match options.filtering {
            Filtering::Nearest => raw::CL_FILTER_NEAREST,
            Filtering::Linear => raw::CL_FILTER_LINEAR,
        };
        let library = context.library();
        let mut status = 0;
        // SAFETY: a valid context, and values that OpenCL defines.
        let raw = unsafe {
            (library.functions().clCreateSampler)(
                context.as_raw(),
                cl_bool::from(options.normalized),
                addressing.map_or(raw::CL_ADDRESS_NONE, |(_, number)| *number),
                filtering,
                &raw mut status,
            )
        };
        Error::check("clCreateSampler", status).map_err(|error| error.note(format!("{options:?}")))?;
        Ok(Sampler { library, raw, context: context.as_raw(), options, users: Users::new(context) })
    }

    /// Takes over one reference to a sampler that other code created. Call `clRetainSampler` first
    /// if that code keeps and releases its own reference.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for null, and for a sampler that [`SamplerOptions`] cannot express;
    /// [`Error::ForeignObject`] for a sampler of another context; [`Error::Driver`] when the driver
    /// fails to answer. After an error the reference is still the caller's.
    ///
    /// # Safety
    /// `raw` is null or a live sampler of the context's library, and one of its references belongs
    /// to the caller.
    pub unsafe fn from_raw(context: &Context, raw: cl_sampler) -> Result<Sampler> {
        let refuse = |reason: String| Err(Error::InvalidInput { what: "sampler handle", reason });
        if raw.is_null() {
            return refuse("it is null".to_owned());
        }
        let library = context.library();
        // SAFETY: by the caller's promise.
        let owner: usize = unsafe { ask(library, raw, raw::CL_SAMPLER_CONTEXT)? };
        if owner != context.as_raw().addr() {
            let reason = "the sampler belongs to another context";
            return Err(Error::ForeignObject { operation: "sampler from a handle", reason });
        }
        // SAFETY: as above.
        let number: cl_uint = unsafe { ask(library, raw, raw::CL_SAMPLER_ADDRESSING_MODE)? };
        let Some((addressing, _)) = ADDRESSINGS.into_iter().find(|(_, other)| *other == number) else {
            return refuse(format!("unknown addressing mode {number:#x}"));
        };
        // SAFETY: as above.
        let filtering = match unsafe { ask::<cl_uint>(library, raw, raw::CL_SAMPLER_FILTER_MODE)? } {
            raw::CL_FILTER_NEAREST => Filtering::Nearest,
            raw::CL_FILTER_LINEAR => Filtering::Linear,
            other => return refuse(format!("unknown filter mode {other:#x}")),
        };
        // SAFETY: as above.
        let normalized = unsafe { ask::<cl_bool>(library, raw, raw::CL_SAMPLER_NORMALIZED_COORDS)? } != 0;
        let options = SamplerOptions { addressing, filtering, normalized };
        Ok(Sampler { library, raw, context: context.as_raw(), options, users: Users::new(context) })
    }

    /// Returns the sampler's options.
    #[must_use]
    pub fn options(&self) -> SamplerOptions {
        self.options
    }

    /// Returns the C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_sampler {
        self.raw
    }

    /// Returns the handle, for a launch on `queue`.
    pub(crate) fn used_on(&self, queue: &Arc<QueueEnd>) -> cl_sampler {
        self.users.add(queue);
        self.raw
    }

    /// Returns an error unless the sampler may be used with objects of `context`.
    pub(crate) fn check_context(&self, context: cl_context, operation: &'static str) -> Result<()> {
        if self.context == context {
            return Ok(());
        }
        Err(Error::ForeignObject { operation, reason: "the sampler belongs to another context" })
    }
}

/// Returns one property of a sampler.
///
/// # Safety
/// `sampler` is a live sampler of the library.
unsafe fn ask<T: AnyBitPattern>(library: Library, sampler: cl_sampler, name: cl_uint) -> Result<T> {
    let get = library.functions().clGetSamplerInfo;
    // SAFETY: by the caller's promise; `info` passes matching pointers and sizes.
    info::value("clGetSamplerInfo", |size, value, ret| unsafe { get(sampler, name, size, value, ret) })
}

impl<'a> KernelArg<'a> for &'a Sampler {
    fn into_arg(self) -> Arg<'a> {
        Arg::Sampler(self)
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // SAFETY: the handle is owned and released once.
        unsafe { self.users.release(self.library, self.raw) };
    }
}

impl fmt::Debug for Sampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sampler").field(&self.options).finish()
    }
}
