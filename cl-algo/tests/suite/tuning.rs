//! Tuning tables: rows reach the kernels, nonsense never makes a kernel wrong, and an invalid table is an error.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::ranked::{Layout, contract, load};
use cl_algo::stl::{
    copy_if, find, histogram, inclusive_scan, inclusive_scan_by_key, inclusive_scan_with, lower_bounds,
    merge, reduce_by_key, sort, sort_by, sort_by_key,
};
use cl_algo::{DeviceProfile, Tuning, tunables};
use cl_algo::{Segments, U64x4};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The environment variable with the task of [`child`].
const CHILD: &str = "CL_ALGO_TUNING_TEST";

/// A file that is removed at the end of the test.
struct Table(PathBuf);

impl Table {
    fn new(name: &str, text: &str) -> Table {
        let path = std::env::temp_dir().join(format!("cl-algo-{}-{name}.tsv", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Table(path)
    }

    /// Returns a table with the same numbers for everything on every device.
    fn of_all(name: &str, tuning: Tuning) -> Table {
        let rows = tunables::ALL.map(|tunable| format!("-\t{tunable}\t-\t{tuning}\n"));
        Table::new(name, &rows.concat())
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn all(number: usize) -> Tuning {
    Tuning { group: Some(number), bytes: Some(number), groups: Some(number) }
}

/// Returns the output of [`child`] with this table.
fn in_child(task: &str, table: impl AsRef<OsStr>) -> Output {
    child_with(task, table).output().unwrap()
}

fn child_with(task: &str, table: impl AsRef<OsStr>) -> Command {
    let mut command = cl_test::child(child);
    command.env(CHILD, task).env("CL_TUNING", table).env("CL_SHOW_KERNELS", "1");
    command
}

/// Runs in a process of its own, because the table is global.
#[test]
fn child() {
    match std::env::var(CHILD).as_deref() {
        Ok("results") => each_queue(results),
        Ok("shapes") => each_queue(|queue| results_of(queue, cl_test::full_or_small(70_001, 9001))),
        Ok("error") => cl_test::each_device(|device| {
            let queue = Queue::on(device).unwrap();
            let x = DeviceVec::from_slice(&queue, &[1, 2, 3]).unwrap();
            let error = (&x + 1).collect().map(drop).unwrap_err();
            assert_eq!(x.sum().unwrap_err(), error, "it stays an error");
            println!("<{error}>");
        }),
        _ => {}
    }
}

/// Returns numbers without a pattern.
fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect()
}

/// Runs every algorithm whose shape a row can choose, and compares with the host.
fn results(queue: &Queue) {
    // Few items, some tiles, and a length that counts as long.
    for len in cl_test::full_or_small(vec![3, 1000, 70_001, 1 << 23], vec![3, 4099]) {
        results_of(queue, len);
    }
}

fn results_of(queue: &Queue, len: usize) {
    let host = numbers(len);
    let x = DeviceVec::from_slice(queue, &host).unwrap();
    let mut y = DeviceVec::filled(queue, 7_u32, len).unwrap();
    scans_and_selections(&host, &x, &mut y);
    by_key(&host, &x, &mut y);
    // The other algorithms have one shape for all lengths.
    if len < 1 << 20 {
        elementwise(&host, &x, &mut y);
        sorts(queue, &host, &mut y);
        items_of_parts(queue, &host);
    }
}

fn elementwise(host: &[u32], x: &DeviceVec<u32>, y: &mut DeviceVec<u32>) {
    y.assign(3 * x + 1).unwrap();
    assert!(y.to_vec().unwrap().into_iter().eq(host.iter().map(|x| x.wrapping_mul(3).wrapping_add(1))));
    assert_eq!(x.sum().unwrap(), host.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x)));
    assert_eq!(find(x, host[host.len() - 1]).unwrap(), host.iter().position(|&x| x == host[host.len() - 1]));
    let mut counts = DeviceVec::filled(x.queue(), 0_u32, 256).unwrap();
    histogram(x & 0xff, &mut counts).unwrap();
    let mut expected = [0; 256];
    host.iter().for_each(|x| expected[*x as usize & 0xff] += 1);
    assert_eq!(counts.to_vec().unwrap(), expected);
    if let Some(host) = host.get(..100 * 70) {
        products(x, host);
    }
}

/// Multiplies the matrices of shapes `[100, 70]` and `[70, 90]` that `x` begins with.
fn products(x: &DeviceVec<u32>, host: &[u32]) {
    let mut product = DeviceVec::filled(x.queue(), 7_u32, 100 * 90).unwrap();
    let shapes: [&[usize]; 2] = [&[100, 70], &[70, 90]];
    let operands = shapes.map(|shape| (load(x, &Layout::row_major(shape).unwrap()), shape));
    contract(
        "test",
        (&mut product, Layout::row_major(&[100, 90]).unwrap()),
        operands,
        5,
        |item: Val<u32>, five: Val<u32>| item + five,
    )
    .unwrap();
    let item = |row: usize, column: usize| {
        (0..70).fold(5_u32, |sum, k| sum.wrapping_add(host[row * 70 + k].wrapping_mul(host[k * 90 + column])))
    };
    assert!(product.to_vec().unwrap().into_iter().eq((0..100 * 90).map(|at| item(at / 90, at % 90))));
}

fn scans_and_selections(host: &[u32], x: &DeviceVec<u32>, y: &mut DeviceVec<u32>) {
    inclusive_scan(x, &mut *y).unwrap();
    let mut sum = 0_u32;
    let sums = host.iter().map(|x| {
        sum = sum.wrapping_add(*x);
        sum
    });
    assert!(y.to_vec().unwrap().into_iter().eq(sums));
    let count = copy_if(x, |x| (x & 1).eq(1), &mut *y).unwrap().get().unwrap() as usize;
    let odd: Vec<u32> = host.iter().copied().filter(|x| x % 2 == 1).collect();
    assert_eq!(y.to_vec().unwrap()[..count], odd);
}

/// Tests algorithms by key, with runs of three.
fn by_key(host: &[u32], x: &DeviceVec<u32>, y: &mut DeviceVec<u32>) {
    let runs = |sums: fn(&[u32]) -> Vec<u32>| host.chunks(3).flat_map(sums).collect::<Vec<u32>>();
    let total = |run: &[u32]| vec![run.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x))];
    let count = reduce_by_key(index::<u32>() / 3, x, Discard, &mut *y).unwrap().get().unwrap() as usize;
    assert_eq!(y.to_vec().unwrap()[..count], runs(total));
    inclusive_scan_by_key(index::<u32>() / 3, x, &mut *y).unwrap();
    let sums = |run: &[u32]| {
        let mut sum = 0_u32;
        run.iter()
            .map(|x| {
                sum = sum.wrapping_add(*x);
                sum
            })
            .collect()
    };
    assert_eq!(y.to_vec().unwrap(), runs(sums));
    // Segments that are too long for a work-item alone.
    let lengths: Vec<u32> = host.chunks(100).map(|run| run.len() as u32).collect();
    let segments = Segments::from_lengths(DeviceVec::from_slice(x.queue(), &lengths).unwrap()).unwrap();
    let totals: Vec<u32> = host.chunks(100).flat_map(total).collect();
    assert_eq!(segments.sum(x).unwrap().to_vec().unwrap(), totals);
}

