//! English: "Hope you are well", "Running late", "Can't wait", "You there?".

use super::{End, Found, Row, row};
use crate::text::typed::sentence::Sentence;

/// What a statement begins with.
#[rustfmt::skip]
const STATEMENTS: &[Row] = &[
    ("hope", "you|youre|youve|youll|youd|u|this|that|thats|it|its|all|everything|everyone|to|we|we're|they|theyre|i|im|so|\
        not|your|he|hes|she|shes|there|theres", "I _"),
    ("call|text|email|message", "you|u", "I'll _"),
    ("wish", "you|u|i|we|it|they|he|she|there|that|my|id|youd", "I _"),
    ("thought", "you|youd|u|i|id|it|we|wed|that|he|hed|she|shed|this|they|so|maybe|of you|about you", "I _"),
    ("guess", "you|youre|youll|i|im|ill|we|we're|well|so|not|its|thats|he|hes|she|shes|they|theyre", "I _"),
    ("think", "so .|so too|ill|im|i|id|its|hes|shes|theyre|youre|we're|not .", "I _"),
    ("suppose", "so .|not .", "I _"),
    ("don't", "know|think so|think ill|think its|care|want|need|have time|have any|have to|have the|have much|\
        have enough|feel like|feel well|feel good|feel so|remember|understand|see why|see how|get it .|get why|\
        get how|like it|like this|like that|like the|like to|mind .|really know|really want|really care|really like|\
        really have|even know|even want|even have|even like", "I _"),
    ("didn't", "work|help|happen|matter|hurt|rain|fit|arrive|take long", "it _"),
    ("didn't", "know|see|hear|mean|want|think|get|sleep|have|realize|realise|expect|understand|like|notice|say|do|\
        go|eat|find|make|feel|remember|catch|even|really|recognize|recognise|tell|enjoy|finish|manage|use|read|buy|\
        receive", "I _"),
    ("can't|couldn't", "hurt|be true|be worse|be better|be right|be that|be easier", "it _"),
    ("can't|couldn't", "wait|talk|sleep|make|come|believe|find my|find it|find the time|see you|see it|see anything|\
        see why|see how|see the|hear|stop|decide|remember|do|get enough|get it|get out|get up|get over|get my|go|\
        help|stand|complain|say|tell|think|imagine|even|really|seem|log|figure|afford|promise|breathe|move|eat|read|\
        speak|stay|meet|call|answer|write|understand|agree more|be there|thank|recommend|explain|concentrate|focus|\
        walk|today|tonight|tomorrow|right now|now .|care less|resist|sit", "I _"),
    ("won't", "take long|take much|work|help|happen|hurt|be easy|be cheap|fit|start|open|load|matter", "it _"),
    ("won't", "be long|be late|be able|be there|be home|be back|be in|be coming|make|come|have time|get|go|do|take|\
        forget|let|tell|need|bother|buy|order", "I _"),
    ("will", "call|be there|be back|be home|be late|be right|send|let you|see you|try|check|come|text|write to|\
        write you|get back|ask|think about|look into|bring|pick|keep|miss you|definitely|do my|do it|do that|tell|\
        pay", "I _"),
    ("miss", "you|u|it|him|her|my|those|being", "I _"),
    ("love", "you|u|it|this|that|these|those|how|being|hearing|my|spending|when|the new|the idea|the way|the colour|\
        the color", "I _"),
    ("hate", "it|this|that|when|how|my|being|mondays|to", "I _"),
    ("loved|enjoyed|liked", "it|this|that|the|every|your|our|all|talking|having|seeing|meeting|how", "I _"),
    ("appreciate", "it|your|the|you|that|all", "I _"),
    ("made", "my day|me laugh|me cry|me smile|me think", "that _"),
    ("forgot|lost|left|bought|missed|met|saw|finished|found|took|ate|made|booked|ordered|cooked|passed|hurt|broke|spilled|dropped|watched|washed|sold|brought",
     "my|your|it|a|an|the|some|you|u|him|her|another|two|three|both|this", "I _"),
    ("got", "my|your|a|an|the|some|him|her|another|two|three|both|this", "I _"),
    ("got", "to go|to run|to get|to work|to leave|to say", "I have _"),
    ("got", "home|back|up|here|stuck|sick|lost|soaked|nothing|everything|new", "I _"),
    ("forgot", "to|about|that", "I _"),
    ("made", "it|dinner|lunch", "I _"),
    ("finished", "work|early|late|school", "I _"),
    ("sent", "you|u|it|him|her|my", "I _"),
    ("had", "a|an|to|lunch|dinner|breakfast|fun|my|some|the best|no idea|no time|such|so much|enough", "I _"),
    ("went", "to|home|for|out|back|shopping|there|with|swimming|on|into", "I _"),
    ("came", "home|back|across|to", "I _"),
    ("tried", "to|calling|it|my|your|everything|again|the", "I _"),
    ("called", "you|him|her|them|my|your", "I _"),
    ("wanted|meant", "to", "I _"),
    ("told", "you|him|her|them", "I _"),
    ("slept", "well|badly|in|late|like|all|until|on|through|for|so", "I _"),
    ("woke", "up", "I _"),
    ("stayed", "home|at home|in|up", "I _"),
    ("worked", "all|from home|late|until|too", "I _"),
    ("walked|drove", "home|to|all", "I _"),
    ("talked|spoke", "to|with", "I _"),
    ("spent", "the|all|my|too|a|two|three", "I _"),
    ("heard", "you|youre|that|about|from|the|it|a|youve", "I _"),
    ("knew", "it|you|that|i|he|she|youd", "I _"),
    ("just", "got|saw|finished|woke|arrived|heard|wanted|came|left|bought|read|found|had|met|sent|talked|spoke|\
        called|made|started|realized|realised|noticed|remembered|moved|ate|booked|thought|landed|passed|want to|\
        need to|need a|need some|love", "I _"),
    ("still", "have|need|love|want|dont|cant|miss|havent|think|remember|feel", "I _"),
    ("almost|nearly", "forgot|missed|fell|died|cried", "I _"),
    ("be", "right back|right there|right with|right over|right down|back in|back soon|back later|back tomorrow|\
        home soon|home in|home late|there in|there soon|with you", "I'll _"),
    ("been", "a while|a long|ages|so long|raining|too long|a pleasure|great|nice|fun|snowing|years", "it's _"),
    ("been", "waiting|working|trying|thinking|looking|sick|busy|there|meaning|wondering|doing|so|up|here|to|awake|\
        home|in", "I've _"),
    ("never", "been to|been there|been so|been in|been better|been happier|seen a|seen it|seen that|seen this|\
        seen anything|seen such|seen him|seen her|seen you|seen one|heard of|heard that|heard anything|had a|\
        had any|had such|had one|had the|done that|done it|done this|done anything|felt so|felt better|met him|\
        met her|tried it|tried that|tried this|eaten", "I've _"),
    ("never", "thought|knew|understood|liked|said|got", "I _"),
    ("have", "been|to|no idea|no time|no clue|no money|a headache|a question|a feeling|a meeting|a cold .|never", "I _"),
    ("need", "to|a|an|help|some|your|my|more|coffee|sleep|you|it|new|advice", "I _"),
    ("gotta", "", "I have to"),
    ("gonna", "", "I'm going to"),
    ("used", "to live|to work|to love|to hate|to play|to think|to be a", "I _"),
    ("sounds", "good|great|like|fun|perfect|nice|interesting|amazing|delicious|awesome|lovely|fine|reasonable|cool|\
        wonderful|fair|terrible|awful|familiar|right|complicated|a bit|very|really|so", "that _"),
    ("looks", "good|great|like|nice|amazing|fine|beautiful|delicious|awesome|perfect|lovely|cool|ok|okay|really|\
        very|so|fantastic|tasty|interesting|familiar|bad", "it _"),
    ("seems", "like|to|fine|ok|okay|good|that|a bit|so|legit|reasonable|unlikely|fair|strange|weird|nice|i|we|you|\
        its", "it _"),
    ("smells|tastes", "good|great|like|delicious|amazing|bad|awful|nice|really|so|terrible|strange", "it _"),
    ("feels", "good|great|like|weird|so|strange|nice|wrong|right|better|amazing", "it _"),
    ("makes", "sense|no sense|perfect sense|total sense|me", "that _"),
    ("works", "for me|fine|great|now|well|perfectly|like|again", "it _"),
    ("depends", "on|.", "it _"),
    ("turns", "out", "it _"),
    ("takes", "time|a while|too|ages|forever|a lot|some", "it _"),
    ("costs", "too|a lot", "it _"),
    ("hurts", "a lot|so|like|when|to|really", "it _"),
    ("serves", "you|him|her|them", "it _"),
    ("rained|snowed", "", "it _"),
    ("doesn't", "matter|work|make|look|sound|seem|help|mean|fit|taste|feel|open|start|load|hurt", "it _"),
    ("wasn't", "me|that|so|bad|easy|a|my|the|too|really|very|worth", "it _"),
    ("wasn't", "sure|expecting|feeling|able|there|at home|in the mood|paying", "I _"),
    ("was", "wondering|thinking|going to|about to|hoping|looking|just wondering|just thinking|just about|just going|\
        just trying|just kidding|asleep|busy|supposed to|sick", "I _"),
    ("was", "a|an|great|nice|fun|good|so|really|very|lovely|wonderful|awesome|amazing|terrible|delicious|worth|\
        the best|my|too|not", "it _"),
    ("would", "love|like to|rather|appreciate|recommend|buy|be happy|never|definitely|highly|not recommend|not buy|\
        order", "I _"),
    ("would", "be nice|be great|be good|be fun|be lovely|be cool|be helpful|be better", "it _"),
    ("should", "be there|be home|be back|be finished|be able", "I _"),
    ("should", "be fine|be ok|be okay|be good|be easy|be enough|be possible", "it _"),
    ("might", "be late|be there|be able|go|come|see|buy|need", "I _"),
    ("might", "rain|snow|work|help|take", "it _"),
    ("must", "admit|say|go now|leave", "I _"),
    ("could", "use|eat|sleep", "I _"),
    ("could", "be|have been", "it _"),
    ("want", "it|you|that|my", "I _"),
];

