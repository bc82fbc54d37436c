//! Images that other code made.

use super::Image;
use super::dimensions::Dimensions;
use super::pixel::{ImageFormat, Pixel};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::info;
use crate::library::Library;
use crate::memory::Memory;
use crate::raw::{self, cl_mem, cl_uint};
use bytemuck::AnyBitPattern;
use std::marker::PhantomData;
use std::sync::Arc;

impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// Takes over one reference to an image that other code made. If the other code keeps and
    /// releases its own reference, call `clRetainMemObject` first.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a null handle, and for an image of another kind or format;
    /// [`Error::ForeignObject`] for an image of another context; [`Error::Driver`] when the driver
    /// fails to answer. After an error the reference still belongs to the caller.
    ///
    /// # Safety
    /// `raw` is null or a live image of the context's library, and one of its references belongs to
    /// the caller. Its pixels are written before they are first read. Commands that other code
    /// enqueues with the image, or with a buffer under it, are not tracked: they must have ended,
    /// or the caller waits for them.
    pub unsafe fn from_raw(context: &Context, raw: cl_mem) -> Result<Image<D, P>> {
        let refuse = |reason: String| Err(Error::InvalidInput { what: "image handle", reason });
        if raw.is_null() {
            return refuse("it is null".to_owned());
        }
        // SAFETY: by the caller's promise.
        let asked = unsafe { Asked::new(context.library(), raw) };
        let owner: usize = asked.memory(raw::CL_MEM_CONTEXT)?;
        if owner != context.as_raw().addr() {
            let reason = "the image belongs to another context";
            return Err(Error::ForeignObject { operation: "image from a handle", reason });
        }
        let kind: cl_uint = asked.memory(raw::CL_MEM_TYPE)?;
        if kind != D::KIND {
            return refuse(format!("it is of kind {kind:#x}, not a {}", D::NAME));
        }
        let [order, channel]: [cl_uint; 2] = asked.image(raw::CL_IMAGE_FORMAT)?;
        let format = ImageFormat { order, channel };
        if format != P::FORMAT {
            return refuse(format!("its pixels are {format}, not {}", P::FORMAT));
        }
        let mut size = Vec::with_capacity(D::COUNT);
        for property in [raw::CL_IMAGE_WIDTH, raw::CL_IMAGE_HEIGHT, raw::CL_IMAGE_DEPTH] {
            if size.len() < D::COUNT - usize::from(D::LAYERED) {
                size.push(asked.image::<usize>(property)?);
            }
        }
        if D::LAYERED {
            size.push(asked.image(raw::CL_IMAGE_ARRAY_SIZE)?);
        }
        let Ok(size) = D::Size::try_from(&size) else {
            unreachable!("as many numbers as the kind has dimensions")
        };
        let extent = super::dimensions::extent::<D>(size);
        let Some(bytes) = extent.iter().try_fold(size_of::<P>(), |bytes, &n| bytes.checked_mul(n)) else {
            return refuse(format!("the size of {size:?} pixels overflows"));
        };
        // SAFETY: the reference is taken over here, after all steps that can fail.
        let memory = unsafe { Memory::of_object(context, raw, bytes, Arc::default()) };
        Ok(Image { memory, size, base: None, pixel: PhantomData })
    }
}

/// An image of other code, for queries of its properties.
struct Asked {
    library: Library,
    raw: cl_mem,
}

impl Asked {
    /// Wraps a handle.
    ///
    /// # Safety
    /// `raw` is an image of the library that lives at least as long as this value.
    unsafe fn new(library: Library, raw: cl_mem) -> Asked {
        Asked { library, raw }
    }

    fn memory<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        let get = self.library.functions().clGetMemObjectInfo;
        // SAFETY: alive, by `new`'s promise; `info` passes matching pointers and sizes.
        info::value("clGetMemObjectInfo", |size, value, ret| unsafe { get(self.raw, name, size, value, ret) })
    }

    fn image<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        let get = self.library.functions().clGetImageInfo;
        // SAFETY: as above.
        info::value("clGetImageInfo", |size, value, ret| unsafe { get(self.raw, name, size, value, ret) })
    }
}
