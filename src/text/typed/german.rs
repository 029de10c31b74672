//! German as people type it: abbreviations and short forms of chats.

use super::short_forms::{ShortForm, Where, spelled_out};
use super::{Rewrite, words};

use Where::{
    AfterNumber, Anywhere, Behind, Stopped, StoppedAfterNumber, StoppedBeforeNumber,
    StoppedBeforeWord, Unstopped,
};

const SHORT_FORMS: [ShortForm; 103] = [
    (&["z", "B"], "zum Beispiel", Anywhere),
    (&["z", "b"], "zum Beispiel", Anywhere),
    (&["zB"], "zum Beispiel", Anywhere),
    (&["bspw"], "zum Beispiel", Anywhere),
    (&["i", "d", "R"], "in der Regel", Anywhere),
    (&["z", "T"], "zum Teil", Anywhere),
    (&["v", "a"], "vor allem", Anywhere),
    (&["m", "E"], "meiner Meinung nach", Anywhere),
    (&["mMn"], "meiner Meinung nach", Anywhere),
    (&["o", "ä"], "oder Ähnliches", Anywhere),
    (&["o", "Ä"], "oder Ähnliches", Anywhere),
    (&["i", "O"], "in Ordnung", Anywhere),
    (&["z", "Zt"], "zurzeit", Anywhere),
    (&["z", "Z"], "zurzeit", Anywhere),
    (&["u", "v", "m"], "und vieles mehr", Anywhere),
    (&["u"], "und", StoppedBeforeWord),
    (&["inkl"], "inklusive", Anywhere),
    (&["zzgl"], "plus", Anywhere),
    (&["evtl"], "eventuell", Anywhere),
    (&["ggf"], "falls nötig", Anywhere),
    (&["bzgl"], "bezüglich", Anywhere),
    (&["insb"], "insbesondere", Anywhere),
    (&["tägl"], "täglich", Anywhere),
    (&["vrsl"], "voraussichtlich", Anywhere),
    (&["vsl"], "voraussichtlich", Anywhere),
    (&["lt"], "laut", Stopped),
    (&["gem"], "gemäß", Stopped),
    (&["wg"], "wegen", Stopped),
    (&["vgl"], "vergleiche", Stopped),
    (&["mind"], "mindestens", StoppedBeforeNumber),
    (&["Std"], "Stunden", StoppedAfterNumber),
    (&["Mrd"], "Milliarden", StoppedAfterNumber),
    (&["qm"], "Quadratmeter", AfterNumber),
    (&["Nr"], "Nummer", StoppedBeforeWord),
    (&["Jh"], "Jahrhundert", Stopped),
    (&["Hbf"], "Hauptbahnhof", Anywhere),
    (&["vllt"], "vielleicht", Unstopped),
    (&["vlt"], "vielleicht", Unstopped),
    (&["vll"], "vielleicht", Unstopped),
    (&["iwie"], "irgendwie", Unstopped),
    (&["iwann"], "irgendwann", Unstopped),
    (&["iwo"], "irgendwo", Unstopped),
    (&["iwas"], "irgendwas", Unstopped),
    (&["nix"], "nichts", Unstopped),
    (&["nö"], "nein", Unstopped),
    (&["nee"], "nein", Unstopped),
    (&["jep"], "ja", Unstopped),
    (&["jup"], "ja", Unstopped),
    (&["nen"], "einen", Unstopped),
    (&["jmd"], "jemand", Anywhere),
    (&["jmdn"], "jemanden", Anywhere),
    (&["jmdm"], "jemandem", Anywhere),
    (&["aufm"], "auf dem", Unstopped),
    (&["aufn"], "auf den", Unstopped),
    (&["ausm"], "aus dem", Unstopped),
    (&["nem"], "einem", Unstopped),
    (&["ner"], "einer", Unstopped),
    (&["nich"], "nicht", Unstopped),
    (&["ick"], "ich", Unstopped),
    (&["is"], "ist", Unstopped),
    (&["sehn"], "sehen", Unstopped),
    (&["gehn"], "gehen", Unstopped),
    (&["stehn"], "stehen", Unstopped),
    (&["biste"], "bist du", Unstopped),
    (&["haste"], "hast du", Unstopped),
    (&["kannste"], "kannst du", Unstopped),
    (&["willste"], "willst du", Unstopped),
    (&["machste"], "machst du", Unstopped),
    (&["kommste"], "kommst du", Unstopped),
    (&["gehste"], "gehst du", Unstopped),
    (&["siehste"], "siehst du", Unstopped),
    (&["weißte"], "weißt du", Unstopped),
    (&["sollste"], "sollst du", Unstopped),
    (&["wirste"], "wirst du", Unstopped),
    (&["brauchste"], "brauchst du", Unstopped),
    (&["glaubste"], "glaubst du", Unstopped),
    (&["meinste"], "meinst du", Unstopped),
    (&["denkste"], "denkst du", Unstopped),
    (&["isses"], "ist es", Unstopped),
    (&["gibts"], "gibt es", Unstopped),
    (&["gehts"], "geht es", Unstopped),
    (&["kanns"], "kann es", Unstopped),
    (&["wars"], "war es", Unstopped),
    (&["ists"], "ist es", Unstopped),
    (&["obs"], "ob es", Unstopped),
    (&["wenns"], "wenn es", Unstopped),
    (&["habs"], "habe es", Unstopped),
    (&["tuts"], "tut es", Unstopped),
    (&["wirds"], "wird es", Unstopped),
    (&["hdl"], "ich hab dich lieb", Unstopped),
    (&["hdgdl"], "ich hab dich lieb", Unstopped),
    (&["kp"], "keine Ahnung", Unstopped),
    (&["wmd"], "was machst du", Unstopped),
    (&["vg"], "viele Grüße", Anywhere),
    (&["VG"], "Viele Grüße", Anywhere),
    (&["z", "Hd"], "zu Händen", Anywhere),
    (&["Mo"], "Montag", Behind(&DAYS)),
    (&["Di"], "Dienstag", Behind(&DAYS)),
    (&["Mi"], "Mittwoch", Behind(&DAYS)),
    (&["Do"], "Donnerstag", Behind(&DAYS)),
    (&["Fr"], "Freitag", Behind(&DAYS)),
    (&["Sa"], "Samstag", Behind(&DAYS)),
    (&["So"], "Sonntag", Behind(&DAYS)),
];