/// Adjectives that a statement begins with: "Glad you are here".
#[rustfmt::skip]
const ADJECTIVES: &[Row] = &[
    ("glad", "to|you|youre|that|it|its|we|i|im|hes|shes|theyre|everything", "I'm _"),
    ("happy", "to|for|that|with|you", "I'm _"),
    ("excited", "to|for|about|that", "I'm _"),
    ("proud", "of you|of him|of her|of my|of us|of them|to", "I'm _"),
    ("sad", "that|to hear|to see|you", "I'm _"),
    ("afraid", "so .|not .|i|you|that|we", "I'm _"),
    ("surprised", "that|to|you|at|how", "I'm _"),
    ("curious", "about|to|if|what|how", "I'm _"),
    ("grateful", "for|to|that", "I'm _"),
    ("tired|sick", "of", "I'm _"),
    ("not", "sure|certain|feeling|going|coming|interested|hungry|tired|really sure|a fan|surprised|able|happy|\
        in the mood|convinced|allowed|working today|working tomorrow|doing|looking forward", "I'm _"),
    ("so", "tired|happy|sorry|excited|proud|glad|bored|hungry|sad|sick|ready|grateful|nervous|jealous|full|\
        embarrassed|stressed|thirsty|lucky|sleepy", "I'm _"),
    ("too", "tired|busy|lazy|sick", "I'm _"),
];

