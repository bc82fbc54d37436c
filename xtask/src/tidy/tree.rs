//! Lists the files of the workspace and reads their text.

use std::fs;
use std::path::{Path, PathBuf};

use super::file::SourceFile;
use crate::error::Result;

/// Folders that are skipped if git cannot list the files.
const FOREIGN: [&str; 2] = [".git", "target"];

/// Reads every file that is committed or would be.
///
/// # Errors
///
/// If a file cannot be read.
pub(crate) fn read(root: &Path) -> Result<Vec<SourceFile>> {
    let mut paths = listed_by_git(root).map_or_else(|| walk(root), Ok)?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let full = root.join(&path);
        // Git also lists deleted files, links and submodules, which are skipped.
        if fs::symlink_metadata(&full).is_ok_and(|data| data.is_file()) {
            let bytes = fs::read(&full).map_err(|e| format!("cannot read {}: {e}", full.display()))?;
            files.push(SourceFile { path, text: String::from_utf8(bytes).ok() });
        }
    }
    Ok(files)
}

/// Returns the files that git lists, or `None` without git, or outside of a repository that git trusts, as in a
/// source archive or a container.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let list = duct::cmd!("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard");
    let list = list.dir(root).stderr_null().read().ok()?;
    let paths: Vec<String> = list.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    (!paths.is_empty()).then_some(paths)
}

fn walk(root: &Path) -> Result<Vec<String>> {
    let mut folders = vec![PathBuf::from(root)];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            if FOREIGN.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if let Ok(path) = entry.path().strip_prefix(root) {
                let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
                paths.push(parts.join("/"));
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_git_the_folders_are_walked_past_build_output() {
        let root = tempfile::tempdir().expect("a temporary folder");
        for path in ["a/src/lib.rs", "a/logo.png", "target/debug/x.rs", ".git/config", ".ci/run"] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, [0xff]).expect("a file");
        }
        let mut paths = walk(root.path()).expect("a walk");
        paths.sort();
        assert_eq!(paths, [".ci/run", "a/logo.png", "a/src/lib.rs"]);
        // A binary file is in the list, without a text.
        let files = read(root.path()).expect("files");
        assert!(files.iter().any(|file| file.path == "a/logo.png" && file.text.is_none()));
    }
}
