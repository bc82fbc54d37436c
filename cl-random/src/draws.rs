//! Sequences of random values.

use crate::distribution::Distribution;
use crate::engine::{Engine, Word};
use cl_algo::{Element, Expr, Item, Val, ViewMut, assign, zip};
use cl_core::Result;
use std::ops::Range;

/// The sequence of values that a distribution makes from an engine's words.
///
/// For one engine and one distribution, value i is a function of i alone. A part of the sequence is therefore
/// the same on every device and on the host, wherever the part begins and whatever was drawn before. ([The
/// crate](crate#distributions) lists distributions with exceptions.) [`draw`](Draws::draw) and
/// [`fill`](Draws::fill) continue after the last value drawn.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_random::{Engine, Philox4x32};
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let engine: Philox4x32 = Philox4x32::new(42);
/// let mut noise = engine.normal::<f32>();
/// let mut first = DeviceVec::filled(&queue, 0.0_f32, 101)?;
/// noise.fill(&mut first)?;
/// let noisy = (noise.draw(50) * 0.1 + 1.0).collect_on(&queue)?; // nothing is stored but the result
///
/// let again = engine.normal::<f32>().take(151).collect_on(&queue)?.to_vec()?;
/// assert_eq!(again[..101], first.to_vec()?);
/// assert_eq!(again[150] * 0.1 + 1.0, noisy.to_vec()?[49]);
/// assert_eq!(again[150], engine.normal::<f32>().get(150)); // on the host
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a sequence does nothing until it is drawn from"]
pub struct Draws<E, D> {
    engine: E,
    distribution: D,
    /// The position, in values. A program cannot draw so long that 128 bits are too few.
    position: u128,
}

impl<E: Engine, D: Distribution> Draws<E, D> {
    /// The number of the engine's blocks in a group. A group is the fewest whole blocks that have enough
    /// words for one call of [`Distribution::values`].
    const BLOCKS: usize = {
        let taken = D::WORDS * D::Word::BITS as usize;
        let block = E::WORDS * E::Word::BITS as usize;
        assert!(E::WORDS.is_power_of_two(), "see Engine::WORDS");
        assert!(taken <= 128 && (D::WORDS == 1 || D::WORDS == 2 || D::WORDS == 4), "see Distribution::WORDS");
        assert!(D::VALUES == 1 || D::VALUES == D::WORDS, "see Distribution::VALUES");
        if taken > block { taken / block } else { 1 }
    };

    /// The number of values made from a group of blocks.
    const GROUP: usize =
        Self::BLOCKS * E::WORDS * E::Word::BITS as usize * D::VALUES / (D::WORDS * D::Word::BITS as usize);

    pub(crate) const fn new(engine: E, distribution: D) -> Draws<E, D> {
        Draws { engine, distribution, position: 0 }
    }

    /// Returns the number of values drawn or skipped so far, which is the position of the next value.
    #[must_use]
    pub const fn position(&self) -> u128 {
        self.position
    }

    /// Returns the sequence without its next `count` values.
    pub fn skip(&self, count: u64) -> Draws<E, D> {
        Draws { position: self.position.wrapping_add(count.into()), ..self.clone() }
    }

    /// Returns the next `count` values, lazily. The position stays, so that a second call returns the same
    /// values.
    pub fn take<'a>(&self, count: usize) -> Expr<'a, D::Value> {
        self.slice(0..count as u64)
    }

    /// Returns the next `count` values, lazily, and moves the position behind them.
    pub fn draw<'a>(&mut self, count: usize) -> Expr<'a, D::Value> {
        let drawn = self.take(count);
        *self = self.skip(count as u64);
        drawn
    }

    /// Returns the values of a range of indices, counted from the next value on, lazily. A range that ends before
    /// it begins is empty.
    ///
    /// Ranges that begin at a multiple of eight, counted from the sequence's first value, are fastest. In
    /// other ranges, neighbouring values share less work.
    pub fn slice<'a>(&self, range: Range<u64>) -> Expr<'a, D::Value> {
        let (groups, within, count) = self.groups(&range);
        let values = self.blocks(groups.start, groups.count).map_values(|words| self.group(words));
        values.slice(within..within.saturating_add(count))
    }

    /// Returns `count` pairs of values, from the next value on, lazily. Pairs can serve as points of the
    /// plane.
    ///
    /// If the position is even, and the engine's blocks give at least two values at once, both values of a
    /// pair come from the same blocks, and each block is computed once.
    pub fn pairs<'a>(&self, count: usize) -> Expr<'a, (D::Value, D::Value)> {
        let range = 0..(count as u64).saturating_mul(2);
        let (groups, within, _) = self.groups(&range);
        if Self::GROUP % 2 == 1 || within % 2 == 1 {
            let all = self.slice(range);
            return zip((all.clone().step_by(2), all.skip(1).step_by(2)));
        }
        let blocks = self.blocks(groups.start, groups.count);
        let part = |which: usize| {
            blocks.clone().map_values(|words| self.group(words).into_iter().skip(which).step_by(2))
        };
        zip((part(0), part(1))).slice(within / 2..(within / 2).saturating_add(count))
    }

