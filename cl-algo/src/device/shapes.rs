//! The rules for shapes of this crate's algorithms, by architecture: one table.
//!
//! The rules were measured on an NVIDIA H200 and on small CPUs. A GPU without measurements gets the rule for every GPU.
//! Rules for a new architecture are added in front of that rule.

use super::tunable::{Rule, Tunable};
use cl_core::Vendor;

const NVIDIA: Rule = Rule::on(Vendor::Nvidia).local(40 << 10); // of the 48 KiB of local memory
const GPU: Rule = Rule::gpu();
/// Eight work-groups for each compute unit, so that one slow core does not delay the rest.
const CPU: Rule = Rule::cpu().groups(8);

/// Defines tunables by their names and rules, and the list of all of them.
macro_rules! tunables {
    ($($(#[$doc:meta])* pub static $name:ident = $label:literal: [$($rule:expr),* $(,)?];)*) => {
        $(
            $(#[$doc])*
            pub static $name: Tunable = Tunable::new($label, &[$($rule),*]);
        )*

        /// All tunables of this crate.
        pub static ALL: [&Tunable; [$($label),*].len()] = [$(&$name),*];
    };
}

tunables! {
    /// Assignments of expressions, also in place.
    ///
    /// GPUs get one pack of 16 bytes for each work-item and no loop. On an H200 this moves 2 % more than
    /// `clEnqueueCopyBuffer`; a grid-stride loop is 6 to 30 % slower.
    pub static ELEMENTWISE = "elementwise": [GPU.packs(1), CPU.packs(4)];

    /// Assignments of expressions that compute several elements at once, such as random numbers.
    ///
    /// On GPUs work-items have four packs, so that values that are equal for all items, such as round keys, are
    /// computed once for four packs.
    pub static GENERATE = "generate": [GPU.packs(4), CPU.packs(4)];

    /// Reductions and searches for the first item. On GPUs, groups are at most as large as the rule says.
    ///
    /// A grid fills the device, with 64 bytes in flight for each work-item. On an H200, the sum of 2^28 `f32` and the
    /// dot product of two such vectors reach, in GB/s, by work-groups for each compute unit: with 2: 4324 and 4425; 4:
    /// 4496 and 4580; 6: 4473 and 4573; 8: 4481 and 4445; 16: 4465; 32: 4393; 64: 4268. With 8 or 2 packs instead of 4,
    /// both are 1 to 2 % slower. Groups of 512 take 240.0 to 241.5 us, groups of 256 take 242.3 to 243.7. (PoCL 3.1
    /// with a GPU's forced shape never ends a reduction by groups of 512.)
    pub static REDUCE = "reduce": [
        NVIDIA.group(512).packs(4).groups(4).local(24 << 10),
        GPU.packs(4).groups(4),
        CPU.packs(8),
    ];

    /// Scans of long inputs. On CPUs the bytes are the fewest that are worth a work-group of their own.
    ///
    /// The items are held in registers, at most 80 for each work-item, so 768 work-items run at once on a compute unit
    /// with 65536 registers. On an H200, 2^28 `u32` take 0.646 ms with 384 work-items and 12 packs, 0.658 with 256 and
    /// 12, 0.663 with 512 and 8. 2^27 `u64` take 0.641 ms with 384 and 10 packs of two. They take 0.752 with 384 and 6
    /// packs of four: each access to such a pack reaches only half of the neighbouring bytes.
    pub static SCAN = "scan": [
        NVIDIA.element(8).group(384).bytes(160),
        NVIDIA.group(384).bytes(192),
        GPU.bytes(32),
        CPU.items(4096),
    ];

    /// Scans of short inputs on GPUs: inputs with fewer large tiles than the device has compute units.
    pub static SHORT_SCAN = "short scan": [NVIDIA.bytes(64), GPU.bytes(32)];

    /// Selections from long inputs. The bytes have the same meaning as for scans.
    ///
    /// Each work-item has 144 bytes of items, which local memory holds, too. On an H200, selecting half of 2^28
    /// `u32` takes, by work-items and packs: 256 and 9: 0.537 ms; 256 and 10 or 8: 0.565; 128 and 12: 0.581.
    pub static SELECT = "select": [NVIDIA.bytes(144), GPU.bytes(32), CPU.items(4096)];

    /// Selections from short inputs on GPUs.
    pub static SHORT_SELECT = "short select": [NVIDIA.bytes(64), GPU.bytes(32)];

    /// Scans by key of long inputs on GPUs. The element size is the larger one of keys and items. The bytes count both.
    ///
    /// All kernels take 80 registers, which leaves room for 768 work-items at once. 2^28 `u32` keys and values in runs
    /// of 4, on an H200: 1.017 ms with 384 work-items and 192 bytes, 1.045 with 384 and 160, 1.101 with 256 and 160,
    /// where some registers are spilled.
    pub static SCAN_BY_KEY = "scan by key": [NVIDIA.group(384).bytes(192), GPU.bytes(96)];

    /// Scans by key of short inputs on GPUs.
    pub static SHORT_SCAN_BY_KEY = "short scan by key": [NVIDIA.bytes(64), GPU.bytes(96)];

    /// Reductions by key of long inputs on GPUs. The element size is the larger one of keys and items. The bytes count
    /// both.
    ///
    /// The registers limit the bytes: 128 bytes take 64 registers, and 160 bytes take 80.
    pub static REDUCE_BY_KEY = "reduce by key": [NVIDIA.bytes(160), GPU.bytes(96)];

    /// Reductions by key of short inputs on GPUs.
    pub static SHORT_REDUCE_BY_KEY = "short reduce by key": [NVIDIA.bytes(64), GPU.bytes(96)];

    /// Reductions of segments on GPUs. Work-items hold at most 32 items.
    pub static REDUCE_SEGMENTS = "reduce segments": [NVIDIA.group(512).bytes(64), GPU.bytes(64)];

    /// A pass of a radix sort of keys. The elements are keys. The bytes have the same meaning as for scans: on a CPU
    /// each chunk needs a table of all digits, so short chunks do not pay off.
    ///
    /// On NVIDIA's devices a work-item holds the largest number of items for which local memory suffices, and registers
    /// for three groups at once. Each additional item lengthens the ranges that are written together. On an H200, a
    /// pass over 2^28 `u32` by 20, 22 and 23 items takes 1.18, 1.13 and 1.11 ms. On other GPUs the rule stays far below
    /// 32 KiB of local memory.
    pub static SORT = "sort": [NVIDIA.group(384).bytes(92), GPU.bytes(32), CPU.items(16_384)];

    /// A pass of a radix sort of keys with values. Elements are keys, or on GPUs values if these are larger. Two groups
    /// run at once.
    pub static SORT_VALUES = "sort values": [NVIDIA.group(384).bytes(80), GPU.bytes(32), CPU.items(16_384)];

    /// The count of all digits before a radix sort on GPUs. The elements are keys. The local memory is that of the
    /// counters: on NVIDIA's devices eight counters of each digit for four passes.
    ///
    /// 0.43 ms for 2^28 `u32` on an H200; 0.47 ms with one counter of each digit.
    pub static SORT_COUNTS = "sort counts": [
        NVIDIA.group(512).items(8).groups(4).local(32 << 10),
        GPU.group(512).items(8).groups(4).local(4 << 10),
    ];

    /// Merges, and on GPUs the blocks that a merge sort begins with.
    ///
    /// On GPUs each work-item has an odd number of items, as many as fit, up to 15, so that the items of neighbouring
    /// work-items lie in different banks. Larger tiles need fewer searches for cuts, and fewer merges in a sort.
    /// NVIDIA's devices have registers for 23 items. On an H200, two sequences of 2^27 `u32` are merged in 0.58 ms with
    /// 23, and in 0.60 ms with 15.
    pub static MERGE = "merge": [NVIDIA.items(23), GPU.items(15), CPU];

    /// The blocks that a merge sort begins with on CPUs. The bytes are the size of a block. The block and its copy stay
    /// in the first cache.
    pub static MERGE_BLOCKS = "merge sort blocks": [CPU.bytes(16 << 10)];

    /// Histograms. The rule's number of groups is the minimum. The local memory is that of the counters: 16 KiB, so
    /// that two work-groups run at once on every device. On NVIDIA's devices four groups take 128 KiB of a compute
    /// unit's 228.
    pub static HISTOGRAM = "histogram": [
        NVIDIA.group(512).packs(4).groups(4).local(32 << 10),
        GPU.packs(4).groups(4).local(16 << 10),
        CPU.packs(8).local(16 << 10),
    ];

    /// Products of matrices that GPUs read where they are, tile by tile. The bytes are those of a row of the largest square
    /// matrices that are read so: larger ones are copied first. The tiles are the largest ones of which each compute unit has
    /// so many groups, or three quarters of one without such a number. Groups of more work-items share a sum among more of
    /// them.
    pub static PRODUCT = "product": [GPU.group(256).items(1024), CPU.items(0)];

    /// Many binary searches at once.
    ///
    /// Several searches at once hide some latency on CPUs, whose work-items wait alone. GPUs hide it by other
    /// work-items: on an H200, 2^26 needles in as many items take 10.3 ms with one search for each work-item, 11.2 with
    /// two and 11.7 with four.
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
