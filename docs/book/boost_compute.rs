//! Every algorithm of Boost.Compute in the form that "From Boost.Compute" gives it: each row of the table is run.
#![allow(unused, reason = "each row uses some of the vectors that all rows are given")]
#![allow(
    clippy::needless_borrow,
    clippy::redundant_closure_for_method_calls,
    reason = "rows are as users write them"
)]
#![allow(clippy::expect_used)] // a test

use cl_algo::prelude::*;
use cl_algo::stl::*;
use cl_collections::{BitVec, FlatMap, FlatSet, Strings};
use cl_core::{BufferOptions, Result};
use cl_random::{Philox4x32, shuffle};

const CHAPTER: &str = include_str!("src/from-boost-compute.md");

/// The headers of `boost/compute/algorithm`, one for each algorithm.
const ALGORITHMS: &str = "accumulate adjacent_difference adjacent_find all_of any_of binary_search copy copy_if copy_n count
    count_if equal equal_range exclusive_scan fill fill_n find find_end find_if find_if_not for_each for_each_n gather
    generate generate_n includes inclusive_scan inner_product inplace_merge iota is_partitioned is_permutation is_sorted
    lexicographical_compare lower_bound max_element merge min_element minmax_element mismatch next_permutation none_of
    nth_element partial_sum partition partition_copy partition_point prev_permutation random_shuffle reduce reduce_by_key
    remove remove_if replace replace_copy reverse reverse_copy rotate rotate_copy scatter scatter_if search search_n
    set_difference set_intersection set_symmetric_difference set_union sort sort_by_key stable_partition stable_sort
    stable_sort_by_key swap_ranges transform transform_if transform_reduce unique unique_copy upper_bound";

/// The headers of `boost/compute/container`, but for the string's second name.
const CONTAINERS: &str =
    "array basic_string dynamic_bitset flat_map flat_set mapped_view stack valarray vector";

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns the names of a row and its code.
fn table() -> Vec<(Vec<String>, String)> {
    let (_, rest) = CHAPTER.split_once("## Every algorithm").expect("the chapter has the section");
    let rows = rest.split("\n## ").next().unwrap_or_default().lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let row = row.replace("\\|", "\u{0}");
        let mut cells = row.split('|').skip(1);
        let code = |cell: Option<&str>| -> Vec<String> {
            let parts = cell.unwrap_or_default().split('`').skip(1).step_by(2);
            parts.map(|part| part.replace('\u{0}', "|")).collect()
        };
        let names = code(cells.next());
        (names, code(cells.next()).first().cloned().unwrap_or_default())
    })
    .collect()
}

/// Defines a function that runs one row, and a table of all of them. A row has a name of Boost.Compute, the code beside
/// it in the chapter, and what holds afterwards.
macro_rules! rows {
    (
        ($queue:ident $engine:ident $x:ident $y:ident $a:ident $b:ident $halves:ident $order:ident $out:ident)
        $($name:literal: $code:expr => |$result:ident| $holds:expr;)*
    ) => {
        const ROWS: &[(&str, &str, fn(&Queue) -> Result<bool>)] = &[$((
            $name,
            stringify!($code),
            |$queue| {
                let $engine: Philox4x32 = Philox4x32::new(7);
                let mut $x = DeviceVec::from_slice($queue, &[3, 1, 4, 1, 5])?;
                let mut $y = DeviceVec::filled($queue, 0, 5)?;
                let mut $a = DeviceVec::from_slice($queue, &[1, 2, 2, 4])?;
                let $b = DeviceVec::from_slice($queue, &[2, 3])?;
                let mut $halves = DeviceVec::from_slice($queue, &[2, 5, 1, 3])?;
                let $order = DeviceVec::from_slice($queue, &[4_u32, 3, 2, 1, 0])?;
                let mut $out = DeviceVec::filled($queue, 0, 6)?;
                let $result = $code;
                Ok($holds)
            },
        )),*];
    };
}