    /// Fills a vector, or a view such as `&mut x` or `x.slice_mut(8..)`, with the next values, and moves the
    /// position behind them. This takes one launch. It takes two launches if there are 65 536 values or more
    /// and the last call has left some values of a group of blocks: the first launch stores the left values.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_random::{Engine, Philox4x32};
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let engine: Philox4x32 = Philox4x32::new(42);
    /// let mut x = DeviceVec::filled(&queue, 2.0_f32, 6)?;
    /// engine.uniform().fill(x.view_mut().step_by(2))?; // every second element
    /// assert!(x.to_vec()?.chunks(2).all(|pair| pair[0] < 1.0 && pair[1] == 2.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`assign`](cl_algo::assign()). The position does not change then.
    pub fn fill<'t>(&mut self, into: impl Into<ViewMut<'t, D::Value>>) -> Result<()> {
        let into = into.into();
        let count = into.len();
        fill_in_parts(into, self.values_left_of_group(count), |range| self.slice(range))?;
        *self = self.skip(count as u64);
        Ok(())
    }

    /// Returns the number of values that a launch of their own should store: the values that are left of the
    /// current group, so that the next launch begins with a whole group. Returns 0 if `count` values are too
    /// few to be worth another launch.
    pub(crate) fn values_left_of_group(&self, count: usize) -> usize {
        let within = (self.position % Self::GROUP as u128) as usize;
        if within == 0 || count < LEAST_FOR_TWO_LAUNCHES { 0 } else { Self::GROUP - within }
    }

    /// Returns value `i`, counted from the next value on, computed on the host.
    #[must_use]
    pub fn get(&self, i: u64) -> D::Value {
        let at = self.position.wrapping_add(i.into());
        let group = Self::GROUP as u128;
        self.on_host(at / group)[(at % group) as usize]
    }

    /// Returns an endless iterator over the values from the next one on, computed on the host.
    pub fn iter(&self) -> impl Iterator<Item = D::Value> + use<E, D> {
        let (draws, group) = (self.clone(), Self::GROUP as u128);
        let within = (self.position % group) as usize;
        (self.position / group..).flat_map(move |at| draws.on_host(at)).skip(within)
    }

    /// Returns the values of one group, computed on the host.
    fn on_host(&self, group: u128) -> Vec<D::Value> {
        let engine = self.engine.jump(group.wrapping_mul(Self::BLOCKS as u128));
        let blocks = (0..Self::BLOCKS as u64).map(|at| engine.block(at));
        let words: Vec<Val<E::Word>> = blocks
            .flat_map(|block| block.as_ref().iter().map(|&word| Val::known(word)).collect::<Vec<_>>())
            .collect();
        // `filter_map` drops nothing: a device function of known words returns a known value.
        self.group(words).into_iter().filter_map(Val::value).collect()
    }

    /// Returns the values made from the words of a group.
    fn group(&self, words: Vec<Val<E::Word>>) -> Vec<Val<D::Value>> {
        let words = D::Word::of(|| E::Word::halves(&words), || E::Word::wholes(&words));
        let mut values = Vec::with_capacity(Self::GROUP);
        words.chunks_exact(D::WORDS).for_each(|some| self.distribution.values(some, &mut values));
        values
    }

    /// Returns the groups that contain a range, the index of its first value in the first group, and its length.
    fn groups(&self, range: &Range<u64>) -> (Groups, usize, usize) {
        let group = Self::GROUP as u128;
        let begin = self.position.wrapping_add(range.start.into());
        let count = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
        let within = (begin % group) as usize;
        let groups =
            Groups { start: begin / group, count: within.saturating_add(count).div_ceil(Self::GROUP) };
        (groups, within, count)
    }

    /// Returns the blocks of `count` groups from group `first` on, lazily.
    fn blocks<'a>(&self, first: u128, count: usize) -> Blocks<'a, E> {
        let engine = self.engine.jump(first.wrapping_mul(Self::BLOCKS as u128));
        let blocks = engine.blocks(0, count.saturating_mul(Self::BLOCKS));
        let each = |first: usize| blocks.clone().skip(first).step_by(Self::BLOCKS);
        match Self::BLOCKS {
            1 => Blocks::One(blocks),
            2 => Blocks::Two(zip((each(0), each(1)))),
            _ => Blocks::Four(zip((each(0), each(1), each(2), each(3)))),
        }
    }
}

/// The least number of values for which a separate launch of the values left of a group is worthwhile.
const LEAST_FOR_TWO_LAUNCHES: usize = 1 << 16;

/// Stores values in all of a view: the first `left` values, then the rest.
pub(crate) fn fill_in_parts<'a, T: Element>(
    into: ViewMut<'a, T>,
    left: usize,
    values: impl Fn(Range<u64>) -> Expr<'a, T>,
) -> Result<()> {
    let count = into.len() as u64;
    if left == 0 {
        return assign(into, values(0..count));
    }
    let (first, rest) = into.split_at(left);
    assign(first, values(0..left as u64))?;
    assign(rest, values(left as u64..count))
}

/// A range of groups.
struct Groups {
    start: u128,
    count: usize,
}

/// The blocks of each group.
#[derive(Clone)]
enum Blocks<'a, E: Engine> {
    One(Expr<'a, E::Item>),
    Two(Expr<'a, (E::Item, E::Item)>),
    Four(Expr<'a, Quad<E::Item>>),
}

/// Four values of one type.
type Quad<T> = (T, T, T, T);

/// The symbolic words of a block.
type Symbols<E> = <<E as Engine>::Item as Item>::Values;

impl<'a, E: Engine> Blocks<'a, E> {
    /// Returns the values that `values` makes from the words of each group.
    fn map_values<T: Element, V: IntoIterator<Item = Val<T>>>(
        self,
        values: impl FnOnce(Vec<Val<E::Word>>) -> V,
    ) -> Expr<'a, T> {
        match self {
            Blocks::One(blocks) => blocks.flat_map(|block| values(E::words(block))),
            Blocks::Two(blocks) => {
                blocks.flat_map(|(a, b): (Symbols<E>, Symbols<E>)| values([a, b].map(E::words).concat()))
            }
            Blocks::Four(blocks) => {
                blocks.flat_map(|(a, b, c, d): Quad<Symbols<E>>| values([a, b, c, d].map(E::words).concat()))
            }
        }
    }
}
