//! Custom engines and distributions, and words of any origin.
#![allow(clippy::unwrap_used)]

use cl_algo::prelude::*;
use cl_random::*;

/// The van der Corput sequence, the first dimension of Sobol's: the bits of the position in reverse, one word a
/// block. A stream is a shift, modulo 1.
#[derive(Clone, Debug, PartialEq)]
struct VanDerCorput {
    first: u64,
    shift: u32,
}

#[device_fn]
fn reversed(at: u64, shift: u32) -> u32 {
    let mut x = at as u32;
    x = (x >> 16) | (x << 16);
    x = ((x >> 8) & 0x00ff_00ff) | ((x & 0x00ff_00ff) << 8);
    x = ((x >> 4) & 0x0f0f_0f0f) | ((x & 0x0f0f_0f0f) << 4);
    x = ((x >> 2) & 0x3333_3333) | ((x & 0x3333_3333) << 2);
    x = ((x >> 1) & 0x5555_5555) | ((x & 0x5555_5555) << 1);
    x.wrapping_add(shift)
}

impl Engine for VanDerCorput {
    type Word = u32;
    type Block = [u32; 1];
    type Item = u32;
    const WORDS: usize = 1;

    fn block(&self, at: u64) -> [u32; 1] {
        [reversed(self.first.wrapping_add(at), self.shift)]
    }

    fn blocks<'a>(&self, first: u64, count: usize) -> Expr<'a, u32> {
        reversed(index::<u64>() + self.first.wrapping_add(first), self.shift).take(count)
    }

    fn words(block: Val<u32>) -> Vec<Val<u32>> {
        vec![block]
    }

    fn jump(&self, by: u128) -> Self {
        VanDerCorput { first: self.first.wrapping_add(by as u64), ..self.clone() }
    }

    fn stream(&self, number: u64) -> Self {
        VanDerCorput { shift: (number as u32).wrapping_mul(0x9e37_79b9), ..self.clone() }
    }

    fn substream(&self, number: u64) -> Self {
        self.jump(u128::from(number) << 32)
    }
}

#[test]
fn engines_of_one_word() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let engine = VanDerCorput { first: 0, shift: 0 };
        let u = engine.uniform::<f32>();
        let points = u.take(8).collect_on(queue).unwrap().to_vec().unwrap();
        assert_eq!(points, [0.0, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875]);
        // The error of an integral is about 1/n; random points give 1/sqrt n.
        let mean = (u.take(1 << 16) * u.take(1 << 16)).on(queue).sum().unwrap() / 65_536.0;
        assert!((mean - 1.0 / 3.0).abs() < 2e-5, "{mean}");
        // Values made of two and of four blocks.
        let bits = engine.stream(3).bits::<u64>().skip(3);
        let on_device = bits.take(101).collect_on(queue).unwrap().to_vec().unwrap();
        assert!(on_device.into_iter().eq(bits.iter().take(101)));
        let wide = engine.stream(3).draws(UniformInteger::new(0..1_000_000_000_000_u64).unwrap()).skip(3);
        let on_device = wide.take(101).collect_on(queue).unwrap().to_vec().unwrap();
        assert!(on_device.into_iter().eq(wide.iter().take(101)));
        // The generator of the host has the same words.
        let mut rng = engine.rng();
        assert_eq!([(); 3].map(|()| rand_core::Rng::next_u32(&mut rng)), [0, 1 << 31, 1 << 30]);
    });
}

/// Checks that an engine's words give the values drawn from the engine, if the words are stored or lazy.
#[test]
fn words_from_anywhere() {
    fn check<D: Distribution<Value: PartialEq>>(queue: &Queue, distribution: D) {
        let engine: Philox4x64 = Philox4x64::new(2);
        let words = engine.bits::<D::Word>().take(1003).collect_on(queue).unwrap();
        let values = distribution.of_words(&words).collect().unwrap().to_vec().unwrap();
        assert_eq!(values.len(), 1003 / D::WORDS * D::VALUES);
        assert!(engine.draws(distribution).iter().zip(values).all(|(wanted, value)| value == wanted));
    }
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        check(queue, StandardUniform::<f32>::new());
        check(queue, UniformInteger::new(-3..1_000_000_000_000_i64).unwrap());
        check(queue, Poisson::new(2.0).unwrap());
        if device.rounds_division_correctly().unwrap() {
            check(queue, Normal::<f32>::standard());
        }
        let numbers = Bernoulli::new(0.5).unwrap().of_words(index::<u64>() << 63).take(4);
        assert_eq!(numbers.collect_on(queue).unwrap().to_vec().unwrap(), [true, false, true, false]);
    });
}
