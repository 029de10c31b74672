//! The OpenSearch description of the page, by which a browser translates from its address bar (OpenSearch 1.1, draft 6).
//! The format takes absolute addresses only: it is written where the page's own address is known.

use anyhow::{Result, bail};

/// Where the description is.
pub const DESCRIPTION: &str = "opensearch.xml";
/// The line of the page that names it.
pub const LINK: &str = "    <link rel=\"search\" type=\"application/opensearchdescription+xml\" title=\"Translucent\" href=\"./opensearch.xml\" />\n";

/// The address of a page's folder, with a slash at its end.
///
/// # Errors
/// Where it is no web address, or has a query or a fragment.
pub fn folder(address: &str) -> Result<String> {
    let host = ["https://", "http://"]
        .iter()
        .find_map(|scheme| address.strip_prefix(scheme));
    let is_plain = |rest: &str| {
        !rest.starts_with('/')
            && !rest.is_empty()
            && !rest.contains(|c: char| c.is_whitespace() || "?#\"<>{}".contains(c))
    };
    match host {
        Some(rest) if is_plain(rest) => Ok(format!("{}/", address.trim_end_matches('/'))),
        _ => bail!("`{address}` is no address of a folder such as https://example.org/translate/"),
    }
}

/// The description of the page at this address. The text stands behind `#`, where no host is sent it.
pub fn description(address: &str) -> String {
    let address = address.replace('&', "&amp;").replace('\'', "&apos;");
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n  \
         <ShortName>Translucent</ShortName>\n  \
         <Description>Translates on this device: the text is sent nowhere</Description>\n  \
         <InputEncoding>UTF-8</InputEncoding>\n  \
         <Image width=\"192\" height=\"192\" type=\"image/png\">{address}page/icons/icon-192.png</Image>\n  \
         <Url type=\"text/html\" method=\"get\" template=\"{address}#text={{searchTerms}}\"/>\n\
         </OpenSearchDescription>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_that_of_a_folder() {
        let of = |address: &str| folder(address).ok();
        assert_eq!(
            of("https://example.org/a").as_deref(),
            Some("https://example.org/a/")
        );
        assert_eq!(
            of("http://127.0.0.1:8080/").as_deref(),
            Some("http://127.0.0.1:8080/")
        );
        for bad in [
            "",
            "example.org",
            "ftp://example.org/",
            "https://",
            "https:///a",
            "https://example.org/?a=1",
            "https://example.org/#a",
            "https://example.org/\"><",
        ] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_text_stands_behind_the_number_sign() {
        let xml = description("https://example.org/a&b/");
        assert!(xml.contains("template=\"https://example.org/a&amp;b/#text={searchTerms}\""));
    }
}
