//! Counters: integers of two or four words, the lowest first, to which positions are added.

use cl_algo::device_fn;

/// A counter on the host.
pub(super) trait Counter: Sized {
    /// Returns the counter plus `by` times 2^`shift`, without a carry out of the last word.
    fn plus(self, by: u128, shift: u32) -> Self;
}

macro_rules! counters {
    ($($word:ty, $len:literal;)*) => {$(
        impl Counter for [$word; $len] {
            fn plus(mut self, by: u128, shift: u32) -> Self {
                const BITS: u32 = <$word>::BITS;
                let (mut by, first) = (by, (shift / BITS) as usize);
                // Each word of the counter gets its own bits of `by`, and the carry of the word before.
                let mut carry = 0_u128;
                let mut within = shift % BITS;
                for word in &mut self[first.min($len)..] {
                    let taken = BITS - within;
                    let part = (by & ((1 << taken) - 1)) << within;
                    by >>= taken;
                    within = 0;
                    let sum = u128::from(*word) + part + carry;
                    *word = sum as $word;
                    carry = sum >> BITS;
                }
                self
            }
        }
    )*};
}

counters! {
    u32, 2;
    u32, 4;
    u64, 2;
    u64, 4;
}

/// Returns the counter `c0`, `c1` plus `at`. Devices use this function if the addition can carry out of the
/// lowest word.
#[device_fn]
pub(super) fn plus2x32(at: u64, c0: u32, c1: u32) -> (u32, u32) {
    let sum = (c0 as u64 | (c1 as u64) << 32).wrapping_add(at);
    (sum as u32, (sum >> 32) as u32)
}

/// Does the same as [`plus2x32`] for four words of 32 bits.
#[device_fn]
pub(super) fn plus4x32(at: u64, c0: u32, c1: u32, c2: u32, c3: u32) -> (u32, u32, u32, u32) {
    let low = (c0 as u64 | (c1 as u64) << 32).wrapping_add(at);
    let carry = if low < at { 1 } else { 0 };
    let high = (c2 as u64 | (c3 as u64) << 32).wrapping_add(carry);
    (low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32)
}

/// Does the same as [`plus2x32`] for two words of 64 bits.
#[device_fn]
pub(super) fn plus2x64(at: u64, c0: u64, c1: u64) -> (u64, u64) {
    let low = c0.wrapping_add(at);
    (low, if low < at { c1.wrapping_add(1) } else { c1 })
}

/// Does the same as [`plus2x32`] for four words of 64 bits.
#[device_fn]
pub(super) fn plus4x64(at: u64, c0: u64, c1: u64, c2: u64, c3: u64) -> (u64, u64, u64, u64) {
    let x0 = c0.wrapping_add(at);
    let x1 = if x0 < at { c1.wrapping_add(1) } else { c1 };
    let x2 = if x0 < at && x1 == 0 { c2.wrapping_add(1) } else { c2 };
    let x3 = if x0 < at && x1 == 0 && x2 == 0 { c3.wrapping_add(1) } else { c3 };
    (x0, x1, x2, x3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_go_all_the_way() {
        assert_eq!([u32::MAX, 5].plus(1, 0), [0, 6]);
        assert_eq!([u32::MAX; 4].plus(1, 0), [0; 4]);
        assert_eq!([7, u32::MAX, 3, 0].plus(3, 32), [7, 2, 4, 0]);
        assert_eq!([0_u32; 2].plus(0x1_0003, 16), [0x3_0000, 1]);
        assert_eq!([0_u32; 2].plus(9, 64), [0, 0]);
        assert_eq!([u64::MAX, u64::MAX, 1, 2].plus(u128::MAX, 0), [u64::MAX - 1, u64::MAX, 2, 2]);
        assert_eq!([1_u64, 0, 0, 0].plus(u128::from(u64::MAX), 192), [1, 0, 0, u64::MAX]);
    }

    #[test]
    fn devices_add_as_hosts_do() {
        for at in [0, 1, 77, u64::from(u32::MAX), 1 << 32, u64::MAX] {
            let by = u128::from(at);
            for c in [[0_u32, 0, 0, 0], [1, 2, 3, 4], [u32::MAX; 4], [u32::MAX, u32::MAX, u32::MAX, 7]] {
                let (a, b) = plus2x32(at, c[0], c[1]);
                assert_eq!([a, b], [c[0], c[1]].plus(by, 0));
                let sum = plus4x32(at, c[0], c[1], c[2], c[3]);
                assert_eq!([sum.0, sum.1, sum.2, sum.3], c.plus(by, 0));
            }
            for c in [[0_u64, 0, 0, 0], [1, 2, 3, 4], [u64::MAX; 4], [u64::MAX, u64::MAX, u64::MAX, 7]] {
                let (a, b) = plus2x64(at, c[0], c[1]);
                assert_eq!([a, b], [c[0], c[1]].plus(by, 0));
                let sum = plus4x64(at, c[0], c[1], c[2], c[3]);
                assert_eq!([sum.0, sum.1, sum.2, sum.3], c.plus(by, 0));
            }
        }
    }
}
