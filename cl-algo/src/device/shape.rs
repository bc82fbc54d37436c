//! The numbers that divide a kernel's work.

/// The numbers that divide a kernel's work, as `kernels/shape.cl` describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// `true` for contiguous chunks instead of interleaved tiles.
    pub chunked: bool,
    /// The number of work-items in a work-group.
    pub group: usize,
    /// The number of elements that are loaded at once.
    pub pack: usize,
    /// The number of packs of a work-item in a tile.
    pub packs: usize,
    /// The maximal number of work-groups; if there are more tiles, the groups take them in turn.
    pub max_groups: usize,
    /// `true` if whole packs are written past the caches.
    pub streams: bool,
}

impl Shape {
    /// Returns the number of elements in a tile.
    #[must_use]
    pub fn tile(&self) -> usize {
        self.group * self.pack * self.packs
    }

    /// Returns the number of work-groups for `len` elements, at least one.
    #[must_use]
    pub fn groups(&self, len: usize) -> usize {
        len.div_ceil(self.tile()).clamp(1, self.max_groups)
    }

    /// Returns the shape with fewer work-items, if necessary, so that each of them has `bytes` of the `room` bytes of
    /// local memory. The number stays a multiple of `width`, the sub-group's width. One sub-group scans the totals of
    /// all (`kernels/group_scan.cl`), so a group has at most as many sub-groups as a sub-group has work-items.
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

/// Returns the number of elements of `size` bytes in a pack of `bytes`: a power of two up to 16, as OpenCL's vectors
/// have.
pub(crate) fn pack(bytes: usize, size: usize) -> usize {
    1 << (bytes / size.max(1)).clamp(1, 16).ilog2()
}
