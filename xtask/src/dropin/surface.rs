//! Lets the compiler compare the exports of our `cl-sys` with those of the published `cl-sys`, the original.
//!
//! The names are read from the source text of the original, so that every name is compared. A generated
//! package depends on both crates and contains one line for each name. `cargo check` suffices, because all
//! comparisons are constants.

mod exports;

use std::ffi::OsString;
use std::fmt::{self, Write};
use std::path::Path;

use crate::dropin::sources::{self, Published};
use crate::dropin::surface::exports::{Export, Exports, Kind};
use crate::error::Result;
use crate::workspace;

/// Sets of features under which both crates must export the same; the first set exports everything. Without
/// `opencl_version_1_2` the original does not compile.
const FEATURES: &[&[&str]] = &[
    &[
        "opencl_version_1_1",
        "opencl_version_1_2",
        "opencl_version_2_0",
        "opencl_version_2_1",
        "opencl_version_2_2",
    ],
    &["default"],
    &["default", "opencl_version_2_0"],
    &["default", "opencl_vendor_mesa"],
];

/// The numbers of names that version 0.4.3 of the original exports. Other numbers show that `Exports::read`
/// overlooks names.
const EXPECTED: Compared = Compared { constants: 467, types: 108, functions: 117 };

/// The one function whose signature differs on purpose: in the original, it has no return type.
const MENDED: &str = "clGetExtensionFunctionAddress";
const MENDED_SIGNATURE: &str = "const _: unsafe extern \"system\" fn(*const ours::c_char) -> *mut ours::c_void \
     = ours::clGetExtensionFunctionAddress;\n";

/// The numbers of names that were found equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    constants: usize,
    types: usize,
    functions: usize,
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { constants, types, functions } = self;
        write!(f, "{constants} constants, {types} types, {functions} functions")
    }
}

/// Compares both packages under every set of features.
///
/// # Errors
///
/// If the compiler finds a difference, or the numbers of names differ from `EXPECTED`.
pub(crate) fn compare(scratch: &Path, published: &Published) -> Result<Compared> {
    let exports = Exports::read(&published.cl_sys.join("src"))?;
    let mut most = Compared::default();
    for features in FEATURES {
        let (program, compared) = program(&exports, features)?;
        check(scratch, features, &program)?;
        if most == Compared::default() {
            most = compared;
        }
    }
    if most != EXPECTED {
        return Err(format!("the original has {most}; expected were {EXPECTED}").into());
    }
    Ok(most)
}

/// Lets the compiler check the program.
fn check(scratch: &Path, features: &[&str], program: &str) -> Result {
    let folder = scratch.join("surface");
    let list = format!("default-features = false, features = {features:?}");
    let dependencies = format!(
        "original = {{ package = \"cl-sys\", version = \"=0.4.3\", {list} }}\n\
         ours = {{ package = \"cl-sys\", path = {:?}, {list} }}\n",
        sources::ours()
    );
    let manifest = sources::write_package(&folder, "surface", &dependencies, program)?;
    let mut args: Vec<OsString> = ["check", "--quiet", "--manifest-path"].map(Into::into).into();
    args.extend([manifest.into(), "--target-dir".into(), folder.join("target").into()]);
    let succeeded = workspace::cargo(args).unchecked().run()?.status.success();
    if succeeded {
        Ok(())
    } else {
        Err(format!("with the features {features:?} the two cl-sys differ: see above").into())
    }
}

