//! Loops over rows of numbers, and the program of steps that runs them.

use bytemuck::Pod;
use std::fmt;
use std::ops::{Add, Mul};

/// The number of bytes of a row. A few rows fit into the first-level cache together.
const ROW: usize = 4096;

/// The number of items that processors compute at once, or a multiple of it.
const LANES: usize = 16;

/// The number of words between the rows of two registers, besides their items: rows at a multiple of 4096 bytes from
/// each other compete for the same lines of the cache.
const GAP: usize = 16;

/// The greatest number of rows that a step adds.
pub(super) const MOST_TERMS: usize = 8;

/// A row that a step reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A row of the input of this number.
    Input(usize),
    /// A row that an earlier step has written.
    Register(usize),
    /// A row of equal values.
    Constant(usize),
}

/// A loop over rows. It writes the row that is its second argument.
pub(super) type Step = Box<dyn Fn(&Rows<'_>, &mut [u8]) + Send + Sync>;

/// The rows that steps read.
pub(super) struct Rows<'a> {
    inputs: &'a [&'a [u8]],
    /// The number of the first item in the inputs.
    begin: usize,
    /// The number of items.
    len: usize,
    /// The registers before and after the one that is written.
    before: &'a [u64],
    after: &'a [u64],
    constants: &'a [u64],
    /// The number of words from a register or a constant to the next one.
    stride: usize,
}

impl Rows<'_> {
    fn get<T: Pod>(&self, operand: Operand) -> &[T] {
        let words = match operand {
            Operand::Input(input) => {
                let bytes = &self.inputs[input][self.begin * size_of::<T>()..];
                return bytemuck::cast_slice(&bytes[..self.len * size_of::<T>()]);
            }
            Operand::Constant(at) => &self.constants[at * self.stride..],
            Operand::Register(at) => {
                let at = at * self.stride;
                // The register that is written lies between the two slices.
                let after = || &self.after[at - self.before.len() - self.stride..];
                self.before.get(at..).filter(|row| !row.is_empty()).unwrap_or_else(after)
            }
        };
        &bytemuck::cast_slice(&words[..(self.len * size_of::<T>()).div_ceil(8)])[..self.len]
    }
}

/// Steps for each row of the inputs.
pub(super) struct Program {
    /// The steps, each with the register that it writes; `None` stands for the output.
    steps: Vec<(Option<usize>, Step)>,
    registers: usize,
    constants: Vec<u64>,
    stride: usize,
    /// The number of items of a row.
    items: usize,
}

impl Program {
    /// Returns the program of these steps, whose numbers have at most `width` bytes. The constants are given by their
    /// bits and their sizes.
    pub(super) fn new(
        steps: Vec<(Option<usize>, Step)>,
        registers: usize,
        constants: &[(u64, usize)],
        width: usize,
    ) -> Program {
        let stride = ROW / 8 + GAP;
        let mut rows = vec![0; constants.len() * stride];
        for (row, (bits, size)) in rows.chunks_exact_mut(stride).zip(constants) {
            let items = bytemuck::cast_slice_mut::<u64, u8>(row).chunks_exact_mut(*size);
            items.for_each(|item| item.copy_from_slice(&bits.to_le_bytes()[..*size]));
        }
        Program { steps, registers, constants: rows, stride, items: ROW / width }
    }

    /// Computes `len` items of `out`, of `size` bytes each, from as many items of each input. The memory of the registers
    /// is `scratch`.
    pub(super) fn run(
        &self,
        scratch: &mut Vec<u64>,
        inputs: &[&[u8]],
        out: &mut [u8],
        (len, size): (usize, usize),
    ) {
        // Seven words more, so that the registers begin at a line of the cache.
        let words = self.registers * self.stride;
        if scratch.len() < words + 7 {
            scratch.resize(words + 7, 0);
        }
        let skipped = scratch.as_ptr().align_offset(64).min(7);
        let registers = &mut scratch[skipped..skipped + words];
        for begin in (0..len).step_by(self.items) {
            let count = self.items.min(len - begin);
            for (register, step) in &self.steps {
                let at = register.map_or(words, |register| register * self.stride);
                let (before, rest) = registers.split_at_mut(at);
                let (to, after) = rest.split_at_mut(if register.is_some() { self.stride } else { 0 });
                let rows = Rows {
                    inputs,
                    begin,
                    len: count,
                    before,
                    after,
                    constants: &self.constants,
                    stride: self.stride,
                };
                match register {
                    Some(_) => step(&rows, bytemuck::cast_slice_mut(to)),
                    None => step(&rows, &mut out[begin * size..][..count * size]),
                }
            }
        }
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("steps", &self.steps.len())
            .field("registers", &self.registers)
            .finish_non_exhaustive()
    }
}

