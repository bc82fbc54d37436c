//! The command line.

use std::fmt::{Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;

use cl_core::Device;
use clap::Parser;

use crate::failure::Failure;

/// The name that selects every library.
pub(crate) const EVERY: &str = "all";

/// A number of elements of 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size(pub(crate) usize);

impl Size {
    /// The greatest exponent of a power of two.
    const MOST: u32 = 40;

    pub(crate) const fn power(log2: u32) -> Size {
        Size(1 << log2)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let number: usize = text.parse().map_err(|error| format!("{error}"))?;
        match number {
            _ if number <= Size::MOST as usize => Ok(Size::power(number as u32)),
            _ if number <= 1 << Size::MOST => Ok(Size(number)),
            _ => Err(format!("more than 2^{}", Size::MOST)),
        }
    }
}

/// Writes what `from_str` reads.
impl Display for Size {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.0.is_power_of_two() { write!(f, "{}", self.0.ilog2()) } else { write!(f, "{}", self.0) }
    }
}

/// One of several equal parts of the cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) number: usize,
    pub(crate) count: usize,
}

impl Share {
    /// The number of cases that stay together, because neighbours share a sparse matrix.
    const TOGETHER: usize = 4;

    /// Returns whether the share has the case at this index.
    pub(crate) fn has(self, case: usize) -> bool {
        case / Share::TOGETHER % self.count == self.number
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let (number, count) = text.split_once('/').ok_or("a share is a number, a slash and a count")?;
        let parse = |text: &str| text.parse::<usize>().map_err(|error| format!("{error}"));
        let (number, count) = (parse(number)?, parse(count)?);
        if number < count {
            Ok(Share { number, count })
        } else {
            Err("the number is not below the count".to_owned())
        }
    }
}

/// Writes what `from_str` reads.
impl Display for Share {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// Measures the OpenCL devices of this machine.
#[derive(Parser, Debug)]
#[command(name = "cl-bench")]
pub(crate) struct Options {
    /// Use only devices whose name contains this text, in any case.
    #[arg(long)]
    pub(crate) device: Option<String>,
    /// Run only cases whose name with the element type, such as `sum f32`, contains this text; may be
    /// repeated. With --tune, tune only shapes whose name with the element's bytes, such as `scan 4`,
    /// contains it.
    #[arg(long)]
    pub(crate) filter: Vec<String>,
    /// Run every case, with longer measurements. Without this option the cases that take longest are left
    /// out unless a filter names them, and the measurement ends within six minutes on two cores.
    #[arg(long)]
    pub(crate) full: bool,
    /// Shorten the search: two candidates each, with shorter measurements.
    #[arg(long, requires = "tune")]
    pub(crate) quick: bool,
    /// Numbers of elements of 4 bytes, such as 16,20,24: up to 40 they are powers of two, and above the numbers
    /// themselves, such as 268431360. Vectors of other elements have the same bytes (default: 28 on GPUs, 24
    /// elsewhere).
    #[arg(long, alias = "log2", value_delimiter = ',')]
    pub(crate) sizes: Vec<Size>,
    /// Use the host's clock on GPUs, too: from the call until the queue is empty.
    #[arg(long)]
    pub(crate) host_clock: bool,
    /// Compare with other libraries: with these, or with all that are present. For NVIDIA's devices these
    /// are CUB, CUB-32 (with lengths of 32 bits), cuRAND, cuFFT, cuBLAS, cuSPARSE and cuSOLVER, built by nvcc; for all devices Boost.Compute, ViennaCL,
    /// CLBlast, clFFT and VkFFT, built by c++; for CPUs Eigen and OpenBLAS, also built by c++, polars, built by
    /// cargo, and std, rayon, rustfft, sprs and matrixmultiply.
    #[arg(long, num_args = 0..=1, require_equals = true, value_delimiter = ',', value_name = "NAMES")]
    #[arg(default_missing_value = EVERY)]
    pub(crate) peers: Vec<String>,
    /// Measure each case and each library in this many processes, in turn, because each process has its
    /// memory at other addresses. The report has the range over all processes (default: 3 with --peers,
    /// else 1).
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) processes: Option<u8>,
    /// Run only cases that one of the selected libraries has, also those that are otherwise left out, and the
    /// ceilings.
    #[arg(long, requires = "peers")]
    pub(crate) compared: bool,
    /// Start no process that would end later than this many seconds after the start if it took as long as the one
    /// before. The first process is always run; each has all libraries. With --tune, try the shapes on which most cases
    /// depend first, each number of a shape by itself, as far as there is time.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) within: Option<u64>,
    /// Compare the results with the host's before anything is measured, in this many processes side by side, while the
    /// programs of other libraries are built (default: 4 on GPUs if there are several --processes, else 0: the first
    /// process compares each result before it measures the case).
    #[arg(long, value_name = "COUNT")]
    pub(crate) verify_jobs: Option<usize>,
    /// Keep the programs of other libraries in this folder, so that they are built only once.
    #[arg(long, requires = "peers", value_name = "FOLDER")]
    pub(crate) peers_in: Option<PathBuf>,
    /// Write the rows to this file, one JSON object per line.
    #[arg(long)]
    pub(crate) json: Option<PathBuf>,
    /// Write the report to this file as one page for browsers and printers; with several --sizes it has
    /// plots.
    #[arg(long)]
    pub(crate) html: Option<PathBuf>,
    /// Mark the rows that differ from an older report, a file of --json, by more than both vary.
    #[arg(long, value_name = "OLD")]
    pub(crate) compare: Option<PathBuf>,
    /// Measure the cases of an older report again, without those that time the host's work, at the report's sizes. Print
    /// only the rows that differ by more than 3 %, and the number of the others.
    #[arg(long, value_name = "OLD", conflicts_with_all = ["compare", "sizes", "peers", "tune", "main"])]
    pub(crate) again: Option<PathBuf>,
    /// Run the ten main cases, and print one table with a column for each of --sizes.
    #[arg(long, conflicts_with = "tune")]
    pub(crate) main: bool,
    /// Run only one of several parts of the cases, such as 0/2 and 1/2.
    #[arg(long, value_name = "NUMBER/COUNT", conflicts_with = "tune")]
    pub(crate) part: Option<Share>,
    /// Measure nothing, and report the rows of these files of --json, which may come from several machines. Rows of
    /// the same case, device and driver are joined as if their processes were those of one session.
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    #[arg(conflicts_with_all = ["device", "filter", "full", "sizes", "host_clock", "peers", "processes", "within", "tune", "again", "main", "part"])]
    pub(crate) from: Vec<PathBuf>,
    /// Search for the best shapes of kernels, and write those that beat the present ones as a table for
    /// `CL_TUNING`.
    #[arg(long, conflicts_with_all = ["json", "html", "compare", "host_clock", "peers", "full", "processes"])]
    pub(crate) tune: bool,
    /// The file of --tune's table (default: `tuning.tsv` in cargo's target folder).
    #[arg(long, requires = "tune")]
    pub(crate) record: Option<PathBuf>,
    /// Measure only this case, in a worker; may be repeated.
    #[arg(long, hide = true)]
    pub(crate) only: Vec<String>,
    /// Make the data of all cases from this seed, in a worker.
    #[arg(long, hide = true, requires = "answers")]
    pub(crate) seed: Option<u64>,
    /// Compare results with the digests in this file, and add those that it lacks, in a worker.
    #[arg(long, hide = true, requires = "seed")]
    pub(crate) answers: Option<PathBuf>,
    /// Verify the results of a share of the cases and measure nothing, in a worker.
    #[arg(long, hide = true, requires = "answers")]
    pub(crate) share: Option<Share>,
    /// Measure the device of this number, and write messages to stderr.
    #[arg(long, hide = true)]
    pub(crate) worker: Option<usize>,
}

