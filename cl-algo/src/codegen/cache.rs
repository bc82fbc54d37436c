//! Compiled kernels, kept with the context and found by the structure of their expression.

use super::source::{self, Filling, ProgramKernel};
use crate::device::{DeviceProfile, Shape, declarations, profile};
use crate::element::ElementType;
use crate::ir::fragment::{Fragment, Kind};
use crate::ir::graph::Graph;
use crate::ir::op::{Mixed, Node, NodeId, Op};
use cl_core::{BuildOptions, Context, Error, Kernel, Result};
use hashbrown::HashTable;
use std::hash::Hasher;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// A kernel with the shape that it was generated for.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) kernel: Kernel,
    pub(crate) shape: Shape,
    /// `true` if the kernel uses 64-bit indices.
    pub(crate) wide_index: bool,
    /// The slots of scalars that are followed by the numbers used to divide by them.
    pub(crate) divisors: Vec<u32>,
    /// `true` if the kernel takes a record of out-of-range indices.
    pub(crate) has_faults: bool,
    /// The name of the template's kernel.
    pub(crate) template: &'static str,
    /// The template's parameters, for errors.
    parameters: String,
}

impl Compiled {
    /// Adds the template's parameters to an error of a launch.
    #[cold]
    pub(crate) fn described(&self, mut error: Error) -> Error {
        match &mut error {
            Error::Driver(error) => error.note.get_or_insert_default().push_str(&self.parameters),
            Error::WorkSize { reason, .. } => reason.push_str(&self.parameters),
            _ => {}
        }
        error
    }
}

/// The profile and the kernels that a context remembers.
#[derive(Default)]
struct Cache {
    profile: OnceLock<Arc<DeviceProfile>>,
    kernels: RwLock<HashTable<Entry>>,
}

/// Everything that the source of a kernel depends on, besides the device.
struct Key {
    /// The template's address.
    template: usize,
    wide_index: bool,
    streams: bool,
    numbers: Box<[i64]>,
    fragments: Box<[Fragment]>,
    nodes: Box<[Node]>,
    /// The types that the vectors are declared with.
    vectors: Box<[ElementType]>,
}

struct Entry {
    hash: u64,
    key: Key,
    compiled: Arc<Compiled>,
}

impl Cache {
    fn profile(&self, context: &Context) -> Result<&DeviceProfile> {
        match self.profile.get() {
            Some(profile) => Ok(profile),
            None => profile(context).map(|profile| &**self.profile.get_or_init(|| profile)),
        }
    }

    fn find(&self, wanted: &Wanted<'_>) -> Option<Arc<Compiled>> {
        let kernels = self.kernels.read().unwrap_or_else(PoisonError::into_inner);
        let found = kernels.find(wanted.hash, |entry| wanted.is(&entry.key));
        found.map(|entry| Arc::clone(&entry.compiled))
    }

    /// Remembers a kernel, unless another thread was faster; returns the one that is remembered.
    fn insert(&self, wanted: &Wanted<'_>, new: Compiled) -> Arc<Compiled> {
        let mut kernels = self.kernels.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = kernels.find(wanted.hash, |entry| wanted.is(&entry.key)) {
            return Arc::clone(&entry.compiled);
        }
        let compiled = Arc::new(new);
        let entry = Entry { hash: wanted.hash, key: wanted.key(), compiled: Arc::clone(&compiled) };
        kernels.insert_unique(wanted.hash, entry, |entry| entry.hash);
        compiled
    }
}

/// The length from which on indices have 64 bits. A kernel's index runs at most one tile past the length, so 32 bits
/// are enough for lengths far enough below 2^32.
const WIDE_FROM: usize = 1 << 31;

