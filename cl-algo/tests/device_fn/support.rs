//! A device function in a kernel of its own, over columns of arguments.
#![allow(clippy::unwrap_used, dead_code)] // helpers of tests may stop at the first surprise; not all tests need all

use cl_algo::Element;
use cl_algo::function::probe::DeviceFunction;
use cl_algo::function::{Function, Parameter, Type};
use cl_core::{Access, Arg, Buffer, BuildOptions, Program, Queue};
use std::fmt::Write;

/// What kernels with checked indices get from the generator of kernels.
const FAULTS: &str = "
#pragma OPENCL FP_CONTRACT OFF
#define FAULT_PARAMETER , global fault_record *fault
#define FAULT_ARGUMENT , fault
typedef struct { uint operation; uint claimed; ulong index; ulong bound; } fault_record;
inline void record_fault(global fault_record *fault, uint operation, ulong index, ulong bound)
{
    if (atomic_cmpxchg((volatile global uint *)&fault->claimed, 0u, 1u) == 0u) {
        fault->operation = operation;
        fault->index = index;
        fault->bound = bound;
    }
}
";

/// An index out of range: operation, index and bound.
pub type Fault = (u64, u64, u64);

/// A Rust type as it lies in device memory.
pub trait Stored: Copy {
    type In: Element;
    fn store(self) -> Self::In;
    fn load(stored: Self::In) -> Self;
}

macro_rules! stored {
    ($($of:ty as $stored:ty;)*) => {$(
        impl Stored for $of {
            type In = $stored;
            fn store(self) -> $stored {
                self as $stored
            }
            fn load(stored: $stored) -> $of {
                stored as $of
            }
        }
    )*};
}

stored! {
    i8 as i8; u8 as u8; i16 as i16; u16 as u16; i32 as i32; u32 as u32; i64 as i64; u64 as u64;
    f32 as f32; f64 as f64; usize as u64; isize as i64;
}

impl Stored for bool {
    type In = u8;
    fn store(self) -> u8 {
        self.into()
    }
    fn load(stored: u8) -> bool {
        stored != 0
    }
}

/// Arguments for one parameter: one for each work-item, or a slice for all of them.
pub struct Column {
    buffer: Buffer<u8>,
    len: usize,
}

impl Column {
    pub fn new<T: Stored>(queue: &Queue, values: &[T]) -> Column {
        let stored: Vec<T::In> = values.iter().map(|value| value.store()).collect();
        Column::of(queue, &stored, values.len())
    }

    /// A slice of the first `len` values.
    pub fn of<T: Element>(queue: &Queue, stored: &[T], len: usize) -> Column {
        Column { buffer: Buffer::from_slice(queue, cl_algo::bytemuck::cast_slice(stored)).unwrap(), len }
    }
}

fn stored_name(of: &Type) -> String {
    if *of == Type::Bool { "uchar".to_owned() } else { of.c_name() }
}

fn source(function: &Function) -> String {
    let (mut parameters, mut arguments) = (String::new(), Vec::new());
    for (at, parameter) in function.parameters().iter().enumerate() {
        match parameter {
            Parameter::Value(of) => {
                write!(parameters, "global const {} *a{at}, ", stored_name(of)).unwrap();
                arguments.push(format!("a{at}[i]"));
            }
            Parameter::Slice(of) => {
                write!(parameters, "global const {} *a{at}, ulong n{at}, ", stored_name(of)).unwrap();
                arguments.push(format!("a{at}, n{at}"));
            }
        }
    }
    let hidden = if function.checks_indices() { " FAULT_ARGUMENT" } else { "" };
    format!(
        "{FAULTS}{}\nkernel void run({parameters}global {} *out, global fault_record *fault)\n{{\n    \
         const size_t i = get_global_id(0);\n    out[i] = {}({}{hidden});\n}}\n",
        Function::definitions([function]),
        stored_name(function.result()),
        function.name(),
        arguments.join(", ")
    )
}

/// Runs a function for `items` work-items.
pub fn run<F: DeviceFunction, R: Stored>(
    queue: &Queue,
    items: usize,
    columns: &[Column],
) -> (Vec<R>, Option<Fault>) {
    let function = F::function().unwrap();
    let options = BuildOptions::new().correctly_rounded_division();
    let program = Program::build(queue.context(), source(function), &options).unwrap_or_else(|error| panic!("{error}"));
    let kernel = program.kernel("run").unwrap();
    let zero = R::In::zeroed();
    let mut out = Buffer::filled(queue, zero, items).unwrap();
    let mut fault = Buffer::filled(queue, 0_u64, 3).unwrap();
    let mut launch = kernel.launch();
    for (column, parameter) in columns.iter().zip(function.parameters()) {
        launch = launch.arg(Arg::Memory(column.buffer.memory(), Access::Read));
        if let Parameter::Slice(_) = parameter {
            launch = launch.arg(Arg::value(column.len as u64));
        }
    }
    let launch = launch.arg(&mut out).arg(Arg::Memory(fault.memory(), Access::Write)).global(items);
    // SAFETY: columns of values have `items` of them, in the types that the function declares.
    unsafe { launch.enqueue(queue) }.unwrap();
    let values = out.to_vec(queue).unwrap().into_iter().map(R::load).collect();
    let words = fault.to_vec(queue).unwrap();
    let claimed = words[0] >> 32 != 0;
    (values, claimed.then_some((words[0] & 0xffff_ffff, words[1], words[2])))
}
