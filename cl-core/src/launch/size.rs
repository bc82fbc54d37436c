//! Work sizes, and checks of them against the limits of device and kernel.

use crate::error::Result;
use crate::kernel::{Kernel, LaunchLimits};

/// A number of work-items along one, two or three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkSize {
    pub(crate) dimensions: usize,
    pub(crate) sizes: [usize; 3],
}

impl WorkSize {
    /// Returns the number of dimensions that were given: 1, 2 or 3.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns the sizes along x, y and z; 1 along dimensions that were not given.
    #[must_use]
    pub fn sizes(&self) -> [usize; 3] {
        self.sizes
    }
}

impl From<usize> for WorkSize {
    fn from(size: usize) -> Self {
        WorkSize { dimensions: 1, sizes: [size, 1, 1] }
    }
}

impl From<[usize; 1]> for WorkSize {
    fn from([x]: [usize; 1]) -> Self {
        WorkSize { dimensions: 1, sizes: [x, 1, 1] }
    }
}

impl From<[usize; 2]> for WorkSize {
    fn from([x, y]: [usize; 2]) -> Self {
        WorkSize { dimensions: 2, sizes: [x, y, 1] }
    }
}

impl From<[usize; 3]> for WorkSize {
    fn from(sizes: [usize; 3]) -> Self {
        WorkSize { dimensions: 3, sizes }
    }
}

/// The sizes of one launch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    pub(super) global: [usize; 3],
    pub(super) local: [usize; 3],
    pub(super) offset: [usize; 3],
    /// The number of dimensions of the global size; 0 until it is set.
    pub(super) dimensions: u8,
    /// The number of dimensions of the local size; 0 if the driver chooses it.
    pub(super) local_dimensions: u8,
    /// `true` if `global` is rounded up to whole work-groups.
    pub(super) at_least: bool,
    /// `true` if the last work-group along each dimension may be smaller.
    pub(super) non_uniform: bool,
}

impl Sizes {
    pub(super) fn is_empty(&self) -> bool {
        self.global.contains(&0)
    }

    /// Rounds the global size up, if requested, and checks the sizes. Drivers respond to bad sizes
    /// with a crash, a silent no-op or a wrong result.
    #[inline]
    pub(super) fn settle(&mut self, kernel: &Kernel) -> Result<()> {
        if self.fit(&kernel.limits) { Ok(()) } else { self.settle_slowly(kernel) }
    }

    /// Returns `true` if the sizes are valid as they are. Nearly all launches are such plain ones;
    /// `settle_slowly` handles the rest. The function is short, because a driver call evicts its
    /// instructions from the processor's cache, and each launch must fetch them again.
    #[inline]
    fn fit(&self, limits: &LaunchLimits) -> bool {
        let dimensions = usize::from(self.dimensions);
        if self.local_dimensions != self.dimensions || self.at_least || self.non_uniform {
            return false;
        }
        if limits.required != [0; 3] && limits.required != self.local {
            return false;
        }
        let (mut items, mut group) = (1_usize, 1_usize);
        for d in 0..dimensions.min(3) {
            let (global, local) = (self.global[d], self.local[d]);
            let end = self.offset[d].checked_add(global);
            if local == 0 || local > limits.items[d] || end.is_none_or(|end| end > limits.address) {
                return false;
            }
            let Some(product) = items.checked_mul(global) else { return false };
            if !global.is_multiple_of(local) {
                return false;
            }
            (items, group) = (product, group.saturating_mul(local));
        }
        dimensions != 0 && group <= limits.group
    }

    #[inline(never)]
    fn settle_slowly(&mut self, kernel: &Kernel) -> Result<()> {
        if self.dimensions == 0 {
            return Err(kernel.cannot_launch("no global size was given: add .global(n)".to_owned()));
        }
        if self.at_least {
            self.round_up(kernel)?;
        }
        self.check_range(kernel)?;
        self.check_group(kernel)
    }

    fn round_up(&mut self, kernel: &Kernel) -> Result<()> {
        if self.local_dimensions == 0 {
            let reason = "`global_at_least` rounds up to whole work-groups: give their size with `local`";
            return Err(kernel.cannot_launch(reason.to_owned()));
        }
        for (global, local) in self.global.iter_mut().zip(self.local) {
            // A later check refuses a work-group of zero work-items.
            let Some(rounded) = global.checked_next_multiple_of(local.max(1)) else {
                let reason = format!("global size {global}, rounded up to a multiple of {local}, overflows");
                return Err(kernel.cannot_launch(reason));
            };
            *global = rounded;
        }
        Ok(())
    }

    /// Returns an error unless every global id fits the device's address size, and the number of
    /// work-items a `usize`.
    pub(super) fn check_range(&self, kernel: &Kernel) -> Result<()> {
        let largest = kernel.limits.address;
        for (offset, size) in self.offset.iter().zip(self.global) {
            if offset.checked_add(size).is_none_or(|end| end > largest) {
                return Err(kernel.cannot_launch(format!("offset {offset} + global size {size} overflows")));
            }
        }
        if product(self.global).is_none() && !self.is_empty() {
            let reason = format!("the number of work-items of {:?} overflows", self.global);
            return Err(kernel.cannot_launch(reason));
        }
        Ok(())
    }

    fn check_group(&self, kernel: &Kernel) -> Result<()> {
        let required = kernel.limits.required;
        if self.local_dimensions == 0 {
            if required != [0; 3] {
                let reason = format!(
                    "it requires work-groups of {required:?}, no local size was given: add .local({required:?})"
                );
                return Err(kernel.cannot_launch(reason));
            }
            return Ok(());
        }
        if self.local_dimensions != self.dimensions {
            let (l, g) = (self.local_dimensions, self.dimensions);
            return Err(kernel.cannot_launch(format!("local size has {l} dimensions, global size {g}")));
        }
        let (global, local) = (self.global, self.local);
        if required != [0; 3] && required != local {
            let reason = format!("it requires work-groups of {required:?}, local size is {local:?}");
            return Err(kernel.cannot_launch(reason));
        }
        let most = kernel.limits.group;
        if product(local).is_none_or(|items| items == 0 || items > most) {
            let reason = format!("work-group {local:?}, it can have 1 to {most} work-items");
            return Err(kernel.cannot_launch(reason));
        }
        for (dimension, (size, most)) in local.into_iter().zip(kernel.limits.items).enumerate() {
            if size > most {
                let reason =
                    format!("work-group {local:?}, the device allows {most} along dimension {dimension}");
                return Err(kernel.cannot_launch(reason));
            }
        }
        if !self.non_uniform
            && global.into_iter().zip(local).any(|(global, local)| !global.is_multiple_of(local))
        {
            let reason = format!("global size {global:?} is not a multiple of the work-group {local:?}");
            return Err(kernel.cannot_launch(reason));
        }
        Ok(())
    }
}

fn product(sizes: [usize; 3]) -> Option<usize> {
    sizes[0].checked_mul(sizes[1])?.checked_mul(sizes[2])
}
