//! The state of a program: vectors, arrays and matrices on the device, and the model's copies of them.

use crate::dice::Dice;
use crate::expression::{Form, Rows};
use crate::finding::{Finding, Outcome, equal, same};
use crate::nd::{Nd, random_shape};
use cl_algo::prelude::*;
use cl_array::Array;
use cl_core::{Context, Error, Result};
use cl_sparse::plan::Kernel;
use cl_sparse::{Coo, Csr, Ell, HostCsr, Hybrid, Optimized, Sell, Triplets};
use std::collections::HashMap;

/// The number of vectors of a program.
pub(crate) const VECTORS: usize = 5;

/// The number of arrays of a program.
const ARRAYS: usize = 3;

/// The objects that steps use.
pub(crate) struct World {
    pub(crate) queues: Vec<Queue>,
    /// The vectors. A vector is absent while a step changes it.
    device: Vec<Option<DeviceVec<i32>>>,
    pub(crate) host: Vec<Vec<i32>>,
    pub(crate) indices: Vec<DeviceVec<u32>>,
    pub(crate) host_indices: Vec<Vec<u32>>,
    pub(crate) scalars: Vec<DeviceScalar<i32>>,
    pub(crate) host_scalars: Vec<i32>,
    pub(crate) matrices: Vec<Matrix>,
    /// The arrays. An array is absent while a step changes it.
    arrays: Vec<Option<Array<i32, 3>>>,
    host_arrays: Vec<Nd<i32>>,
}

impl World {
    pub(crate) fn new(context: &Context, data: &mut Dice) -> Result<World> {
        let mut queues = Vec::new();
        for _ in 0..1 + data.below(3) {
            let out_of_order = data.one_in(3) && context.device().has_out_of_order_queues()?;
            // Memory that is used again would have neither canaries around it nor poison in it.
            let options = QueueOptions::new().fresh_scratch();
            let options = if out_of_order { options.out_of_order() } else { options };
            queues.push(Queue::new(context, options)?);
        }
        let host: Vec<Vec<i32>> = (0..VECTORS).map(|_| values(data)).collect();
        let host_indices: Vec<Vec<u32>> =
            (0..2).map(|_| (0..data.len()).map(|_| data.below(5000) as u32).collect()).collect();
        let mut device = Vec::new();
        for values in &host {
            device.push(Some(DeviceVec::from_slice(&queues[0], values)?));
        }
        let mut indices = Vec::new();
        for values in &host_indices {
            indices.push(DeviceVec::from_slice(&queues[0], values)?);
        }
        let host_scalars = vec![data.value(), data.value()];
        let mut scalars = Vec::new();
        for &value in &host_scalars {
            scalars.push(DeviceScalar::from_value(&queues[0], value)?);
        }
        let mut matrices = Vec::new();
        for _ in 0..2 {
            matrices.push(Matrix::new(&queues[0], random_matrix(data))?);
        }
        let (mut arrays, mut host_arrays) = (Vec::new(), Vec::new());
        for _ in 0..ARRAYS {
            let host = Nd::build(random_shape(data), |_| data.value());
            arrays.push(Some(Array::from_slice(&queues[0], host.shape, &host.items)?));
            host_arrays.push(host);
        }
        Ok(World {
            queues,
            device,
            host,
            indices,
            host_indices,
            scalars,
            host_scalars,
            matrices,
            arrays,
            host_arrays,
        })
    }

    /// Returns the array that `number` selects, and its model: the next one that is not absent.
    #[allow(clippy::expect_used)] // a step that takes all arrays would be a bug in this crate
    pub(crate) fn array(&self, number: usize) -> (&Array<i32, 3>, &Nd<i32>) {
        let i = self.resolve_array(number);
        (self.arrays[i].as_ref().expect("an array is left"), &self.host_arrays[i])
    }

    fn resolve_array(&self, number: usize) -> usize {
        (0..ARRAYS).map(|i| (number + i) % ARRAYS).find(|&i| self.arrays[i].is_some()).unwrap_or(0)
    }

    /// Calls `work` to change an array and its model. Meanwhile the array is absent, and expressions use others.
    #[allow(clippy::expect_used)] // as above
    pub(crate) fn change_array<R>(
        &mut self,
        number: usize,
        work: impl FnOnce(&mut World, &mut Array<i32, 3>, &mut Nd<i32>) -> Outcome<R>,
    ) -> Outcome<R> {
        let i = self.resolve_array(number);
        let mut device = self.arrays[i].take().expect("an array is left");
        let mut host = std::mem::replace(&mut self.host_arrays[i], Nd { shape: [0; 3], items: Vec::new() });
        let result = work(self, &mut device, &mut host);
        self.arrays[i] = Some(device);
        self.host_arrays[i] = host;
        result
    }

