//! A template, filled and launched.

use super::cache::{Compiled, compiled, compiled_together};
use super::capture;
use super::parameters::Parameters;
use super::source::Filling;
use super::template::{Chosen, Template};
use crate::device::DeviceProfile;
use crate::element::Element;
use crate::expr::Item;
use crate::expr::{Operand, Recorded, record};
use crate::fault::Faults;
use crate::ir::fragment::{Fragment, Kind, Output, StoreIndex};
use crate::ir::fused::Fused;
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf;
use crate::ir::op::{NodeId, Op, Site};
use crate::ir::target::{Stores, Target, TargetIndex};
use crate::lower::quotient;
use crate::sink::Sink;
use cl_core::{Access, Arg, Device, Error, Memory, Queue, Result};
use smallvec::SmallVec;
use std::sync::Arc;

impl<'a> Fused<'a> {
    /// Returns a `Fused` without inputs or outputs. `operation` is the function that the user called; errors name it.
    pub fn new(operation: &'static str) -> Fused<'a> {
        Fused {
            operation,
            graph: Graph::default(),
            fragments: SmallVec::new(),
            targets: Vec::new(),
            rows: None,
            keeps: false,
        }
    }

    /// Adds an input. The template reads its items by `NAME_LOAD(i)`, or by `LOAD(i)` if the name is empty.
    pub fn input<T: Item>(self, name: &'static str, value: impl Operand<'a, T>) -> Self {
        self.with_input(name, value.into_expr().into_graph())
    }

    pub(crate) fn with_input(mut self, name: &'static str, graph: Graph<'a>) -> Self {
        self.read(name, graph);
        self
    }

    /// Adds an input.
    pub(crate) fn read(&mut self, name: &'static str, graph: Graph<'a>) {
        let roots = if self.graph.nodes.is_empty() {
            self.graph = graph;
            std::mem::take(&mut self.graph.roots)
        } else {
            // The inputs of a template may have different lengths.
            let len = self.graph.len.take();
            let roots = self.graph.absorb(&graph, Replace::Nothing, self.operation);
            self.graph.len = len;
            roots
        };
        self.read_nodes(name, roots);
    }

    /// Adds an input that these nodes of the graph are.
    pub(crate) fn read_nodes(&mut self, name: &'static str, roots: SmallVec<[NodeId; 2]>) {
        // Inputs come before outputs, which name the types of inputs.
        let output = |fragment: &Fragment| matches!(fragment.kind, Kind::Output { .. });
        let at = self.fragments.iter().position(output).unwrap_or(self.fragments.len());
        self.fragments.insert(at, Fragment { name, kind: Kind::Input, roots });
    }

    /// Adds an operator on items of the input called `of`. The template calls it as `NAME(a, b)`, with as many
    /// arguments as the closure's tuple has items.
    pub fn operator<V: Recorded, R: Recorded>(
        self,
        name: &'static str,
        of: &'static str,
        closure: impl FnOnce(V) -> R,
    ) -> Self
    where
        V::Item: Item<Values = V>,
    {
        self.with_operator(name, of, &record::<V::Item, R>(closure), <V::Item as Item>::count())
    }

    /// Adds an operator that was recorded. Its arguments have `elements` elements in all.
    pub(crate) fn with_operator(
        mut self,
        name: &'static str,
        of: &'static str,
        operator: &Graph<'static>,
        elements: usize,
    ) -> Self {
        let roots = self.graph.absorb(operator, Replace::Nothing, name);
        self.operate_by(name, of, roots, elements);
        self
    }

    /// Adds an operator that these nodes of the graph are. Its arguments have `elements` elements in all.
    pub(crate) fn operate_by(
        &mut self,
        name: &'static str,
        of: &'static str,
        roots: SmallVec<[NodeId; 2]>,
        elements: usize,
    ) {
        let source = crate::ir::fragment::source(&self.fragments, of);
        let parts = source.map_or(1, |source| source.roots.len().max(1));
        let kind = Kind::Operator { of, arity: elements / parts };
        self.fragments.push(Fragment { name, kind, roots });
    }

    /// Adds a function that was recorded. Its arguments are an item of each of the inputs and functions called `of`. The
    /// template calls it as `NAME(a, b)`; operators and outputs may be of its results.
    pub(crate) fn with_function(
        mut self,
        name: &'static str,
        of: &[&'static str],
        function: &Graph<'static>,
    ) -> Self {
        let roots = self.graph.absorb(function, Replace::Nothing, name);
        self.fragments.push(Fragment { name, kind: Kind::Function { of: of.into() }, roots });
        self
    }

    /// Adds an output. The template stores items of the input called `of` by `NAME_STORE(i, item)`, or by
    /// `STORE(i, item)` if the name is empty.
    pub fn output<T: Item>(mut self, name: &'static str, of: &'static str, sink: impl Sink<'a, T>) -> Self {
        self.write(name, of, sink, false);
        self
    }

    /// Adds an output that lies where the input lies, for templates that load an item before another item is stored at
    /// its index.
    pub(crate) fn output_in_place<T: Item>(mut self, sink: impl Sink<'a, T>) -> Self {
        self.write("", "", sink, true);
        self.keeping()
    }

    /// Adds an output.
    pub(crate) fn write<T: Item>(
        &mut self,
        name: &'static str,
        of: &'static str,
        sink: impl Sink<'a, T>,
        in_place: bool,
    ) {
        let items = self.graph.parameters::<T>();
        self.write_nodes(name, of, &items, sink, in_place);
    }

    /// Adds an output of a recorded operator's results for the items of the input called `of`.
    pub(crate) fn write_results<T: Item>(
        &mut self,
        name: &'static str,
        of: &'static str,
        operator: &Graph<'static>,
        sink: impl Sink<'a, T>,
    ) {
        let results = self.graph.absorb(operator, Replace::Nothing, self.operation);
        self.write_nodes(name, of, &results, sink, false);
    }

    /// Adds an output of nodes whose parameters are the items of the input called `of`.
    fn write_nodes<T: Item>(
        &mut self,
        name: &'static str,
        of: &'static str,
        nodes: &[NodeId],
        sink: impl Sink<'a, T>,
        in_place: bool,
    ) {
        let (values, targets) = (&mut self.graph, &mut self.targets);
        let mut stores = Stores { values, targets, roots: SmallVec::new() };
        sink.add_targets(nodes, &mut stores);
        let roots = stores.roots;
        self.store(name, of, roots, in_place);
    }

    /// Declares that outputs keep their old elements where nothing is stored. The launch then depends on the
    /// earlier contents of the outputs' memory: [`Access::Write`] instead of [`Access::Overwrite`].
    pub(crate) fn keeping(self) -> Self {
        Fused { keeps: true, ..self }
    }

    /// Adds an output that stores these nodes in these targets.
    pub(crate) fn with_targets(
        mut self,
        name: &'static str,
        of: &'static str,
        roots: SmallVec<[NodeId; 2]>,
        targets: impl IntoIterator<Item = Target<'a>>,
        in_place: bool,
    ) -> Self {
        self.targets.extend(targets);
        self.store(name, of, roots, in_place);
        self
    }

    /// Adds an output that stores these nodes in the last `roots.len()` targets.
    fn store(
        &mut self,
        name: &'static str,
        of: &'static str,
        mut roots: SmallVec<[NodeId; 2]>,
        in_place: bool,
    ) {
        let len = self.graph.len;
        let mut outputs = SmallVec::new();
        let begin = self.targets.len() - roots.len();
        for target in &mut self.targets[begin..] {
            if let Some(failure) = target.failure.take() {
                self.graph.failure.get_or_insert(failure);
            }
            let index = match &target.index {
                TargetIndex::Line { stride: 1, offset: 0 } => StoreIndex::Own,
                TargetIndex::Line { stride: 1, .. } => StoreIndex::Slice { aligned: false },
                TargetIndex::Line { .. } => StoreIndex::Line,
                TargetIndex::Row { stride, begin } => {
                    StoreIndex::Row { begin: *begin, strided: *stride != 1 }
                }
                TargetIndex::Scatter { indices, .. } => {
                    let checked = roots.len() as u32;
                    roots.extend(self.graph.absorb(indices, Replace::Nothing, "scatter"));
                    StoreIndex::Scatter { checked, place: roots.len() as u32 - 1, site: Site::Scatter }
                }
            };
            outputs.push(Output { element: target.element, index, in_place });
        }
        self.graph.len = len;
        self.fragments.push(Fragment { name, kind: Kind::Output { of, outputs }, roots });
    }

    /// Lets vectors and slices be outputs with less room than there are items, for templates that store fewer items
    /// than there are. The kernel drops an item without room, and the next call that waits returns an error.
    pub(crate) fn fitting(mut self) -> Self {
        let Some(len) = self.graph.len else { return self };
        let mut targets = self.targets.iter_mut();
        for fragment in &mut self.fragments {
            let Kind::Output { outputs, .. } = &mut fragment.kind else { continue };
            for (output, target) in outputs.iter_mut().zip(&mut targets) {
                let TargetIndex::Line { stride: 1, offset } = target.index else { continue };
                if target.len < len {
                    let bound = offset as usize + target.len;
                    let indices = Graph::line_at(1, offset).cast(<u64 as Element>::TYPE);
                    let root = fragment.roots.len() as u32;
                    output.index = StoreIndex::Scatter { checked: root, place: root, site: Site::Output };
                    fragment.roots.extend(self.graph.include(&indices, Replace::Nothing));
                    target.index = TargetIndex::Scatter { indices: Box::new(indices), bound, reach: bound };
                    target.len = usize::MAX;
                }
            }
        }
        self
    }

    /// Adds an output for each element of the items, without targets. Such outputs are enough to write the
    /// source, but the kernel cannot be launched.
    pub(crate) fn with_whole_outputs<T: Item>(mut self) -> Self {
        let roots = self.graph.parameters::<T>();
        let mut outputs = SmallVec::new();
        T::each_element(&mut |element| {
            outputs.push(Output { element, index: StoreIndex::Own, in_place: false });
        });
        self.fragments.push(Fragment { name: "", kind: Kind::Output { of: "", outputs }, roots });
        self
    }

    /// Returns an error unless expressions and sinks have no deferred error and all vectors belong to one queue.
    /// Nothing is compiled, and the length does not matter: a call that is wrong for some vectors is also wrong for
    /// empty ones.
    ///
    /// # Errors
    /// The first deferred error; [`Error::ForeignObject`].
    pub fn check(&self) -> Result<()> {
        self.check_with(&[])
    }

    /// Returns an error unless [`check`](Fused::check) succeeds and `others` belong to the same queue.
    /// `others` are expressions that are not inputs yet, or not inputs of this kernel.
    pub(crate) fn check_with(&self, others: &[&Graph<'_>]) -> Result<()> {
        self.graph.check()?;
        self.one_queue(self.queues().chain(others.iter().filter_map(|other| other.queue())))
    }

    /// Returns an error unless [`check`](Fused::check) succeeds and the vectors belong to `queue`.
    ///
    /// # Errors
    /// The first deferred error; [`Error::ForeignObject`].
    pub fn check_on(&self, queue: &Queue) -> Result<()> {
        self.graph.check()?;
        self.one_queue(std::iter::once(queue).chain(self.queues()))
    }

    /// Returns the queues of the expressions, their vectors and the targets.
    fn queues(&self) -> impl Iterator<Item = &Queue> {
        let vectors = self.graph.vectors.iter().map(leaf::Vector::queue);
        self.graph
            .on
            .as_deref()
            .into_iter()
            .chain(vectors)
            .chain(self.targets.iter().map(|target| target.queue))
    }

    /// Returns the queue of the expressions and the targets.
    pub(crate) fn queue(&self) -> Option<&Queue> {
        self.queues().next()
    }

    fn one_queue<'q>(&self, mut queues: impl Iterator<Item = &'q Queue>) -> Result<()> {
        let first = queues.next();
        if queues.any(|queue| Some(queue) != first) {
            let reason = "the vectors belong to different queues";
            return Err(Error::foreign_object(self.operation, reason));
        }
        Ok(())
    }

    /// Returns the number of items that all outputs have room for; `None` without a bound, as for outputs that drop
    /// their items.
    #[must_use]
    pub fn room(&self) -> Option<usize> {
        self.targets.iter().map(|target| target.len).min().filter(|&len| len != usize::MAX)
    }

    /// Fills `template`, which is compiled with `parameters`.
    pub fn by<P: Parameters>(&self, template: &'static Template<P>, parameters: P) -> Filled<'_, 'a, P> {
        Filled { fused: self, chosen: (template, parameters) }
    }

    /// Returns the kernels of several templates, in their order, each for indices up to `len`. New kernels are compiled
    /// as one program, which takes less time than a program for each.
    ///
    /// # Errors
    /// As [`Filled::compile`].
    pub fn compile_all<'f>(
        kernels: &[&dyn AnyFilled<'f, 'a>],
        queue: &'f Queue,
        len: usize,
    ) -> Result<Vec<Ready<'f, 'a>>> {
        let mut fillings = Vec::with_capacity(kernels.len());
        for kernel in kernels {
            let fused = kernel.fused();
            fused.check_on(queue)?;
            fillings.push((fused.filling(kernel.chosen()), fused.reach(len)));
        }
        let compiled = compiled_together(queue.context(), &fillings)?;
        let ready = kernels.iter().zip(compiled);
        Ok(ready.map(|(kernel, compiled)| Ready { fused: kernel.fused(), queue, compiled }).collect())
    }

    /// Returns the highest index, for inputs of length `len`.
    fn reach(&self, len: usize) -> usize {
        self.targets.iter().map(Target::reach).fold(len, usize::max)
    }

    /// Returns the graph with the roots of all fragments.
    pub(super) fn whole(&self) -> Graph<'a> {
        self.graph.only(self.fragments.iter().flat_map(|fragment| fragment.roots.iter().copied()).collect())
    }

