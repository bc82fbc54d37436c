//! Evaluation of formulas on the device.

use crate::formula::{Formula, GridNumber, IntoFormula, Kind};
use crate::layers::Layered;
use crate::lower::{Kept, Lowering, order_of, within_borders};
use crate::plan::{Evaluation, Plan};
use crate::region::{FARTHEST, Margins, Region, Span, part_of};
use cl_algo::DeviceVec;
use cl_algo::Symbol;
use cl_algo::ranked::{Boxed, Layout, assign_each, count, queue_of};
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayViewMut, Bordered, Borders};
use cl_core::{Error, Queue, Result};
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

impl<'a, T: GridNumber, const N: usize> Formula<'a, T, N> {
    /// Evaluates the function at all points of its grid into a new array. Does not wait.
    ///
    /// # Errors
    /// Deferred errors; [`Error::InvalidInput`] if the function has no value at some points, because it reads beyond a
    /// border without a rule, if it reads no array, or if it fits every grid; as [`ArrayExpr::collect`].
    pub fn collect(&self) -> Result<Array<T, N>> {
        self.inside(0).collect()
    }

    /// Evaluates the function on `queue`, for functions that read no array. See [`collect`](Formula::collect).
    ///
    /// # Errors
    /// As [`collect`](Formula::collect).
    pub fn collect_on(&self, queue: &Queue) -> Result<Array<T, N>> {
        self.inside(0).collected_on(queue)
    }

    /// Evaluates the function at all points of its grid, and copies the values to the host in row-major order. Waits for
    /// the device.
    ///
    /// # Errors
    /// As [`collect`](Formula::collect).
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.collect()?.to_vec()
    }

    /// Returns the decisions for an evaluation on a queue at all points of the grid, into an array in row-major order.
    ///
    /// # Errors
    /// As [`collect`](Formula::collect).
    pub fn plan(&self, queue: &Queue) -> Result<Plan<'a, T, N>> {
        let shape = self.grid("plan")?;
        let region = Region::of_grid(shape).and(&self.node.domain);
        Plan::new(self, Evaluation { region, queue, output: Layout::row_major(&region.shape()).ok() })
    }

    /// Returns the sizes of the grid.
    pub(crate) fn grid(&self, operation: &'static str) -> Result<[usize; N]> {
        self.check()?;
        self.node.shape.ok_or_else(|| {
            let reason = "the function fits every grid: assign it to an array, or combine it with one";
            Error::invalid_input(operation, reason)
        })
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.node.failure.as_ref().map_or(Ok(()), |failure| Err(failure.clone()))
    }

    /// Returns an error unless the function has values at all points of a region of a grid.
    pub(crate) fn check_at(
        &self,
        operation: &'static str,
        shape: [usize; N],
        region: &Region<N>,
    ) -> Result<()> {
        self.check()?;
        if let Some(own) = self.node.shape.filter(|own| *own != shape) {
            let reason =
                format!("a function on a grid of shape {own:?}, evaluated on a grid of shape {shape:?}");
            return Err(Error::invalid_input(operation, reason));
        }
        if shape.iter().any(|&len| len > FARTHEST) {
            let reason = format!("a grid of shape {shape:?}; an axis has at most {FARTHEST} points");
            return Err(Error::invalid_input(operation, reason));
        }
        if !region.is_empty() && !self.node.domain.contains(region) {
            let reason = format!(
                "the function has values at {} only, and is evaluated at {region} of a grid of shape {shape:?}: leave \
                 margins, by `inside`, or give its operands a `border`",
                self.node.domain
            );
            return Err(Error::invalid_input(operation, reason));
        }
        Ok(())
    }

    /// Evaluates the functions that are kept into scratch memory, and calls a closure with the function at the points of a
    /// region.
    pub(crate) fn with_values<R>(
        &self,
        region: Region<N>,
        queue: &Queue,
        run: impl FnOnce(Bordered<'_, T, N>) -> Result<R>,
    ) -> Result<R> {
        let plan = Plan::new(self, Evaluation { region, queue, output: None })?;
        with_kept(&plan, queue, |kept, _| run(lowered(self, region, queue, kept)?))
    }

    /// Does the same as [`with_values`](Formula::with_values) for an update in place, whose expression outlives the call: the
    /// functions that are kept move into it as new arrays.
    fn values_in_arrays(&self, region: Region<N>, queue: &Queue) -> Result<ArrayExpr<'a, T, N>> {
        let mut kept = Kept::new();
        let how = Evaluation { region, queue, output: None };
        for (formula, region) in &Plan::new(self, how)?.kept {
            let array = lowered(formula, *region, queue, &kept)?.collect_on(queue)?;
            kept.insert(Rc::as_ptr(&formula.node), (array.into_array_expr(), *region));
        }
        Ok(lowered(self, region, queue, &kept)?.into_expr())
    }

    /// Returns the queue of an array that the function reads.
    pub(crate) fn queue(&self, operation: &'static str) -> Result<Queue> {
        let queues = order_of(self).into_iter().filter_map(|formula| match &formula.node.kind {
            Kind::Array(items) => Some(queue_of(operation, &items.clone().into_ranked()).cloned()),
            _ => None,
        });
        let mut unnamed = None;
        for queue in queues {
            match queue {
                Ok(queue) => return Ok(queue),
                Err(error) => unnamed = Some(error),
            }
        }
        Err(unnamed.unwrap_or_else(|| {
            let reason = "the function reads no array, and so has no queue: name it, by `collect_on`, or assign the \
                          function to an array";
            Error::invalid_input(operation, reason)
        }))
    }
}