fn sorts(queue: &Queue, host: &[u32], y: &mut DeviceVec<u32>) {
    let mut sorted = host.to_vec();
    sorted.sort_unstable();
    let mut keys = DeviceVec::from_slice(queue, host).unwrap();
    sort(&mut keys).unwrap();
    assert!(keys.to_vec().unwrap() == sorted);
    // By fewer bits than all, so that few keys, too, are sorted digit by digit.
    let mut keys = DeviceVec::from_fn(queue, host.len(), |i| host[i] >> 1).unwrap();
    Sort::new().bits(0..31).keys(&mut keys).unwrap();
    assert!(keys.to_vec().unwrap().is_sorted());
    let mut keys = DeviceVec::from_slice(queue, host).unwrap();
    sort_by(&mut keys, Val::lt).unwrap();
    assert!(keys.to_vec().unwrap() == sorted);
    let (low, high) = sorted.split_at(sorted.len() / 3);
    let (a, b) = (DeviceVec::from_slice(queue, low).unwrap(), DeviceVec::from_slice(queue, high).unwrap());
    merge(&b, &a, &mut *y).unwrap();
    assert!(y.to_vec().unwrap() == sorted);
    let needles = DeviceVec::from_slice(queue, host).unwrap();
    lower_bounds(&keys, &needles, &mut *y).unwrap();
    let places = host.iter().map(|x| sorted.partition_point(|y| y < x) as u32);
    assert!(y.to_vec().unwrap().into_iter().eq(places));
}

