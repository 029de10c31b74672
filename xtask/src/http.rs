//! A static file server on the standard library alone: GET and HEAD, keep-alive, one byte range, revalidation.

mod request;

use crate::site::{Content, Site, media_type};
use request::{Request, read_request};
use sha2::{Digest, Sha256};
use std::fs::{File, Metadata};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// Sent with every answer. The first two isolate the page (finer clocks for benchmarks, shared memory); the page works
/// without them.
const HEADERS: &str = "Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Embedder-Policy: require-corp\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    X-Content-Type-Options: nosniff\r\n";

/// Answers requests for `site` until the process ends, each connection on a thread of its own.
pub fn serve(listener: &TcpListener, site: &Site) -> ! {
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                let site = site.clone();
                // A broken connection affects its browser only.
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

/// Answers the requests of one connection until either side closes it.
fn connection(stream: TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    stream.set_nodelay(true)?;
    let is_private = stream.local_addr()?.ip().is_loopback();
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    while let Some(mut request) = read_request(&mut reader)? {
        // A body is not read, so the connection cannot be used again.
        request.close |= request.has_body || request.method != "GET" && request.method != "HEAD";
        if is_private && request.host.as_deref().is_some_and(|host| !is_local(host)) {
            plain(&request, &mut writer, "421 Misdirected Request", "")?;
        } else {
            answer(&request, site, &mut writer)?;
        }
        writer.flush()?;
        if request.close {
            break;
        }
    }
    Ok(())
}

/// Whether a `Host` header names this machine by an address or as `localhost`. Another site could have its own name lead
/// here, and then read the answers as its own.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || name.ends_with(".localhost") || address.parse::<IpAddr>().is_ok()
}

/// Writes the answer to one request.
fn answer(request: &Request, site: &Site, writer: &mut impl Write) -> io::Result<()> {
    if request.method != "GET" && request.method != "HEAD" {
        return plain(
            request,
            writer,
            "405 Method Not Allowed",
            "Connection: close\r\n",
        );
    }
    match site.content(&request.target) {
        None => plain(request, writer, "404 Not Found", ""),
        Some(Content::File(path)) => {
            let file = File::open(&path)?;
            let metadata = file.metadata()?;
            send(
                request,
                site,
                writer,
                &path,
                file,
                metadata.len(),
                &version(&metadata),
            )
        }
        Some(Content::Made(name, bytes)) => {
            let (len, version) = (
                bytes.len() as u64,
                format!("\"{:x}\"", Sha256::digest(&bytes)),
            );
            send(
                request,
                site,
                writer,
                Path::new(name),
                Cursor::new(bytes),
                len,
                &version,
            )
        }
    }
}

/// Writes `len` bytes, or the range of them that is asked for, unless the browser has this version already.
fn send(
    request: &Request,
    site: &Site,
    writer: &mut impl Write,
    name: &Path,
    mut content: impl Read + Seek,
    len: u64,
    version: &str,
) -> io::Result<()> {
    let kind = media_type(name);
    let mut headers = format!(
        "{HEADERS}Cache-Control: {}\r\nETag: {version}\r\n",
        site.cache()
    );
    // A worker is bound by the policy of its script's own answer.
    if let Some(policy) = site
        .policy()
        .filter(|_| kind.contains("html") || kind.contains("javascript"))
    {
        headers += &format!("Content-Security-Policy: {policy}\r\n");
    }
    if request
        .known
        .as_ref()
        .is_some_and(|known| known.contains(version))
    {
        return write!(writer, "HTTP/1.1 304 Not Modified\r\n{headers}\r\n");
    }
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
            let range = format!("Content-Range: bytes */{len}\r\n");
            return plain(request, writer, "416 Range Not Satisfiable", &range);
        }
    };
    write!(
        writer,
        "{headers}Accept-Ranges: bytes\r\nContent-Type: {kind}\r\nContent-Length: {count}\r\n\r\n"
    )?;
    if request.wants_body() {
        content.seek(SeekFrom::Start(start))?;
        io::copy(&mut content.take(count), writer)?;
    }
    Ok(())
}

/// ETag of a file: changes whenever the file is written.
fn version(metadata: &Metadata) -> String {
    let written = metadata.modified().ok();
    let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = written.unwrap_or_default().as_nanos();
    format!("\"{:x}-{nanoseconds:x}\"", metadata.len())
}