    /// Returns the index of the vector that `number` selects: the next one that is not absent, from `number`
    /// modulo the number of vectors on.
    pub(crate) fn resolve(&self, number: usize) -> usize {
        let len = self.device.len();
        (0..len).map(|i| (number + i) % len).find(|&i| self.device[i].is_some()).unwrap_or(0)
    }

    /// Returns the vector on the device that `number` selects.
    #[allow(clippy::expect_used)] // a step that takes all vectors would be a bug in this crate
    pub(crate) fn vector(&self, number: usize) -> &DeviceVec<i32> {
        self.device[self.resolve(number)].as_ref().expect("a vector is left")
    }

    /// Returns the queue of all vectors. All vectors of an expression must have one queue.
    pub(crate) fn main_queue(&self) -> &Queue {
        &self.queues[0]
    }

    /// Returns the queue that `number` selects, for commands on buffers.
    pub(crate) fn queue(&self, number: usize) -> &Queue {
        &self.queues[number % self.queues.len()]
    }

    /// Calls `work` to change a vector and its model. Meanwhile the vector is absent, and expressions use
    /// others.
    #[allow(clippy::expect_used)] // as above
    pub(crate) fn change<R>(
        &mut self,
        number: usize,
        work: impl FnOnce(&mut World, &mut DeviceVec<i32>, &mut Vec<i32>) -> Outcome<R>,
    ) -> Outcome<R> {
        let i = self.resolve(number);
        let mut device = self.device[i].take().expect("a vector is left");
        let mut host = std::mem::take(&mut self.host[i]);
        let result = work(self, &mut device, &mut host);
        self.device[i] = Some(device);
        self.host[i] = host;
        result
    }

    /// Compares a vector with its model.
    pub(crate) fn compare(&self, number: usize) -> Outcome {
        let i = self.resolve(number);
        same(&format!("v{i}"), &self.vector(i).to_vec()?, &self.host[i])
    }

    /// Compares everything with the model, and waits for all commands.
    pub(crate) fn compare_all(&self) -> Outcome {
        (0..VECTORS).try_for_each(|i| self.compare(i))?;
        for (i, (device, host)) in self.indices.iter().zip(&self.host_indices).enumerate() {
            same(&format!("i{i}"), &device.to_vec()?, host)?;
        }
        for (i, (device, &host)) in self.scalars.iter().zip(&self.host_scalars).enumerate() {
            equal(&format!("s{i}"), device.get()?, host)?;
        }
        for (i, matrix) in self.matrices.iter().enumerate() {
            matrix.compare(&format!("m{i}"))?;
        }
        for (i, host) in self.host_arrays.iter().enumerate() {
            compare_array(&format!("a{i}"), self.array(i).0, host)?;
        }
        self.finish()
    }

    /// Waits for all queues.
    pub(crate) fn finish(&self) -> Outcome {
        self.queues.iter().try_for_each(|queue| Ok(queue.finish()?))
    }
}

/// Compares an array with its model.
pub(crate) fn compare_array(name: &str, device: &Array<i32, 3>, host: &Nd<i32>) -> Outcome {
    equal(&format!("the shape of {name}"), device.shape(), host.shape)?;
    same(name, &device.to_vec()?, &host.items)
}

fn values(data: &mut Dice) -> Vec<i32> {
    (0..data.len()).map(|_| data.value()).collect()
}

/// Returns a matrix with empty rows, long rows, and now and then no rows.
pub(crate) fn random_matrix(data: &mut Dice) -> HostCsr<i32> {
    let (rows, columns) = (data.len() % 300, 1 + data.len() % 300);
    let mut entries = Triplets::new(rows, columns);
    let mean = data.pick(&[0, 1, 2, 5, 5, 12]);
    for row in 0..rows {
        let len = if data.one_in(20) { 50 } else { data.below(2 * mean + 1) };
        let (first, stride) = (data.below(columns), 1 + data.below(7));
        for i in 0..len {
            // Several entries at one row and column are added up.
            let _ = entries.push(row, (first + i * stride) % columns, data.value());
        }
    }
    let sum = |a: &Triplets<i32>| {
        let mut sums: Vec<HashMap<u32, i32>> = vec![HashMap::new(); rows];
        for &(row, column, value) in a.entries() {
            let sum = sums[row].entry(column as u32).or_default();
            *sum = sum.wrapping_add(value);
        }
        sums
    };
    let (mut offsets, mut indices, mut numbers) = (vec![0_u32], Vec::new(), Vec::new());
    for row in sum(&entries) {
        let mut row: Vec<(u32, i32)> = row.into_iter().collect();
        row.sort_unstable();
        indices.extend(row.iter().map(|entry| entry.0));
        numbers.extend(row.iter().map(|entry| entry.1));
        offsets.push(indices.len() as u32);
    }
    HostCsr::new(rows, columns, offsets, indices, numbers)
        .unwrap_or_else(|error| panic!("the generator of matrices is wrong: {error}"))
}