/// Evaluates functions at the points of a region into views of these points, one for each function, in one kernel.
pub(crate) fn assign_to<T: GridNumber, const N: usize>(
    functions: &[Formula<'_, T, N>],
    region: Region<N>,
    queue: &Queue,
    targets: Vec<ArrayViewMut<'_, T, N>>,
) -> Result<()> {
    let layout = match &targets[..] {
        [target] => Some(*target.layout()),
        _ => None,
    };
    let plan = Plan::new(&together(functions), Evaluation { region, queue, output: layout })?;
    with_kept(&plan, queue, |kept, layered| {
        Kernel { functions, region, queue, kept, layered }.assign_to(targets)
    })
}

/// Returns a function that reads the values of all functions at its own point.
pub(crate) fn together<'a, T: GridNumber, const N: usize>(
    functions: &[Formula<'a, T, N>],
) -> Formula<'a, T, N> {
    match functions {
        [function] => function.clone(),
        _ => Formula::stencil("assign", functions.to_vec(), |at| {
            let values = (0..functions.len()).map(|function| at((function, [0; N])));
            values.reduce(|sum, value| sum + value).unwrap_or_else(|| T::zeroed().into_val())
        }),
    }
}

/// Evaluates the functions of a plan that are kept in arrays into scratch memory, and calls a closure with these arrays and
/// the functions that the plan keeps in layers.
fn with_kept<'a, T: GridNumber, const N: usize, R>(
    plan: &Plan<'a, T, N>,
    queue: &Queue,
    run: impl FnOnce(&Kept<'_, T, N>, &[Formula<'a, T, N>]) -> Result<R>,
) -> Result<R> {
    let rooms: Vec<OnceCell<Array<T, N>>> = plan.kept.iter().map(|_| OnceCell::new()).collect();
    let (mut kept, layered) = (Kept::new(), &plan.layered[..]);
    for ((function, region), room) in plan.kept.iter().zip(&rooms) {
        let shape = region.shape();
        // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vector is dropped.
        let vector = unsafe { DeviceVec::in_scratch(queue, count(&shape)?) }?;
        let mut array = Array::from_vec(vector, shape)?;
        let functions = std::slice::from_ref(function);
        Kernel { functions, region: *region, queue, kept: &kept, layered }
            .assign_to(vec![array.view_mut()])?;
        kept.insert(Rc::as_ptr(&function.node), (room.get_or_init(|| array).iter(), *region));
    }
    let result = run(&kept, layered);
    drop(kept);
    for array in rooms.into_iter().filter_map(OnceCell::into_inner) {
        // SAFETY: the vector was made above in scratch memory, and the expressions that read it are gone.
        unsafe { array.into_vec().into_scratch() };
    }
    result
}