    /// Replaces the graph that [`whole`](Fused::whole) returned.
    pub(super) fn set_whole(&mut self, mut graph: Graph<'a>) {
        let old = self.fragments.iter_mut().flat_map(|fragment| fragment.roots.iter_mut());
        old.zip(std::mem::take(&mut graph.roots)).for_each(|(old, new)| *old = new);
        self.graph = graph;
    }

    /// Restricts the graph to its first `len` items. Gathers whose indices have the form
    /// `stride * i + offset` and are in range for all these items lose their check: see
    /// [`Graph::with_lines`].
    pub(crate) fn find_lines(&mut self, len: usize) {
        if self.graph.nodes.iter().any(|node| matches!(node.op, Op::Checked(_))) {
            let lines = self.whole().with_lines(len);
            self.set_whole(lines);
        }
    }

    pub(super) fn filling<'f>(&'f self, chosen: &'f dyn Chosen) -> Filling<'f> {
        let Fused { operation, graph, fragments, rows, .. } = self;
        let mut numbers = SmallVec::new();
        if let Some(rows) = rows {
            numbers.extend(rows.numbers());
        }
        chosen.each_parameter(&mut |_, number| numbers.push(number));
        Filling { template: chosen, numbers, operation, graph, fragments, rows: rows.as_ref() }
    }
}

