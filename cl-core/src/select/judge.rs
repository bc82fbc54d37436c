//! The devices that a filter chooses, and the reasons against the others.

use super::{Filter, Node};
use crate::device::Device;
use crate::error::{Error, Result};

/// `Ok` if a device is chosen, else the reason, which follows the device's name: "lacks fp64".
pub(super) type Verdict = std::result::Result<(), String>;

impl Filter {
    /// Returns one verdict for each device.
    pub(super) fn judge(&self, devices: &[Device]) -> Result<Vec<Verdict>> {
        let all: Vec<usize> = (0..devices.len()).collect();
        self.judge_some(devices, &all)
    }

    /// Returns one verdict for each of the devices at the indices `asked`. Only `Take` and `Nth` ask
    /// the other devices, too, because they count positions among all devices.
    fn judge_some(&self, devices: &[Device], asked: &[usize]) -> Result<Vec<Verdict>> {
        match &*self.0 {
            Node::Test { check, .. } => {
                let ask = |&index: &usize| check(&devices[index]).map_err(|e| self.blame(e, &devices[index]));
                asked.iter().map(ask).collect()
            }
            Node::And(left, right) => {
                let verdicts = left.judge_some(devices, asked)?;
                right.judge_again(devices, asked, verdicts, Verdict::is_ok, |_, right| right)
            }
            Node::Or(left, right) => {
                let verdicts = left.judge_some(devices, asked)?;
                right.judge_again(devices, asked, verdicts, Verdict::is_err, either)
            }
            Node::Not(filter) => {
                let turn = |verdict: Verdict| match verdict {
                    Ok(()) => Err(format!("is {filter}")),
                    Err(_) => Ok(()),
                };
                Ok(filter.judge_some(devices, asked)?.into_iter().map(turn).collect())
            }
            Node::Take(filter, count) => {
                self.judge_positions(filter, devices, asked, |position| position < *count)
            }
            Node::Nth(filter, wanted) => {
                self.judge_positions(filter, devices, asked, |position| position == *wanted)
            }
        }
    }

    /// Asks the devices for whose verdict so far `open` returns `true`, and joins both verdicts.
    fn judge_again(
        &self,
        devices: &[Device],
        asked: &[usize],
        mut verdicts: Vec<Verdict>,
        open: impl Fn(&Verdict) -> bool,
        join: impl Fn(Verdict, Verdict) -> Verdict,
    ) -> Result<Vec<Verdict>> {
        let places: Vec<usize> = (0..asked.len()).filter(|&place| open(&verdicts[place])).collect();
        let indices: Vec<usize> = places.iter().map(|&place| asked[place]).collect();
        for (place, second) in places.into_iter().zip(self.judge_some(devices, &indices)?) {
            let first = std::mem::replace(&mut verdicts[place], Ok(()));
            verdicts[place] = join(first, second);
        }
        Ok(verdicts)
    }

    /// Chooses by position among the devices that `filter` chooses from *all* devices.
    fn judge_positions(
        &self,
        filter: &Filter,
        devices: &[Device],
        asked: &[usize],
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Verdict>> {
        let mut verdicts = filter.judge(devices)?;
        let chosen = verdicts.iter_mut().filter(|verdict| verdict.is_ok());
        for (position, verdict) in chosen.enumerate() {
            if !wanted(position) {
                *verdict = Err(format!("is not {self}"));
            }
        }
        Ok(asked.iter().map(|&index| verdicts[index].clone()).collect())
    }

    /// Adds to the error the device and the question, unless the error has a note already.
    fn blame(&self, error: Error, device: &Device) -> Error {
        match &error {
            Error::Driver(facts) if facts.note.is_none() => {
                error.note(format!("when asked whether {device} is {self}"))
            }
            _ => error,
        }
    }
}

fn either(left: Verdict, right: Verdict) -> Verdict {
    match (left, right) {
        (Err(left), Err(right)) => Err(format!("{left} and {right}")),
        _ => Ok(()),
    }
}
