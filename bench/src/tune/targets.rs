//! The targets of the search: the tunable shapes, the cases that time them, and the candidate values.

use crate::options::Size;
use cl_algo::{Tunable, Tuning, tunables};

/// The values to try in each of the three columns of a tuning table's row. A column without values stays
/// unset.
#[derive(Clone, Copy)]
pub(super) struct Axes {
    group: &'static [usize],
    bytes: &'static [usize],
    groups: &'static [usize],
}

const NONE: Axes = Axes { group: &[], bytes: &[], groups: &[] };

impl Axes {
    /// Returns all combinations of the values.
    pub(super) fn candidates(self) -> Vec<Tuning> {
        let options = |values: &[usize]| -> Vec<Option<usize>> {
            if values.is_empty() { vec![None] } else { values.iter().copied().map(Some).collect() }
        };
        let mut all = Vec::new();
        for group in options(self.group) {
            for bytes in options(self.bytes) {
                all.extend(options(self.groups).into_iter().map(|groups| Tuning { group, bytes, groups }));
            }
        }
        all.retain(|tuning| *tuning != Tuning::default());
        all
    }

    /// Returns the values of each axis alone. The other columns stay open, so the present choice decides them.
    pub(super) fn single_values(self) -> Vec<Vec<Tuning>> {
        let none = Tuning::default();
        let axes: [Vec<Tuning>; 3] = [
            self.group.iter().map(|&group| Tuning { group: Some(group), ..none }).collect(),
            self.bytes.iter().map(|&bytes| Tuning { bytes: Some(bytes), ..none }).collect(),
            self.groups.iter().map(|&groups| Tuning { groups: Some(groups), ..none }).collect(),
        ];
        axes.into_iter().filter(|axis| !axis.is_empty()).collect()
    }
}

/// A row of the tuning table, whose best values are searched for.
pub(super) struct Target {
    pub(super) tunable: &'static Tunable,
    /// The bytes of an element.
    pub(super) element_bytes: usize,
    /// The label of the case that is timed.
    pub(super) case: &'static str,
    /// The base-2 logarithm of the greatest number of elements. Shapes that are meant for short inputs have
    /// such a limit.
    pub(super) most: Size,
    /// The values to try on GPUs.
    pub(super) tiled: Axes,
    /// The values to try on CPUs.
    pub(super) chunked: Axes,
}

impl Target {
    /// Returns the name and the bytes of an element: `scan 4`.
    pub(super) fn label(&self) -> String {
        format!("{} {}", self.tunable, self.element_bytes)
    }

    const fn new(
        tunable: &'static Tunable,
        element_bytes: usize,
        case: &'static str,
        tiled: Axes,
        chunked: Axes,
    ) -> Target {
        Target { tunable, element_bytes, case, most: Size(usize::MAX), tiled, chunked }
    }
}

const fn group_and_bytes(group: &'static [usize], bytes: &'static [usize]) -> Axes {
    Axes { group, bytes, ..NONE }
}

const fn groups(groups: &'static [usize]) -> Axes {
    Axes { groups, ..NONE }
}

/// The labels of the targets on which most cases depend. A search with a limit of time begins with them, in this order.
const FIRST: [&str; 12] = [
    "sort 4",
    "scan 4",
    "select 4",
    "merge 4",
    "reduce by key 4",
    "reduce 4",
    "generate 4",
    "elementwise 4",
    "sort values 4",
    "fft:lines 8",
    "histogram 1",
    "sort 8",
];

/// Returns all targets, those on which most cases depend first.
pub(super) fn by_value() -> Vec<&'static Target> {
    let mut all: Vec<&Target> = ALL.iter().collect();
    // The sort is stable: the other targets keep their order.
    all.sort_by_key(|target| FIRST.iter().position(|label| *label == target.label()).unwrap_or(FIRST.len()));
    all
}

