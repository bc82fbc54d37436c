//! The templates of the two kernels, and the values that they are filled with.

use crate::plan::{Convolution, Gap, Pass, Phases, Shape as Division, Table};
use crate::tables::{phase_bits, phase_rows};
use cl_algo::codegen::{Fused, Template};
use cl_algo::{DeviceProfile, Shape};

macro_rules! names {
    ($($own:literal),*) => {
        &[
            "F64", "LANES", "LENGTH", "STAGES", "LAST_STAGE", "R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7",
            "FROM", "TO", "LOAD_BY", "STORE_BY", "PADDED", "BOUNDED", "MIRROR", "PAIRS_IN", "PAIRS_OUT",
            "SPLIT", "SWAP_IN", "SWAP_OUT", "SCALED",
            "CONVOLVE", "RADER", "FOUR_STEP", "PHASE_DIGIT", "PHASE_ORDER", "PHASE_BITS", "PHASE_ROWS", "SINES", "DIGITS", "NEAR_IN", "NEAR_OUT",
            $($own),*
        ]
    };
}

/// `kernels/group.cl`.
static GROUP: Template = Template {
    kernel: "fft_group",
    text: concat!(
        include_str!("kernels/butterfly.cl"),
        include_str!("kernels/ends.cl"),
        include_str!("kernels/group.cl")
    ),
    values: names![
        "ITEMS",
        "PER",
        "GROUP_ITEMS",
        "HELD",
        "PITCH",
        "PARTS",
        "EXCHANGES",
        "COLUMNS_IN",
        "COLUMNS_OUT",
        "M0",
        "M1",
        "M2",
        "M3",
        "M4",
        "M5",
        "M6",
        "FREE0",
        "FREE1",
        "FREE2",
        "FREE3",
        "FREE4",
        "FREE5",
        "FREE6"
    ],
    shape: single,
    options: |options, _| options,
};

/// `kernels/lanes.cl`, and what it stands on.
static LANES: Template = Template {
    kernel: "fft_lanes",
    text: concat!(
        include_str!("kernels/butterfly.cl"),
        include_str!("kernels/ends.cl"),
        include_str!("kernels/blocks.cl"),
        include_str!("kernels/lanes.cl")
    ),
    values: names![],
    shape: single,
    options: |options, _| options,
};

/// A template for what is checked, and never launched.
pub(crate) fn any() -> &'static Template {
    &LANES
}

/// Items are loaded one by one: how the work is divided is the recipe's matter.
fn single(profile: &DeviceProfile, _: usize, _: &[i64]) -> Shape {
    Shape { chunked: profile.chunked, group: 1, pack: 1, packs: 1, max_groups: usize::MAX, streams: false }
}

/// What a pass reads or writes: `FROM` and `TO` of `kernels/ends.cl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Memory = 0,
    Complex = 1,
    Reals = 2,
    /// Real numbers, in memory that is the input's, too.
    Numbers = 3,
}

/// What a launch does beyond its pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) from: End,
    pub(crate) to: End,
    /// Exchanges of real and imaginary parts.
    pub(crate) swaps: [u8; 2],
    pub(crate) scaled: bool,
    pub(crate) double: bool,
    /// Whether phases are computed.
    pub(crate) sines: bool,
}

/// The kernel of a pass, without its input and output.
pub(crate) fn fused<'a>(pass: &Pass, run: Run) -> Fused<'a> {
    let (template, own): (_, Vec<usize>) = match pass.shape {
        Division::Lanes { .. } => (&LANES, Vec::new()),
        Division::Group { items, per, held, pitch, parts } => {
            let [columns_in, columns_out] = pass.columns();
            let exchanges = pass.radices.len() > 1 || columns_in != columns_out || pass.split;
            let flags = [exchanges, columns_in, columns_out].map(usize::from);
            let gap = |exchange: usize| pass.gaps.get(exchange).copied().unwrap_or(Gap { lines: 1, free: 0 });
            let lines = [0, 1, 2, 3, 4, 5, 6].map(|exchange| gap(exchange).lines);
            let free = [0, 1, 2, 3, 4, 5, 6].map(|exchange| gap(exchange).free);
            (
                &GROUP,
                [&[items, per, items * per, held, pitch, parts as usize][..], &flags, &lines, &free].concat(),
            )
        }
    };
    let lanes = match pass.shape {
        Division::Lanes { lanes } => lanes,
        Division::Group { .. } => 1,
    };
    let stages = pass.radices.len();
    let mut values = vec![usize::from(run.double), lanes, pass.length, stages, stages - 1];
    values.extend((0..8).map(|stage| pass.radices.get(stage).copied().unwrap_or(1)));
    values.extend([run.from as usize, run.to as usize]);
    let [padded, bounded] = [pass.given.is_some(), pass.stored.is_some()];
    // These tables are for what is computed of the points, not for the points themselves.
    let multiplies = |table: Option<Table>| table.is_some_and(|table| !matches!(table, Table::Halves { .. }));
    let [load_by, store_by] = [pass.load_by, pass.store_by].map(multiplies);
    let [pairs_in, pairs_out] = pass.pairs.map(usize::from);
    let [pairs_in, pairs_out] =
        [pairs_in << usize::from(pass.beside(0)), pairs_out << usize::from(pass.beside(1))];
    values.extend([load_by, store_by, padded, bounded].map(usize::from));
    let of_pairs = matches!(pass.load_by, Some(Table::Halves { .. }));
    values.push(if pass.mirror { 1 + usize::from(of_pairs) } else { 0 });
    values.extend([pairs_in, pairs_out]);
    values.push(usize::from(pass.split) + usize::from(pass.meets()));
    values.extend(run.swaps.map(usize::from));
    values.push(usize::from(run.scaled));
    let rader = matches!(pass.convolution, Some(Convolution::Rader { .. }));
    values.extend([pass.convolution.is_some(), rader, pass.phases.is_some() && !pass.split].map(usize::from));
    values.extend(pass.phases.map_or([0; 4], |Phases { order, digit }| {
        [digit, order, phase_bits(order) as usize, phase_rows(order)]
    }));
    values.push(usize::from(run.sines && !run.double && pass.phases.is_some()));
    values.push(pass.digits.len());
    // Strides that are known make addresses that take no instructions.
    values.extend(pass.strides.map(|stride| if stride <= 2 { stride } else { 0 }));
    values.extend(own);
    values.into_iter().fold(Fused::new(template, "transform"), |fused, value| fused.value(value as i64))
}
