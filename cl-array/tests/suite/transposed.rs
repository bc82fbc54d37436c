//! Views whose elements are contiguous across the rows of the output, which kernels read in blocks.

use cl_algo::U32x3;
use cl_algo::num_complex::Complex;
use cl_array::prelude::*;
use cl_core::raw::*;
use cl_test::each_device_and_forced;
use cl_test::forced::{answer, devices, gpu_info, system};
use std::fmt::Debug;

/// Copies transpositions of matrices whose elements are `of` their indices.
fn transposes<T: Element + PartialEq + Debug>(queue: &Queue, shapes: &[[usize; 2]], of: impl Fn(usize) -> T) {
    for &[rows, columns] in shapes {
        let host: Vec<T> = (0..rows * columns).map(&of).collect();
        let a = Array::from_slice(queue, [rows, columns], &host).unwrap();
        let wanted: Vec<T> = (0..rows * columns).map(|k| host[k % rows * columns + k / rows]).collect();
        assert_eq!(a.t().to_vec().unwrap(), wanted, "{rows} x {columns}");
    }
}

/// Copies matrices with lengths around the sides of blocks, the squares in registers, and packs.
#[test]
fn lengths_around_blocks() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let lengths = [2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 128, 131];
        let shapes: Vec<[usize; 2]> =
            lengths.into_iter().zip(lengths.into_iter().rev()).map(<[usize; 2]>::from).collect();
        transposes(queue, &shapes, |i| i as f32);
        transposes(queue, &[[64, 64], [131, 129], [5, 300], [300, 5]], |i| i as u32);
    });
}

#[test]
fn elements_of_each_size() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let (odd, even) = ([131, 67], [144, 160]);
        transposes(queue, &[odd, even], |i| (i * 7 + i / 256) as u8);
        transposes(queue, &[odd], |i| i % 3 == 0);
        transposes(queue, &[odd], |i| i as i16);
        transposes(queue, &[odd, even], |i| i as u64 * 0x1_0000_0001);
        transposes(queue, &[odd], |i| Complex::new(i as f32, -1.0));
        transposes(queue, &[odd], |i| U32x3::new([i as u32, 1, 2]));
        if device.has_fp64().unwrap() {
            transposes(queue, &[odd], |i| i as f64);
        }
    });
}

/// Compares all permutations of an array of three axes, each with the array in its own order added.
#[test]
fn permutations_of_three_axes() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in [[3, 70, 41], [66, 5, 33]] {
            let len: usize = shape.iter().product();
            let host: Vec<i32> = (0..len as i32).map(|i| i * 31 % 1009).collect();
            let a = Array::from_slice(queue, shape, &host).unwrap();
            for axes in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let permuted = axes.map(|axis| shape[axis]);
                let other = Array::from_slice(queue, permuted, &host).unwrap();
                let sum = (2 * a.permute_axes(axes) + &other).to_vec().unwrap();
                for (k, (&sum, &other)) in sum.iter().zip(&host).enumerate() {
                    let at = [k / permuted[2] / permuted[1], k / permuted[2] % permuted[1], k % permuted[2]];
                    let mut from = [0; 3];
                    axes.iter().zip(at).for_each(|(&axis, at)| from[axis] = at);
                    let wanted = host[(from[0] * shape[1] + from[1]) * shape[2] + from[2]];
                    assert_eq!(sum, 2 * wanted + other, "{shape:?} {axes:?} {at:?}");
                }
            }
        }
    });
}