/// A kernel that evaluates functions at the points of a region. If a function is kept in layers, more kernels evaluate the
/// points near borders.
struct Kernel<'k, 'a, T: GridNumber, const N: usize> {
    functions: &'k [Formula<'a, T, N>],
    region: Region<N>,
    queue: &'k Queue,
    kept: &'k Kept<'a, T, N>,
    layered: &'k [Formula<'a, T, N>],
}

impl<T: GridNumber, const N: usize> Kernel<'_, '_, T, N> {
    /// Evaluates the functions into views of the region.
    fn assign_to(&self, mut targets: Vec<ArrayViewMut<'_, T, N>>) -> Result<()> {
        if let [formula] = self.functions
            && let Some(target) = targets.pop()
        {
            return self.assign_one(formula, target);
        }
        let &Kernel { functions, region, queue, kept, .. } = self;
        let mut lowering = Lowering::new(queue, kept);
        let mut values = |region: Region<N>| -> Result<Vec<_>> {
            functions.iter().map(|function| Ok(lowering.values(function, region)?.into_ranked())).collect()
        };
        let (whole, inside) = (values(region)?, within_borders(&together(functions), region, kept));
        let inside = match inside.is_empty() || inside == region {
            true => None,
            false => Some(Boxed {
                items: values(inside)?,
                begin: begin_of(&inside, &region).to_vec(),
                shape: inside.shape().to_vec(),
            }),
        };
        let targets = targets.into_iter().map(ArrayViewMut::into_target).collect::<Result<Vec<_>>>()?;
        assign_each("assign", targets, whole, inside)
    }

    fn assign_one(&self, formula: &Formula<'_, T, N>, target: ArrayViewMut<'_, T, N>) -> Result<()> {
        let &Kernel { region, queue, kept, layered, .. } = self;
        let layered = Layered::of(formula, region, kept, layered, queue, target.layout())?;
        let Some(layered) = layered else {
            return lowered(formula, region, queue, kept)?.assign_to(target);
        };
        let inside = layered.inside;
        if inside == region {
            return layered.assign(formula, region, kept, queue, target, || Ok(()));
        }
        let whole = Lowering::new(queue, kept).values(formula, region)?;
        let (borders, rest, first) = Borders::around(target, begin_of(&inside, &region), inside.shape())?;
        let shape = rest.shape();
        let points =
            std::array::from_fn(|axis| Span::new(region.0[axis].begin + first[axis] as i64, shape[axis]));
        layered.assign(formula, Region(points), kept, queue, rest, || borders.assign(&whole))
    }
}

/// Returns the coordinates in a region of the first point of another one inside.
fn begin_of<const N: usize>(inside: &Region<N>, region: &Region<N>) -> [usize; N] {
    std::array::from_fn(|axis| (inside.0[axis].begin - region.0[axis].begin) as usize)
}

/// Returns the values of a function at the points of a region: those that read nothing beyond a border, and all.
fn lowered<'a, T: GridNumber, const N: usize>(
    formula: &Formula<'a, T, N>,
    region: Region<N>,
    queue: &Queue,
    kept: &Kept<'a, T, N>,
) -> Result<Bordered<'a, T, N>> {
    let mut lowering = Lowering::new(queue, kept);
    let whole = lowering.values(formula, region)?;
    let inside = within_borders(formula, region, kept);
    if inside.is_empty() || inside == region {
        return Ok(Bordered::from_parts(None, whole));
    }
    let values = lowering.values(formula, inside)?;
    Ok(Bordered::from_parts(Some((values, begin_of(&inside, &region))), whole))
}

/// A part of a function: its points without margins. Made by [`Formula::inside`].
#[must_use = "formulas are lazy: nothing is computed until they are evaluated"]
#[derive(Debug)]
pub struct Inside<'a, T: GridNumber, const N: usize> {
    pub(crate) formula: Formula<'a, T, N>,
    pub(crate) margins: Margins<N>,
}

