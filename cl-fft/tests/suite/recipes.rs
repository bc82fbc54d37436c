//! Recipes, without a device.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_fft::Problem;
use cl_fft::plan::{Convolution, DeviceLimits, Kind, Location, PartLayout, Pass, Recipe, Shape, Turns};

fn gpu() -> DeviceLimits {
    DeviceLimits {
        cpu: false,
        compute_units: 132,
        local_memory: 48 << 10,
        largest_group: 1024,
        sub_group: 32,
        vector_bytes: 16,
        cache: 0,
        held: [32, 16],
        group_items: 128,
        burst: 64,
        exchange: 40,
        resident: 0,
        sines: true,
    }
}

fn cpu() -> DeviceLimits {
    DeviceLimits { cpu: true, vector_bytes: 64, cache: 512 << 10, ..gpu() }
}

fn recipe(problem: Problem, size: usize, limits: &DeviceLimits) -> Recipe {
    Recipe::new(&problem, Kind::Complex, size, limits).unwrap()
}

/// Checks the properties that every pass has.
fn check(pass: &Pass, size: usize, limits: &DeviceLimits) {
    assert_eq!(pass.radices.iter().product::<usize>(), pass.length, "{pass:?}");
    assert!(pass.radices.len() <= 8, "{pass:?}");
    match pass.shape {
        Shape::Lines { lines } => {
            let no_groups = limits.cpu || limits.largest_group < 4;
            assert!(no_groups && lines.is_power_of_two() && lines * size <= limits.vector_bytes, "{pass:?}");
        }
        Shape::Group { items, per, held, pitch, parts } => {
            assert!(!limits.cpu && items * per <= limits.largest_group, "{pass:?}");
            let parts = if parts == PartLayout::Turns { 1 } else { 2 };
            let exchanges = pass.radices.len() > 1 || pass.columns()[0] != pass.columns()[1];
            // Drivers reserve a little local memory.
            assert!(!exchanges || per * pitch * size * parts < limits.local_memory, "{pass:?}");
            check_gaps(pass, pitch);
            for radix in &pass.radices {
                assert!((pass.length / radix).div_ceil(items) * radix <= held, "{pass:?}");
            }
        }
    }
}

/// Checks that between stages each point has a slot of its own, before the next line begins.
fn check_gaps(pass: &Pass, pitch: usize) {
    assert_eq!(pass.gaps.len() + 1, pass.radices.len(), "{pass:?}");
    let mut lines = pass.length;
    for (radices, gap) in pass.radices.windows(2).zip(&pass.gaps) {
        // The points of a line of the stage, and of the lines between two gaps.
        let line = pass.length / lines * radices[0];
        lines /= radices[0];
        let block = line * gap.rows;
        assert!((pass.length / radices[1]).is_multiple_of(block), "{pass:?}");
        assert!(pass.length + gap.free * (pass.length / block - 1) <= pitch, "{pass:?}");
    }
}

#[test]
fn every_length_has_a_recipe() {
    for limits in [gpu(), cpu()] {
        for size in [4, 8] {
            let long = [4096, 8192, 10_007, 16_384, 1 << 20, 1_000_003, 1 << 24, 3_usize.pow(15), 1 << 27];
            for n in (1..=2048).chain(long) {
                for batch in [1, 1000] {
                    let recipe = recipe(Problem::new([n]).batch(batch), size, &limits);
                    let passes = &recipe.passes;
                    passes.iter().for_each(|pass| check(pass, size, &limits));
                    assert_eq!(
                        (passes[0].from, passes[passes.len() - 1].to),
                        (Location::User, Location::User)
                    );
                    for (one, next) in passes.iter().zip(&passes[1..]) {
                        assert_eq!(one.to, next.from, "{n}: each pass reads what the last one wrote");
                    }
                }
            }
        }
    }
}

/// Tests the least and the largest values of a row in a tuning table.
#[test]
fn wishes_make_no_recipe_wrong() {
    let gpus = [(8, 1), (64, 1024), (8, 1024), (64, 1)].map(|(held, group_items)| DeviceLimits {
        held: [held; 2],
        group_items,
        ..gpu()
    });
    let cpus = [64 << 10, 16 << 20].map(|cache| DeviceLimits { cache, ..cpu() });
    for limits in gpus.iter().chain(&cpus) {
        for size in [4, 8] {
            for n in (1..=2048).step_by(7).chain([4096, 8192, 10_007, 1 << 20, 1_000_003, 1 << 24]) {
                for batch in [1, 1000] {
                    let recipe = recipe(Problem::new([n]).batch(batch), size, limits);
                    recipe.passes.iter().for_each(|pass| check(pass, size, limits));
                }
            }
        }
    }
}

