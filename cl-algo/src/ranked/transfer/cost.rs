//! The cost of each strategy, by numbers that were measured on a device.
//!
//! The unit is the time in which a contiguous transfer moves a byte. So numbers of a fast and a slow bus differ less than
//! times do.

use super::boxes::Division;
use super::route::{Axis, Route, count, span};
use super::strategy::TransferStrategy;
use crate::device::{DeviceProfile, Rule, Tunable};

const GPU: Rule = Rule::gpu();
const CPU: Rule = Rule::cpu();

/// The bytes that a contiguous transfer moves in the time of a call.
///
/// Of 20 GB/s on two EPYC cores under PoCL: a call takes 13 us, a launch 35 us more than the transfer behind it, another row
/// of a box 2.6 ns, and an element between two places on the host 2 ns. The numbers for GPUs are estimates, for a bus of 25
/// GB/s.
static CALL: Tunable = Tunable::new("transfer:call", &[GPU.bytes(256 << 10), CPU.bytes(256 << 10)]);

/// The bytes that a contiguous transfer moves in the time of a launch.
static LAUNCH: Tunable = Tunable::new("transfer:launch", &[GPU.bytes(128 << 10), CPU.bytes(704 << 10)]);

/// The bytes that a contiguous transfer moves in the time of another row of a box.
static ROW: Tunable = Tunable::new("transfer:row", &[GPU.bytes(1024), CPU.bytes(48)]);

/// The bytes that a contiguous transfer moves while the host copies an element between two places.
static ELEMENT: Tunable = Tunable::new("transfer:element", &[GPU.bytes(40), CPU.bytes(40)]);

/// The direction of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Read,
    Write {
        /// `true` if elements between those of the route may be read and written back.
        rewrites: bool,
    },
}

/// The numbers of a device, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Costs {
    call: usize,
    launch: usize,
    row: usize,
    element: usize,
}

impl Costs {
    pub(super) fn of(profile: &DeviceProfile, size: usize) -> Costs {
        let bytes = |what: &Tunable| {
            let tuned = profile.tuning(what, size).bytes;
            tuned.unwrap_or_else(|| profile.rule(what, size).held_bytes(size, 1))
        };
        Costs { call: bytes(&CALL), launch: bytes(&LAUNCH), row: bytes(&ROW), element: bytes(&ELEMENT) }
    }

    /// Returns the cost of a strategy for elements of `size` bytes; `None` if the strategy cannot be used.
    pub(super) fn cost(
        &self,
        strategy: TransferStrategy,
        route: &Route,
        size: usize,
        direction: Direction,
    ) -> Option<usize> {
        let len = route.len();
        let packed = route.packed();
        // The copies of elements on the host, if the slice has another order than the vector.
        let sorted = if packed.axes == route.axes { 0 } else { len.saturating_mul(self.element) };
        match strategy {
            TransferStrategy::Packed => {
                // The kernel's time counts as that of a transfer of the elements.
                Some((self.call + self.launch).saturating_add(len.saturating_mul(2 * size)))
            }
            TransferStrategy::Boxes => {
                let division = Division::new(&packed.axes)?;
                let calls = division.calls().saturating_mul(self.call);
                let rows = division.rows().saturating_mul(self.row);
                Some(calls.saturating_add(rows).saturating_add(len * size).saturating_add(sorted))
            }
            TransferStrategy::Rows | TransferStrategy::Block => {
                let (outer, inner) = ranges(route, strategy);
                let (ranges, elements) = (count(outer), span(inner));
                let has_gaps = elements > count(inner);
                let transfers = match direction {
                    Direction::Write { rewrites: false } if has_gaps => return None,
                    Direction::Write { .. } if has_gaps => 2,
                    _ => 1,
                };
                let copies = if is_direct(inner) { 0 } else { len.saturating_mul(self.element) };
                let range = (self.call + elements.saturating_mul(size)).saturating_mul(transfers);
                Some(ranges.saturating_mul(range).saturating_add(copies))
            }
        }
    }
}

/// Divides the axes of a route into those with one range of the vector for each of their elements, and those within a
/// range.
pub(super) fn ranges(route: &Route, strategy: TransferStrategy) -> (&[Axis], &[Axis]) {
    let inner = if strategy == TransferStrategy::Block { route.axes.len() } else { 1.min(route.axes.len()) };
    route.axes.split_at(route.axes.len() - inner)
}

/// Returns whether a range needs no copies on the host.
pub(super) fn is_direct(inner: &[Axis]) -> bool {
    match inner {
        [] => true,
        [axis] => axis.device == 1 && axis.host == 1,
        _ => false,
    }
}
