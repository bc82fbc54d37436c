//! Choosing devices by what they are and what they can do.
//!
//! | file | concept |
//! | --- | --- |
//! | `judge` | which devices a filter chooses, and why not the others |
//! | `environment` | filters that the user of a program writes |
//! | `exclusive` | devices that no other process uses |

mod environment;
mod exclusive;
mod judge;

pub use exclusive::Exclusive;

use crate::device::{Device, DeviceKind, Version};
use crate::error::{Error, Result};
use judge::Verdict;
use std::fmt;
use std::ops;
use std::sync::Arc;

/// Which devices are wanted: a question to each device, or several with `&`, `|` and `!`.
///
/// A filter stands for a *set* of devices: `&` is what both sides choose, `|` what either chooses,
/// `!` all the others. [`take`](Filter::take) and [`nth`](Filter::nth) choose from the set that
/// they are called on, in the order of [`Device::all`], and not from what the rest of the
/// expression leaves; so the order of the operands never changes the choice.
///
/// A device is not asked what does not matter any more: the right side of `&` only when the left
/// side has chosen it, the right side of `|` only when it has not.
///
/// ```
/// use cl_core::{Device, Filter};
///
/// # fn main() -> cl_core::Result<()> {
/// let two_large_gpus = (Filter::gpu() & Filter::global_memory(16 << 30)).take(2);
/// let wanted = two_large_gpus | Filter::cpu() & Filter::fp64();
/// for device in Device::select(wanted & !Filter::name("emulator"))? {
///     println!("{device}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Filter(Arc<Node>);

enum Node {
    Test { what: String, check: Box<Check> },
    And(Filter, Filter),
    Or(Filter, Filter),
    Not(Filter),
    Take(Filter, usize),
    Nth(Filter, usize),
}

type Check = dyn Fn(&Device) -> Result<Verdict> + Send + Sync;

impl Filter {
    /// Every device.
    #[must_use]
    pub fn any() -> Filter {
        Filter::test("of any kind", |_| Ok(Ok(())))
    }

    /// Devices of one of these kinds. [`DeviceKind::DEFAULT`] stands for the one that its platform
    /// prefers.
    #[must_use]
    pub fn kind(wanted: DeviceKind) -> Filter {
        Filter::test(format!("of kind {wanted}"), move |device| {
            let kind = device.kind()?;
            // Drivers do not mark their default device; they only return it.
            let preferred = || device.platform().devices_of(DeviceKind::DEFAULT);
            let default = wanted.contains(DeviceKind::DEFAULT) && preferred()?.contains(device);
            Ok(verdict(default || kind.intersects(wanted), || format!("is of kind {kind}")))
        })
    }

    /// Graphics processors.
    #[must_use]
    pub fn gpu() -> Filter {
        Filter::kind(DeviceKind::GPU)
    }

    /// Processors of the host.
    #[must_use]
    pub fn cpu() -> Filter {
        Filter::kind(DeviceKind::CPU)
    }

    /// Dedicated accelerators.
    #[must_use]
    pub fn accelerator() -> Filter {
        Filter::kind(DeviceKind::ACCELERATOR)
    }

    /// Devices whose name contains this text, in any case.
    #[must_use]
    pub fn name(part: impl Into<String>) -> Filter {
        Filter::text("name", part.into(), Device::name)
    }

    /// Devices whose vendor's name contains this text, in any case.
    #[must_use]
    pub fn vendor(part: impl Into<String>) -> Filter {
        Filter::text("vendor", part.into(), Device::vendor)
    }

    /// Devices whose platform's name contains this text, in any case.
    #[must_use]
    pub fn platform(part: impl Into<String>) -> Filter {
        Filter::text("platform", part.into(), |device| device.platform().name())
    }

    /// Devices that list this extension, by its exact name.
    #[must_use]
    pub fn extension(name: impl Into<String>) -> Filter {
        let name = name.into();
        Filter::test(format!("with {name}"), move |device| {
            Ok(verdict(device.has_extension(&name)?, || format!("lacks {name}")))
        })
    }

    /// Devices whose kernels can use `double`.
    #[must_use]
    pub fn fp64() -> Filter {
        Filter::test("with fp64", |device| Ok(verdict(device.has_fp64()?, || "lacks fp64".to_owned())))
    }

    /// Devices whose kernels can compute with `half`.
    #[must_use]
    pub fn fp16() -> Filter {
        Filter::test("with fp16", |device| Ok(verdict(device.has_fp16()?, || "lacks fp16".to_owned())))
    }

    /// Devices that support this version of OpenCL, or a newer one.
    #[must_use]
    pub fn opencl(least: Version) -> Filter {
        Filter::test(format!("with OpenCL {least} or newer"), move |device| {
            let version = device.opencl_version()?;
            Ok(verdict(version >= least, || format!("has OpenCL {version}")))
        })
    }

    /// Devices with at least so many bytes of global memory.
    #[must_use]
    pub fn global_memory(least: u64) -> Filter {
        Filter::test(format!("with {least} bytes of global memory"), move |device| {
            let bytes = device.global_memory()?;
            Ok(verdict(bytes >= least, || format!("has {bytes} bytes of global memory")))
        })
    }

    /// Devices with at least so many compute units.
    #[must_use]
    pub fn compute_units(least: u32) -> Filter {
        Filter::test(format!("with {least} compute units"), move |device| {
            let units = device.compute_units()?;
            Ok(verdict(units >= least, || format!("has {units} compute units")))
        })
    }

