//! English and German words that decide whether a full stop ends a sentence.

/// Abbreviations that stand before another word of their sentence. Sorted.
pub(super) const ALWAYS: [&str; 71] = [
    "adm", "akad", "approx", "beisp", "bsp", "bspw", "bzgl", "bzw", "ca", "capt", "cf", "cmdr",
    "col", "dipl", "dr", "drs", "e.g", "eg", "einschl", "entspr", "evtl", "ex", "exkl", "fr",
    "frl", "gem", "gen", "ggf", "gov", "hon", "hr", "hrn", "hrsg", "i.d", "i.e", "incl", "ing",
    "inkl", "insb", "insbes", "jun", "lt", "m.e", "max", "messrs", "min", "mlle", "mme", "mr",
    "mrs", "ms", "mt", "mutm", "o.ä", "orig", "phil", "pres", "prof", "rep", "rev", "sen", "sgt",
    "sog", "st", "u.a", "ungef", "vgl", "vs", "z.b", "zit", "zzgl",
];

/// Abbreviations that may also end a sentence: it ends if a word follows that begins one. Sorted.
pub(super) const SOMETIMES: [&str; 25] = [
    "a.m", "al", "apr", "aug", "ave", "blvd", "bros", "co", "corp", "dec", "etc", "feb", "inc",
    "jan", "jr", "ltd", "mio", "mrd", "nov", "oct", "okt", "p.m", "sept", "str", "usw",
];

/// Abbreviations only where a number follows. Sorted.
pub(super) const BEFORE_NUMBER: [&str; 17] = [
    "abb", "abs", "art", "bd", "ch", "chap", "eq", "fig", "kap", "no", "nos", "nr", "p", "pp", "s",
    "sec", "vol",
];

/// Words that begin sentences far more often than they follow an initial or an acronym. Sorted.
pub(super) const STARTERS: [&str; 66] = [
    "A", "Aber", "After", "Als", "Although", "Am", "An", "And", "Are", "As", "At", "Auch", "Auf",
    "Because", "But", "Can", "Da", "Dann", "Das", "Der", "Die", "Dies", "Diese", "Do", "Does",
    "Du", "Ein", "Eine", "Er", "Es", "For", "Für", "Has", "He", "Her", "His", "How", "I", "Ich",
    "If", "Im", "In", "Is", "It", "Man", "Many", "My", "No", "On", "Our", "She", "Sie", "So",
    "Some", "That", "The", "There", "These", "They", "This", "Und", "We", "What", "When", "Wir",
    "You",
];

/// German words after which a number with a full stop is an ordinal. Sorted.
pub(super) const ORDINAL: [&str; 53] = [
    "am", "beim", "das", "dein", "deine", "deinem", "deinen", "deiner", "dem", "den", "der", "des",
    "die", "diesem", "diesen", "dieser", "dieses", "dritten", "ein", "eine", "einem", "einen",
    "einer", "eines", "ihr", "ihre", "ihrem", "ihren", "ihrer", "im", "ins", "jede", "jeden",
    "jeder", "jedes", "mein", "meine", "meinem", "meinen", "meiner", "sein", "seine", "seinem",
    "seinen", "seiner", "unser", "unsere", "unserem", "unseren", "unserer", "vom", "zum", "zur",
];