/// Tests items of several elements, the largest of them a vector.
fn items_of_parts(queue: &Queue, host: &[u32]) {
    let x = DeviceVec::from_slice(queue, host).unwrap();
    let wide = DeviceVec::from_fn(queue, host.len(), |i| U64x4::splat(u64::from(host[i]))).unwrap();
    let mut narrow_sums = DeviceVec::filled(queue, 0_u32, host.len()).unwrap();
    let mut wide_sums = DeviceVec::filled(queue, U64x4::splat(0), host.len()).unwrap();
    let add = |(a, b): (Val<u32>, Val<U64x4>), (c, d): (Val<u32>, Val<U64x4>)| (a + c, b + d);
    inclusive_scan_with((&x, &wide), add, (&mut narrow_sums, &mut wide_sums)).unwrap();
    let total: u64 = host.iter().copied().map(u64::from).sum();
    assert_eq!(narrow_sums.to_vec().unwrap().last(), Some(&(total as u32)));
    assert_eq!(wide_sums.to_vec().unwrap().last(), Some(&U64x4::splat(total)));
    let (mut few, mut many) = (x.iter().collect().unwrap(), wide.iter().collect().unwrap());
    sort_by_key(&mut few, &mut many).unwrap();
    let mut sorted = host.to_vec();
    sorted.sort_unstable();
    assert!(many.to_vec().unwrap().into_iter().eq(sorted.iter().map(|&x| U64x4::splat(u64::from(x)))));
}

