//! The declarations of a kernel's arguments.

use super::Kernel;
use crate::error::{Error, Result};
use crate::info;
use crate::launch::ClType;
use crate::raw;
use crate::raw::{cl_kernel_arg_type_qualifier, cl_uint};
use crate::status::Status;
use std::fmt;

const CALL: &str = "clGetKernelArgInfo";

/// The address space of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressSpace {
    /// Memory of the device: buffers. Images count as global, too.
    Global,
    /// Memory of the device that no kernel writes.
    Constant,
    /// Memory of each work-group.
    Local,
    /// Values.
    Private,
}

/// The access that a kernel has to an image or a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImageAccess {
    /// Reads only.
    ReadOnly,
    /// Writes only.
    WriteOnly,
    /// Reads and writes.
    ReadWrite,
}

/// The declaration of an argument. Made by [`Kernel::argument_info`]; printed as in C.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ArgumentInfo {
    /// The argument's name; empty if the driver knows everything but the name.
    pub name: String,
    /// The type without qualifiers, with a `*` for pointers: `float4*`.
    pub type_name: String,
    /// The address space of the argument, or of the memory that a pointer points to.
    pub address: AddressSpace,
    /// The kernel's access to an image or a pipe; `None` for other arguments.
    pub access: Option<ImageAccess>,
    /// `true` if the argument points to `const` memory.
    pub is_const: bool,
    /// `true` if the argument is a `restrict` pointer.
    pub is_restrict: bool,
    /// `true` if the argument points to `volatile` memory.
    pub is_volatile: bool,
    /// `true` if the argument is a pipe.
    pub is_pipe: bool,
}

impl ArgumentInfo {
    /// Returns the argument's type, or for a pointer the type that it points to, if the type is a
    /// number or a vector.
    #[must_use]
    pub fn element(&self) -> Option<ClType> {
        ClType::named(self.pointee().unwrap_or(&self.type_name))
    }

    /// Returns the name of the type that the argument points to, if it is a pointer.
    fn pointee(&self) -> Option<&str> {
        self.type_name.strip_suffix('*').map(str::trim_end)
    }
}

impl fmt::Display for ArgumentInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = match (self.pointee(), self.address) {
            (None, _) | (_, AddressSpace::Private) => "",
            (_, AddressSpace::Global) => "global ",
            (_, AddressSpace::Constant) => "constant ",
            (_, AddressSpace::Local) => "local ",
        };
        let access = match self.access {
            None => "",
            Some(ImageAccess::ReadOnly) => "read_only ",
            Some(ImageAccess::WriteOnly) => "write_only ",
            Some(ImageAccess::ReadWrite) => "read_write ",
        };
        let is_const = self.is_const && self.address != AddressSpace::Constant;
        f.write_str(address)?;
        f.write_str(access)?;
        f.write_str(if self.is_pipe { "pipe " } else { "" })?;
        f.write_str(if is_const { "const " } else { "" })?;
        f.write_str(if self.is_volatile { "volatile " } else { "" })?;
        match self.pointee() {
            Some(element) => write!(f, "{element} *"),
            None => f.write_str(&self.type_name),
        }
    }
}

/// The declaration that an argument is compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Declared {
    /// A declaration that the driver does not report, or one that the other variants do not cover.
    Unknown,
    /// A pointer to `global` or `constant` memory.
    Memory { element: Option<ClType>, read_only: bool },
    /// A pointer to `local` memory.
    Local { element: Option<ClType> },
    /// A value, with its type. The type is `None` for a struct or a `typedef`.
    Value(Option<ClType>),
    /// An image, a sampler, a pipe or a queue. `written`: `true` for an image that the kernel may write.
    Opaque { written: bool },
}

