//! Programs of other libraries, compiled on this machine if their compiler, headers and libraries are present.

use super::setting::Setting;
use crate::failure::Failure;
use crate::matrices;
use crate::options::Size;
use crate::process;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Another library's program for our cases.
pub(crate) struct Program {
    /// The library's name in reports.
    pub(crate) library: &'static str,
    /// The name of the source file. Its stem is the name of the program.
    pub(super) file: &'static str,
    pub(super) source: &'static str,
    pub(super) compiler: Compiler,
    /// The options after the source: the libraries to link, and definitions.
    pub(super) libraries: &'static [&'static str],
    /// The package of Debian and Ubuntu with the library's headers and binaries, or another place to get
    /// them.
    pub(super) package: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Compiler {
    /// NVIDIA's compiler, for its own devices.
    Nvcc,
    /// The system's compiler of C++, for every OpenCL device.
    Cxx,
    /// The system's compiler of C++, for libraries that run on the host's processor.
    CxxOfHost,
    /// cargo, for a project of its own that runs on the host's processor.
    CargoOfHost,
}

/// The files of polars' project beside its source.
const PROJECT: [(&str, &str); 2] = [
    ("Cargo.toml", include_str!("../../peers/polars/Cargo.toml")),
    ("Cargo.lock", include_str!("../../peers/polars/Cargo.lock")),
];

/// The headers of the programs.
const HEADERS: [(&str, &str); 9] = [
    ("cub.h", include_str!("../../peers/cub.h")),
    ("dense.h", include_str!("../../peers/dense.h")),
    ("device_data.h", include_str!("../../peers/device_data.h")),
    ("harness.h", include_str!("../../peers/harness.h")),
    ("host.h", include_str!("../../peers/host.h")),
    ("linalg.h", include_str!("../../peers/linalg.h")),
    ("matrices.h", include_str!("../../peers/matrices.h")),
    ("opencl.h", include_str!("../../peers/opencl.h")),
    ("transforms.h", include_str!("../../peers/transforms.h")),
];

/// The system's OpenCL library, which can be linked without its development file.
const OPENCL: &str = "-l:libOpenCL.so.1";

const CUDA: &str = "the CUDA toolkit";

