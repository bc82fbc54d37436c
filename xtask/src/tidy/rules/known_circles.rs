//! Table: the existing circles of files, each with its reason.

/// The files in order, and the reason why they use each other.
pub(super) const KNOWN: &[(&[&str], &str)] = &[
    (
        &[
            "bench/src/peers/host/linalg.rs",
            "bench/src/peers/host/mod.rs",
            "bench/src/peers/host/products.rs",
            "bench/src/peers/host/sequences.rs",
            "bench/src/peers/host/sparse.rs",
            "bench/src/peers/host/tables.rs",
            "bench/src/peers/host/transforms.rs",
        ],
        "the cases of a library use the helpers of the list that names them",
    ),
    (
        &["bench/src/report/compare.rs", "bench/src/report/mod.rs"],
        "a row of a report says how it changed, and a change is found between rows",
    ),
    (
        &["bench/src/tune/mod.rs", "bench/src/tune/record.rs"],
        "what was found is written as a row, and rows are of what was found",
    ),
    (
        &[
            "cl-algo/src/algorithm/assign.rs",
            "cl-algo/src/algorithm/moved.rs",
            "cl-algo/src/algorithm/update_all.rs",
        ],
        "an assignment that overlaps its operands is an update, and an update moves items by assignments",
    ),
    (
        &[
            "cl-algo/src/algorithm/scan/mod.rs",
            "cl-algo/src/algorithm/scan/runs.rs",
            "cl-algo/src/algorithm/scan/single.rs",
        ],
        "the two ways of scanning take the parts that the function for users has put together",
    ),
    (
        &[
            "cl-algo/src/algorithm/select/mod.rs",
            "cl-algo/src/algorithm/select/runs.rs",
            "cl-algo/src/algorithm/select/single.rs",
        ],
        "the two ways of selecting take the parts that the functions for users have put together",
    ),
    (
        &["cl-algo/src/codegen/functions.rs", "cl-algo/src/codegen/source.rs"],
        "the functions of fragments are part of a source, and call device functions as a source lists them",
    ),
    (
        &[
            "cl-algo/src/device_scalar.rs",
            "cl-algo/src/expr/item.rs",
            "cl-algo/src/expr/operand.rs",
            "cl-algo/src/expr/record.rs",
            "cl-algo/src/vec/mod.rs",
        ],
        "an item names the vectors and values that hold it, and these are operands, which are made of items",
    ),
    (
        &["cl-algo/src/function/device_type.rs", "cl-algo/src/function/item.rs"],
        "a tuple is a type of the device, and an item is one of those",
    ),
    (
        &[
            "cl-algo/src/ir/fold.rs",
            "cl-algo/src/ir/fragment.rs",
            "cl-algo/src/ir/function.rs",
            "cl-algo/src/ir/fused.rs",
            "cl-algo/src/ir/graph.rs",
            "cl-algo/src/ir/op.rs",
            "cl-algo/src/ir/target.rs",
        ],
        "graphs consist of operations, operations call functions, and a function without loops is a graph",
    ),
    (
        &[
            "cl-algo/src/lower/body.rs",
            "cl-algo/src/lower/flat.rs",
            "cl-algo/src/lower/fold.rs",
            "cl-algo/src/lower/or_else.rs",
        ],
        "the body of a function calls functions for what items share, and these have bodies",
    ),
    (
        &["cl-algo/src/lower/operation.rs", "cl-algo/src/lower/structs.rs"],
        "the fields of structs are compared by operations, and operations on structs work field by field",
    ),
    (
        &[
            "cl-core/src/cache/content.rs",
            "cl-core/src/cache/entry.rs",
            "cl-core/src/cache/mod.rs",
            "cl-core/src/cache/store.rs",
            "cl-core/src/host_function.rs",
            "cl-core/src/kernel/argument_info.rs",
            "cl-core/src/kernel/declaration.rs",
            "cl-core/src/kernel/mod.rs",
            "cl-core/src/kernel/work_group.rs",
            "cl-core/src/launch/argument.rs",
            "cl-core/src/launch/arguments.rs",
            "cl-core/src/launch/check.rs",
            "cl-core/src/launch/mod.rs",
            "cl-core/src/launch/prepared.rs",
            "cl-core/src/launch/size.rs",
            "cl-core/src/memory/buffer.rs",
            "cl-core/src/memory/commands.rs",
            "cl-core/src/memory/mapped.rs",
            "cl-core/src/memory/options.rs",
            "cl-core/src/memory/owned.rs",
            "cl-core/src/memory/pinned.rs",
            "cl-core/src/memory/slice.rs",
            "cl-core/src/memory/staging.rs",
            "cl-core/src/memory/sub_buffer.rs",
            "cl-core/src/memory/untyped.rs",
            "cl-core/src/program/binary.rs",
            "cl-core/src/program/compile.rs",
            "cl-core/src/program/mod.rs",
            "cl-core/src/program/object.rs",
            "cl-core/src/queue.rs",
            "cl-core/src/recording.rs",
            "cl-core/src/sampler.rs",
            "cl-core/src/scratch.rs",
            "cl-core/src/submission.rs",
            "cl-core/src/svm/memory.rs",
            "cl-core/src/wait_checks.rs",
        ],
        "a queue makes commands, commands use memory and kernels, and these are made on queues and remember them",
    ),
    (
        &[
            "cl-core/src/device/mod.rs",
            "cl-core/src/device/property.rs",
            "cl-core/src/library.rs",
            "cl-core/src/platform.rs",
        ],
        "a device tells its platform, and a platform lists its devices",
    ),
    (
        &["cl-core/src/event/mod.rs", "cl-core/src/queue_end.rs"],
        "an event knows the queue that it ends on, and a closed queue ends with an event",
    ),
    (
        &["cl-core/src/memory/image/mod.rs", "cl-core/src/memory/image/region.rs"],
        "a region is one of an image, and an image is copied by regions",
    ),
    (
        &["cl-core/src/select/judge.rs", "cl-core/src/select/mod.rs"],
        "a judgement is of the nodes of a selection",
    ),
    (
        &["cl-fft/src/fft.rs", "cl-fft/src/planner.rs", "cl-fft/src/real_fft.rs"],
        "a planner makes transforms, and a transform can be made without one",
    ),
    (
        &["cl-fft/src/plan/axis.rs", "cl-fft/src/plan/recipe.rs", "cl-fft/src/plan/turns.rs"],
        "a recipe is of axes, and an axis is turned as the recipe says",
    ),
    (
        &["cl-hostile/src/expression.rs", "cl-hostile/src/world.rs"],
        "an expression is evaluated in a world, and a world has rows of expressions",
    ),
    (
        &[
            "cl-random/src/draws.rs",
            "cl-random/src/engine/family.rs",
            "cl-random/src/engine/mod.rs",
            "cl-random/src/rng.rs",
        ],
        "an engine draws, draws are of an engine, and a generator is an engine with a counter",
    ),
    (
        &[
            "cl-array/src/array.rs",
            "cl-array/src/broadcast.rs",
            "cl-array/src/expr.rs",
            "cl-array/src/rank.rs",
            "cl-array/src/slice.rs",
            "cl-array/src/view.rs",
        ],
        "arrays have views, views are expressions, evaluated expressions are arrays, and ranks name the results of all",
    ),
    (
        &[
            "cl-sparse/src/matrix/build.rs",
            "cl-sparse/src/matrix/check.rs",
            "cl-sparse/src/matrix/csr.rs",
            "cl-sparse/src/product/groups.rs",
            "cl-sparse/src/product/transposed.rs",
        ],
        "a matrix keeps what was found out about it, and products find out more",
    ),
    (
        &[
            "cl-sparse/src/matrix_market/error.rs",
            "cl-sparse/src/matrix_market/header.rs",
            "cl-sparse/src/matrix_market/lines.rs",
        ],
        "errors name the parts of a header, and a header is refused by errors",
    ),
    (
        &["cl-test/src/forced.rs", "cl-test/src/lib.rs"],
        "the devices of tests have altered answers, and these devices are made of devices",
    ),
    (
        &[
            "cl-test/src/recorded/commands.rs",
            "cl-test/src/recorded/library.rs",
            "cl-test/src/recorded/mod.rs",
            "cl-test/src/recorded/programs.rs",
            "cl-test/src/recorded/queries.rs",
        ],
        "a recorded library answers for its platforms, of which there is a list",
    ),
    (
        &["xtask/src/commands/probe.rs", "xtask/src/opencl.rs"],
        "a process of its own looks for devices, and what it says is read",
    ),
    (
        &["xtask/src/dropin/build.rs", "xtask/src/dropin/linked.rs", "xtask/src/dropin/outcome.rs"],
        "a program is built, linked and compared, and each step names the program",
    ),
];
