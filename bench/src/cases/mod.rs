//! The cases: one file a family.

mod by_key;
mod calls;
mod ceilings;
mod copy;
mod elementwise;
mod fft;
mod lorenz;
mod random;
mod scan;
mod select;
mod sort;
mod sorted;
mod sparse;
mod sum;
mod transfer;

use crate::Failure;
use crate::timing::{Pair, Restored, Step};
use cl_algo::{DeviceScalar, DeviceVec, Element};
use cl_core::{Queue, Result};

/// Makes the data, evaluates once and compares with the host: an error when they differ, else what
/// is to be timed, which owns its data.
pub(crate) type Prepare<Timed> = fn(&Queue, usize) -> std::result::Result<Timed, Failure>;

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
    /// Elements at most.
    pub(crate) at_most: usize,
    pub(crate) timed: Timed,
}

impl Case {
    /// The name with the element type: `sum f32`.
    pub(crate) fn label(&self) -> String {
        format!("{} {}", self.name, self.element)
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
            at_most: usize::MAX,
            timed,
        }
    }

    const fn new(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Step>,
    ) -> Case {
        Case::timed(name, element, bytes_per_element, Timed::Alone(prepare))
    }

    /// A case that writes next to nothing.
    const fn reads(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Step>,
    ) -> Case {
        Case { traffic: Traffic::Reads, ..Case::new(name, element, bytes_per_element, prepare) }
    }

    /// A case that reads next to nothing.
    const fn writes(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Step>,
    ) -> Case {
        Case { traffic: Traffic::Writes, ..Case::new(name, element, bytes_per_element, prepare) }
    }

    /// The same case, which does so many operations of floats an element.
    const fn flops(self, flops_per_element: f64) -> Case {
        Case { flops_per_element, ..self }
    }

    /// The same case, whose time is a ceiling of others.
    const fn ceiling(self, ceiling: Ceiling) -> Case {
        Case { ceiling: Some(ceiling), ..self }
    }

    const fn rate(element: &'static str, prepare: Prepare<(Step, usize)>) -> Case {
        Case::timed("multiply and add, operations", element, 0, Timed::Counted(prepare))
            .ceiling(Ceiling::Rate)
    }

    const fn restored(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare<Restored>,
    ) -> Case {
        Case::timed(name, element, bytes_per_element, Timed::Restored(prepare))
    }

    const fn against(name: &'static str, other: &'static str, held: bool, prepare: Prepare<Pair>) -> Case {
        let timed = Timed::Against { other, held, prepare };
        Case { by_host: true, at_most: CALLS_N, ..Case::timed(name, "f32", 0, timed) }
    }

    const fn transfer(name: &'static str, prepare: Prepare<Step>) -> Case {
        Case { by_host: true, ..Case::new(name, "f32", 4, prepare) }
    }
}

/// Elements of the vectors in the cases that time calls only.
const CALLS_N: usize = 1024;

/// Elements of the vector that the host sorts, which takes a second.
const HOST_SORT_N: usize = 1 << 24;

