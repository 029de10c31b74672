//! Headings of the chapters, and the links between chapters that name one.

use super::book::Chapter;
use anyhow::{Result, bail};

/// Fails where a link between chapters names a heading that its chapter lacks.
///
/// # Errors
/// Names the first such link.
pub fn check(chapters: &[Chapter]) -> Result<()> {
    for Chapter { name, text } in chapters {
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let Some((page, heading)) = target.split_once('#') else {
                continue;
            };
            let page = if page.is_empty() { name } else { page };
            let Some(chapter) = chapters.iter().find(|chapter| chapter.name == page) else {
                continue;
            };
            let headings = chapter.text.lines().filter(|line| line.starts_with('#'));
            if !headings.map(id).any(|id| id == heading) {
                bail!("{name} links to {target}, which has no such heading");
            }
        }
    }
    Ok(())
}

/// The id that mdBook gives to a heading.
fn id(line: &str) -> String {
    let text = line.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_heading_that_is_not_there_is_an_error() {
        let chapter = |name: &str, text: &str| Chapter {
            name: name.into(),
            text: text.into(),
        };
        let start = chapter("start.md", "## Next\n[a](#next) [b](embed.md#a-frame)\n");
        assert!(check(&[chapter("embed.md", "## A frame\n"), start]).is_ok());
        let start = chapter("start.md", "[b](embed.md#a-frame)\n");
        assert!(check(&[chapter("embed.md", "## Frames\n"), start]).is_err());
    }

    #[test]
    fn headings_have_the_ids_of_mdbook() {
        assert_eq!(id("## 3.2.1 Why √d_k?"), "321-why-d_k");
        assert_eq!(id("### What the profile shows"), "what-the-profile-shows");
    }
}