impl<'a, T: GridNumber, const N: usize> Formula<'a, T, N> {
    /// Returns the function without the points in the margins, for reductions and for evaluations into a smaller array.
    pub fn inside(&self, margins: impl Into<Margins<N>>) -> Inside<'a, T, N> {
        Inside { formula: self.clone(), margins: margins.into() }
    }
}

impl<'a, T: GridNumber, const N: usize> Inside<'a, T, N> {
    /// Calls a closure with the values at the points and their queue. `operation` is the name in errors.
    pub(crate) fn with_values<R>(
        &self,
        operation: &'static str,
        run: impl FnOnce(Bordered<'_, T, N>, &Queue) -> Result<R>,
    ) -> Result<R> {
        self.formula.check()?;
        let queue = self.formula.queue(operation)?;
        let region = self.region(operation)?;
        self.formula.with_values(region, &queue, |values| run(values, &queue))
    }

    /// Returns the points. `operation` is the name in errors.
    fn region(&self, operation: &'static str) -> Result<Region<N>> {
        let shape = self.formula.grid(operation)?;
        let region = self.margins.inside(shape);
        self.formula.check_at(operation, shape, &region)?;
        Ok(region)
    }

    fn collected_on(&self, queue: &Queue) -> Result<Array<T, N>> {
        let region = self.region("collect")?;
        let shape = region.shape();
        // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vector is dropped.
        let vector = unsafe { DeviceVec::uninit(queue, count(&shape)?) }?;
        let mut array = Array::from_vec(vector, shape)?;
        assign_to(std::slice::from_ref(&self.formula), region, queue, vec![array.view_mut()])?;
        Ok(array)
    }

    /// Evaluates the function at the points into a new array without the margins. Does not wait.
    ///
    /// # Errors
    /// As [`Formula::collect`].
    pub fn collect(&self) -> Result<Array<T, N>> {
        self.formula.check()?;
        self.collected_on(&self.formula.queue("collect")?)
    }

    /// Evaluates the function at the points, and copies the values to the host in row-major order. Waits for the device.
    ///
    /// # Errors
    /// As [`Formula::collect`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.collect()?.to_vec()
    }
}

/// Arrays and views that functions on grids are assigned to: all points, or the points of a part.
pub trait GridTarget<'t, T: GridNumber, const N: usize>: Sized {
    /// Returns the array as a view.
    fn into_view_mut(self) -> ArrayViewMut<'t, T, N>;

    /// Returns all points of the array.
    fn whole(self) -> Target<'t, T, N> {
        self.inside(0)
    }

    /// Returns the points of the array without margins, which an assignment leaves untouched.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut h = Array::zeros(&queue, [2, 4])?;
    /// h.inside([(0, 1), (1, 2)]).assign(7)?;
    /// assert_eq!(h.to_vec()?, [0, 7, 0, 0, 0, 0, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    fn inside(self, margins: impl Into<Margins<N>>) -> Target<'t, T, N> {
        let view = self.into_view_mut();
        let shape = view.shape();
        Target { view, region: Ok(margins.into().inside(shape)) }
    }

    /// Returns the points of a box, given by a range of coordinates for each axis.
    ///
    /// A range beyond the array is an error of the assignment.
    fn part(self, ranges: [Range<usize>; N]) -> Target<'t, T, N> {
        let view = self.into_view_mut();
        let region = part_of("part", view.shape(), &ranges);
        Target { view, region }
    }
}

impl<'t, T: GridNumber, const N: usize> GridTarget<'t, T, N> for &'t mut Array<T, N> {
    fn into_view_mut(self) -> ArrayViewMut<'t, T, N> {
        self.view_mut()
    }
}

impl<'t, T: GridNumber, const N: usize> GridTarget<'t, T, N> for ArrayViewMut<'t, T, N> {
    fn into_view_mut(self) -> ArrayViewMut<'t, T, N> {
        self
    }
}