impl Options {
    /// Returns the number of processes that measure each case.
    pub(crate) fn processes(&self) -> u8 {
        self.processes.unwrap_or(if self.peers.is_empty() { 1 } else { 3 })
    }

    /// Returns whether the filter accepts a name.
    pub(crate) fn is_wanted(&self, label: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|text| label.contains(text))
    }

    /// Returns the selected devices, with their numbers among all devices.
    pub(crate) fn devices(&self) -> Result<Vec<(usize, Device)>, Failure> {
        let devices = Device::all()?;
        let names: Vec<String> = devices.iter().map(ToString::to_string).collect();
        let wanted = self.device.as_ref().map(|text| text.to_lowercase()).unwrap_or_default();
        let matches = |(number, _): &(usize, Device)| names[*number].to_lowercase().contains(&wanted);
        let chosen: Vec<(usize, Device)> = devices.into_iter().enumerate().filter(matches).collect();
        if chosen.is_empty() {
            return Err(format!("no device matches; there are: {}", names.join(", ")).into());
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_or_numbers() {
        for (text, count) in
            [("0", 1), ("28", 1 << 28), ("40", 1 << 40), ("41", 41), ("268431360", (1 << 28) - 4096)]
        {
            assert_eq!(text.parse(), Ok(Size(count)));
            assert_eq!(Size(count).to_string(), text);
        }
        assert!("1099511627777".parse::<Size>().is_err() && "-1".parse::<Size>().is_err());
    }
    #[test]
    fn each_case_is_in_one_share() {
        for case in 0..40 {
            let shares = (0..3).filter(|number| Share { number: *number, count: 3 }.has(case)).count();
            assert_eq!(shares, 1, "{case}");
        }
        let share = Share { number: 2, count: 3 };
        assert_eq!(share.to_string().parse(), Ok(share));
        assert!("3/3".parse::<Share>().is_err() && "1".parse::<Share>().is_err());
    }
}
