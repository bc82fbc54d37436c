//! The command line.

use std::path::PathBuf;

use cl_core::Device;
use clap::Parser;

use crate::failure::Failure;

/// The name that stands for every library.
pub(crate) const EVERY: &str = "all";

/// Measures this machine's OpenCL devices.
#[derive(Parser, Debug)]
#[command(name = "cl-bench")]
pub(crate) struct Options {
    /// Only devices whose name contains this text, in any case.
    #[arg(long)]
    pub(crate) device: Option<String>,
    /// Only cases whose name and element type, such as `sum f32`, contain this text; given again, those with another
    /// text, too. With --tune, only what is tuned for elements of so many bytes, such as `scan 4`.
    #[arg(long)]
    pub(crate) filter: Vec<String>,
    /// Every case, and longer measurements. Without it the cases that take longest are left out unless a filter names
    /// them, and the run ends within six minutes on two cores.
    #[arg(long)]
    pub(crate) full: bool,
    /// Shorter measurements of two candidates each.
    #[arg(long, requires = "tune")]
    pub(crate) quick: bool,
    /// Numbers of elements of 4 bytes, as powers of two: 16,20,24; as many bytes of others (default: 28 on
    /// GPUs, 24 elsewhere).
    #[arg(long, alias = "log2", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(0..=40))]
    pub(crate) sizes: Vec<u32>,
    /// By the host's clock on GPUs, too: from the call until the queue is empty.
    #[arg(long)]
    pub(crate) host_clock: bool,
    /// Beside other libraries, all that are here or these: on NVIDIA's devices CUB, cuRAND, cuFFT, cuBLAS and cuSPARSE,
    /// built by nvcc; on all Boost.Compute, ViennaCL, CLBlast, clFFT and VkFFT, built by c++; on processors std, rayon, rustfft and sprs.
    #[arg(long, num_args = 0..=1, require_equals = true, value_delimiter = ',', value_name = "NAMES")]
    #[arg(default_missing_value = EVERY)]
    pub(crate) peers: Vec<String>,
    /// How many processes measure each case and each library, in turn: memory lies elsewhere in each of them. The
    /// report has the range of all (default: 3 with --peers, else 1).
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) processes: Option<u8>,
    /// Where the programs of other libraries are kept, to be built once.
    #[arg(long, requires = "peers", value_name = "FOLDER")]
    pub(crate) peers_in: Option<PathBuf>,
    /// Writes one JSON object a row to this file.
    #[arg(long)]
    pub(crate) json: Option<PathBuf>,
    /// Writes the report as one page for browsers and printers; with several --sizes it plots them.
    #[arg(long)]
    pub(crate) html: Option<PathBuf>,
    /// Marks what has changed since an older report, a file of --json, by more than both vary.
    #[arg(long, value_name = "OLD")]
    pub(crate) compare: Option<PathBuf>,
    /// Measures nothing: the rows are those of these files of --json, from several machines perhaps.
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    #[arg(conflicts_with_all = ["device", "filter", "full", "sizes", "host_clock", "peers", "processes", "tune"])]
    pub(crate) from: Vec<PathBuf>,
    /// Searches for the best shapes of kernels, and writes those that beat the present ones as a table for
    /// `CL_TUNING`.
    #[arg(long, conflicts_with_all = ["json", "html", "compare", "host_clock", "peers", "full", "processes"])]
    pub(crate) tune: bool,
    /// Where --tune writes its table (default: `tuning.tsv` in cargo's target folder).
    #[arg(long, requires = "tune")]
    pub(crate) record: Option<PathBuf>,
    /// The worker measures this case and no other.
    #[arg(long, hide = true)]
    pub(crate) only: Option<String>,
    /// Measures the device of this number and writes messages to stderr.
    #[arg(long, hide = true)]
    pub(crate) worker: Option<usize>,
}

impl Options {
    /// How many processes measure each case.
    pub(crate) fn processes(&self) -> u8 {
        self.processes.unwrap_or(if self.peers.is_empty() { 1 } else { 3 })
    }

    /// Whether the filter lets a name pass.
    pub(crate) fn is_wanted(&self, label: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|text| label.contains(text))
    }

    /// The devices that are wanted, with their numbers among all.
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
