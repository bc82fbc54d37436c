//! Golden kernels: the kernels of maps, bits, strings and tables on each recorded device, compared with the files in
//! `golden`.

use cl_collections::prelude::*;
use cl_test::golden::{Case, check, check_devices};
use cl_test::golden_cases;

const CASES: &[Case] = golden_cases! {
    "map: lookups in an expression, u32": |q| {
        let keys = DeviceVec::filled(q, 0_u32, 1000)?;
        // Several keys would be checked, and a recorded device answers that they are not sorted.
        let map = FlatMap::from_sorted(DeviceVec::filled(q, 0_u32, 1)?, DeviceVec::filled(q, 0.0_f32, 1)?);
        (2.0 * map?.get_or(&keys, 1.0)).collect()?
    };
    "set: intersection, u64": |q| {
        let [a, b] = [1, 1].map(|len| DeviceVec::filled(q, 0_u64, len));
        FlatSet::from_sorted(a?)?.intersection(&FlatSet::from_sorted(b?)?)?
    };
    "bits: packed": |q| BitVec::from_bools(DeviceVec::filled(q, 0, 1000)?.iter().gt(2))?;
    "bits: moved": |q| BitVec::filled(q, true, 1000)?.shift_up(37)?;
    "bits: read": |q| BitVec::filled(q, true, 1000)?.iter().collect()?;
    "strings: find": |q| Strings::from_slice(q, &["one", "two"])?.find("o")?;
    "strings: compare": |q| Strings::from_slice(q, &["one", "two"])?.compare_to("o")?;
    "strings: hashes": |q| Strings::from_slice(q, &["one", "two"])?.hashes().collect()?;
    "group-by, u32": |q| GroupBy::new(&DeviceVec::filled(q, 0_u32, 1000)?)?;
    "join, u32": |q| {
        let [a, b] = [1000, 200].map(|len| DeviceVec::filled(q, 0_u32, len));
        inner_join(&a?, &b?)?
    };
};

const TEXTS: &[(&str, &str)] = &[
    ("nvidia-h200", "map: lookups in an expression, u32"),
    ("nvidia-h200", "bits: packed"),
    ("pocl-2-cores", "map: lookups in an expression, u32"),
];

#[test]
fn golden_kernels_are_those_that_are_kept() {
    check(env!("CARGO_MANIFEST_DIR"), env!("CARGO_TARGET_TMPDIR"), CASES, TEXTS);
}

#[test]
#[ignore = "needs a device that resembles a recorded one: `./run golden` of a bundle"]
fn golden_kernels_are_those_of_this_machines_devices() {
    check_devices(CASES);
}
