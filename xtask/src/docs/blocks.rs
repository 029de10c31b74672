//! The code blocks of the documentation: what each is, and whether it is run.

use super::book::{Book, Chapter};
use crate::tools::{files_below, root};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::fs;

/// A comment before a block that cannot be run, with the reason.
const NOT_RUN: &str = "<!-- not run: ";

/// A code block.
pub struct Block {
    /// Its chapter.
    pub chapter: String,
    /// The line of its first mark, from 1.
    pub line: usize,
    pub language: String,
    pub text: String,
    /// Why it is not run.
    pub not_run: Option<String>,
}

/// Every code block, checked as far as that is cheap: known languages, JSON that parses, Rust that is an example.
///
/// # Errors
/// Names chapter and line of the first fault.
pub fn read(book: &Book) -> Result<Vec<Block>> {
    let mut all = Vec::new();
    for chapter in &book.chapters {
        for block in of_chapter(chapter)? {
            check(&block).with_context(|| format!("{}, line {}", block.chapter, block.line))?;
            all.push(block);
        }
    }
    Ok(all)
}

/// The blocks for the program that runs them.
///
/// # Errors
/// As [`read`].
pub fn to_json(book: &Book) -> Result<String> {
    let blocks: Vec<Value> = read(book)?
        .into_iter()
        .map(|Block { chapter, line, language, text, not_run }| json!({ "chapter": chapter, "line": line, "language": language, "text": text, "notRun": not_run }))
        .collect();
    Ok(serde_json::to_string_pretty(&blocks)?)
}

fn of_chapter(chapter: &Chapter) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut before = "";
    for (line, text) in (1..).zip(chapter.text.lines()) {
        let mark = text.trim_start().strip_prefix("```");
        match (mark, &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                let language = info.split([',', ' ']).next().unwrap_or_default();
                let reason = before
                    .strip_prefix(NOT_RUN)
                    .and_then(|rest| rest.strip_suffix(" -->"));
                open = Some(Block {
                    chapter: chapter.name.clone(),
                    line,
                    language: language.to_owned(),
                    text: String::new(),
                    not_run: reason.map(str::to_owned),
                });
            }
            (None, Some(block)) => {
                block.text += text;
                block.text.push('\n');
            }
            (None, None) => {}
        }
        if !text.trim().is_empty() {
            before = text.trim();
        }
    }
    ensure!(
        open.is_none(),
        "{}: a code block without its end",
        chapter.name
    );
    Ok(blocks)
}

fn check(block: &Block) -> Result<()> {
    match block.language.as_str() {
        "sh" | "js" | "html" | "toml" | "text" => {}
        "json" => drop(serde_json::from_str::<Value>(&block.text)?),
        // Compiled and linted with the workspace.
        "rust" => {
            let examples = root().join("examples");
            let mut found = false;
            for file in files_below(&examples)? {
                found |= fs::read_to_string(examples.join(file))? == block.text;
            }
            ensure!(
                found,
                "Rust on the site is one of the programs in examples/, included"
            );
        }
        "python" => {
            let mut found = false;
            for program in ["docs/notebook.py", "docs/spark.py"] {
                found |= fs::read_to_string(root().join(program))? == block.text;
            }
            ensure!(
                found && block.not_run.is_some(),
                "Python on the site is docs/notebook.py or docs/spark.py, included"
            );
        }
        other => bail!(
            "`{other}` is no language of the site: sh, js, html, toml, json, rust, python or text"
        ),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter(text: &str) -> Chapter {
        Chapter {
            name: "a.md".into(),
            text: text.into(),
        }
    }

    #[test]
    fn every_code_block_is_run_or_says_why_not() {
        let blocks = read(&Book::read().unwrap()).unwrap();
        let left_out: Vec<&Block> = blocks
            .iter()
            .filter(|block| block.not_run.is_some())
            .collect();
        assert!(left_out.iter().all(|block| {
            block
                .not_run
                .as_ref()
                .is_some_and(|reason| reason.len() > 10)
        }));
        let run = blocks.len() - left_out.len();
        assert!(run >= 25, "{run} of {} blocks are run", blocks.len());
        assert!(
            left_out.len() * 3 < blocks.len(),
            "{} of {} blocks are not run",
            left_out.len(),
            blocks.len()
        );
    }

    #[test]
    fn a_block_has_its_language_its_line_and_its_reason() {
        let text = "a\n<!-- not run: needs a network -->\n\n```sh\nls\n```\n```js,run\nf();\n```\n";
        let blocks = of_chapter(&chapter(text)).unwrap();
        assert_eq!(blocks[0].not_run.as_deref(), Some("needs a network"));
        assert_eq!((blocks[0].line, blocks[0].text.as_str()), (4, "ls\n"));
        assert_eq!(
            (blocks[1].language.as_str(), &blocks[1].not_run),
            ("js", &None)
        );
        assert!(of_chapter(&chapter("```sh\n")).is_err());
    }

    #[test]
    fn rust_that_is_no_example_and_json_that_does_not_parse_are_faults() {
        for text in [
            "```rust\nfn main() {}\n```\n",
            "```json\n{\n```\n",
            "```\nplain\n```\n",
        ] {
            assert!(
                check(&of_chapter(&chapter(text)).unwrap()[0]).is_err(),
                "{text}"
            );
        }
    }
}
