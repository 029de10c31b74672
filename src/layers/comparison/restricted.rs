//! Self-attention restricted to a neighbourhood of size r (§4): O(r·n·d) operations instead of O(n²·d).

use std::ops::Range;

/// Each position sees only positions with |i − j| ≤ r / 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbourhood {
    /// r of §4.
    pub r: usize,
}

impl Neighbourhood {
    /// The positions that position i of n sees. Only their keys are read: nothing is computed and then masked.
    pub fn window(self, i: usize, n: usize) -> Range<usize> {
        let reach = self.r / 2;
        i.saturating_sub(reach)..(i + reach + 1).min(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_reaches_half_of_r_to_both_sides_and_stops_at_the_ends() {
        let neighbourhood = Neighbourhood { r: 4 };
        assert_eq!(neighbourhood.window(0, 10), 0..3);
        assert_eq!(neighbourhood.window(5, 10), 3..8);
        assert_eq!(neighbourhood.window(9, 10), 7..10);
        assert_eq!(neighbourhood.window(0, 1), 0..1);
    }

    #[test]
    fn all_windows_together_are_linear_in_n() {
        let pairs = |n| {
            (0..n)
                .map(|i| Neighbourhood { r: 6 }.window(i, n).len())
                .sum::<usize>()
        };
        assert!(pairs(1000) <= 7 * 1000);
    }
}