/// All programs. Each takes the arguments that `harness.h` describes and prints one [`Time`] per line. Programs
/// for every device take the device's name as one more argument.
pub(crate) const ALL: &[Program] = &[
    Program {
        library: "CUB",
        file: "cub.cu",
        source: include_str!("../../peers/cub.cu"),
        compiler: Compiler::Nvcc,
        libraries: &[],
        package: CUDA,
    },
    Program {
        library: "CUB",
        file: "cub_orders.cu",
        source: include_str!("../../peers/cub_orders.cu"),
        compiler: Compiler::Nvcc,
        libraries: &[],
        package: CUDA,
    },
    Program {
        library: "CUB",
        file: "cub_sorts.cu",
        source: include_str!("../../peers/cub_sorts.cu"),
        compiler: Compiler::Nvcc,
        libraries: &[],
        package: CUDA,
    },
    // The same programs with lengths of 32 bits.
    Program {
        library: "CUB-32",
        file: "cub_32.cu",
        source: include_str!("../../peers/cub.cu"),
        compiler: Compiler::Nvcc,
        libraries: &["-DLENGTHS_OF_32_BITS"],
        package: CUDA,
    },
    Program {
        library: "CUB-32",
        file: "cub_sorts_32.cu",
        source: include_str!("../../peers/cub_sorts.cu"),
        compiler: Compiler::Nvcc,
        libraries: &["-DLENGTHS_OF_32_BITS"],
        package: CUDA,
    },
    Program {
        library: "cuRAND",
        file: "curand.cu",
        source: include_str!("../../peers/curand.cu"),
        compiler: Compiler::Nvcc,
        libraries: &["-lcurand"],
        package: CUDA,
    },
    Program {
        library: "cuSPARSE",
        file: "cusparse.cu",
        source: include_str!("../../peers/cusparse.cu"),
        compiler: Compiler::Nvcc,
        libraries: &["-lcusparse"],
        package: CUDA,
    },
    Program {
        library: "cuFFT",
        file: "cufft.cu",
        source: include_str!("../../peers/cufft.cu"),
        compiler: Compiler::Nvcc,
        libraries: &["-lcufft"],
        package: CUDA,
    },
    Program {
        library: "cuBLAS",
        file: "cublas.cu",
        source: include_str!("../../peers/cublas.cu"),
        compiler: Compiler::Nvcc,
        libraries: &["-lcublas"],
        package: CUDA,
    },
    Program {
        library: "cuSOLVER",
        file: "cusolver.cu",
        source: include_str!("../../peers/cusolver.cu"),
        compiler: Compiler::Nvcc,
        libraries: &["-lcusolver", "-lcublas"],
        package: CUDA,
    },
    Program {
        library: "Boost.Compute",
        file: "boost_compute.cpp",
        source: include_str!("../../peers/boost_compute.cpp"),
        compiler: Compiler::Cxx,
        libraries: &[OPENCL],
        package: "libboost-dev",
    },
    Program {
        library: "ViennaCL",
        file: "viennacl.cpp",
        source: include_str!("../../peers/viennacl.cpp"),
        compiler: Compiler::Cxx,
        libraries: &[OPENCL],
        package: "libviennacl-dev",
    },
    Program {
        library: "CLBlast",
        file: "clblast.cpp",
        source: include_str!("../../peers/clblast.cpp"),
        compiler: Compiler::Cxx,
        libraries: &["-lclblast", OPENCL],
        package: "libclblast-dev",
    },
    Program {
        library: "clFFT",
        file: "clfft.cpp",
        source: include_str!("../../peers/clfft.cpp"),
        compiler: Compiler::Cxx,
        libraries: &["-lclFFT", OPENCL],
        package: "libclfft-dev",
    },
    Program {
        library: "VkFFT",
        file: "vkfft.cpp",
        source: include_str!("../../peers/vkfft.cpp"),
        compiler: Compiler::Cxx,
        libraries: &[OPENCL],
        package: "vkFFT.h, whose folder CPLUS_INCLUDE_PATH names",
    },
    Program {
        library: "Eigen",
        file: "eigen.cpp",
        source: include_str!("../../peers/eigen.cpp"),
        compiler: Compiler::CxxOfHost,
        libraries: &[],
        package: "libeigen3-dev",
    },
    Program {
        library: "OpenBLAS",
        file: "openblas.cpp",
        source: include_str!("../../peers/openblas.cpp"),
        compiler: Compiler::CxxOfHost,
        libraries: &["-lopenblas"],
        package: "libopenblas-dev",
    },
    Program {
        library: "polars",
        file: "polars/src/main.rs",
        source: include_str!("../../peers/polars/src/main.rs"),
        compiler: Compiler::CargoOfHost,
        libraries: &[],
        package: "the crates in Cargo.lock",
    },
];

/// One line of a program's output.
#[derive(Debug, Deserialize)]
pub(crate) struct Time {
    pub(crate) case: String,
    pub(crate) element: String,
    pub(crate) n: usize,
    pub(crate) calls_seconds: Option<f64>,
    pub(crate) device_seconds: f64,
    pub(crate) host_seconds: f64,
}

/// Writes the headers of all programs into a folder.
pub(super) fn write_headers(folder: &Path) -> Result<(), Failure> {
    HEADERS.iter().try_for_each(|(file, text)| Ok(std::fs::write(folder.join(file), text)?))
}

impl Program {
    /// Returns whether the program is for a device. `device` is the device's name followed by its platform's.
    pub(crate) fn is_for(&self, device: &str, is_gpu: bool) -> bool {
        match self.compiler {
            Compiler::Nvcc => device.contains("NVIDIA"),
            Compiler::Cxx => true,
            Compiler::CxxOfHost | Compiler::CargoOfHost => !is_gpu,
        }
    }

    /// Returns whether the program runs on the host's processor.
    pub(super) fn is_of_host(&self) -> bool {
        matches!(self.compiler, Compiler::CxxOfHost | Compiler::CargoOfHost)
    }

    /// Reads the cases from the source. A case is a line that begins with the case's name and element type.
    pub(crate) fn cases(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = self.source.lines().filter_map(|line| line.trim().strip_prefix("{ \""));
        lines.filter_map(|line| {
            let mut parts = line.split('"');
            Some((parts.next()?, parts.nth(1)?))
        })
    }

