//! Fetches the published packages `ocl`, `ocl-core` and `cl-sys`, and writes two workspaces of `ocl` and
//! `ocl-core`: one uses the published `cl-sys`, the other uses ours.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::dropin::build::Variant;
use crate::error::Result;
use crate::workspace;

/// The exact versions that are compared.
const OCL: &str = "0.19.7";
const OCL_CORE: &str = "0.11.5";
const CL_SYS: &str = "0.4.3";

/// The folders into which cargo has unpacked the published packages.
#[derive(Debug)]
pub(crate) struct Published {
    ocl: PathBuf,
    ocl_core: PathBuf,
    /// The original that ours replaces.
    pub(crate) cl_sys: PathBuf,
}

/// Returns the folder of our `cl-sys`.
pub(crate) fn ours() -> PathBuf {
    workspace::root().join("cl-core").join("cl-sys")
}

/// Lets cargo fetch the packages from its configured registry.
///
/// # Errors
///
/// If cargo fails.
pub(crate) fn fetch(scratch: &Path) -> Result<Published> {
    let manifest = write_package(
        &scratch.join("fetch"),
        "fetch",
        &format!("ocl = \"={OCL}\"\nocl-core = \"={OCL_CORE}\"\ncl-sys = \"={CL_SYS}\"\n"),
        "//! Never compiled: cargo wants a target.\n",
    )?;
    let mut args: Vec<OsString> =
        ["metadata", "--quiet", "--format-version", "1", "--manifest-path"].map(Into::into).into();
    args.push(manifest.into());
    let metadata = workspace::cargo(args).read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let folder = |name: &str, version: &str| {
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let mut named = packages.filter(|package| package["name"] == name && package["version"] == version);
        let manifest = named.find_map(|package| package["manifest_path"].as_str());
        let folder = manifest.and_then(|path| Path::new(path).parent()).map(Path::to_path_buf);
        folder.ok_or_else(|| format!("cargo metadata does not know {name} {version}"))
    };
    Ok(Published {
        ocl: folder("ocl", OCL)?,
        ocl_core: folder("ocl-core", OCL_CORE)?,
        cl_sys: folder("cl-sys", CL_SYS)?,
    })
}

/// Writes a package of one library file that is its own workspace, and returns the path of its manifest.
///
/// # Errors
///
/// If a file cannot be written.
pub(crate) fn write_package(folder: &Path, name: &str, dependencies: &str, library: &str) -> Result<PathBuf> {
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src").join("lib.rs"), library)?;
    let manifest = folder.join("Cargo.toml");
    let text = format!(
        "[workspace]\n\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{dependencies}"
    );
    fs::write(&manifest, text)?;
    Ok(manifest)
}

/// Writes the workspace of `variant`: copies of the published sources, and the patch lines.
///
/// The workspace of `Variant::Ours` gets the lock file of `Variant::Original`, so that all other packages
/// have the same versions.
///
/// # Errors
///
/// If a file cannot be copied or written.
pub(crate) fn write(scratch: &Path, published: &Published, variant: Variant) -> Result {
    let folder = variant.folder(scratch);
    copy(&published.ocl, &folder.join("ocl"))?;
    copy(&published.ocl_core, &folder.join("ocl-core"))?;
    let mut text = "[workspace]\nresolver = \"2\"\nmembers = [\"ocl\", \"ocl-core\"]\n\n\
        [patch.crates-io]\nocl = { path = \"ocl\" }\nocl-core = { path = \"ocl-core\" }\n"
        .to_owned();
    if variant == Variant::Ours {
        text.push_str(&format!("cl-sys = {{ path = {:?} }}\n", ours()));
        let lock = Variant::Original.folder(scratch).join("Cargo.lock");
        fs::copy(&lock, folder.join("Cargo.lock"))
            .map_err(|e| format!("cannot copy {}: {e}", lock.display()))?;
    }
    fs::write(folder.join("Cargo.toml"), text)?;
    Ok(())
}

/// Copies a folder with all its contents, and overwrites existing files.
fn copy(from: &Path, to: &Path) -> Result {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).map_err(|e| format!("cannot list {}: {e}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::write(&target, fs::read(entry.path())?)
                .map_err(|e| format!("cannot write {}: {e}", target.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_our_package() {
        let manifest = fs::read_to_string(ours().join("Cargo.toml")).expect("our manifest");
        assert!(manifest.contains("name = \"cl-sys\"\n"), "{manifest}");
        assert!(manifest.contains(&format!("version = \"{CL_SYS}\"\n")), "{manifest}");
    }

    #[test]
    fn a_workspace_differs_in_one_patch_line() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let package = root.path().join("package");
        fs::create_dir_all(package.join("src")).expect("a folder");
        fs::write(package.join("src/lib.rs"), "//! Nothing.\n").expect("a file");
        let published = Published { ocl: package.clone(), ocl_core: package.clone(), cl_sys: package };
        let text = |variant: Variant| {
            write(root.path(), &published, variant).expect("a workspace");
            let folder = variant.folder(root.path());
            assert!(folder.join("ocl/src/lib.rs").is_file() && folder.join("ocl-core/src/lib.rs").is_file());
            fs::write(folder.join("Cargo.lock"), "").expect("a lock file");
            fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest")
        };
        let original = text(Variant::Original);
        let patch = format!("cl-sys = {{ path = {:?} }}\n", ours());
        assert_eq!(text(Variant::Ours), format!("{original}{patch}"));
    }
}