/// Returns the bits of the only item that a step writes if all of its operands are constants, given by their bits.
pub(super) fn evaluate(step: &Step, constants: &[u64]) -> u64 {
    let mut to = [0];
    let rows = Rows { inputs: &[], begin: 0, len: 1, before: &[], after: &[], constants, stride: 1 };
    step(&rows, bytemuck::cast_slice_mut(&mut to));
    u64::from_le(to[0])
}

/// A loop that is compiled for several processors.
trait Work {
    /// The type of the items that it computes.
    type Item;

    fn run(self, to: &mut [Self::Item]);
}

/// Does the work with the widest instructions that the processor has. (`to` is an argument, and not a field of the
/// work, so that the compiler knows that no other row overlaps it.)
#[inline(always)]
fn widest<W: Work>(work: W, to: &mut [W::Item]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        #[target_feature(enable = "avx2,fma")]
        fn wide<W: Work>(work: W, to: &mut [W::Item]) {
            work.run(to);
        }
        // SAFETY: the processor has these instructions.
        return unsafe { wide(work, to) };
    }
    work.run(to);
}

/// Returns the number of items in whole groups of [`LANES`]. The items after them are computed together with items in
/// front of them, which are computed twice: that takes less time than one by one.
#[inline(always)]
fn whole(len: usize) -> usize {
    if len < LANES { len } else { len - len % LANES }
}

macro_rules! maps {
    ($($(#[$doc:meta])* $name:ident $work:ident($($row:ident: $item:ident),+);)*) => {$(
        struct $work<'a, $($item,)+ F> {
            $($row: &'a [$item],)+
            f: F,
        }

        impl<R, $($item: Copy,)+ F: Fn($($item),+) -> R> Work for $work<'_, $($item,)+ F> {
            type Item = R;

            #[inline(always)]
            fn run(self, to: &mut [R]) {
                let (mut begin, mut len) = (0, whole(to.len()));
                loop {
                    let out = &mut to[begin..][..len];
                    $(let $row = &self.$row[begin..][..len];)+
                    for at in 0..len {
                        out[at] = (self.f)($($row[at]),+);
                    }
                    if begin + len == to.len() {
                        return;
                    }
                    (begin, len) = (to.len() - LANES, LANES);
                }
            }
        }

        $(#[$doc])*
        pub(super) fn $name<R: Pod, $($item: Pod),+>(
            $($row: Operand,)+
            f: impl Fn($($item),+) -> R + Copy + Send + Sync + 'static,
        ) -> Step {
            Box::new(move |rows, to| {
                let to = &mut bytemuck::cast_slice_mut(to)[..rows.len];
                widest($work { $($row: rows.get($row),)+ f }, to);
            })
        }
    )*};
}

maps! {
    /// Returns the step that calls a function of one item.
    unary Unary(a: A);
    /// Returns the step that calls a function of two items.
    binary Binary(a: A, b: B);
    /// Returns the step that calls a function of three items.
    ternary Ternary(a: A, b: B, c: C);
}

/// The sum of rows, from the left to the right.
struct Total<'a, T, F, const N: usize> {
    rows: [&'a [T]; N],
    add: F,
}

impl<T: Copy, F: Fn(T, T) -> T, const N: usize> Work for Total<'_, T, F, N> {
    type Item = T;

    #[inline(always)]
    fn run(self, to: &mut [T]) {
        let (mut begin, mut len) = (0, whole(to.len()));
        loop {
            let out = &mut to[begin..][..len];
            let rows = spans(self.rows, begin, len);
            for at in 0..len {
                let mut sum = rows[0][at];
                for row in &rows[1..] {
                    sum = (self.add)(sum, row[at]);
                }
                out[at] = sum;
            }
            if begin + len == to.len() {
                return;
            }
            (begin, len) = (to.len() - LANES, LANES);
        }
    }
}

