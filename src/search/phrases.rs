//! Phrases that a translation must hold: lexically constrained search with one bank of the beam for each number of
//! pieces that a hypothesis has of them (Post & Vilar, 2018).

use super::select::Candidate;
use std::ops::Range;
use std::sync::Arc;

/// A phrase that a translation must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Phrase {
    /// Its pieces, without the end mark.
    pub pieces: Vec<u32>,
    /// Texts that mean the same, in capitals or not: a translation that has one of them needs no search with the phrase. A
    /// phrase with such forms is completed once it is begun, since parts of it (a day, a year) read as if they were all.
    pub forms: Vec<Box<str>>,
    /// The source's pieces that it stands for: it comes where they are read, as far as the sentence's alignment is observed
    /// ([`crate::trace::TraceRequest::alignment`]). Empty: it may come anywhere.
    pub source: Range<usize>,
}

/// What the pieces of a vocabulary are printed as, as far as that is known.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    pieces: Vec<Box<str>>,
    /// By id whether a piece continues the word before it. Of letters only those that have a case count: other scripts need not
    /// have spaces between words.
    continuing: Vec<bool>,
    /// Ids of punctuation that ends a clause or a sentence.
    closing: Vec<u32>,
}

impl Printed {
    /// Takes what each piece is printed as, in order of ids, with the space before a word.
    pub fn new(pieces: Vec<Box<str>>) -> Self {
        let joins = |c: char| c.is_lowercase() || c.is_uppercase() || c.is_ascii_digit();
        Self {
            continuing: pieces
                .iter()
                .map(|piece| piece.starts_with(joins))
                .collect(),
            closing: (0..)
                .zip(&pieces)
                .filter(|(_, piece)| is_closing(piece))
                .map(|(id, _)| id)
                .collect(),
            pieces,
        }
    }

    fn text(&self, tokens: &[u32]) -> String {
        let pieces = tokens.iter().filter_map(|id| self.pieces.get(*id as usize));
        pieces.map(|piece| &**piece).collect()
    }

    /// The pieces that are printed as this one with punctuation behind it.
    fn with_punctuation(&self, token: Option<&u32>) -> Vec<u32> {
        let piece = token.and_then(|id| self.pieces.get(*id as usize));
        let Some(piece) = piece.filter(|piece| !piece.is_empty()) else {
            return Vec::new();
        };
        let is_longer = |other: &str| {
            let rest = other.strip_prefix(&**piece);
            // With a colon a number becomes a time of day.
            rest.is_some_and(|rest| is_closing(rest) && rest != ":")
        };
        let all = (0..).zip(&self.pieces);
        all.filter(|(_, other)| is_longer(other))
            .map(|(id, _)| id)
            .collect()
    }

    fn continues_word(&self, token: u32) -> bool {
        self.continuing.get(token as usize) == Some(&true)
    }
}

/// The phrases of one sentence's translation.
#[derive(Clone, Debug, Default)]
pub(super) struct Phrases {
    phrases: Vec<Phrase>,
    /// For each the pieces that may stand for its last one, which they have with punctuation behind it: *24.* of a date.
    endings: Vec<Vec<u32>>,
    printed: Arc<Printed>,
}

/// How far a hypothesis is with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Phrases that it does not hold yet.
    pub missing: Vec<usize>,
    begun: Begun,
    /// Whether its last pieces are a whole phrase.
    pub has_ended: bool,
}

/// The missing phrases that the last pieces begin, and how many pieces these are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Begun {
    phrases: Vec<usize>,
    count: usize,
}

impl Progress {
    /// Whether its last pieces begin a phrase.
    pub fn has_begun(&self) -> bool {
        !self.begun.phrases.is_empty()
    }
}

/// For each phrase the part of what a hypothesis reads of the source, but for the end mark, that is the phrase's; `None` for
/// one without a place there.
pub(super) type Shares = Vec<Option<f32>>;

/// Weight of what is read against what the model says. With less, a phrase more often comes beside what the model would say in
/// its place; more changes little.
const SHARE_WEIGHT: f32 = 8.0;
/// No share is counted as less, nor its complement: attention is no certainty.
const LEAST_SHARE: f32 = 0.02;

impl Phrases {
    /// Most pieces of all phrases of a sentence: each widens the beam by one.
    const MOST_PIECES: usize = 28;

    pub fn new(mut phrases: Vec<Phrase>, printed: Arc<Printed>) -> Self {
        phrases.retain(|phrase| !phrase.pieces.is_empty());
        let endings = phrases.iter().map(|phrase| match phrase.forms.is_empty() {
            true => Vec::new(),
            false => printed.with_punctuation(phrase.pieces.last()),
        });
        Self {
            endings: endings.collect(),
            phrases,
            printed,
        }
    }

