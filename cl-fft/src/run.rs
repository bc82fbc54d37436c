//! A plan and its execution: one launch a pass. The first launch computes the input expression, the last one
//! writes the output.

use crate::plan::{Checked, DeviceLimits, Location, Pass, Recipe, Shape};
use crate::real::Real;
use crate::tables::{Common, Tables};
use crate::template::{End, LaunchOptions, filled};
use cl_algo::codegen::{AnyFilled, Fused, Ready};
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceProfile, Element, Expr, Item};
use cl_core::{Access, Arg, Error, Memory, Queue, Result, Scratch};

/// A recipe, and its tables on a device.
#[derive(Debug)]
pub(crate) struct Plan<T: Real> {
    pub(crate) problem: Checked,
    pub(crate) recipe: Recipe,
    tables: Vec<Tables<T>>,
    compute_units: usize,
    /// `true` if the factors between passes over `f32` are computed instead of read from tables.
    sines: bool,
}

/// The part of its pass that a launch computes.
struct Share {
    lines: usize,
    /// The offsets of the points from those of the first turn; in and out.
    moved: [usize; 2],
}

/// The input of a transform.
pub(crate) enum Source<'a, T: Real>
where
    Complex<T>: Element,
{
    Complex(Expr<'a, Complex<T>>),
    Reals(Expr<'a, T>),
    Memory(&'a Memory, usize),
}

/// The output of a transform.
pub(crate) enum Target<'a, F> {
    /// The output that the closure adds to the last kernel.
    Output(End, F),
    /// Memory with room for this many points or numbers.
    Memory(End, &'a Memory, usize),
}

impl<T: Real> Plan<T>
where
    Complex<T>: Element,
{
    pub(crate) fn new(
        queue: &Queue,
        problem: Checked,
        profile: &DeviceProfile,
        limits: &DeviceLimits,
    ) -> Result<Plan<T>> {
        profile.require(T::TYPE)?;
        let recipe = Recipe::of(&problem, T::BYTES, limits);
        let mut common = Common::of(T::BYTES);
        let tables = recipe.passes.iter().map(|pass| Tables::new(queue, pass, &mut common));
        let tables = tables.collect::<Result<_>>()?;
        // On an H200, tables are faster than computed factors for two passes (6 % for 2^20 points), and
        // slower for three passes (22 % for 2^24 points).
        let sines = limits.sines && recipe.passes.len() > 2;
        Ok(Plan { problem, recipe, tables, compute_units: profile.compute_units, sines })
    }

    /// Returns an error unless an expression can be the input. Callers check this before they create the
    /// output.
    pub(crate) fn accept<I: Item>(&self, queue: &Queue, input: &Expr<'_, I>) -> Result<()> {
        Fused::new("transform").input("", input).check_on(queue)?;
        self.check_lengths(input.len(), None)
    }

    /// Enqueues all passes.
    pub(crate) fn run<'a>(
        &self,
        queue: &Queue,
        source: Source<'a, T>,
        target: Target<'a, impl FnOnce(Fused<'a>) -> Fused<'a>>,
        inverse: bool,
        scale: f64,
    ) -> Result<()> {
        let count = self.recipe.passes.len();
        let (source_end, from, input_len) = match &source {
            Source::Complex(expr) => (End::Complex, None, expr.len()),
            Source::Reals(expr) => (End::Reals, None, expr.len()),
            Source::Memory(memory, len) => (End::Memory, Some(*memory), Some(*len)),
        };
        let (target_end, to, mut output_len, mut attach) = match target {
            Target::Output(end, attach) => (end, None, None, Some(attach)),
            Target::Memory(end, memory, len) => (end, Some(memory), Some(len), None),
        };
        let mut given = Some(source);
        let mut parts: Vec<Fused<'a>> = Vec::with_capacity(count.max(1));
        // An empty transform is checked like others.
        for at in 0..count.max(1) {
            let last = at + 1 >= count;
            let mut fused = Fused::new("transform");
            match given.take() {
                Some(Source::Complex(expr)) => fused = fused.input("", expr),
                Some(Source::Reals(expr)) => fused = fused.input("", expr),
                _ => {}
            }
            if last && let Some(add) = attach.take() {
                fused = add(fused);
                output_len = fused.room();
            }
            fused.check_on(queue)?;
            parts.push(fused);
        }
        self.check_lengths(input_len, output_len)?;
        if count == 0 {
            return Ok(());
        }
        let reach = self.reach(input_len, output_len);
        let options = |at: usize, pass: &Pass| {
            let (first, last) = (at == 0, at + 1 == count);
            let mut swaps = pass.swaps;
            // An inverse transform is a forward transform of numbers with exchanged real and imaginary parts.
            if inverse {
                swaps[0] ^= u8::from(first);
                swaps[1] ^= 2 * u8::from(last);
            }
            LaunchOptions {
                from: if first { source_end } else { End::Memory },
                to: if last { target_end } else { End::Memory },
                swaps,
                scaled: last && scale != 1.0,
                double: T::BYTES == 8,
                sines: self.sines,
            }
        };
        let passes = self.recipe.passes.iter().enumerate();
        let kernels: Vec<_> = parts
            .iter()
            .zip(passes)
            .map(|(fused, (at, pass))| filled(fused, pass, options(at, pass)))
            .collect();
        let kernels: Vec<&dyn AnyFilled<'_, '_>> = kernels.iter().map(|kernel| &**kernel).collect();
        let ready = Fused::compile_all(&kernels, queue, reach)?;
        let scratch: Vec<Scratch<'_>> = self
            .recipe
            .scratch
            .iter()
            .map(|points| queue.scratch(points * 2 * T::BYTES))
            .collect::<Result<_>>()?;
        let place = |location: Location, user: Option<&'a Memory>| match location {
            Location::User => user,
            Location::Scratch(number) => Some(&*scratch[number]),
        };
        let mut at = 0;
        while at < count {
            let turns = self.recipe.turns.iter().find(|turns| turns.passes.start == at);
            let (passes, units, at_once) =
                turns.map_or((at..at + 1, 1, 1), |turns| (turns.passes.clone(), turns.units, turns.at_once));
            for begin in (0..units).step_by(at_once) {
                for at in passes.clone() {
                    let pass = &self.recipe.passes[at];
                    let share = Share {
                        lines: pass.lines() / at_once * at_once.min(units - begin),
                        moved: pass.turn.map(|stride| stride * begin),
                    };
                    let ends = [place(pass.from, from), place(pass.to, to)];
                    self.launch(queue, at, &ready[at], ends, share, scale)?;
                }
            }
            at = passes.end;
        }
        Ok(())
    }

    /// Enqueues a pass.
    fn launch<'m>(
        &'m self,
        queue: &Queue,
        at: usize,
        ready: &Ready<'_, '_>,
        ends: [Option<&'m Memory>; 2],
        Share { lines, moved }: Share,
        scale: f64,
    ) -> Result<()> {
        let (pass, tables) = (&self.recipe.passes[at], &self.tables[at]);
        let factors = tables.factors.memory();
        let table = |table: &'m Option<_>| {
            let memory = table.as_ref().map_or(factors, cl_core::Buffer::<T>::memory);
            Arg::Memory(memory, Access::Read)
        };
        let mut own: Vec<Arg<'_>> = Vec::with_capacity(16);
        own.extend(ends[0].map(|memory| Arg::Memory(memory, Access::Read)));
        own.extend(ends[1].map(|memory| Arg::Memory(memory, Access::Write)));
        own.extend([table(&tables.load_by), table(&tables.store_by), table(&tables.phases)]);
        let order = tables.order.as_ref().map_or(factors, cl_core::Buffer::memory);
        own.push(Arg::Memory(order, Access::Read));
        own.push(Arg::Memory(tables.layout.memory(), Access::Read));
        own.extend(moved.map(|by| ready.index(by)));
        own.push(Arg::value(T::rounded(scale)));
        own.push(Arg::Memory(factors, Access::Read));
        own.push(table(&tables.middle));
        own.push(ready.index(lines));
        match pass.shape {
            Shape::Group { items, per, .. } => {
                // SAFETY: the recipe's addresses lie within the input and the output, whose lengths were checked,
                // and within scratch memory of the sizes that the recipe requests.
                unsafe {
                    ready.launch(
                        &own,
                        lines.div_ceil(if pass.transforms_pairs_of_lines() { per / 2 } else { per }),
                        items * per,
                    )
                }
            }
            Shape::Lines { lines: at_once } => {
                // Several groups for each compute unit, so that one slow core does not delay the rest.
                let groups = lines.div_ceil(at_once).min(4 * self.compute_units);
                let areas = queue.scratch(groups * area(pass, at_once) * T::BYTES)?;
                own.push(Arg::Memory(&areas, Access::Write));
                // SAFETY: as above; each group has a work area of its own.
                unsafe { ready.launch(&own, groups, 1) }
            }
        }
    }

    fn check_lengths(&self, input: Option<usize>, output: Option<usize>) -> Result<()> {
        let sides = [("input", input, &self.problem.input), ("output", output, &self.problem.output)];
        for (name, len, side) in sides {
            let Some(len) = len else { continue };
            let fits = if side.dense { len == side.extent } else { len >= side.extent };
            if !fits {
                let least = if side.dense { "" } else { "at least " };
                let reason = format!("it has {len} points, but the transform needs {least}{}", side.extent);
                return Err(Error::invalid_input(
                    if name == "input" { "length of the input" } else { "length of the output" },
                    reason,
                ));
            }
        }
        Ok(())
    }

    /// Returns the largest length that indices have to cover.
    fn reach(&self, input: Option<usize>, output: Option<usize>) -> usize {
        let sides = [input, output].into_iter().flatten();
        let own = [self.problem.input.extent, self.problem.output.extent];
        let scratch = self.recipe.scratch.iter().copied();
        sides.chain(own).chain(scratch).max().unwrap_or(0)
    }
}

/// Returns the length of a work-group's area, in real numbers. The area has room for a block of lines twice,
/// with gaps: see `kernels/blocks.cl`.
fn area(pass: &Pass, lines: usize) -> usize {
    4 * (pass.length + pass.length / 32 + 1) * lines * (1 + usize::from(pass.transforms_pairs_of_lines()))
}
