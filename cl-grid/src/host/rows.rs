//! The evaluation of a program, for one part of a grid: a few rows at once.

use super::compile::{Function, Program};
use crate::formula::{GridNumber, Key, OwnValues};
use crate::lower::too_far;
use crate::region::{Region, Span};
use cl_algo::Element;
use cl_algo::ranked::{HostElement, HostKernel, HostScratch};
use cl_array::Pad;
use cl_core::Result;

/// The number of items of a block, about. A block is computed by one call for each closure, which takes as long as some
/// hundred items.
const BLOCK: usize = 4096;

/// The rows of a function that is read at several points: some planes along the first axis.
#[derive(Debug, Default)]
struct Planes<T> {
    planes: Vec<Plane<T>>,
    /// The number of rows of a plane.
    rows: usize,
}

#[derive(Debug)]
struct Plane<T> {
    /// The coordinate along the first axis; `None` in a plane without rows.
    at: Option<i64>,
    /// The block of the result for which the plane was used last.
    used: u64,
    is_known: Vec<bool>,
    items: Vec<T>,
}

impl<T> Plane<T> {
    fn empty() -> Plane<T> {
        Plane { at: None, used: 0, is_known: Vec::new(), items: Vec::new() }
    }
}

/// Rows of a function, one after the other along the last axis but one. They begin at the first point of the function's
/// region.
#[derive(Clone, Copy, Debug)]
struct Block {
    place: Place,
    /// The index of the first item.
    begin: usize,
    /// The number of items from one row to the next.
    pitch: usize,
}

/// The memory of a block.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The values of this function.
    Values(usize),
    /// The plane of this number of this function.
    Plane(usize, usize),
    /// The temporary block of this number.
    Temporary(usize),
}

/// The rows to compute: `count` rows along the last axis but one, the first through the point `at`. The point's coordinate
/// along the last axis does not matter. On grids of one axis there is one row.
#[derive(Clone, Copy, Debug)]
struct Wanted<const N: usize> {
    at: [i64; N],
    count: usize,
}

impl<const N: usize> Wanted<N> {
    /// Returns one of the rows.
    fn row(mut self, row: usize) -> Wanted<N> {
        if N > 1 {
            self.at[N - 2] += row as i64;
        }
        Wanted { at: self.at, count: 1 }
    }

    fn moved(self, by: &[isize; N]) -> Wanted<N> {
        Wanted { at: std::array::from_fn(|axis| self.at[axis] + by[axis] as i64), ..self }
    }

    fn with(mut self, axis: usize, at: i64) -> Wanted<N> {
        self.at[axis] = at;
        self
    }
}

/// Where the rows go: the first items of each `pitch` items, as many as the function's rows have. The items between the rows
/// may be overwritten.
struct Output<'o, T> {
    items: &'o mut [T],
    pitch: usize,
    len: usize,
}

impl<T: Copy> Output<'_, T> {
    fn row(&mut self, row: usize) -> &mut [T] {
        &mut self.items[row * self.pitch..][..self.len]
    }
}

/// The state of an evaluation.
pub(super) struct Rows<'p, 'f, T, const N: usize> {
    program: &'p Program<'f, T, N>,
    /// The points at which each function is read.
    regions: Vec<Region<N>>,
    part: Region<N>,
    planes: Vec<Planes<T>>,
    /// The number of items from a row to the next one in planes and temporary blocks.
    pitch: usize,
    temporaries: Vec<Vec<T>>,
    idle: Vec<usize>,
    scratch: HostScratch,
    /// The number of the block of the result.
    now: u64,
}