/// A template with its parameters, inputs, operators and outputs.
#[must_use = "nothing happens until it is compiled and launched"]
#[allow(missing_debug_implementations)] // shown by the source
pub struct Filled<'f, 'a, P: 'static> {
    fused: &'f Fused<'a>,
    chosen: (&'static Template<P>, P),
}

impl<'f, 'a, P: Parameters> Filled<'f, 'a, P> {
    /// Returns the kernel for `queue` and indices up to `len`. A kernel is compiled on first use, once for each
    /// structure.
    ///
    /// # Errors
    /// A deferred error of the expressions or sinks; [`Error::ForeignObject`] if a vector belongs to another queue;
    /// [`Error::Unsupported`] for a type that the device lacks; [`Error::Build`], [`Error::Driver`].
    pub fn compile(&self, queue: &'f Queue, len: usize) -> Result<Ready<'f, 'a>> {
        let fused = self.fused;
        fused.check_on(queue)?;
        let compiled = compiled(queue.context(), &fused.filling(&self.chosen), fused.reach(len))?;
        Ok(Ready { fused, queue, compiled })
    }

    /// Returns the source of the kernel on a device, with 32-bit indices.
    ///
    /// # Errors
    /// As [`Filled::compile`].
    pub fn source(&self, device: &Device) -> Result<String> {
        self.fused.graph.check()?;
        Ok(super::cache::source_on(&DeviceProfile::of(device)?, &self.fused.filling(&self.chosen)))
    }
}

