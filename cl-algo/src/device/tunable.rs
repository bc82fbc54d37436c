//! Tunables: kernels with a shape to choose, a name for tuning tables, and rules by architecture.

use cl_core::{Architecture, Vendor};
use std::fmt;

/// Kernels whose shape is chosen by [`Rule`]s, unless a row of a tuning table matches. [`Tuning`](crate::Tuning) has
/// the numbers of a row. [`tunables`](crate::tunables) lists the tunables of this crate.
///
/// A tuning table is text. Each line is a row of six columns, separated by tabs: part of the device's or its platform's
/// name, the [name](Tunable::name) of the kernels, the bytes of an element, and three numbers. A `-` leaves a column
/// open, `#` begins a comment, and the first row that matches is used. The file that `CL_TUNING` names comes before the
/// built-in table. If no row matches, the rule is used.
///
/// Not every number matters everywhere. On GPUs "bytes" are those of the items that a work-item holds at once, and
/// "groups" matter if a kernel has a grid of a fixed size. On CPUs a group is one work-item.
///
/// A crate above this one has tunables of its own. Their names begin with a word for the crate and a colon, as in
/// `fft:lines`. They are not checked, because a table may have rows for crates that a program does not use. A name
/// without a colon is one of this crate, and a table with an unknown one is an error.
///
/// ```
/// use cl_algo::{Rule, Tunable};
///
/// static CONVOLUTION: Tunable =
///     Tunable::new("stencil:rows", &[Rule::gpu().group(256).bytes(32), Rule::cpu().bytes(64 << 10)]);
/// ```
#[derive(Debug)]
pub struct Tunable {
    name: &'static str,
    rules: &'static [Rule],
}

impl Tunable {
    /// Returns a tunable of this name. The first rule that matches is used.
    #[must_use]
    pub const fn new(name: &'static str, rules: &'static [Rule]) -> Tunable {
        Tunable { name, rules }
    }

    /// Returns the name in tables.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the first rule that matches; `cpu` is `true` for kernels for CPUs.
    pub(crate) fn rule(&self, architecture: &Architecture, cpu: bool, size: usize) -> Rule {
        let fits = |rule: &&Rule| {
            rule.cpu == cpu
                && rule.vendor.is_none_or(|vendor| vendor == architecture.vendor)
                && architecture.generation.starts_with(rule.generation)
                && rule.element.is_none_or(|element| element == size)
        };
        let any = if cpu { Rule::cpu() } else { Rule::gpu() };
        self.rules.iter().find(fits).copied().unwrap_or(any)
    }
}

impl fmt::Display for Tunable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// The amount that a work-item holds at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Held {
    /// The number of items that fit into this number of bytes.
    Bytes(usize),
    /// A number of items.
    Items(usize),
    /// A number of packs, the items that are loaded at once.
    Packs(usize),
}

/// The shape of kernels on one architecture, if no row of a tuning table matches.
///
/// Like a row, a rule is a request: each shape keeps it within the limits of its kernel. A new rule has
/// groups of 256 work-items on GPUs and of one on CPUs. Each work-item holds one pack. The number of
/// work-groups has no maximum. A work-group has 24 KiB of local memory, so that two work-groups run at once
/// on every device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    cpu: bool,
    vendor: Option<Vendor>,
    generation: &'static str,
    element: Option<usize>,
    /// The number of work-items of a work-group.
    pub group: usize,
    /// The amount that a work-item holds at once.
    pub held: Held,
    /// The maximal number of work-groups for each compute unit.
    pub groups: Option<usize>,
    /// The maximal number of bytes of local memory for a work-group's items.
    pub local: usize,
}

impl Rule {
    /// Returns a rule for every GPU.
    #[must_use]
    pub const fn gpu() -> Rule {
        Rule {
            cpu: false,
            vendor: None,
            generation: "",
            element: None,
            group: 256,
            held: Held::Packs(1),
            groups: None,
            local: 24 << 10,
        }
    }

    /// Returns a rule for every CPU.
    #[must_use]
    pub const fn cpu() -> Rule {
        Rule { cpu: true, group: 1, ..Rule::gpu() }
    }

    /// Returns a rule for GPUs of one vendor.
    #[must_use]
    pub const fn on(vendor: Vendor) -> Rule {
        Rule { vendor: Some(vendor), ..Rule::gpu() }
    }

