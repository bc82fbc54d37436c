//! The files that cargo built, read from the messages that it prints for programs.

use std::path::PathBuf;

use serde_json::Value;

use crate::error::Result;
use crate::programs;
use crate::workspace;

/// A file that a build produced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Artifact {
    package: String,
    /// The name of the target: of a program, of a file under `tests`, or of the package's library.
    pub(super) name: String,
    pub(super) is_test: bool,
    is_executable: bool,
    pub(super) file: PathBuf,
}

impl Artifact {
    pub(super) fn is_program(&self, name: &str) -> bool {
        self.is_executable && !self.is_test && self.name == name
    }

    pub(super) fn is_library(&self, name: &str) -> bool {
        !self.is_executable && self.name == name
    }

    /// Returns `cl-core.buffer`, or `cl-core` for the tests inside the library.
    pub(super) fn title(&self) -> String {
        let Artifact { package, name, .. } = self;
        if *name == package.replace('-', "_") { package.clone() } else { format!("{package}.{name}") }
    }
}

/// Builds with cargo in release mode, as `cargo xtask bench` does.
///
/// # Errors
///
/// If cargo fails; cargo has then printed the reason.
pub(super) fn build<'a>(args: impl IntoIterator<Item = &'a str>) -> Result<Vec<Artifact>> {
    let kind = ["--release", "--message-format=json-render-diagnostics"];
    let output = workspace::cargo(args.into_iter().chain(kind)).stdout_capture().unchecked().run()?;
    if !output.status.success() {
        return Err("cargo cannot build the bundle: see above".into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().flat_map(artifacts_of).collect())
}

/// Returns the files that one message names: an executable, or dynamic libraries.
fn artifacts_of(message: &str) -> Vec<Artifact> {
    let Ok(message) = serde_json::from_str::<Value>(message) else { return vec![] };
    if message["reason"] != "compiler-artifact" {
        return vec![];
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let package = programs::package(&text(&message["package_id"]));
    let artifact = |is_executable, file: String| Artifact {
        package: package.clone(),
        name: text(&message["target"]["name"]),
        is_test: message["profile"]["test"] == true,
        is_executable,
        file: file.into(),
    };
    match message["executable"].as_str() {
        Some(file) => vec![artifact(true, file.to_owned())],
        None => {
            let files = message["filenames"].as_array().into_iter().flatten().map(text);
            let ending = std::env::consts::DLL_SUFFIX;
            files.filter(|file| file.ends_with(ending)).map(|file| artifact(false, file)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_programs_and_libraries_are_told_apart() {
        let message = |id: &str, name: &str, test: bool, executable: Value, files: Value| {
            let target = serde_json::json!({ "name": name });
            let profile = serde_json::json!({ "test": test });
            let message = serde_json::json!({
                "reason": "compiler-artifact", "package_id": id, "target": target, "profile": profile,
                "executable": executable, "filenames": files,
            });
            artifacts_of(&message.to_string())
        };
        let core = "path+file:///w/cl-core#0.1.0";
        let buffer = message(core, "buffer", true, "/t/buffer-1".into(), Value::Null);
        assert_eq!(buffer[0].title(), "cl-core.buffer");
        assert!(buffer[0].is_test && !buffer[0].is_program("buffer") && !buffer[0].is_library("buffer"));
        let inside = message(core, "cl_core", true, "/t/cl_core-1".into(), Value::Null);
        assert_eq!(inside[0].title(), "cl-core");
        let bench =
            message("path+file:///w/bench#cl-bench@0.1.0", "cl-bench", false, "/t/b".into(), Value::Null);
        assert!(bench[0].is_program("cl-bench"));
        let dynamic = format!("/t/x{}", std::env::consts::DLL_SUFFIX);
        let files = serde_json::json!(["/t/x.rlib", dynamic]);
        let library = message("path+file:///w/cl-fault#0.1.0", "cl_fault", false, Value::Null, files);
        assert_eq!(library.len(), 1);
        assert!(library[0].is_library("cl_fault"));
        assert_eq!(artifacts_of(r#"{"reason":"build-finished","success":true}"#), []);
        assert_eq!(artifacts_of("Compiling"), []);
    }
}