/// What a statement begins with that has no other subject: "Stuck in traffic".
#[rustfmt::skip]
const FRAGMENTS: &[Row] = &[
    ("just", "wondering|checking|leaving|thinking|about to|finishing|waiting|sitting|looking|trying|calling|asking|\
        kidding|going to", "I'm _"),
    ("still", "waiting|working|alive|sick|tired|not sure|looking|thinking|sleeping|awake|trying|at work|at home|\
        in bed|here|hungry", "I'm _"),
    ("ready", "to go|when you|for bed|to leave|to start", "I'm _"),
    ("sick", "today|in bed|at home|again", "I'm _"),
    ("busy", "today|tomorrow|at|with|right|this|until|all|now|tonight", "I'm _"),
    ("almost|nearly", "done|there|home|ready|finished|asleep", "I'm _"),
    ("on", "my way", "I'm _"),
    ("in", "a meeting", "I'm _"),
    ("off", "to bed|to work|to the|to school|to see|to sleep", "I'm _"),
    ("out", "of town", "I'm _"),
    ("stuck", "in|at|here|on", "I'm _"),
    ("home", "alone|sick|now|safe|again|at last", "I'm _"),
    ("late", "again|for work|for school", "I'm _"),
    ("back", "soon|in a|in ten|in five|in 10|in 5|later", "I'll be _"),
    ("back", "home|at home|at work|from", "I'm _"),
    ("running", "late|behind schedule|out of time|a bit|a little|ten|five|10|5", "I'm _"),
    ("working", "from home|late|on it|today|tomorrow|all day|all night|tonight", "I'm _"),
    ("feeling", "better|good|sick|great|tired|bad|lonely|much|a bit|a little|so|very|really|happy|sad|ok|okay|fine|\
        down|under|well|hungry|cold", "I'm _"),
    ("doing", "fine|well|good|great|ok|okay|alright|my best|my homework|nothing|the dishes|laundry", "I'm _"),
    ("waiting", "for you|for the|for my|for your|for him|for her|here|at|outside|in the|on you", "I'm _"),
    ("thinking", "of you|about you|of going|about going|about it|of buying|about buying", "I'm _"),
    ("looking", "forward to", "I'm _"),
    ("trying", "to", "I'm _"),
    ("hoping", "to|for|you|that|it", "I'm _"),
    ("heading|leaving", "home|out|now|soon|back|in|tomorrow|today|tonight|at|for|there|over|to", "I'm _"),
    ("going", "home|out|to|there|shopping|back|away|for a|on holiday|on vacation", "I'm _"),
    ("coming", "home|back|over|by|right|now .", "I'm _"),
    ("having", "a great|a good|a bad|a wonderful|a hard|a coffee|a drink|a beer|lunch|dinner|breakfast|fun|so much", "I'm _"),
    ("getting", "late|dark|cold|warm", "it's _"),
    ("getting", "ready|tired|better|married|hungry|there", "I'm _"),
    ("sitting|lying", "in|at|on|here", "I'm _"),
    ("watching|eating|cooking|making", "tv|dinner|lunch|breakfast", "I'm _"),
    ("staying", "home|at|in|up|with|here", "I'm _"),
    ("missing", "you|u|my|him|her", "I'm _"),
    ("raining|snowing|freezing", "again|outside|here|today|all|cats|heavily|now|a lot|like", "it's _"),
];

