//! Drivers that are present but not named by an `.icd` file. The OpenCL loader does not know such a driver,
//! so its devices stay hidden. This is the most common problem, and containers with a GPU often have it.

mod machine;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use machine::Surroundings;

use crate::command_line::{Privilege, quoted};
use crate::error::Result;

/// A vendor's driver, and the `.icd` file that its installer would have written.
#[derive(Debug)]
struct Driver {
    vendor: &'static str,
    /// The possible names of the library, the preferred one first. All begin with `stem`.
    files: &'static [&'static str],
    /// The beginning of the library's name in every version.
    stem: &'static str,
    entry: &'static str,
}

/// The drivers that are looked for. Simulators are not listed, because a registered simulator slows down every
/// other program.
const DRIVERS: &[Driver] = &[
    Driver {
        vendor: "NVIDIA",
        files: &["libnvidia-opencl.so.1"],
        stem: "libnvidia-opencl.so",
        entry: "nvidia.icd",
    },
    Driver { vendor: "AMD", files: &["libamdocl64.so"], stem: "libamdocl64.so", entry: "amdocl64.icd" },
    Driver { vendor: "Intel CPU", files: &["libintelocl.so"], stem: "libintelocl.so", entry: "intel64.icd" },
    Driver { vendor: "Intel GPU", files: &["libigdrcl.so"], stem: "libigdrcl.so", entry: "intel.icd" },
    Driver { vendor: "Arm Mali", files: &["libmali.so.1", "libmali.so"], stem: "libmali", entry: "mali.icd" },
];

/// A driver that is present but not registered.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unregistered {
    vendor: &'static str,
    /// The path at which the library was found.
    library: PathBuf,
    /// The `.icd` file to write.
    entry: PathBuf,
    /// The one line of the `.icd` file.
    content: String,
}

impl Unregistered {
    /// Describes the problem and the two ways to solve it.
    fn report(&self, privilege: Privilege) -> String {
        format!(
            "the {} OpenCL driver {} is present, but no .icd file names it, so its devices stay hidden. \
             `cargo xtask setup --register` does the same as\n    {}",
            self.vendor,
            self.library.display(),
            // A container whose user is root often has no sudo.
            self.command(if privilege == Privilege::Root { "" } else { "sudo " })
        )
    }

    /// Returns the command that registers the driver.
    fn command(&self, sudo: &str) -> String {
        let folder = self.entry.parent().unwrap_or(Path::new("/"));
        format!(
            "{sudo}mkdir -p {} && echo {} | {sudo}tee {}",
            quoted(&folder.to_string_lossy()),
            quoted(&self.content),
            quoted(&self.entry.to_string_lossy())
        )
    }
}

/// Returns the drivers that are present but not named by an `.icd` file.
fn unregistered(surroundings: &Surroundings) -> Vec<Unregistered> {
    let named = &surroundings.named;
    let known = |driver: &Driver| named.iter().any(|name| file_name(name).starts_with(driver.stem));
    let hidden = DRIVERS.iter().filter(|driver| !known(driver));
    hidden.filter_map(|driver| find(driver, surroundings)).collect()
}

/// Warns of every unregistered driver.
pub(crate) fn warn() {
    for driver in unregistered(&Surroundings::of_this_machine()) {
        eprintln!("warning: {}", driver.report(Privilege::current()));
    }
}

fn find(driver: &Driver, surroundings: &Surroundings) -> Option<Unregistered> {
    let entry = surroundings.vendors.join(driver.entry);
    let cached = driver.files.iter().find_map(|file| {
        let library = surroundings.cached.iter().find(|path| path.file_name() == Some(OsStr::new(file)))?;
        // The system's loader finds the library by its name, even after an update has moved it.
        Some((library.clone(), (*file).to_owned()))
    });
    let (library, content) = cached.or_else(|| {
        let places =
            surroundings.folders.iter().flat_map(|dir| driver.files.iter().map(|file| dir.join(file)));
        let library = places.into_iter().find(|path| path.is_file())?;
        let content = library.to_string_lossy().into_owned();
        Some((library, content))
    })?;
    Some(Unregistered { vendor: driver.vendor, library, entry, content })
}

fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Registers every unregistered driver, through `sudo` if this user may not write the file.
///
/// # Errors
///
/// If neither the user nor `sudo` may write the `.icd` file; the text contains the command to type.
pub(crate) fn register_all() -> Result {
    unregistered(&Surroundings::of_this_machine()).iter().try_for_each(register)
}

