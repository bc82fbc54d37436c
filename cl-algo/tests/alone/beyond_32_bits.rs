//! More than 2^32 items, on GPUs that have room for them: nothing may be counted with 32 bits anywhere.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_algo::stl::{
    copy_if, count, find, histogram, inclusive_scan, lower_bound, merge, partition, sort, sort_by, unique,
};
use serial_test::serial;

const LEN: usize = (1 << 32) + 54_321;

/// Six vectors of so many bytes, and room to spare.
const LEAST: u64 = 32 << 30;

/// Where the only largest value is.
const PEAK: usize = (1 << 32) + 77;

/// Values up to 249 without a pattern, but for the peak.
fn value(i: u64) -> u8 {
    if i == PEAK as u64 { 255 } else { ((i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) % 250) as u8 }
}

/// The same values, on the device.
fn values(queue: &Queue) -> DeviceVec<u8> {
    let i = iota(0_u64, LEN);
    let noise: Expr<'_, u64> = ((i.clone() * 0x9e37_79b9_7f4a_7c15_u64) >> 56_u64) % 250;
    i.eq(PEAK as u64).select(255_u64, noise).cast::<u8>().collect_on(queue).unwrap()
}

/// Compares a vector with what the host expects, from the first element to the last.
fn expect(vector: &DeviceVec<u8>, what: &str, mut expected: impl Iterator<Item = u8>) {
    for begin in (0..vector.len()).step_by(1 << 30) {
        let part = begin..vector.len().min(begin + (1 << 30));
        for (i, got) in vector.slice(part).collect().unwrap().to_vec().unwrap().into_iter().enumerate() {
            let Some(expected) = expected.next() else { return };
            assert_eq!(got, expected, "{what}: element {}", begin + i);
        }
    }
}

#[test]
#[serial] // it takes most of the memory that a GPU has
fn no_count_wraps_around() {
    crate::keep_no_programs();
    cl_test::each_device(|device| {
        let memory: u64 = device.global_memory().unwrap();
        if DeviceProfile::of(device).unwrap().chunked || memory < LEAST {
            return;
        }
        let queue = &Queue::on(device).unwrap();
        let x = &values(queue);
        let all = || (0..LEN as u64).map(value);
        expect(x, "values", all());
        let mut bins = [0_u64; 256];
        all().for_each(|x| bins[usize::from(x)] += 1);

        let total: u64 = bins.iter().zip(0..).map(|(count, x)| count * x).sum();
        assert_eq!(x.iter().cast::<u64>().sum().unwrap(), total);
        assert_eq!(count(x, 7).unwrap(), bins[7] as usize);
        assert_eq!(find(x, 255).unwrap(), Some(PEAK));
        assert_eq!(x.iter().max_element().unwrap(), Some((PEAK, 255)));
        let mut counts = DeviceVec::filled(queue, 0_u64, 256).unwrap();
        histogram(x, &mut counts).unwrap();
        assert_eq!(counts.to_vec().unwrap(), bins);

        let mut y = DeviceVec::filled(queue, 0_u8, LEN).unwrap();
        inclusive_scan(x, &mut y).unwrap();
        expect(
            &y,
            "inclusive_scan",
            all().scan(0_u8, |sum, x| {
                *sum = sum.wrapping_add(x);
                Some(*sum)
            }),
        );
        let kept = copy_if(x, |x| x.ge(1), &mut y).unwrap().get().unwrap();
        assert_eq!(kept, LEN as u64 - bins[0]);
        expect(&y, "copy_if", all().filter(|&x| x >= 1));
        let first = partition(x, |x| (x & 1).eq(0), &mut y).unwrap().get().unwrap();
        assert_eq!(first, bins.iter().step_by(2).sum::<u64>());
        expect(&y, "partition", all().filter(|x| x % 2 == 0).chain(all().filter(|x| x % 2 == 1)));
        let runs = unique(x.iter() >> 1, &mut y).unwrap().get().unwrap();
        let mut last = None;
        let mut halves: Vec<u8> = all().map(|x| x >> 1).collect();
        halves.retain(|&x| last.replace(x) != Some(x));
        assert_eq!(runs, halves.len() as u64);
        expect(&y, "unique", halves.into_iter());

        let mut sorted = x.iter().collect().unwrap();
        sort(&mut sorted).unwrap();
        let in_order =
            || bins.iter().zip(0_u8..=255).flat_map(|(&count, x)| std::iter::repeat_n(x, count as usize));
        expect(&sorted, "sort", in_order());
        let before: u64 = bins[..200].iter().sum();
        assert_eq!(lower_bound(&sorted, 200).unwrap(), before as usize);
        let half = LEN / 2;
        let (mut low, mut high) = (x.slice(..half).collect().unwrap(), x.slice(half..).collect().unwrap());
        sort_by(&mut low, Val::lt).unwrap();
        sort(&mut high).unwrap();
        merge(&low, &high, &mut y).unwrap();
        expect(&y, "merge", in_order());
    });
}
