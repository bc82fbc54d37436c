//! The evaluation of a program row by row, for one part of a grid.

use super::compile::{Function, Program};
use crate::formula::{GridNumber, Key, OwnValues};
use crate::region::{Region, Span};
use cl_algo::Element;
use cl_algo::ranked::{HostElement, HostScratch};
use cl_array::Pad;
use cl_core::Result;

/// The rows of a function that is read at several points: some planes along the first axis.
#[derive(Debug, Default)]
struct Planes<T> {
    planes: Vec<Plane<T>>,
    /// The number of rows of a plane, and of the items of a row.
    rows: usize,
    len: usize,
}

#[derive(Debug)]
struct Plane<T> {
    /// The coordinate along the first axis; `None` in a plane without rows.
    at: Option<i64>,
    /// The row of the result for which the plane was used last.
    used: u64,
    is_known: Vec<bool>,
    items: Vec<T>,
}

impl<T> Plane<T> {
    fn empty() -> Plane<T> {
        Plane { at: None, used: 0, is_known: Vec::new(), items: Vec::new() }
    }
}

/// A row that was computed or that lies in an array. It begins at the first point of the function's region.
#[derive(Clone, Copy, Debug)]
enum Row {
    /// In the values of function `of`.
    Values { of: usize, begin: usize, len: usize },
    /// In the plane `plane` of function `of`.
    Plane { of: usize, plane: usize, row: usize },
    /// In the temporary row of this number.
    Temporary(usize),
}

/// The state of an evaluation.
pub(super) struct Rows<'p, 'f, T, const N: usize> {
    program: &'p Program<'f, T, N>,
    /// The points at which each function is read.
    regions: Vec<Region<N>>,
    part: Region<N>,
    planes: Vec<Planes<T>>,
    temporaries: Vec<Vec<T>>,
    idle: Vec<usize>,
    scratch: HostScratch,
    /// The number of the row of the result.
    now: u64,
}