/// Every case, the ceilings first.
pub(crate) const ALL: &[Case] = &[
    Case::new("copy (clEnqueueCopyBuffer)", "f32", 8, copy::by_driver).ceiling(Ceiling::Bandwidth),
    Case::new("copy (kernel)", "f32", 8, copy::by_kernel).ceiling(Ceiling::Bandwidth),
    Case::reads("read (kernel)", "u32", 4, ceilings::read).ceiling(Ceiling::Bandwidth),
    Case::writes("write (kernel)", "u32", 4, ceilings::write).ceiling(Ceiling::Bandwidth),
    Case::rate("f32", ceilings::f32_rate),
    Case::rate("f64", ceilings::f64_rate),
    Case { by_host: true, at_most: 1, ..Case::new("launch and wait", "u32", 0, ceilings::latency) }
        .ceiling(Ceiling::Latency),
    Case::new("saxpy z = a x + y", "f32", 12, elementwise::saxpy),
    Case::new("saxpy y = a x + y, in place", "f32", 12, elementwise::saxpy_in_place),
    Case::new("daxpy z = a x + y", "f64", 24, elementwise::daxpy),
    Case::new("z = a b + c", "f32", 16, elementwise::multiply_add),
    Case::new("a += b + c d", "f32", 20, elementwise::add_in_place),
    Case::new("three outputs: x + y, x - y, x y", "f32", 20, elementwise::three_outputs),
    Case::new("second difference, shifted", "f32", 8, elementwise::laplacian),
    Case::new("reverse", "f32", 8, elementwise::reverse),
    Case::new("gather, random permutation", "f32", 12, elementwise::gather),
    Case::reads("sum", "f32", 4, sum::f32),
    Case::reads("sum", "u32", 4, sum::u32),
    Case::reads("sum", "f64", 8, sum::f64),
    Case::reads("dot product", "f32", 8, sum::dot),
    Case::new("inclusive scan", "u32", 8, scan::u32),
    Case::new("inclusive scan", "f32", 8, scan::f32),
    Case::new("inclusive scan", "u64", 16, scan::u64),
    Case::new("copy_if, half kept", "u32", 6, select::copy_half),
    Case::new("partition_copy, half", "u32", 8, select::partition_half),
    Case::new("unique, runs of 4", "u32", 5, select::runs_of_4),
    Case::new("unique, runs of 1000", "u32", 4, select::runs_of_1000),
    Case::new("scan by key, runs of 4", "u32", 12, by_key::scan_runs_of_4),
    Case::new("reduce_by_key, runs of 4", "u32", 10, by_key::reduce_runs_of_4),
    Case::new("reduce_by_key, runs of 1000", "u32", 8, by_key::reduce_runs_of_1000),
    Case::reads("reduce in order, by +", "u32", 4, sum::in_order),
    Case::reads("maximum", "f32", 4, sum::max),
    Case::reads("max_element", "f32", 4, sum::max_element),
    Case::reads("count_if", "f32", 4, sum::count_if),
    Case::reads("find what is not there", "f32", 4, sum::find_nothing),
    Case::reads("variance", "f32", 4, sum::variance),
    Case::new("merge of two halves", "u32", 8, sorted::merge),
    Case::restored("merge sort of random numbers", "u32", 8, sorted::merge_sort),
    Case::new("lower bounds, random needles", "u32", 12, sorted::search),
    Case::reads("histogram, 256 bins", "u8", 1, sorted::histogram),
    Case::reads("histogram, 256 bins, all in one", "u8", 1, sorted::histogram_of_one),
    Case::writes("random bits, Philox 4x32", "u32", 4, random::bits::<u32>),
    Case::writes("uniform, Philox 4x32", "f32", 4, random::uniform::<f32>),
    Case::writes("uniform, Philox 4x32", "f64", 8, random::uniform::<f64>),
    Case::writes("uniform, Threefry 4x32", "f32", 4, random::threefry),
    Case::writes("normal, Philox 4x32", "f32", 4, random::normal::<f32>),
    Case::writes("normal, Philox 4x32", "f64", 8, random::normal::<f64>),
    Case::writes("exponential, Philox 4x32", "f32", 4, random::exponential),
    Case::writes("gamma of shape 2, Philox 4x32", "f32", 4, random::gamma),
    Case::writes("Poisson of mean 4, Philox 4x32", "u32", 4, random::poisson),
    Case::writes("permutation without memory", "u64", 8, random::permutation),
    Case::new("pi by points that are stored", "f32", 16, random::stored_pi),
    Case::new("pi by points that are not stored", "f32", 0, random::pi),
    Case::new("FFT of 256 points", "c32", 16, fft::complex::<f32, 256>),
    Case::new("FFT of 1024 points", "c32", 16, fft::complex::<f32, 1024>),
    Case::new("FFT of 4096 points", "c32", 16, fft::complex::<f32, 4096>),
    Case::new("FFT of 8192 points", "c32", 16, fft::complex::<f32, 8192>),
    Case::new("FFT of 1000 points", "c32", 16, fft::complex::<f32, 1000>),
    Case::new("FFT of 1009 points", "c32", 16, fft::complex::<f32, 1009>),
    Case::new("FFT of 2187 points", "c32", 16, fft::complex::<f32, 2187>),
    Case::new("FFT of 2^16 points", "c32", 16, fft::complex::<f32, 65_536>),
    Case::new("FFT of 2^20 points", "c32", 16, fft::complex::<f32, 1_048_576>),
    Case::new("FFT of 256 points", "c64", 32, fft::complex::<f64, 256>),
    Case::new("FFT of 1000 points", "c64", 32, fft::complex::<f64, 1000>),
    Case::new("FFT of 1024 points", "c64", 32, fft::complex::<f64, 1024>),
    Case::new("FFT of 4096 points", "c64", 32, fft::complex::<f64, 4096>),
    Case::new("FFT of 2^20 points", "c64", 32, fft::complex::<f64, 1_048_576>),
    Case::new("real FFT of 1024 points", "f32", 8, fft::real::<1024>),
    Case::new("real FFT of 2^20 points", "f32", 8, fft::real::<1_048_576>),
    Case {
        at_most: 4_000_000,
        ..Case::new("sparse product, 5-point stencil", "f32", 52, sparse::of_poisson::<f32>)
    },
    Case {
        at_most: 4_000_000,
        ..Case::new("sparse product, 5-point stencil", "f64", 80, sparse::of_poisson::<f64>)
    },
    Case {
        at_most: 4_000_000,
        ..Case::new(
            "sparse product, 5-point stencil, optimized",
            "f32",
            52,
            sparse::of_poisson_optimized::<f32>,
        )
    },
    Case {
        at_most: 4_000_000,
        ..Case::new(
            "sparse product, 5-point stencil, optimized",
            "f64",
            80,
            sparse::of_poisson_optimized::<f64>,
        )
    },
    Case {
        at_most: 2_000_000,
        ..Case::new("sparse product, 32 anywhere in a row", "f32", 268, sparse::of_random::<f32>)
    },
    Case {
        at_most: 2_000_000,
        ..Case::new("sparse product, 32 anywhere in a row", "f64", 404, sparse::of_random::<f64>)
    },
    Case {
        at_most: 2_000_000,
        ..Case::new(
            "sparse product, 32 anywhere in a row, optimized",
            "f32",
            268,
            sparse::of_random_optimized::<f32>,
        )
    },
    Case {
        at_most: 2_000_000,
        ..Case::new(
            "sparse product, 32 anywhere in a row, optimized",
            "f64",
            404,
            sparse::of_random_optimized::<f64>,
        )
    },
    Case {
        at_most: 1_000_000,
        ..Case::new("sparse product, power law", "f32", 0, sparse::of_power_law::<f32>)
    },
    Case {
        at_most: 1_000_000,
        ..Case::new("sparse product, power law", "f64", 0, sparse::of_power_law::<f64>)
    },
    Case {
        at_most: 1_000_000,
        ..Case::new("sparse product, power law, optimized", "f32", 0, sparse::of_power_law_optimized::<f32>)
    },
    Case {
        at_most: 1_000_000,
        ..Case::new("sparse product, power law, optimized", "f64", 0, sparse::of_power_law_optimized::<f64>)
    },
    Case {
        at_most: 2_097_152,
        ..Case::new("50 iterations of CG, 7-point stencil", "f64", 0, sparse::of_a_cube)
    },
    Case {
        at_most: 65_025,
        ..Case::new("100 iterations of CG, 5-point stencil", "f64", 0, sparse::of_a_square)
    },
    Case {
        at_most: 100_000_000,
        ..Case::new("rows of triplets in any order", "f32", 0, sparse::of_triplets)
    },
    Case {
        at_most: 100_000_000,
        ..Case::restored("the sort that rows of triplets take", "f32", 0, sparse::sort_of_triplets)
    },
    Case::restored("sort", "u32", 8, sort::u32),
    Case::restored("sort", "f32", 8, sort::f32),
    Case::restored("sort", "u64", 16, sort::u64),
    Case::restored("sort_by_key, one vector of u32", "u32", 16, sort::by_key),
    Case {
        at_most: HOST_SORT_N,
        by_host: true,
        ..Case::restored("slice::sort_unstable", "u32", 8, sort::on_host)
    },
    Case { at_most: lorenz::SYSTEMS, ..Case::new("Lorenz RK4 step, naive", "f64", 48, lorenz::naive) }
        .flops(lorenz::FLOPS),
    Case { at_most: lorenz::SYSTEMS, ..Case::new("Lorenz RK4 step, recorded", "f64", 48, lorenz::recorded) }
        .flops(lorenz::FLOPS),
    Case::transfer("host to device: slice", transfer::slice_to_device),
    Case::transfer("host to device: pinned vector", transfer::pinned_to_device),
    Case::transfer("host to device: bare clEnqueueWriteBuffer", transfer::bare_to_device),
    Case::transfer("device to host: slice", transfer::slice_from_device),
    Case::transfer("device to host: pinned vector", transfer::pinned_from_device),
    Case::transfer("device to host: bare clEnqueueReadBuffer", transfer::bare_from_device),
    Case::against("call: launch", "bare C calls", true, calls::launch),
    Case::against("call: launch to a busy device", "bare C calls", false, calls::launch),
    Case::against("call: launch, driver does nothing", "bare C calls", false, calls::launch_alone),
    Case::against(
        "call: launch of three arguments, driver does nothing",
        "bare C calls",
        false,
        calls::small_launch_alone,
    ),
    Case::against("call: five-node expression", "bare enqueue", true, calls::expression_case),
    Case::against(
        "call: five-node expression, driver does nothing",
        "nothing",
        false,
        calls::expression_alone,
    ),
    Case::against(
        "call: five-node expression to a busy device",
        "bare enqueue",
        false,
        calls::expression_case,
    ),
];

