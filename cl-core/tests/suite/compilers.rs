//! Kernels that compilers get wrong, each as small as possible. They prove the entries of `known_faults`
//! about algorithms.

use cl_core::{Access, Arg, Buffer, BuildOptions, Program, Queue};
use cl_test::known_faults::each_device;

const SEARCH: &str = "
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void search(global const uchar *x, global const uchar *needles, global uint *places, const uint length,
            const uint count)
{
    const uint i = get_local_id(0);
    const bool needle = needles[min(i, count - 1)] != 0;
    uint place = 0;
    for (uint width = length; width > 0; width /= 2) {
        const uint half_width = width - width / 2;
        const bool item = x[place + (half_width - 1)] != 0;
        place += !(needle < item) ? half_width : 0;
    }
    if (i < count)
        places[i] = place;
}";

#[test]
fn truth_values_are_searched() {
    each_device("compilers::truth_values_are_searched", |device| {
        if device.max_work_group_size().unwrap() < 256 {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let program = Program::build(queue.context(), SEARCH, &BuildOptions::new()).unwrap();
        let x = Buffer::from_slice(&queue, &[1_u8]).unwrap();
        let needles = Buffer::from_slice(&queue, &[1_u8, 0, 1]).unwrap();
        let places = Buffer::filled(&queue, 9_u32, 3).unwrap();
        let kernel = program.kernel("search").unwrap();
        let launch = kernel.launch().arg(&x).arg(&needles).arg(Arg::Memory(places.memory(), Access::Write));
        let launch = launch.arg(Arg::value(1_u32)).arg(Arg::value(3_u32));
        // SAFETY: the kernel reads one item and three needles, and writes three positions.
        unsafe { launch.global(256).local(256).enqueue(&queue) }.unwrap();
        assert_eq!(places.to_vec(&queue).unwrap(), [1, 0, 1]);
    });
}

const LONGS: &str = "
kernel void above_9(global const int4 *x, global int4 *truths)
{
    truths[0] = convert_int4(convert_long4(x[0]) >= (long4)(10));
}
kernel void chosen(global const int4 *x, global int4 *truths)
{
    const long4 condition = convert_long4(x[0] >= (int4)(10));
    truths[0] = convert_int4(select((long4)(0), (long4)(-1), condition));
}";

#[test]
fn longs_that_were_ints_are_compared() {
    each_device("compilers::longs_that_were_ints_are_compared", |device| {
        let queue = Queue::on(device).unwrap();
        let program = Program::build(queue.context(), LONGS, &BuildOptions::new()).unwrap();
        let x = Buffer::from_slice(&queue, &[-20_i32, 9, 10, 1000]).unwrap();
        for name in ["above_9", "chosen"] {
            let truths = Buffer::filled(&queue, 7_i32, 4).unwrap();
            let kernel = program.kernel(name).unwrap();
            let launch = kernel.launch().arg(&x).arg(Arg::Memory(truths.memory(), Access::Write));
            // SAFETY: the kernel has one work-item, which reads and writes four numbers.
            unsafe { launch.global(1).local(1).enqueue(&queue) }.unwrap();
            assert_eq!(truths.to_vec(&queue).unwrap(), [0, 0, -1, -1], "{name}");
        }
    });
}

const QUOTIENTS: &str = "
kernel void divide(global const char *x, global const char *y, global char *quotients)
{
    const size_t i = get_global_id(0);
    quotients[i] = x[i] / (y[i] == 0 ? 1 : y[i]);
}";

#[test]
fn signed_bytes_are_divided() {
    each_device("compilers::signed_bytes_are_divided", |device| {
        let queue = Queue::on(device).unwrap();
        let program = Program::build(queue.context(), QUOTIENTS, &BuildOptions::new()).unwrap();
        let x = Buffer::from_slice(&queue, &[100_i8, 100, -100, 100]).unwrap();
        let y = Buffer::from_slice(&queue, &[7_i8, 0, 3, -1]).unwrap();
        let quotients = Buffer::filled(&queue, 9_i8, 4).unwrap();
        let kernel = program.kernel("divide").unwrap();
        let launch = kernel.launch().arg(&x).arg(&y).arg(Arg::Memory(quotients.memory(), Access::Write));
        // SAFETY: four work-items, each of which reads and writes its own numbers.
        unsafe { launch.global(4).enqueue(&queue) }.unwrap();
        assert_eq!(quotients.to_vec(&queue).unwrap(), [14, 100, -33, -100]);
    });
}
