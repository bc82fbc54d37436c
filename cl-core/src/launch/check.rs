//! Checks of arguments against the kernel's declaration: a number for a number, memory for a
//! pointer.
//!
//! Drivers compare at most the size of values, and some do not compare anything. A kernel that gets
//! a handle in place of a number reads a host address as the number. A kernel that gets a number in
//! place of a pointer crashes.

use super::argument::Arg;
use super::cl_type::ClType;
use crate::error::{ArgumentError, Error, Result};
use crate::hazard::Access;
use crate::kernel::{Declared, Kernel};

/// An argument, and the type of the value that it was made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    pub(super) arg: Arg<'a>,
    pub(super) cl_type: Option<ClType>,
}

/// The reason why an argument does not fit. The hint says what to do, if the two types alone do
/// not.
struct Misfit(Option<&'static str>);

const KIND: Misfit = Misfit(None);
const CONST: Misfit = Misfit(Some("the kernel only reads it: are two arguments confused?"));
const EMPTY: Misfit = Misfit(Some("a kernel cannot be given memory of no bytes"));
const IMAGE: Misfit = Misfit(Some("the kernel may write it: give it as `&mut`"));
const THREE: Misfit =
    Misfit(Some("on the device vectors of three take the room of four: use arrays of four"));
const TYPE: Misfit = Misfit(Some(
    "types must be the same, signedness included; bytes without a type are `In(buffer.memory())`, or `Out` or \
     `InOut` of it",
));

impl Given<'_> {
    /// Returns `true` if the argument is memory or a number of exactly the declared type, and may
    /// be used. Nearly all arguments are such plain ones; `check` handles the rest. The function is
    /// short, because a driver call evicts its instructions from the processor's cache. Fetching
    /// instructions again is most of a launch's cost.
    #[inline]
    pub(super) fn suits_plainly(&self, kernel: &Kernel, index: usize) -> bool {
        match (&self.arg, kernel.declared.get(index)) {
            (
                Arg::Memory(memory, access) | Arg::Unmarked(memory, access),
                Some(Declared::Memory { element, read_only }),
            ) => {
                let same = match (element, self.cl_type) {
                    (Some(element), Some(given)) => element.overlays(given),
                    _ => true,
                };
                same && (!read_only || *access == Access::Read) && memory.is_ready(kernel.context, *access)
            }
            (Arg::Value(_, size), Some(Declared::Value(Some(declared)))) => match self.cl_type {
                Some(given) => *declared == given,
                None => declared.size() == *size,
            },
            _ => false,
        }
    }

    /// Returns an error unless this can be argument number `index` of `kernel`.
    pub(super) fn check(&self, kernel: &Kernel, index: usize) -> Result<()> {
        let declared = kernel.declared.get(index).copied().unwrap_or(Declared::Unknown);
        self.suits(declared).map_err(|misfit| self.refused(kernel, index, &misfit))
    }

    /// Returns the kernel's access to the memory, if this is memory; see [`In`](crate::In).
    pub(super) fn access(&self, declared: Declared) -> Access {
        match (self.arg, declared) {
            (Arg::Unmarked(..) | Arg::Svm(..), Declared::Memory { read_only: true, .. }) => Access::Read,
            (Arg::Unmarked(..) | Arg::Svm(..), Declared::Memory { read_only: false, .. }) => Access::Write,
            (Arg::Unmarked(_, access) | Arg::Memory(_, access) | Arg::Image(_, access), _) => access,
            (Arg::Svm(_, access), _) => access,
            _ => Access::Read,
        }
    }

    fn suits(&self, declared: Declared) -> Result<(), Misfit> {
        match (self.arg, declared) {
            (Arg::Memory(memory, _) | Arg::Unmarked(memory, _), _) if memory.bytes() == 0 => Err(EMPTY),
            (Arg::Svm(memory, _), _) if memory.bytes() == 0 => Err(EMPTY),
            (Arg::Bytes([]), _) => Err(KIND),
            (_, Declared::Unknown) => Ok(()),
            (Arg::Memory(_, access), Declared::Memory { read_only: true, .. }) if access.writes() => {
                Err(CONST)
            }
            (Arg::Memory(..) | Arg::Unmarked(..) | Arg::Svm(..), Declared::Memory { element, .. })
            | (Arg::Local(_), Declared::Local { element }) => match (element, self.cl_type) {
                (Some(element), Some(given)) if !element.overlays(given) => {
                    Err(if element.scalar == given.scalar { THREE } else { TYPE })
                }
                _ => Ok(()),
            },
            (Arg::Value(..) | Arg::Wide(_) | Arg::Bytes(_), Declared::Value(declared)) => {
                match (declared, self.cl_type) {
                    (Some(declared), Some(given)) if declared != given => Err(KIND),
                    (Some(declared), None) if declared.size() != self.size() => Err(KIND),
                    _ => Ok(()),
                }
            }
            (Arg::Image(_, Access::Read), Declared::Opaque { written: true }) => Err(IMAGE),
            // Images and samplers are memory or handles, which the driver recognises by itself.
            (Arg::Memory(..) | Arg::Unmarked(..), Declared::Opaque { .. }) => Ok(()),
            (Arg::Image(..) | Arg::Sampler(_), Declared::Opaque { .. }) => Ok(()),
            (Arg::Value(..) | Arg::Wide(_) | Arg::Bytes(_), Declared::Opaque { .. })
                if self.cl_type.is_none() =>
            {
                Ok(())
            }
            _ => Err(KIND),
        }
    }

    /// Returns the number of bytes of the value that is set.
    fn size(&self) -> usize {
        match self.arg {
            Arg::Value(_, size) => size,
            Arg::Wide(bytes) => bytes.len(),
            Arg::Bytes(bytes) => bytes.len(),
            Arg::Local(bytes) => bytes,
            Arg::Memory(memory, _) | Arg::Unmarked(memory, _) | Arg::Image(memory, _) => memory.bytes(),
            Arg::Svm(memory, _) => memory.bytes(),
            Arg::Sampler(sampler) => size_of_val(&sampler.as_raw()),
        }
    }

    #[cold]
    fn refused(&self, kernel: &Kernel, index: usize, misfit: &Misfit) -> Error {
        let info = kernel.argument_info(index);
        Error::Argument(Box::new(ArgumentError {
            kernel: kernel.name.to_string(),
            index,
            name: info.map(|info| info.name.clone()).filter(|name| !name.is_empty()),
            declared: info.map(ToString::to_string),
            given: self.describe(),
            hint: misfit.0,
        }))
    }

    /// Describes the argument for an error message.
    fn describe(&self) -> String {
        let elements = self.cl_type.map(|it| format!(" of `{}`", it.in_rust())).unwrap_or_default();
        match (self.arg, self.cl_type) {
            (Arg::Memory(_, access), _) if access.writes() => format!("memory{elements} to be written"),
            (Arg::Memory(memory, _) | Arg::Unmarked(memory, _), _) if memory.bytes() == 0 => {
                format!("empty memory{elements}")
            }
            (Arg::Memory(..) | Arg::Unmarked(..), _) => format!("device memory{elements}"),
            (Arg::Image(..), _) => "an image or a pipe".to_owned(),
            (Arg::Sampler(_), _) => "a sampler".to_owned(),
            (Arg::Svm(..), _) => format!("shared virtual memory{elements}"),
            (Arg::Local(_), _) => format!("local memory{elements}"),
            (_, Some(it)) => format!("a value of type `{}` (`{it}`)", it.in_rust()),
            (_, None) => format!("a value of {} bytes", self.size()),
        }
    }
}