impl Declared {
    pub(super) fn of(info: Option<&ArgumentInfo>) -> Declared {
        let Some(info) = info else { return Declared::Unknown };
        let element = info.element();
        match (info.pointee().is_some(), info.address) {
            (true, AddressSpace::Global) => Declared::Memory { element, read_only: info.is_const },
            (true, AddressSpace::Constant) => Declared::Memory { element, read_only: true },
            (true, AddressSpace::Local) => Declared::Local { element },
            (true, AddressSpace::Private) => Declared::Unknown,
            (false, _) if info.is_opaque() => {
                let written = matches!(info.access, Some(ImageAccess::WriteOnly | ImageAccess::ReadWrite));
                Declared::Opaque { written }
            }
            (false, AddressSpace::Private) => Declared::Value(element),
            // For example, a pointer type behind a `typedef`.
            (false, _) => Declared::Unknown,
        }
    }
}

impl ArgumentInfo {
    fn is_opaque(&self) -> bool {
        let opaque = ["sampler_t", "queue_t", "reserve_id_t", "clk_event_t", "event_t"];
        let name = self.type_name.as_str();
        self.is_pipe || self.access.is_some() || name.starts_with("image") || opaque.contains(&name)
    }
}

/// Returns the driver's information about argument number `index`.
pub(super) fn ask(kernel: &Kernel, index: usize) -> Result<Option<ArgumentInfo>> {
    match ask_all(kernel, index) {
        Ok(info) => Ok(Some(info)),
        // Drivers that do not know the query return `INVALID_VALUE`.
        Err(Error::Driver(error))
            if matches!(error.status, Status::KERNEL_ARG_INFO_NOT_AVAILABLE | Status::INVALID_VALUE) =>
        {
            Ok(None)
        }
        Err(error) => Err(error.note(format!("argument {index} of kernel `{}`", kernel.name))),
    }
}

fn ask_all(kernel: &Kernel, index: usize) -> Result<ArgumentInfo> {
    let get = kernel.library.functions().clGetKernelArgInfo;
    let query = |name| {
        // SAFETY: a valid kernel; `info` passes matching pointers and sizes.
        move |size, value, ret| unsafe { get(kernel.raw, index as cl_uint, name, size, value, ret) }
    };
    let address: cl_uint = info::value(CALL, query(raw::CL_KERNEL_ARG_ADDRESS_QUALIFIER))?;
    let access: cl_uint = info::value(CALL, query(raw::CL_KERNEL_ARG_ACCESS_QUALIFIER))?;
    let qualifiers: cl_kernel_arg_type_qualifier =
        info::value(CALL, query(raw::CL_KERNEL_ARG_TYPE_QUALIFIER))?;
    Ok(ArgumentInfo {
        name: info::text(CALL, query(raw::CL_KERNEL_ARG_NAME))?,
        type_name: info::text(CALL, query(raw::CL_KERNEL_ARG_TYPE_NAME))?,
        address: match address {
            raw::CL_KERNEL_ARG_ADDRESS_GLOBAL => AddressSpace::Global,
            raw::CL_KERNEL_ARG_ADDRESS_CONSTANT => AddressSpace::Constant,
            raw::CL_KERNEL_ARG_ADDRESS_LOCAL => AddressSpace::Local,
            _ => AddressSpace::Private,
        },
        access: match access {
            raw::CL_KERNEL_ARG_ACCESS_READ_ONLY => Some(ImageAccess::ReadOnly),
            raw::CL_KERNEL_ARG_ACCESS_WRITE_ONLY => Some(ImageAccess::WriteOnly),
            raw::CL_KERNEL_ARG_ACCESS_READ_WRITE => Some(ImageAccess::ReadWrite),
            _ => None,
        },
        is_const: qualifiers & raw::CL_KERNEL_ARG_TYPE_CONST != 0,
        is_restrict: qualifiers & raw::CL_KERNEL_ARG_TYPE_RESTRICT != 0,
        is_volatile: qualifiers & raw::CL_KERNEL_ARG_TYPE_VOLATILE != 0,
        is_pipe: qualifiers & raw::CL_KERNEL_ARG_TYPE_PIPE != 0,
    })
}