/// Returns whether some index may need 64 bits: the index of an item, or the index of an element that an item
/// reads.
fn needs_wide_index(graph: &Graph<'_>, len: usize) -> bool {
    len >= WIDE_FROM
        || graph.nodes.iter().any(|node| graph.reach(node, len) > i128::from(u32::MAX))
        || graph
            .vectors
            .iter()
            .any(|vector| vector.memory().bytes() >= vector.element.size().max(1).saturating_mul(WIDE_FROM))
        || graph.scalars.iter().any(|scalar| scalar.value().unsigned_abs() >= WIDE_FROM as u64)
}

/// Returns whether the outputs are too long for any cache. On a 2-core EPYC under PoCL, 2^24 `f32`: `z = a b + c` takes
/// 13.1 ms through the caches and 9.5 ms past them; three outputs take 14.5 ms and 8.3 ms. A vector that is updated in
/// place is 10 % slower past them.
pub(super) fn streams(profile: &DeviceProfile, fragments: &[Fragment], len: usize) -> bool {
    let bytes = |fragment: &Fragment| match &fragment.kind {
        Kind::Output { outputs, .. } => outputs.iter().map(|output| output.element.size()).sum(),
        _ => 0,
    };
    let size: usize = fragments.iter().map(bytes).sum();
    profile.chunked && profile.cache > 0 && len.saturating_mul(size) > profile.cache
}

/// A requested kernel.
struct Wanted<'f> {
    filling: &'f Filling<'f>,
    wide_index: bool,
    streams: bool,
    hash: u64,
}

impl<'f> Wanted<'f> {
    fn of(profile: &DeviceProfile, filling: &'f Filling<'f>, len: usize) -> Wanted<'f> {
        let wide_index = needs_wide_index(filling.graph, len);
        let streams = streams(profile, filling.fragments, len);
        // Every call hashes the request. So the hash leaves out facts that the nodes mostly imply: the types of
        // vectors, and everything of a fragment but its roots. The comparison includes them.
        let mut hasher = Mixed(filling.template.address() as u64);
        hasher.write_u64(u64::from(wide_index) << 1 | u64::from(streams));
        filling.numbers.iter().for_each(|&number| hasher.write_u64(number as u64));
        filling.graph.nodes.iter().for_each(|node| hasher.write_u64(node.hash()));
        for fragment in filling.fragments {
            fragment.roots.iter().for_each(|&root| hasher.write_u64(root.into()));
        }
        Wanted { filling, wide_index, streams, hash: hasher.finish() }
    }

    fn key(&self) -> Key {
        let &Wanted { filling: Filling { template, numbers, graph, fragments, .. }, .. } = self;
        Key {
            template: template.address(),
            wide_index: self.wide_index,
            streams: self.streams,
            numbers: numbers[..].into(),
            fragments: (*fragments).into(),
            nodes: graph.nodes[..].into(),
            vectors: graph.vectors.iter().map(|vector| vector.element).collect(),
        }
    }

    fn is(&self, key: &Key) -> bool {
        let &Wanted { filling: Filling { template, numbers, graph, fragments, .. }, .. } = self;
        (key.template, key.wide_index, key.streams) == (template.address(), self.wide_index, self.streams)
            && key.nodes.iter().eq(&graph.nodes)
            && key.vectors.iter().eq(graph.vectors.iter().map(|vector| &vector.element))
            && key.numbers.iter().eq(numbers.iter())
            && *key.fragments == **fragments
    }

    fn options(&self, profile: &DeviceProfile) -> BuildOptions {
        // Users can do nothing about a loop that a driver's compiler does not unroll, so its warnings are turned off.
        let mut options = BuildOptions::new().no_warnings();
        if profile.rounds_division_correctly {
            options = options.correctly_rounded_division();
        }
        if profile.quirks.keeps_folds {
            options = options.define("KEEPS_FOLDS", 1);
        }
        if let Some(target) = self.filling.template.definition().ptx_target() {
            options = options.ptx_target(target);
        }
        match self.filling.template.fence() {
            Some(fence) => fence.options(options),
            None => options,
        }
    }
}