#[test]
fn small_work_groups_have_recipes() {
    let small =
        |largest_group| DeviceLimits { largest_group, local_memory: 16 << 10, cache: 64 << 10, ..gpu() };
    for limits in [1, 3, 4, 64].map(small) {
        for n in (1..=2048).step_by(31).chain([4096, 10_007, 1 << 20]) {
            for problem in [Problem::new([n]), Problem::new([n, 3]).axes([0]).batch(1000)] {
                recipe(problem, 8, &limits).passes.iter().for_each(|pass| check(pass, 8, &limits));
            }
        }
    }
}

#[test]
fn smooth_lengths_are_one_launch_while_they_fit() {
    let radices = |n| {
        let recipe = recipe(Problem::new([n]).batch(1 << 16), 4, &gpu());
        assert_eq!(recipe.passes.len(), 1, "{n}");
        recipe.passes[0].radices.clone()
    };
    for n in [2, 256, 1000, 1024, 2187, 4096, 8192] {
        assert!(radices(n).len() <= 4, "{n}: {:?}", radices(n));
    }
    assert_eq!(radices(16), [16]);
    assert_eq!(radices(256), [16, 16]);
    let passes = |n: usize| recipe(Problem::new([n]), 4, &gpu()).passes.len();
    assert_eq!((passes(1 << 16), passes(1 << 20)), (2, 2));
    assert!(passes(1 << 24) <= 3);
}

#[test]
fn primes_go_by_permutation_or_by_chirp() {
    let convolution = |n| recipe(Problem::new([n]).batch(1000), 4, &gpu()).passes[0].convolution;
    assert_eq!(convolution(1009), Some(Convolution::Rader { prime: 1009 }), "1008 = 2^4 3^2 7");
    assert_eq!(convolution(47), Some(Convolution::Bluestein { points: 47 }), "46 = 2 23");
    assert_eq!(convolution(1022), Some(Convolution::Bluestein { points: 1022 }), "2 7 73");
    // Too long for one launch: several launches forward and back.
    assert!(recipe(Problem::new([1_000_003]), 4, &gpu()).passes.len() >= 4);
}

#[test]
fn neighbours_in_memory_are_taken_together() {
    // Along the first of two axes, neighbouring lines are neighbours in memory.
    let recipe = recipe(Problem::new([512, 512]).axes([0]), 4, &gpu());
    assert_eq!(recipe.passes[0].columns(), [true, true]);
    let Shape::Group { per, .. } = recipe.passes[0].shape else { panic!("{recipe:?}") };
    assert!(per * 8 >= 64, "{per} lines are less than two sectors");
    let rows = self::recipe(Problem::new([512, 512]).axes([1]), 4, &gpu());
    assert_eq!(rows.passes[0].columns(), [false, false]);
}

#[test]
fn turns_leave_in_scratch_memory_what_a_cache_holds() {
    let limits = DeviceLimits { resident: 32 << 20, ..gpu() };
    let single = |lengths: &[usize], batch| recipe(Problem::new(lengths).batch(batch), 4, &limits);
    let many = single(&[1 << 16], 2048);
    assert_eq!(many.turns, [Turns { passes: 0..2, units: 2048, at_once: 64 }]);
    assert_eq!(many.scratch, [4 << 20]);
    assert!(many.passes.iter().all(|pass| pass.lines() == 64 << 8 && pass.turn.contains(&(1 << 16))));
    // Columns that are too long for one kernel.
    let grid = single(&[4096, 4096], 1);
    assert_eq!(grid.turns, [Turns { passes: 1..3, units: 4096, at_once: 1024 }]);
    assert!(grid.passes[1..].iter().all(|pass| pass.columns() == [true, true]));
    // A single transform, one kernel, and points that fit into the cache without turns.
    for (lengths, batch) in [(&[1 << 24][..], 1), (&[1024], 1 << 17), (&[1 << 16], 8)] {
        assert_eq!(single(lengths, batch).turns, [], "{lengths:?}");
    }
}

#[test]
fn long_real_transforms_do_half_the_work() {
    for limits in [gpu(), cpu()] {
        let real = Recipe::new(&Problem::new([1 << 20]).batch(128), Kind::RealToHalf, 4, &limits).unwrap();
        let points: usize = real.passes.iter().map(|pass| pass.length * pass.lines()).sum();
        assert_eq!(real.passes.len(), 2);
        // Half as many points, plus the lines that are their own mirror images.
        assert!(real.passes[1].transforms_pairs_of_lines() && points < (1 << 19) * 128 * 2, "{points}");
        real.passes.iter().for_each(|pass| check(pass, 4, &limits));
    }
}

#[test]
fn few_long_lines_make_their_own_batches_on_cpus() {
    let one = recipe(Problem::new([1024]), 4, &cpu());
    assert_eq!(one.passes.iter().map(|pass| pass.length).collect::<Vec<_>>(), [32, 32]);
    let many = recipe(Problem::new([1024]).batch(16), 4, &cpu());
    assert_eq!(many.passes.len(), 1);
}
