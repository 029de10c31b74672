//! Gradients of several batches at once: one single-threaded worker for each core, all over the same weights.
//!
//! A step is made of thousands of small operations. Splitting each of them over the cores means as many
//! barriers, at which every core waits for the slowest; splitting the batches means one.

use crate::data::batch::Batch;
use crate::error::{Error, Result};
use crate::model::dropout::DropoutMasks;
use crate::model::{Precision, Transformer, Weights};
use crate::state::Window;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use translucent::Config;

/// A batch to differentiate.
struct Job {
    batch: Batch,
    /// Target tokens of the whole optimiser step.
    normaliser: f64,
    /// Seed of the dropout masks.
    seed: u64,
}

struct Worker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// Threads that add the gradients of batches to the weights' gradients.
pub struct Workers {
    workers: Vec<Worker>,
    results: Receiver<Result<Window>>,
}

impl Workers {
    /// Starts `count` workers over `weights`.
    ///
    /// # Errors
    /// If the model cannot be wired, or a thread cannot be started.
    pub fn new(
        config: &Config,
        weights: &Weights,
        precision: Precision,
        count: usize,
    ) -> Result<Self> {
        let (done, results) = channel();
        let workers = (0..count.max(1))
            .map(|i| {
                let model = Transformer::new(config, weights, precision)?;
                let (jobs, inbox) = channel::<Job>();
                let done = done.clone();
                let thread = std::thread::Builder::new()
                    .name(format!("worker-{i}"))
                    .spawn(move || {
                        tch::set_num_threads(1);
                        for job in inbox {
                            if done.send(differentiate(&model, job)).is_err() {
                                break;
                            }
                        }
                    })
                    .map_err(|e| Error::Recipe(format!("cannot start a thread: {e}")))?;
                Ok(Worker {
                    jobs: Some(jobs),
                    thread: Some(thread),
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self { workers, results })
    }

    /// Adds the gradient of the sum of the losses of `batches`, each with the seed of its dropout masks, divided by `tokens`:
    /// the target tokens of the whole step, of which other ranks may have a share.
    /// Returns the sums of the losses.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn gradients(&self, batches: Vec<(Batch, u64)>, tokens: usize) -> Result<Window> {
        let count = batches.len();
        for (i, (batch, seed)) in batches.into_iter().enumerate() {
            let job = Job {
                batch,
                normaliser: tokens as f64,
                seed,
            };
            let worker = &self.workers[i % self.workers.len()];
            if worker
                .jobs
                .as_ref()
                .is_none_or(|jobs| jobs.send(job).is_err())
            {
                return Err(stopped());
            }
        }
        let mut sums = Window::default();
        for _ in 0..count {
            let window = self.results.recv().map_err(|_| stopped())??;
            sums.smoothed += window.smoothed;
            sums.nll += window.nll;
            sums.tokens += window.tokens;
        }
        Ok(sums)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            worker.jobs = None;
        }
        for worker in &mut self.workers {
            if let Some(thread) = worker.thread.take() {
                // A worker that panicked has already said so.
                let _ = thread.join();
            }
        }
    }
}

fn stopped() -> Error {
    Error::Recipe("a worker thread has stopped".into())
}

fn differentiate(model: &Transformer, job: Job) -> Result<Window> {
    let masks = DropoutMasks::new(job.seed, model.device());
    let loss = model.loss(&job.batch, job.normaliser, Some(&masks));
    if let Some(surrogate) = loss.surrogate {
        surrogate.f_backward()?;
    }
    // Read last: a GPU is then busy with the gradient when this waits for it. The gradient of a loss that is no number is
    // cleared by the step.
    Ok(Window {
        smoothed: loss.smoothed.f_double_value(&[])?,
        nll: loss.nll.f_double_value(&[])?,
        tokens: job.batch.target_tokens as u64,
    })
}