/// A [`Filled`] whose type of parameters is erased.
pub trait AnyFilled<'f, 'a>: private::Parts<'f, 'a> {}

impl<'f, 'a, P: Parameters> AnyFilled<'f, 'a> for Filled<'f, 'a, P> {}

mod private {
    use super::{Chosen, Filled, Fused, Parameters};

    pub trait Parts<'f, 'a> {
        fn fused(&self) -> &'f Fused<'a>;
        fn chosen(&self) -> &dyn Chosen;
    }

    impl<'f, 'a, P: Parameters> Parts<'f, 'a> for Filled<'f, 'a, P> {
        fn fused(&self) -> &'f Fused<'a> {
            self.fused
        }

        fn chosen(&self) -> &dyn Chosen {
            &self.chosen
        }
    }
}

/// A compiled kernel with its inputs, outputs and queue.
#[allow(missing_debug_implementations)] // shown by the source
pub struct Ready<'f, 'a> {
    fused: &'f Fused<'a>,
    queue: &'f Queue,
    pub(crate) compiled: Arc<Compiled>,
}

impl Ready<'_, '_> {
    /// Returns the shape in which the kernel divides its work.
    #[must_use]
    pub fn shape(&self) -> crate::Shape {
        self.compiled.shape
    }

    /// Returns an index or a length as an argument, as wide as the kernel's `INDEX`.
    #[must_use]
    pub fn index(&self, value: usize) -> Arg<'static> {
        leaf::index(value as i64, self.compiled.wide_index)
    }

    /// Returns the numbers by which the kernel's function `divided` divides by `by`, as wide as `INDEX`.
    pub(crate) fn division(&self, by: usize) -> [Arg<'static>; 2] {
        quotient::of_index(by, self.compiled.wide_index)
    }

    /// Enqueues the kernel with `groups` work-groups of `group` work-items. `own` are the arguments for the parameters
    /// that the template has after `PARAMETERS OUTPUTS`.
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver reports an error; the errors of `cl-core` for wrong arguments.
    ///
    /// # Safety
    /// With these arguments and sizes the template must load and store only at indices that the inputs and outputs
    /// have, and stay within the memory that it was given.
    pub unsafe fn launch(&self, own: &[Arg<'_>], groups: usize, group: usize) -> Result<()> {
        let Ready { fused, queue, compiled } = self;
        let faults = compiled.has_faults.then(|| queue.attachment::<Faults>());
        let record = faults.as_ref().map(|faults| faults.arm(queue)).transpose()?;
        let record = record.as_ref().map(|record| record.memory());
        let arguments = self.arguments(record, own);
        let launch =
            arguments.iter().fold(compiled.kernel.launch(), |launch, argument| launch.arg(*argument));
        // SAFETY: the inputs and outputs are those that the kernel declares; the caller promises the rest.
        let launched = unsafe { launch.global(groups * group).local(group).enqueue(*queue) };
        launched.map_err(|error| compiled.described(error))?;
        capture::note(queue, compiled, &fused.graph.vectors, record, &arguments, [groups, group]);
        Ok(())
    }

    /// Returns the arguments of the kernel, in the order of its parameters. `record` is the record of indices out of range.
    fn arguments<'s>(&'s self, record: Option<&'s Memory>, own: &[Arg<'s>]) -> SmallVec<[Arg<'s>; 24]> {
        let Ready { fused, compiled, .. } = self;
        let mut arguments = SmallVec::new();
        let mut divisors = compiled.divisors.iter().copied().peekable();
        for (slot, scalar) in (0..).zip(&fused.graph.scalars) {
            arguments.push(scalar.argument(compiled.wide_index));
            if divisors.next_if_eq(&slot).is_some()
                && let Some(numbers) = scalar.division()
            {
                arguments.push(numbers);
            }
        }
        arguments.extend(fused.graph.vectors.iter().map(|vector| Arg::Memory(vector.memory(), Access::Read)));
        arguments.extend(record.map(|record| Arg::Memory(record, Access::Overwrite)));
        if let Some(rows) = &fused.rows {
            arguments.extend(rows.arguments(compiled.wide_index));
        }
        for target in &fused.targets {
            let access = if fused.keeps { Access::Write } else { target.access() };
            // OpenCL has no memory of zero bytes. The kernel stores nothing there, because each of its indices is out of
            // range, so any other memory can be the argument.
            let memory = Some(target.memory).filter(|memory| memory.bytes() > 0).or(record);
            arguments.push(Arg::Memory(memory.unwrap_or(target.memory), access));
            match target.index {
                TargetIndex::Line { stride: 1, offset: 0 } => {}
                TargetIndex::Line { stride, offset } => {
                    if stride != 1 {
                        arguments.push(leaf::index(stride, compiled.wide_index));
                    }
                    arguments.push(leaf::index(offset, compiled.wide_index));
                }
                TargetIndex::Row { stride: 1, .. } => {}
                TargetIndex::Row { stride, .. } => arguments.push(leaf::index(stride, compiled.wide_index)),
                TargetIndex::Scatter { bound, .. } => arguments.push(self.index(bound)),
            }
        }
        arguments.extend_from_slice(own);
        arguments
    }
}