/// Words that days of the week follow.
const DAYS: [&str; 9] = [
    "am",
    "bis",
    "ab",
    "vom",
    "zum",
    "jeden",
    "diesen",
    "nächsten",
    "letzten",
];

/// How letters begin, and what is read instead: small models do not know all of them, or one with *Herr* and another with *Frau*.
const GREETINGS: [(&str, &str); 11] = [
    ("Sehr geehrter Herr", "Lieber Herr"),
    ("Liebe Frau", "Sehr geehrte Frau"),
    ("Grüß Gott", "Guten Tag"),
    ("Grüss Gott", "Guten Tag"),
    ("Grüezi", "Guten Tag"),
    ("Moin moin", "Hallo"),
    ("Moin", "Hallo"),
    ("Servus", "Hallo"),
    ("moin moin", "hallo"),
    ("moin", "hallo"),
    ("servus", "hallo"),
];

/// What is rewritten in a German text: short forms, those that name all genders, and greetings.
pub fn german(text: &str) -> Vec<Rewrite> {
    let mut found = spelled_out(text, &SHORT_FORMS);
    found.extend(genders(text));
    found.extend(greeting(text));
    found.sort_by_key(|rewrite| rewrite.range.start);
    found
}

/// The greeting that a text begins with.
fn greeting(text: &str) -> Option<Rewrite> {
    let start = text.len() - text.trim_start().len();
    GREETINGS.iter().find_map(|(typed, meant)| {
        let rest = text[start..].strip_prefix(typed)?;
        let is_word = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-');
        is_word.then(|| Rewrite {
            range: start..text.len() - rest.len(),
            text: (*meant).to_owned(),
        })
    })
}

/// Forms of all genders, read as one: *Lehrer\*innen*, *Schüler:innen*, *StudentInnen* as the feminine, *jede\*r* and *eine/n* as
/// the masculine. English has one form for all.
fn genders(text: &str) -> Vec<Rewrite> {
    let mut found: Vec<Rewrite> = Vec::new();
    for range in words(text) {
        let word = &text[range.clone()];
        // *StudentInnen*, not *INNEN*.
        let stem = word.strip_suffix("Innen").unwrap_or_default();
        if stem.len() > 2 && stem.ends_with(char::is_lowercase) {
            found.push(Rewrite {
                text: format!("{stem}innen"),
                range,
            });
            continue;
        }
        let Some(stem) = text[..range.start].strip_suffix(['*', ':', '_', '/']) else {
            continue;
        };
        let length = stem.chars().rev().take_while(|c| c.is_alphabetic()).count();
        let is_noun = length > 2 && matches!(word, "in" | "innen");
        let is_pronoun = matches!(word, "r" | "n") && stem.ends_with('e');
        if is_noun || is_pronoun {
            // The sign, which is one byte.
            found.push(Rewrite {
                range: stem.len()..range.start,
                text: String::new(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::with;
    use super::*;

    #[test]
    fn greetings_are_read_as_common_ones() {
        for (typed, meant) in [
            ("Sehr geehrter Herr Weiß,", "Lieber Herr Weiß,"),
            ("Liebe Frau Weiß,", "Sehr geehrte Frau Weiß,"),
            ("Moin moin, alles gut?", "Hallo, alles gut?"),
            ("Servus!", "Hallo!"),
            ("Moin-Moin", "Moin-Moin"),
            ("Er sagte Servus.", "Er sagte Servus."),
        ] {
            assert_eq!(with(typed, german(typed)), meant);
        }
    }

    #[test]
    fn forms_of_all_genders_are_read_as_one() {
        for (typed, meant) in [
            (
                "Alle Lehrer*innen und Schüler:innen, StudentInnen",
                "Alle Lehrerinnen und Schülerinnen, Studentinnen",
            ),
            ("Jede*r sucht eine/n Leser_in", "Jeder sucht einen Leserin"),
            (
                "Kannste sehn, obs gehn kann?",
                "Kannst du sehen, ob es gehen kann?",
            ),
        ] {
            assert_eq!(with(typed, german(typed)), meant);
        }
        for text in ["INNEN, Innen, LinkedIn", "und/oder, 3/n, a*r, x:in", "/r"] {
            assert_eq!(with(text, german(text)), text);
        }
    }
}
