//! The locations of drivers and of their registrations on this machine.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folder in which OpenCL loaders look for `.icd` files by default.
const VENDORS: &str = "/etc/OpenCL/vendors";

/// Folders that a dynamic loader searches, and further folders that vendors use.
const FOLDERS: &[&str] = &[
    "/usr/lib64",
    "/usr/lib",
    "/lib64",
    "/lib",
    "/usr/local/lib64",
    "/usr/local/lib",
    "/usr/local/nvidia/lib64",
    "/usr/local/nvidia/lib",
    "/usr/lib/nvidia",
    "/run/opengl-driver/lib",
    "/opt/rocm/lib",
    "/opt/rocm/opencl/lib",
    "/opt/amdgpu-pro/lib/x86_64-linux-gnu",
    "/opt/intel/oneapi/compiler/latest/lib",
    "/usr/lib/intel-opencl",
    "/usr/lib64/intel-opencl",
    "/usr/local/lib/intel-opencl",
];

/// Everything that decides whether a driver is present and registered.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// Libraries in the dynamic loader's list, which can be opened by name.
    pub(super) cached: Vec<PathBuf>,
    /// Folders to search for all other libraries.
    pub(super) folders: Vec<PathBuf>,
    /// The folder of the `.icd` files.
    pub(super) vendors: PathBuf,
    /// The registered libraries, by the names in their `.icd` files.
    pub(super) named: Vec<String>,
}

impl Surroundings {
    /// Examines the machine. Only Linux and the BSDs have `.icd` files; on other systems the result is
    /// empty.
    pub(super) fn of_this_machine() -> Self {
        let vendors = vendors();
        if !cfg!(unix) || cfg!(target_os = "macos") {
            return Self { cached: Vec::new(), folders: Vec::new(), vendors, named: Vec::new() };
        }
        let mut named = named_in(&vendors);
        named.extend(named_by_variables());
        Self { cached: cached(), folders: folders(), vendors, named }
    }
}

fn vendors() -> PathBuf {
    // The variables of the Khronos loader and of ocl-icd, which knows both.
    let told = ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"].into_iter().filter_map(env::var_os);
    told.map(PathBuf::from).find(|path| path.is_dir()).unwrap_or_else(|| VENDORS.into())
}

/// Returns the libraries that the `.icd` files of a folder name.
pub(super) fn named_in(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    files.filter(|path| is_entry(path)).filter_map(|path| named_by(&path)).collect()
}

fn is_entry(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "icd")
}

/// Returns the library that one `.icd` file names, or `None` if that is a path that does not exist.
fn named_by(entry: &Path) -> Option<String> {
    let text = fs::read_to_string(entry).ok()?;
    let name = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    (!Path::new(name).is_absolute() || Path::new(name).exists()).then(|| name.to_owned())
}

/// Returns the libraries and `.icd` files that the loaders' variables list directly.
fn named_by_variables() -> Vec<String> {
    let lists = ["OCL_ICD_FILENAMES", "OCL_ICD_VENDORS"].into_iter().filter_map(env::var_os);
    let paths: Vec<PathBuf> = lists.flat_map(|list| env::split_paths(&list).collect::<Vec<_>>()).collect();
    let name =
        |path: PathBuf| if is_entry(&path) { named_by(&path) } else { Some(path.to_str()?.to_owned()) };
    paths.into_iter().filter(|path| !path.is_dir()).filter_map(name).collect()
}

fn cached() -> Vec<PathBuf> {
    // In Debian, `ldconfig` is not on the `PATH` of ordinary users.
    let listing = ["ldconfig", "/sbin/ldconfig"]
        .into_iter()
        .find_map(|program| duct::cmd!(program, "-p").stderr_null().read().ok());
    listing.map(|text| parse_ldconfig(&text)).unwrap_or_default()
}

/// Reads the libraries from the output of `ldconfig -p`: `libz.so.1 (libc6,x86-64) => /lib/.../libz.so.1`.
fn parse_ldconfig(text: &str) -> Vec<PathBuf> {
    let path = |line: &str| {
        let (library, path) = line.split_once(" => ")?;
        // On a 64-bit machine, `(libc6)` alone marks a 32-bit library, which this program cannot load.
        let foreign = cfg!(target_pointer_width = "64") && library.trim_end().ends_with("(libc6)");
        (!foreign).then(|| PathBuf::from(path.trim()))
    };
    text.lines().filter_map(path).collect()
}

fn folders() -> Vec<PathBuf> {
    let told = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let told: Vec<PathBuf> = env::split_paths(&told).filter(|path| path.is_absolute()).collect();
    // In Debian, the folders have the machine's name. 32-bit folders beside them are left out.
    let own = format!("/usr/lib/{}-linux-gnu", env::consts::ARCH);
    let own = [format!("{own}/intel-opencl"), own].map(PathBuf::from);
    told.into_iter().chain(own).chain(FOLDERS.iter().map(PathBuf::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ldconfig_lists_what_this_program_can_load() {
        let text = "2 libs found in cache `/etc/ld.so.cache'\n\
            \tlibnvidia-opencl.so.1 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libnvidia-opencl.so.1\n\
            \tlibnvidia-opencl.so.1 (libc6) => /usr/lib/i386-linux-gnu/libnvidia-opencl.so.1\n\
            Cache generated by: ldconfig\n";
        let paths = parse_ldconfig(text);
        assert_eq!(paths[0], Path::new("/usr/lib/x86_64-linux-gnu/libnvidia-opencl.so.1"));
        assert_eq!(paths.len(), if cfg!(target_pointer_width = "64") { 1 } else { 2 });
    }

    #[test]
    fn a_folder_that_does_not_exist_names_nothing() {
        assert_eq!(named_in(Path::new("/no/such/folder")), Vec::<String>::new());
    }
}
