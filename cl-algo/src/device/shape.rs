//! How one kernel divides its work.

/// How one kernel divides its work: the numbers that `kernels/shape.cl` describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Contiguous chunks instead of interleaved tiles.
    pub chunked: bool,
    /// Work-items in a work-group.
    pub group: usize,
    /// Elements that are loaded at once.
    pub pack: usize,
    /// Packs of a work-item in a tile.
    pub packs: usize,
    /// The most work-groups; more tiles than that are handed out in turn.
    pub max_groups: usize,
    /// Whether whole packs are written past the caches.
    pub streams: bool,
}

impl Shape {
    /// Elements in a tile.
    #[must_use]
    pub fn tile(&self) -> usize {
        self.group * self.pack * self.packs
    }

    /// Work-groups for `len` elements, at least one.
    #[must_use]
    pub fn groups(&self, len: usize) -> usize {
        len.div_ceil(self.tile()).clamp(1, self.max_groups)
    }

    /// Returns the shape with as few work-items as it takes for each of them to have `bytes` of the `room` bytes of
    /// local memory, in whole sub-groups of `width`: large items need more than a device has. One sub-group scans the
    /// totals of all (`kernels/group_scan.cl`), and so there are no more sub-groups than a sub-group has work-items.
    pub(crate) fn within_local(mut self, room: usize, width: usize, bytes: usize) -> Shape {
        if width > 1 {
            self.group = self.group.min(width * width);
        }
        while self.group > width && self.group.saturating_mul(bytes) > room {
            self.group = (self.group / 2).next_multiple_of(width);
        }
        self
    }
}

/// How many elements of a size make a pack of `bytes`: as many as OpenCL's vectors can have.
pub(crate) fn pack(bytes: usize, size: usize) -> usize {
    1 << (bytes / size.max(1)).clamp(1, 16).ilog2()
}
