//! Compiled kernels, kept with the context and found by the structure of their expression.

use super::source::{Template, source};
use crate::device_profile::{DeviceProfile, Shape};
use crate::expr::graph::{Graph, Op};
use cl_core::{BuildOptions, Context, Kernel, Program, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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
    kernels: Mutex<HashMap<Vec<u64>, Arc<Compiled>>>,
}

/// The profile of the context's device.
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
    let key = key(graph, template, wide_index);
    // Compilation happens outside the lock: others may need other kernels meanwhile. Two threads
    // that compile the same one waste time, not correctness.
    if let Some(found) = cache.kernels.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(Arc::clone(found));
    }
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
    let kernel = Program::build(context, &text, &options)?.kernel(template.kernel())?;
    let new = Arc::new(Compiled { kernel, shape, wide_index });
    let mut kernels = cache.kernels.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Arc::clone(kernels.entry(key).or_insert(new)))
}

/// All that the source depends on, besides the device: template, index width, root and nodes.
fn key(graph: &Graph<'_>, template: Template, wide_index: bool) -> Vec<u64> {
    let template = match template {
        Template::Assign { in_place } => u64::from(in_place),
        Template::Sum { last } => 2 + u64::from(last),
    };
    let mut key = Vec::with_capacity(1 + 3 * graph.nodes.len());
    key.push(template << 33 | u64::from(wide_index) << 32 | u64::from(graph.root));
    for node in &graph.nodes {
        let [first, second, third] = node.arguments;
        key.push(node.op.code());
        key.push((node.element as u64) << 32 | u64::from(first));
        key.push(u64::from(second) << 32 | u64::from(third));
    }
    key
}
