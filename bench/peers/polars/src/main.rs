//! The cases of tables as polars computes them, with its default engine. Arguments and output are those of `harness.h`.

use polars::prelude::*;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;
/// A query that is evaluated.
type Step = Box<dyn Fn() -> PolarsResult<DataFrame>>;

struct Case {
    name: &'static str,
    element: &'static str,
    /// The number of bytes of an element, by which the number of elements is computed as in `bench/src/cases`.
    bytes: usize,
    at_most: usize,
    /// Makes the data and the query, and checks its result once.
    prepare: fn(usize, bool) -> Result<Step, Failure>,
}

const ROWS: usize = 10_000_000;
const LOOKUPS: usize = 1 << 24;

macro_rules! cases {
    ($({ $name:literal, $element:literal, $bytes:literal, $at_most:expr, $prepare:expr })*) => {
        const CASES: &[Case] =
            &[$(Case { name: $name, element: $element, bytes: $bytes, at_most: $at_most, prepare: $prepare }),*];
    };
}

cases! {
    { "table: sums of 10 groups", "u32", 4, ROWS, |n, verifies| sums(n, 10, 1, verifies) }
    { "table: sums of 10000 groups", "u32", 4, ROWS, |n, verifies| sums(n, 10_000, 1, verifies) }
    { "table: sums of 1000000 groups", "u32", 4, ROWS, |n, verifies| sums(n, 1_000_000, 1, verifies) }
    { "table: sums of 10000 groups, keys anywhere", "u32", 4, ROWS, |n, verifies| sums(n, 10_000, FAR, verifies) }
    { "table: sum, min and max of 10000 groups", "f32", 4, ROWS, several }
    { "table: value counts of 10000 keys", "u32", 4, ROWS, counts }
    { "table: inner join with sorted keys", "u32", 4, ROWS, join }
    { "table: lookups in a map", "u32", 4, LOOKUPS, lookups }
}

/// A factor that spreads keys over all numbers: `bench/src/cases/table.rs` has the same one.
const FAR: u32 = 0x9e37_79b1;

/// Returns `n` fresh integers of which every bit is random (SplitMix64, as in `bench/src/data.rs`).
fn words(n: usize) -> Vec<u32> {
    use std::hash::BuildHasher;
    let mut state = std::hash::RandomState::new().hash_one(n);
    let next = |_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 32) as u32
    };
    (0..n).map(next).collect()
}

fn keys(n: usize, groups: u32, factor: u32) -> Vec<u32> {
    words(n).into_iter().map(|key| (key % groups).wrapping_mul(factor)).collect()
}

fn table<T: Copy, U: Copy>(names: [&str; 2], first: &[T], second: &[U]) -> PolarsResult<DataFrame>
where
    Series: NamedFrom<Vec<T>, [T]> + NamedFrom<Vec<U>, [U]>,
{
    let [a, b] = names.map(PlSmallStr::from_str);
    DataFrame::new_infer_height(vec![
        Series::new(a, first.to_vec()).into(),
        Series::new(b, second.to_vec()).into(),
    ])
}

fn expect(is_right: bool) -> Result<(), Failure> {
    if is_right { Ok(()) } else { Err("wrong result".into()) }
}

/// Returns a column as integers modulo 2^32.
fn column(frame: &DataFrame, name: &str) -> Result<Vec<u32>, Failure> {
    let wide = frame.column(name)?.cast(&DataType::Int64)?;
    Ok(wide.i64()?.iter().map(|value| value.unwrap_or(-1) as u32).collect())
}

fn sums(n: usize, groups: u32, factor: u32, verifies: bool) -> Result<Step, Failure> {
    let (keys, values) = (keys(n, groups, factor), words(n));
    let frame = table(["key", "value"], &keys, &values)?;
    let query =
        move || frame.clone().lazy().group_by([col("key")]).agg([col("value").sum()]).collect();
    if verifies {
        let mut expected = BTreeMap::new();
        for (key, value) in keys.into_iter().zip(values) {
            let sum: &mut u32 = expected.entry(key).or_default();
            *sum = sum.wrapping_add(value);
        }
        let frame = query()?;
        let found: BTreeMap<u32, u32> = column(&frame, "key")?.into_iter().zip(column(&frame, "value")?).collect();
        expect(found == expected && frame.height() == expected.len())?;
    }
    Ok(Box::new(query))
}

fn several(n: usize, verifies: bool) -> Result<Step, Failure> {
    let keys = keys(n, 10_000, 1);
    let values: Vec<f32> = words(n).into_iter().map(|word| (word >> 8) as f32 / (1 << 24) as f32).collect();
    let frame = table(["key", "value"], &keys, &values)?;
    let query = move || {
        let value = || col("value");
        let aggregates = [value().sum().alias("sum"), value().min().alias("min"), value().max().alias("max")];
        frame.clone().lazy().group_by([col("key")]).agg(aggregates).collect()
    };
    if verifies {
        let mut expected: BTreeMap<u32, (f64, f32, f32)> = BTreeMap::new();
        for (key, value) in keys.into_iter().zip(values) {
            let entry = expected.entry(key).or_insert((0.0, value, value));
            *entry = (entry.0 + f64::from(value), entry.1.min(value), entry.2.max(value));
        }
        let frame = query()?;
        expect(frame.height() == expected.len())?;
        let of = |name: &str| -> Result<Vec<f32>, Failure> {
            Ok(frame.column(name)?.f32()?.iter().map(|value| value.unwrap_or(f32::NAN)).collect())
        };
        let (sums, least, largest) = (of("sum")?, of("min")?, of("max")?);
        for (at, key) in column(&frame, "key")?.iter().enumerate() {
            let (sum, min, max) = expected[key];
            // The sums of floats are not exact.
            expect((f64::from(sums[at]) - sum).abs() <= 1e-3 * sum && (least[at], largest[at]) == (min, max))?;
        }
    }
    Ok(Box::new(query))
}

