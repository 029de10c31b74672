//! What sentence splitting must hold.

use super::*;
use crate::text::timing::assert_in_proportion;

fn parts(text: &str) -> Vec<&str> {
    split(text).into_iter().map(|range| &text[range]).collect()
}

/// Each line of `expected` is one sentence; they are joined by a space and split again.
fn stays(expected: &[&str]) {
    assert_eq!(parts(&expected.join(" ")), expected);
}

#[test]
fn word_lists_are_sorted() {
    assert!(
        ALWAYS.is_sorted()
            && SOMETIMES.is_sorted()
            && BEFORE_NUMBER.is_sorted()
            && STARTERS.is_sorted()
            && ORDINAL.is_sorted()
    );
}

#[test]
fn sentences_end_at_full_stops_questions_and_exclamations() {
    stays(&["The tide is out.", "Is it?", "Yes!", "Then let us walk"]);
    stays(&["we came late.", "nobody waited for us.", "why would they?"]);
    stays(&["What?!", "No...", "I see…", "Good."]);
}

#[test]
fn marks_of_markup_close_a_sentence_and_blocks_of_code_are_none() {
    stays(&["<b>Go.</b>", "**Come!**", "_Why?_", "He said (no.)", "Yes"]);
    assert_eq!(
        parts("<p>It is <b>late.</b></p><p>Go</p>"),
        ["<p>It is <b>late.</b></p>", "<p>Go</p>"]
    );
    stays(&["<li>One.</li>", "<li>Two.</li>"]);
    assert_eq!(
        parts("Run it:\n```sh\ncargo run. Now.\n```\nThen go.\n``` open"),
        ["Run it:", "Then go.", "``` open"]
    );
    assert_eq!(parts("```\nnot closed"), ["```", "not closed"]);
    assert_eq!(parts("```a b``` is code"), ["```a b``` is code"]);
}

#[test]
fn cells_of_a_table_are_sentences_of_their_own() {
    assert_eq!(
        parts("\tName\tAge \t\tCity\n31\t"),
        ["Name", "Age", "City", "31"]
    );
    assert_eq!(parts("1.\tOpen it.\tWhen?"), ["1.\tOpen it.", "When?"]);
}

#[test]
fn abbreviations_initials_and_numbers_do_not_end_a_sentence() {
    stays(&[
        "Mr. Brown met Dr. Weiß, e.g. on Sundays.",
        "They played chess.",
    ]);
    stays(&["J. R. R. Tolkien wrote it.", "The U.S. Navy sailed."]);
    stays(&["He lives in the U.S.", "She does not."]);
    stays(&[
        "Es gibt Obst, z. B. Äpfel, bzw. Birnen.",
        "Das reicht, d. h. fast.",
    ]);
    stays(&["Pi is 3.14 and v1.2.3 is out.", "See example.org for more."]);
    stays(&["Wir kommen am 3. Mai.", "Es war 1999.", "Danach nichts."]);
    stays(&[
        "Room No. 5 is free.",
        "See Fig. 3 and pp. 4–5.",
        "No.",
        "Yes.",
    ]);
    stays(&["1. Open the door.", "2. Close it."]);
    stays(&[
        "Bread, milk, etc. are here.",
        "We bought salt etc.",
        "The shop closed at 5 p.m.",
        "It rained.",
    ]);
}

#[test]
fn quotes_and_brackets_close_with_their_sentence() {
    stays(&[
        "\"Come in.\"",
        "She waited.",
        "(Nobody came.)",
        "»Schade.«",
        "„Ja.“",
        "Gut.",
    ]);
    stays(&["\"Really?\" he asked.", "\"Yes!\" she said."]);
    stays(&["Well... maybe not.", "He paused…", "Then he left."]);
}

#[test]
fn wide_full_stops_need_no_space() {
    assert_eq!(
        parts("今日は。雨です！本当？"),
        ["今日は。", "雨です！", "本当？"]
    );
    assert_eq!(
        parts("彼は「行く。」と言った。"),
        ["彼は「行く。」と言った。"]
    );
}

#[test]
fn every_line_break_ends_a_sentence_and_is_kept() {
    let text = "  A title\r\n\r\nfirst line,\nsecond line.  Third. \u{2028}last\n";
    assert_eq!(
        parts(text),
        ["A title", "first line,", "second line.", "Third.", "last"]
    );
    assert_eq!(parts(" \n\t\n"), Vec::<&str>::new());
    assert_eq!(parts(""), Vec::<&str>::new());
}

/// Ranges are in order, trimmed, not empty, on character boundaries, with only white space between.
fn check(text: &str, ranges: &[Range<usize>]) {
    let mut end = 0;
    for range in ranges {
        assert!(text[end..range.start].trim().is_empty());
        let inside = &text[range.clone()];
        assert!(!inside.is_empty() && inside.trim() == inside);
        end = range.end;
    }
    assert!(text[end..].trim().is_empty());
}

#[test]
fn nothing_is_lost_and_nothing_panics_on_random_text() {
    let alphabet: Vec<char> = " \n\r\t.!?…。「」\"')(aZ9üß\u{301}🙂Mr,;\u{a0}\u{2028}、"
        .chars()
        .collect();
    let mut seed = 1u64;
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..seed % 40 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push(alphabet[(seed >> 33) as usize % alphabet.len()]);
        }
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(99);
        let sentences = split(&text);
        check(&text, &sentences);
        let fits = |part: &str| part.chars().count() <= 5;
        let cuts: Vec<_> = sentences
            .into_iter()
            .flat_map(|s| cut(&text, s, fits))
            .collect();
        check(&text, &cuts);
        assert!(cuts.into_iter().all(|range| fits(&text[range])));
    }
}

#[test]
fn long_sentences_are_cut_at_clauses_then_spaces_then_anywhere() {
    let cuts = |text: &str, most: usize| -> Vec<String> {
        let parts = cut(text, 0..text.len(), |part| part.chars().count() <= most);
        parts
            .into_iter()
            .map(|range| text[range].to_string())
            .collect()
    };
    assert_eq!(
        cuts("one two three, four five six", 18),
        ["one two three,", "four five six"]
    );
    assert_eq!(
        cuts("one, two three four five", 18),
        ["one, two three", "four five"]
    );
    assert_eq!(cuts("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(cuts("short", 10), ["short"]);
    assert_eq!(cuts("🙂🙂", 0), ["🙂", "🙂"]);
    // Longer than what is tried at once, fitting and not.
    let word = "a".repeat(3000);
    assert_eq!(cuts(&word, 3000), [word.as_str()]);
    let lengths: Vec<usize> = cuts(&word, 700).iter().map(String::len).collect();
    assert_eq!(lengths, [700, 700, 700, 700, 200]);
}

#[test]
fn time_grows_with_the_length_of_the_text() {
    let word = "a".repeat(50_000);
    let texts: [&dyn Fn(usize) -> String; 8] = [
        &|n| ".</b>".repeat(n),
        &|n| "```\n".repeat(2 * n + 1),
        &|n| "...) ".repeat(n),
        &|n| "(Really?!) – ".repeat(n),
        &|n| ". ".repeat(n) + &word,
        &|n| "Mr. ".repeat(n),
        &|n| "a".repeat(n) + ". " + &"b".repeat(n),
        &|n| "One. two. 3. Four. 」。".repeat(n),
    ];
    for text in texts {
        assert_in_proportion(5_000, text, |text| {
            std::hint::black_box(split(text));
        });
    }
}
