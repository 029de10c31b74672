//! A decoder pass works in memory that it has already: nothing is allocated once that has grown to its size.
#![cfg(not(target_arch = "wasm32"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use translucent::Config;
use translucent::checkpoint::{Tensors, quantize};
use translucent::model::{Row, Seq2Seq, Slot, Transformer};

/// Counts what the present thread allocates.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator; the counter is a plain cell that needs no memory of its own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of each pass over one sentence with so many beams.
fn allocations(model: &Transformer, beams: usize) -> Vec<usize> {
    let mut state = model.encode(&[&[5, 6, 7, 2]], &[]).unwrap();
    let mut rows = vec![Row {
        sentence: 0,
        parent: None,
        token: 1,
    }];
    let mut slots = 0;
    let mut counts = Vec::new();
    for pass in 0..60 {
        let before = COUNT.get();
        model.step(&mut state, &rows).unwrap();
        counts.push(COUNT.get() - before);
        let parents = slots..slots + rows.len();
        slots += rows.len();
        rows.clear();
        rows.extend((0..beams).map(|beam| Row {
            sentence: 0,
            parent: Some(Slot((parents.start + beam % parents.len()) as u32)),
            token: (5 + pass + beam) as u32,
        }));
    }
    counts
}

#[test]
fn decoder_passes_allocate_only_to_grow() {
    // In integers, as what ships: natively, products of floats are another crate's, which takes working memory.
    let config = Config::tiny(80);
    let mut tensors = quantize::quantize(&config, Tensors::random(&config, 3)).unwrap();
    let model = Transformer::from_tensors(config, &mut tensors).unwrap();
    for beams in [1, 4] {
        // Positions are computed when they are first reached.
        allocations(&model, beams);
        let counts = allocations(&model, beams);
        // Memory doubles when it is full: for the last time in pass 40 of 60.
        let busy: Vec<usize> = (41..counts.len())
            .filter(|pass| counts[*pass] > 0)
            .collect();
        assert!(
            busy.is_empty(),
            "with {beams} beams, passes {busy:?} of {counts:?}"
        );
    }
}
