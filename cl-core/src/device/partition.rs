//! Sub-devices: parts of a device that are devices themselves.

use super::Device;
use super::property::properties;
use crate::error::{Error, Result};
use crate::info;
use crate::raw;
use crate::raw::{cl_device_id, cl_uint};
use std::fmt;
use std::ptr::null_mut;

/// The division of a device into parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partition {
    /// Parts of this many compute units each, as many as possible; the remaining units are left unused.
    Equally(u32),
    /// One part for each number; the number is the part's count of compute units.
    ByCounts(Vec<u32>),
    /// One part for each group of compute units that share this memory or cache: exactly one of
    /// [`AffinityDomains`].
    ByAffinity(AffinityDomains),
}

bitflags::bitflags! {
    /// The kinds of [`Partition`] that a device supports.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct PartitionKinds: u8 {
        /// [`Partition::Equally`].
        const EQUALLY = 1;
        /// [`Partition::ByCounts`].
        const BY_COUNTS = 1 << 1;
        /// [`Partition::ByAffinity`].
        const BY_AFFINITY = 1 << 2;
    }

    /// Memory and caches that compute units share.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct AffinityDomains: u64 {
        /// Memory of a NUMA node.
        const NUMA = 1;
        /// Level 4 cache.
        const L4_CACHE = 1 << 1;
        /// Level 3 cache.
        const L3_CACHE = 1 << 2;
        /// Level 2 cache.
        const L2_CACHE = 1 << 3;
        /// Level 1 cache.
        const L1_CACHE = 1 << 4;
        /// The first of the domains above, in this order, by which the device can be divided.
        const NEXT_PARTITIONABLE = 1 << 5;
    }
}

/// The number of each kind in C's property lists.
const KINDS: [(isize, PartitionKinds); 3] = [
    (cl_sys::CL_DEVICE_PARTITION_EQUALLY as isize, PartitionKinds::EQUALLY),
    (cl_sys::CL_DEVICE_PARTITION_BY_COUNTS as isize, PartitionKinds::BY_COUNTS),
    (cl_sys::CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN as isize, PartitionKinds::BY_AFFINITY),
];

properties! {
    max_sub_devices: value<u32> -> u32, CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
        ": 0 or 1 for a device that cannot be divided";
    affinity_domains: bits<AffinityDomains> -> AffinityDomains, CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
        ": the domains by which the device can be divided";
}

impl Device {
    /// Divides the device into parts. Each part is a device that can have contexts and queues of
    /// its own. The whole device remains usable.
    ///
    /// ```
    /// use cl_core::{Device, Partition, PartitionKinds, Queue};
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// let device = Device::first()?;
    /// if device.partition_kinds()?.contains(PartitionKinds::EQUALLY) {
    ///     let parts = device.partition(&Partition::Equally(1))?;
    ///     let queue = Queue::on(&parts[0])?;
    ///     assert_eq!(queue.device().compute_units()?, 1);
    ///     assert_eq!(queue.device().parent(), Some(&device));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a kind or an affinity domain that the device does not support.
    /// [`Error::InvalidInput`] for a part of zero compute units, for more compute units or parts than
    /// the device can have, and for a set of affinity domains that has zero or several members.
    /// [`Error::Driver`] when the driver refuses for another reason.
    pub fn partition(&self, how: &Partition) -> Result<Vec<Device>> {
        if !self.partition_kinds()?.contains(how.kind()) {
            return Err(self.cannot(format!("partition {how}")));
        }
        match how {
            Partition::Equally(units) => self.check_counts(std::slice::from_ref(units))?,
            Partition::ByCounts(counts) => {
                self.check_counts(counts)?;
                self.check_parts(counts.len())?;
            }
            Partition::ByAffinity(domain) => self.check_domain(*domain)?,
        }
        self.create_sub_devices(&how.to_properties())
            .map_err(|error| error.note(format!("partition {how} of {self}")))
    }

