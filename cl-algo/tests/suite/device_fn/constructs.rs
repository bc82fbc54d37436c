//! Each construct of the subset.

use cl_algo::device_fn;
use cl_core::Queue;
use cl_test::{each_device, known_faults};

const LIMIT: i32 = 12;
const TENTH: f64 = 0.1;
const PRIMES: [i32; 5] = [2, 3, 5, 7, 11];

#[device_fn]
fn if_as_value(x: i32) -> i32 {
    let sign = if x > 0 {
        1
    } else if x < 0 {
        -1
    } else {
        0
    };
    let mut y = x;
    if y > 50 {
        y -= 50;
    } else if y > 20 {
        let half = y / 2;
        y = half;
    } else {
        y += sign;
    }
    if y % 2 == 0 {
        y * 2
    } else {
        let z = y + 1;
        z * 3
    }
}

#[device_fn]
fn matches(x: i32) -> i32 {
    let first = match x {
        0 => 100,
        1 | 2 | -3 => 200,
        4..=9 => {
            let y = x * 2;
            y + 1
        }
        LIMIT => 400,
        20..30 if x % 2 == 0 => 500,
        n @ 30..=39 => n * 10,
        i32::MIN..=-50 => return -1,
        n if n > 90 => n,
        _ => 7,
    };
    let second = match (x > 5, x % 3) {
        (true, 0) => 1,
        (false, n) => n,
        (_, 1 | 2) => 3,
        _ => 4,
    };
    match x > 0 {
        true => first + second,
        false => first - second,
    }
}

#[device_fn]
fn loops(n: u32) -> u32 {
    let mut sum = 0;
    for i in 0..n {
        sum += i;
    }
    for i in 0..=n {
        sum ^= i * 3;
    }
    for i in (2..n).rev() {
        sum = sum.wrapping_mul(3).wrapping_add(i);
    }
    for i in (0..n).step_by(3).rev() {
        sum = sum.wrapping_mul(5).wrapping_add(i);
    }
    for i in (0..=n).rev().step_by(4) {
        sum = sum.wrapping_mul(11).wrapping_add(i);
    }
    for i in (1..n).rev().step_by(2) {
        sum = sum.wrapping_mul(7).wrapping_add(i);
    }
    for _ in 250..=255u8 {
        sum = sum.wrapping_add(1);
    }
    for i in -3..n as i64 {
        if i < 0 {
            continue;
        }
        sum ^= i as u32;
        if i > 6 {
            break;
        }
    }
    let mut k = n;
    while k > 3 && {
        sum ^= k;
        k != 5
    } {
        k -= 1;
    }
    let found = loop {
        k += 1;
        if k * k > n {
            break k;
        }
    };
    sum ^ found
}

/// Loops over all numbers of 64 bits, of which there are 2^64, and over inclusive ranges that may be empty.
#[device_fn]
fn whole_ranges(x: u64) -> u64 {
    let mut sum = x;
    for i in (0..=u64::MAX).rev() {
        sum = sum.wrapping_mul(3).wrapping_add(i);
        if i < u64::MAX - x {
            break;
        }
    }
    for i in (0..=u64::MAX).rev().step_by(5) {
        sum = sum.wrapping_mul(5).wrapping_add(i);
        if i < u64::MAX - 10 * x {
            break;
        }
    }
    for i in (0..=u64::MAX).step_by(1) {
        sum = sum.wrapping_mul(7).wrapping_add(i);
        if i > x {
            break;
        }
    }
    for i in (i64::MIN..=i64::MAX).rev().step_by(1 << 62) {
        sum = sum.wrapping_mul(11).wrapping_add(i as u64);
    }
    for i in (3..=x).rev() {
        sum = sum.wrapping_mul(13).wrapping_add(i);
    }
    for i in (4..=x as u8).step_by(3).rev() {
        sum = sum.wrapping_mul(17).wrapping_add(i as u64);
    }
    sum
}

/// Uses values of blocks without a tail, which are `()`.
#[device_fn]
fn empty_blocks(x: i32) -> i32 {
    let unit = {};
    let mut y = x + 1;
    let changed = if x > 2 {
        y *= 2
    } else {
    };
    let same = match y {
        4 => {}
        _ => unit,
    };
    let _ = changed;
    let _ = same;
    y
}

