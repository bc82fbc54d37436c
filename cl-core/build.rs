//! Makes `cl-sys` linkable on machines without OpenCL's development files.
//!
//! `cl-sys` asks the linker for `-lOpenCL`, although this crate uses nothing of it but types and
//! constants: every function is loaded at run time. Where the linker finds the library, nothing is
//! done, so that a program which also calls `cl-sys` itself (through `ocl`, say) links as before.
//! Where it does not, an empty archive of that name satisfies the request.
//!
//! `CL_CORE_STUB=always|never|auto` overrides the probe.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The eight bytes that make an archive with no members.
const EMPTY_ARCHIVE: &[u8] = b"!<arch>\n";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CL_CORE_STUB");

    // On macOS the framework is part of the system; docs.rs does not link.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("macos") || env::var_os("DOCS_RS").is_some() {
        return Ok(());
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let stub_needed = match env::var("CL_CORE_STUB").as_deref() {
        Ok("always") => true,
        Ok("never") => false,
        _ => !development_library_links(&out),
    };
    if stub_needed {
        let msvc = env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("msvc");
        let folder = out.join("stub");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(if msvc { "OpenCL.lib" } else { "libOpenCL.a" }), EMPTY_ARCHIVE)?;
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
    Ok(())
}

/// Links two lines of Rust against `-lOpenCL` exactly as rustc would link a dependent program.
/// Any failure, also that of the probe itself, answers no: the stub is then the right choice.
fn development_library_links(out: &Path) -> bool {
    let probe = || -> Result<bool, Box<dyn Error>> {
        let source = out.join("probe.rs");
        fs::write(
            &source,
            "#![no_std]\n#[panic_handler]\nfn panic(_: &core::panic::PanicInfo<'_>) -> ! { loop {} }\n",
        )?;
        let mut rustc = Command::new(env::var("RUSTC")?);
        rustc
            .args(["--crate-name", "probe", "--crate-type", "cdylib", "-Cpanic=abort", "-lOpenCL"])
            .args(["--target", &env::var("TARGET")?])
            .arg("-o")
            .arg(out.join("probe.out"))
            .arg(&source)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Ok(linker) = env::var("RUSTC_LINKER") {
            rustc.arg(format!("-Clinker={linker}"));
        }
        if let Ok(flags) = env::var("CARGO_ENCODED_RUSTFLAGS") {
            rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
        }
        Ok(rustc.status()?.success())
    };
    probe().unwrap_or(false)
}