/// What a question begins with, also without its mark.
#[rustfmt::skip]
const ASKED: &[Row] = &[
    ("you|u", "there .|ok .|okay .|alright .|coming|sure .|ready .|free .|free tonight|free tomorrow|free today|\
        home .|awake .|busy .|serious .|kidding|at home .|still there|still awake|still up|still coming|still at|\
        still in|feeling|guys coming|guys ready|guys ok|going to|working today|working tomorrow", "are you"),
    ("anyone|anybody", "know|want|need|have", "does _"),
    ("wanna", "", "do you want to"),
    ("got", "a minute|a second|a sec|any|time for|plans", "do you have"),
    ("mind", "if", "do you _"),
    ("ever", "been|seen|tried|heard|had|met|eaten|read|played", "have you _"),
    ("what|where|why|how|who", "you doing|u doing|you up to|you going|you talking|you watching|you eating|\
        you thinking|you laughing|you at|you from|you leaving|you mad|you crying|you waiting|you looking|you saying", "_ are"),
];

/// What a question with its mark begins with.
#[rustfmt::skip]
const QUESTIONS: &[Row] = &[
    ("you|u", "still havent|still dont|still cant|still didnt|still wont|still arent", ""),
    ("you|u", "still have|still want|still need|still live|still love|still like", "do you"),
    ("you|u", "there|ok|okay|alright|all right|coming|going|sure|ready|free|home|awake|up|busy|done|serious|kidding|\
        joking|mad|angry|hungry|at home|at work|still|alone|tired|sick|safe|feeling|working|staying|leaving|having|\
        crazy|asleep|back|guys ok|guys okay|guys coming|guys ready|guys going|guys there|free|in", "are you"),
    ("someone|somebody", "know|want|need|have", "does _"),
    ("everything|everyone|everybody|anyone|anybody|anything|someone|somebody|something|all",
     "ok|okay|alright|all right|fine|good|there|here|home|ready|wrong|new|clear|set|awake|up|interested|coming|going", "is _"),
    ("this|that", "ok|okay|alright|true|you|all .|it .|yours|right .", "is _"),
    ("need", "to|a|an|help|some|any|anything|me|more|it|something", "do you _"),
    ("want", "to|some|a|an|me|any|anything|something|coffee|tea|it|one|more|help|company", "do you _"),
    ("gonna", "", "are you going to"),
    ("got", "it .|it yet|that|my", "did you get"),
    ("got", "a|an|some|everything|enough|time", "do you have"),
    ("have", "a minute|a second|a sec|a moment|any idea|any plans|any questions|any ideas|time|some time|plans|kids|\
        a pen", "do you _"),
    ("know", "what|where|how|if|any|anyone|when|who|the|a|why|him|her", "do you _"),
    ("remember", "me|when|the|that|this|him|her|us|what|how", "do you _"),
    ("feel", "like|better|ok|okay|good", "do you _"),
    ("think", "it|its|you|youll|so|we|well|he|hes|she|shes|i|ill|they|this|thats", "do you _"),
    ("like", "it|my", "do you _"),
    ("miss", "me|it", "do you _"),
    ("speak", "english|german|french|spanish", "do you _"),
    ("see", "what i|that|it .", "do you _"),
    ("hear", "that|me", "do you _"),
    ("sleep|slept", "well|ok|okay", "did you sleep"),
    ("ready", "to|for|yet|when", "are you _"),
    ("coming|going|staying|leaving|looking|feeling|planning|sleeping|working|having|getting|bringing|doing|trying|thinking|watching|eating",
     "", "are you _"),
    ("still", "there|here|awake|up|coming|working|in|at|interested|hungry|mad|sick|alive", "are you _"),
    ("still", "have|need|want|like|love|remember", "do you _"),
    ("seen", "this|that|it|my|the|him|her|any|anything|a", "have you _"),
    ("heard", "the|from|about|of|this|that|anything|it", "have you _"),
    ("been", "to|there|here|waiting|up|busy|in", "have you _"),
    ("done", "yet|already|with", "are you _"),
    ("done", "it|your|anything", "have you _"),
    ("tried", "it|this|that|the|turning|calling|to", "have you _"),
    ("eaten", "", "have you _"),
    ("finished", "yet|already|with|your|the|it", "have you _"),
    ("found", "it|anything|a|the|your|something", "have you _"),
    ("had", "lunch|dinner|breakfast|enough|any", "have you _"),
    ("ever", "think|wonder|feel|want", "do you _"),
    ("any", "idea|ideas|plans|luck", "do you have _"),
    ("any", "news|chance|update|progress|word|way|reason", "is there _"),
    ("hungry|thirsty|tired|busy|free|sure|bored|lost|nervous|excited", "yet|tonight|today|tomorrow|now|too|again|\
        about|this|at|for|already|or|on|later", "are you _"),
];