rows! {
    (queue engine x y a b halves order out)
    "accumulate": reduce(&x, 0, |a, b| a + b)? => |sum| sum == 14;
    "adjacent_difference": adjacent_difference(&x, |x, before| x - before, &mut y)? => |_done| y.to_vec()? == [3, -2, 3, -3, 4];
    "adjacent_find": adjacent_find(&a)? => |at| at == Some(1);
    "all_of": all_of(&x, |x| x.gt(0))? => |all| all;
    "any_of": any_of(&x, |x| x.gt(4))? => |any| any;
    "binary_search": binary_search(&a, 4)? => |at| at == Some(3);
    "copy": copy(&x, &mut y)? => |_done| y.to_vec()? == x.to_vec()?;
    "copy_if": copy_if(&x, |x| x.gt(2), &mut y)? => |count| count.get()? == 3 && y.to_vec()? == [3, 4, 5, 0, 0];
    "copy_n": copy(x.slice(..2), y.slice_mut(..2))? => |_done| y.to_vec()? == [3, 1, 0, 0, 0];
    "count": count(&x, 1)? => |count| count == 2;
    "count_if": count_if(&x, |x| x.gt(2))? => |count| count == 3;
    "equal": equal(&x, &y)? => |same| !same;
    "equal_range": equal_range(&a, 2)? => |range| range == (1..3);
    "exclusive_scan": exclusive_scan(&x, 0, &mut y)? => |_done| y.to_vec()? == [0, 3, 4, 8, 9];
    "fill": fill(&mut y, 7)? => |_done| y.to_vec()? == [7; 5];
    "fill_n": fill(y.slice_mut(..2), 7)? => |_done| y.to_vec()? == [7, 7, 0, 0, 0];
    "find": find(&x, 4)? => |at| at == Some(2);
    "find_end": find_end(&x, x.slice(1..2))? => |at| at == Some(3);
    "find_if": find_if(&x, |x| x.gt(3))? => |at| at == Some(2);
    "find_if_not": find_if_not(&x, |x| x.gt(2))? => |at| at == Some(1);
    "for_each": for_each(&mut x, |x| 2 * x)? => |_done| x.to_vec()? == [6, 2, 8, 2, 10];
    "for_each_n": for_each(x.slice_mut(..2), |x| 2 * x)? => |_done| x.to_vec()? == [6, 2, 4, 1, 5];
    "gather": gather(&order, &x, &mut y)? => |_done| y.to_vec()? == [5, 1, 4, 1, 3];
    "generate": y.assign(index::<i32>() * 2)? => |_done| y.to_vec()? == [0, 2, 4, 6, 8];
    "generate_n": assign(y.slice_mut(..2), index::<i32>() + 7)? => |_done| y.to_vec()? == [7, 8, 0, 0, 0];
    "includes": includes(&a, &b)? => |all| !all;
    "inclusive_scan": inclusive_scan(&x, &mut y)? => |_done| y.to_vec()? == [3, 4, 8, 9, 14];
    "inner_product": inner_product(&x, &x, 0)? => |sum| sum == 52;
    "inplace_merge": inplace_merge(&mut halves, 2)? => |_done| halves.to_vec()? == [1, 2, 3, 5];
    "iota": y.assign(index::<i32>())? => |_done| y.to_vec()? == [0, 1, 2, 3, 4];
    "is_partitioned": is_partitioned(&a, |a| a.lt(3))? => |is| is;
    "is_permutation": is_permutation(&x, x.iter().rev())? => |is| is;
    "is_sorted": is_sorted(&a)? => |is| is;
    "lexicographical_compare": lexicographical_compare(&a, &x)?.is_lt() => |before| before;
    "lower_bound": lower_bound(&a, 2)? => |at| at == 1;
    "max_element": x.iter().max_element()? => |found| found == Some((4, 5));
    "merge": merge(&a, &b, &mut out)? => |_done| out.to_vec()? == [1, 2, 2, 2, 3, 4];
    "min_element": x.iter().min_element()? => |found| found == Some((1, 1));
    "minmax_element": x.iter().minmax_element()? => |found| found == Some(((1, 1), (4, 5)));
    "mismatch": mismatch(&x, x.slice(..2))? => |at| at == Some(2);
    "next_permutation": next_permutation(&mut x)? => |more| more && x.to_vec()? == [3, 1, 4, 5, 1];
    "nth_element": nth_element(&mut x, 2)? => |_done| x.to_vec()?[2] == 3;
    "none_of": none_of(&x, |x| x.gt(5))? => |none| none;
    "partial_sum": inclusive_scan(&x, &mut y)? => |_done| y.to_vec()? == [3, 4, 8, 9, 14];
    "partition": stable_partition(&mut x, |x| x.gt(2))? => |count| count.get()? == 3 && x.to_vec()? == [3, 4, 5, 1, 1];
    "partition_copy": partition_copy(&x, |x| x.gt(2), &mut y, &mut out)? => |count| count.get()? == 3 && out.to_vec()?[..2] == [1, 1];
    "partition_point": partition_point(&a, |a| a.lt(3))? => |at| at == 3;
    "prev_permutation": prev_permutation(&mut x)? => |more| more && x.to_vec()? == [3, 1, 1, 5, 4];
    "random_shuffle": shuffle(&mut x, &engine)? => |_done| is_permutation(&x, DeviceVec::from_slice(queue, &[1, 1, 3, 4, 5])?)?;
    "reduce": x.sum()? => |sum| sum == 14;
    "reduce_by_key": reduce_by_key(&a, 1, &mut y, &mut out)? => |count| count.get()? == 3 && out.to_vec()?[..3] == [1, 2, 1];
    "remove": remove(&mut x, 1)? => |count| count.get()? == 3 && x.to_vec()?[..3] == [3, 4, 5];
    "remove_if": remove_if(&mut x, |x| x.gt(3))? => |count| count.get()? == 3 && x.to_vec()?[..3] == [3, 1, 1];
    "replace": replace(&mut x, 1, 9)? => |_done| x.to_vec()? == [3, 9, 4, 9, 5];
    "replace_copy": replace_copy(&x, 1, 9, &mut y)? => |_done| y.to_vec()? == [3, 9, 4, 9, 5];
    "reverse": reverse(&mut x)? => |_done| x.to_vec()? == [5, 1, 4, 1, 3];
    "reverse_copy": copy(x.iter().rev(), &mut y)? => |_done| y.to_vec()? == [5, 1, 4, 1, 3];
    "rotate": rotate(&mut x, 2)? => |_done| x.to_vec()? == [4, 1, 5, 3, 1];
    "rotate_copy": copy(x.iter().shifted(2, Border::Wrap), &mut y)? => |_done| y.to_vec()? == [4, 1, 5, 3, 1];
    "scatter": scatter(&x, &order, &mut y)? => |_done| y.to_vec()? == [5, 1, 4, 1, 3];
    "scatter_if": scatter_if(&x, &order, x.iter().gt(2), &mut y)? => |_done| y.to_vec()? == [5, 0, 4, 0, 3];
    "search": search(&x, x.slice(2..4))? => |at| at == Some(2);
    "search_n": search_n(&a, 2, 2)? => |at| at == Some(1);
    "set_difference": set_difference(&a, &b, &mut out)? => |count| count.get()? == 3 && out.to_vec()?[..3] == [1, 2, 4];
    "set_intersection": set_intersection(&a, &b, &mut out)? => |count| count.get()? == 1 && out.to_vec()?[..1] == [2];
    "set_symmetric_difference": set_symmetric_difference(&a, &b, &mut out)? => |count| count.get()? == 4 && out.to_vec()?[..4] == [1, 2, 3, 4];
    "set_union": set_union(&a, &b, &mut out)? => |count| count.get()? == 5 && out.to_vec()?[..5] == [1, 2, 2, 3, 4];
    "sort": sort(&mut x)? => |_done| x.to_vec()? == [1, 1, 3, 4, 5];
    "sort_by_key": sort_by_key(&mut x, &mut y)? => |_done| x.to_vec()? == [1, 1, 3, 4, 5];
    "stable_partition": stable_partition(&mut x, |x| x.lt(3))? => |count| count.get()? == 2 && x.to_vec()? == [1, 1, 3, 4, 5];
    "stable_sort": sort_by(&mut x, |a, b| a.gt(b))? => |_done| x.to_vec()? == [5, 4, 3, 1, 1];
    "stable_sort_by_key": sort_by_key_by(&mut x, &mut y, |a, b| a.gt(b))? => |_done| x.to_vec()? == [5, 4, 3, 1, 1];
    "swap_ranges": swap_ranges(&mut x, &mut y)? => |_done| x.to_vec()? == [0; 5] && y.to_vec()? == [3, 1, 4, 1, 5];
    "transform": transform(&x, |x| 2 * x, &mut y)? => |_done| y.to_vec()? == [6, 2, 8, 2, 10];
    "transform_if": copy_if(&x, |x| x.gt(2), mapped(&mut y, |x: Val<i32>| 2 * x))? => |count| count.get()? == 3 && y.to_vec()?[..3] == [6, 8, 10];
    "transform_reduce": transform_reduce(&x, 0, |a, b| a.max(b), |x| -x)? => |most| most == 0;
    "unique": unique_in_place(&mut a)? => |count| count.get()? == 3 && a.to_vec()?[..3] == [1, 2, 4];
    "unique_copy": unique(&a, &mut y)? => |count| count.get()? == 3 && y.to_vec()?[..3] == [1, 2, 4];
    "upper_bound": upper_bound(&a, 2)? => |at| at == 3;
    "array": DeviceVec::filled(&queue, 0, 4)? => |made| made.to_vec()? == [0; 4];
    "basic_string": Strings::from_slice(&queue, &["here"])? => |made| made.to_vec()? == ["here"];
    "dynamic_bitset": BitVec::from_bools(x.iter().gt(2))? => |made| made.to_vec()? == [true, false, true, false, true];
    "flat_map": FlatMap::from_pairs(&x, &order)? => |made| made.to_vec()? == [(1, 1), (3, 4), (4, 2), (5, 0)];
    "flat_set": FlatSet::from_keys(&x)? => |made| made.to_vec()? == [1, 3, 4, 5];
    "mapped_view": DeviceVec::<i32>::from_buffer(&queue, BufferOptions::new().in_host_memory().from_slice(&queue, &[2, 1])?)? => |made| {
        let mut made = made;
        made.buffer_mut().map_mut(queue, ..)?.copy_from_slice(&[4, 3]);
        made.sort()?;
        made.buffer().map(queue, ..)?[..] == [3, 4]
    };
    "stack": x.pop()? => |last| last == Some(5) && x.len() == 4;
    "valarray": (&x * &x + 1).collect()? => |made| made.to_vec()? == [10, 2, 17, 2, 26];
    "vector": DeviceVec::from_slice(&queue, &[1, 2])? => |made| made.to_vec()? == [1, 2];
}