/// A matrix in all forms that were asked for so far.
pub(crate) struct Matrix {
    pub(crate) host: HostCsr<i32>,
    pub(crate) csr: Csr<i32>,
    forms: HashMap<Form, Made>,
}

enum Made {
    Csr(Csr<i32>),
    Coo(Coo<i32>),
    Ell(Ell<i32>),
    Sell(Sell<i32>),
    Hybrid(Hybrid<i32>),
    Optimized(Optimized<i32>),
}

impl Matrix {
    pub(crate) fn new(queue: &Queue, host: HostCsr<i32>) -> Result<Matrix> {
        Ok(Matrix { csr: Csr::new(queue, &host)?, host, forms: HashMap::new() })
    }

    /// Makes a form, unless it exists.
    pub(crate) fn make(&mut self, form: Form) -> Result<()> {
        if self.forms.contains_key(&form) {
            return Ok(());
        }
        let queue = self.csr.queue();
        let again = || Csr::new(queue, &self.host);
        let kernel = |kernel| again()?.with_kernel(kernel);
        let made = match form {
            Form::Chunks(chunks) => Made::Csr(kernel(Kernel::Chunks { chunks })?),
            Form::Staged => Made::Csr(kernel(Kernel::Staged { group: 16, per_item: 5 })?),
            Form::Lanes => Made::Csr(kernel(Kernel::Shared { group: 16, items_per_row: 4 })?),
            Form::Merge => Made::Csr(kernel(Kernel::Merge { group: 16, per_item: 7 })?),
            Form::Coo => Made::Coo(self.csr.to_coo()?),
            Form::Ell => Made::Ell(Ell::new(&self.csr)?),
            Form::Sell(height, window) => Made::Sell(Sell::new(&self.csr, height, window)?),
            Form::Hybrid(width) => Made::Hybrid(Hybrid::new(&self.csr, width)?),
            Form::Optimized => Made::Optimized(again()?.optimize()?),
        };
        self.forms.insert(form, made);
        Ok(())
    }

    /// Returns the product with a form that [`make`](Self::make) has made.
    pub(crate) fn times<'w>(&'w self, form: Form, rows: Rows, x: Expr<'w, i32>) -> Result<Expr<'w, i32>> {
        macro_rules! product {
            ($a:expr) => {
                match rows {
                    Rows::Product => $a * x,
                    Rows::Largest => $a.times_with(x, 0, |a, x| a * x, |a: Val<i32>, b| a.max(b)),
                }
            };
        }
        Ok(match self.forms.get(&form) {
            Some(Made::Csr(a)) => product!(a),
            Some(Made::Coo(a)) => product!(a),
            Some(Made::Ell(a)) => product!(a),
            Some(Made::Sell(a)) => product!(a),
            Some(Made::Hybrid(a)) => product!(a),
            Some(Made::Optimized(a)) => product!(a),
            None => {
                let reason = "a step has not made it".to_owned();
                return Err(Error::invalid_input("form of a matrix", reason));
            }
        })
    }

    fn compare(&self, name: &str) -> Outcome {
        compare_matrix(name, &self.csr, &self.host)
    }
}

/// Compares a matrix with its model.
pub(crate) fn compare_matrix(name: &str, device: &Csr<i32>, host: &HostCsr<i32>) -> Outcome {
    let got = device.to_host()?;
    if (got.rows(), got.columns()) != (host.rows(), host.columns()) {
        return Err(Finding::Wrong(format!("{name} has {} rows and {} columns", got.rows(), got.columns())));
    }
    same(&format!("{name}: row offsets"), got.row_offsets(), host.row_offsets())?;
    same(&format!("{name}: column indices"), got.column_indices(), host.column_indices())?;
    same(&format!("{name}: values"), got.values(), host.values())
}
