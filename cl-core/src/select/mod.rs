//! Selection of devices by their properties and capabilities.
//!
//! | file | concept |
//! | --- | --- |
//! | `judge` | the devices that a filter chooses, and the reasons against the others |
//! | `environment` | filters from environment variables |
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

/// A selection of devices: one question to each device, or several joined by `&`, `|` and `!`.
///
/// A filter stands for a *set* of devices: `&` is the intersection of both sides, `|` the union,
/// `!` the complement. [`take`](Filter::take) and [`nth`](Filter::nth) choose from the set that
/// they are called on, in the order of [`Device::all`], not from the set that remains after the
/// rest of the expression. So the order of the operands never changes the choice.
///
/// A device is asked only questions that still matter: the right side of `&` only if the left side
/// has chosen it, the right side of `|` only if the left side has not.
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
    /// Chooses every device.
    #[must_use]
    pub fn any() -> Filter {
        Filter::test("of any kind", |_| Ok(Ok(())))
    }

    /// Chooses devices of one of these kinds. [`DeviceKind::DEFAULT`] stands for the device that
    /// its platform prefers.
    #[must_use]
    pub fn kind(wanted: DeviceKind) -> Filter {
        Filter::test(format!("of kind {wanted}"), move |device| {
            let kind = device.kind()?;
            // Drivers do not mark their default device; they only return it when asked for the
            // default.
            let preferred = || device.platform().devices_of(DeviceKind::DEFAULT);
            let default = wanted.contains(DeviceKind::DEFAULT) && preferred()?.contains(device);
            Ok(verdict(default || kind.intersects(wanted), || format!("is of kind {kind}")))
        })
    }

    /// Chooses graphics processors.
    #[must_use]
    pub fn gpu() -> Filter {
        Filter::kind(DeviceKind::GPU)
    }

    /// Chooses processors of the host.
    #[must_use]
    pub fn cpu() -> Filter {
        Filter::kind(DeviceKind::CPU)
    }

    /// Chooses dedicated accelerators.
    #[must_use]
    pub fn accelerator() -> Filter {
        Filter::kind(DeviceKind::ACCELERATOR)
    }

    /// Chooses devices whose name contains this text, regardless of case.
    #[must_use]
    pub fn name(part: impl Into<String>) -> Filter {
        Filter::text("name", part.into(), Device::name)
    }

    /// Chooses devices whose vendor's name contains this text, regardless of case.
    #[must_use]
    pub fn vendor(part: impl Into<String>) -> Filter {
        Filter::text("vendor", part.into(), Device::vendor)
    }

    /// Chooses devices whose platform's name contains this text, regardless of case.
    #[must_use]
    pub fn platform(part: impl Into<String>) -> Filter {
        Filter::text("platform", part.into(), |device| device.platform().name())
    }

    /// Chooses devices that list this extension, by its exact name.
    #[must_use]
    pub fn extension(name: impl Into<String>) -> Filter {
        let name = name.into();
        Filter::test(format!("with {name}"), move |device| {
            Ok(verdict(device.has_extension(&name)?, || format!("lacks {name}")))
        })
    }

    /// Chooses devices whose kernels can use `double`.
    #[must_use]
    pub fn fp64() -> Filter {
        Filter::test("with fp64", |device| Ok(verdict(device.has_fp64()?, || "lacks fp64".to_owned())))
    }

    /// Chooses devices whose kernels can compute with `half`.
    #[must_use]
    pub fn fp16() -> Filter {
        Filter::test("with fp16", |device| Ok(verdict(device.has_fp16()?, || "lacks fp16".to_owned())))
    }

    /// Chooses devices that support this version of OpenCL, or a newer one.
    #[must_use]
    pub fn opencl(least: Version) -> Filter {
        Filter::test(format!("with OpenCL {least} or newer"), move |device| {
            let version = device.opencl_version()?;
            Ok(verdict(version >= least, || format!("has OpenCL {version}")))
        })
    }

    /// Chooses devices with at least `least` bytes of global memory.
    #[must_use]
    pub fn global_memory(least: u64) -> Filter {
        Filter::test(format!("with {least} bytes of global memory"), move |device| {
            let bytes = device.global_memory()?;
            Ok(verdict(bytes >= least, || format!("has {bytes} bytes of global memory")))
        })
    }

    /// Chooses devices with at least `least` compute units.
    #[must_use]
    pub fn compute_units(least: u32) -> Filter {
        Filter::test(format!("with {least} compute units"), move |device| {
            let units = device.compute_units()?;
            Ok(verdict(units >= least, || format!("has {units} compute units")))
        })
    }

    /// Chooses devices that pass the program's own test. `what` completes the sentence "no OpenCL
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

    /// Chooses the devices that both filters choose; `self & other`.
    #[must_use]
    pub fn and(self, other: Filter) -> Filter {
        Filter(Arc::new(Node::And(self, other)))
    }

    /// Chooses the devices that at least one of the filters chooses; `self | other`.
    #[must_use]
    pub fn or(self, other: Filter) -> Filter {
        Filter(Arc::new(Node::Or(self, other)))
    }

    /// Chooses the first `count` devices that this filter chooses.
    #[must_use]
    pub fn take(self, count: usize) -> Filter {
        Filter(Arc::new(Node::Take(self, count)))
    }

    /// Chooses the device at this position, from 0, among those that this filter chooses.
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

    /// Chooses devices for which the text of a property contains `part`, regardless of case.
    fn text(what: &'static str, part: String, get: fn(&Device) -> Result<String>) -> Filter {
        let lower = part.to_lowercase();
        Filter::test(format!("of {what} {part:?}"), move |device| {
            let text = get(device)?;
            Ok(verdict(text.to_lowercase().contains(&lower), || format!("has {what} {text:?}")))
        })
    }
}

/// Returns the verdict on a device: chosen, or passed over for a reason.
fn verdict(chosen: bool, reason: impl FnOnce() -> String) -> Verdict {
    if chosen { Ok(()) } else { Err(reason()) }
}

impl Device {
    /// Returns the devices of the machine that a filter chooses, at least one, in the order of
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
    /// [`Error::NoDevice`] with the filter, and the reason against each device; [`Error::Driver`]
    /// when a driver fails to answer a question of the filter, because a failure does not count as
    /// a "no". Otherwise as [`Device::all`].
    pub fn select(filter: Filter) -> Result<Vec<Device>> {
        filter.select_from(&Device::all()?)
    }
}

impl Filter {
    /// Returns the devices of a list that the filter chooses, at least one, in the list's order.
    /// The list may hold sub-devices, or the devices of another [`Library`](crate::Library).
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
        Err(Error::NoDevice { wanted: Some(self.to_string()), candidates: reasons.collect() })
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
    /// Writes the end of the sentence "the device is ...", with brackets around operands of several
    /// words.
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

/// An operand, in brackets unless it is a single test.
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