/// Runs everything with rows of this number, in the test of this name.
fn nonsense(test: &str, number: usize) {
    let table = Table::of_all(&number.to_string(), all(number));
    cl_test::known_faults::each_device(test, |device| {
        let output =
            child_with("results", &table.0).env("CL_TEST_DEVICE", device.to_string()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{number}: {said}\n{}", last_lines(&output.stderr));
    });
}

fn last_lines(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}

#[test]
fn rows_of_zeros_make_nothing_wrong() {
    nonsense(cl_test::name(rows_of_zeros_make_nothing_wrong), 0);
}

#[test]
fn rows_of_ones_make_nothing_wrong() {
    nonsense(cl_test::name(rows_of_ones_make_nothing_wrong), 1);
}

#[test]
fn odd_rows_make_nothing_wrong() {
    nonsense(cl_test::name(odd_rows_make_nothing_wrong), 3);
}

#[test]
fn huge_rows_make_nothing_wrong() {
    nonsense(cl_test::name(huge_rows_make_nothing_wrong), 100_000);
}

/// Returns `CHUNKED`, `GROUP`, `PACK` and `PACKS` of all kernels of a name that a process has shown.
fn shown(stderr: &[u8], kernel: &str) -> Vec<[usize; 4]> {
    let text = String::from_utf8_lossy(stderr);
    // Alone in its program, or one of several.
    let begins = [format!("{kernel} on "), format!("{kernel}\n")];
    let sources =
        text.split("// ---- ").filter(|source| begins.iter().any(|begin| source.starts_with(begin)));
    let number = |source: &str, name: &str| {
        let line = source.lines().find_map(|line| line.strip_prefix(&format!("#define {name} "))).unwrap();
        line.trim().parse().unwrap()
    };
    sources.map(|source| ["CHUNKED", "GROUP", "PACK", "PACKS"].map(|name| number(source, name))).collect()
}

/// Stands for a number that depends on the device's compute units.
const ANY: usize = usize::MAX;

/// A kernel, and its `GROUP`, `PACK` and `PACKS` with a row.
type Kernel = Option<(&'static str, [usize; 3])>;

#[test]
fn rows_reach_kernels() {
    // The tunable, the numbers, and the kernels in the shape for GPUs and in that for CPUs.
    let rows: [(&str, &str, Kernel, Kernel); 17] = [
        ("elementwise", "64\t32", Some(("assign", [64, 4, 2])), Some(("assign", [1, 8, 1]))),
        ("reduce", "32\t16", Some(("reduce", [32, 4, 1])), Some(("reduce", [1, 4, 1]))),
        ("scan", "64\t8192", None, Some(("scan_runs", [1, 1, 2048]))),
        ("short scan", "64\t48", Some(("scan", [64, 4, 3])), None),
        ("select", "64\t4096", None, Some(("select_runs", [1, 1, 1024]))),
        ("short select", "96\t16", Some(("select_items", [96, 4, 1])), None),
        ("short scan by key", "64\t64", Some(("scan_by_key", [64, 4, 2])), None),
        ("short reduce by key", "96\t32", Some(("reduce_by_key", [96, 4, 1])), None),
        ("reduce segments", "64\t48", Some(("reduce_segments", [64, 4, 2])), None),
        ("sort values", "320\t8", Some(("sort_sweep", [320, 1, 2])), Some(("sort_runs", [1, 1, 2]))),
        ("sort", "288\t12", Some(("sort_sweep", [288, 1, 3])), Some(("sort_runs", [1, 1, 3]))),
        ("sort counts", "256\t8", Some(("sort_totals", [256, 1, 2])), None),
        ("merge", "64\t28", Some(("merge", [64, 1, 7])), Some(("merge", [1, 1, 1]))),
        (
            "merge sort blocks",
            "-\t4096",
            Some(("sort_blocks", [64, 1, 7])),
            Some(("sort_blocks", [1, 1, 1024])),
        ),
        ("histogram", "32\t32", Some(("histogram", [32, 4, 2])), Some(("histogram", [1, 8, 1]))),
        ("product", "128\t4096", Some(("contract_tiles", [128, ANY, 1])), None),
        ("search", "32\t16", Some(("search", [32, 1, 4])), Some(("search", [1, 1, 4]))),
    ];
    let text = rows.map(|(what, numbers, ..)| format!("-\t{what}\t4\t{numbers}\t-\n")).concat();
    let table = Table::new("rows", &text);
    let output = in_child("shapes", &table.0);
    assert!(output.status.success(), "{}", last_lines(&output.stderr));
    let is_chunked = |device: &Device| DeviceProfile::of(device).unwrap().chunked;
    let has_chunked = cl_test::devices().iter().any(is_chunked);
    // On a device with smaller groups only, a row gives another kernel.
    let bears = |device: &Device, group| group <= DeviceProfile::of(device).unwrap().largest_group;
    for (what, _, tiled, chunked) in rows {
        for (is_chunked, kernel) in [(0, tiled), (1, chunked.filter(|_| has_chunked))] {
            if let Some((kernel, [group, pack, packs])) = kernel
                && cl_test::devices().iter().any(|device| bears(device, group))
            {
                let shapes = shown(&output.stderr, kernel);
                let wanted = [is_chunked, group, pack, packs];
                let is_wanted = |shape: &[usize; 4]| {
                    shape.iter().zip(wanted).all(|(&number, wanted)| wanted == ANY || number == wanted)
                };
                assert!(shapes.iter().any(is_wanted), "{what}: {shapes:?}");
            }
        }
    }
}

#[test]
fn what_is_no_table_is_an_error_of_the_first_compilation() {
    let said = |table: &OsStr| {
        let output = in_child("error", table);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}\n{}", last_lines(&output.stderr));
        said
    };
    let table = Table::new("wrong", "# a comment\n-\tscan\t4\tmany\t-\t-\n");
    let error = said(table.0.as_os_str());
    let name = table.0.display().to_string();
    assert!(error.contains(&format!("{name}, line 2: ")) && error.contains("\"many\""), "{error}");
    let missing = std::env::temp_dir().join("there is no such table.tsv");
    let error = said(missing.as_os_str());
    assert!(error.contains("there is no such table.tsv, which cannot be read"), "{error}");
    let error = said("relative.tsv".as_ref());
    assert!(error.contains("CL_TUNING is \"relative.tsv\", and must be an absolute path"), "{error}");
}
