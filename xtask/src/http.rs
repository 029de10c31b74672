//! A static file server on the standard library alone: GET and HEAD, keep-alive, one byte range, revalidation.

use crate::site::{Site, media_type};
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, UNIX_EPOCH};

/// Longest request line or header that is read.
const MAX_LINE: u64 = 8192;
/// Sent with every answer. The first two isolate the page (finer clocks for benchmarks, shared memory);
/// the page works without them.
const HEADERS: &str = "Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Embedder-Policy: require-corp\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    X-Content-Type-Options: nosniff\r\n";

/// Answers requests for `site` for ever, each connection on a thread of its own.
pub fn serve(listener: &TcpListener, site: &Site) -> ! {
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                let site = site.clone();
                // A connection that breaks concerns its browser only.
                std::thread::spawn(move || connection(stream, &site).ok());
            }
            // Out of file handles, for example: let the open connections end first.
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Listens at `address`; where its port is taken, says so and tries the following ones.
///
/// # Errors
/// Where the address is not ours to listen on, or twenty ports in a row are taken.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let mut at = address;
    loop {
        match TcpListener::bind(at) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                let next = at
                    .port()
                    .checked_add(1)
                    .filter(|port| port - address.port() < 20);
                let Some(next) = next else { return Err(error) };
                eprintln!("port {} is taken, trying {next}", at.port());
                at.set_port(next);
            }
            other => return other,
        }
    }
}

/// What a request asks for.
struct Request {
    method: String,
    target: String,
    /// First and last byte of `Range: bytes=first-last`; either may be left out.
    range: Option<(Option<u64>, Option<u64>)>,
    /// The versions of `If-None-Match` that the browser has already.
    known: Option<String>,
    close: bool,
}

/// Answers the requests of one connection until either side closes it.
fn connection(stream: TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    stream.set_nodelay(true)?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = read_request(&mut reader)? {
        answer(&request, site, &mut writer)?;
        writer.flush()?;
        if request.close {
            break;
        }
    }
    Ok(())
}

/// Reads one request's head; none where the other side has closed the connection.
fn read_request(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.by_ref().take(MAX_LINE).read_line(&mut line)? == 0 {
        return Ok(None);
    }
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
        close: false,
    };
    loop {
        let mut header = String::new();
        reader.by_ref().take(MAX_LINE).read_line(&mut header)?;
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
        request.close |= header == "connection: close";
    }
}

/// Writes the answer to one request.
fn answer(request: &Request, site: &Site, writer: &mut impl Write) -> io::Result<()> {
    if request.method != "GET" && request.method != "HEAD" {
        return plain(writer, "405 Method Not Allowed", "");
    }
    let Some(path) = site.resolve(&request.target) else {
        return plain(writer, "404 Not Found", "");
    };
    let mut file = File::open(&path)?;
    let metadata = file.metadata()?;
    let (len, version) = (metadata.len(), version(&metadata));
    let cache = format!("Cache-Control: {}\r\nETag: {version}\r\n", site.cache());
    let is_known = |known: &String| known.contains(&version);
    if request.known.as_ref().is_some_and(is_known) {
        return write!(writer, "HTTP/1.1 304 Not Modified\r\n{HEADERS}{cache}\r\n");
    }
    let kind = media_type(&path);
    let (start, count) = match request.range.map(|range| span(range, len)) {
        None => {
            write!(writer, "HTTP/1.1 200 OK\r\n")?;
            (0, len)
        }
        Some(Some((start, count))) => {
            write!(
                writer,
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {start}-{}/{len}\r\n",
                start + count - 1
            )?;
            (start, count)
        }
        Some(None) => {
            return plain(
                writer,
                "416 Range Not Satisfiable",
                &format!("Content-Range: bytes */{len}\r\n"),
            );
        }
    };
    write!(
        writer,
        "{HEADERS}{cache}Accept-Ranges: bytes\r\nContent-Type: {kind}\r\nContent-Length: {count}\r\n\r\n"
    )?;
    if request.method == "GET" {
        file.seek(SeekFrom::Start(start))?;
        io::copy(&mut file.take(count), writer)?;
    }
    Ok(())
}

