//! Runs a test command and counts its tests, so that a run of no test at all is noticed.

use crate::tools::shown;
use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// How tests ended.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Count {
    pub passed: usize,
    pub failed: usize,
    /// Failed at first and passed when tried again; counted in neither of the others.
    pub unsteady: usize,
}

impl Count {
    /// That many passed, none failed.
    pub fn passed(passed: usize) -> Count {
        Count {
            passed,
            ..Count::default()
        }
    }

    /// That many failed, none passed.
    pub fn failed(failed: usize) -> Count {
        Count {
            failed,
            ..Count::default()
        }
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.unsteady += other.unsteady;
    }
}

/// Runs a test command, passing on what it prints and counting its tests.
///
/// # Errors
/// Where it cannot be started, or ran no test at all.
pub fn tested(command: &mut Command) -> Result<Count> {
    let line = shown(command);
    eprintln!("+ {line}");
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {line}"))?;
    let mut count = Count::default();
    if let Some(stdout) = child.stdout.take() {
        for text in BufReader::new(stdout).split(b'\n') {
            let text = text?;
            let text = String::from_utf8_lossy(&text);
            println!("{text}");
            count += counted(&text);
        }
    }
    let status = child.wait()?;
    if !status.success() {
        count.failed = count.failed.max(1);
    }
    ensure!(count.passed + count.failed > 0, "{line} ran no test");
    Ok(count)
}

/// The counts in a closing line of cargo's, wasm-bindgen's or Node's test runner; zero in any other line.
fn counted(line: &str) -> Count {
    let line = line.trim();
    if let Some(result) = line.strip_prefix("test result:") {
        let number = |word: &str| {
            let before = result
                .split(';')
                .find_map(|part| part.trim().strip_suffix(word))?;
            before.split_whitespace().last()?.parse().ok()
        };
        let mut count = Count::passed(number("passed").unwrap_or(0));
        count += Count::failed(number("failed").unwrap_or(0));
        return count;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["ℹ" | "#", "pass", number] => Count::passed(number.parse().unwrap_or(0)),
        ["ℹ" | "#", "fail", number] => Count::failed(number.parse().unwrap_or(0)),
        _ => Count::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_of_every_runner_are_counted() {
        let cargo = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s";
        let both = Count {
            passed: 12,
            failed: 3,
            unsteady: 0,
        };
        assert_eq!(counted(cargo), both);
        let wasm =
            "test result: ok. 7 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.01s";
        assert_eq!(counted(wasm), Count::passed(7));
        assert_eq!(counted("ℹ pass 5"), Count::passed(5));
        assert_eq!(counted("# fail 2"), Count::failed(2));
        assert_eq!(counted("test masked_positions ... ok"), Count::default());
    }

    #[test]
    fn a_command_without_a_test_counts_as_an_error() {
        assert!(tested(Command::new("rustc").arg("--version")).is_err());
    }
}
