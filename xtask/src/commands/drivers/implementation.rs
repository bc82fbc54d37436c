//! The OpenCL implementations that the tests run on, as data.

use std::path::{Path, PathBuf};
use std::{env, fs};

use duct::Expression;

use crate::commands::probe;
use crate::error::Result;

/// One OpenCL implementation, or one way of running it.
#[derive(Debug)]
pub(super) struct Implementation {
    /// The name on the command line.
    pub(super) name: &'static str,
    /// The possible file names of the library.
    libraries: &'static [&'static str],
    /// The package that provides the library.
    package: &'static str,
    /// The environment variables that the implementation runs with.
    variables: &'static [(&'static str, &'static str)],
    /// `true` if the implementation reports each wrong memory access and lets the program go on.
    pub(super) reports: bool,
    /// The tests that are left out: a part of `program::name`, and the reason.
    pub(super) left_out: &'static [(&'static str, &'static str)],
    /// Expected reports, both correct ones and faults of the simulator: a part of `program::name`, a part
    /// of the report, and the reason.
    pub(super) excused: &'static [(&'static str, &'static str, &'static str)],
}

const POCL: &[&str] = &["libpocl.so.2", "libpocl.so"];
const POCL_PACKAGE: &str = "Debian's pocl-opencl-icd";
const COMPILES_ONLY: &str = "it compiles programs and does not run them on the device";
const SWEEP_OF_MAPS: &str = "the sweep never ends a map when a call before its end fails, and Oclgrind takes what gets \
                             the same address for mapped";

/// All implementations.
pub(super) const ALL: &[Implementation] = &[
    Implementation {
        name: "pocl",
        libraries: POCL,
        package: POCL_PACKAGE,
        variables: &[],
        reports: false,
        left_out: &[],
        excused: &[],
    },
    Implementation {
        name: "small",
        libraries: POCL,
        package: POCL_PACKAGE,
        // PoCL takes the machine's sizes from hwloc. A second-level cache becomes local memory, of at
        // least 32 KiB. PoCL leaves a quarter of the memory to the host.
        // `cl-algo/tests/suite/small_devices.rs` tests smaller devices.
        variables: &[
            (
                "HWLOC_SYNTHETIC",
                "NUMANode:1(memory=1073741824) L3Cache:1(size=65536) L2Cache:2(size=32768) core:1 pu:1",
            ),
            ("POCL_MAX_WORK_GROUP_SIZE", "64"),
        ],
        reports: false,
        left_out: &[],
        excused: &[],
    },
    Implementation {
        name: "intel",
        libraries: &["libintelocl.so"],
        package: "PyPI's intel-opencl-rt; name its folder by --search DIR/lib",
        variables: &[],
        reports: false,
        left_out: &[],
        excused: &[],
    },
    Implementation {
        name: "rusticl",
        libraries: &["libRusticlOpenCL.so.1"],
        package: "Debian's mesa-opencl-icd",
        variables: &[
            ("RUSTICL_ENABLE", "llvmpipe"),
            // Version 22.3 fails when threads map one buffer, as in
            // `map::threads_map_parts_of_one_buffer`.
            ("CL_HOSTILE_WITHOUT", "Threads"),
        ],
        reports: false,
        left_out: &[],
        excused: &[],
    },
    Implementation {
        name: "oclgrind",
        libraries: &["liboclgrind-rt-icd.so"],
        package: "Debian's oclgrind",
        variables: &[
            ("OCLGRIND_DATA_RACES", "1"),
            ("OCLGRIND_MAX_ERRORS", "20"),
            // Version 21.10 fails on, or computes wrongly, the code that clang's optimiser generates for
            // structs, booleans and comparisons of vectors. Besides, the optimiser removes some of the memory
            // accesses that Oclgrind should check. The version also does not know
            // `llvm.experimental.noalias.scope.decl`, which clang leaves where it inlines a function that
            // returns a struct. Defining `always_inline` as `unused` therefore disables this attribute.
            ("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable -Dalways_inline=unused"),
            // OCLGRIND_CHECK_API is not set, because tests provoke errors on purpose.
            // OCLGRIND_UNINITIALIZED is not set, because 21.10 takes filled or mapped memory for
            // uninitialised and crashes on vectors. Oclgrind adds up the local memory of all kernels
            // of a program (`local_memory_is_the_kernels_own`), so that transforms of several
            // kernels need more than its 32 KiB. The implementation `small` tests that 32 KiB are
            // enough.
            ("OCLGRIND_LOCAL_MEM_SIZE", "262144"),
            ("FFT_LENGTHS", "7x17,16x3,60x4,286x2,257x2,46x3"),
            ("CL_TEST_SIZES", "small"),
            ("CL_HOSTILE_PROGRAMS", "20"),
            // Oclgrind fails with two threads.
            ("CL_HOSTILE_WITHOUT", "Threads"),
        ],
        reports: true,
        left_out: &[
            ("unsound_programs_do_not_compile", COMPILES_ONLY),
            ("borrows_are_kept", COMPILES_ONLY),
            ("everything_else_is_turned_away", COMPILES_ONLY),
            ("every_run_gives_the_same_bits", "one thread gives the same bits in every run"),
            ("statistics::", "statistics are about numbers, not about memory"),
            ("accuracy::long", "long transforms run the kernels of shorter ones for hours"),
        ],
        excused: &[
            (
                "operators_that_do_not_commute_in_place",
                "Read-write data race",
                "a stalled tile reads in place what \
              others may overwrite, and throws away what it read if they did: Oclgrind knows no order by atomics",
            ),
            (
                "segments::reductions_and_scans",
                "Read-write data race",
                "the numbers of segments are scanned in place: as for operators that do not commute",
            ),
            (
                "one_of_several_values_is_kept",
                "Write-write data race",
                "the test stores several values at one index, of which any may be kept",
            ),
            ("faults::", "mapped", SWEEP_OF_MAPS),
        ],
    },
];

