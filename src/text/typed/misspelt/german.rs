//! German words as they are often misspelt.

/// Sorted, for a binary search; `*` stands for any ending.
#[rustfmt::skip]
pub const MISSPELT: &[(&str, &str)] = &[
    ("abent", "Abend"), ("addresse*", "adresse"), ("aggresiv*", "aggressiv"), ("agressiv*", "aggressiv"),
    ("anderst", "anders"), ("aufeinmal", "auf einmal"), ("aufjedenfall", "auf jeden Fall"), ("bischen", "bisschen"),
    ("bissschen", "bisschen"), ("bißchen", "bisschen"), ("daßs", "dass"), ("desweiteren", "des Weiteren"),
    ("eigendlch", "eigentlich"), ("eigendlich", "eigentlich"), ("eigenlich", "eigentlich"), ("eigntlich", "eigentlich"),
    ("endschuldigung", "Entschuldigung"), ("endtäuscht", "enttäuscht"), ("enteusch*", "enttäusch"),
    ("entgeld", "Entgelt"), ("entschuldigun", "Entschuldigung"), ("entschuldingung", "Entschuldigung"),
    ("entäusch*", "enttäusch"), ("erlich*", "ehrlich"), ("fussball*", "Fußball"), ("garkein*", "gar kein"),
    ("garnich", "gar nicht"), ("garnicht", "gar nicht"), ("garnichts", "gar nichts"), ("geburstag*", "Geburtstag"),
    ("geburtstg", "Geburtstag"), ("gehrne", "gerne"), ("gemühtlich*", "gemütlich"), ("gesternabend", "gestern Abend"),
    ("giebt", "gibt"), ("heuteabend", "heute Abend"), ("hofentlich", "hoffentlich"), ("hoffendlich", "hoffentlich"),
    ("hälst", "hältst"), ("immernoch", "immer noch"), ("interrese*", "interess"), ("intervju", "Interview"),
    ("jemant", "jemand"), ("kan", "kann"), ("komission*", "Kommission"), ("konte", "konnte"),
    ("krankenhauß", "Krankenhaus"), ("letzendlich", "letztendlich"), ("mansche*", "manche"), ("manschmal", "manchmal"),
    ("maschiene*", "Maschine"), ("nacher", "nachher"), ("nemlich", "nämlich"), ("nichtmal", "nicht mal"),
    ("nichtmehr", "nicht mehr"), ("nirgens", "nirgends"), ("nochnicht", "noch nicht"), ("nähmlich", "nämlich"),
    ("orginal*", "original"), ("problehm*", "Problem"), ("rechung*", "Rechnung"), ("reperatur*", "Reparatur"),
    ("rythmus", "Rhythmus"), ("schonmal", "schon mal"), ("seperat*", "separat"), ("sofor", "sofort"),
    ("standart*", "Standard"), ("sympatisch*", "sympathisch"), ("symphatisch*", "sympathisch"),
    ("terasse*", "Terrasse"), ("trotsdem", "trotzdem"), ("trozdem", "trotzdem"), ("tschuldigung", "Entschuldigung"),
    ("unbedinkt", "unbedingt"), ("ungefär", "ungefähr"), ("verückt*", "verrückt"), ("vieleich", "vielleicht"),
    ("vieleicht", "vielleicht"), ("viellecht", "vielleicht"), ("viellicht", "vielleicht"), ("villeicht", "vielleicht"),
    ("vorallem", "vor allem"), ("vorraus*", "voraus"), ("wahrscheinlig", "wahrscheinlich"),
    ("warscheinlich", "wahrscheinlich"), ("warscheinlig", "wahrscheinlich"), ("wesendlich*", "wesentlich"),
    ("wierd", "wird"), ("wiso", "wieso"), ("wochende", "wochenende"), ("wochenede", "wochenende"),
    ("wohung*", "Wohnung"), ("währe", "wäre"), ("wärend", "während"), ("ziehmlich", "ziemlich"),
    ("zimlich", "ziemlich"), ("zumindestens", "zumindest"),
];
