//! Sequences of random values.

use crate::distribution::Distribution;
use crate::engine::{Engine, Word};
use cl_algo::{Element, Expr, Item, Val, ViewMut, assign, zip};
use cl_core::Result;
use std::ops::Range;

/// The sequence of values that a distribution makes of an engine's words.
///
/// Value i is a function of i alone: parts of the sequence are the same, wherever one begins and whatever was
/// drawn before, on every device and on the host. [`draw`](Draws::draw) and [`fill`](Draws::fill) go on where the
/// last one ended.
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
    /// In values. No engine has 2^128 of them in a stream that anybody could come to the end of.
    position: u128,
}

impl<E: Engine, D: Distribution> Draws<E, D> {
    /// How many blocks of the engine are taken at once.
    const BLOCKS: usize = {
        let taken = D::WORDS * D::Word::BITS as usize;
        let block = E::WORDS * E::Word::BITS as usize;
        assert!(E::WORDS.is_power_of_two(), "see Engine::WORDS");
        assert!(taken <= 128 && (D::WORDS == 1 || D::WORDS == 2 || D::WORDS == 4), "see Distribution::WORDS");
        assert!(D::VALUES == 1 || D::VALUES == D::WORDS, "see Distribution::VALUES");
        if taken > block { taken / block } else { 1 }
    };

    /// How many values are made of these.
    const GROUP: usize =
        Self::BLOCKS * E::WORDS * E::Word::BITS as usize * D::VALUES / (D::WORDS * D::Word::BITS as usize);

    pub(crate) const fn new(engine: E, distribution: D) -> Draws<E, D> {
        Draws { engine, distribution, position: 0 }
    }

    /// How many values were drawn, or skipped: where the next one is.
    #[must_use]
    pub const fn position(&self) -> u128 {
        self.position
    }

    /// The sequence without its next `count` values.
    pub fn skip(&self, count: u64) -> Draws<E, D> {
        Draws { position: self.position.wrapping_add(count.into()), ..self.clone() }
    }

    /// The next `count` values, lazily. Ask again, and get the same.
    pub fn take<'a>(&self, count: usize) -> Expr<'a, D::Value> {
        self.slice(0..count as u64)
    }

    /// The next `count` values, lazily; then come others.
    pub fn draw<'a>(&mut self, count: usize) -> Expr<'a, D::Value> {
        let drawn = self.take(count);
        *self = self.skip(count as u64);
        drawn
    }

    /// The values of a range of numbers, from the next one on, lazily. A range that ends before it begins is
    /// empty.
    ///
    /// It is fastest where the first is a multiple of eight: elsewhere neighbours share less.
    pub fn slice<'a>(&self, range: Range<u64>) -> Expr<'a, D::Value> {
        let (groups, within, count) = self.groups(&range);
        let values = self.blocks(groups.start, groups.count).map_values(|words| self.group(words));
        values.slice(within..within.saturating_add(count))
    }

    /// The values two by two, `count` pairs of them, from the next one on: points of the plane, of one
    /// block each.
    pub fn pairs<'a>(&self, count: usize) -> Expr<'a, (D::Value, D::Value)> {
        let range = 0..(count as u64).saturating_mul(2);
        let (groups, within, _) = self.groups(&range);
        if Self::GROUP % 2 == 1 || within % 2 == 1 {
            let all = self.slice(range);
            return zip((all.clone().step_by(2), all.skip(1).step_by(2)));
        }
        // The same blocks for both, so that each is computed once.
        let blocks = self.blocks(groups.start, groups.count);
        let part = |which: usize| {
            blocks.clone().map_values(|words| self.group(words).into_iter().skip(which).step_by(2))
        };
        zip((part(0), part(1))).slice(within / 2..(within / 2).saturating_add(count))
    }

