//! The time of a row compared with its device's limits: the bandwidth or the arithmetic.

use crate::cases::{Case, Ceiling, Traffic};
use crate::report::Row;

/// The limits that were measured so far.
#[derive(Debug, Default)]
pub(crate) struct Roofline {
    bandwidths: Vec<Bandwidth>,
    /// The element types with their operations per second.
    rates: Vec<(String, f64)>,
}

#[derive(Debug)]
struct Bandwidth {
    traffic: Traffic,
    vector_bytes: usize,
    gb_per_s: f64,
}

/// The allowed difference of two vector sizes that count as equal, as a part of the size. Transforms do not
/// fill every size, so their vectors are a little shorter.
const SIZE_TOLERANCE: f64 = 1.0 / 64.0;

/// The greatest factor between the vector size of a measured limit and that of a row to which it is applied.
/// At sizes further apart, caches and launches take different shares of the time.
const MAX_SIZE_RATIO: usize = 4;
/// The number of bytes from which on all vectors count as equally long, because few caches hold them.
const BEYOND_CACHES: usize = 64 << 20;
/// The greatest number of vectors that a case on vectors moves. A step of the Lorenz system moves six. A case
/// that moves more bytes has larger elements than `Row::vector_bytes` counts: the elements of a sparse
/// product are rows of a matrix.
const MAX_VECTORS_MOVED: usize = 8;

/// Returns the vector size, in bytes, of the copy that a row is compared with. If the case moves far more
/// than its vectors, the copy moves as many bytes, half of them by reading and half by writing.
fn size(case: &Case, row: &Row) -> usize {
    if moves_far_more(case, row) { case.bytes_per_element * row.n / 2 } else { row.vector_bytes() }
}

fn moves_far_more(case: &Case, row: &Row) -> bool {
    case.bytes_per_element * row.n > MAX_VECTORS_MOVED * row.vector_bytes()
}

impl Roofline {
    /// Stores the row's measurement if it is a limit. Fills in `fraction_of_copy` and `fraction_of_roofline`,
    /// by the limits that are known so far.
    pub(crate) fn complete(&mut self, case: &Case, row: &mut Row) {
        match (case.ceiling, row.gb_per_s) {
            (Some(Ceiling::Bandwidth), Some(gb_per_s)) => {
                let vector_bytes = row.vector_bytes();
                self.bandwidths.push(Bandwidth { traffic: case.traffic, vector_bytes, gb_per_s });
            }
            (Some(Ceiling::Rate), _) => {
                self.rates.extend(row.elements_per_second.map(|rate| (row.element.clone(), rate)));
            }
            _ => {}
        }
        let same_size = self
            .bandwidth(Traffic::Both, row.vector_bytes())
            .filter(|(bytes, _)| bytes.abs_diff(row.vector_bytes()) as f64 <= SIZE_TOLERANCE * *bytes as f64)
            .filter(|_| !moves_far_more(case, row));
        row.fraction_of_copy = row.gb_per_s.zip(same_size).map(|(rate, (_, copy))| rate / copy);
        row.fraction_of_roofline = self.least_seconds(case, row).map(|least| least / row.median_seconds);
    }

    /// Returns the seconds that the row's work would take at the limits: the longer of moving its bytes and
    /// computing.
    fn least_seconds(&self, case: &Case, row: &Row) -> Option<f64> {
        if row.gb_per_s.is_none() && case.flops_per_element == 0.0 {
            return None;
        }
        let best = self.bandwidth(case.traffic, size(case, row))?.1;
        let moving = row.gb_per_s.map_or(0.0, |rate| row.median_seconds * rate / best);
        let flops = case.flops_per_element * row.n as f64;
        let bits = if row.element.ends_with("64") { "f64" } else { "f32" };
        let rate = self.rates.iter().find(|(element, _)| element == bits).map(|(_, rate)| *rate);
        Some(if flops > 0.0 { moving.max(flops / rate?) } else { moving })
    }

