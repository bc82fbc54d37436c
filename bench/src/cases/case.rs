//! What a benchmark is.

use crate::failure::Failure;
use crate::timing::{Pair, Restored, Step};
use cl_core::Queue;

/// Makes the data, evaluates once and compares with the host: an error when they differ, else what
/// is to be timed, which owns its data.
pub(crate) type Prepare<Timed> = fn(&Queue, usize) -> Result<Timed, Failure>;

/// What is timed.
pub(crate) enum Timed {
    /// A step.
    Alone(Prepare<Step>),
    /// A step that needs what it works on anew each time.
    Restored(Prepare<Restored>),
    /// A step of about as many operations as it is told, and how many these are.
    Counted(Prepare<(Step, usize)>),
    /// The calls of a step against those of another one, and not the work.
    Against {
        /// What the other one is.
        other: &'static str,
        /// While the device is kept from working.
        held: bool,
        prepare: Prepare<Pair>,
    },
}

/// Which way most bytes of a case go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    Reads,
    Writes,
    Both,
}

/// What a device can do at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ceiling {
    /// Bytes a second.
    Bandwidth,
    /// Operations of floats a second.
    Rate,
    /// Seconds from a call to its end.
    Latency,
}

/// A benchmark.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) element: &'static str,
    /// The least number of bytes that must be read and written for each element.
    pub(crate) bytes_per_element: usize,
    /// Which way they go.
    pub(crate) traffic: Traffic,
    /// Operations of floats for each element, where these may take longer than the bytes.
    pub(crate) flops_per_element: f64,
    /// What it is measured for, where others are compared with it.
    pub(crate) ceiling: Option<Ceiling>,
    /// Time by the host's clock on every device, because the host works, too.
    pub(crate) by_host: bool,
    /// Takes long to prepare or to measure: no part of a run that asks for nothing in particular.
    pub(crate) only_in_full: bool,
    /// Elements at most.
    at_most: usize,
    /// Elements at least.
    at_least: usize,
    /// Elements come in multiples of so many, once at least.
    unit: usize,
    pub(crate) timed: Timed,
}

impl Case {
    /// The name with the element type: `sum f32`.
    pub(crate) fn label(&self) -> String {
        format!("{} {}", self.name, self.element)
    }

    /// How many elements it has where so many fit.
    pub(crate) fn elements(&self, fitting: usize) -> usize {
        (fitting.min(self.at_most).max(self.at_least) / self.unit).max(1) * self.unit
    }

    const fn timed(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        timed: Timed,
    ) -> Case {
        Case {
            name,
            element,
            bytes_per_element,
            traffic: Traffic::Both,
            flops_per_element: 0.0,
            ceiling: None,
            by_host: false,
            only_in_full: false,
            at_most: usize::MAX,
            at_least: 1,
            unit: 1,
            timed,
        }
    }

    pub(super) const fn new(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Step>,
    ) -> Case {
        Case::timed(name, element, bytes_per_element, Timed::Alone(prepare))
    }

    /// A case that writes next to nothing.
    pub(super) const fn reads(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Step>,
    ) -> Case {
        Case { traffic: Traffic::Reads, ..Case::new(name, element, bytes_per_element, prepare) }
    }

    /// A case that reads next to nothing.
    pub(super) const fn writes(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Step>,
    ) -> Case {
        Case { traffic: Traffic::Writes, ..Case::new(name, element, bytes_per_element, prepare) }
    }

    /// The same case, which does so many operations of floats an element.
    pub(super) const fn flops(self, flops_per_element: f64) -> Case {
        Case { flops_per_element, ..self }
    }

    /// The same case with so many elements at most.
    pub(super) const fn at_most(self, at_most: usize) -> Case {
        Case { at_most, ..self }
    }

    /// The same case with so many elements at least.
    pub(super) const fn at_least(self, at_least: usize) -> Case {
        Case { at_least, ..self }
    }

    /// The same case, whose elements come in multiples of so many.
    pub(super) const fn in_units_of(self, unit: usize) -> Case {
        Case { unit, ..self }
    }

    /// The same case by the host's clock on every device.
    pub(super) const fn by_host(self) -> Case {
        Case { by_host: true, ..self }
    }

    /// The same case, which takes long.
    pub(super) const fn only_in_full(self) -> Case {
        Case { only_in_full: true, ..self }
    }

    /// The same case, whose time is a ceiling of others.
    pub(super) const fn ceiling(self, ceiling: Ceiling) -> Case {
        Case { ceiling: Some(ceiling), ..self }
    }

    pub(super) const fn rate(element: &'static str, prepare: Prepare<(Step, usize)>) -> Case {
        Case::timed("multiply and add, operations", element, 0, Timed::Counted(prepare))
            .ceiling(Ceiling::Rate)
    }

    pub(super) const fn restored(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Restored>,
    ) -> Case {
        Case::timed(name, element, bytes_per_element, Timed::Restored(prepare))
    }

    pub(super) const fn against(
        name: &'static str,
        other: &'static str,
        held: bool,
        prepare: Prepare<Pair>,
    ) -> Case {
        let timed = Timed::Against { other, held, prepare };
        Case::timed(name, "f32", 0, timed).by_host().at_most(CALLS_N)
    }

    pub(super) const fn transfer(name: &'static str, prepare: Prepare<Step>) -> Case {
        Case::new(name, "f32", 4, prepare).by_host()
    }
}

/// Elements of the vectors in the cases that time calls only.
const CALLS_N: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_in_units_up_to_a_limit() {
        let case = || Case::new("", "f32", 4, |_, _| Err("".into())).at_most(100).in_units_of(30);
        assert_eq!([1, 59, 60, 1000].map(|fitting| case().elements(fitting)), [30, 30, 60, 90]);
        assert_eq!([1, 59, 60, 1000].map(|fitting| case().at_least(60).elements(fitting)), [60, 60, 60, 90]);
    }
}