fn counts(n: usize, verifies: bool) -> Result<Step, Failure> {
    let keys = keys(n, 10_000, 1);
    let frame = DataFrame::new_infer_height(vec![Series::new("key".into(), keys.clone()).into()])?;
    let query =
        move || frame.clone().lazy().group_by([col("key")]).agg([len().alias("count")]).collect();
    if verifies {
        let mut expected: BTreeMap<u32, u32> = BTreeMap::new();
        keys.into_iter().for_each(|key| *expected.entry(key).or_default() += 1);
        let frame = query()?;
        let found: BTreeMap<u32, u32> = column(&frame, "key")?.into_iter().zip(column(&frame, "count")?).collect();
        expect(found == expected)?;
    }
    Ok(Box::new(query))
}

/// Keeps the right row of each pair: polars has the keys of the result, and ours has the left rows.
fn join(n: usize, verifies: bool) -> Result<Step, Failure> {
    let right = n.div_ceil(10) as u32;
    let left = keys(n, 2 * right, 1);
    let rows = table(
        ["key", "row"],
        &(0..right).map(|key| 2 * key).collect::<Vec<u32>>(),
        &(0..right).collect::<Vec<u32>>(),
    )?;
    let frame = DataFrame::new_infer_height(vec![Series::new("key".into(), left.clone()).into()])?;
    let query = move || {
        let args = JoinArgs::new(JoinType::Inner);
        frame.clone().lazy().join(rows.clone().lazy(), [col("key")], [col("key")], args).collect()
    };
    if verifies {
        let mut expected: Vec<u32> = left.into_iter().filter(|key| key % 2 == 0).map(|key| key / 2).collect();
        let mut found = column(&query()?, "row")?;
        expected.sort_unstable();
        found.sort_unstable();
        expect(found == expected)?;
    }
    Ok(Box::new(query))
}

/// polars has no map: a left join, whose missing values are filled.
fn lookups(n: usize, verifies: bool) -> Result<Step, Failure> {
    let count = n.div_ceil(16) as u32;
    let wanted = keys(n, 2 * count, 1);
    let known: Vec<u32> = (0..count).map(|key| 2 * key).collect();
    let map = table(["key", "value"], &known, &known.iter().map(|key| key + 1).collect::<Vec<u32>>())?;
    let frame = DataFrame::new_infer_height(vec![Series::new("key".into(), wanted.clone()).into()])?;
    let query = move || {
        let args = JoinArgs::new(JoinType::Left);
        let joined = frame.clone().lazy().join(map.clone().lazy(), [col("key")], [col("key")], args);
        joined.select([col("value").fill_null(lit(7_u32))]).collect()
    };
    if verifies {
        let value = |key: u32| if key % 2 == 0 { key + 1 } else { 7 };
        let expected: Vec<u32> = wanted.into_iter().map(value).collect();
        expect(column(&query()?, "value")? == expected)?;
    }
    Ok(Box::new(query))
}

/// Returns the median of `samples` samples in seconds, or of as many as fit into a few seconds. The first one does not
/// count.
fn typical(samples: usize, step: &Step) -> Result<f64, Failure> {
    let (least, most_seconds) = (3, 3.0);
    let start = Instant::now();
    drop(black_box(step()?));
    let mut times = Vec::new();
    while times.len() < samples && (times.len() < least || start.elapsed().as_secs_f64() < most_seconds) {
        let begin = Instant::now();
        drop(black_box(step()?));
        times.push(begin.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

fn measure(case: &Case, n: usize, samples: usize) -> Result<(), Failure> {
    let verifies = std::env::var("VERIFY").map_or(true, |text| !text.starts_with('0'));
    let step = (case.prepare)(n, verifies)?;
    let seconds = typical(samples, &step)?;
    // A query ends when its call returns, so all clocks are the host's.
    println!(
        "{{\"case\":\"{}\",\"element\":\"{}\",\"n\":{n},\"host_seconds\":{seconds:e},\"device_seconds\":{seconds:e},\
         \"calls_seconds\":{seconds:e}}}",
        case.name, case.element
    );
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [size, filter, samples] = &arguments[..] else {
        eprintln!("usage: polars SIZE FILTER SAMPLES");
        std::process::exit(2);
    };
    let (Ok(size), Ok(samples)) = (size.parse::<usize>(), samples.parse::<usize>()) else {
        eprintln!("SIZE and SAMPLES are numbers");
        std::process::exit(2);
    };
    let size = if size <= 40 { 1 << size } else { size };
    let mut status = 0;
    for case in CASES {
        let label = format!("{} {}", case.name, case.element);
        if !filter.lines().any(|line| label.contains(line)) {
            continue;
        }
        let n = (4 * size / case.bytes).min(case.at_most);
        if let Err(error) = measure(case, n, samples.max(1)) {
            eprintln!("{label}: {error}");
            status = 1;
        }
    }
    std::process::exit(status);
}