impl<'p, 'f, T: GridNumber + HostElement, const N: usize> Rows<'p, 'f, T, N> {
    pub(super) fn new(program: &'p Program<'f, T, N>, regions: Vec<Region<N>>, part: Region<N>) -> Self {
        let planes = program.planes.iter().zip(&regions).map(|(&count, region)| {
            let rows = if N == 1 { 1 } else { region.shape()[1..N - 1].iter().product() };
            Planes { planes: (0..count).map(|_| Plane::empty()).collect(), rows }
        });
        let planes = planes.collect();
        // With the pitch of the arrays that are read, a closure takes a block of both as one long row.
        let arrays = program.functions.iter().filter_map(|function| match function {
            Function::Values { region, .. } => Some(region.0[N - 1].len()),
            _ => None,
        });
        let widest = regions.iter().map(|region| region.0[N - 1].len());
        let pitch = arrays.chain(widest).max().unwrap_or_default();
        Rows {
            program,
            regions,
            part,
            planes,
            pitch,
            temporaries: Vec::new(),
            idle: Vec::new(),
            scratch: HostScratch::default(),
            now: 0,
        }
    }

    /// Evaluates the formula at the points of the part. `target` begins with the first plane of the part.
    pub(super) fn evaluate(mut self, target: &mut [T], shape: [usize; N]) -> Result<()> {
        let root = self.program.functions.len() - 1;
        let mut at = self.part.0.map(|span| span.begin);
        let (len, pitch) = (self.part.0[N - 1].len(), shape[N - 1]);
        // Blocks also compute the points between the rows: a narrow part would be a waste.
        let most = if N == 3 && 4 * len >= 3 * self.pitch { (BLOCK / self.pitch).max(1) } else { 1 };
        let mut between = Vec::new();
        loop {
            self.now += 1;
            let count = if most == 1 { 1 } else { most.min((self.part.0[N - 2].end - at[N - 2]) as usize) };
            // The index of the block's first point among those of the target.
            let from_first =
                |axis: usize| (at[axis] - if axis == 0 { self.part.0[0].begin } else { 0 }) as usize;
            let begin = (0..N).fold(0, |index, axis| index * shape[axis] + from_first(axis));
            let items = &mut target[begin..begin + (count - 1) * pitch + len];
            between.clear();
            items.chunks_exact(pitch).for_each(|row| between.extend_from_slice(&row[len..]));
            self.compute(root, Wanted { at, count }, Output { items, pitch, len })?;
            let margins = items.chunks_exact_mut(pitch).zip(between.chunks_exact((pitch - len).max(1)));
            margins.for_each(|(row, margin)| row[len..].copy_from_slice(margin));
            // The next block, in row-major order.
            let mut axis = N - 1;
            loop {
                if axis == 0 {
                    return Ok(());
                }
                axis -= 1;
                at[axis] += if axis == N - 2 { count as i64 } else { 1 };
                if at[axis] < self.part.0[axis].end {
                    break;
                }
                at[axis] = self.part.0[axis].begin;
            }
        }
    }

    /// Returns rows of a function.
    fn block(&mut self, of: usize, wanted: Wanted<N>) -> Result<Block> {
        let (region, at) = (self.regions[of], wanted.at);
        if let Function::Values { region: all, .. } = &self.program.functions[of] {
            let shape = all.shape();
            let coordinate = |axis: usize| if axis == N - 1 { region.0[axis].begin } else { at[axis] };
            let index = |index: usize, axis: usize| {
                index * shape[axis] + (coordinate(axis) - all.0[axis].begin) as usize
            };
            let begin = (0..N).fold(0, index);
            return Ok(Block { place: Place::Values(of), begin, pitch: shape[N - 1] });
        }
        if let Some(block) = self.same_block(of, wanted)? {
            return Ok(block);
        }
        let (pitch, len) = (self.pitch, region.0[N - 1].len());
        if self.planes[of].planes.is_empty() {
            let number = self.idle.pop().unwrap_or_else(|| {
                self.temporaries.push(Vec::new());
                self.temporaries.len() - 1
            });
            let mut items = std::mem::take(&mut self.temporaries[number]);
            items.resize(wanted.count * pitch, <T as Element>::zeroed());
            self.compute(of, wanted, Output { items: &mut items, pitch, len })?;
            self.temporaries[number] = items;
            return Ok(Block { place: Place::Temporary(number), begin: 0, pitch });
        }
        let row = (1..N.saturating_sub(1))
            .fold(0, |row, axis| row * region.0[axis].len() + (at[axis] - region.0[axis].begin) as usize);
        let plane = self.plane(of, if N == 1 { 0 } else { at[0] });
        let known = &self.planes[of].planes[plane].is_known[row..row + wanted.count];
        if let Some(first) = known.iter().position(|is_known| !is_known) {
            let count = known.iter().rposition(|is_known| !is_known).map_or(0, |last| last + 1 - first);
            let wanted = Wanted { count, ..wanted.row(first) };
            let mut items = std::mem::take(&mut self.planes[of].planes[plane].items);
            items.resize(self.planes[of].rows * pitch, <T as Element>::zeroed());
            let missing = row + first..row + first + count;
            let out = &mut items[missing.start * pitch..missing.end * pitch];
            let outcome = self.compute(of, wanted, Output { items: out, pitch, len });
            let plane = &mut self.planes[of].planes[plane];
            plane.items = items;
            outcome?;
            plane.is_known[missing].fill(true);
        }
        Ok(Block { place: Place::Plane(of, plane), begin: row * pitch, pitch })
    }