/// Returns the kernel for indices up to `len`, compiled on first use.
pub(crate) fn compiled(context: &Context, filling: &Filling<'_>, len: usize) -> Result<Arc<Compiled>> {
    let cache = context.attachment::<Cache>();
    let profile = cache.profile(context)?;
    let wanted = Wanted::of(profile, filling, len);
    match cache.find(&wanted) {
        Some(found) => Ok(found),
        None => Ok(compile(&cache, context, profile, &[&wanted])?.swap_remove(0)),
    }
}

/// Returns the kernels of several fillings, each for indices up to its length. New kernels with equal options and index
/// widths become one program, because each program costs a fixed time.
pub(crate) fn compiled_together(
    context: &Context,
    fillings: &[(Filling<'_>, usize)],
) -> Result<Vec<Arc<Compiled>>> {
    let cache = context.attachment::<Cache>();
    let profile = cache.profile(context)?;
    let mut kernels = Vec::with_capacity(fillings.len());
    let mut missing: Vec<(usize, Wanted<'_>)> = Vec::new();
    for (at, (filling, len)) in fillings.iter().enumerate() {
        let wanted = Wanted::of(profile, filling, *len);
        let found = cache.find(&wanted);
        if found.is_none() {
            missing.push((at, wanted));
        }
        kernels.push(found);
    }
    while let Some((_, first)) = missing.first() {
        let options = first.options(profile);
        let joins =
            |wanted: &Wanted<'_>| wanted.wide_index == first.wide_index && wanted.options(profile) == options;
        // Equal kernels are compiled once.
        let mut program: Vec<&Wanted<'_>> = Vec::new();
        for (_, wanted) in missing.iter().filter(|(_, wanted)| joins(wanted)) {
            if program.iter().all(|other| !other.is(&wanted.key())) {
                program.push(wanted);
            }
        }
        compile(&cache, context, profile, &program)?;
        for (at, wanted) in &missing {
            kernels[*at] = cache.find(wanted);
        }
        missing.retain(|(at, _)| kernels[*at].is_none());
    }
    Ok(kernels.into_iter().flatten().collect())
}

/// Compiles kernels as one program, and remembers them. They have the same options, and indices of one width.
///
/// Compiles outside the lock, because other threads may need other kernels meanwhile. Two threads that compile the same
/// kernel waste time, but both get correct kernels.
fn compile(
    cache: &Cache,
    context: &Context,
    profile: &DeviceProfile,
    wanted: &[&Wanted<'_>],
) -> Result<Vec<Arc<Compiled>>> {
    let mut parts = Vec::with_capacity(wanted.len());
    for one in wanted {
        require_types(profile, one.filling.graph)?;
        require_items(one.filling)?;
        let shape = Shape { streams: one.streams, ..shape(profile, one.filling) };
        parts.push(ProgramKernel::on(profile, one.filling, shape));
    }
    let (wide_index, options) = (wanted[0].wide_index, wanted[0].options(profile));
    let text = source::program(&parts, wide_index);
    let names: Vec<String> = (0..).zip(wanted).map(|(number, one)| one.filling.name(number)).collect();
    if std::env::var_os("CL_SHOW_KERNELS").is_some_and(|value| value != "0") {
        eprintln!("// ---- {} on {}\n{text}", names.join(", "), profile.name);
    }
    let reads_all_declarations = profile.quirks.reads_all_declarations;
    let program = match declarations::build(context, reads_all_declarations, &text, &options) {
        Ok(program) => program,
        // Compiled one by one, each kernel gets an error of its own.
        Err(Error::Build(error)) if wanted.len() > 1 => {
            log::warn!("{} are compiled one by one: {error}", names.join(", "));
            let one_by_one = wanted.iter().map(|one| compile(cache, context, profile, &[one]));
            return Ok(one_by_one.collect::<Result<Vec<_>>>()?.concat());
        }
        Err(Error::Build(mut error)) => {
            error.purpose = wanted[0].filling.purpose();
            return Err(Error::Build(error));
        }
        Err(error) => return Err(error),
    };
    let remember = |((one, part), name): ((&&Wanted<'_>, &ProgramKernel<'_>), &String)| {
        let (shape, has_faults) = (part.shape, part.checks_loops || one.filling.checks_indices());
        let (kernel, parameters) = (program.kernel(name)?, one.filling.template.described());
        let divisors = one.filling.graph.launched_divisors();
        let template = one.filling.template.kernel();
        let compiled = Compiled { kernel, shape, wide_index, divisors, has_faults, template, parameters };
        Ok(cache.insert(one, compiled))
    };
    wanted.iter().zip(&parts).zip(&names).map(remember).collect()
}

/// Returns an error if a kernel over the items of vectors depends on coordinates.
fn require_items(filling: &Filling<'_>) -> Result<()> {
    let roots: Vec<NodeId> = filling.fragments.iter().flat_map(|part| part.roots.iter().copied()).collect();
    let needed = filling.graph.needed(&roots);
    let depends = |(node, needed): (&Node, bool)| needed && matches!(node.op, Op::Coordinate(_));
    if filling.graph.nodes.iter().zip(needed).any(depends) {
        let reason = "it depends on the coordinates of an index space, and a vector has none: use functions of `ranked`";
        return Err(Error::invalid_input(filling.operation, reason));
    }
    Ok(())
}

/// The number of loose loads from which on packs on GPUs have at most [`LOOSE_PACK`] items. A GPU loads a loose pack item by
/// item, and each of these loads touches all lines of memory that neighbouring work-items load.
///
/// On an H200, 2^26 `f32` by packs of 4, 2 and 1 items: a stencil of seven points of the sum of two arrays takes 0.451, 0.323
/// and 0.360 ms, two stencils of eight and seven loads 0.532, 0.465 and 0.658, a stencil of a stencil 0.853, 0.558 and 0.684, a
/// convolution of 7 x 7 0.814, 0.811 and 0.701. `f64` by packs of 2 and 1: 0.290 and 0.297, 0.396 and 0.491, 0.524 and 0.523.
/// Work-groups that take 2 to 8 rows instead of one gain 1 to 7 % or lose 3 to 10 %.
const MANY_LOOSE_LOADS: usize = 4;
const LOOSE_PACK: usize = 2;

/// Returns the shape in which the template divides its work, for the largest element of its inputs and outputs.
fn shape(profile: &DeviceProfile, filling: &Filling<'_>) -> Shape {
    let elements = || filling.fragments.iter().flat_map(|fragment| fragment.moved(filling.graph));
    let size = elements().map(ElementType::size).max().unwrap_or(1);
    let mut shape = filling.template.shape(profile, size);
    // Only scalars are loaded and stored in packs.
    if elements().any(|element| element.scalar().is_none()) {
        shape.pack = 1;
    }
    if !shape.chunked && filling.graph.loose_loads() >= MANY_LOOSE_LOADS {
        shape.pack = shape.pack.min(LOOSE_PACK);
    }
    // A fold is a loop for each item. Packs do not speed these loops up, but compilers would unroll the loop
    // over a pack's items, and compile a dozen folds. That takes PoCL a minute.
    if filling.graph.nodes.iter().any(|node| matches!(node.op, Op::Fold { .. })) {
        shape.pack = 1;
        shape.packs = 1;
    }
    shape
}

/// Returns an error unless the device has every type in the graph.
fn require_types(profile: &DeviceProfile, graph: &Graph<'_>) -> Result<()> {
    for node in &graph.nodes {
        if let Some(element) = node.ty.element() {
            profile.require(element)?;
        }
        if let Some(function) = node.op.function() {
            function.types.iter().try_for_each(|&element| profile.require(element))?;
        }
    }
    Ok(())
}

/// Returns the source for a device, with 32-bit indices.
pub(crate) fn source_on(profile: &DeviceProfile, filling: &Filling<'_>) -> String {
    filling.source(profile, shape(profile, filling))
}