#[test]
fn every_row_is_run() -> Result<()> {
    for device in Device::all()? {
        let queue = Queue::on(&device)?;
        for (name, code, run) in ROWS {
            assert!(run(&queue)?, "{name}: {code}");
        }
    }
    Ok(())
}

/// Checks that each algorithm and container has a row, or is among those that are not here, and that the rows of the
/// chapter are those that are run.
#[test]
fn every_algorithm_and_container_has_a_row() {
    let table = table();
    let (_, missing) = CHAPTER.split_once("## What is not here").expect("the chapter has the section");
    for name in ALGORITHMS.split_whitespace().chain(CONTAINERS.split_whitespace()) {
        let has_row = table.iter().any(|(names, _)| names.iter().any(|row| row == name));
        assert!(
            has_row || missing.contains(&format!("`{name}`")),
            "`{name}` has no row, and is not said to be missing"
        );
    }
    for (name, code, _) in ROWS {
        let row = table.iter().find(|(names, _)| names.iter().any(|row| row == name));
        let shown = row.map(|(_, code)| squeezed(code));
        assert_eq!(shown, Some(squeezed(code)), "the row of `{name}`");
    }
    for (names, _) in &table {
        for name in names {
            assert!(ROWS.iter().any(|(row, ..)| row == name), "the row of `{name}` is not run");
        }
    }
}