/// An implementation that is present on this machine.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) implementation: &'static Implementation,
    /// The names of the implementation's devices, to be printed.
    pub(super) devices: String,
    /// The folder of the implementation's caches and of the tests' output.
    pub(super) folder: PathBuf,
}

impl Implementation {
    /// Finds the library, and creates a folder in which this implementation is the only registered one.
    ///
    /// # Errors
    ///
    /// If the library is not found, or shows no device.
    pub(super) fn prepare(&'static self, search: &[PathBuf], folder: &Path) -> Result<Prepared> {
        let library = self.library(search).ok_or_else(|| {
            format!("{}: {} is not found; it comes from {}", self.name, self.libraries[0], self.package)
        })?;
        let fresh = |name: &str| -> Result {
            let folder = folder.join(name);
            // Programs that an earlier version of the driver compiled are removed.
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).map_err(|e| format!("cannot create {}: {e}", folder.display()).into())
        };
        fresh("")?;
        fresh("vendors")?;
        fresh("pocl-cache")?;
        let entry = folder.join("vendors").join(format!("{}.icd", self.name));
        fs::write(&entry, format!("{}\n", library.display()))
            .map_err(|e| format!("cannot write {}: {e}", entry.display()))?;
        let mut prepared =
            Prepared { implementation: self, devices: String::new(), folder: folder.to_owned() };
        let devices = prepared.device_names()?;
        if devices.is_empty() {
            return Err(format!("{}: {} shows no device", self.name, library.display()).into());
        }
        prepared.devices = devices.join(", ");
        Ok(prepared)
    }

    fn library(&self, search: &[PathBuf]) -> Option<PathBuf> {
        let folders = search.iter().map(PathBuf::as_path).chain(FOLDERS.iter().map(Path::new));
        let files = folders.flat_map(|folder| self.libraries.iter().map(move |name| folder.join(name)));
        files.into_iter().find(|file| file.is_file())
    }
}

/// The folders of drivers in Debian and related systems.
const FOLDERS: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib/oclgrind",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
    "/opt/intel/oneapi/compiler/latest/lib",
];

impl Prepared {
    /// Adds the variables that choose and set up this implementation. Of the latter, those that are set already are the
    /// user's choice.
    pub(super) fn choose(&self, command: &Expression) -> Expression {
        let command = command
            .env("OCL_ICD_VENDORS", self.folder.join("vendors"))
            .env("POCL_CACHE_DIR", self.folder.join("pocl-cache"))
            .env("CL_CACHE", "off");
        let variables = self.implementation.variables.iter().filter(|(name, _)| env::var_os(name).is_none());
        variables.fold(command, |command, (name, value)| command.env(name, value))
    }

    /// Returns the names of the implementation's devices, which a child process lists.
    fn device_names(&self) -> Result<Vec<String>> {
        let this = env::current_exe().map_err(|e| format!("cannot find this program's own file: {e}"))?;
        let probe = duct::cmd!(this, probe::NAME).stdin_null().stderr_null().unchecked();
        let said = self.choose(&probe).read().map_err(|e| format!("cannot list devices: {e}"))?;
        Ok(probe::parse(&said).iter().map(ToString::to_string).collect())
    }
}