    /// Of phrases that translations lacked those to search for: none with several forms where these are more than there is room
    /// for, since a search for a part of them takes long and mends little.
    pub fn to_search_for(&self, mut lacking: Vec<usize>) -> Vec<usize> {
        lacking.sort_unstable();
        lacking.dedup();
        let has_forms = |i: &&usize| !self.phrases[**i].forms.is_empty();
        let with_forms = lacking.iter().filter(has_forms);
        let pieces: usize = with_forms.map(|i| self.phrases[*i].pieces.len()).sum();
        if pieces > Self::MOST_PIECES {
            lacking.retain(|i| !has_forms(&i));
        }
        lacking
    }

    /// Those that there is room for: of phrases with several forms first the ones that translations lacked, which are in order.
    pub fn within_room(self, lacking: &[usize]) -> Self {
        let mut order: Vec<usize> = (0..self.phrases.len()).collect();
        order.sort_by_key(|i| {
            let has_forms = !self.phrases[*i].forms.is_empty();
            has_forms && lacking.binary_search(i).is_err()
        });
        let mut pieces = 0;
        order.retain(|i| {
            pieces += self.phrases[*i].pieces.len();
            pieces <= Self::MOST_PIECES
        });
        order.sort_unstable();
        Self::new(
            order.iter().map(|i| self.phrases[*i].clone()).collect(),
            self.printed,
        )
    }

    pub fn is_empty(&self) -> bool {
        self.phrases.is_empty()
    }

    /// Whether any of them has its place in the source.
    pub fn have_places(&self) -> bool {
        self.phrases.iter().any(|phrase| !phrase.source.is_empty())
    }

    /// Pieces of all phrases.
    pub fn pieces(&self) -> usize {
        self.phrases.iter().map(|phrase| phrase.pieces.len()).sum()
    }

    /// How far a hypothesis with these pieces is. No piece is counted for two phrases.
    pub fn progress(&self, tokens: &[u32]) -> Progress {
        let mut progress = Progress {
            missing: (0..self.phrases.len()).collect(),
            ..Progress::default()
        };
        // Pieces up to here belong to phrases that are complete.
        let mut used = 0;
        // A phrase that the last pieces are, where they begin a longer one too.
        let mut whole: Option<usize> = None;
        for end in 1..=tokens.len() {
            let mut begun = self.begun(&progress.missing, &tokens[used..end]);
            if let Some(whole) = whole.take()
                && begun.count != progress.begun.count + 1
            {
                progress.missing.retain(|other| *other != whole);
                used = end - 1;
                begun = self.begun(&progress.missing, &tokens[used..end]);
            }
            let is_whole = |phrase: &usize| self.phrases[*phrase].pieces.len() == begun.count;
            whole = begun.phrases.iter().copied().find(is_whole);
            progress.has_ended = whole.is_some();
            begun.phrases.retain(|phrase| !is_whole(phrase));
            if begun.phrases.is_empty()
                && let Some(whole) = whole.take()
            {
                progress.missing.retain(|other| *other != whole);
                used = end;
                begun.count = 0;
            }
            progress.begun = begun;
        }
        progress
            .missing
            .retain(|phrase| whole.is_none_or(|whole| *phrase != whole));
        progress
    }

    /// Of missing phrases those that these pieces end with the most pieces of.
    fn begun(&self, missing: &[usize], tokens: &[u32]) -> Begun {
        let count = |phrase: usize| {
            let longest = self.phrases[phrase].pieces.len().min(tokens.len());
            let mut counts = (1..=longest).rev();
            let begins = |count: &usize| self.is_beginning(phrase, &tokens[tokens.len() - count..]);
            counts.find(begins).unwrap_or(0)
        };
        let counts: Vec<usize> = missing.iter().map(|phrase| count(*phrase)).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let phrases = missing.iter().zip(counts);
        let phrases = phrases.filter(|(_, count)| most > 0 && *count == most);
        Begun {
            phrases: phrases.map(|(phrase, _)| *phrase).collect(),
            count: most,
        }
    }

    /// Whether a phrase begins with these pieces.
    fn is_beginning(&self, phrase: usize, tokens: &[u32]) -> bool {
        let mut tokens = tokens.iter().enumerate();
        tokens.all(|(at, token)| self.may_stand_at(phrase, at, *token))
    }

