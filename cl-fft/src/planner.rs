//! Plans, kept with their queue.

use crate::fft::Fft;
use crate::plan::{DeviceLimits, Kind, Problem};
use crate::real::Real;
use crate::real_fft::RealFft;
use crate::run::Plan;
use cl_algo::Element;
use cl_algo::codegen::profile;
use cl_algo::num_complex::Complex;
use cl_core::{Queue, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A planner makes plans and remembers them. Planning the same problem again on the same queue takes one table
/// lookup.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::Planner;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let planner = Planner::new(&queue);
/// let fft = planner.c2c::<f32>([360])?;
/// let again = planner.c2c::<f32>([360])?; // the same plan
/// assert_eq!(fft.recipe(), again.recipe());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Planner {
    queue: Queue,
    limits: Option<DeviceLimits>,
}

impl Planner {
    /// Returns the planner of a queue. All planners of a queue share their plans, which live as long as the queue.
    #[must_use]
    pub fn new(queue: &Queue) -> Planner {
        Planner { queue: queue.clone(), limits: None }
    }

    /// Returns a planner that chooses recipes by the given `DeviceLimits` instead of the device's own description, to
    /// find out which recipe is fastest. `DeviceLimits` that exceed the device's limits lead to kernels that the device
    /// refuses.
    ///
    /// ```
    /// use cl_algo::{DeviceProfile, prelude::*};
    /// use cl_fft::{Planner, plan::DeviceLimits};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let limits = DeviceLimits::of(&DeviceProfile::of(queue.device())?);
    /// let planner = Planner::new(&queue).with_limits(DeviceLimits { burst: 128, ..limits });
    /// let columns = planner.c2c::<f32>(cl_fft::Problem::new([64, 64]).axes([0]))?;
    /// println!("{:?}", columns.recipe());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_limits(self, limits: DeviceLimits) -> Planner {
        Planner { limits: Some(limits.bounded()), ..self }
    }

    /// Plans a transform of complex numbers to complex numbers.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput), before any driver call, with the length, axis,
    /// stride or distance that is wrong; [`Error::Unsupported`](cl_core::Error::Unsupported) for `f64` on a
    /// device without it; [`Error::TooLarge`](cl_core::Error::TooLarge) if a table is larger than the
    /// device's largest allocation; [`Error::Driver`](cl_core::Error::Driver) if the driver has no memory
    /// left for the tables.
    pub fn c2c<T: Real>(&self, problem: impl Into<Problem>) -> Result<Fft<T>>
    where
        Complex<T>: Element,
    {
        Ok(Fft::new(&self.queue, self.plan(problem.into(), Kind::Complex)?))
    }

    /// Plans a transform of real numbers to half of their spectrum, and its inverse. An input with several points
    /// at the same index, as in overlapping frames, has no inverse: calls of the inverse return an error.
    ///
    /// # Errors
    /// As [`Planner::c2c`].
    pub fn real<T: Real>(&self, problem: impl Into<Problem>) -> Result<RealFft<T>>
    where
        Complex<T>: Element,
    {
        let problem = problem.into();
        let forward = self.plan(problem.clone(), Kind::RealToHalf)?;
        // Overlapping frames can be read, but not written: they have a spectrum, but no inverse.
        let back = match &forward.problem.input.shared {
            Some(why) => {
                Err(format!("{why}: points of the input overlap, and the inverse cannot write them").into())
            }
            None => Ok(self.plan(problem.turned(), Kind::HalfToReal)?),
        };
        Ok(RealFft::new(&self.queue, forward, back))
    }

    fn plan<T: Real>(&self, problem: Problem, kind: Kind) -> Result<Arc<Plan<T>>>
    where
        Complex<T>: Element,
    {
        let plans = self.queue.attachment::<Plans<T>>();
        let key = (problem, kind, self.limits.clone());
        let known =
            |plans: &Plans<T>| plans.table.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(plan) = known(&plans) {
            return Ok(plan);
        }
        let checked = key.0.check(kind)?;
        let profile = &*profile(self.queue.context())?;
        let limits =
            self.limits.clone().unwrap_or_else(|| DeviceLimits::of(profile).tuned(profile, T::BYTES));
        let plan = Arc::new(Plan::new(&self.queue, checked, profile, &limits)?);
        let mut table = plans.table.lock().unwrap_or_else(PoisonError::into_inner);
        if table.len() >= MOST_PLANS {
            // A program with this many different problems rarely uses one of them again.
            table.clear();
        }
        Ok(Arc::clone(table.entry(key).or_insert(plan)))
    }
}

/// The largest number of plans that a queue remembers.
const MOST_PLANS: usize = 256;

/// The plans that a queue remembers.
struct Plans<T: Real> {
    table: Mutex<Table<T>>,
}

type Table<T> = HashMap<(Problem, Kind, Option<DeviceLimits>), Arc<Plan<T>>>;

impl<T: Real> Default for Plans<T> {
    fn default() -> Plans<T> {
        Plans { table: Mutex::default() }
    }
}
