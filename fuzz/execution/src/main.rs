//! Runs many cases of execution fuzzing and reports how many, how fast, and what they took.
#![cfg_attr(target_arch = "wasm32", allow(unused))]

use clap::Parser;
use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use translucent_fuzz_execution::{Outcome, bytes_of, execute};

/// Makes folders from seeds, loads them, and asks them everything.
#[derive(Parser)]
struct Args {
    /// Number of cases.
    #[arg(long, default_value_t = 10_000)]
    executions: u64,
    /// Seed of the first; they count up from it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Ends after so many seconds, whatever was done.
    #[arg(long)]
    seconds: Option<u64>,
    /// Most memory of one case, MiB. More is a fault.
    #[arg(long, default_value_t = 64)]
    memory: usize,
    /// Most seconds of one case. More is a fault.
    #[arg(long, default_value_t = 120)]
    patience: u64,
}

/// Counts the bytes in use, and the most that there were.
struct Counting;

static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    let used = USED.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(used, Ordering::Relaxed);
}

// SAFETY: everything is left to the system's allocator; the counters are atomics that need no memory of their own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The case that runs, and the millisecond at which it began.
static CASE: AtomicU64 = AtomicU64::new(0);
static BEGAN: AtomicU64 = AtomicU64::new(0);

/// Ends the process when a case takes too long: it may never end.
fn watch(start: Instant, patience: u64) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let now = start.elapsed().as_millis() as u64;
            if now.saturating_sub(BEGAN.load(Ordering::Relaxed)) > patience * 1000 {
                eprintln!(
                    "FAULT: seed {} takes more than {patience} s",
                    CASE.load(Ordering::Relaxed)
                );
                std::process::exit(3);
            }
        }
    });
}

fn main() -> ExitCode {
    let args = Args::parse();
    let start = Instant::now();
    watch(start, args.patience);
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let (mut done, mut ran, mut refused, mut faults) = (0, 0, 0, 0);
    let (mut answered, mut declined) = (0, 0);
    let (mut most, mut most_of) = (0, 0);
    for seed in args.seed..args.seed.saturating_add(args.executions) {
        if args
            .seconds
            .is_some_and(|seconds| start.elapsed().as_secs() >= seconds)
        {
            break;
        }
        CASE.store(seed, Ordering::Relaxed);
        BEGAN.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        let before = USED.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        match catch_unwind(|| execute(&bytes_of(seed))) {
            Ok(Outcome::Refused) => refused += 1,
            Ok(Outcome::Ran {
                answered: yes,
                refused: no,
            }) => {
                ran += 1;
                answered += u64::from(yes);
                declined += u64::from(no);
            }
            Err(_) => {
                eprintln!("FAULT: seed {seed} panicked");
                faults += 1;
            }
        }
        done += 1;
        let took = MOST.load(Ordering::Relaxed) - before;
        if took > args.memory << 20 {
            eprintln!("FAULT: seed {seed} took {} MiB", took >> 20);
            faults += 1;
        }
        if took > most {
            (most, most_of) = (took, seed);
        }
        if done % 100_000 == 0 {
            eprintln!(
                "{done} executions, {faults} faults, {:.0} s",
                start.elapsed().as_secs_f64()
            );
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "executions: {done} (seeds from {}), {:.0} per second, {seconds:.0} s",
        args.seed,
        done as f64 / seconds
    );
    println!(
        "folders: {ran} ran, {refused} refused; requests: {answered} answered, {declined} refused"
    );
    println!(
        "most memory of a case: {:.1} MiB (seed {most_of})",
        most as f64 / f64::from(1 << 20)
    );
    println!("faults: {faults}");
    match faults {
        0 => ExitCode::SUCCESS,
        _ => {
            eprintln!("A case is repeated by --seed SEED --executions 1.");
            ExitCode::FAILURE
        }
    }
}