/// A step that evaluates into `target`, after it has once given the expected values.
fn into_vector<T: Element + PartialEq + std::fmt::Debug>(
    mut target: DeviceVec<T>,
    expected: impl ExactSizeIterator<Item = T>,
    mut evaluate: impl FnMut(&mut DeviceVec<T>) -> Result<()> + 'static,
) -> std::result::Result<Step, Failure> {
    evaluate(&mut target)?;
    verify(&target.to_vec()?, expected)?;
    Ok(Box::new(move || evaluate(&mut target)))
}

/// A step that leaves one value on the device, after `check` has once accepted it.
fn to_scalar<T: Element>(
    mut evaluate: impl FnMut() -> Result<DeviceScalar<T>> + 'static,
    check: impl FnOnce(T) -> std::result::Result<(), Failure>,
) -> std::result::Result<Step, Failure> {
    check(evaluate()?.get()?)?;
    Ok(Box::new(move || evaluate().map(drop)))
}

/// A step that computes one value, after `check` has once accepted it.
fn to_value<T>(
    mut evaluate: impl FnMut() -> Result<T> + 'static,
    check: impl FnOnce(T) -> std::result::Result<(), Failure>,
) -> std::result::Result<Step, Failure> {
    check(evaluate()?)?;
    Ok(Box::new(move || evaluate().map(drop)))
}

/// Fails with the first place where the device's values differ from the host's.
fn verify<T: PartialEq + std::fmt::Debug>(
    device: &[T],
    host: impl ExactSizeIterator<Item = T>,
) -> std::result::Result<(), Failure> {
    if device.len() != host.len() {
        return Err(format!("wrong result: {} elements, expected {}", device.len(), host.len()).into());
    }
    for (i, (got, expected)) in device.iter().zip(host).enumerate() {
        if *got != expected {
            return Err(format!("wrong result: element {i} is {got:?}, expected {expected:?}").into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_or_missing_element_is_found() {
        let fails = |device: &[u32]| verify(device, [1, 2, 3].into_iter()).map_err(|e| e.to_string());
        assert_eq!(fails(&[1, 2, 3]), Ok(()));
        assert_eq!(fails(&[1, 5, 3]), Err("wrong result: element 1 is 5, expected 2".to_owned()));
        assert_eq!(fails(&[1, 2]), Err("wrong result: 2 elements, expected 3".to_owned()));
    }

    #[test]
    fn ceilings_come_first() {
        assert!(ALL[0].ceiling.is_some() && ALL.is_sorted_by_key(|case| case.ceiling.is_none()));
    }
}
