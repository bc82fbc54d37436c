//! The small kernels by which `cl-algo` probes a device before it relies on it, and their right answers.
//!
//! The answers are computed here a second time, from the meaning of the kernels' texts. Whoever changes one
//! of these kernels must change its answers here. Otherwise the recorded devices count as faulty, and the
//! test of recorded devices fails.

use super::declaration::Declared;

/// The kernels that have answers here.
pub(crate) const KERNELS: [&str; 6] =
    ["lone_item", "meeting_items", "adding_group", "test_sub_groups", "test_matrix_units", "test_fragments"];

/// Returns the words that a probe's kernel leaves in its first argument; `None` for any other kernel.
///
/// `numbers` are the other arguments, and `group` is the number of work-items in a work-group.
pub(super) fn answers(kernel: &str, text: &Declared, numbers: &[u32], group: usize) -> Option<Vec<u32>> {
    match (kernel, numbers) {
        ("lone_item", &[steps, few]) => Some(lone_item(text, steps, few)),
        ("meeting_items", &[rounds]) => Some(meeting_items(text, rounds, group)),
        ("adding_group", &[first]) => Some(adding_group(text, first, ADDING_GROUPS)),
        ("test_sub_groups", &[third]) => Some(sub_groups(third, group, text.value("SUB_GROUP_WIDTH"))),
        ("test_matrix_units", &[first]) => {
            let inner = [8, 16, 16, 4][text.value("FORMAT")];
            Some(small_product(first, [16, inner, 8]))
        }
        ("test_fragments", &[first]) => {
            Some(small_product(first, [64, if text.value("FORMAT") == 0 { 8 } else { 16 }, 64]))
        }
        _ => None,
    }
}

/// Returns the answers of `test_matrix_units` and `test_fragments`: the product of a matrix of `rows` rows and one of `columns`
/// columns, with `inner` products for each item, row by row, and `first` added to each element.
fn small_product(first: u32, [rows, inner, columns]: [u32; 3]) -> Vec<u32> {
    let item =
        |row: u32, column: u32| (0..inner).map(|k| (first + row + k) * (first + column + 2 * k)).sum::<u32>();
    (0..rows).flat_map(|row| (0..columns).map(move |column| first + item(row, column))).collect()
}

/// Returns the answers of `lone_item`: loops end where they should, and structs keep the values that are
/// written to them.
fn lone_item(text: &Declared, steps: u32, few: u32) -> Vec<u32> {
    let structs = text.value("STRUCTS");
    let mut answers = vec![0; text.value("MEETING")];
    answers[text.value("LONG_LOOP")] = steps;
    answers[text.value("SHORT_LOOP")] = few;
    answers[structs..structs + 4].copy_from_slice(&[steps, few, few, steps]);
    answers
}

/// The number of work-groups of `meeting_items`.
const MEETING_GROUPS: usize = 2;

/// Returns the answers of `meeting_items`: each work-item of a group has met all others in each round, and
/// before the first.
fn meeting_items(text: &Declared, rounds: u32, group: usize) -> Vec<u32> {
    let (first, items) = (text.value("MEETING"), MEETING_GROUPS * group);
    let mut answers = vec![0; first + items];
    answers[text.value("ATOMIC_SUM")] = rounds * items as u32;
    answers[first..].fill((rounds + 1) * group as u32);
    answers
}

/// The number of work-groups of `adding_group`.
const ADDING_GROUPS: usize = 256;

/// Returns the answers of `adding_group`: the last group sees the values that all groups have stored.
fn adding_group(text: &Declared, first: u32, groups: usize) -> Vec<u32> {
    let stored: Vec<u32> = (first..).take(groups).collect();
    let mut answers = vec![0; text.value("STORED")];
    answers[text.value("ARRIVED")] = groups as u32;
    answers[text.value("SUM")] = stored.iter().sum();
    answers.extend(stored);
    answers
}

/// Returns the answers of `test_sub_groups`: the first words of all work-items, then the second words, and so
/// on. Sub-groups have `width` work-items.
fn sub_groups(third: u32, group: usize, width: usize) -> Vec<u32> {
    let items: Vec<Vec<u32>> = (0..group).map(|me| sub_group_item(third, me, width)).collect();
    (0..items[0].len()).flat_map(|answer| items.iter().map(move |answers| answers[answer])).collect()
}

/// Returns the values that one work-item exchanges with its sub-group: lanes, votes, a struct from the lane
/// below, structs from other lanes, and scanned structs.
fn sub_group_item(third: u32, me: usize, lanes: usize) -> Vec<u32> {
    let lane = me % lanes;
    let first = me - lane;
    let own = |lane: usize| {
        let item = (first + lane) as u32;
        (u64::from(item) << 40 | u64::from(2 * item + 3), item.wrapping_mul(2_654_435_761))
    };
    let words = |(scale, shift): (u64, u32)| [scale as u32, (scale >> 32) as u32, shift];
    // The order matters: `a` comes before `b`.
    let carry = |a: (u64, u32), b: (u64, u32)| {
        (a.0.wrapping_mul(b.0), b.1.wrapping_add((b.0 as u32).wrapping_mul(a.1)))
    };
    let votes: u64 = (0..lanes).filter(|lane| (first + lane) as u32 % 3 == third).map(|lane| 1 << lane).sum();
    let everyone = if lanes == 64 { u64::MAX } else { (1 << lanes) - 1 };
    let words_of = |votes: u64| [votes as u32, (votes >> 32) as u32];

    let mut answers = vec![lane as u32];
    answers.extend([votes, 0, everyone].map(words_of).concat());
    for distance in [1, 2, 4, 8, 16, 32].into_iter().filter(|&distance| distance < lanes) {
        answers.extend(words(own(lane.checked_sub(distance).unwrap_or(lane))));
    }
    for from in [0, lanes - 1, third as usize + 5, (lane + lanes - 1) % lanes] {
        answers.extend(words(own(from)));
    }
    for width in [lanes, lanes / 4] {
        let begin = (lane + 1).saturating_sub(width);
        answers.extend(words((begin..=lane).map(own).reduce(carry).unwrap_or_default()));
    }
    let alone = if first > 0 { (votes, first as u32 + third) } else { (0, 0) };
    answers.extend(words_of(alone.0));
    answers.push(alone.1);
    let heard =
        (0..lanes).fold(0_u32, |sum, k| sum.wrapping_mul(31).wrapping_add(((me ^ k) * lanes + k) as u32));
    answers.extend([heard, me as u32]);
    answers
}