    /// Whether a piece is one of a phrase at a place in it.
    fn may_stand_at(&self, phrase: usize, at: usize, token: u32) -> bool {
        let pieces = &self.phrases[phrase].pieces;
        pieces[at] == token || at + 1 == pieces.len() && self.endings[phrase].contains(&token)
    }

    /// The pieces that may stand at a place in a phrase.
    fn pieces_at(&self, phrase: usize, at: usize) -> impl Iterator<Item = u32> {
        let pieces = &self.phrases[phrase].pieces;
        let endings = self.endings[phrase].iter().copied();
        let endings = endings.filter(move |_| at + 1 == pieces.len());
        endings.chain([pieces[at]])
    }

    /// Those that a translation does not hold.
    pub fn lacking(&self, tokens: &[u32]) -> Vec<usize> {
        let text = self.printed.text(tokens).to_lowercase();
        let stands_in = |form: &str| {
            let form = form.to_lowercase();
            let mut places = text.match_indices(&form);
            places.any(|(start, _)| {
                let before = text[..start].chars().next_back();
                let after = text[start + form.len()..].chars().next();
                ![before, after]
                    .into_iter()
                    .flatten()
                    .any(char::is_alphanumeric)
            })
        };
        let mut lacking = self.progress(tokens).missing;
        let with_forms = (0..self.phrases.len()).filter(|i| !self.phrases[*i].forms.is_empty());
        lacking.retain(|i| self.phrases[*i].forms.is_empty());
        lacking.extend(
            with_forms.filter(|i| !self.phrases[*i].forms.iter().any(|form| stands_in(form))),
        );
        lacking
    }

    /// Pieces of the phrases that a hypothesis does not hold yet.
    pub fn missing_pieces(&self, progress: &Progress) -> usize {
        progress
            .missing
            .iter()
            .map(|i| self.phrases[*i].pieces.len())
            .sum()
    }

    /// Pieces of phrases that a hypothesis has.
    pub fn bank(&self, progress: &Progress) -> usize {
        let begun = match progress.has_ended {
            true => 0,
            false => progress.begun.count,
        };
        self.pieces() - self.missing_pieces(progress) + begun
    }