/// Loops over the items of an array and over all values of a type, with bytes as literals.
#[device_fn]
fn items(n: u32) -> u32 {
    let mut sum = n;
    'outer: for (step, letter) in [(n % 5, b'a'), (7, b'\n'), (n, 200_u8)] {
        for at in [3, step, 1] {
            if at == 4 {
                continue 'outer;
            }
            sum = sum.wrapping_mul(31).wrapping_add(at);
        }
        sum ^= letter as u32;
    }
    for i in -128..=127_i8 {
        sum = sum.wrapping_mul(3) ^ (i as u32);
    }
    if n > 10 && [n, 3][1] > 2 { sum } else { [sum, n][(n & 1) as usize] }
}

#[device_fn]
fn labels(n: i32) -> i32 {
    let mut count = 0;
    'rows: for i in 0..n {
        let mut j = 0;
        'columns: loop {
            j += 1;
            for k in 0..3 {
                count += 1;
                if j + k > 6 {
                    continue 'rows;
                }
                if i * j > 20 {
                    break 'rows;
                }
                if k == 2 && j == 4 {
                    break 'columns;
                }
            }
        }
        count += 100;
    }
    count
}

#[device_fn]
fn shadows(x: f64) -> f64 {
    let y = x + 1.0;
    let x = y * 2.0;
    let z = {
        let x = 3.0;
        let y = x * y;
        y - x
    };
    let late;
    if z > 1.0 {
        late = z;
    } else {
        late = -1.0;
    }
    let mut acc = 0.0;
    acc += late;
    x + z * TENTH + acc
}

#[device_fn]
fn tuples(a: i32, b: f32) -> (f32, i32, bool) {
    let pair = (a, (b, a > 2));
    let (mut n, (x, _)) = pair;
    n += pair.0;
    let mut other = (1, 2.5);
    other.0 += n;
    other.1 *= x;
    (other.1, other.0, pair.1.1)
}

#[device_fn]
fn arrays(x: i32) -> i32 {
    let mut table = [x; 6];
    for i in 0..table.len() {
        table[i] += i as i32;
    }
    table[2] = 100;
    let copy = table;
    table[(x & 3) as usize] = -5;
    let nested = [[1, 2], [3, x]];
    let pairs = [(1, 2.0), (3, 4.0_f32)];
    let mut sum = 0;
    for i in 0..6 {
        sum = sum * 3 + table[i] - copy[5 - i];
    }
    sum + nested[1][1]
        + nested[0][(x & 1) as usize]
        + pairs[1].0
        + PRIMES[(x & 3) as usize]
        + pairs[0].1 as i32
}

/// Checks that operands are evaluated from left to right.
#[device_fn]
fn order(x: i32) -> i32 {
    let mut n = x;
    let a = n + {
        n *= 2;
        n
    } * 10;
    let b = (
        n,
        {
            n += 1;
            n
        },
        n,
    );
    let c = n > 3 && {
        n += 100;
        n > 110
    } || {
        n -= 1;
        false
    };
    a + b.0 * 3 + b.1 * 5 + b.2 * 7 + n + c as i32
}

#[device_fn]
fn returns(x: i64) -> i64 {
    if x < 0 {
        return -x;
    }
    for i in 0..100 {
        if i * i > x {
            return i;
        }
    }
    loop {
        if x > 1000 {
            return 1;
        }
        return 2;
    }
}

#[device_fn]
fn literals(x: u64) -> f64 {
    let a = 0xff_u8 as f64 + 1e-3 + 1_000.5f64 + f64::from(0.1_f32);
    let b: u64 = 0b1010 | 1 << 40;
    let c = i32::MIN as f64 + std::f64::consts::PI + f64::MAX * 0.0 + u64::MAX as f64;
    let d: f32 = 16_777_217.0;
    a + (x ^ b) as f64 + c + f64::from(d) + f64::from(f32::EPSILON)
}

