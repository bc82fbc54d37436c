//! What the host has mapped of a block of memory.
//!
//! While memory is mapped, commands that write to it, or read what the host may be writing, are
//! undefined. Borrowing rules that out as long as map guards live; a guard that was leaked leaves
//! its count here, and the memory is refused from then on.

use crate::error::{Error, Result};
use crate::hazard::{Access, Hazards};
use std::sync::atomic::{AtomicU32, Ordering};

/// What all objects over one block of memory share: a buffer, its parts, and an image over it.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) hazards: Hazards,
    pub(super) mapped: Mapped,
}

/// How many maps of a block there are.
#[derive(Debug, Default)]
pub(super) struct Mapped {
    reading: AtomicU32,
    writing: AtomicU32,
}

impl Mapped {
    fn count(&self, access: Access) -> &AtomicU32 {
        match access {
            Access::Read => &self.reading,
            Access::Write | Access::Overwrite => &self.writing,
        }
    }

    /// The host mapped the block, to use it like that.
    pub(super) fn begin(&self, access: Access) {
        self.count(access).fetch_add(1, Ordering::Relaxed);
    }

    /// The host gave it back.
    pub(super) fn end(&self, access: Access) {
        self.count(access).fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether the host has it, so that no command may use it like that.
    #[inline]
    pub(super) fn is_busy(&self, access: Access) -> bool {
        let busy = |count: &AtomicU32| count.load(Ordering::Relaxed) > 0;
        busy(&self.writing) || (access.writes() && busy(&self.reading))
    }

    /// That a command may use the block like that.
    pub(super) fn check(&self, operation: &'static str, access: Access) -> Result<()> {
        if self.is_busy(access) {
            let reason = "the memory is still mapped: a map guard was leaked, or could not unmap".to_owned();
            return Err(Error::InvalidInput { what: operation, reason });
        }
        Ok(())
    }
}
