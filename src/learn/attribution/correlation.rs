//! Spearman's rank correlation.

/// Spearman's ρ of two lists of the same length, ties sharing their mean rank; none where either has but one value.
///
/// # Shapes
/// `a`, `b`: (values).
pub fn rank_correlation(a: &[f32], b: &[f32]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let middle = (a.len() as f64 + 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| -> f64 {
        let pairs = x.iter().zip(y);
        pairs.map(|(x, y)| (x - middle) * (y - middle)).sum()
    };
    let spread = (sum(&a, &a) * sum(&b, &b)).sqrt();
    (spread > 0.0).then(|| sum(&a, &b) / spread)
}

/// Ranks from 1 on.
fn ranks(values: &[f32]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|i, j| values[*i].total_cmp(&values[*j]));
    let mut ranks = vec![0.0; values.len()];
    let mut rank = 0;
    for tied in order.chunk_by(|i, j| values[*i] == values[*j]) {
        let mean = rank as f64 + (tied.len() as f64 + 1.0) / 2.0;
        tied.iter().for_each(|i| ranks[*i] = mean);
        rank += tied.len();
    }
    ranks
}
