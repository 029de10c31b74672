//! German: "Bin gleich da", "Freue mich", "Hab keine Zeit", "Kommst heute?".

use super::{End, Found, Row, row};
use crate::text::typed::sentence::Sentence;

/// What a statement begins with.
#[rustfmt::skip]
const STATEMENTS: &[Row] = &[
    ("bis", "später .|gleich .|nachher .|morgen .|morgen früh .|übermorgen .|montag .|dienstag .|mittwoch .|\
        donnerstag .|freitag .|samstag .|sonntag .", "wir sehen uns"),
    ("bin", "ich|laden", ""),
    ("bin", "", "ich _"),
    ("habe|hab", "dich nicht so|mehr|ein auge|nur keine|achtung|doch|ich|wir|er|sie|es|man|geduld|mut|vertrauen|\
        spaß|erbarmen|mitleid|acht|nachsicht|gnade|glauben|dank|einen schönen|einen guten|eine gute|eine schöne|\
        ein schönes|ein herz|keine angst|keine sorge|keine furcht", ""),
    ("habe|hab", "", "ich _"),
    ("hatte", "ich|er|sie|es|man|der|die|das|ein|eine|jemand|doch", ""),
    ("hatte", "heute|gestern|noch|schon|nur|leider|keine|kein|keinen|gerade|auch|nie|viel|einen|letzte|mich|dich|\
        dir|euch|ganz|eben|mal|so|nicht", "ich _"),
    ("hätte", "gern|gerne|nie gedacht|nicht gedacht|lieber|da mal|da eine|noch eine|auch gern|auch gerne|mal eine", "ich _"),
    ("kann", "heute|morgen|leider|gerade|jetzt|dir|dich|euch|ihnen|es kaum|kaum|erst|mich|auch nicht kommen|am|um|\
        nichts|dazu|nächste|diese|ab|bis|später|nicht mehr|nicht kommen|nicht schlafen|nicht so|nur empfehlen|\
        ich nur empfehlen", "ich _"),
    ("konnte", "nicht gefunden", ""),
    ("konnte", "heute|gestern|leider|nicht|dich|euch|nur|es|gerade|kaum|noch", "ich _"),
    ("muss|muß", "jetzt|los|noch|heute|morgen|leider|weg|arbeiten|lernen|mal|dringend|erst|gleich|unbedingt|dir|\
        dich|mich|zum|zur|nach hause|in die|ins|auf die|nur noch|nur kurz|schnell|kurz|um|am|bald|wieder|früh|\
        nochmal|einkaufen|schlafen", "ich _"),
    ("musste", "heute|gestern|noch|leider|lange|kurz|erst|dringend|mal|arbeiten", "ich _"),
    ("will", "nicht|nur|heute|dich|dir|mich|jetzt|noch|nach hause|auch|lieber|unbedingt|mal|kein|keine|endlich", "ich _"),
    ("wollte", "nur|dich|dir|euch|ihnen|mal|noch|heute|fragen|gerade|schon|eigentlich|kurz|mich|auch", "ich _"),
    ("sollte", "klappen|gehen|passen|reichen|funktionieren", "das _"),
    ("möchte", "gern|gerne|nicht|nur|dich|dir|mich|heute|wissen|noch|bitte|mal|auch", "ich _"),
    ("mag", "dich|es nicht|keine|keinen|kein|ihn|lieber|das nicht|das auch", "ich _"),
    ("werde", "dich|dir|mich|mir|es|das|heute|morgen|mal|jetzt|dann|später|gleich|bald|wohl|versuchen|euch|ihnen|\
        nächste|alles", "ich _"),
    ("würde", "gern|gerne|lieber|sagen|auch|dich|dir|euch|mich", "ich _"),
    ("weiß|weiss", "nicht|auch|gar|noch|leider|genau|zwar|schon", "ich _"),
    ("freue|freu|melde|meld|fühle|fühl|wundere|ärgere|schäme|langweile|beeile|beeil|bedanke|interessiere|kümmere|kümmer|verspäte|bewerbe|befinde|fürchte",
     "mich", "ich _"),
    ("hoffe|hoff", "ich", ""),
    ("hoffe|hoff", "", "ich _"),
    ("wünsche|wünsch", "dir was", ""),
    ("vermisse|vermiss", "dich|euch|sie|ihn|mein|meine|meinen|das|die|den", "ich _"),
    ("liebe|lieb", "dich selbst|dich selber", ""),
    ("liebe|lieb", "dich|euch", "ich _"),
    ("hole|hol|rufe|ruf|treffe", "dich|euch", "ich _"),
    ("brauche", "", "ich _"),
    ("brauch", "dich|deine|mehr|noch|mal|eine|einen|ein|kein|keine|dringend|hilfe|urlaub|kaffee", "ich _"),
    ("gebe|geb", "dir|euch|ihnen|mein|mir mühe|zu", "ich _"),
    ("nehme", "gleich|den|die|einen|eine|ein|heute|gern|gerne|lieber|an", "ich _"),
    ("esse|lese|sehe|seh|helfe|vergesse|verspreche|spreche", "gerade|heute|jetzt|kein|keine|keinen|gern|gerne|viel|\
        dich|dir|euch|schon|nur|leider|immer", "ich _"),
    ("kenne", "ich", ""),
    ("kenne", "", "ich _"),
    ("verstehe|versteh", "nicht|das|nichts|kein|nur|leider|schon|dich", "ich _"),
    ("war", "gestern beim|gestern bei|gestern in|gestern im|gestern auf|gestern mit|gestern einkaufen|beim|\
        heute beim|heute in|heute im|heute bei|heute einkaufen|einkaufen|spazieren|krank|leider krank|\
        den ganzen tag|noch nie|gerade beim|gerade im|gerade einkaufen|schon im bett|letzte woche", "ich _"),
    ("war", "schön|toll|super|nett|lustig|gut|klasse|lecker|echt|wirklich|sehr|richtig|mega|so", "es _"),
    ("wäre", "schön|toll|nett|super|gut|cool|besser|prima|lieb|klasse", "das _"),
    ("geht", "leider|nicht .|klar|schon|in ordnung|auch|heute|morgen|nur|erst", "das _"),
    ("geht", "mir gut|mir schlecht|mir besser|mir auch|mir genauso|mir nicht|mir prima|mir ganz", "es _"),
    ("kommt", "drauf|darauf", "es _"),
    ("kommt", "nicht in frage|mir bekannt", "das _"),
    ("hat", "mir gut|mir sehr|mir nicht|mir spaß|mir geholfen|mir super|mich gefreut|mich sehr|super|gut|leider|\
        geklappt|spaß|sich gelohnt|sich erledigt|funktioniert|geschmeckt|alles geklappt|prima|wunderbar|\
        nicht geklappt|nicht funktioniert", "das _"),
    ("wird", "gemacht|erledigt|schon|bestimmt|schwierig|knapp|langsam|sicher", "das _"),
    ("gefällt|schmeckt|passt|reicht", "mir|uns|gut|super|schon|nicht|sehr", "das _"),
    ("hast", "recht", "du _"),
    ("kannst", "ruhig|gern|gerne", "du _"),
    ("musst|brauchst", "nicht|keine|dich nicht", "du _"),
    ("siehst", "gut|toll|müde|super", "du _"),
];