    /// Returns `CL_DEVICE_PARTITION_PROPERTIES`: the kinds by which
    /// [`partition`](Device::partition) can divide the device.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn partition_kinds(&self) -> Result<PartitionKinds> {
        let listed: Vec<isize> = self.list(raw::CL_DEVICE_PARTITION_PROPERTIES)?;
        Ok(KINDS.iter().filter(|(number, _)| listed.contains(number)).map(|(_, kind)| *kind).collect())
    }

    /// Returns `CL_DEVICE_PARTITION_TYPE`: the division that made the device from its
    /// [`parent`](Device::parent). Returns `None` for a root device, and for kinds that
    /// [`Partition`] does not have.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn partition_type(&self) -> Result<Option<Partition>> {
        Ok(Partition::from_properties(&self.list(raw::CL_DEVICE_PARTITION_TYPE)?))
    }

    /// Returns an error unless the counts are valid. A zero ends a list of counts in C, and drivers
    /// disagree about counts that are too large.
    fn check_counts(&self, counts: &[u32]) -> Result<()> {
        let available = self.compute_units()?;
        let wanted: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let reason = if counts.is_empty() {
            "the list of parts is empty".to_owned()
        } else if counts.contains(&0) {
            "a part of 0 compute units".to_owned()
        } else if wanted > u64::from(available) {
            format!("{wanted} compute units are asked for, {self} has {available}")
        } else {
            return Ok(());
        };
        Err(Error::InvalidInput { what: "partition", reason })
    }

    fn check_parts(&self, parts: usize) -> Result<()> {
        let limit = self.max_sub_devices()?;
        if parts as u64 <= u64::from(limit) {
            return Ok(());
        }
        let reason = format!("{parts} parts are asked for, {self} can have {limit}");
        Err(Error::InvalidInput { what: "partition", reason })
    }

    fn check_domain(&self, domain: AffinityDomains) -> Result<()> {
        if domain.bits().count_ones() != 1 {
            let reason = format!("one affinity domain is needed, not {domain:?}");
            return Err(Error::InvalidInput { what: "partition", reason });
        }
        if self.affinity_domains()?.contains(domain) {
            return Ok(());
        }
        Err(self.cannot(format!("partition {}", Partition::ByAffinity(domain))))
    }

    fn cannot(&self, feature: String) -> Error {
        Error::Unsupported { feature, device: self.to_string() }
    }

    /// Calls `clCreateSubDevices`, with a property list that ends with 0.
    fn create_sub_devices(&self, properties: &[isize]) -> Result<Vec<Device>> {
        let call = "clCreateSubDevices";
        let create = self.library().functions().clCreateSubDevices;
        let mut count: cl_uint = 0;
        // SAFETY: a live device and a list that ends; null with zero entries asks for the number of parts.
        let status = unsafe { create(self.as_raw(), properties.as_ptr(), 0, null_mut(), &raw mut count) };
        Error::check(call, status)?;
        let mut ids: Vec<cl_device_id> = info::room(call, count as usize, null_mut())?;
        // SAFETY: as above; `ids` has room for `count` entries.
        let status =
            unsafe { create(self.as_raw(), properties.as_ptr(), count, ids.as_mut_ptr(), &raw mut count) };
        Error::check(call, status)?;
        // Nothing may fail from here on, because each id is a reference that is now ours.
        let made = ids.into_iter().filter(|id| !id.is_null());
        Ok(made.map(|id| Device::with_parent(self.platform(), id, Some(self.clone()))).collect())
    }
}

impl Partition {
    fn kind(&self) -> PartitionKinds {
        match self {
            Partition::Equally(_) => PartitionKinds::EQUALLY,
            Partition::ByCounts(_) => PartitionKinds::BY_COUNTS,
            Partition::ByAffinity(_) => PartitionKinds::BY_AFFINITY,
        }
    }

    /// Returns the C property list.
    fn to_properties(&self) -> Vec<isize> {
        let kind = KINDS.iter().find(|(_, kind)| *kind == self.kind()).map(|(number, _)| *number);
        let mut list: Vec<isize> = kind.into_iter().collect();
        match self {
            Partition::Equally(units) => list.push(*units as isize),
            // The first 0 ends the counts.
            Partition::ByCounts(counts) => list.extend(counts.iter().map(|&n| n as isize).chain([0])),
            Partition::ByAffinity(domain) => list.push(domain.bits() as isize),
        }
        list.push(0);
        list
    }

    /// Parses a C property list; some drivers end it with 0, others do not.
    fn from_properties(list: &[isize]) -> Option<Partition> {
        let (number, values) = list.split_first()?;
        let (_, kind) = KINDS.iter().find(|(known, _)| known == number)?;
        let first = *values.first()?;
        match *kind {
            PartitionKinds::EQUALLY => Some(Partition::Equally(u32::try_from(first).ok()?)),
            PartitionKinds::BY_COUNTS => {
                let counts = values.iter().take_while(|&&count| count != 0);
                counts.map(|&count| u32::try_from(count).ok()).collect::<Option<_>>().map(Partition::ByCounts)
            }
            _ => Some(Partition::ByAffinity(AffinityDomains::from_bits_retain(first as u64))),
        }
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partition::Equally(units) => write!(f, "equally, {units} compute units each"),
            Partition::ByCounts(counts) => write!(f, "by counts {counts:?}"),
            Partition::ByAffinity(domain) => write!(f, "by affinity domain {domain:?}"),
        }
    }
}