    /// Returns the path of the program in this folder, which has the headers. Compiles the program if it is missing
    /// or was built from other texts.
    ///
    /// # Errors
    /// If it cannot be compiled; the error has the compiler's first message, and the package that may be
    /// missing.
    pub(crate) fn built(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let source = folder.join(self.file);
        let program = self.program(folder);
        // The stamp file keeps the texts that this program was built from. The header files in the folder are
        // not enough, because building another program may have updated them since.
        let stamp = folder.join(format!("{}.built", self.file));
        let texts = self.texts();
        let all: String = texts.iter().map(|(_, text)| *text).collect();
        if program.exists() {
            if std::fs::read_to_string(&stamp).is_ok_and(|old| old == all) {
                return Ok(program);
            }
            std::fs::remove_file(&program)?;
        }
        for (file, text) in self.sources() {
            let path = folder.join(file);
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(path, text)?;
        }
        let takes = if self.compiler == Compiler::CargoOfHost { "ten minutes" } else { "a minute" };
        println!("  building {}, which takes {takes}", self.file);
        let (compiler, mut command) = self.build(&source, &program);
        let missing = |reason: &str| {
            format!("left out, because it needs {} and {}: {reason}", compiler.display(), self.package)
        };
        let output =
            command.output().map_err(|error| missing(&format!("{}: {error}", compiler.display())))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            // A linker's message does not contain "error".
            let says = |word: &str| message.lines().find(|line| line.contains(word));
            let first = says("cannot find").or_else(|| says("error"));
            return Err(missing(first.unwrap_or("the compiler failed").trim()).into());
        }
        std::fs::write(stamp, all)?;
        Ok(program)
    }

    /// Returns the path of the program in this folder.
    fn program(&self, folder: &Path) -> PathBuf {
        match self.compiler {
            Compiler::CargoOfHost => folder.join("polars/target/release/cl-bench-polars"),
            _ => folder.join(self.file).with_extension(""),
        }
    }

    /// Returns the files to build from and their texts.
    fn texts(&self) -> Vec<(String, &'static str)> {
        let headers: &[(&str, &str)] = if self.compiler == Compiler::CargoOfHost { &[] } else { &HEADERS };
        let named = |&(file, text): &(&str, &'static str)| (file.to_owned(), text);
        headers.iter().map(named).chain(self.sources()).collect()
    }

    /// Returns the files that no other program is built from.
    fn sources(&self) -> Vec<(String, &'static str)> {
        let project: &[(&str, &str)] = if self.compiler == Compiler::CargoOfHost { &PROJECT } else { &[] };
        let named = |&(file, text): &(&str, &'static str)| (format!("polars/{file}"), text);
        project.iter().map(named).chain([(self.file.to_owned(), self.source)]).collect()
    }

    /// Returns the compiler, and the command that builds the program.
    fn build(&self, source: &Path, program: &Path) -> (PathBuf, Command) {
        let (compiler, options) = match self.compiler {
            Compiler::Nvcc => (
                nvcc(),
                &["-std=c++17", "-O3", "-arch=native", "--extended-lambda", "-Xcompiler", "-pthread"][..],
            ),
            Compiler::Cxx => (cxx(), &["-std=c++14", "-O2", "-pthread", "-w"][..]),
            Compiler::CxxOfHost => {
                (cxx(), &["-std=c++14", "-O3", "-march=native", "-DNDEBUG", "-pthread", "-w"][..])
            }
            Compiler::CargoOfHost => (PathBuf::from("cargo"), &["build", "--release", "--locked"][..]),
        };
        let mut command = Command::new(&compiler);
        command.args(options);
        if self.compiler == Compiler::CargoOfHost {
            let project = source.parent().and_then(Path::parent).unwrap_or(source);
            // The variables of the cargo that runs this program are for its own workspace.
            command.current_dir(project).env("RUSTFLAGS", "-C target-cpu=native");
            command.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET_DIR");
        } else {
            command.arg("-o").arg(program).arg(source).args(self.libraries);
        }
        (compiler, command)
    }

    /// Returns the name of the source file without its ending.
    pub(crate) fn title(&self) -> &'static str {
        self.file.split(['/', '.']).next().unwrap_or(self.file)
    }

    /// Returns the command that verifies cases and measures nothing. `None` for programs of cargo, which always measure.
    pub(super) fn verify_command(
        &self,
        program: &Path,
        size: Size,
        filter: &str,
        setting: Setting<'_>,
    ) -> Option<Command> {
        (self.compiler != Compiler::CargoOfHost)
            .then(|| self.command(program, size, filter, 0, true, setting))
    }

    /// Returns the command for one size.
    pub(super) fn command(
        &self,
        program: &Path,
        size: Size,
        filter: &str,
        samples: usize,
        verifies: bool,
        setting: Setting<'_>,
    ) -> Command {
        let mut command = Command::new(program);
        if setting.is_gpu {
            process::keep_memory(&mut command);
        }
        command.env(matrices::FOLDER, setting.matrices);
        command.env("VERIFY", if verifies { "1" } else { "0" });
        // One thread for each core, as for the other libraries of the host.
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        command.env("POLARS_MAX_THREADS", threads.to_string());
        command.args([&size.to_string(), filter, &samples.to_string()]);
        if self.compiler == Compiler::Cxx {
            command.arg(setting.device);
        }
        command
    }
}