/// All targets. Their values surround the best ones found on an NVIDIA H200, or on a small CPU.
pub(super) const ALL: &[Target] = &[
    Target::new(
        &tunables::ELEMENTWISE,
        4,
        "z = a b + c f32",
        group_and_bytes(&[128, 256, 512, 1024], &[16, 32, 64]),
        Axes { bytes: &[64, 128, 256, 512], groups: &[4, 8, 16], ..NONE },
    ),
    Target::new(
        &tunables::ELEMENTWISE,
        8,
        "daxpy z = a x + y f64",
        group_and_bytes(&[128, 256, 512, 1024], &[16, 32, 64]),
        Axes { bytes: &[64, 128, 256, 512], groups: &[4, 8, 16], ..NONE },
    ),
    Target::new(
        &tunables::GENERATE,
        4,
        "uniform, Philox 4x32 f32",
        group_and_bytes(&[128, 256, 512], &[16, 32, 64, 128]),
        Axes { bytes: &[64, 128, 256, 512], groups: &[4, 8, 16], ..NONE },
    ),
    Target::new(
        &tunables::GENERATE,
        8,
        "uniform, Philox 4x32 f64",
        group_and_bytes(&[128, 256, 512], &[16, 32, 64, 128]),
        Axes { bytes: &[64, 128, 256, 512], groups: &[4, 8, 16], ..NONE },
    ),
    Target::new(
        &tunables::REDUCE,
        4,
        "sum f32",
        Axes { group: &[256, 512], bytes: &[32, 64, 128], groups: &[2, 4, 8] },
        Axes { bytes: &[128, 256, 512, 1024], groups: &[4, 8, 16], ..NONE },
    ),
    Target::new(
        &tunables::REDUCE,
        8,
        "sum f64",
        Axes { group: &[256, 512], bytes: &[32, 64, 128], groups: &[2, 4, 8] },
        Axes { bytes: &[128, 256, 512, 1024], groups: &[4, 8, 16], ..NONE },
    ),
    Target::new(
        &tunables::SCAN,
        4,
        "inclusive scan u32",
        group_and_bytes(&[128, 256, 384, 512], &[128, 160, 192, 224, 256]),
        groups(&[2, 4, 16, 32]),
    ),
    Target::new(
        &tunables::SCAN,
        8,
        "inclusive scan u64",
        group_and_bytes(&[128, 256, 384], &[128, 192, 256, 320]),
        groups(&[2, 4, 16, 32]),
    ),
    Target {
        most: Size::power(20),
        ..Target::new(
            &tunables::SHORT_SCAN,
            4,
            "inclusive scan u32",
            group_and_bytes(&[128, 256, 512], &[32, 64, 96, 128]),
            NONE,
        )
    },
    Target::new(
        &tunables::SELECT,
        4,
        "copy_if, half kept u32",
        group_and_bytes(&[128, 256, 384, 512], &[96, 112, 128, 144, 160]),
        groups(&[2, 4, 16, 32]),
    ),
    Target {
        most: Size::power(20),
        ..Target::new(
            &tunables::SHORT_SELECT,
            4,
            "copy_if, half kept u32",
            group_and_bytes(&[128, 256, 512], &[32, 64, 96]),
            NONE,
        )
    },
    Target::new(
        &tunables::SCAN_BY_KEY,
        4,
        "scan by key, runs of 4 u32",
        group_and_bytes(&[256, 384, 512], &[96, 128, 160, 192]),
        NONE,
    ),
    Target {
        most: Size::power(20),
        ..Target::new(
            &tunables::SHORT_SCAN_BY_KEY,
            4,
            "scan by key, runs of 4 u32",
            group_and_bytes(&[128, 256, 512], &[64, 96]),
            NONE,
        )
    },
    Target::new(
        &tunables::REDUCE_BY_KEY,
        4,
        "reduce_by_key, runs of 4 u32",
        group_and_bytes(&[256, 384, 512], &[96, 128, 160, 192]),
        NONE,
    ),
    Target {
        most: Size::power(20),
        ..Target::new(
            &tunables::SHORT_REDUCE_BY_KEY,
            4,
            "reduce_by_key, runs of 4 u32",
            group_and_bytes(&[128, 256, 512], &[64, 96]),
            NONE,
        )
    },
    Target::new(
        &tunables::REDUCE_SEGMENTS,
        4,
        "segment: sums, of 100000 items u32",
        group_and_bytes(&[256, 512, 1024], &[32, 64, 128]),
        NONE,
    ),
    Target::new(
        &tunables::SORT,
        4,
        "sort u32",
        group_and_bytes(&[256, 320, 384, 512], &[48, 64, 72, 80, 88, 92, 96]),
        groups(&[1, 2, 4, 16]),
    ),
    Target::new(
        &tunables::SORT,
        8,
        "sort u64",
        group_and_bytes(&[256, 384, 512], &[64, 80, 88, 96, 128]),
        groups(&[1, 2, 4, 16]),
    ),
    Target::new(
        &tunables::SORT_VALUES,
        4,
        "sort_by_key, one vector of u32 u32",
        group_and_bytes(&[256, 320, 384, 512], &[48, 64, 72, 80, 88]),
        groups(&[1, 2, 4, 16]),
    ),
    Target::new(
        &tunables::SORT_COUNTS,
        4,
        "sort u32",
        Axes { group: &[256, 512, 1024], bytes: &[16, 32, 64], groups: &[4, 8] },
        NONE,
    ),
    // At 4 bytes an item, a work-item holds 7, 11, 13, 15, 19, 23 or 31 items. The number is odd so that the
    // items of neighbouring work-items lie in different banks.
    Target::new(
        &tunables::MERGE,
        4,
        "merge of two halves u32",
        group_and_bytes(&[128, 256, 512], &[28, 44, 52, 60, 76, 92, 124]),
        groups(&[2, 4, 16, 32]),
    ),
    Target::new(
        &tunables::MERGE_BLOCKS,
        4,
        "merge sort of random numbers u32",
        NONE,
        group_and_bytes(&[], &[2048, 4096, 8192]),
    ),
    Target::new(
        &tunables::HISTOGRAM,
        1,
        "histogram, 256 bins u8",
        Axes { group: &[256, 512, 1024], bytes: &[16, 32, 64], groups: &[4, 8, 16] },
        Axes { bytes: &[32, 64, 128], groups: &[8, 16, 32], ..NONE },
    ),
    Target::new(
        &tunables::PRODUCT,
        4,
        "array: product, 1024 x 1024 f32",
        Axes { group: &[128, 256, 512], bytes: &[0, 4096], groups: &[1, 2] },
        NONE,
    ),
    Target::new(
        &tunables::SEARCH,
        4,
        "lower bounds, random needles u32",
        group_and_bytes(&[128, 256, 512], &[4, 8, 16, 32]),
        Axes { bytes: &[16, 32], groups: &[8, 16, 32], ..NONE },
    ),
    Target::new(
        &cl_fft::plan::LINES,
        8,
        "FFT of 1024 points c32",
        group_and_bytes(&[64, 128, 256], &[64, 128, 192, 256]),
        group_and_bytes(&[], &[128 << 10, 256 << 10, 1 << 20, 2 << 20]),
    ),
    Target::new(
        &cl_fft::plan::LINES,
        16,
        "FFT of 1024 points c64",
        group_and_bytes(&[64, 128, 256], &[128, 192, 256, 384]),
        group_and_bytes(&[], &[128 << 10, 256 << 10, 1 << 20, 2 << 20]),
    ),
    // Here a group is the number of columns of a panel, and groups choose the processor of panels.
    Target::new(
        &cl_linalg::LU,
        8,
        "linalg: lu 2048 f64",
        Axes { group: &[16, 32, 64, 96, 128], groups: &[0, 1], ..NONE },
        Axes { group: &[32, 64, 96], groups: &[0, 1], ..NONE },
    ),
    Target::new(
        &cl_linalg::CHOLESKY,
        8,
        "linalg: cholesky 2048 f64",
        Axes { group: &[64, 128, 256, 512, 1024], groups: &[0, 1], ..NONE },
        Axes { bytes: &[1 << 20, usize::MAX], ..NONE },
    ),
    Target::new(
        &cl_linalg::QR,
        8,
        "linalg: qr 1000 f64",
        Axes { group: &[32, 64, 96, 128], groups: &[0, 1], ..NONE },
        Axes { bytes: &[1 << 20, usize::MAX], ..NONE },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{self, Case};
    use crate::report::element_bytes;

    #[test]
    fn each_target_times_a_case_of_such_elements() {
        for target in ALL {
            let case = cases::ALL.iter().find(|case: &&Case| case.label() == target.case).unwrap();
            assert_eq!(element_bytes(case.element), target.element_bytes, "{}", target.label());
        }
    }

    #[test]
    fn everything_is_tuned_and_nothing_twice() {
        let others = [&cl_fft::plan::LINES, &cl_linalg::LU, &cl_linalg::CHOLESKY, &cl_linalg::QR];
        for tunable in tunables::ALL.into_iter().chain(others) {
            let name = tunable.name();
            assert!(ALL.iter().any(|target| target.tunable.name() == name), "{name}");
        }
        for (at, target) in ALL.iter().enumerate() {
            assert!(ALL[..at].iter().all(|other| other.label() != target.label()), "{}", target.label());
            let tried = [target.tiled, target.chunked].map(|axes| axes.candidates().len());
            assert!(tried != [0, 0] && !tried.contains(&1), "{}: one value is not a choice", target.label());
        }
    }

    #[test]
    fn candidates_are_all_combinations() {
        let axes = Axes { group: &[1, 2], bytes: &[], groups: &[3, 4, 5] };
        let all = axes.candidates();
        assert_eq!(all.len(), 6);
        assert_eq!(all[0], Tuning { group: Some(1), bytes: None, groups: Some(3) });
        assert!(NONE.candidates().is_empty());
        let single: Vec<usize> = axes.single_values().iter().map(Vec::len).collect();
        assert_eq!(single, [2, 3]);
        assert_eq!(axes.single_values()[1][0], Tuning { groups: Some(3), ..Tuning::default() });
    }

    #[test]
    fn the_most_valuable_targets_come_first() {
        let labels: Vec<String> = by_value().iter().map(|target| target.label()).collect();
        assert_eq!(labels[..FIRST.len()], FIRST);
        assert_eq!(labels.len(), ALL.len());
    }
}