/// What a statement begins with that with an exclamation mark may be a command.
#[rustfmt::skip]
const COMMANDS: &[Row] = &[
    ("komme", "gleich|später|etwas|erst|leider|gerade|bald|um|aus|ein bisschen|ein paar|nachher|vielleicht|\
        wahrscheinlich|zu spät|heute später|heute nicht", "ich _"),
    ("gehe", "heute|gleich|morgen|erst|noch|schlafen|duschen|einkaufen|nachher|bald|später|jetzt schlafen|jetzt ins|\
        jetzt nach|jetzt duschen|jetzt los", "ich _"),
    ("fahre", "gleich|heute|morgen|erst|nachher|bald|später|gerade|übers|nächste|jetzt los", "ich _"),
    ("stehe|sitze|liege", "im|in|am|an|vor|beim|bei|gerade|noch|schon|hier", "ich _"),
    ("warte|bleibe|schlafe|lerne|koche|arbeite|schaue|gucke|mache|höre|schreibe|räume|packe|trinke|backe|spiele",
     "gerade|heute|noch|schon|seit|morgen|lieber", "ich _"),
    ("arbeite", "als|bei|von zu|von zuhause|im|den", "ich _"),
    ("wohne", "in|bei|auf|hier|seit|allein|noch|jetzt|mit|im", "ich _"),
    ("frage", "mich ob|mich wie|mich warum|mich nur", "ich _"),
    ("glaube|glaub", "schon|nicht dass|nicht .|das|kaum|auch|eher|dass|du|wir|er|ja|die|der", "ich _"),
    ("denke|denk", "schon|auch|du|wir|er|es|dass|das ist|das wird|das geht|ja|eher|nicht .|nicht dass", "ich _"),
    ("finde|find", "es schade|es gut|es toll|es schön|es super|es blöd|es nicht|das gut|das super|das toll|\
        das schön|das schade|das nicht|das auch|das blöd|auch|leider|meinen|mein|meine|keine|keinen|kein|nicht gut|\
        nicht so|es auch", "ich _"),
    ("wünsche|wünsch", "dir|euch|ihnen|allen", "ich _"),
    ("schicke|schick|sende|bringe|bring", "dir|euch|ihnen", "ich _"),
    ("sage|schreibe|zeige|erkläre|leihe", "dir|euch", "ich _"),
    ("suche|verkaufe", "einen|eine|ein|meinen|meine|mein|jemanden|noch|dringend|gerade", "ich _"),
];

