//! French: "Suis en retard", "Peux pas venir", "Pas le temps", "Faut y aller".

use super::{End, Found, Row, row};
use crate::text::typed::sentence::Sentence;

/// What a statement begins with.
#[rustfmt::skip]
const STATEMENTS: &[Row] = &[
    ("t'inquiète", "pas", "ne _"),
    ("t'inquiète", ".", "ne _ pas"),
    ("suis|peux|veux|sais|vais|dois|crois|comprends|connais|trouve|vois|pourrai|voulais|savais|pensais|pouvais",
     "pas|plus|rien|jamais", "je ne _"),
    ("pense", "pas que|pas .", "je ne _"),
    ("ai|aime|étais|avais|entends|arrive", "pas|plus|rien|jamais", "je n'_"),
    ("suis", "en|à|au|aux|chez|dans|malade|fatigué|fatiguée|désolé|désolée|content|contente|sûr|sûre|arrivé|arrivée|\
        rentré|rentrée|là|trop|très|bien|déjà|encore|toujours|bientôt|prêt|prête|occupé|occupée|d'accord|perdu|\
        perdue|crevé|crevée|triste|née|né|sur le point|de retour|parti|partie|allé|allée|pressé|pressée|dispo|\
        disponible|libre", "je _"),
    ("vais", "tu", ""),
    ("vais", "", "je _"),
    ("dois", "tu", ""),
    ("dois", "", "je _"),
    ("peux", "venir|passer|te|vous|aussi|y aller|m'en|être|faire", "je _"),
    ("veux", "bien|juste|un|une|dormir|voir", "je _"),
    ("sais", "que|déjà|où|bien|ce que|comment", "je _"),
    ("viens", "de|d'*", "je _"),
    ("arrive", "dans|tout de suite|bientôt|demain|en|à|vers", "j'_"),
    ("ai", "", "j'_"),
    ("espère", "que|te|vous|qu'*", "j'_"),
    ("pense", "que|venir|partir|être|qu'*", "je _"),
    ("crois", "que|qu'*|bien", "je _"),
    ("t'aime|t'embrasse|t'attends|t'adore|t'appelle|t'envoie", "", "je _"),
    ("t'aime|t'embrasse|t'attends|t'adore|t'appelle|t'envoie", ".", "je _"),
    ("te", "souhaite|rappelle|tiens|dis|remercie|rejoins|confirme|laisse|fais", "je _"),
    ("vous", "souhaite|rappelle|remercie|embrasse|confirme|prie|laisse", "je _"),
    ("me", "sens|suis", "je _"),
    ("faut", "pas|plus", "il ne _"),
    ("faut", "", "il _"),
    ("vaut", "mieux", "il _"),
    ("y", "a pas|avait pas|a plus|a rien|aura pas", "il n'_"),
    ("y", "a|avait|aura", "il _"),
    ("fait", "chaud|froid|beau|mauvais|trop chaud|trop froid|très chaud|très froid|très beau", "il _"),
    ("pleut", "", "il _"),
    ("paraît|semble", "que|qu'*", "il _"),
    ("marche|fonctionne", "pas|plus", "ça ne _"),
    ("dépend", "de|du|des", "ça _"),
    ("pas", "le temps|envie|faim|soif|dormi|compris|vu|reçu|encore fini|encore reçu|encore mangé", "je n'ai _"),
    ("pas", "sûr|sûre|d'accord|malade|fatigué|fatiguée|là|disponible|content|contente|dispo", "je ne suis _"),
    ("pas", "grave|possible|facile|vrai|cher|terrible|étonnant|juste|évident", "ce n'est _"),
    ("jamais", "vu|entendu|eu|mangé|essayé|lu|fait", "je n'ai _"),
    ("déjà", "vu|fait|mangé|lu|essayé", "j'ai _"),
    ("bien", "reçu|dormi|mangé", "j'ai _"),
    ("bien", "arrivé|arrivée|rentré|rentrée", "je suis _"),
];

/// What a statement begins with that has no other subject: "Content de te voir".
#[rustfmt::skip]
const FRAGMENTS: &[Row] = &[
    ("content|contente|heureux|heureuse|ravi|ravie|fier|fière|triste|déçu|déçue|impatient|impatiente",
     "pour|de|d'*|que", "je suis _"),
    ("hâte|besoin|envie|peur|mal", "de|d'*|à la|au|aux", "j'ai _"),
];

/// What a question with its mark begins with.
#[rustfmt::skip]
const QUESTIONS: &[Row] = &[
    ("ça|ca", "va .", "comment ça"),
    ("besoin|envie|peur", "de|d'*", "as-tu _"),
    ("bien|déjà", "dormi|mangé|reçu", "as-tu _"),
    ("bien|déjà|encore", "arrivé|arrivée|rentré|rentrée|là|parti|partie|debout|levé|levée|réveillé|réveillée", "es-tu _"),
    ("prêt|prête", "à|pour", "es-tu _"),
    ("libre|dispo|disponible", "ce|demain|samedi|lundi|mardi|mercredi|jeudi|vendredi|dimanche|aujourd'hui", "es-tu _"),
    ("des", "nouvelles|questions", "as-tu _"),
    ("une", "idée|question", "as-tu _"),
];

/// What a clause with its own subject begins with.
const SUBJECTS: [&str; 16] = [
    "je", "tu", "il", "elle", "on", "nous", "vous", "ils", "elles", "le", "la", "les", "ce",
    "c'est", "un", "une",
];

/// The row of a sentence without its subject.
pub fn find(sentence: &Sentence, end: End) -> Option<Found> {
    let has_clause = || sentence.comma.is_some_and(|at| sentence.is(at, &SUBJECTS));
    match end {
        End::Asked => row(QUESTIONS, sentence, str::to_owned),
        _ => row(STATEMENTS, sentence, str::to_owned)
            .or_else(|| row(FRAGMENTS, sentence, str::to_owned).filter(|_| !has_clause())),
    }
}