/// Verbs that have their subject before them: "Working from home is fine".
const VERBS: [&str; 39] = [
    "is", "are", "was", "were", "am", "has", "have", "had", "can", "will", "would", "could",
    "should", "may", "might", "must", "do", "does", "did", "isn't", "aren't", "wasn't", "it's",
    "that's", "i'm", "you're", "can't", "won't", "don't", "doesn't", "makes", "takes", "gets",
    "helps", "costs", "means", "requires", "needs", "seems",
];
/// What a clause with its own subject begins with.
const SUBJECTS: [&str; 28] = [
    "i", "i'm", "i've", "i'll", "you", "you're", "he", "he's", "she", "she's", "it", "it's", "we",
    "we're", "they", "they're", "there", "there's", "this", "that", "the", "my", "your", "his",
    "her", "our", "a", "an",
];

/// The row of a sentence without its subject.
pub fn find(sentence: &Sentence, end: End) -> Option<Found> {
    let asked = || row(ASKED, sentence, plain).filter(|found| is_left_out(sentence, found));
    let question = || {
        let is_tag = |at: usize| sentence.word(at).ends_with("n't");
        row(QUESTIONS, sentence, plain)
            .filter(|found| is_left_out(sentence, found) && !sentence.comma.is_some_and(is_tag))
    };
    match end {
        End::Asked => asked().or_else(question),
        End::Open => (asked().map(Found::with_mark)).or_else(|| statement(sentence)),
        End::Stopped | End::Exclaimed => statement(sentence),
    }
}

fn statement(sentence: &Sentence) -> Option<Found> {
    let has_subject = || {
        (sentence.words.iter()).any(|word| matches!(&**word, "i" | "he" | "she" | "they" | "we"))
    };
    row(STATEMENTS, sentence, plain)
        .or_else(|| row(ADJECTIVES, sentence, plain).filter(|_| !has_clause(sentence)))
        .or_else(|| {
            row(FRAGMENTS, sentence, plain).filter(|_| !has_clause(sentence) && !has_subject())
        })
        .filter(|found| is_left_out(sentence, found))
}

/// Whether a clause with its own subject stands behind the comma.
fn has_clause(sentence: &Sentence) -> bool {
    sentence.comma.is_some_and(|at| sentence.is(at, &SUBJECTS))
}

/// Whether a form in *-ing* is no subject itself: "Going to school is fun".
fn is_left_out(sentence: &Sentence, found: &Found) -> bool {
    let is_form =
        found.first.ends_with("ing") || sentence.word(1).ends_with("ing") && found.first == "just";
    let has_verb = || sentence.find(1..=sentence.words.len(), &VERBS).is_some();
    !is_form || !(has_verb() || has_clause(sentence))
}

/// A word without its apostrophe ("youre"), where it is no other word then.
fn plain(word: &str) -> String {
    match word {
        "we'll" | "we're" | "he'll" | "she'll" => word.to_owned(),
        word => word.replace('\'', ""),
    }
}
