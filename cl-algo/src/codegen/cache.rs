//! Compiled kernels, kept with the context and found by the structure of their expression.

use super::source::{Pass, Template, source};
use crate::device_profile::{DeviceFence, DeviceProfile, Shape};
use crate::expr::graph::{Graph, Node, NodeId, Op};
use cl_core::{BuildOptions, CVersion, Context, Kernel, Program, Result};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// A kernel with the shape that it was generated for.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) kernel: Kernel,
    pub(crate) shape: Shape,
    /// Whether it indexes with 64 bits.
    pub(crate) wide_index: bool,
}

/// What a context remembers.
#[derive(Default)]
struct Cache {
    profile: OnceLock<Arc<DeviceProfile>>,
    kernels: RwLock<HashTable<Entry>>,
    hasher: DefaultHashBuilder,
}

/// All that the source of a kernel depends on, besides the device.
#[derive(Hash, PartialEq, Eq)]
struct Key<'g> {
    template: Template,
    wide_index: bool,
    root: NodeId,
    nodes: Cow<'g, [Node]>,
}

struct Entry {
    hash: u64,
    key: Key<'static>,
    compiled: Arc<Compiled>,
}

impl Cache {
    fn find(&self, hash: u64, key: &Key<'_>) -> Option<Arc<Compiled>> {
        let kernels = self.kernels.read().unwrap_or_else(PoisonError::into_inner);
        kernels.find(hash, |entry| entry.key == *key).map(|entry| Arc::clone(&entry.compiled))
    }

    /// Remembers a kernel, unless another thread was faster; returns the one that is remembered.
    fn insert(&self, hash: u64, key: Key<'_>, new: Compiled) -> Arc<Compiled> {
        let mut kernels = self.kernels.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = kernels.find(hash, |entry| entry.key == key) {
            return Arc::clone(&entry.compiled);
        }
        let compiled = Arc::new(new);
        let key = Key { nodes: Cow::Owned(key.nodes.into_owned()), ..key };
        let entry = Entry { hash, key, compiled: Arc::clone(&compiled) };
        kernels.insert_unique(hash, entry, |entry| entry.hash);
        compiled
    }
}

/// The profile of the context's device.
///
/// # Errors
/// [`Error::Driver`](cl_core::Error::Driver) when the driver fails to answer.
pub(crate) fn profile(context: &Context) -> Result<Arc<DeviceProfile>> {
    profile_of(&context.attachment(), context)
}

fn profile_of(cache: &Cache, context: &Context) -> Result<Arc<DeviceProfile>> {
    if let Some(profile) = cache.profile.get() {
        return Ok(Arc::clone(profile));
    }
    let profile = Arc::new(DeviceProfile::of(context.device())?);
    Ok(Arc::clone(cache.profile.get_or_init(|| profile)))
}

/// The kernel of a template over an expression of up to `len` elements, compiled on first use.
pub(crate) fn compiled(
    context: &Context,
    graph: &Graph<'_>,
    template: Template,
    len: usize,
) -> Result<Arc<Compiled>> {
    let cache = context.attachment::<Cache>();
    // A kernel's index runs at most one tile past the length: far enough below 2^32, 32 bits do.
    let wide_index = len >= 1 << 31;
    let key = Key { template, wide_index, root: graph.root, nodes: Cow::Borrowed(&graph.nodes) };
    let hash = cache.hasher.hash_one(&key);
    if let Some(found) = cache.find(hash, &key) {
        return Ok(found);
    }
    // Compilation happens outside the lock: others may need other kernels meanwhile. Two threads
    // that compile the same one waste time, not correctness.
    let profile = profile_of(&cache, context)?;
    for node in graph.nodes.iter().filter(|node| node.op != Op::Index) {
        profile.require(node.element)?;
    }
    let shape = template.shape(&profile, graph.nodes[graph.root as usize].element);
    let text = source(graph, template, shape, wide_index);
    if std::env::var_os("CL_SHOW_KERNELS").is_some_and(|value| value != "0") {
        eprintln!("// ---- {} on {}\n{text}", template.kernel(), profile.name);
    }
    let mut options = BuildOptions::new();
    if profile.rounds_division_correctly {
        options = options.correctly_rounded_division();
    }
    if template == Template::Sum(Pass::Only(DeviceFence::OpenClC3)) {
        options = options.language(CVersion::C30);
    }
    let kernel = Program::build(context, &text, &options)?.kernel(template.kernel())?;
    Ok(cache.insert(hash, key, Compiled { kernel, shape, wide_index }))
}
