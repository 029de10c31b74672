//! Phrases that a translation must hold: lexically constrained search with one bank of the beam for each number of
//! pieces that a hypothesis has of them (Post & Vilar, 2018).

use super::select::Candidate;

/// The phrases of one sentence's translation.
#[derive(Clone, Debug, Default)]
pub(super) struct Phrases(Vec<Vec<u32>>);

/// How far a hypothesis is with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// Phrases that it does not hold yet.
    pub missing: Vec<usize>,
    /// The missing phrase that its last pieces begin, and how many of its pieces they are.
    begun: Option<(usize, usize)>,
}

impl Phrases {
    /// Most pieces of all phrases of a sentence: each widens the beam by one.
    const MOST_PIECES: usize = 28;

    /// Takes phrases as long as there is room for their pieces.
    pub fn new(phrases: Vec<Vec<u32>>) -> Self {
        let mut pieces = 0;
        let fits = |phrase: &Vec<u32>| {
            pieces += phrase.len();
            !phrase.is_empty() && pieces <= Self::MOST_PIECES
        };
        Self(phrases.into_iter().filter(fits).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Pieces of all phrases.
    pub fn pieces(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// How far a hypothesis with these pieces is. No piece is counted for two phrases.
    pub fn progress(&self, tokens: &[u32]) -> Progress {
        let mut missing: Vec<usize> = (0..self.0.len()).collect();
        let mut begun = None;
        // Pieces up to here belong to phrases that are complete.
        let mut used = 0;
        for end in 1..=tokens.len() {
            let fresh = &tokens[used..end];
            let begins = |phrase: usize| {
                let phrase = &self.0[phrase];
                let longest = phrase.len().min(fresh.len());
                (1..=longest)
                    .rev()
                    .find(|count| fresh.ends_with(&phrase[..*count]))
            };
            begun = missing
                .iter()
                .filter_map(|phrase| begins(*phrase).map(|count| (*phrase, count)))
                .max_by_key(|(phrase, count)| (*count, std::cmp::Reverse(*phrase)));
            if let Some((phrase, count)) = begun
                && count == self.0[phrase].len()
            {
                missing.retain(|other| *other != phrase);
                used = end;
                begun = None;
            }
        }
        Progress { missing, begun }
    }

    /// Pieces of the phrases that a hypothesis does not hold yet.
    pub fn missing_pieces(&self, progress: &Progress) -> usize {
        progress.missing.iter().map(|i| self.0[*i].len()).sum()
    }

    /// Pieces of phrases that a hypothesis has.
    pub fn bank(&self, progress: &Progress) -> usize {
        self.pieces() - self.missing_pieces(progress) + progress.begun.map_or(0, |(_, count)| count)
    }

    /// The pieces that go on with the begun phrase or begin another one.
    pub fn next(&self, progress: &Progress) -> Vec<u32> {
        let begun = progress.begun.map(|(phrase, count)| self.0[phrase][count]);
        let others = progress.missing.iter().map(|phrase| self.0[*phrase][0]);
        let mut next: Vec<u32> = begun.into_iter().chain(others).collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// The order in which candidates take places in the beam, given their banks: the best of each bank in turn, the
    /// bank with the most pieces first.
    pub fn allocate(&self, mut candidates: Vec<(usize, Candidate)>) -> Vec<Candidate> {
        candidates.sort_by(|(_, a), (_, b)| b.sum.total_cmp(&a.sum));
        let mut taken = vec![0; self.pieces() + 1];
        let mut ranked: Vec<(usize, std::cmp::Reverse<usize>, Candidate)> = candidates
            .into_iter()
            .map(|(bank, candidate)| {
                taken[bank] += 1;
                (taken[bank], std::cmp::Reverse(bank), candidate)
            })
            .collect();
        ranked.sort_by_key(|(round, bank, _)| (*round, *bank));
        ranked
            .into_iter()
            .map(|(_, _, candidate)| candidate)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_whole_phrases_and_the_one_that_is_begun() {
        let phrases = Phrases::new(vec![vec![1, 2], vec![1, 3, 4], Vec::new()]);
        let at = |tokens: &[u32]| {
            let progress = phrases.progress(tokens);
            (
                phrases.bank(&progress),
                progress.missing.len(),
                phrases.next(&progress),
            )
        };
        assert_eq!(at(&[]), (0, 2, vec![1]));
        assert_eq!(at(&[9, 1]), (1, 2, vec![1, 2]));
        // The same beginning may be the other phrase's.
        assert_eq!(at(&[1, 3]), (2, 2, vec![1, 4]));
        assert_eq!(at(&[1, 2, 7]), (2, 1, vec![1]));
        assert_eq!(at(&[1, 2, 1, 3, 4, 5]), (5, 0, vec![]));
        // Broken off, it counts no more.
        assert_eq!(at(&[1, 3, 8]), (0, 2, vec![1]));
    }

    #[test]
    fn each_bank_has_its_turn() {
        let phrases = Phrases::new(vec![vec![1, 2]]);
        let candidate = |token, sum| Candidate {
            hypothesis: 0,
            token,
            logprob: 0.0,
            sum,
        };
        let given = [
            (0, 10, -1.0),
            (0, 11, -2.0),
            (1, 1, -9.0),
            (2, 2, -8.0),
            (0, 12, -3.0),
        ];
        let order = phrases.allocate(
            given
                .map(|(bank, token, sum)| (bank, candidate(token, sum)))
                .into(),
        );
        let tokens: Vec<u32> = order.iter().map(|candidate| candidate.token).collect();
        assert_eq!(tokens, [2, 1, 10, 11, 12]);
    }
}
