//! From planned steps to a program: registers for their rows, and their loops.

use super::functions;
use super::rows::{MOST_TERMS, Operand, Program, Step, combination, total};
use crate::element::ScalarType;
use crate::ir::op::Op;
use cl_core::{Error, Result};
use smallvec::SmallVec;

/// Returns the program of the steps that the step `output` needs. That step writes the output. The constants are given by
/// their bits and sizes.
pub(super) fn link(planned: &[Planned], output: usize, constants: &[(u64, usize)]) -> Result<Program> {
    let last_uses = last_uses(planned, output);
    let (mut registers, mut rows) = (Registers::default(), Vec::new());
    let mut places = vec![0; planned.len()];
    let mut steps = Vec::new();
    let mut width = 1;
    for (at, step) in planned.iter().enumerate() {
        if last_uses[at].is_none() {
            continue;
        }
        let place = |operand: &Operand| match *operand {
            Operand::Register(step) => Operand::Register(places[step]),
            Operand::Constant(constant) => Operand::Constant(position(&mut rows, constants[constant])),
            input => input,
        };
        let operands: SmallVec<[_; MOST_TERMS]> = step.operands.iter().map(place).collect();
        // No step writes a register that it reads.
        let to = (at != output).then(|| registers.take());
        steps.push((to, step.step(&operands)?));
        places[at] = to.unwrap_or_default();
        for (index, operand) in step.operands.iter().enumerate() {
            if let Operand::Register(read) = *operand
                && last_uses[read] == Some(at)
                && !step.operands[..index].contains(operand)
            {
                registers.free.push(places[read]);
            }
        }
        width = width.max(step.result.size());
    }
    let width = rows.iter().map(|(_, size)| *size).fold(width, usize::max);
    Ok(Program::new(steps, registers.count, &rows, width))
}

/// Returns, for each step, the last step that reads its row; `None` for steps that the output does not need.
fn last_uses(planned: &[Planned], output: usize) -> Vec<Option<usize>> {
    let mut last = vec![None; planned.len()];
    last[output] = Some(output);
    for (at, step) in planned.iter().enumerate().rev() {
        if last[at].is_some() {
            for operand in &step.operands {
                if let Operand::Register(read) = *operand {
                    last[read].get_or_insert(at);
                }
            }
        }
    }
    last
}

/// The registers, of which some are free.
#[derive(Default)]
struct Registers {
    count: usize,
    free: Vec<usize>,
}

impl Registers {
    /// Returns a free register.
    fn take(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

/// Returns the position of a value, which is added if it is new.
pub(super) fn position<T: PartialEq>(values: &mut Vec<T>, value: T) -> usize {
    values.iter().position(|other| *other == value).unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    })
}

/// The operation of a step.
pub(super) enum Action {
    /// An operation on operands of these types.
    Apply(Op, SmallVec<[ScalarType; 3]>),
    /// The sum of the operands, with these factors and this scale; `true` if the last one is added after scaling.
    Sum(SmallVec<[f64; MOST_TERMS]>, f64, bool),
}

/// A step before its registers are chosen: [`Operand::Register`] is the number of the step that writes the row.
pub(super) struct Planned {
    pub(super) action: Action,
    pub(super) result: ScalarType,
    pub(super) operands: SmallVec<[Operand; MOST_TERMS]>,
}

impl Planned {
    /// Returns the loop of the step, whose operands are these rows.
    pub(super) fn step(&self, operands: &[Operand]) -> Result<Step> {
        let step = match &self.action {
            Action::Apply(op, of) => functions::step(*op, of, self.result, operands),
            Action::Sum(factors, scale, last) => sum(self.result, (factors, *scale, *last), operands),
        };
        step.ok_or_else(|| match &self.action {
            Action::Apply(op, of) => unsupported(&format!("{} of {of:?}", name(*op))),
            Action::Sum(..) => unsupported(&format!("a sum of {:?}", self.result)),
        })
    }
}

fn sum(of: ScalarType, (factors, scale, last): (&[f64], f64, bool), operands: &[Operand]) -> Option<Step> {
    let adds_only = scale == 1.0 && factors.iter().all(|factor| *factor == 1.0);
    match of {
        ScalarType::F32 if adds_only => total(operands, |a: f32, b: f32| a + b),
        ScalarType::F64 if adds_only => total(operands, |a: f64, b: f64| a + b),
        ScalarType::F32 => {
            let factors: SmallVec<[f32; MOST_TERMS]> = factors.iter().map(|factor| *factor as f32).collect();
            combination(operands, &factors, scale as f32, last)
        }
        ScalarType::F64 => combination(operands, factors, scale, last),
        // Sums of signed and of unsigned integers have the same bits.
        _ => match of.size() {
            1 => total(operands, u8::wrapping_add),
            2 => total(operands, u16::wrapping_add),
            4 => total(operands, u32::wrapping_add),
            _ => total(operands, u64::wrapping_add),
        },
    }
}

/// Returns the name of an operation, for errors.
pub(super) fn name(op: Op) -> String {
    match op {
        Op::Call(name) | Op::Test(name) | Op::Pair(&(name, _)) => format!("`{name}`"),
        Op::Function(function) | Op::OrElse(function) => {
            format!("a call of the device function `{}`", function.0.given_name())
        }
        op => {
            let name = format!("{op:?}");
            format!("`{}`", name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
        }
    }
}

pub(super) fn unsupported(operation: &str) -> Error {
    let reason = format!("the host does not evaluate {operation}: evaluate this closure on a device");
    Error::invalid_input("closure", reason)
}
