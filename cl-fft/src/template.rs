//! The templates of the two kernels, and their parameters.

use crate::kernels;
use crate::plan::{Convolution, Gap, Pass, Phases, Shape as Division, Table};
use crate::tables::{phase_bits, phase_rows};
use cl_algo::codegen::{AnyFilled, Fused, Parameters, Template};
use cl_algo::{DeviceProfile, Shape};

/// The template of `kernels/group.cl`.
static GROUP: Template<GroupParameters> =
    Template { kernel: "fft_group", definition: &kernels::GROUP, shape: single };

/// The template of `kernels/lanes.cl` and the files that it uses.
static LANES: Template<PassParameters> =
    Template { kernel: "fft_lanes", definition: &kernels::LANES, shape: single };

/// Returns a shape that loads items one by one: the recipe divides the work.
fn single<P>(profile: &DeviceProfile, _: usize, _: &P) -> Shape {
    Shape { chunked: profile.chunked, group: 1, pack: 1, packs: 1, max_groups: usize::MAX, streams: false }
}

/// The input or output of a pass: `FROM` and `TO` of `kernels/ends.cl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
pub(crate) enum End {
    Memory = 0,
    Complex = 1,
    Reals = 2,
    /// Real numbers, in memory that also holds the input.
    Numbers = 3,
}

/// The properties of a launch that are not in its pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchOptions {
    pub(crate) from: End,
    pub(crate) to: End,
    /// The exchanges of real and imaginary parts.
    pub(crate) swaps: [u8; 2],
    pub(crate) scaled: bool,
    pub(crate) double: bool,
    /// `true` if phases are computed instead of read from tables.
    pub(crate) sines: bool,
}

/// The largest number of stages of a pass.
const STAGES: usize = 8;

/// The parameters of a pass's kernel: see `kernels/ends.cl`.
#[derive(Clone, Copy, Parameters)]
struct PassParameters {
    f64: bool,
    /// The number of lines that a work-item transforms at once.
    lanes: usize,
    length: usize,
    stages: usize,
    last_stage: usize,
    /// The radices.
    r: [usize; STAGES],
    from: End,
    to: End,
    load_by: bool,
    store_by: bool,
    padded: bool,
    bounded: bool,
    mirror: usize,
    pairs_in: usize,
    pairs_out: usize,
    split: usize,
    swap_in: u8,
    swap_out: u8,
    scaled: bool,
    convolve: bool,
    rader: bool,
    four_step: bool,
    phase_digit: usize,
    phase_order: usize,
    phase_bits: usize,
    phase_rows: usize,
    sines: bool,
    digits: usize,
    /// The distance between neighbouring points if it is 1 or 2, otherwise 0. With such a constant,
    /// the computation of addresses takes no instructions of its own.
    near_in: usize,
    near_out: usize,
}

/// The parameters of a work-group's kernel: see `kernels/group.cl`.
#[derive(Clone, Copy, Parameters)]
struct GroupParameters {
    pass: PassParameters,
    items: usize,
    per: usize,
    group_items: usize,
    held: usize,
    pitch: usize,
    parts: usize,
    exchanges: bool,
    columns_in: bool,
    columns_out: bool,
    /// The number of rows between two gaps, for each stage: see [`Gap`].
    m: [usize; STAGES - 1],
    /// The number of unused slots in a gap, for each stage.
    free: [usize; STAGES - 1],
}

impl PassParameters {
    fn new(pass: &Pass, options: LaunchOptions) -> PassParameters {
        // `Table::Halves` multiplies numbers that are computed from several points. All other tables multiply
        // points.
        let multiplies =
            |table: Option<Table>| table.is_some_and(|table| !matches!(table, Table::Halves { .. }));
        let of_pairs = matches!(pass.load_by, Some(Table::Halves { .. }));
        let pairs =
            |side: usize| usize::from(pass.pairs[side]) << usize::from(pass.pairs_are_contiguous(side));
        let near = |side: usize| if pass.strides[side] <= 2 { pass.strides[side] } else { 0 };
        let Phases { order, digit } = pass.phases.unwrap_or(Phases { order: 0, digit: 0 });
        let [phase_bits, phase_rows] = pass
            .phases
            .map_or([0; 2], |Phases { order, .. }| [phase_bits(order) as usize, phase_rows(order)]);
        let stages = pass.radices.len();
        let mut r = [1; STAGES];
        r.iter_mut().zip(&pass.radices).for_each(|(r, &radix)| *r = radix);
        PassParameters {
            f64: options.double,
            lanes: match pass.shape {
                Division::Lines { lines } => lines,
                Division::Group { .. } => 1,
            },
            length: pass.length,
            stages,
            last_stage: stages - 1,
            r,
            from: options.from,
            to: options.to,
            load_by: multiplies(pass.load_by),
            store_by: multiplies(pass.store_by),
            padded: pass.given.is_some(),
            bounded: pass.stored.is_some(),
            mirror: if pass.mirror { 1 + usize::from(of_pairs) } else { 0 },
            pairs_in: pairs(0),
            pairs_out: pairs(1),
            split: usize::from(pass.split) + usize::from(pass.transforms_pairs_of_lines()),
            swap_in: options.swaps[0],
            swap_out: options.swaps[1],
            scaled: options.scaled,
            convolve: pass.convolution.is_some(),
            rader: matches!(pass.convolution, Some(Convolution::Rader { .. })),
            four_step: pass.phases.is_some() && !pass.split,
            phase_digit: digit,
            phase_order: order,
            phase_bits,
            phase_rows,
            sines: options.sines && !options.double && pass.phases.is_some(),
            digits: pass.digits.len(),
            near_in: near(0),
            near_out: near(1),
        }
    }
}

/// Returns the kernel of a pass; `fused` holds its input and output.
pub(crate) fn filled<'f, 'a>(
    fused: &'f Fused<'a>,
    pass: &Pass,
    options: LaunchOptions,
) -> Box<dyn AnyFilled<'f, 'a> + 'f> {
    let of_pass = PassParameters::new(pass, options);
    let Division::Group { items, per, held, pitch, parts } = pass.shape else {
        return Box::new(fused.by(&LANES, of_pass));
    };
    let [columns_in, columns_out] = pass.columns();
    let gap = |at: usize| pass.gaps.get(at).copied().unwrap_or(Gap { rows: 1, free: 0 });
    let group = GroupParameters {
        pass: of_pass,
        items,
        per,
        group_items: items * per,
        held,
        pitch,
        parts: parts as usize,
        exchanges: pass.radices.len() > 1 || columns_in != columns_out || pass.split,
        columns_in,
        columns_out,
        m: std::array::from_fn(|at| gap(at).rows),
        free: std::array::from_fn(|at| gap(at).free),
    };
    Box::new(fused.by(&GROUP, group))
}
