//! Functions compiled for the widest vectors that the processor has. A build for all processors of a kind may use only what
//! the oldest of them has: on x86-64, vectors of four numbers.

/// What a function is compiled for, the widest vectors last.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Any processor of the kind.
    Portable,
    /// 256 bits.
    Avx2,
    /// 512 bits.
    Avx512,
}

#[cfg(target_arch = "x86_64")]
impl Level {
    /// The widest that this processor has; a test may ask for less.
    #[inline]
    pub fn of_processor() -> Self {
        use std::arch::is_x86_feature_detected as has;
        let found = match (has!("avx2"), has!("avx512f")) {
            (_, true) => Self::Avx512,
            (true, false) => Self::Avx2,
            (false, false) => Self::Portable,
        };
        #[cfg(test)]
        let found = found.min(tests::MOST.get());
        found
    }
}

/// Makes a function that runs its body as it is compiled for AVX-512, AVX2 or any processor, whichever is the best that this
/// one has. The body's arithmetic is the same in all three, to the last bit: Rust does not contract products and sums.
macro_rules! widest {
    ($(#[$doc:meta])* pub fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$doc])*
        #[inline]
        pub fn $name($($arg: $type),*) $(-> $result)? {
            #[inline(always)]
            fn portable($($arg: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                use super::widest::Level;
                #[target_feature(enable = "avx512f")]
                fn avx512($($arg: $type),*) $(-> $result)? {
                    portable($($arg),*)
                }
                #[target_feature(enable = "avx2")]
                fn avx2($($arg: $type),*) $(-> $result)? {
                    portable($($arg),*)
                }
                match Level::of_processor() {
                    // SAFETY: the processor has AVX-512F.
                    Level::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: the processor has AVX2.
                    Level::Avx2 => return unsafe { avx2($($arg),*) },
                    Level::Portable => {}
                }
            }
            portable($($arg),*)
        }
    };
}

pub(super) use widest;

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::Level;
    use crate::*;
    use std::cell::Cell;

    thread_local! {
        /// The widest that this thread may use.
        pub static MOST: Cell<Level> = const { Cell::new(Level::Avx512) };
    }

    /// What every function gives of rows of a length.
    fn results(length: usize) -> Vec<f32> {
        let row = |seed: usize| -> Vec<f32> {
            (0..length)
                .map(|i| ((i * 37 + seed * 11) as f32 * 0.7).sin() * 5.0)
                .collect()
        };
        let (mut soft, mut norm, mut sum) = (row(1), row(2), row(3));
        let matrix: Vec<f32> = (0..5).flat_map(row).collect();
        let (mut dots, mut mixed) = (vec![0.0; 5], vec![0.0; length]);
        softmax(&mut soft);
        layer_norm(&mut norm, &row(4), &row(5), 1e-5);
        add_layer_norm(&mut sum, &row(6), &row(4), &row(5), 1e-5);
        let gather = Gather {
            rows: Rows::From(0),
            width: length,
            column: 0,
        };
        gather_dot(&row(7), &matrix, gather, 0.5, &mut dots);
        gather_sum(&row(8)[..5], &matrix, gather, &mut mixed);
        let single = vec![max(&row(9)), log_sum_exp(&row(9))];
        [soft, norm, sum, dots, mixed, single].concat()
    }

    #[test]
    fn every_width_gives_the_same_to_the_last_bit() {
        for length in [5, 16, 31, 64, 100, 8000] {
            let expected = results(length);
            for level in [Level::Portable, Level::Avx2, Level::Avx512] {
                MOST.set(level);
                assert_eq!(results(length), expected, "{level:?}, {length}");
            }
        }
    }
}
