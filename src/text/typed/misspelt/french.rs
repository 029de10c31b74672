//! French words as they are often misspelt, or written in chats.

/// Sorted, for a binary search; `*` stands for any ending.
#[rustfmt::skip]
pub const MISSPELT: &[(&str, &str)] = &[
    ("addresse*", "adresse"), ("apelle*", "appelle"), ("apparament", "apparemment"), ("aprem", "après-midi"),
    ("aujourdhui", "aujourd'hui"), ("aujourdui", "aujourd'hui"), ("beaucoups", "beaucoup"), ("biensur", "bien sûr"),
    ("biensûr", "bien sûr"), ("bocoup", "beaucoup"), ("boucoup", "beaucoup"), ("cest", "c'est"), ("cetait", "c'était"),
    ("cmt", "comment"), ("cétait", "c'était"), ("dabord", "d'abord"), ("daccord", "d'accord"),
    ("dailleurs", "d'ailleurs"), ("diffcile", "difficile"), ("dificile", "difficile"), ("dimance", "dimanche"),
    ("enfait", "en fait"), ("enfaite", "en fait"), ("evidament", "évidemment"), ("evidement", "évidemment"),
    ("exellent*", "excellent"), ("interessent*", "intéressant"), ("interressant*", "intéressant"),
    ("jadore", "j'adore"), ("jai", "j'ai"), ("jaime", "j'aime"), ("jarrive", "j'arrive"), ("jatend", "j'attends"),
    ("jattends", "j'attends"), ("jaurais", "j'aurais"), ("javais", "j'avais"), ("jcomprends", "je comprends"),
    ("jcrois", "je crois"), ("jdois", "je dois"), ("jespere", "j'espère"), ("jespère", "j'espère"),
    ("jetais", "j'étais"), ("jfais", "je fais"), ("jhabite", "j'habite"), ("jme", "je me"), ("jpense", "je pense"),
    ("jpeux", "je peux"), ("jsais", "je sais"), ("jsuis", "je suis"), ("jte", "je te"), ("jusqua", "jusqu'à"),
    ("jusquà", "jusqu'à"), ("jvais", "je vais"), ("jveux", "je veux"), ("jétais", "j'étais"), ("kan", "quand"),
    ("kand", "quand"), ("kesk", "qu'est-ce que"), ("keske", "qu'est-ce que"), ("kesque", "qu'est-ce que"),
    ("ki", "qui"), ("koi", "quoi"), ("magazin", "magasin"), ("maintenan", "maintenant"), ("maintenent", "maintenant"),
    ("malgrès", "malgré"), ("mercie", "merci"), ("merçi", "merci"), ("nai", "n'ai"), ("notament", "notamment"),
    ("parceke", "parce que"), ("parceque", "parce que"), ("parmis", "parmi"), ("parske", "parce que"),
    ("paske", "parce que"), ("pourkoi", "pourquoi"), ("pourqoi", "pourquoi"), ("pq", "pourquoi"),
    ("proffesseur*", "professeur"), ("prq", "pourquoi"), ("qesque", "qu'est-ce que"), ("quelquun", "quelqu'un"),
    ("quesque", "qu'est-ce que"), ("quil", "qu'il"), ("quils", "qu'ils"), ("quon", "qu'on"), ("recament", "récemment"),
    ("rendevous", "rendez-vous"), ("samdi", "samedi"), ("sil", "s'il"), ("toujour", "toujours"),
    ("vraiement", "vraiment"), ("évidament", "évidemment"),
];
