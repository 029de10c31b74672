//! Time limit of a run, and the descent of the learning rate towards it.

use std::time::{Duration, Instant};

/// The time that one start of a run may take.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    limit: Option<Duration>,
    cooldown: Option<Duration>,
}

impl Clock {
    /// A clock that starts now and is up after `limit` minutes; the descent takes the last `cooldown` of them.
    pub fn start(limit: Option<f64>, cooldown: Option<f64>) -> Self {
        Self {
            started: Instant::now(),
            limit: limit.map(minutes),
            cooldown: cooldown.map(minutes),
        }
    }

    /// Whether the time is up.
    pub fn is_up(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// Factor on the learning rate: 1, then straight down to 0 when the time is up.
    pub fn factor(&self) -> f64 {
        match (self.left(), self.cooldown) {
            (Some(left), Some(cooldown)) if left < cooldown => {
                left.as_secs_f64() / cooldown.as_secs_f64()
            }
            _ => 1.0,
        }
    }

    fn left(&self) -> Option<Duration> {
        let limit = self.limit?;
        Some(limit.saturating_sub(self.started.elapsed()))
    }
}

/// A duration from minutes; below 0 is 0, and nothing overflows.
pub fn minutes(minutes: f64) -> Duration {
    Duration::from_secs_f64(minutes.clamp(0.0, 1e9) * 60.0)
}
