//! The known answers of Random123, all of them, on the host and on every device.
#![allow(clippy::unwrap_used)]

use cl_algo::prelude::*;
use cl_random::*;

const FILE: &str = include_str!("data/random123_kat.txt");

/// One line of the file: the function, its number of rounds, and all words.
struct Line {
    name: &'static str,
    rounds: u32,
    words: Vec<u64>,
}

fn lines() -> Vec<Line> {
    let lines = FILE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut parts = line.split_whitespace();
            let (name, rounds) = (parts.next().unwrap(), parts.next().unwrap().parse().unwrap());
            Line { name, rounds, words: parts.map(|word| u64::from_str_radix(word, 16).unwrap()).collect() }
        })
        .collect()
}

/// Conversions between a word as wide as the engine's and a word as wide as the file's.
trait Wide: Word {
    fn narrow(word: u64) -> Self;
    fn widened(self) -> u64;
}

impl Wide for u32 {
    fn narrow(word: u64) -> u32 {
        u32::try_from(word).unwrap()
    }
    fn widened(self) -> u64 {
        self.into()
    }
}

impl Wide for u64 {
    fn narrow(word: u64) -> u64 {
        word
    }
    fn widened(self) -> u64 {
        self
    }
}

/// Checks the engine on the host and on a device.
fn check<E: Engine<Word: Wide>>(queue: &Queue, engine: E, line: &Line) {
    let answer = &line.words[line.words.len() - E::WORDS..];
    let what = format!("{} {} {:x?}", line.name, line.rounds, line.words);
    let on_host: Vec<u64> = engine.block(0).as_ref().iter().map(|word| word.widened()).collect();
    assert_eq!(on_host, answer, "{what} on the host");
    let words = engine.bits::<E::Word>().take(E::WORDS).collect_on(queue).unwrap().to_vec().unwrap();
    let on_device: Vec<u64> = words.into_iter().map(Wide::widened).collect();
    assert_eq!(on_device, answer, "{what} on the device");
}

macro_rules! dispatch {
    ($queue:ident, $line:ident, $($text:literal $engine:ident $words:literal $key:literal [$($rounds:literal)*];)*) => {
        match ($line.name, $line.rounds) {
            $($(($text, $rounds) => {
                let counter = std::array::from_fn::<_, $words, _>(|at| Wide::narrow($line.words[at]));
                let key = std::array::from_fn::<_, $key, _>(|at| Wide::narrow($line.words[$words + at]));
                check($queue, $engine::<$rounds>::with_key(key).with_counter(counter), $line);
            })*)*
            other => panic!("no engine for {other:?}"),
        }
    };
}

#[test]
fn every_line_of_philox() {
    every_line_on_both_sides("philox");
}

#[test]
fn every_line_of_threefry() {
    every_line_on_both_sides("threefry");
}

fn every_line_on_both_sides(family: &str) {
    let lines = lines();
    // 60 lines of the library, and 24 more.
    assert_eq!(lines.len(), 84);
    assert!(lines.iter().all(|line| line.name.starts_with("philox") || line.name.starts_with("threefry")));
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for line in lines.iter().filter(|line| line.name.starts_with(family)) {
            dispatch! { queue, line,
                "philox2x32" Philox2x32 2 1 [7 10];
                "philox4x32" Philox4x32 4 2 [7 10];
                "philox2x64" Philox2x64 2 1 [7 10];
                "philox4x64" Philox4x64 4 2 [7 10];
                "threefry2x32" Threefry2x32 2 2 [13 20 32];
                "threefry4x32" Threefry4x32 4 4 [13 20 72];
                "threefry2x64" Threefry2x64 2 2 [13 20 32];
                "threefry4x64" Threefry4x64 4 4 [13 20 72];
            }
        }
    });
}
