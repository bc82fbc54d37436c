//! Puts each block of Rust in README.md, and in the published crates' own, into a file, for `readme.rs` to compile.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The documents, each with its name in `readme.rs`.
const DOCUMENTS: [(&str, &str); 10] = [
    ("README", "../../README.md"),
    ("cl-core", "../../cl-core/README.md"),
    ("cl-algo", "../../cl-algo/README.md"),
    ("cl-random", "../../cl-random/README.md"),
    ("cl-fft", "../../cl-fft/README.md"),
    ("cl-sparse", "../../cl-sparse/README.md"),
    ("cl-array", "../../cl-array/README.md"),
    ("cl-grid", "../../cl-grid/README.md"),
    ("cl-collections", "../../cl-collections/README.md"),
    ("cl-linalg", "../../cl-linalg/README.md"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::var("OUT_DIR")?;
    let mut names: Vec<String> = Vec::new();
    for (document, path) in DOCUMENTS {
        println!("cargo::rerun-if-changed={path}");
        let folder = Path::new(&out).join(document);
        // A file of an earlier build, whose heading is gone, must not be found.
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        for (heading, code) in blocks(&fs::read_to_string(path)?) {
            let name = format!("{document}/{heading}");
            if names.contains(&name) {
                return Err(format!("{path} has two blocks of Rust below `{heading}`").into());
            }
            // A fragment is included as an expression, so that it sees what is around it.
            let whole = code.contains("fn main()");
            let text = if whole { code } else { format!("{{\n{code}}}\n") };
            fs::write(folder.join(format!("{heading}.rs")), text)?;
            names.push(name);
        }
    }
    fs::write(Path::new(&out).join("blocks.rs"), format!("&{names:?}"))?;
    Ok(())
}

/// Returns the blocks of Rust, each with the heading that it stands below.
fn blocks(document: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let (mut heading, mut fenced, mut rust) = ("", false, false);
    for line in document.lines() {
        if let Some(language) = line.strip_prefix("```") {
            fenced = !fenced;
            rust = fenced && language.starts_with("rust");
            if rust {
                blocks.push((heading.to_owned(), String::new()));
            }
        } else if let Some((_, code)) = blocks.last_mut().filter(|_| rust) {
            *code += line;
            *code += "\n";
        } else if !fenced && line.starts_with('#') {
            heading = line.trim_start_matches('#').trim();
        }
    }
    blocks
}
