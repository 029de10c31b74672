//! Which rank differentiates which batch of a step.

/// The rank of every batch, so that all ranks have about as many tokens: each batch, the largest first, goes to the rank
/// that has the fewest. No rank stays without a batch where there are enough.
pub fn shares(tokens: &[usize], ranks: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tokens.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(tokens[i]), i));
    let mut load = vec![(0usize, 0usize); ranks];
    let mut shares = vec![0; tokens.len()];
    for i in order {
        let least = (0..ranks)
            .min_by_key(|&rank| (load[rank], rank))
            .unwrap_or(0);
        shares[i] = least;
        load[least].0 += tokens[i];
        load[least].1 += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn every_rank_gets_about_as_many_tokens() {
        let tokens = [900, 100, 500, 500, 300, 700];
        let shares = shares(&tokens, 3);
        let sums = [0, 1, 2].map(|rank| {
            let of_rank = tokens.iter().zip(&shares).filter(|(_, r)| **r == rank);
            of_rank.map(|(n, _)| n).sum::<usize>()
        });
        assert_eq!(sums, [1000, 1000, 1000]);
    }

    #[test]
    fn with_as_many_batches_as_ranks_each_has_one() {
        let mut shares = shares(&[5, 9000, 1, 0], 4);
        shares.sort_unstable();
        assert_eq!(shares, [0, 1, 2, 3]);
    }
}