    /// Stores the next values in all of a vector, or of a view of one: `&mut x`, `x.slice_mut(8..)`; then come
    /// others. That is one launch; two, where many values begin with odd ones that the last call left of a block.
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
    /// As [`assign`](cl_algo::assign()); the next values are still the same then.
    pub fn fill<'t>(&mut self, into: impl Into<ViewMut<'t, D::Value>>) -> Result<()> {
        let into = into.into();
        let count = into.len();
        fill_in_parts(into, self.odd(count), |range| self.slice(range))?;
        *self = self.skip(count as u64);
        Ok(())
    }

    /// How many of the next values, `count` in all, are stored on their own, so that the others are made of whole
    /// groups: those that are left of a group, if so many follow that this is worth a launch.
    pub(crate) fn odd(&self, count: usize) -> usize {
        let within = (self.position % Self::GROUP as u128) as usize;
        if within == 0 || count < MANY { 0 } else { Self::GROUP - within }
    }

    /// Value `i` from the next one on, on the host.
    #[must_use]
    pub fn get(&self, i: u64) -> D::Value {
        let at = self.position.wrapping_add(i.into());
        let group = Self::GROUP as u128;
        self.on_host(at / group)[(at % group) as usize]
    }

    /// The values from the next one on, on the host, for ever.
    pub fn iter(&self) -> impl Iterator<Item = D::Value> + use<E, D> {
        let (draws, group) = (self.clone(), Self::GROUP as u128);
        let within = (self.position % group) as usize;
        (self.position / group..).flat_map(move |at| draws.on_host(at)).skip(within)
    }

    /// The values of one group, on the host.
    fn on_host(&self, group: u128) -> Vec<D::Value> {
        let engine = self.engine.jump(group.wrapping_mul(Self::BLOCKS as u128));
        let blocks = (0..Self::BLOCKS as u64).map(|at| engine.block(at));
        let words: Vec<Val<E::Word>> = blocks
            .flat_map(|block| block.as_ref().iter().map(|&word| Val::known(word)).collect::<Vec<_>>())
            .collect();
        // Of known words a distribution of device functions makes known values.
        self.group(words).into_iter().filter_map(Val::value).collect()
    }

    /// The values that are made of the words of a group.
    fn group(&self, words: Vec<Val<E::Word>>) -> Vec<Val<D::Value>> {
        let words = D::Word::of(|| E::Word::halves(&words), || E::Word::wholes(&words));
        let mut values = Vec::with_capacity(Self::GROUP);
        words.chunks_exact(D::WORDS).for_each(|some| self.distribution.values(some, &mut values));
        values
    }

    /// Which groups a range lies in, where it begins in the first of them, and how long it is.
    fn groups(&self, range: &Range<u64>) -> (Groups, usize, usize) {
        let group = Self::GROUP as u128;
        let begin = self.position.wrapping_add(range.start.into());
        let count = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
        let within = (begin % group) as usize;
        let groups =
            Groups { start: begin / group, count: within.saturating_add(count).div_ceil(Self::GROUP) };
        (groups, within, count)
    }

    /// The words of groups, lazily.
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

/// From how many values on a launch of its own is worth while for a few odd ones.
const MANY: usize = 1 << 16;

/// Stores values in all of a view: the first `odd` ones, and then the others.
pub(crate) fn fill_in_parts<'a, T: Element>(
    into: ViewMut<'a, T>,
    odd: usize,
    values: impl Fn(Range<u64>) -> Expr<'a, T>,
) -> Result<()> {
    let count = into.len() as u64;
    if odd == 0 {
        return assign(into, values(0..count));
    }
    let (first, rest) = into.split_at(odd);
    assign(first, values(0..odd as u64))?;
    assign(rest, values(odd as u64..count))
}

/// Some groups.
struct Groups {
    start: u128,
    count: usize,
}

/// The blocks that each group is made of.
#[derive(Clone)]
enum Blocks<'a, E: Engine> {
    One(Expr<'a, E::Item>),
    Two(Expr<'a, (E::Item, E::Item)>),
    Four(Expr<'a, Quad<E::Item>>),
}

/// Four of a kind.
type Quad<T> = (T, T, T, T);

/// A block while an expression is made.
type Symbols<E> = <<E as Engine>::Item as Item>::Values;

impl<'a, E: Engine> Blocks<'a, E> {
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