/// Returns a program that compiles only if ours exports the same as the original under `features`.
fn program(exports: &Exports, features: &[&str]) -> Result<(String, Compared)> {
    let mut values = String::new();
    let mut signatures = String::new();
    let mut hidden = String::new();
    let mut compared = Compared::default();
    for export @ Export { name, kind, .. } in &exports.all {
        if !export.is_on(features) {
            absence(&mut hidden, name, *kind)?;
            continue;
        }
        match kind {
            Kind::Constant => {
                compared.constants += 1;
                writeln!(values, "const _: () = assert!(original::{name} == ours::{name});")?;
            }
            Kind::Type => {
                compared.types += 1;
                match exports.fields(name) {
                    Some(fields) => structure(&mut values, name, &fields)?,
                    None => writeln!(values, "const _: fn(original::{name}) -> ours::{name} = |x| x;")?,
                }
            }
            Kind::Function => {
                compared.functions += 1;
                if name == MENDED {
                    values.push_str(MENDED_SIGNATURE);
                } else {
                    let signature = exports.signature(name)?;
                    writeln!(signatures, "    const _: unsafe extern \"system\" fn{signature} = {name};")?;
                }
            }
        }
    }
    let program = format!(
        "//! Generated: one line a name that both `cl-sys` export.\n\
         #![allow(non_snake_case, non_camel_case_types, unused_imports, dead_code)]\n\
         {values}\
         const _: fn(original::libc::c_int) -> ours::libc::c_int = |x| x;\n\
         mod of_the_original {{\n    use original::*;\n{signatures}}}\n\
         mod of_ours {{\n    use ours::*;\n{signatures}}}\n\
         {hidden}"
    );
    Ok((program, compared))
}

/// Adds code that compiles only if ours does not export `name`: the compiler rejects a use of a name that two
/// globs import.
fn absence(text: &mut String, name: &str, kind: Kind) -> Result {
    let (item, usage) = match kind {
        Kind::Function => (format!("pub fn {name}() {{}}"), format!("const _: fn() = {name};")),
        _ => (format!("pub type {name} = ();"), format!("const _: {name} = ();")),
    };
    writeln!(
        text,
        "mod no_{name} {{\n    mod absent {{ {item} }}\n    use absent::*;\n    use ours::*;\n    {usage}\n}}"
    )?;
    Ok(())
}

/// Adds code that compiles only if both crates define the structure alike. The two structures are distinct
/// types, so the code compares their layouts and the types of their fields.
fn structure(text: &mut String, name: &str, fields: &[&str]) -> Result {
    let moved: Vec<String> = fields.iter().map(|field| format!("{field}: x.{field}")).collect();
    writeln!(
        text,
        "const _: fn(original::{name}) -> ours::{name} = |x| ours::{name} {{ {} }};\n\
         const _: () = assert!(size_of::<original::{name}>() == size_of::<ours::{name}>());\n\
         const _: () = assert!(align_of::<original::{name}>() == align_of::<ours::{name}>());",
        moved.join(", ")
    )?;
    for field in fields {
        let offset = |of: &str| format!("std::mem::offset_of!({of}::{name}, {field})");
        writeln!(text, "const _: () = assert!({} == {});", offset("original"), offset("ours"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIB: &str = "pub use libc::{c_char};\npub use self::a::{clOne, cl_int, cl_pair, CL_ONE};\n\
        #[cfg(feature = \"two\")]\npub use self::a::clTwo;\n";
    const A: &str = "pub struct cl_pair {\n    pub a: cl_int,\n    pub b: cl_int,\n}\n\
        pub fn clOne(x: cl_int) -> cl_int;\npub fn clTwo(\n    x: cl_int,\n);\n";

    #[test]
    fn every_name_becomes_a_line() {
        let exports = Exports::new(LIB, &[A.to_owned()]).expect("exports");
        let (text, compared) = program(&exports, &["two"]).expect("a program");
        assert_eq!(compared, Compared { constants: 1, types: 3, functions: 2 });
        for line in [
            "assert!(original::CL_ONE == ours::CL_ONE)",
            "fn(original::cl_int) -> ours::cl_int",
            "ours::cl_pair { a: x.a, b: x.b }",
            "fn(x: cl_int) -> cl_int = clOne;",
            "fn(x: cl_int,) = clTwo;",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let (text, compared) = program(&exports, &[]).expect("a program");
        assert_eq!(compared.functions, 1);
        assert!(text.contains("mod no_clTwo {") && !text.contains("= clTwo;\nmod"), "{text}");
    }
}