    /// Devices that pass a test of the program's own. `what` completes the sentence "no OpenCL
    /// device is ...".
    ///
    /// ```
    /// use cl_core::{Device, Filter};
    ///
    /// let shares = Filter::by("on the host's memory", Device::shares_host_memory);
    /// let wide = Filter::by("with 64-bit addresses", |device| Ok(device.address_bits()? == 64));
    /// # let _ = shares & wide;
    /// ```
    #[must_use]
    pub fn by(
        what: impl Into<String>,
        accepts: impl Fn(&Device) -> Result<bool> + Send + Sync + 'static,
    ) -> Filter {
        let what = what.into();
        let reason = format!("is not {what}");
        Filter::test(what, move |device| Ok(verdict(accepts(device)?, || reason.clone())))
    }

    /// What both filters choose; `self & other`.
    #[must_use]
    pub fn and(self, other: Filter) -> Filter {
        Filter(Arc::new(Node::And(self, other)))
    }

    /// What one of the filters chooses, or both; `self | other`.
    #[must_use]
    pub fn or(self, other: Filter) -> Filter {
        Filter(Arc::new(Node::Or(self, other)))
    }

    /// The first `count` devices that this filter chooses.
    #[must_use]
    pub fn take(self, count: usize) -> Filter {
        Filter(Arc::new(Node::Take(self, count)))
    }

    /// The device at this position, from 0, among those that this filter chooses.
    #[must_use]
    pub fn nth(self, position: usize) -> Filter {
        Filter(Arc::new(Node::Nth(self, position)))
    }

    fn test(
        what: impl Into<String>,
        check: impl Fn(&Device) -> Result<Verdict> + Send + Sync + 'static,
    ) -> Filter {
        Filter(Arc::new(Node::Test { what: what.into(), check: Box::new(check) }))
    }

    /// Devices of which a text contains `part`, in any case.
    fn text(what: &'static str, part: String, get: fn(&Device) -> Result<String>) -> Filter {
        let lower = part.to_lowercase();
        Filter::test(format!("of {what} {part:?}"), move |device| {
            let text = get(device)?;
            Ok(verdict(text.to_lowercase().contains(&lower), || format!("has {what} {text:?}")))
        })
    }
}

/// Chosen, or passed over for a reason.
fn verdict(chosen: bool, reason: impl FnOnce() -> String) -> Verdict {
    if chosen { Ok(()) } else { Err(reason()) }
}

impl Device {
    /// The devices that a filter chooses from all of the machine's; at least one, in the order of
    /// [`Device::all`].
    ///
    /// ```
    /// use cl_core::{Device, Filter, Queue};
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// let devices = Device::select(Filter::fp64() & Filter::compute_units(1))?;
    /// let queues: Vec<Queue> = devices.iter().map(Queue::on).collect::<Result<_, _>>()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::NoDevice`] with what was asked for, and why each device was passed over;
    /// [`Error::Driver`] when a driver fails to answer a question of the filter: that is no `no`.
    /// Otherwise as [`Device::all`].
    pub fn select(filter: Filter) -> Result<Vec<Device>> {
        filter.select_from(&Device::all()?)
    }
}

impl Filter {
    /// The devices that the filter chooses from a list; at least one, in the list's order. The
    /// list may hold sub-devices, or the devices of another [`Library`](crate::Library).
    ///
    /// # Errors
    /// As [`Device::select`].
    pub fn select_from(&self, devices: &[Device]) -> Result<Vec<Device>> {
        let verdicts = self.judge(devices)?;
        let judged = || devices.iter().zip(&verdicts);
        let chosen: Vec<Device> =
            judged().filter(|(_, verdict)| verdict.is_ok()).map(|(device, _)| device.clone()).collect();
        if !chosen.is_empty() {
            return Ok(chosen);
        }
        let reasons = judged().filter_map(|(device, verdict)| {
            verdict.as_ref().err().map(|reason| format!("{device} {reason}"))
        });
        Err(Error::NoDevice { wanted: Some(self.to_string()), platforms: reasons.collect() })
    }
}

impl ops::BitAnd for Filter {
    type Output = Filter;

    fn bitand(self, other: Filter) -> Filter {
        self.and(other)
    }
}

impl ops::BitOr for Filter {
    type Output = Filter;

    fn bitor(self, other: Filter) -> Filter {
        self.or(other)
    }
}

impl ops::Not for Filter {
    type Output = Filter;

    fn not(self) -> Filter {
        Filter(Arc::new(Node::Not(self)))
    }
}

impl fmt::Display for Filter {
    /// The end of the sentence "the device is ...", with brackets around parts of several words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Node::Test { what, .. } => f.write_str(what),
            Node::And(left, right) => write!(f, "{} and {}", Bracketed(left), Bracketed(right)),
            Node::Or(left, right) => write!(f, "{} or {}", Bracketed(left), Bracketed(right)),
            Node::Not(filter) => write!(f, "not {}", Bracketed(filter)),
            Node::Take(filter, count) => write!(f, "among the first {count} {}", Bracketed(filter)),
            Node::Nth(filter, position) => write!(f, "at position {position} of those {}", Bracketed(filter)),
        }
    }
}

/// An operand: in brackets unless it is a single test.
struct Bracketed<'f>(&'f Filter);

impl fmt::Display for Bracketed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0.0 {
            Node::Test { .. } => write!(f, "{}", self.0),
            _ => write!(f, "({})", self.0),
        }
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({self})")
    }
}
