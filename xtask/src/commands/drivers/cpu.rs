//! The processor time of the tests.

use std::time::Duration;

/// The ticks per second of the times in `/proc`: `USER_HZ`, which is 100 on x86-64 and Arm.
const TICKS: u64 = 100;

/// Returns the processor time, user and system, of the child processes that have ended, or `None` if `/proc`
/// does not tell it.
///
/// Unlike elapsed time, the processor time does not grow on a busy machine.
pub(super) fn of_children() -> Option<Duration> {
    parse(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

fn parse(stat: &str) -> Option<Duration> {
    // The name of the program stands in parentheses, and may itself contain spaces and parentheses.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(13);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(Duration::from_millis((user + system) * 1000 / TICKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_children_are_the_sixteenth_and_seventeenth_field() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 10 20 0 0 11 12 250 50 20 0 1 0";
        assert_eq!(parse(stat), Some(Duration::from_secs(3)));
        assert_eq!(parse("7 (x) S 1"), None);
        assert_eq!(parse(""), None);
    }
}