/// Permutes four axes, of which one is outside of the blocks, and one is reversed.
#[test]
fn permutations_of_four_axes() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let shape = [3, 37, 2, 69];
        let host: Vec<u16> = (0..3 * 37 * 2 * 69).map(|i| i as u16).collect();
        let a = Array::from_slice(queue, shape, &host).unwrap();
        for (axes, flipped) in [([0, 3, 2, 1], 0), ([2, 3, 0, 1], 3), ([3, 0, 2, 1], 1)] {
            let permuted = axes.map(|axis| shape[axis]);
            let got = a.permute_axes(axes).flip(flipped).to_vec().unwrap();
            for (k, &got) in got.iter().enumerate() {
                let (mut rest, mut from) = (k, [0; 4]);
                for axis in (0..4).rev() {
                    let at = rest % permuted[axis];
                    rest /= permuted[axis];
                    from[axes[axis]] = if axis == flipped { permuted[axis] - 1 - at } else { at };
                }
                let wanted = ((from[0] * 37 + from[1]) * 2 + from[2]) * 69 + from[3];
                assert_eq!(got, host[wanted], "{axes:?}, item {k}");
            }
        }
    });
}

/// Mixes inputs in both orders, inputs of several sizes and broadcast rows, and stores to a part of an array.
#[test]
fn mixed_expressions() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for n in [64, 131] {
            let host: Vec<i32> = (0..(n * n) as i32).map(|i| i * 17 % 1013).collect();
            let small: Vec<i8> = (0..n * n).map(|i| i as i8).collect();
            let a = Array::from_slice(queue, [n, n], &host).unwrap();
            let b = Array::from_slice(queue, [n, n], &small).unwrap();
            let row = Array::from_slice(queue, [n], &host[..n]).unwrap();
            let column = Array::from_slice(queue, [n, 1], &host[..n]).unwrap();
            let sum = a.t() * 3 + &a - b.iter().t().cast::<i32>() + &row + &column * a.t();
            let wanted = |i: usize, j: usize| {
                let t = host[j * n + i];
                t * 3 + host[i * n + j] - i32::from(small[j * n + i]) + host[j] + host[i] * t
            };
            let mut c = Array::filled(queue, [n + 4, n + 3], -7).unwrap();
            c.slice_mut(s![1..-3, 2..-1]).assign(sum).unwrap();
            for (k, got) in c.to_vec().unwrap().into_iter().enumerate() {
                let (i, j) = ((k / (n + 3)).wrapping_sub(1), (k % (n + 3)).wrapping_sub(2));
                let wanted = if i < n && j < n { wanted(i, j) } else { -7 };
                assert_eq!(got, wanted, "{n}: {i}, {j}");
            }
        }
    });
}

/// Says that a device is a GPU with 16 KiB of local memory.
unsafe extern "system" fn small_gpu_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    match name {
        // SAFETY: the caller's pointers.
        CL_DEVICE_LOCAL_MEM_SIZE => unsafe { answer(&(16_u64 << 10).to_ne_bytes(), size, value, size_ret) },
        // SAFETY: the caller's arguments, unchanged.
        _ => unsafe { gpu_info(device, name, size, value, size_ret) },
    }
}

/// Reads more inputs across rows than a small GPU's local memory has room for: its kernel then reads them item by item.
#[test]
fn many_transposed_inputs() {
    let test = |device: &Device, counts: &[usize]| {
        let queue = &Queue::on(device).unwrap();
        let n = 70;
        for &count in counts {
            let host = |k: usize| -> Vec<u64> { (0..n * n).map(|i| (i * (k + 1)) as u64).collect() };
            let array = |k: usize| Array::from_slice(queue, [n, n], &host(k)).unwrap();
            let arrays: Vec<_> = (0..count).map(array).collect();
            let first = arrays[0].iter().t();
            let sum = arrays[1..].iter().fold(first, |sum, array| sum + array.t()).to_vec().unwrap();
            let factor = (count * (count + 1) / 2) as u64;
            for (k, sum) in sum.into_iter().enumerate() {
                assert_eq!(sum, (k % n * n + k / n) as u64 * factor, "{count} inputs, item {k}");
            }
        }
    };
    each_device_and_forced(|device| test(device, &[2, 5]));
    // SAFETY: one entry behaves as described above, the others are the system's.
    for device in unsafe { devices(Functions { clGetDeviceInfo: small_gpu_info, ..*system() }) } {
        test(&device, &[2, 5, 10]);
    }
}
