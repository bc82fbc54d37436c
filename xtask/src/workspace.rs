//! The folders of the workspace, and calls of cargo in it from any folder inside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use duct::Expression;
use serde_json::Value;

use crate::error::Result;

/// Returns the folder with the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable for the programs that it runs. A program that is started directly uses the
    // folder in which it was compiled.
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let manifest = PathBuf::from(manifest);
    manifest.parent().map_or_else(|| manifest.clone(), Path::to_path_buf)
}

/// Returns the folder of cargo's build output.
pub(crate) fn target_dir() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        // Cargo resolves a relative path against the current folder, as `absolute` does.
        Some(dir) => std::path::absolute(&dir).unwrap_or_else(|_| dir.into()),
        None => root().join("target"),
    }
}

/// Returns the cargo that started this program.
fn program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Returns a cargo command that runs in the workspace root, with the cargo that started this program.
pub(crate) fn cargo<A: Into<OsString>>(args: impl IntoIterator<Item = A>) -> Expression {
    let expression = duct::cmd(program(), args).dir(root());
    // A relative path must not be resolved against the root, which may differ from the current folder.
    match env::var_os("CARGO_TARGET_DIR") {
        Some(_) => expression.env("CARGO_TARGET_DIR", target_dir()),
        None => expression,
    }
}

/// Returns a cargo command for this workspace that runs in the user's folder, for programs that get paths from
/// the user.
pub(crate) fn cargo_here<A: Into<OsString>>(
    subcommand: &str,
    args: impl IntoIterator<Item = A>,
) -> Expression {
    let manifest = ["--manifest-path".into(), root().join("Cargo.toml").into_os_string()];
    let words = [subcommand.into()].into_iter().chain(manifest).chain(args.into_iter().map(Into::into));
    duct::cmd(program(), words)
}

/// Returns cargo's metadata of the packages in the lock file that this system needs. A build fetches these
/// packages anyway.
///
/// # Errors
///
/// If cargo or the compiler fails, after printing the reason.
pub(crate) fn metadata() -> Result<Value> {
    let version = duct::cmd!("rustc", "-vV").dir(root()).read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc -vV does not name the host")?;
    let printed = cargo(["metadata", "--locked", "--format-version", "1", "--filter-platform", host]).read();
    Ok(serde_json::from_str(&printed.map_err(|_| "cargo cannot list the packages: see above")?)?)
}

/// Gives cl-core and PoCL caches inside this workspace. Full or broken caches in the home folder then affect
/// neither tests nor timings, and `cargo clean` clears the workspace's caches.
///
/// # Errors
///
/// If a folder cannot be created.
pub(crate) fn with_kernel_cache(expression: &Expression) -> Result<Expression> {
    let mut expression = expression.clone();
    for (variable, folder) in [("CL_CACHE", "cl-cache"), ("POCL_CACHE_DIR", "pocl-cache")] {
        if env::var_os(variable).is_none() {
            let cache = target_dir().join(folder);
            // cl-core does not use a folder to which other users may write.
            private_folder(&cache).map_err(|e| format!("cannot create {}: {e}", cache.display()))?;
            expression = expression.env(variable, cache);
        }
    }
    Ok(expression)
}

fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_keep_their_programs_in_folders_of_this_workspace() {
        let seen =
            with_kernel_cache(&duct::cmd!("env")).and_then(|shows| Ok(shows.read()?)).unwrap_or_default();
        for variable in ["CL_CACHE", "POCL_CACHE_DIR"] {
            let value = seen.lines().find_map(|line| line.strip_prefix(&format!("{variable}=")));
            let folder = Path::new(value.unwrap_or_default());
            // A variable that is set already is the user's choice.
            let chosen = env::var_os(variable).is_some_and(|chosen| chosen == folder.as_os_str());
            assert!(chosen || (folder.starts_with(target_dir()) && folder.is_dir()), "{variable}={value:?}");
        }
    }
}