    /// Restricts the rule to generations whose name begins with `generation`: see [`Architecture::generation`].
    #[must_use]
    pub const fn generation(self, generation: &'static str) -> Rule {
        Rule { generation, ..self }
    }

    /// Restricts the rule to elements of `bytes` bytes.
    #[must_use]
    pub const fn element(self, bytes: usize) -> Rule {
        Rule { element: Some(bytes), ..self }
    }

    /// Sets the number of work-items of a work-group.
    #[must_use]
    pub const fn group(self, group: usize) -> Rule {
        Rule { group, ..self }
    }

    /// Sets the amount that a work-item holds, in bytes.
    #[must_use]
    pub const fn bytes(self, bytes: usize) -> Rule {
        Rule { held: Held::Bytes(bytes), ..self }
    }

    /// Sets the amount that a work-item holds, in items.
    #[must_use]
    pub const fn items(self, items: usize) -> Rule {
        Rule { held: Held::Items(items), ..self }
    }

    /// Sets the amount that a work-item holds, in packs.
    #[must_use]
    pub const fn packs(self, packs: usize) -> Rule {
        Rule { held: Held::Packs(packs), ..self }
    }

    /// Sets the maximal number of work-groups for each compute unit.
    #[must_use]
    pub const fn groups(self, groups: usize) -> Rule {
        Rule { groups: Some(groups), ..self }
    }

    /// Sets the maximal number of bytes of local memory for a work-group's items.
    #[must_use]
    pub const fn local(self, bytes: usize) -> Rule {
        Rule { local: bytes, ..self }
    }

    pub(crate) const fn is_for_cpus(&self) -> bool {
        self.cpu
    }

    /// Returns the number of items of `size` bytes that a work-item holds, in packs of `pack` items.
    #[must_use]
    pub const fn held_items(&self, size: usize, pack: usize) -> usize {
        match self.held {
            Held::Bytes(bytes) if size > 0 => bytes / size,
            Held::Bytes(items) | Held::Items(items) => items,
            Held::Packs(packs) => packs * pack,
        }
    }

    /// Returns the number of bytes that a work-item holds, of items of `size` bytes in packs of `pack` items.
    #[must_use]
    pub const fn held_bytes(&self, size: usize, pack: usize) -> usize {
        match self.held {
            Held::Bytes(bytes) => bytes,
            Held::Items(items) => items * size,
            Held::Packs(packs) => packs * pack * size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KERNELS: Tunable = Tunable::new(
        "of:a test",
        &[
            Rule::on(Vendor::Amd).generation("gfx94").group(64),
            Rule::on(Vendor::Amd).element(8).group(128),
            Rule::on(Vendor::Amd).group(192),
            Rule::gpu().element(8).group(320),
            Rule::cpu().items(7),
        ],
    );

    #[test]
    fn the_first_rule_that_fits_counts() {
        let group = |vendor, generation: &str, size| {
            KERNELS.rule(&Architecture::new(vendor, false, generation), false, size).group
        };
        assert_eq!(group(Vendor::Amd, "gfx942", 8), 64);
        assert_eq!(group(Vendor::Amd, "gfx1100", 8), 128);
        assert_eq!(group(Vendor::Amd, "", 4), 192);
        assert_eq!(group(Vendor::Intel, "gfx942", 8), 320);
        assert_eq!(group(Vendor::Intel, "", 4), 256, "no rule");
        let cpu = Architecture::new(Vendor::Amd, true, "");
        assert_eq!(KERNELS.rule(&cpu, true, 4).held, Held::Items(7));
        assert_eq!(KERNELS.rule(&cpu, false, 4).group, 192, "a CPU that is given kernels of GPUs");
    }

    #[test]
    fn what_is_held_is_told_in_items_and_bytes() {
        let told = |rule: Rule| (rule.held_items(4, 4), rule.held_bytes(4, 4));
        assert_eq!(told(Rule::gpu().bytes(48)), (12, 48));
        assert_eq!(told(Rule::gpu().items(5)), (5, 20));
        assert_eq!(told(Rule::gpu().packs(2)), (8, 32));
        assert_eq!(Rule::gpu().bytes(48).held_items(0, 1), 48);
    }
}