    /// The pieces that go on with the begun phrases or begin another one.
    pub fn next(&self, progress: &Progress) -> Vec<u32> {
        let Begun { phrases, count } = &progress.begun;
        let begun = phrases
            .iter()
            .flat_map(|phrase| self.pieces_at(*phrase, *count));
        let others = progress.missing.iter();
        let others = others
            .filter(|_| !self.is_bound(progress))
            .flat_map(|phrase| self.pieces_at(*phrase, 0));
        let mut next: Vec<u32> = begun.chain(others).collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Whether the last pieces begin a phrase that must then be completed.
    pub fn is_bound(&self, progress: &Progress) -> bool {
        let has_forms = |phrase: &usize| !self.phrases[*phrase].forms.is_empty();
        !progress.has_ended && progress.begun.phrases.iter().any(has_forms)
    }

    /// How much each phrase's place is read, given the attention to each source piece; the last one is the end mark.
    pub fn shares(&self, attention: &[f32]) -> Shares {
        let words = &attention[..attention.len().saturating_sub(1)];
        let all: f32 = words.iter().sum();
        let share = |phrase: &Phrase| {
            let read = words.get(phrase.source.clone())?;
            (!read.is_empty()).then(|| read.iter().sum::<f32>() / all.max(f32::MIN_POSITIVE))
        };
        self.phrases.iter().map(share).collect()
    }

    /// ln of how well it fits what is read that a piece of no phrase comes: none is the translation of a phrase's place.
    pub fn fit_of_others(&self, shares: &Shares) -> f32 {
        let others = shares.iter().flatten().map(|share| fit(1.0 - share));
        others.sum()
    }

    /// ln of how well it fits what is read that a phrase begins, or continues, with this piece.
    pub fn fit_of(&self, token: u32, progress: &Progress, shares: &Shares) -> f32 {
        let best = |phrases: &mut dyn Iterator<Item = &usize>| {
            let fits = phrases.map(|i| shares[*i].map_or(0.0, fit));
            fits.max_by(f32::total_cmp)
        };
        // Of phrases with the same beginning the one at the place that is read is continued.
        let Begun { phrases, count } = &progress.begun;
        let goes_on = |i: &&usize| self.may_stand_at(**i, *count, token);
        if let Some(going_on) = best(&mut phrases.iter().filter(goes_on)) {
            return going_on - best(&mut phrases.iter()).unwrap_or(0.0);
        }
        let begins = |i: &&usize| self.may_stand_at(**i, 0, token);
        best(&mut progress.missing.iter().filter(begins)).unwrap_or(0.0)
    }

    /// Whether a piece continues the word before it.
    pub fn continues_word(&self, token: u32) -> bool {
        self.printed.continues_word(token)
    }

    /// The pieces that end a sentence or a clause.
    pub fn closing(&self, eos: u32) -> Vec<u32> {
        let punctuation = self.printed.closing.iter().copied();
        punctuation.chain([eos]).collect()
    }

    /// ln of the probability that the last word is complete, given the logits of the next piece.
    pub fn ln_word_complete(&self, row: &[f32], log_z: f32) -> f32 {
        let continuing = row
            .iter()
            .zip(&self.printed.continuing)
            .filter(|(_, is)| **is);
        let incomplete: f32 = continuing.map(|(logit, _)| (logit - log_z).exp()).sum();
        (1.0 - incomplete).max(1e-3).ln()
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

/// Whether a text is a mark that ends a clause or a sentence.
fn is_closing(text: &str) -> bool {
    matches!(text, "." | "," | ";" | ":" | "!" | "?" | "…")
}

/// A share's part in a score.
fn fit(share: f32) -> f32 {
    SHARE_WEIGHT * share.clamp(LEAST_SHARE, 1.0).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A phrase with a place in the source.
    fn phrase(pieces: &[u32], source: Range<usize>) -> Phrase {
        Phrase {
            pieces: pieces.to_vec(),
            source,
            ..Phrase::default()
        }
    }

    #[test]
    fn progress_counts_whole_phrases_and_the_one_that_is_begun() {
        let phrases = Phrases::new(
            vec![
                phrase(&[1, 2], 0..0),
                phrase(&[1, 3, 4], 0..0),
                Phrase::default(),
            ],
            Arc::default(),
        );
        let at = |tokens: &[u32]| {
            let progress = phrases.progress(tokens);
            (
                phrases.bank(&progress),
                progress.missing.len(),
                phrases.next(&progress),
            )
        };
        assert_eq!(at(&[]), (0, 2, vec![1]));
        assert_eq!(at(&[9, 1]), (1, 2, vec![1, 2, 3]));
        // The same beginning may be the other phrase's.
        assert_eq!(at(&[1, 3]), (2, 2, vec![1, 4]));
        assert_eq!(at(&[1, 2, 7]), (2, 1, vec![1]));
        assert_eq!(at(&[1, 2, 1, 3, 4, 5]), (5, 0, vec![]));
        // Broken off, it counts no more.
        assert_eq!(at(&[1, 3, 8]), (0, 2, vec![1]));
    }

    #[test]
    fn a_phrase_may_begin_a_longer_one() {
        let held = |pieces: &[u32], source| Phrase {
            forms: vec!["".into()],
            ..phrase(pieces, source)
        };
        // *19* and *1995*, *1971*: the one that is read of two with the same beginning.
        let phrases = vec![
            held(&[1], 0..1),
            held(&[1, 95], 1..2),
            held(&[7, 71], 2..3),
            held(&[7, 75], 3..4),
        ];
        let phrases = Phrases::new(phrases, Arc::default());
        let at = |tokens: &[u32]| {
            let progress = phrases.progress(tokens);
            let bound = phrases.is_bound(&progress);
            (progress.missing.clone(), phrases.bank(&progress), bound)
        };
        assert_eq!(at(&[1]), (vec![1, 2, 3], 1, false));
        assert_eq!(phrases.next(&phrases.progress(&[1])), [1, 7, 95]);
        assert_eq!(at(&[1, 95]), (vec![0, 2, 3], 2, false));
        assert_eq!(at(&[1, 95, 1]), (vec![2, 3], 3, false));
        assert_eq!(at(&[1, 4]), (vec![1, 2, 3], 1, false));
        assert_eq!(at(&[1, 1, 95]), (vec![2, 3], 3, false));
        assert_eq!(at(&[7]), (vec![0, 1, 2, 3], 1, true));
        let progress = phrases.progress(&[7]);
        assert_eq!(phrases.next(&progress), [71, 75]);
        let shares = vec![Some(0.1), Some(0.1), Some(0.2), Some(0.6)];
        assert_eq!(phrases.fit_of(75, &progress, &shares), 0.0);
        assert!(phrases.fit_of(71, &progress, &shares) < -5.0);
    }

    #[test]
    fn phrases_are_searched_for_as_far_as_there_is_room() {
        let held = |pieces: usize| Phrase {
            forms: vec!["".into()],
            ..phrase(&vec![9; pieces], 0..1)
        };
        let all = vec![held(20), phrase(&[1, 2], 1..2), held(9), held(5)];
        let phrases = Phrases::new(all, Arc::default());
        assert_eq!(phrases.to_search_for(vec![3, 0, 1, 3]), [0, 1, 3]);
        assert_eq!(phrases.to_search_for(vec![2, 0, 1]), [1]);
        let sizes = |lacking: &[usize]| {
            let kept = phrases.clone().within_room(lacking).phrases;
            kept.iter()
                .map(|phrase| phrase.pieces.len())
                .collect::<Vec<_>>()
        };
        assert_eq!(sizes(&[2]), [2, 9]);
        assert_eq!(sizes(&[3]), [20, 2, 5]);
    }

    #[test]
    fn each_bank_has_its_turn() {
        let phrases = Phrases::new(vec![phrase(&[1, 2], 0..0)], Arc::default());
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

    #[test]
    fn shares_are_of_what_is_read_of_the_words() {
        let phrases = vec![phrase(&[1], 0..1), phrase(&[2], 1..3), phrase(&[3], 0..0)];
        let phrases = Phrases::new(phrases, Arc::default());
        // Half of the attention goes to the end mark.
        let shares = phrases.shares(&[0.1, 0.2, 0.2, 0.5]);
        assert_eq!(shares, [Some(0.2), Some(0.8), None]);
        let progress = phrases.progress(&[]);
        let fit_of = |token| phrases.fit_of(token, &progress, &shares);
        assert!(fit_of(2) > fit_of(1) && fit_of(1) < 0.0);
        assert_eq!(fit_of(3), 0.0, "it may come anywhere");
        assert!(phrases.fit_of_others(&shares) < fit_of(2));
        assert!(phrases.have_places());
        // An end mark alone, or a place that the source has not.
        assert_eq!(phrases.shares(&[1.0]), [None, None, None]);
    }

    #[test]
    fn a_word_is_complete_as_far_as_no_piece_goes_on_with_it() {
        let phrases = Phrases::new(
            vec![phrase(&[1], 0..1)],
            Arc::new(Printed::new([" a", "b", " c"].map(Box::from).into())),
        );
        let row = [0.0f32, 2.0, 0.0].map(f32::exp).map(f32::ln);
        let log_z = row.iter().map(|x| x.exp()).sum::<f32>().ln();
        let complete = 2.0 / (2.0 + 2f32.exp());
        assert!((phrases.ln_word_complete(&row, log_z).exp() - complete).abs() < 1e-5);
        assert!(
            phrases.continues_word(1) && !phrases.continues_word(2) && !phrases.continues_word(9)
        );
        assert!(phrases.progress(&[1]).has_ended && !phrases.progress(&[1, 0]).has_ended);
    }

    #[test]
    fn a_phrase_is_held_in_any_of_its_forms_as_whole_words() {
        let printed = Printed::new(
            ["</s>", " May", " 3", "rd", "1", ",", ".", " MAY"]
                .map(Box::from)
                .into(),
        );
        let date = Phrase {
            forms: vec!["May 3".into(), "May 3rd".into()],
            ..phrase(&[1, 2], 0..1)
        };
        let phrases = Phrases::new(vec![date], Arc::new(printed));
        for (held, tokens) in [
            (true, &[1, 2, 6, 0][..]),
            (true, &[5, 1, 2, 3, 0]),
            (true, &[7, 2, 0]),
            (false, &[1, 0]),
            (false, &[2, 1, 0]),
            (false, &[1, 2, 4, 0]),
        ] {
            assert_eq!(phrases.lacking(tokens).is_empty(), held, "{tokens:?}");
        }
        // Once begun it must be completed.
        let begun = phrases.progress(&[5, 1]);
        assert!(phrases.is_bound(&begun) && !phrases.is_bound(&phrases.progress(&[5])));
        assert_eq!(phrases.next(&begun), [2]);
        assert!(
            phrases.continues_word(3) && phrases.continues_word(4) && !phrases.continues_word(5)
        );
        assert_eq!(phrases.closing(0), [5, 6, 0]);
        // Its last piece may have punctuation behind it.
        let printed = Printed::new(["</s>", " May", " 3", " 3.", " 31"].map(Box::from).into());
        let date = Phrase {
            forms: vec!["May 3".into()],
            ..phrase(&[1, 2], 0..1)
        };
        let phrases = Phrases::new(vec![date], Arc::new(printed));
        assert_eq!(phrases.next(&phrases.progress(&[1])), [2, 3]);
        assert!(phrases.progress(&[1, 3]).missing.is_empty());
        assert!(!phrases.progress(&[1, 4]).missing.is_empty());
    }
}
