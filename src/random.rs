//! SplitMix64: random numbers that are the same on every machine.

/// Steele, Lea and Flood's generator (2014): one word of state, one mix for each number.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

/// What the state grows by.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The generator's mixing function: every bit of the result depends on every bit of `z`.
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl SplitMix64 {
    /// A generator whose numbers depend on `seed` alone.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The state, with which [`Self::new`] continues the sequence.
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// Uniform in [0, 1).
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [−1, 1), in steps of 2⁻²³: exact in f32.
    pub fn next_symmetric(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    /// Uniform in 0..limit; the bias of a remainder of 64 bits is negligible.
    ///
    /// # Panics
    /// If `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next_u64() % limit as u64) as usize
    }

    /// Normal, of mean 0 and variance 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        // In (0, 1): the logarithm is finite.
        let mut open = || ((self.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        let radius = (-2.0 * open().ln()).sqrt();
        radius * (std::f64::consts::TAU * open()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_reference_implementation() {
        let mut random = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        let reference = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(first, reference);
        assert_eq!(
            SplitMix64::new(random.state()).next_u64(),
            random.next_u64()
        );
    }

    #[test]
    fn numbers_stay_within_their_ranges() {
        let mut random = SplitMix64::new(7);
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&random.next_f64()));
            assert!((-1.0..1.0).contains(&random.next_symmetric()));
            assert!(random.below(3) < 3);
            assert!(random.normal().is_finite());
        }
    }
}