/// The points of an array that a function is assigned to. Made by [`GridTarget`].
#[must_use = "nothing is assigned yet"]
#[derive(Debug)]
pub struct Target<'t, T: GridNumber, const N: usize> {
    view: ArrayViewMut<'t, T, N>,
    region: Result<Region<N>>,
}

impl<'t, T: GridNumber, const N: usize> Target<'t, T, N> {
    /// Evaluates a function into the points. The array has the shape of the grid, and each point gets the function's value
    /// at its own coordinates. Does not wait.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the function is on a grid of another shape, or has no value at some of the points,
    /// because it reads beyond a border without a rule; deferred errors; as [`ArrayExpr::collect`].
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let f = Array::from_slice(&queue, [4], &[1.0_f32, 2.0, 4.0, 8.0])?;
    /// let ahead = Operator::new(|at| at([1]) - at([0]));
    /// let mut h = Array::filled(&queue, [4], 0.5_f32)?;
    /// // Nothing follows the last point: it is left out, or a rule says which value follows.
    /// h.inside([(0, 1)]).assign(ahead.of(&f))?;
    /// assert_eq!(h.to_vec()?, [1.0, 2.0, 4.0, 0.5]);
    /// h.whole().assign(ahead.of(Formula::from(&f).border(BorderRule::Edge)))?;
    /// assert_eq!(h.to_vec()?, [1.0, 2.0, 4.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn assign<'a>(self, function: impl IntoFormula<'a, T, N>) -> Result<()> {
        let Target { view, region } = self;
        Targets { views: [view], region }.assign([function.into_formula()])
    }

    /// Evaluates a function of the array's own values into the points, in one kernel and in place. Does not wait. Without
    /// points the closure is not called.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let f = Array::from_slice(&queue, [4], &[1.0_f32, 2.0, 4.0, 8.0])?;
    /// let sum = Operator::new(|at| at([-1]) + at([1]));
    /// let mut u = Array::filled(&queue, [4], 10.0_f32)?;
    /// // `u` is read at its own point only, `f` at others.
    /// u.inside(1).assign_with(|u| 2.0 * u + sum.of(&f))?;
    /// assert_eq!(u.to_vec()?, [10.0, 25.0, 30.0, 10.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`assign`](Target::assign), and [`Error::InvalidInput`] if the function reads the array's own values at other
    /// points, because these may already be replaced.
    pub fn assign_with(self, function: impl FnOnce(Formula<'t, T, N>) -> Formula<'t, T, N>) -> Result<()> {
        let (shape, region) = (self.view.shape(), self.region?);
        if region.is_empty() {
            return Ok(());
        }
        let queue = self.view.queue();
        points(self.view, &region).assign_with(|own| {
            let formula = function(Formula::part_of_grid(own.clone(), shape, region));
            let values = formula
                .check_at("assign_with", shape, &region)
                .and_then(|()| formula.values_in_arrays(region, queue));
            // Nothing is enqueued for an expression with a deferred error.
            values.unwrap_or_else(|error| {
                ArrayExpr::from_ranked(own.into_ranked().failed(error), region.shape())
            })
        })
    }
}

/// Returns the points of a region as a view.
fn points<'t, T: GridNumber, const N: usize>(
    view: ArrayViewMut<'t, T, N>,
    region: &Region<N>,
) -> ArrayViewMut<'t, T, N> {
    (0..N).fold(view, |view, axis| {
        let span = region.0[axis];
        view.slice_axis(axis, span.begin as isize..span.end as isize)
    })
}

