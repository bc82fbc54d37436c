//! Puts each block of Rust in README.md into a file of its own, for `readme.rs` to compile.

use std::path::Path;
use std::{env, fs};

const README: &str = "../../README.md";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={README}");
    let readme = fs::read_to_string(README)?;
    let folder = Path::new(&env::var("OUT_DIR")?).join("README");
    // What an earlier build wrote for a heading that is gone must not be found.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let mut headings: Vec<&str> = Vec::new();
    for section in readme.split("\n## ").skip(1) {
        let heading = section.lines().next().unwrap_or_default();
        for block in section.split("\n```rust\n").skip(1) {
            if headings.contains(&heading) {
                return Err(format!("README.md has two blocks of Rust below `{heading}`").into());
            }
            headings.push(heading);
            let code = block.split("\n```").next().unwrap_or_default();
            // A fragment is included as an expression, so that it sees what is around it.
            let whole = code.contains("fn main()");
            let text = if whole { code.to_owned() } else { format!("{{\n{code}\n}}\n") };
            fs::write(folder.join(format!("{heading}.rs")), text)?;
        }
    }
    fs::write(folder.join("headings.rs"), format!("&{headings:?}"))?;
    Ok(())
}
