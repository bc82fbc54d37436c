//! Integer arithmetic: factors, powers, and lengths without large prime factors.

/// Returns `true` if all prime factors of the number are at most 13, the largest prime that has a butterfly.
pub(crate) fn is_smooth(n: usize) -> bool {
    let mut rest = n.max(1);
    for prime in [2, 3, 5, 7, 11, 13] {
        while rest.is_multiple_of(prime) {
            rest /= prime;
        }
    }
    rest == 1
}

/// Returns the smallest number that is at least `least` and has only prime factors up to 13.
pub(crate) fn smooth_from(least: usize) -> usize {
    (least.max(1)..).find(|&n| is_smooth(n)).unwrap_or(least)
}

/// Returns `true` if the number is a prime.
pub(crate) fn is_prime(n: usize) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// Returns the divisors, in ascending order.
pub(crate) fn divisors(n: usize) -> Vec<usize> {
    let mut low: Vec<usize> = (1..).take_while(|d| d * d <= n).filter(|&d| n.is_multiple_of(d)).collect();
    let high: Vec<usize> = low.iter().rev().map(|d| n / d).filter(|&d| d * d > n).collect();
    low.extend(high);
    low
}

/// Returns `base^exponent` modulo `modulus`. `modulus` must be less than 2^32, so that products fit `u64`.
pub(crate) fn power(base: u64, exponent: u64, modulus: u64) -> u64 {
    let (mut result, mut square, mut rest) = (1 % modulus, base % modulus, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        rest >>= 1;
    }
    result
}

/// Returns the smallest primitive root of an odd prime. Modulo the prime, the powers of a primitive root are
/// all numbers from 1 to `prime - 1`.
pub(crate) fn primitive_root(prime: usize) -> usize {
    let order = prime - 1;
    let primes: Vec<usize> = divisors(order).into_iter().filter(|&d| is_prime(d)).collect();
    let generates =
        |&root: &usize| primes.iter().all(|&p| power(root as u64, (order / p) as u64, prime as u64) != 1);
    // A primitive root always exists; the root of the prime 2 is 1.
    (2..prime).find(generates).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_and_powers() {
        assert!(
            (1..=16).all(is_smooth) && is_smooth(13 * 11 * 7 * 1024) && !is_smooth(17) && !is_smooth(1009)
        );
        assert_eq!(
            (0..30).filter(|&n| is_prime(n)).collect::<Vec<_>>(),
            [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
        );
        assert_eq!(divisors(36), [1, 2, 3, 4, 6, 9, 12, 18, 36]);
        assert_eq!(divisors(1), [1]);
        assert_eq!(power(3, 200, 1009), (0..200).fold(1, |p, _| p * 3 % 1009));
        for prime in [3, 5, 17, 1009, 65_537] {
            let root = primitive_root(prime);
            let mut seen = vec![false; prime];
            (0..prime - 1).for_each(|e| seen[power(root as u64, e as u64, prime as u64) as usize] = true);
            assert!(seen[1..].iter().all(|&seen| seen), "{root} of {prime}");
        }
    }
}