/// The sum of products of factors and rows, from the left to the right, times `scale`. If `LAST`, the last product is
/// added after that.
struct Combination<'a, T, const N: usize, const LAST: bool> {
    rows: [&'a [T]; N],
    factors: [T; N],
    scale: T,
}

impl<T: Copy + Add<Output = T> + Mul<Output = T>, const N: usize, const LAST: bool> Work
    for Combination<'_, T, N, LAST>
{
    type Item = T;

    #[inline(always)]
    fn run(self, to: &mut [T]) {
        let (mut begin, mut len) = (0, whole(to.len()));
        loop {
            let out = &mut to[begin..][..len];
            let rows = spans(self.rows, begin, len);
            for at in 0..len {
                let mut sum = self.factors[0] * rows[0][at];
                #[allow(clippy::needless_range_loop)] // with iterators the last items are computed one by one
                for k in 1..N - usize::from(LAST) {
                    sum = sum + self.factors[k] * rows[k][at];
                }
                sum = sum * self.scale;
                out[at] = if LAST { sum + self.factors[N - 1] * rows[N - 1][at] } else { sum };
            }
            if begin + len == to.len() {
                return;
            }
            (begin, len) = (to.len() - LANES, LANES);
        }
    }
}

/// Returns the same span of each row. (`map` would be a call in functions for some processors alone.)
#[inline(always)]
fn spans<T, const N: usize>(mut rows: [&[T]; N], begin: usize, len: usize) -> [&[T]; N] {
    for row in &mut rows {
        *row = &row[begin..][..len];
    }
    rows
}

/// Returns the value of a function with the operands as an array; `None` for more than [`MOST_TERMS`] operands.
macro_rules! by_count {
    ($operands:expr, $rows:ident => $step:expr) => {
        by_count!($operands, $rows => $step, 1 2 3 4 5 6 7 8)
    };
    ($operands:expr, $rows:ident => $step:expr, $($n:literal)*) => {
        match $operands.len() {
            $($n => <[Operand; $n]>::try_from($operands).ok().map(|$rows| $step),)*
            _ => None,
        }
    };
}

/// Returns the step that adds rows from the left to the right; `None` for more than [`MOST_TERMS`] rows.
pub(super) fn total<T: Pod>(
    operands: &[Operand],
    add: impl Fn(T, T) -> T + Copy + Send + Sync + 'static,
) -> Option<Step> {
    fn step<T: Pod, const N: usize>(
        operands: [Operand; N],
        add: impl Fn(T, T) -> T + Copy + Send + Sync + 'static,
    ) -> Step {
        Box::new(move |rows, to| {
            let to = &mut bytemuck::cast_slice_mut(to)[..rows.len];
            widest(Total { rows: operands.map(|operand| rows.get(operand)), add }, to);
        })
    }
    by_count!(operands, operands => step(operands, add))
}

/// Returns the step that adds the products of factors and rows from the left to the right, and multiplies the sum by
/// `scale`. If `last`, the last product is added after that. `None` for more than [`MOST_TERMS`] rows.
pub(super) fn combination<T>(operands: &[Operand], factors: &[T], scale: T, last: bool) -> Option<Step>
where
    T: Pod + Add<Output = T> + Mul<Output = T> + Send + Sync,
{
    fn step<T, const N: usize, const LAST: bool>(operands: [Operand; N], factors: &[T], scale: T) -> Step
    where
        T: Pod + Add<Output = T> + Mul<Output = T> + Send + Sync,
    {
        let mut all = [scale; N];
        all.copy_from_slice(factors);
        Box::new(move |rows, to| {
            let to = &mut bytemuck::cast_slice_mut(to)[..rows.len];
            let rows = operands.map(|operand| rows.get(operand));
            widest(Combination::<T, N, LAST> { rows, factors: all, scale }, to);
        })
    }
    if last {
        return by_count!(operands, operands => step::<T, _, true>(operands, factors, scale));
    }
    by_count!(operands, operands => step::<T, _, false>(operands, factors, scale))
}
