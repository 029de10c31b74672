//! The reference of what runs over every weight of an int8 matrix when it is packed.

use crate::layout::{GROUP, PANEL};

/// The least of some integers, and 0.
pub fn lowest(values: &[i8]) -> i8 {
    values.iter().fold(0, |lowest, value| lowest.min(*value))
}

/// The sum of a row.
pub fn sum(row: &[i8]) -> i32 {
    // So many values that their sum cannot leave 16 bits, which vectors hold twice as many of.
    let parts = row.chunks(256);
    let sums = parts.map(|part| part.iter().map(|value| i16::from(*value)).sum::<i16>());
    sums.map(i32::from).sum()
}

/// Writes the groups of rows (rows, inputs) to their places in a panel, which begins with the first of them.
pub fn interleave(rows: &[i8], inputs: usize, panel: &mut [i8]) {
    for (r, row) in rows.chunks_exact(inputs).enumerate() {
        let places = panel[r * GROUP..].chunks_mut(PANEL * GROUP);
        for (group, place) in row.chunks(GROUP).zip(places) {
            place[..group.len()].copy_from_slice(group);
        }
    }
}