fn register(driver: &Unregistered) -> Result {
    let entry = driver.entry.display();
    eprintln!("registering the {} driver: writing {} to {entry}", driver.vendor, driver.content);
    match write(driver) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() != io::ErrorKind::PermissionDenied => {
            return Err(format!("cannot write {entry}: {error}").into());
        }
        Err(_) => {}
    }
    if Privilege::current() != Privilege::Sudo {
        return Err(format!("only root may write {entry}. Type\n    {}", driver.command("sudo ")).into());
    }
    let through_sudo = || -> io::Result<()> {
        let folder = driver.entry.parent().unwrap_or(Path::new("/"));
        duct::cmd!("sudo", "-n", "mkdir", "-p", folder).run()?;
        let line = format!("{}\n", driver.content);
        duct::cmd!("sudo", "-n", "tee", &driver.entry).stdin_bytes(line).stdout_null().run()?;
        Ok(())
    };
    through_sudo().map_err(|error| format!("cannot write {entry} through sudo: {error}").into())
}

fn write(driver: &Unregistered) -> io::Result<()> {
    if let Some(folder) = driver.entry.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&driver.entry, format!("{}\n", driver.content))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine of two folders: one with libraries, one with `.icd` files.
    struct Planted {
        root: tempfile::TempDir,
    }

    impl Planted {
        fn new(libraries: &[&str], entries: &[(&str, &str)]) -> Self {
            let root = tempfile::tempdir().expect("a temporary folder");
            for folder in ["lib", "vendors"] {
                fs::create_dir(root.path().join(folder)).expect("a folder");
            }
            for library in libraries {
                fs::write(root.path().join("lib").join(library), "").expect("a library");
            }
            for (name, text) in entries {
                fs::write(root.path().join("vendors").join(name), text).expect("an entry");
            }
            Self { root }
        }

        fn surroundings(&self) -> Surroundings {
            let vendors = self.root.path().join("vendors");
            let named = machine::named_in(&vendors);
            Surroundings { cached: Vec::new(), folders: vec![self.root.path().join("lib")], vendors, named }
        }

        fn hidden(&self) -> Vec<Unregistered> {
            unregistered(&self.surroundings())
        }
    }

    #[test]
    fn a_driver_that_no_entry_names_is_found() {
        let machine = Planted::new(&["libnvidia-opencl.so.1"], &[("pocl.icd", "/x/libpocl.so.2\n")]);
        let hidden = machine.hidden();
        assert_eq!(hidden.len(), 1);
        assert_eq!(hidden[0].entry, machine.root.path().join("vendors/nvidia.icd"));
        let text = hidden[0].report(Privilege::None);
        assert!(
            text.contains("NVIDIA") && text.contains("sudo tee") && text.contains("--register"),
            "{text}"
        );
        let text = hidden[0].report(Privilege::Root);
        assert!(text.contains("tee") && !text.contains("sudo"), "{text}");
    }

    #[test]
    fn a_driver_that_an_entry_names_in_any_way_is_not() {
        for content in ["libnvidia-opencl.so.1\n", "  libnvidia-opencl.so.535.1  ", "\nlibnvidia-opencl.so"] {
            let machine = Planted::new(&["libnvidia-opencl.so.1"], &[("other.icd", content)]);
            assert_eq!(machine.hidden(), [], "{content:?}");
        }
        let machine = Planted::new(&["libamdocl64.so"], &[]);
        let library = machine.root.path().join("lib/libamdocl64.so");
        fs::write(machine.root.path().join("vendors/amd.icd"), library.to_str().expect("UTF-8"))
            .expect("entry");
        assert_eq!(machine.hidden(), []);
    }

    #[test]
    fn an_entry_that_points_nowhere_or_is_no_icd_file_does_not_count() {
        let gone = ("nvidia.icd", "/nowhere/libnvidia-opencl.so.1\n");
        assert_eq!(Planted::new(&["libnvidia-opencl.so.1"], &[gone]).hidden().len(), 1);
        let saved = ("nvidia.icd.bak", "libnvidia-opencl.so.1\n");
        assert_eq!(Planted::new(&["libnvidia-opencl.so.1"], &[saved]).hidden().len(), 1);
    }

    #[test]
    fn simulators_and_other_libraries_are_left_alone() {
        assert_eq!(Planted::new(&["liboclgrind-rt-icd.so", "libOpenCL.so.1"], &[]).hidden(), []);
        assert_eq!(Planted::new(&[], &[]).hidden(), []);
    }

    #[test]
    fn a_driver_that_the_loader_knows_is_registered_by_name() {
        let machine = Planted::new(&[], &[]);
        let library = PathBuf::from("/opt/vendor/libigdrcl.so");
        let surroundings = Surroundings { cached: vec![library.clone()], ..machine.surroundings() };
        let hidden = unregistered(&surroundings);
        assert_eq!((hidden[0].library.clone(), hidden[0].content.as_str()), (library, "libigdrcl.so"));
    }

    #[test]
    fn registering_ends_the_trap() {
        let machine = Planted::new(&["libintelocl.so"], &[]);
        fs::remove_dir(machine.root.path().join("vendors")).expect("removed");
        for driver in machine.hidden() {
            register(&driver).expect("a folder of our own");
        }
        assert_eq!(machine.hidden(), []);
        let entry = fs::read_to_string(machine.root.path().join("vendors/intel64.icd")).expect("an entry");
        assert!(entry.ends_with("libintelocl.so\n"));
    }
}