#[test]
fn give_what_they_give_on_the_host() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x: Vec<i32> = (-100..120).collect();
        agree!(queue, 0, if_as_value(x));
        agree!(queue, 0, matches(x));
        agree!(queue, 0, arrays(x));
        agree!(queue, 0, order(x));
        agree!(queue, 0, empty_blocks(x));
        let n: Vec<i32> = (0..20).collect();
        agree!(queue, 0, labels(n));
        let n: Vec<u32> = (0..40).collect();
        agree!(queue, 0, loops(n));
        agree!(queue, 0, items(n));
        let x: Vec<u64> = (0..12).collect();
        agree!(queue, 0, whole_ranges(x));
        let x: Vec<i64> = (-5..2000).step_by(37).collect();
        agree!(queue, 0, returns(x));
    });
}

#[test]
fn of_double_precision() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = &Queue::on(device).unwrap();
        let x: Vec<f64> = (-20..20).map(|x| f64::from(x) * 0.37).collect();
        agree!(queue, 0, shadows(x));
        let x: Vec<u64> = (0..40).map(|x| x * x * 12345).collect();
        agree!(queue, 0, literals(x));
    });
}

#[test]
fn tuples_become_tuples_of_vectors() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = (vec![1, 2, 3, 4], vec![0.5_f32, 1.5, 2.5, 3.5]);
        agree!(queue, 0, tuples(a, b));
    });
}

/// Uses the smallest number of a type, whose literal has a sign; without the sign it would not fit into the type.
#[device_fn]
fn smallest(x: i32) -> i64 {
    let mut sum = 0_i64;
    for i in -128..=127_i8 {
        sum += (i as i64 + 3) * x as i64;
    }
    let a: i16 = -32768;
    let b = -2_147_483_648_i32;
    let c: i64 = -9_223_372_036_854_775_808;
    sum + a as i64 + b as i64 + (c + 5_000_000_000) / 2
}

#[test]
fn smallest_numbers() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = cl_algo::DeviceVec::from_slice(&queue, &[0, 1, -7]).unwrap();
        let found = smallest(&x).collect().unwrap().to_vec().unwrap();
        assert_eq!(found, [0, 1, -7].map(smallest));
    });
}

#[device_fn]
fn largest_array(x: i32) -> i32 {
    let mut items = [0_i32; 20_000];
    items[19_999] = x;
    items[19_999] + items[(x as usize) % 20_000]
}

#[device_fn]
fn too_large_array(x: i32) -> i32 {
    let mut items = [0_i32; 3_000_000];
    items[2_999_999] = x;
    items[2_999_999] + items[(x as usize) % 20_000]
}

#[device_fn]
fn arrays_of_both(x: i32) -> i32 {
    let mut items = [x; 20_000];
    items[1] = 3;
    largest_array(items[0]) + items[1]
}

/// Checks the limit of arrays: stacks of threads are small, and exceeding one ends the process.
#[test]
fn arrays_have_bounds() {
    known_faults::each_device("device_fn::constructs::arrays_have_bounds", |device| {
        let queue = Queue::on(device).unwrap();
        let x = cl_algo::DeviceVec::from_slice(&queue, &[1, 7]).unwrap();
        assert_eq!(largest_array(&x).collect().unwrap().to_vec().unwrap(), [1, 7].map(largest_array));
        let error = too_large_array(&x).collect().unwrap_err().to_string();
        assert!(error.contains("`too_large_array`") && error.contains("24000000 bytes"), "{error}");
        let error = arrays_of_both(&x).sum().unwrap_err().to_string();
        assert!(error.contains("`arrays_of_both`") && error.contains("bytes"), "{error}");
    });
}

mod named_like_macros {
    #![allow(non_snake_case)]
    use cl_algo::device_fn;

    /// Uses names that are macros with their numbers appended: `CL_VERSION_1_0` and `M_PI_2`.
    #[device_fn]
    pub(super) fn names_of_macros(CL_VERSION_1: f32, scale: f32, M_PI: f32) -> f32 {
        (M_PI - CL_VERSION_1) * scale
    }
}

#[test]
fn locals_are_named_like_macros() {
    use named_like_macros::names_of_macros;
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = cl_algo::DeviceVec::from_slice(&queue, &[1.0_f32, 2.5]).unwrap();
        let got = names_of_macros(&x, 2.0, 5.0).collect().unwrap().to_vec().unwrap();
        assert_eq!(got, [1.0, 2.5].map(|x| names_of_macros(x, 2.0, 5.0)));
    });
}