    /// Returns the number of the plane of a function at a coordinate along the first axis.
    fn plane(&mut self, of: usize, at: i64) -> usize {
        let Planes { planes, rows } = &mut self.planes[of];
        let known = planes.iter().position(|plane| plane.at == Some(at));
        let plane = known.unwrap_or_else(|| {
            let oldest = planes.iter().enumerate().min_by_key(|(_, plane)| plane.used);
            // A plane that is read for this block of the result stays.
            let number = match oldest {
                Some((number, plane)) if plane.used < self.now => number,
                _ => {
                    planes.push(Plane::empty());
                    planes.len() - 1
                }
            };
            planes[number].at = Some(at);
            planes[number].is_known = vec![false; *rows];
            number
        });
        planes[plane].used = self.now;
        plane
    }

    /// Returns the rows of a function that are rows of one of its operands: between the ends of an axis.
    fn same_block(&mut self, of: usize, wanted: Wanted<N>) -> Result<Option<Block>> {
        let &Function::Bordered { inner, axis, ends, .. } = &self.program.functions[of] else {
            return Ok(None);
        };
        let read = match axis {
            axis if axis == N - 1 => self.regions[of].0[axis],
            axis if axis + 2 == N => Span::new(wanted.at[axis], wanted.count),
            axis => Span::new(wanted.at[axis], 1),
        };
        let is_same = ends.contains(read) && self.regions[inner].0[N - 1] == self.regions[of].0[N - 1];
        if is_same { self.block(inner, wanted).map(Some) } else { Ok(None) }
    }

    /// Returns items of a block from a coordinate along the last axis on.
    fn items(&self, of: usize, block: Block, begin: i64, len: usize) -> &[T] {
        let items: &[T] = match block.place {
            Place::Values(of) => match &self.program.functions[of] {
                Function::Values { values, .. } => values,
                _ => &[],
            },
            Place::Plane(of, plane) => &self.planes[of].planes[plane].items,
            Place::Temporary(number) => &self.temporaries[number],
        };
        let skipped = (begin - self.regions[of].0[N - 1].begin) as usize;
        &items[block.begin + skipped..][..len]
    }

    fn release(&mut self, block: Block) {
        if let Place::Temporary(number) = block.place {
            self.idle.push(number);
        }
    }

    /// Computes rows of a function.
    fn compute(&mut self, of: usize, wanted: Wanted<N>, mut out: Output<'_, T>) -> Result<()> {
        if let Function::Stencil { reads, kernel } = &self.program.functions[of] {
            return self.stencil(of, (reads, kernel), wanted, out);
        }
        (0..wanted.count).try_for_each(|row| self.row_into(of, wanted.row(row), out.row(row)))
    }

