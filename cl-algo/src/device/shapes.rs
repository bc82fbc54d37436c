//! The rules for shapes of this crate's algorithms, by architecture: one table.
//!
//! Rules were measured on an NVIDIA H200 and on small CPUs; a GPU that nobody has measured has the rule of every GPU. A
//! new architecture gets rules of its own in front of that one.

use super::tunable::{Rule, Tunable};
use cl_core::Vendor;

const NVIDIA: Rule = Rule::on(Vendor::Nvidia).local(40 << 10); // of 48 KiB
const GPU: Rule = Rule::gpu();
/// Eight work-groups a compute unit, so that one slow core does not hold up the rest.
const CPU: Rule = Rule::cpu().groups(8);

/// Defines tunables by their names and rules, and the list of all of them.
macro_rules! tunables {
    ($($(#[$doc:meta])* pub static $name:ident = $label:literal: [$($rule:expr),* $(,)?];)*) => {
        $(
            $(#[$doc])*
            pub static $name: Tunable = Tunable::new($label, &[$($rule),*]);
        )*

        /// All of this crate.
        pub static ALL: [&Tunable; [$($label),*].len()] = [$(&$name),*];
    };
}

tunables! {
    /// Assignments of expressions, in place too.
    ///
    /// On GPUs one pack of 16 bytes a work-item and no loop: on an H200 that moves 2 % more than
    /// `clEnqueueCopyBuffer`, where a grid-stride loop loses 6 to 30 %.
    pub static ELEMENTWISE = "elementwise": [GPU.packs(1), CPU.packs(4)];

    /// Assignments of expressions that compute several elements at once, such as random numbers.
    ///
    /// On GPUs work-items have four packs, so that what is the same for all, round keys for example, is computed for
    /// four.
    pub static GENERATE = "generate": [GPU.packs(4), CPU.packs(4)];

    /// Reductions and searches for the first. On GPUs groups are no larger than the rule's.
    ///
    /// A grid that fills the device, with 64 bytes a work-item in flight. On an H200, GB/s of summing 2^28 `f32` and
    /// of the dot product of two such vectors, by work-groups a compute unit: 2 4324 and 4425, 4 4496 and 4580, 6
    /// 4473 and 4573, 8 4481 and 4445, 16 4465, 32 4393, 64 4268; with 8 packs or 2 instead of 4 1 to 2 % less.
    /// Groups of 512 take 240.0 to 241.5 us where those of 256 take 242.3 to 243.7. (PoCL 3.1 in the guise of a GPU
    /// never ends a reduction by 512.)
    pub static REDUCE = "reduce": [
        NVIDIA.group(512).packs(4).groups(4).local(24 << 10),
        GPU.packs(4).groups(4),
        CPU.packs(8),
    ];

    /// Scans of long inputs. On CPUs "bytes" are the fewest that are worth a work-group of their own.
    ///
    /// As much in registers as leaves room for 768 work-items at once on a compute unit of 65536 registers: at most
    /// 80 for each. On an H200, 2^28 `u32` take 0.646 ms by 384 work-items and 12 packs, 0.658 by 256 and 12, 0.663
    /// by 512 and 8; 2^27 `u64` take 0.641 ms by 384 and 10 packs of two, and 0.752 by 384 and 6 packs of four, of
    /// which each access is to half of what lies side by side.
    pub static SCAN = "scan": [
        NVIDIA.element(8).group(384).bytes(160),
        NVIDIA.group(384).bytes(192),
        GPU.bytes(32),
        CPU.items(4096),
    ];

    /// Scans of short inputs on GPUs: of fewer tiles than there are compute units, were they large.
    pub static SHORT_SCAN = "short scan": [NVIDIA.bytes(64), GPU.bytes(32)];

    /// Selections from long inputs; "bytes" as for scans.
    ///
    /// 144 bytes of items a work-item, which local memory holds as well. On an H200, ms for half of 2^28 `u32` by
    /// work-items and packs: 256 and 9 0.537, 256 and 10 or 8 0.565, 128 and 12 0.581.
    pub static SELECT = "select": [NVIDIA.bytes(144), GPU.bytes(32), CPU.items(4096)];

    /// Selections from short inputs on GPUs.
    pub static SHORT_SELECT = "short select": [NVIDIA.bytes(64), GPU.bytes(32)];

    /// Scans by key of long inputs on GPUs. Elements are the larger of keys and items, and "bytes" those of both.
    ///
    /// All take 80 registers, which leaves room for 768 work-items at once. 2^28 `u32` keys and values in runs of 4,
    /// on an H200: 1.017 ms by 384 and 192 bytes, 1.045 by 384 and 160, 1.101 by 256 and 160, where some are spilled.
    pub static SCAN_BY_KEY = "scan by key": [NVIDIA.group(384).bytes(192), GPU.bytes(96)];

    /// Scans by key of short inputs on GPUs.
    pub static SHORT_SCAN_BY_KEY = "short scan by key": [NVIDIA.bytes(64), GPU.bytes(96)];

    /// Reductions by key of long inputs on GPUs. Elements are the larger of keys and items, and "bytes" those of
    /// both.
    ///
    /// By registers: 64 of them and 80 for 128 and 160 bytes.
    pub static REDUCE_BY_KEY = "reduce by key": [NVIDIA.bytes(160), GPU.bytes(96)];

    /// Reductions by key of short inputs on GPUs.
    pub static SHORT_REDUCE_BY_KEY = "short reduce by key": [NVIDIA.bytes(64), GPU.bytes(96)];

    /// A pass of a radix sort of keys; "bytes" as for scans: all items of a CPU's chunk go through a table of all
    /// digits. Elements are keys.
    ///
    /// On NVIDIA's devices as many items a work-item as fit into local memory, and into registers of which three
    /// groups live side by side: each item more makes the runs longer that are written together. On an H200, a pass
    /// over 2^28 `u32` by 20, 22 and 23 items: 1.18, 1.13 and 1.11 ms. Elsewhere what needs 32 KiB of local memory by
    /// far.
    pub static SORT = "sort": [NVIDIA.group(384).bytes(92), GPU.bytes(32), CPU.items(16_384)];

    /// The same where values go along: elements are keys, on GPUs values if these are larger. Two groups live side by
    /// side.
    pub static SORT_VALUES = "sort values": [NVIDIA.group(384).bytes(80), GPU.bytes(32), CPU.items(16_384)];

    /// The count of all digits before such a sort on GPUs; elements are keys. Local memory is that of the counters:
    /// on NVIDIA's devices eight of each digit for four passes.
    ///
    /// 0.43 ms for 2^28 `u32` on an H200; 0.47 with one counter of each digit.
    pub static SORT_COUNTS = "sort counts": [
        NVIDIA.group(512).items(8).groups(4).local(32 << 10),
        GPU.group(512).items(8).groups(4).local(4 << 10),
    ];

    /// Merges, and on GPUs the blocks that a merge sort begins with.
    ///
    /// On GPUs an odd number of items a work-item, as many as fit, up to 15: those of neighbouring work-items lie in
    /// different banks. Larger tiles have fewer cuts to be searched for, and leave a sort fewer merges: on NVIDIA's
    /// devices, which have the registers, up to 23. Two sequences of 2^27 `u32` are merged in 0.58 ms so on an H200,
    /// and in 0.60 ms by 15.
    pub static MERGE = "merge": [NVIDIA.items(23), GPU.items(15), CPU];

    /// The blocks that a merge sort begins with on CPUs: "bytes" are a block's. It and its copy stay in the first
    /// cache.
    pub static MERGE_BLOCKS = "merge sort blocks": [CPU.bytes(16 << 10)];

    /// Histograms. There are no fewer groups than the rule has. Local memory is that of the counters: 16 KiB, so that
    /// two work-groups live side by side on every device; on NVIDIA's four take 128 KiB of a compute unit's 228.
    pub static HISTOGRAM = "histogram": [
        NVIDIA.group(512).packs(4).groups(4).local(32 << 10),
        GPU.packs(4).groups(4).local(16 << 10),
        CPU.packs(8).local(16 << 10),
    ];

    /// Many binary searches at once.
    ///
    /// Enough at once to hide some latency: a CPU's work-item has nobody else to wait with. GPUs have: on an H200
    /// 2^26 needles in as many items take 10.3 ms by one a work-item, 11.2 by two and 11.7 by four.
    pub static SEARCH = "search": [GPU.items(1), CPU.items(16)];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_have_no_colon() {
        for (at, tunable) in ALL.iter().enumerate() {
            assert!(!tunable.name().contains([':', '\t', ',']), "{tunable}");
            assert!(ALL[..at].iter().all(|other| other.name() != tunable.name()), "{tunable}");
        }
    }
}
