//! A benchmark case.

use crate::failure::Failure;
use crate::timing::{Pair, Restored, Step};
use cl_core::Queue;

/// Makes the data, evaluates once and compares with the host. Returns an error if they differ, else the step
/// to be timed, which owns its data.
pub(crate) type Prepare<Timed> = fn(&Queue, usize) -> Result<Timed, Failure>;

/// The kind of step that is timed.
pub(crate) enum Timed {
    /// A step.
    Alone(Prepare<Step>),
    /// A step whose data must be restored before each evaluation.
    Restored(Prepare<Restored>),
    /// A step of about as many operations as `Prepare` is given elements. `Prepare` also returns their exact
    /// number.
    Counted(Prepare<(Step, usize)>),
    /// The host's calls of a step, compared with the calls of another step.
    Against {
        /// The name of the other step.
        other: &'static str,
        /// `true` if the device is blocked during the calls.
        held: bool,
        prepare: Prepare<Pair>,
    },
}

/// The direction in which most bytes of a case move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    Reads,
    Writes,
    Both,
}

/// A limit of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ceiling {
    /// Bytes per second.
    Bandwidth,
    /// Floating-point operations per second.
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
    /// The direction in which these bytes move.
    pub(crate) traffic: Traffic,
    /// The floating-point operations for each element, if these may take longer than the bytes; otherwise
    /// 0.
    pub(crate) flops_per_element: f64,
    /// The limit that the case measures, if other cases are compared with it.
    pub(crate) ceiling: Option<Ceiling>,
    /// `true` if the host's clock is used on every device, because the host does part of the work.
    pub(crate) by_host: bool,
    /// `true` if the case takes long to prepare or to measure; it is left out unless a filter names it or
    /// `--full` is given.
    pub(crate) only_in_full: bool,
    /// The greatest number of elements.
    at_most: usize,
    /// The least number of elements.
    at_least: usize,
    /// The divisor of the number of elements, which is at least this number.
    unit: usize,
    pub(crate) timed: Timed,
}

impl Case {
    /// Returns the name with the element type: `sum f32`.
    pub(crate) fn label(&self) -> String {
        format!("{} {}", self.name, self.element)
    }

    /// Returns the number of elements of the case if `fitting` elements fit.
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

    /// Creates a case that writes almost nothing.
    pub(super) const fn reads(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Step>,
    ) -> Case {
        Case { traffic: Traffic::Reads, ..Case::new(name, element, bytes_per_element, prepare) }
    }

    /// Creates a case that reads almost nothing.
    pub(super) const fn writes(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Step>,
    ) -> Case {
        Case { traffic: Traffic::Writes, ..Case::new(name, element, bytes_per_element, prepare) }
    }

    /// Sets the floating-point operations for each element.
    pub(super) const fn flops(self, flops_per_element: f64) -> Case {
        Case { flops_per_element, ..self }
    }

    /// Sets the greatest number of elements.
    pub(super) const fn at_most(self, at_most: usize) -> Case {
        Case { at_most, ..self }
    }

    /// Sets the least number of elements.
    pub(super) const fn at_least(self, at_least: usize) -> Case {
        Case { at_least, ..self }
    }

    /// Sets the number of elements, whatever the sizes are.
    pub(super) const fn exactly(self, n: usize) -> Case {
        Case { at_least: n, at_most: n, ..self }
    }

    /// Makes the number of elements a multiple of `unit`.
    pub(super) const fn in_units_of(self, unit: usize) -> Case {
        Case { unit, ..self }
    }

    /// Uses the host's clock on every device.
    pub(super) const fn by_host(self) -> Case {
        Case { by_host: true, ..self }
    }

    /// Marks a case that takes long.
    pub(super) const fn only_in_full(self) -> Case {
        Case { only_in_full: true, ..self }
    }

    /// Makes the case's time a limit for other cases.
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

/// The number of elements in the cases that time only calls.
const CALLS_N: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_in_units_up_to_a_limit() {
        let case = || Case::new("", "f32", 4, |_, _| Err("".into())).at_most(100).in_units_of(30);
        assert_eq!([1, 59, 60, 1000].map(|fitting| case().elements(fitting)), [30, 30, 60, 90]);
        assert_eq!([1, 90, 1000].map(|fitting| case().exactly(60).elements(fitting)), [60; 3]);
        assert_eq!([1, 59, 60, 1000].map(|fitting| case().at_least(60).elements(fitting)), [60, 60, 60, 90]);
    }
}