impl<'p, 'f, T: GridNumber + HostElement, const N: usize> Rows<'p, 'f, T, N> {
    pub(super) fn new(program: &'p Program<'f, T, N>, regions: Vec<Region<N>>, part: Region<N>) -> Self {
        let planes = program.planes.iter().zip(&regions).map(|(&count, region)| {
            let shape = region.shape();
            let (len, rows) =
                if N == 1 { (shape[0], 1) } else { (shape[N - 1], shape[1..N - 1].iter().product()) };
            Planes { planes: (0..count).map(|_| Plane::empty()).collect(), rows, len }
        });
        let planes = planes.collect();
        Rows {
            program,
            regions,
            part,
            planes,
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
        let own = self.part.0[N - 1];
        loop {
            self.now += 1;
            // The index of the row's first point among those of the target.
            let from_first =
                |axis: usize| (at[axis] - if axis == 0 { self.part.0[0].begin } else { 0 }) as usize;
            let begin = (0..N).fold(0, |index, axis| index * shape[axis] + from_first(axis));
            self.row_into(root, at, &mut target[begin..begin + own.len()])?;
            // The next row, in row-major order.
            let mut axis = N - 1;
            loop {
                if axis == 0 {
                    return Ok(());
                }
                axis -= 1;
                at[axis] += 1;
                if at[axis] < self.part.0[axis].end {
                    break;
                }
                at[axis] = self.part.0[axis].begin;
            }
        }
    }

    /// Returns the row of a function through a point. The point's coordinate along the last axis does not matter.
    fn row(&mut self, of: usize, at: [i64; N]) -> Result<Row> {
        let region = self.regions[of];
        if let Function::Values { region: all, .. } = &self.program.functions[of] {
            let shape = all.shape();
            let coordinate = |axis: usize| if axis == N - 1 { region.0[axis].begin } else { at[axis] };
            let index = |index: usize, axis: usize| {
                index * shape[axis] + (coordinate(axis) - all.0[axis].begin) as usize
            };
            let begin = (0..N).fold(0, index);
            return Ok(Row::Values { of, begin, len: region.0[N - 1].len() });
        }
        if let Some(row) = self.same_row(of, at)? {
            return Ok(row);
        }
        let Planes { rows, len, .. } = self.planes[of];
        if self.planes[of].planes.is_empty() {
            let number = self.idle.pop().unwrap_or_else(|| {
                self.temporaries.push(Vec::new());
                self.temporaries.len() - 1
            });
            let mut items = std::mem::take(&mut self.temporaries[number]);
            items.resize(len, <T as Element>::zeroed());
            self.row_into(of, at, &mut items)?;
            self.temporaries[number] = items;
            return Ok(Row::Temporary(number));
        }
        let row = (1..N.saturating_sub(1))
            .fold(0, |row, axis| row * region.0[axis].len() + (at[axis] - region.0[axis].begin) as usize);
        let (plane_at, now) = (if N == 1 { 0 } else { at[0] }, self.now);
        let planes = &mut self.planes[of].planes;
        let known = planes.iter().position(|plane| plane.at == Some(plane_at));
        let plane = known.unwrap_or_else(|| {
            let oldest = planes.iter().enumerate().min_by_key(|(_, plane)| plane.used);
            // A plane that is read for this row of the result stays.
            let number = match oldest {
                Some((number, plane)) if plane.used < now => number,
                _ => {
                    planes.push(Plane::empty());
                    planes.len() - 1
                }
            };
            planes[number].at = Some(plane_at);
            planes[number].is_known = vec![false; rows];
            number
        });
        planes[plane].used = self.now;
        if !planes[plane].is_known[row] {
            let mut items = std::mem::take(&mut planes[plane].items);
            items.resize(rows * len, <T as Element>::zeroed());
            let outcome = self.row_into(of, at, &mut items[row * len..(row + 1) * len]);
            let plane = &mut self.planes[of].planes[plane];
            plane.items = items;
            outcome?;
            plane.is_known[row] = true;
        }
        Ok(Row::Plane { of, plane, row })
    }

    /// Returns the row of a function that is a row of one of its operands: between the ends of an axis.
    fn same_row(&mut self, of: usize, at: [i64; N]) -> Result<Option<Row>> {
        let &Function::Bordered { inner, axis, ends, .. } = &self.program.functions[of] else {
            return Ok(None);
        };
        let wanted = if axis == N - 1 { self.regions[of].0[axis] } else { Span::new(at[axis], 1) };
        let is_same = ends.contains(wanted) && self.regions[inner].0[N - 1] == self.regions[of].0[N - 1];
        if is_same { self.row(inner, at).map(Some) } else { Ok(None) }
    }

    /// Returns the items of a row from a coordinate along the last axis on.
    fn items(&self, of: usize, row: Row, begin: i64, len: usize) -> &[T] {
        let items: &[T] = match row {
            Row::Values { of, begin, len } => match &self.program.functions[of] {
                Function::Values { values, .. } => &values[begin..begin + len],
                _ => &[],
            },
            Row::Plane { of, plane, row } => {
                let Planes { planes, len, .. } = &self.planes[of];
                &planes[plane].items[row * len..(row + 1) * len]
            }
            Row::Temporary(number) => &self.temporaries[number],
        };
        let skipped = (begin - self.regions[of].0[N - 1].begin) as usize;
        &items[skipped..skipped + len]
    }

    fn release(&mut self, row: Row) {
        if let Row::Temporary(number) = row {
            self.idle.push(number);
        }
    }

    /// Computes the row of a function through a point.
    fn row_into(&mut self, of: usize, at: [i64; N], out: &mut [T]) -> Result<()> {
        let program = self.program;
        let span = self.regions[of].0[N - 1];
        match &program.functions[of] {
            Function::Values { .. } => {
                let row = self.row(of, at)?;
                out.copy_from_slice(self.items(of, row, span.begin, out.len()));
            }
            Function::Number(value) => out.fill(*value),
            Function::Table { axis, values, first } if *axis == N - 1 => {
                let begin = (span.begin - first) as usize;
                out.copy_from_slice(&values[begin..begin + out.len()]);
            }
            Function::Table { axis, values, first } => out.fill(values[(at[*axis] - first) as usize]),
            Function::Coordinates { axes, kernel } => {
                let coordinates: Vec<Vec<i32>> = axes
                    .iter()
                    .map(|&axis| match axis {
                        axis if axis == N - 1 => {
                            (0..out.len()).map(|i| (span.begin + i as i64) as i32).collect()
                        }
                        axis => vec![at[axis] as i32; out.len()],
                    })
                    .collect();
                let inputs: Vec<&[i32]> = coordinates.iter().map(Vec::as_slice).collect();
                kernel.run(&mut self.scratch, &inputs, out)?;
            }
            Function::Stencil { reads, kernel } => {
                let rows = self.rows_of(reads, at)?;
                let mut scratch = std::mem::take(&mut self.scratch);
                let inputs: Vec<&[T]> = reads
                    .iter()
                    .zip(&rows)
                    .map(|(&(operand, by), &row)| {
                        self.items(operand, row, span.begin + by[N - 1] as i64, out.len())
                    })
                    .collect();
                let outcome = kernel.run(&mut scratch, &inputs, out);
                self.scratch = scratch;
                rows.into_iter().for_each(|row| self.release(row));
                outcome?;
            }
            &Function::Bordered { inner, axis, ends, own, function } => {
                if axis == N - 1 {
                    self.bordered_in_row((inner, ends, own, function), at, span, out)?;
                } else {
                    self.bordered_row((inner, axis, ends, own, function), at, span, out)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the rows that a closure reads around a point.
    fn rows_of(&mut self, reads: &[Key<N>], at: [i64; N]) -> Result<Vec<Row>> {
        let moved = |by: &[isize; N]| std::array::from_fn(|axis| at[axis] + by[axis] as i64);
        reads.iter().map(|(operand, by)| self.row(*operand, moved(by))).collect()
    }

    /// Computes a row of a function that is continued along another axis than that of rows.
    fn bordered_row(
        &mut self,
        (inner, axis, ends, own, function): (usize, usize, Span, OwnValues<T>, Option<usize>),
        mut at: [i64; N],
        span: Span,
        out: &mut [T],
    ) -> Result<()> {
        let source = source_of(at[axis], ends, own);
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
            at[axis] = from;
        }
        let row = self.row(of, at)?;
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
        at: [i64; N],
        span: Span,
        out: &mut [T],
    ) -> Result<()> {
        let row = self.row(inner, at)?;
        let beyond = function.map(|function| self.row(function, at)).transpose()?;
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
