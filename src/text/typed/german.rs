//! German as people type it: abbreviations and short forms of chats.

use super::Rewrite;
use super::short_forms::{ShortForm, Where, spelled_out};

use Where::{
    AfterNumber, Anywhere, Behind, Stopped, StoppedAfterNumber, StoppedBeforeNumber,
    StoppedBeforeWord,
};

const SHORT_FORMS: [ShortForm; 56] = [
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
    (&["vllt"], "vielleicht", Anywhere),
    (&["vlt"], "vielleicht", Anywhere),
    (&["vll"], "vielleicht", Anywhere),
    (&["iwie"], "irgendwie", Anywhere),
    (&["iwann"], "irgendwann", Anywhere),
    (&["iwo"], "irgendwo", Anywhere),
    (&["iwas"], "irgendwas", Anywhere),
    (&["nix"], "nichts", Anywhere),
    (&["nen"], "einen", Anywhere),
    (&["jmd"], "jemand", Anywhere),
    (&["jmdn"], "jemanden", Anywhere),
    (&["jmdm"], "jemandem", Anywhere),
    (&["aufm"], "auf dem", Anywhere),
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

/// What is rewritten in a German text: short forms.
pub fn german(text: &str) -> Vec<Rewrite> {
    spelled_out(text, &SHORT_FORMS)
}