    /// Computes rows of a closure over neighbours.
    fn stencil(
        &mut self,
        of: usize,
        (reads, kernel): (&[Key<N>], &HostKernel<T, T>),
        wanted: Wanted<N>,
        mut out: Output<'_, T>,
    ) -> Result<()> {
        let begin = self.regions[of].0[N - 1].begin;
        let blocks = reads.iter().map(|(operand, by)| self.block(*operand, wanted.moved(by)));
        let blocks = blocks.collect::<Result<Vec<Block>>>()?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let read = |row: usize, len: usize| -> Vec<&[T]> {
            let items = |(&(operand, by), &block): (&Key<N>, &Block)| {
                let block = Block { begin: block.begin + row * block.pitch, ..block };
                self.items(operand, block, begin + by[N - 1] as i64, len)
            };
            reads.iter().zip(&blocks).map(items).collect()
        };
        let outcome = if blocks.iter().all(|block| block.pitch == out.pitch) {
            let len = (wanted.count - 1) * out.pitch + out.len;
            kernel.run(&mut scratch, &read(0, len), &mut out.items[..len])
        } else {
            (0..wanted.count).try_for_each(|row| kernel.run(&mut scratch, &read(row, out.len), out.row(row)))
        };
        self.scratch = scratch;
        blocks.into_iter().for_each(|block| self.release(block));
        outcome
    }

    /// Computes one row of a function.
    fn row_into(&mut self, of: usize, wanted: Wanted<N>, out: &mut [T]) -> Result<()> {
        let (span, at) = (self.regions[of].0[N - 1], wanted.at);
        match &self.program.functions[of] {
            Function::Values { .. } => {
                let block = self.block(of, wanted)?;
                out.copy_from_slice(self.items(of, block, span.begin, out.len()));
            }
            Function::Number(value) => out.fill(*value),
            Function::Table { axis, values, first } if *axis == N - 1 => {
                let begin = (span.begin - first) as usize;
                out.copy_from_slice(&values[begin..begin + out.len()]);
            }
            Function::Table { axis, values, first } => out.fill(values[(at[*axis] - first) as usize]),
            Function::Coordinates { axes, kernel, wide } => {
                let region = &self.regions[of];
                let coordinates: Vec<Vec<i64>> = axes
                    .iter()
                    .map(|&axis| match axis {
                        axis if axis == N - 1 => (span.begin..).take(out.len()).collect(),
                        axis => vec![at[axis]; out.len()],
                    })
                    .collect();
                if axes.iter().all(|&axis| region.0[axis].is_short()) {
                    let short: Vec<Vec<i32>> =
                        coordinates.iter().map(|line| line.iter().map(|&at| at as i32).collect()).collect();
                    let inputs: Vec<&[i32]> = short.iter().map(Vec::as_slice).collect();
                    kernel.run(&mut self.scratch, &inputs, out)?;
                } else {
                    let inputs: Vec<&[i64]> = coordinates.iter().map(Vec::as_slice).collect();
                    let wide = wide.as_ref().ok_or_else(|| too_far(region))?;
                    wide.run(&mut self.scratch, &inputs, out)?;
                }
            }
            Function::Stencil { reads, kernel } => {
                let (pitch, len) = (out.len(), out.len());
                self.stencil(of, (reads, kernel), wanted, Output { items: out, pitch, len })?;
            }
            &Function::Bordered { inner, axis, ends, own, function } => {
                if axis == N - 1 {
                    self.bordered_in_row((inner, ends, own, function), wanted, span, out)?;
                } else {
                    self.bordered_row((inner, axis, ends, own, function), wanted, span, out)?;
                }
            }
        }
        Ok(())
    }