    /// Returns the vector size nearest to `vector_bytes` at which bandwidth was measured for this traffic,
    /// and the best bandwidth at this size. Returns `None` if even the nearest size is too far away.
    fn bandwidth(&self, traffic: Traffic, vector_bytes: usize) -> Option<(usize, f64)> {
        let far = |known: &Bandwidth| {
            let ratio = known.vector_bytes.max(1) as f64 / vector_bytes.max(1) as f64;
            ratio.max(1.0 / ratio)
        };
        let fitting = || self.bandwidths.iter().filter(|known| known.traffic == traffic);
        let is_near = |known: &Bandwidth| {
            let [a, b] = [known.vector_bytes, vector_bytes].map(|bytes| bytes.min(BEYOND_CACHES));
            a <= MAX_SIZE_RATIO * b && b <= MAX_SIZE_RATIO * a
        };
        let nearest = fitting().map(far).min_by(f64::total_cmp)?;
        let rates = fitting().filter(|known| far(known) == nearest && is_near(known));
        rates.map(|known| (known.vector_bytes, known.gb_per_s)).max_by(|(_, a), (_, b)| a.total_cmp(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    fn case(label: &str) -> &'static Case {
        cases::ALL.iter().find(|case| case.label() == label).unwrap()
    }

    /// Returns a row of a case with `n` elements, at `rate` GB/s.
    fn row(case: &Case, n: usize, rate: f64) -> Row {
        let gb_per_s = (case.bytes_per_element > 0).then_some(rate);
        let median_seconds = if rate > 0.0 { (case.bytes_per_element * n) as f64 / rate * 1e-9 } else { 1.0 };
        let elements_per_second = Some(n as f64 / median_seconds);
        Row { n, gb_per_s, median_seconds, elements_per_second, ..Row::of(case.name, case.element, "") }
    }

    fn completed(roofline: &mut Roofline, label: &str, n: usize, rate: f64) -> Row {
        let case = case(label);
        let mut row = row(case, n, rate);
        roofline.complete(case, &mut row);
        row
    }

    fn assert_near(value: Option<f64>, expected: f64) {
        assert!(
            value.is_some_and(|value| (value - expected).abs() < 1e-9 * expected),
            "{value:?}, {expected}"
        );
    }

    #[test]
    fn a_row_is_compared_with_the_better_copy_of_its_own_size() {
        let mut all = Roofline::default();
        completed(&mut all, "copy (clEnqueueCopyBuffer) f32", 64, 20.0);
        completed(&mut all, "copy (kernel) f32", 64, 10.0);
        completed(&mut all, "copy (kernel) f32", 1024, 100.0);
        assert_near(completed(&mut all, "sum f32", 64, 30.0).fraction_of_copy, 1.5);
        assert_near(completed(&mut all, "sum f64", 32, 10.0).fraction_of_copy, 0.5);
        assert_near(completed(&mut all, "sum u32", 1024, 50.0).fraction_of_copy, 0.5);
        assert_near(completed(&mut all, "FFT of 1000 points c32", 510, 50.0).fraction_of_copy, 0.5);
        assert_eq!(completed(&mut all, "sum u32", 7, 50.0).fraction_of_copy, None);
        assert_eq!(completed(&mut all, "call: launch f32", 64, 0.0).fraction_of_copy, None);
    }

    #[test]
    fn what_only_reads_is_compared_with_reading() {
        let mut all = Roofline::default();
        assert_eq!(completed(&mut all, "sum f32", 64, 30.0).fraction_of_roofline, None);
        for (label, rate) in
            [("copy (kernel) f32", 10.0), ("read (kernel) u32", 20.0), ("write (kernel) u32", 40.0)]
        {
            assert_near(completed(&mut all, label, 64, rate).fraction_of_roofline, 1.0);
        }
        assert_near(completed(&mut all, "sum f32", 64, 10.0).fraction_of_roofline, 0.5);
        assert_near(completed(&mut all, "reverse f32", 64, 5.0).fraction_of_roofline, 0.5);
        assert_near(completed(&mut all, "uniform, Philox 4x32 f32", 64, 10.0).fraction_of_roofline, 0.25);
        // A read of this size was not measured, so the nearest size counts.
        assert_near(completed(&mut all, "sum f32", 100, 10.0).fraction_of_roofline, 0.5);
    }

    #[test]
    fn a_ceiling_of_another_size_says_nothing() {
        let mut all = Roofline::default();
        completed(&mut all, "copy (kernel) f32", 8, 10.0);
        assert_near(completed(&mut all, "saxpy z = a x + y f32", 32, 5.0).fraction_of_roofline, 0.5);
        for n in [1, 33, 65_536] {
            assert_eq!(
                completed(&mut all, "saxpy z = a x + y f32", n, 5.0).fraction_of_roofline,
                None,
                "{n}"
            );
        }
        // Both vectors are larger than the caches.
        completed(&mut all, "copy (kernel) f32", 1 << 28, 10.0);
        assert_near(completed(&mut all, "saxpy z = a x + y f32", 1 << 24, 5.0).fraction_of_roofline, 0.5);
        assert_eq!(completed(&mut all, "saxpy z = a x + y f32", 1 << 20, 5.0).fraction_of_roofline, None);
    }

    #[test]
    fn what_moves_far_more_than_vectors_is_compared_with_a_copy_that_moves_as_much() {
        let mut all = Roofline::default();
        completed(&mut all, "copy (kernel) f32", 1 << 10, 400.0);
        completed(&mut all, "copy (kernel) f32", 1 << 15, 100.0);
        let row = completed(&mut all, "sparse product, 32 anywhere in a row f32", 1 << 10, 50.0);
        assert_near(row.fraction_of_roofline, 0.5);
        assert_eq!(row.fraction_of_copy, None);
        assert_near(completed(&mut all, "a += b + c d f32", 1 << 10, 200.0).fraction_of_copy, 0.5);
    }

    /// At the default sizes of a device, the fractions stay those of a kept report.
    #[test]
    fn values_of_a_report_that_was_kept_are_found_again() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/results/2026-11-23-nvidia-h200.json");
        let (mut all, mut compared) = (Roofline::default(), 0);
        for mut row in crate::report::read(path.as_ref()).unwrap() {
            let label = format!("{} {}", row.case, row.element);
            // The bare calls of a comparison have no case of their own.
            let Some(case) = cases::ALL.iter().find(|case| case.label() == label) else { continue };
            let kept = [row.fraction_of_copy, row.fraction_of_roofline];
            all.complete(case, &mut row);
            for (found, kept) in [row.fraction_of_copy, row.fraction_of_roofline].into_iter().zip(kept) {
                assert_eq!(found.is_some(), kept.is_some(), "{label}");
                if let Some(kept) = kept {
                    assert_near(found, kept);
                    compared += 1;
                }
            }
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn arithmetic_is_the_ceiling_where_it_takes_longer() {
        let mut all = Roofline::default();
        let n = 1 << 20;
        let lorenz = "Lorenz RK4 step, recorded f64";
        completed(&mut all, "copy (kernel) f32", 8 * n, 1000.0);
        assert_eq!(completed(&mut all, lorenz, n, 100.0).fraction_of_roofline, None, "the rate is not known");
        // Each element takes 48 bytes and 75 operations: 48 ps at 1000 GB/s, and 750 ps at 10^11
        // operations per second.
        let rate = case("multiply and add, operations f64");
        let mut row = Row { elements_per_second: Some(1e11), ..row(rate, n, 0.0) };
        all.complete(rate, &mut row);
        assert_eq!(row.fraction_of_roofline, None);
        assert_near(completed(&mut all, lorenz, n, 32.0).fraction_of_roofline, 0.5);
        all.rates.insert(0, ("f64".to_owned(), 1e15));
        assert_near(completed(&mut all, lorenz, n, 500.0).fraction_of_roofline, 0.5);
    }
}