/// Arrays of one shape that systems of functions on grids are assigned to, in one kernel: at all points, or at the points of
/// a part. An array of [`GridTarget`]s.
pub trait GridTargets<'t, T: GridNumber, const N: usize, const M: usize>: Sized {
    /// Returns the arrays as views.
    fn into_views_mut(self) -> [ArrayViewMut<'t, T, N>; M];

    /// Returns all points of the arrays.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let (mut sine, mut cosine) = (Array::zeros(&queue, [4])?, Array::zeros(&queue, [4])?);
    /// let angle = Formula::from_fn(|[i]| i.cast::<f32>() * std::f32::consts::FRAC_PI_2);
    /// // Both functions, in one kernel.
    /// [&mut sine, &mut cosine].whole().assign([angle.clone().map(Val::sin), angle.map(Val::cos)])?;
    /// assert!((sine.get([1])? - 1.0_f32).abs() < 1e-6 && (cosine.get([2])? + 1.0_f32).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    fn whole(self) -> Targets<'t, T, N, M> {
        self.inside(0)
    }

    /// Returns the points of the arrays without margins, which an assignment leaves untouched.
    fn inside(self, margins: impl Into<Margins<N>>) -> Targets<'t, T, N, M> {
        let views = self.into_views_mut();
        let region = common_shape(&views).map(|shape| margins.into().inside(shape));
        Targets { views, region }
    }

    /// Returns the points of a box, given by a range of coordinates for each axis.
    ///
    /// A range beyond the arrays is an error of the assignment.
    fn part(self, ranges: [Range<usize>; N]) -> Targets<'t, T, N, M> {
        let views = self.into_views_mut();
        let region = common_shape(&views).and_then(|shape| part_of("part", shape, &ranges));
        Targets { views, region }
    }
}

impl<'t, T: GridNumber, G: GridTarget<'t, T, N>, const N: usize, const M: usize> GridTargets<'t, T, N, M>
    for [G; M]
{
    fn into_views_mut(self) -> [ArrayViewMut<'t, T, N>; M] {
        self.map(GridTarget::into_view_mut)
    }
}

/// Returns the shape of several views.
fn common_shape<T: GridNumber, const N: usize>(views: &[ArrayViewMut<'_, T, N>]) -> Result<[usize; N]> {
    let shape = views.first().map_or([0; N], ArrayViewMut::shape);
    match views.iter().map(ArrayViewMut::shape).find(|other| *other != shape) {
        Some(other) => {
            let reason = format!("functions are assigned to arrays of shapes {shape:?} and {other:?}");
            Err(Error::invalid_input("assign", reason))
        }
        None => Ok(shape),
    }
}

/// The points of arrays that a system of functions is assigned to. Made by [`GridTargets`].
#[must_use = "nothing is assigned yet"]
#[derive(Debug)]
pub struct Targets<'t, T: GridNumber, const N: usize, const M: usize> {
    views: [ArrayViewMut<'t, T, N>; M],
    region: Result<Region<N>>,
}

impl<T: GridNumber, const N: usize, const M: usize> Targets<'_, T, N, M> {
    /// Evaluates functions into the points, the first function into the first array, in one kernel. What several functions
    /// have in common is read and computed once. Does not wait.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let (u, v) = (Array::from_slice(&queue, [3], &[1, 2, 4])?, Array::from_slice(&queue, [3], &[5, 6, 7])?);
    /// let (mut next_u, mut next_v) = (Array::zeros(&queue, [3])?, Array::zeros(&queue, [3])?);
    /// let sum = Operator::new(|at| at([-1]) + at([1]));
    /// let [around_u, around_v] = [&u, &v].map(|of| sum.of(Formula::from(of).border(BorderRule::Periodic)));
    /// [&mut next_u, &mut next_v].whole().assign([around_u + &v, around_v * &u])?;
    /// assert_eq!((next_u.to_vec()?, next_v.to_vec()?), (vec![11, 11, 10], vec![13, 24, 44]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Target::assign`]; [`Error::InvalidInput`] if the arrays have different shapes; [`Error::ForeignObject`] if they
    /// belong to different queues.
    pub fn assign<'a>(self, functions: [Formula<'a, T, N>; M]) -> Result<()> {
        let (Some(first), region) = (self.views.first(), self.region?) else { return Ok(()) };
        let (shape, queue) = (first.shape(), first.queue());
        functions.iter().try_for_each(|function| function.check_at("assign", shape, &region))?;
        if region.is_empty() {
            return Ok(());
        }
        assign_to(&functions, region, queue, self.views.map(|view| points(view, &region)).into())
    }
}
