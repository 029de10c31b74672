//! French as people type it: abbreviations and short forms of chats.

use super::Rewrite;
use super::short_forms::{ShortForm, Where, spelled_out};

use Where::{Anywhere, Stopped};

const SHORT_FORMS: [ShortForm; 32] = [
    (&["p", "ex"], "par exemple", Anywhere),
    (&["env"], "environ", Stopped),
    (&["rdv"], "rendez-vous", Anywhere),
    (&["RDV"], "rendez-vous", Anywhere),
    (&["stp"], "s'il te plaît", Anywhere),
    (&["svp"], "s'il vous plaît", Anywhere),
    (&["bcp"], "beaucoup", Anywhere),
    (&["tjs"], "toujours", Anywhere),
    (&["tjrs"], "toujours", Anywhere),
    (&["qqn"], "quelqu'un", Anywhere),
    (&["qqch"], "quelque chose", Anywhere),
    (&["bientot"], "bientôt", Anywhere),
    (&["slt"], "salut", Anywhere),
    (&["bjr"], "bonjour", Anywhere),
    (&["bsr"], "bonsoir", Anywhere),
    (&["jtm"], "je t'aime", Anywhere),
    (&["chui"], "je suis", Anywhere),
    (&["chuis"], "je suis", Anywhere),
    (&["qd"], "quand", Anywhere),
    (&["pcq"], "parce que", Anywhere),
    (&["dsl"], "désolé", Anywhere),
    (&["pk"], "pourquoi", Anywhere),
    (&["jsp"], "je ne sais pas", Anywhere),
    (&["tkt"], "ne t'inquiète pas", Anywhere),
    (&["auj"], "aujourd'hui", Anywhere),
    (&["ajd"], "aujourd'hui", Anywhere),
    (&["mtn"], "maintenant", Anywhere),
    (&["tlm"], "tout le monde", Anywhere),
    (&["pdt"], "pendant", Anywhere),
    (&["cdt"], "cordialement", Anywhere),
    (&["cdlt"], "cordialement", Anywhere),
    (&["svt"], "souvent", Anywhere),
];

/// What is rewritten in a French text: short forms.
pub fn french(text: &str) -> Vec<Rewrite> {
    spelled_out(text, &SHORT_FORMS)
}
