//! A program: a list of steps that a seed and a number repeat.

use crate::dice::Dice;
use crate::finding::{Finding, Outcome};
use crate::steps::{KINDS, Step};
use crate::world::World;
use cl_core::Context;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of shapes from which all programs choose their steps: one of each kind. Every process compiles their
/// kernels.
const SHAPES: usize = KINDS;

/// The number of programs that share further shapes. A process of a hunt runs them, and so no other process compiles the
/// kernels of these shapes.
pub(crate) const BLOCK: u64 = 500;

/// The number of programs of a block after which one more shape is available.
const PROGRAMS_OF_A_SHAPE: u64 = 25;

/// A program.
#[derive(Clone)]
pub struct Program {
    seed: u64,
    number: u64,
    steps: Vec<Step>,
}

impl Program {
    /// Returns the program with this number, of the programs of a seed.
    ///
    /// The structures of its expressions, and so its kernels, come from a list of shapes: some of all programs, and some of
    /// the program's block, which grow slowly with the number. Its values, lengths, offsets and orders are its own.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Program {
        let mut data = Dice::new(seed, number + 1);
        let (block, shapes) = (number / BLOCK, (number % BLOCK / PROGRAMS_OF_A_SHAPE) as usize);
        let first = SHAPES + (block * BLOCK / PROGRAMS_OF_A_SHAPE) as usize;
        let mut steps = Vec::new();
        for _ in 0..1 + data.below(8) {
            let shape = match data.below(SHAPES + shapes) {
                own @ SHAPES.. => first + own - SHAPES,
                shape => shape,
            };
            let few = data.below(5) < 2;
            steps.push(if few {
                Step::of_few_kernels(&mut data)
            } else {
                Step::of_shape(shape, &mut Dice::new(!seed, shape as u64), &mut data)
            });
            if data.one_in(3) {
                steps.push(Step::Look(data.below(8)));
            }
        }
        Program { seed, number, steps }
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether the program has no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the same program without the steps whose bits are not in `mask`.
    #[must_use]
    pub fn only(mut self, mask: u64) -> Program {
        let mut bit = 0;
        self.steps.retain(|_| {
            bit += 1;
            mask >> (bit - 1) & 1 == 1
        });
        self
    }

    /// Returns the same program with the steps whose text a closure chooses.
    #[must_use]
    pub fn with_steps(mut self, mut chosen: impl FnMut(&str) -> bool) -> Program {
        self.steps.retain(|step| chosen(&format!("{step:?}")));
        self
    }

    /// Runs the program in a context.
    ///
    /// # Errors
    /// The first finding.
    pub fn run(&self, context: &Context) -> Result<(), Finding> {
        let run = || -> Outcome {
            let mut data = Dice::new(self.seed, self.number | 1 << 63);
            let mut world = World::new(context, &mut data)?;
            self.steps.iter().try_for_each(|step| step.run(&mut world))?;
            world.compare_all()
        };
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(result) => result,
            Err(panic) => Err(Finding::Panic(text_of(&*panic))),
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").to_owned()
}

/// Writes the number, and each step on a line.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "program {} of seed {}:", self.number, self.seed)?;
        self.steps.iter().try_for_each(|step| write!(f, "\n    {step:?}"))
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
