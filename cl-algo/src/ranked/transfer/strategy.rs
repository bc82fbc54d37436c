//! The ways in which elements cross between host and device.

/// The way in which the elements of an array cross between host and device. A model of the costs of a device chooses the
/// fastest one. Its numbers can be replaced by the rows `transfer:call`, `transfer:launch`, `transfer:row` and
/// `transfer:element` of a tuning table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransferStrategy {
    /// Boxes of rows, by `clEnqueueReadBufferRect` and `clEnqueueWriteBufferRect`.
    Boxes,
    /// One call for each row: the smallest contiguous range with the elements along the innermost axis.
    Rows,
    /// One call for the smallest contiguous range with all elements. The host picks the elements.
    Block,
    /// A kernel packs the elements, or unpacks them, and one call moves them.
    Packed,
}

impl TransferStrategy {
    /// All strategies.
    pub const ALL: [TransferStrategy; 4] =
        [TransferStrategy::Boxes, TransferStrategy::Rows, TransferStrategy::Block, TransferStrategy::Packed];
}