/// The mark of a file's version: another one once it was written again.
fn version(metadata: &Metadata) -> String {
    let written = metadata.modified().ok();
    let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = written.unwrap_or_default().as_nanos();
    format!("\"{:x}-{nanoseconds:x}\"", metadata.len())
}

/// First byte and number of bytes that a range means in a file of `len` bytes; none where it has none of them.
fn span(range: (Option<u64>, Option<u64>), len: u64) -> Option<(u64, u64)> {
    let (start, end) = match range {
        (Some(first), last) => (
            first,
            last.map_or(len, |last| last.saturating_add(1).min(len)),
        ),
        (None, Some(suffix)) => (len.saturating_sub(suffix), len),
        (None, None) => (0, len),
    };
    (start < end).then(|| (start, end - start))
}

/// An answer without a file.
fn plain(writer: &mut impl Write, status: &str, headers: &str) -> io::Result<()> {
    write!(
        writer,
        "HTTP/1.1 {status}\r\n{HEADERS}{headers}Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{status}",
        status.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends `request` to a server of a folder with one file of ten digits; gives the whole answer.
    fn ask(request: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("digits.wasm"), "0123456789").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let site = Site::of_folder("/", dir.path().to_path_buf());
        std::thread::spawn(move || serve(&listener, &site));
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "{request}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn a_file_comes_whole_with_its_type_and_isolation() {
        let answer = ask("GET /digits.wasm HTTP/1.1");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        for header in [
            "Content-Type: application/wasm",
            "Content-Length: 10",
            "Cross-Origin-Embedder-Policy: require-corp",
        ] {
            assert!(answer.contains(header), "{header} missing in {answer}");
        }
        assert!(answer.ends_with("\r\n\r\n0123456789"));
    }

    #[test]
    fn a_range_gives_just_those_bytes() {
        assert!(ask("GET /digits.wasm HTTP/1.1\r\nRange: bytes=2-4").ends_with("\r\n\r\n234"));
        assert!(ask("GET /digits.wasm HTTP/1.1\r\nRange: bytes=-3").ends_with("\r\n\r\n789"));
        let tail = ask("GET /digits.wasm HTTP/1.1\r\nRange: bytes=8-99");
        assert!(
            tail.contains("Content-Range: bytes 8-9/10") && tail.ends_with("\r\n\r\n89"),
            "{tail}"
        );
        assert!(ask("GET /digits.wasm HTTP/1.1\r\nRange: bytes=10-").starts_with("HTTP/1.1 416 "));
    }

    #[test]
    fn what_the_browser_has_already_is_not_sent_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("digits.txt");
        std::fs::write(&path, "0123456789").unwrap();
        let request = Request {
            method: "GET".into(),
            target: "/digits.txt".into(),
            range: None,
            known: Some(format!(
                "\"other\", W/{}",
                version(&path.metadata().unwrap())
            )),
            close: false,
        };
        let site = Site::of_folder("/", dir.path().to_path_buf());
        let answered = || {
            let mut answered = Vec::new();
            answer(&request, &site, &mut answered).unwrap();
            String::from_utf8(answered).unwrap()
        };
        let unchanged = answered();
        assert!(unchanged.starts_with("HTTP/1.1 304 ") && unchanged.ends_with("\r\n\r\n"));
        std::fs::write(&path, "9876543210, and more").unwrap();
        let changed = answered();
        assert!(changed.starts_with("HTTP/1.1 200 ") && changed.ends_with("more"));
    }

    #[test]
    fn a_head_request_sends_no_body_and_a_post_is_refused() {
        let head = ask("HEAD /digits.wasm HTTP/1.1");
        assert!(
            head.contains("Content-Length: 10") && head.ends_with("\r\n\r\n"),
            "{head}"
        );
        assert!(ask("POST /digits.wasm HTTP/1.1").starts_with("HTTP/1.1 405 "));
        assert!(ask("GET /nothing HTTP/1.1").starts_with("HTTP/1.1 404 "));
    }

    #[test]
    fn a_taken_port_leads_to_the_next_free_one() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let next = listen(taken.local_addr().unwrap()).unwrap();
        assert!(next.local_addr().unwrap().port() > taken.local_addr().unwrap().port());
    }
}
