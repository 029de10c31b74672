//! Names that machines read: of files, functions and options, versions, order numbers and the like.

/// Endings of the names of files. Sorted.
const ENDINGS: [&str; 73] = [
    "7z", "apk", "avi", "bak", "bat", "bmp", "cfg", "conf", "cpp", "css", "csv", "db", "dll",
    "doc", "docx", "env", "epub", "exe", "flac", "gif", "gz", "htm", "html", "ico", "ini", "ipynb",
    "iso", "jar", "java", "jpeg", "jpg", "js", "json", "log", "md", "mjs", "mkv", "mov", "mp3",
    "mp4", "msi", "odp", "ods", "odt", "ogg", "pdf", "php", "png", "ppt", "pptx", "ps1", "py",
    "rar", "rs", "rtf", "sh", "sql", "svg", "tar", "tex", "tiff", "toml", "ts", "txt", "wav",
    "webm", "webp", "xls", "xlsx", "xml", "yaml", "yml", "zip",
];
/// Names of files that are hidden. Sorted.
const HIDDEN: [&str; 12] = [
    "bashrc",
    "config",
    "dockerignore",
    "editorconfig",
    "env",
    "git",
    "gitignore",
    "htaccess",
    "npmrc",
    "profile",
    "ssh",
    "zshrc",
];
/// Keys that are held while another is pressed. Sorted.
const MODIFIERS: [&str; 10] = [
    "alt", "altgr", "cmd", "command", "control", "ctrl", "maj", "option", "shift", "strg",
];
/// Fewest letters and digits of a code, and the digits among them, with few letters.
const LONG_CODE: (usize, usize) = (6, 2);
/// Most of these letters: `COVID-19` is a word.
const FEW_LETTERS: usize = 4;
/// The same with any number of letters.
const SHORT_CODE: (usize, usize) = (4, 3);

/// Whether all of a text without white space is such a name.
pub fn is_name(text: &str) -> bool {
    text.is_ascii()
        && (is_identifier(text)
            || is_path(text)
            || is_option(text)
            || is_file(text)
            || is_version(text)
            || is_key_combination(text)
            || is_duration(text)
            || is_code(text))
}

fn is_alphanumeric(c: &u8) -> bool {
    c.is_ascii_alphanumeric()
}

/// `user_name`, `get_name()`, `a\b`; not `Leser_innen`.
fn is_identifier(text: &str) -> bool {
    let joined = |mark: char| {
        let mut parts = text.split(mark);
        let before = parts.next().unwrap_or_default();
        let after = parts.next().unwrap_or_default();
        before
            .bytes()
            .next_back()
            .is_some_and(|c| is_alphanumeric(&c) || c == b':')
            && after.bytes().next().is_some_and(|c| is_alphanumeric(&c))
            && !matches!(after, "in" | "innen")
    };
    let is_called = text
        .strip_suffix("()")
        .is_some_and(|name| name.ends_with(|c: char| c.is_ascii_alphanumeric()));
    joined('_') || joined('\\') || is_called
}

/// `/usr/bin`, `./run`, `~/notes`, `$HOME`, `.env`.
fn is_path(text: &str) -> bool {
    let starts_word = |text: &str| text.bytes().next().is_some_and(|c| is_alphanumeric(&c));
    let relative = ["./", "../", "~/"]
        .iter()
        .find_map(|start| text.strip_prefix(start));
    let absolute = text.strip_prefix('/').filter(|rest| rest.contains('/'));
    let is_variable = text.strip_prefix('$').is_some_and(|name| {
        name.len() > 1 && name.bytes().all(|c| c.is_ascii_uppercase() || c == b'_')
    });
    let hidden = text.strip_prefix('.');
    let is_hidden = hidden.is_some_and(|name| HIDDEN.binary_search(&name).is_ok());
    relative.or(absolute).is_some_and(starts_word) || is_variable || is_hidden
}

/// `--dry-run`
fn is_option(text: &str) -> bool {
    let name = text.strip_prefix("--").unwrap_or_default();
    let is_part = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(is_part)
}

/// `report.pdf`, `src/main.rs`
fn is_file(text: &str) -> bool {
    let Some((stem, ending)) = text.rsplit_once('.') else {
        return false;
    };
    let is_part = |c: u8| is_alphanumeric(&c) || b"._-/()+@".contains(&c);
    stem.bytes().any(|c| is_alphanumeric(&c))
        && stem.bytes().all(is_part)
        && ENDINGS
            .binary_search(&&*ending.to_ascii_lowercase())
            .is_ok()
}

/// `v1.2`, `2.0.1`, `192.168.0.1`, `B2.14`
fn is_version(text: &str) -> bool {
    let number = text.strip_prefix(|c: char| c.is_ascii_alphabetic());
    // One number fewer behind a letter: `3.2` is an amount.
    let whole = if number.is_some() { 1 } else { 2 };
    let parts: Vec<&str> = number.unwrap_or(text).split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    let last = parts
        .get(whole)
        .is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let is_part = |c: u8| is_alphanumeric(&c) || b".-+".contains(&c);
    last && parts.iter().take(whole).all(is_number) && text.bytes().all(is_part)
}

/// `1:30:00`, `00:00:04,500` of a subtitle
fn is_duration(text: &str) -> bool {
    let (whole, parts) = match text.split_once([',', '.']) {
        Some((whole, parts)) => (whole, Some(parts)),
        None => (text, None),
    };
    let is_number = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&part.len()) && part.bytes().all(|c| c.is_ascii_digit())
    };
    let mut numbers = whole.split(':');
    let is_first = numbers.next().is_some_and(|hours| is_number(hours, 1..=3));
    is_first
        && numbers.clone().count() == 2
        && numbers.all(|number| is_number(number, 2..=2))
        && parts.is_none_or(|parts| is_number(parts, 1..=6))
}

/// `Ctrl+C`, `Strg+Alt+Entf`
fn is_key_combination(text: &str) -> bool {
    let mut keys = text.split('+');
    let is_held = keys
        .next()
        .is_some_and(|key| MODIFIERS.binary_search(&&*key.to_ascii_lowercase()).is_ok());
    let is_key = |key: &str| !key.is_empty() && key.bytes().all(|c| is_alphanumeric(&c));
    is_held && text.contains('+') && keys.all(is_key)
}

/// `LH1234`, `AB-12345-X`: capitals and digits.
fn is_code(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_uppercase).count();
    let hyphens = text.bytes().filter(|c| *c == b'-').count();
    let reaches = |(all, numeric)| letters + digits >= all && digits >= numeric;
    let is_long_enough = reaches(SHORT_CODE) || letters <= FEW_LETTERS && reaches(LONG_CODE);
    // `250GB` is an amount.
    let is_amount = text
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .bytes()
        .all(|c| c.is_ascii_uppercase());
    letters > 0
        && is_long_enough
        && letters + digits + hyphens == text.len()
        && is_alphanumeric(&text.as_bytes()[text.len() - 1])
        && is_alphanumeric(&text.as_bytes()[0])
        && !is_amount
}
