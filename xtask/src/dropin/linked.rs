//! The OpenCL library that the linker may find, and the libraries that the executables need.

use std::path::{Path, PathBuf};
use std::{env, fs};

use goblin::elf::{Elf, Sym};

use crate::dropin::build::{Program, Variant};
use crate::error::Result;

/// The file name that `-lOpenCL` stands for.
const DEVELOPMENT_LINK: &str = "libOpenCL.so";

/// Returns the folder that the linker searches before all others.
///
/// For the original, the folder contains the development link that Debian's run-time package lacks. For ours,
/// it contains a file of the same name that every linker rejects. A program that links OpenCL then does not
/// build, even on a machine with the development link.
///
/// # Errors
///
/// If the folder cannot be written, the library is not found, or the linker accepts the bad file.
pub(crate) fn search_folder(scratch: &Path, variant: Variant) -> Result<PathBuf> {
    let folder = scratch.join("link");
    fs::create_dir_all(&folder)?;
    let link = folder.join(DEVELOPMENT_LINK);
    if fs::symlink_metadata(&link).is_ok() {
        fs::remove_file(&link)?;
    }
    match variant {
        Variant::Original => symlink(&run_time_library()?, &link)?,
        Variant::Ours => {
            fs::write(&link, "This is not a library: programs that link OpenCL must not build.\n")?;
            if links(&folder)? {
                return Err(format!("the linker accepts {}, which is not a library", link.display()).into());
            }
        }
    }
    Ok(folder)
}

#[cfg(unix)]
fn symlink(to: &Path, link: &Path) -> Result {
    Ok(std::os::unix::fs::symlink(to, link)?)
}

#[cfg(not(unix))]
fn symlink(_: &Path, link: &Path) -> Result {
    Err(format!("{} cannot be created on this system", link.display()).into())
}

/// Returns the path of the library that programs load.
fn run_time_library() -> Result<PathBuf> {
    // After loading, the library is in this process's list of mapped files.
    let _library = cl_loader::open_system()?;
    let maps = fs::read_to_string("/proc/self/maps")?;
    let library = mapped(&maps, DEVELOPMENT_LINK);
    library.ok_or_else(|| "the OpenCL library is loaded but not listed in /proc/self/maps".into())
}

/// Returns the first file in `maps` whose name begins with `name`.
fn mapped(maps: &str, name: &str) -> Option<PathBuf> {
    let paths = maps.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
    let named = |path: &&Path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name));
    paths.into_iter().find(named).map(Path::to_path_buf)
}

/// Returns whether an empty program with `-lOpenCL` links when `folder` is searched first.
fn links(folder: &Path) -> Result<bool> {
    let source = folder.join("empty.rs");
    fs::write(&source, "fn main() {}\n")?;
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = duct::cmd!(rustc, "-L", folder, "-lOpenCL", "-o", folder.join("empty"), source)
        .stderr_capture()
        .unchecked()
        .run()?;
    Ok(out.status.success())
}

/// Checks that an executable links OpenCL if it has the original `cl-sys`, and does not link it if it has
/// ours.
///
/// # Errors
///
/// If the original does not need the OpenCL library, or ours needs the library or one of its functions.
pub(crate) fn check(program: &Program) -> Result {
    let bytes = fs::read(&program.path)?;
    let elf = Elf::parse(&bytes).map_err(|e| format!("cannot parse {}: {e}", program.path.display()))?;
    let libraries = elf.libraries.iter().filter(|name| name.starts_with(DEVELOPMENT_LINK));
    let imports = elf.dynsyms.iter().filter(Sym::is_import);
    let functions = imports.filter_map(|symbol| elf.dynstrtab.get_at(symbol.st_name));
    let found = (libraries.count(), functions.filter(|name| is_opencl(name)).count());
    match (program.variant, found) {
        (Variant::Original, (1, 1..)) | (Variant::Ours, (0, 0)) => Ok(()),
        (variant, (libraries, functions)) => Err(format!(
            "{} {variant} asks for {libraries} OpenCL libraries and {functions} functions of OpenCL",
            program.name
        )
        .into()),
    }
}

/// Returns whether a symbol has the form of OpenCL's names: `clFlush`, not `close` or `clock`.
fn is_opencl(symbol: &str) -> bool {
    symbol.strip_prefix("cl").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_opencl_are_told_from_others() {
        assert!(is_opencl("clFlush") && is_opencl("clSVMAlloc"));
        assert!(!is_opencl("close") && !is_opencl("clock_gettime") && !is_opencl("cl"));
    }

    #[test]
    fn a_mapped_library_is_found_by_the_beginning_of_its_name() {
        let maps = "55d0-55d1 r--p 00000000 08:01 7 /opt/libOpenCL-tools/program\n\
                    7f00-7f01 rw-p 00000000 00:00 0\n\
                    7f02-7f03 r-xp 00000000 08:01 9 /usr/lib/some where/libOpenCL.so.1.0.0\n";
        let library = Path::new("/usr/lib/some where/libOpenCL.so.1.0.0");
        assert_eq!(mapped(maps, "libOpenCL.so").as_deref(), Some(library));
        assert_eq!(mapped(maps, "libpocl.so"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_without_opencl_passes_as_ours_only() {
        let program = |variant| Program {
            variant,
            compared: None,
            name: "xtask".to_owned(),
            path: env::current_exe().expect("this test"),
            folder: PathBuf::new(),
        };
        check(&program(Variant::Ours)).expect("OpenCL is loaded, not linked");
        let error = check(&program(Variant::Original)).expect_err("no library").to_string();
        assert!(error.contains("0 OpenCL libraries"), "{error}");
    }
}