/// First byte and number of bytes of a range in a file of `len` bytes; none where the range lies outside.
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
fn plain(
    request: &Request,
    writer: &mut impl Write,
    status: &str,
    headers: &str,
) -> io::Result<()> {
    let body = if request.wants_body() { status } else { "" };
    write!(
        writer,
        "HTTP/1.1 {status}\r\n{HEADERS}{headers}Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}",
        status.len()
    )
}

#[cfg(test)]
mod tests {
    use super::request::{MAX_HEADERS, MAX_LINE};
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
            host: None,
            has_body: false,
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
    fn no_body_follows_the_answer_to_a_head_request_so_that_the_next_answer_is_found() {
        let answers = ask("HEAD /nothing HTTP/1.1\r\n\r\nGET /digits.wasm HTTP/1.1");
        let (first, second) = answers.split_once("\r\n\r\n").unwrap();
        assert!(first.starts_with("HTTP/1.1 404 "), "{first}");
        assert!(
            second.starts_with("HTTP/1.1 200 ") && second.ends_with("0123456789"),
            "{second}"
        );
        let refused =
            ask("POST /x HTTP/1.1\r\nContent-Length: 30\r\n\r\nGET /digits.wasm HTTP/1.1");
        assert_eq!(
            refused.matches("HTTP/1.1 ").count(),
            1,
            "a body was taken for a request: {refused}"
        );
        for body in ["Content-Length: 30", "Transfer-Encoding: chunked"] {
            let request = format!("GET /x HTTP/1.1\r\n{body}\r\n\r\nGET /digits.wasm HTTP/1.1");
            let answers = ask(&request);
            assert_eq!(answers.matches("HTTP/1.1 ").count(), 1, "{body}: {answers}");
        }
    }

    #[test]
    fn a_second_host_or_one_in_the_rest_of_a_long_line_is_not_believed() {
        let filled = "x".repeat(MAX_LINE as usize - "X: ".len());
        let many = "X: y\r\n".repeat(MAX_HEADERS);
        for headers in [
            format!("Host: example.org\r\nX: {filled}Host: localhost\r\n\r\n"),
            "Host: example.org\r\nHost: localhost\r\n\r\n".to_owned(),
            format!("{many}\r\n"),
            "Host: localhost".to_owned(),
        ] {
            let head = format!("GET / HTTP/1.1\r\n{headers}");
            let read = read_request(&mut head.as_bytes());
            assert!(read.is_err(), "{:.60}", headers);
        }
    }

    #[test]
    fn a_name_that_leads_here_from_elsewhere_is_refused() {
        let status = |host: &str| {
            ask(&format!("GET /digits.wasm HTTP/1.1\r\nHost: {host}"))[9..12].to_owned()
        };
        for host in [
            "localhost:8080",
            "127.0.0.1:1",
            "[::1]:80",
            "192.168.0.7",
            "a.localhost",
        ] {
            assert_eq!(status(host), "200", "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org:8080",
            "127.0.0.1.example.org",
        ] {
            assert_eq!(status(host), "421", "{host}");
        }
    }

    #[test]
    fn the_pages_policy_binds_its_workers_too() {
        let dir = tempfile::tempdir().unwrap();
        let page = "<meta http-equiv=\"Content-Security-Policy\"\n content=\"default-src 'none'; connect-src 'self' https:\" />";
        for (name, text) in [("index.html", page), ("worker.js", ""), ("m.bin", "")] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let site = Site::of_folder("/", dir.path().to_path_buf());
        let header = |target: &str| {
            let mut answered = Vec::new();
            let request = read_request(&mut format!("GET {target} HTTP/1.1\r\n\r\n").as_bytes())
                .unwrap()
                .unwrap();
            answer(&request, &site, &mut answered).unwrap();
            let answered = String::from_utf8(answered).unwrap();
            answered
                .lines()
                .find_map(|line| line.strip_prefix("Content-Security-Policy: "))
                .map(str::to_owned)
        };
        let policy =
            "default-src 'none'; connect-src http://localhost:* http://127.0.0.1:* 'self' https:";
        assert_eq!(header("/").as_deref(), Some(policy));
        assert_eq!(header("/worker.js").as_deref(), Some(policy));
        assert_eq!(header("/m.bin"), None);
    }

    #[test]
    fn a_taken_port_leads_to_the_next_free_one() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let next = listen(taken.local_addr().unwrap()).unwrap();
        assert!(next.local_addr().unwrap().port() > taken.local_addr().unwrap().port());
    }
}