    /// Computes a row of a function that is continued along another axis than that of rows.
    fn bordered_row(
        &mut self,
        (inner, axis, ends, own, function): (usize, usize, Span, OwnValues<T>, Option<usize>),
        mut wanted: Wanted<N>,
        span: Span,
        out: &mut [T],
    ) -> Result<()> {
        let source = source_of(wanted.at[axis], ends, own);
        let of = match (source, function) {
            (Source::Inside(_), _) => inner,
            (_, Some(function)) => function,
            (Source::Constant(value), None) => {
                out.fill(value);
                return Ok(());
            }
            (Source::Copy(_) | Source::Negated(_), None) => inner,
        };
        let is_negated = matches!(source, Source::Negated(_)) && of == inner;
        if of == inner
            && let Source::Inside(from) | Source::Copy(from) | Source::Negated(from) = source
        {
            wanted = wanted.with(axis, from);
        }
        let row = self.block(of, wanted)?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let items = self.items(of, row, span.begin, out.len());
        let outcome = if is_negated {
            self.program.negate.run(&mut scratch, &[items], out)
        } else {
            out.copy_from_slice(items);
            Ok(())
        };
        self.scratch = scratch;
        self.release(row);
        outcome
    }

    /// Computes a row of a function that is continued beyond the ends of rows.
    fn bordered_in_row(
        &mut self,
        (inner, ends, own, function): (usize, Span, OwnValues<T>, Option<usize>),
        wanted: Wanted<N>,
        span: Span,
        out: &mut [T],
    ) -> Result<()> {
        let row = self.block(inner, wanted)?;
        let beyond = function.map(|function| self.block(function, wanted)).transpose()?;
        let negated = if own.alternates {
            let items = self.items(inner, row, ends.begin, ends.len()).to_vec();
            let mut negated = vec![<T as Element>::zeroed(); items.len()];
            self.program.negate.run(&mut self.scratch, &[&items], &mut negated)?;
            negated
        } else {
            Vec::new()
        };
        let inside = span.and(ends);
        for (i, item) in out.iter_mut().enumerate() {
            let coordinate = span.begin + i as i64;
            if inside.begin <= coordinate && coordinate < inside.end {
                continue;
            }
            *item = match (source_of(coordinate, ends, own), function.zip(beyond)) {
                (_, Some((function, beyond))) => self.items(function, beyond, coordinate, 1)[0],
                (Source::Constant(value), None) => value,
                (Source::Negated(from), None) => negated[(from - ends.begin) as usize],
                (Source::Inside(from) | Source::Copy(from), None) => self.items(inner, row, from, 1)[0],
            };
        }
        if inside.len() > 0 {
            let begin = (inside.begin - span.begin) as usize;
            out[begin..begin + inside.len()].copy_from_slice(self.items(
                inner,
                row,
                inside.begin,
                inside.len(),
            ));
        }
        self.release(row);
        beyond.into_iter().for_each(|row| self.release(row));
        Ok(())
    }
}

/// The origin of the value at a coordinate along an axis with borders.
#[derive(Clone, Copy, Debug)]
enum Source<T> {
    /// The coordinate is between the ends.
    Inside(i64),
    /// The value at a coordinate between the ends.
    Copy(i64),
    /// The value at a coordinate between the ends, with its sign changed.
    Negated(i64),
    Constant(T),
}

/// Returns the origin of the value at a coordinate.
fn source_of<T: GridNumber>(at: i64, ends: Span, own: OwnValues<T>) -> Source<T> {
    if ends.begin <= at && at < ends.end {
        return Source::Inside(at);
    }
    let len = ends.len().max(1) as i64;
    // The place in pairs of copies, forwards and backwards.
    let mirrored = |period: i64, last: i64| {
        let at = at.rem_euclid(period.max(1));
        if at > last { period - at } else { at }
    };
    match own.pad {
        Pad::Constant(value) => Source::Constant(value),
        Pad::Wrap => Source::Copy(at.rem_euclid(len)),
        Pad::Reflect => Source::Copy(mirrored(2 * (len - 1), len - 1)),
        Pad::Symmetric => {
            let within = at.rem_euclid(2 * len);
            let from = if within < len { within } else { 2 * len - 1 - within };
            if own.alternates && at.div_euclid(len).rem_euclid(2) == 1 {
                Source::Negated(from)
            } else {
                Source::Copy(from)
            }
        }
        _ => Source::Copy(at.clamp(0, len - 1)),
    }
}