/// Returns NVIDIA's compiler, from the folder of CUDA's installer or from the path.
fn nvcc() -> PathBuf {
    let usual = PathBuf::from("/usr/local/cuda/bin/nvcc");
    if usual.exists() { usual } else { "nvcc".into() }
}

fn cxx() -> PathBuf {
    std::env::var_os("CXX").filter(|name| !name.is_empty()).map_or_else(|| "c++".into(), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each program's case and element type must be those of one of our cases, because times are matched by
    /// them.
    #[test]
    fn peers_have_our_names() {
        let ours: Vec<_> = crate::cases::ALL.iter().map(|case| (case.name, case.element)).collect();
        for program in ALL {
            let cases: Vec<_> = program.cases().collect();
            let unknown = cases.iter().find(|case| !ours.contains(case));
            assert!(cases.len() > 2 && unknown.is_none(), "{}: {unknown:?}", program.file);
        }
    }

    #[test]
    fn what_cannot_be_compiled_says_why() {
        let broken = Program {
            library: "",
            file: "broken.cpp",
            source: "#include <no/such/header.hpp>\n",
            compiler: Compiler::Cxx,
            libraries: &[],
            package: "a package",
        };
        let folder = tempfile::tempdir().unwrap();
        let error = broken.built(folder.path()).unwrap_err().to_string();
        // Without a compiler, the error is that of the system.
        assert!(error.contains("no/such/header.hpp") || error.contains("os error"), "{error}");
        assert!(error.contains("a package"), "{error}");
        // A program that was built from the same texts is used again.
        let kept = folder.path().join("broken.cpp.built");
        std::fs::write(folder.path().join("broken"), "").unwrap();
        let headers: String = HEADERS.iter().map(|(_, text)| *text).collect();
        std::fs::write(&kept, headers + broken.source).unwrap();
        assert!(broken.built(folder.path()).is_ok());
        std::fs::write(&kept, "older").unwrap();
        assert!(broken.built(folder.path()).is_err());
        assert!(broken.built(folder.path()).is_err(), "an older program must be built again");
    }

    /// Nobody else may build polars: neither the workspace nor its lock file knows it.
    #[test]
    fn the_workspace_does_not_know_polars() {
        assert!(PROJECT[0].1.contains("[workspace]") && PROJECT[1].1.contains("name = \"polars\""));
        assert!(!include_str!("../../../Cargo.lock").contains("polars"));
        let polars = ALL.iter().find(|program| program.library == "polars").unwrap();
        let folder = Path::new("/folder");
        let (compiler, command) = polars.build(&folder.join(polars.file), &polars.program(folder));
        assert_eq!(compiler, Path::new("cargo"));
        assert_eq!(command.get_current_dir(), Some(&*folder.join("polars")));
        let files: Vec<String> = polars.texts().into_iter().map(|(file, _)| file).collect();
        assert_eq!(files, ["polars/Cargo.toml", "polars/Cargo.lock", "polars/src/main.rs"]);
    }

    #[test]
    fn programs_are_for_their_devices() {
        let is_for = |library: &str, device, is_gpu| {
            ALL.iter().find(|program| program.library == library).unwrap().is_for(device, is_gpu)
        };
        assert!(is_for("CLBlast", "any", true) && is_for("CLBlast", "any", false));
        assert!(is_for("CUB", "NVIDIA H200 (NVIDIA CUDA)", true) && !is_for("CUB", "any", true));
        for library in ["Eigen", "polars"] {
            assert!(is_for(library, "any", false) && !is_for(library, "NVIDIA H200 (NVIDIA CUDA)", true));
        }
    }
}
