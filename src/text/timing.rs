//! Tests of how time grows with the length of a text.

#[cfg(not(target_arch = "wasm32"))]
use cpu_time::ThreadTime as Clock;
use std::time::Duration;
#[cfg(target_arch = "wasm32")]
use std::time::Instant as Clock;

/// Asserts that `work` on the text of 4 n parts takes less than 8 times as long as on that of n: in proportion it is 4
/// times, with the square 16 times. Time of the processor counts, and the least of several runs, as machines are busy.
pub fn assert_in_proportion(n: usize, text: &dyn Fn(usize) -> String, work: impl Fn(&str)) {
    let [short, long] = [n, 4 * n].map(text);
    let time = |text: &str| {
        let start = Clock::now();
        work(text);
        start.elapsed()
    };
    let mut best = [Duration::MAX; 2];
    for _ in 0..20 {
        best = [best[0].min(time(&short)), best[1].min(time(&long))];
        if best[1] < 8 * best[0].max(Duration::from_millis(1)) {
            return;
        }
    }
    let start: String = short.chars().take(40).collect();
    panic!("\"{start}…\" of {n} parts and of {}: {best:?}", 4 * n);
}