/// What a question begins with, also without its mark.
#[rustfmt::skip]
const ASKED: &[Row] = &[
    ("kommst|willst|gehst|magst|möchtest|wolltest", "heute|morgen|mit|auch|noch|mal|jetzt|später|nachher|was|etwas|\
        ins|zu|zur|zum", "_ du"),
    ("hast", "zeit|lust|kurz|schon|heute|morgen|bock|hunger|noch", "_ du"),
    ("bist", "noch|schon|zu hause|zuhause|da|heute|morgen|wach|fertig|gut angekommen", "_ du"),
    ("kannst", "mir|mich|mal|bitte|kurz|heute", "_ du"),
];

/// Verbs whose subject is *du*.
const OF_YOU: &str = "kommst|hast|bist|willst|kannst|gehst|magst|weißt|weisst|siehst|brauchst|machst|musst|darfst|sollst|hattest|\
     wirst|fährst|hörst|glaubst|denkst|meinst|arbeitest|wohnst|schläfst|trinkst|spielst|lernst|kennst|findest|\
     liebst|bleibst|nimmst|möchtest|wolltest|könntest|würdest|hättest|wärst";

/// What a question with its mark begins with.
#[rustfmt::skip]
const QUESTIONS: &[Row] = &[
    (OF_YOU, "du|dus|man|er|ihr|nicht du|nur du|wann|sie", ""),
    (OF_YOU, "", "_ du"),
    ("Zeit|Lust|Bock|Hunger|Durst|Interesse", "für|auf|zu|heute|morgen|am|um|an|mit", "hast du _"),
    ("schon|noch", "fertig|da|wach|zu hause|zuhause|unterwegs|im bett|gesund|fit|müde|krank", "bist du _"),
    ("schon|noch", "gegessen|gehört|gesehen|gelesen|bestellt|gebucht|eingekauft|hunger|zeit|lust", "hast du _"),
    ("gut", "geschlafen", "hast du _"),
    ("gut", "angekommen|nach hause gekommen|heimgekommen", "bist du _"),
];

/// The row of a sentence without its subject.
pub fn find(sentence: &Sentence, end: End) -> Option<Found> {
    let asked =
        || row(ASKED, sentence, plain).filter(|_| !sentence.words.iter().any(|word| word == "du"));
    let statement = || row(STATEMENTS, sentence, plain);
    let found = match end {
        End::Asked => asked().or_else(|| row(QUESTIONS, sentence, plain)),
        End::Open => (asked().map(Found::with_mark))
            .or_else(statement)
            .or_else(|| row(COMMANDS, sentence, plain)),
        End::Stopped => statement().or_else(|| row(COMMANDS, sentence, plain)),
        End::Exclaimed => statement(),
    };
    // "Brauche ich nicht" has it behind the verb.
    found.filter(|found| !(found.read.starts_with("ich") && sentence.word(1) == "ich"))
}

/// A word without its apostrophe: "hab'".
fn plain(word: &str) -> String {
    word.replace('\'', "")
}
