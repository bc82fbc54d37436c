//! Scans and selections: sums over the elements before each one, and only the elements that match.
//!
//! `cargo run --release --example 13_scans`. A scan keeps every intermediate result of a sum, or of another
//! operator. It answers "how many so far?" and "which was the last one?" for all elements at once. A question
//! that seems to need one pass from left to right then runs on all cores. This example splits its own source
//! text into lines and words.

use cl_algo::prelude::*;

const TEXT: &str = include_str!("13_scans.rs");

/// The number of copies of the text: one copy is too short to occupy a device.
const TIMES: usize = 200;

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    let host = TEXT.repeat(TIMES);
    let text = DeviceVec::from_slice(&queue, host.as_bytes())?;
    println!("{} bytes of text on {}", text.len(), queue.device());

    // The line of each byte is the number of line ends before it. An exclusive scan leaves out the byte
    // itself.
    let ends = text.iter().eq(b'\n').select(1_u32, 0);
    let line = ends.clone().exclusive_scan(0).collect()?;

    // The column of each byte needs the beginning of its line: an inclusive scan computes the largest
    // position so far at which a line begins. The subtraction is evaluated without storing the column in
    // between.
    let begins = text.iter().shifted(-1, Border::Constant(b'\n')).eq(b'\n').select(index::<u32>(), 0);
    let begin = begins.inclusive_scan_with(Val::max).collect()?;
    let column = (index::<u32>() - &begin).collect_on(&queue)?;

    // The length of each line is a sum over a run of equal line numbers.
    let (_, lengths) = (1 - ends).sum_by_key(&line)?;
    let (lines, longest) = (lengths.len(), lengths.max_element()?);

    // Words begin at letters that follow another character. The filter keeps the indices of these letters in
    // order.
    let letters = (&text | 0x20).map(|byte| byte.ge(b'a') & byte.le(b'z'));
    let starts = letters.clone() & !letters.shifted(-1, Border::Constant(false));
    let letters = zip((index::<u32>(), starts)).take(text.len());
    let (words, _) = letters.filter(|(_, start)| start).collect()?;
    let words = words.to_vec()?;

    // The host gets the same results.
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
