//! The head of a request, as far as the server needs it.

use std::io::{self, BufRead, Read};

/// Longest request line or header that is read, and most headers.
pub const MAX_LINE: u64 = 8192;
pub const MAX_HEADERS: usize = 100;
/// What a request asks for.
pub struct Request {
    pub method: String,
    pub target: String,
    /// First and last byte of `Range: bytes=first-last`; either may be left out.
    pub range: Option<(Option<u64>, Option<u64>)>,
    /// `If-None-Match`: the versions in the browser's cache.
    pub known: Option<String>,
    /// The name by which the browser knows this server.
    pub host: Option<String>,
    pub has_body: bool,
    pub close: bool,
}

impl Request {
    pub fn wants_body(&self) -> bool {
        self.method != "HEAD"
    }
}

/// Reads a line of a request's head; none at the end. The rest of a longer one would pass for headers of its own, such as
/// a `Host` that the browser did not send.
fn read_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let read = reader.by_ref().take(MAX_LINE).read_line(&mut line)?;
    match line.ends_with('\n') {
        true => Ok(Some(line)),
        false if read == 0 => Ok(None),
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Reads one request's head; none where the other side has closed the connection.
///
/// # Errors
/// Where the head does not end, or has a line too long, too many headers or two hosts: then nothing is answered.
pub fn read_request(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let Some(line) = read_line(reader)? else {
        return Ok(None);
    };
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let mut request = Request {
        method,
        target,
        range: None,
        known: None,
        host: None,
        has_body: false,
        close: false,
    };
    for _ in 0..MAX_HEADERS {
        let header = read_line(reader)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let header = header.trim().to_ascii_lowercase();
        if header.is_empty() {
            return Ok(Some(request));
        }
        if let Some(range) = header.strip_prefix("range: bytes=") {
            request.range = range
                .split_once('-')
                .map(|(first, last)| (first.parse().ok(), last.parse().ok()));
        }
        if let Some(known) = header.strip_prefix("if-none-match:") {
            request.known = Some(known.to_owned());
        }
        if let Some(host) = header.strip_prefix("host:") {
            let before = request.host.replace(host.trim().to_owned());
            if before.is_some() {
                break;
            }
        }
        let body = header.strip_prefix("content-length:");
        request.has_body |= body.is_some_and(|length| length.trim() != "0");
        request.has_body |= header.starts_with("transfer-encoding:");
        request.close |= header == "connection: close";
    }
    Err(io::ErrorKind::InvalidData.into())
}
