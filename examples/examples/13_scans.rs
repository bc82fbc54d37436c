//! Scans and selections: what comes before each element, and only the elements that are wanted.
//!
//! `cargo run --release --example 13_scans`. A scan keeps every intermediate result of a sum, or of another operator;
//! it answers "how many so far?" and "what was the last one?", for all elements at once. With it a question that seems
//! to need one pass from left to right runs on all cores. Here the text of this very program is taken apart into lines
//! and words.

use cl_algo::prelude::*;
use cl_algo::stl::{copy_if, exclusive_scan, inclusive_scan_with, reduce_by_key};

const TEXT: &str = include_str!("13_scans.rs");

/// How often the text is repeated: a short text is no work for a device.
const TIMES: usize = 200;

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    let host = TEXT.repeat(TIMES);
    let text = DeviceVec::from_slice(&queue, host.as_bytes())?;
    let numbers = || DeviceVec::filled(&queue, 0_u32, text.len());
    println!("{} bytes of text on {}", text.len(), queue.device());

    // In which line is each byte? As many line ends are before it. An exclusive scan leaves the byte itself out.
    let ends = text.iter().eq(b'\n').select(1_u32, 0);
    let mut line = numbers()?;
    exclusive_scan(ends.clone(), 0, &mut line)?;

    // In which column? Where did the last line begin? The scan's operator is the maximum: of the places where lines
    // begin, the largest so far. The subtraction is part of the scan's kernel, where it stores.
    let begins = text.iter().shifted(-1, Border::Constant(b'\n')).eq(b'\n').select(index::<u32>(), 0);
    let mut begin = numbers()?;
    inclusive_scan_with(begins, Val::max, &mut begin)?;
    let column = (index::<u32>() - &begin).collect_on(&queue)?;

    // How long is each line? Runs of equal line numbers, and a sum over each run.
    let mut lengths = numbers()?;
    let lines = reduce_by_key(&line, 1 - ends, Discard, &mut lengths)?.get()? as usize;
    let longest = lengths.slice(..lines).max_element()?;

    // Where do words begin? At letters behind what is none. `copy_if` keeps the indices of those, in their order.
    let letters = (&text | 0x20).map(|byte| byte.ge(b'a') & byte.le(b'z'));
    let starts = letters.clone() & !letters.shifted(-1, Border::Constant(false));
    let mut words = numbers()?;
    let places = zip((index::<u32>(), starts)).take(text.len());
    let count =
        copy_if(places, |(_, start)| start, mapped(&mut words, |(place, _): (Val<u32>, Val<bool>)| place))?;
    let words = words.slice(..count.get()? as usize).collect()?.to_vec()?;

    // The host agrees.
    assert_eq!(lines, host.lines().count());
    let expected = host.lines().enumerate().max_by_key(|(i, line)| (line.len(), usize::MAX - i));
    assert_eq!(longest, expected.map(|(i, line)| (i, line.len() as u32)));
    if let Some((at, text)) = expected {
        println!("{lines} lines; the longest is line {}: {text}", at + 1);
    }
    let expected = host.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    assert!(words.len() == expected.clone().count());
    let at = |place: u32| &host[place as usize..];
    assert!(words.iter().zip(expected).all(|(&place, word)| at(place).starts_with(word)));
    let (line, column) = (line.to_vec()?, column.to_vec()?);
    for (number, text) in host.lines().enumerate().step_by(50) {
        let place = text.as_ptr() as usize - host.as_ptr() as usize;
        assert!((0..text.len()).all(|i| (line[place + i], column[place + i]) == (number as u32, i as u32)));
    }
    let last = words[words.len() - 1] as usize;
    println!(
        "{} words; the last begins in line {}, column {}",
        words.len(),
        line[last] + 1,
        column[last] + 1
    );
    println!("all right");
    Ok(())
}
