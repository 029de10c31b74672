//! Ranks: processes that train one model together, each on its share of every step's batches (data parallel; the paper's
//! eight GPUs, §5.2). MPI starts them and adds their gradients.
//!
//! Every rank holds all weights and moments, reads the same data and makes the same update from the same sums, so the
//! result does not depend on how many there are, but for the order in which numbers are added. Rank 0 alone writes files.

mod share;
#[cfg(feature = "mpi")]
mod world;

pub use share::shares;

use crate::error::{Error, Result};
use crate::model::Weights;
use crate::state::Window;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tch::{Device, Kind, Tensor};

/// Numbers that are added over the ranks at a time: enough that a message's fixed cost does not show, few enough that
/// copies stay small.
const BUCKET: i64 = 4 << 20;

/// Variables by which `mpirun` and `srun` tell a process how many ranks there are.
const SIZES: [&str; 4] = [
    "OMPI_COMM_WORLD_SIZE",
    "PMI_SIZE",
    "PMIX_SIZE",
    "SLURM_STEP_NUM_TASKS",
];

/// Number format in which gradients travel between ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GradientFormat {
    /// 32 bits.
    #[default]
    F32,
    /// bfloat16, half the bytes; sums are made in 32 bits.
    Bf16,
}

/// The ranks of a run, and this process's place among them.
#[derive(Clone)]
pub struct Ranks {
    #[cfg(feature = "mpi")]
    world: Option<Rc<world::World>>,
    rank: usize,
    size: usize,
    local_rank: usize,
    local_size: usize,
    traffic: Rc<RefCell<Traffic>>,
}

/// What adding gradients has cost this rank.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traffic {
    /// Times that gradients were added.
    pub steps: u64,
    /// Bytes of gradients that this rank gave, over all steps.
    pub bytes: u64,
    /// Time in it, waiting for slower ranks included.
    pub spent: Duration,
}

impl std::fmt::Debug for Ranks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)
    }
}

impl Ranks {
    /// One process on its own.
    pub fn alone() -> Self {
        Self {
            #[cfg(feature = "mpi")]
            world: None,
            rank: 0,
            size: 1,
            local_rank: 0,
            local_size: 1,
            traffic: Rc::default(),
        }
    }

    /// Joins the ranks that `mpirun` or `srun` started, or is alone where none did.
    ///
    /// # Errors
    /// If several were started and this program was built without MPI, or MPI does not start.
    pub fn start() -> Result<Self> {
        let sizes = SIZES
            .iter()
            .filter_map(|name| std::env::var(name).ok()?.parse().ok());
        match sizes.max().unwrap_or(1) {
            0 | 1 => Ok(Self::alone()),
            size => Self::join(size),
        }
    }

    #[cfg(not(feature = "mpi"))]
    fn join(size: usize) -> Result<Self> {
        Err(Error::Ranks(format!(
            "this is one of {size} processes that mpirun or srun started, but the trainer was built without MPI: build it with --features mpi, or start one process"
        )))
    }

    #[cfg(feature = "mpi")]
    fn join(size: usize) -> Result<Self> {
        let world = world::World::join()?;
        if world.size() != size {
            return Err(Error::Ranks(format!(
                "mpirun or srun started {size} processes, but MPI knows of {}: the trainer was built for another MPI library than theirs",
                world.size()
            )));
        }
        let (local_rank, local_size) = world.local();
        Ok(Self {
            rank: world.rank(),
            size,
            local_rank,
            local_size,
            world: Some(Rc::new(world)),
            traffic: Rc::default(),
        })
    }

    /// This process's number, counted from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Number of ranks.
    pub fn size(&self) -> usize {
        self.size
    }

    /// This process's number among those on its machine, counted from 0.
    pub fn local_rank(&self) -> usize {
        self.local_rank
    }

    /// Number of ranks on this machine.
    pub fn local_size(&self) -> usize {
        self.local_size
    }

    /// Whether this rank writes the run's files and the log.
    pub fn is_root(&self) -> bool {
        self.rank == 0
    }

    /// What adding gradients has cost so far.
    pub fn traffic(&self) -> Traffic {
        *self.traffic.borrow()
    }

    /// Runs something on rank 0, then, when that is done, on the others, which find what rank 0 has written.
    ///
    /// # Errors
    /// What `task` gives.
    pub fn root_first<T>(&self, mut task: impl FnMut() -> Result<T>) -> Result<T> {
        if !self.is_root() {
            self.barrier();
            return task();
        }
        let result = task()?;
        self.barrier();
        Ok(result)
    }

    /// The largest of every number over the ranks.
    pub fn max<const N: usize>(&self, numbers: [f64; N]) -> [f64; N] {
        #[cfg(feature = "mpi")]
        if let Some(world) = &self.world {
            return world.max(numbers);
        }
        numbers
    }

    /// The sums of a step over the ranks.
    pub fn sum(&self, window: Window) -> Window {
        #[cfg(feature = "mpi")]
        if let Some(world) = &self.world {
            let [smoothed, nll, tokens] =
                world.sum([window.smoothed, window.nll, window.tokens as f64]);
            return Window {
                smoothed,
                nll,
                tokens: tokens as u64,
            };
        }
        window
    }

    /// Replaces the weights' gradients by their sums over the ranks, in flat buckets.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn sum_gradients(&self, weights: &Weights, format: GradientFormat) -> Result<()> {
        if self.size == 1 {
            return Ok(());
        }
        let begun = Instant::now();
        let gradients: Vec<Tensor> = weights.gradients().collect();
        let mut numbers = 0;
        tch::no_grad(|| {
            for bucket in buckets(&gradients) {
                numbers += self.sum_bucket(bucket, format)?;
            }
            Ok::<(), Error>(())
        })?;
        let mut traffic = self.traffic.borrow_mut();
        traffic.steps += 1;
        traffic.bytes += numbers
            * match format {
                GradientFormat::F32 => 4,
                GradientFormat::Bf16 => 2,
            };
        traffic.spent += begun.elapsed();
        Ok(())
    }

    /// Adds some tensors over the ranks, through the memory of the host; returns how many numbers they have.
    fn sum_bucket(&self, bucket: &[Tensor], format: GradientFormat) -> Result<u64> {
        let flat: Vec<Tensor> = bucket
            .iter()
            .map(|gradient| gradient.f_flatten(0, -1))
            .collect::<std::result::Result<_, _>>()?;
        let flat = Tensor::f_cat(&flat, 0)?
            .f_to_device(Device::Cpu)?
            .f_to_kind(Kind::Float)?;
        let mut numbers = vec![0f32; flat.numel()];
        flat.f_copy_data(&mut numbers, flat.numel())?;
        self.sum_numbers(&mut numbers, format);
        let sums = Tensor::from_slice(&numbers);
        let mut start = 0;
        for gradient in bucket {
            let length = gradient.numel() as i64;
            let part = sums.f_narrow(0, start, length)?.f_view_as(gradient)?;
            gradient.shallow_clone().f_copy_(&part)?;
            start += length;
        }
        Ok(numbers.len() as u64)
    }

    fn sum_numbers(&self, numbers: &mut [f32], format: GradientFormat) {
        #[cfg(feature = "mpi")]
        if let Some(world) = &self.world {
            match format {
                GradientFormat::F32 => world.sum_f32(numbers),
                GradientFormat::Bf16 => world.sum_bf16(numbers),
            }
        }
        #[cfg(not(feature = "mpi"))]
        let _ = (numbers, format);
    }

    /// Compares the weights of all ranks, which ought to be the same bit for bit.
    ///
    /// # Errors
    /// If they differ.
    pub fn check_same(&self, weights: &Weights, when: &str) -> Result<()> {
        if self.size == 1 {
            return Ok(());
        }
        let mut print = [0.0, 0.0];
        for (i, (_, tensor)) in weights.iter().enumerate() {
            let tensor = tensor.detach().f_to_kind(Kind::Double)?;
            print[0] += tensor.f_sum(Kind::Double)?.f_double_value(&[])? * (i + 1) as f64;
            print[1] += tensor
                .f_square()?
                .f_sum(Kind::Double)?
                .f_double_value(&[])?;
        }
        let [a, b, minus_a, minus_b] = self.max([print[0], print[1], -print[0], -print[1]]);
        if a == -minus_a && b == -minus_b {
            return Ok(());
        }
        Err(Error::Ranks(format!(
            "the ranks' weights differ {when}: do all see the same --runs and --data folders, and run the same program?"
        )))
    }

    /// Waits until all ranks are here.
    fn barrier(&self) {
        #[cfg(feature = "mpi")]
        if let Some(world) = &self.world {
            world.barrier();
        }
    }

    /// Ends the processes of all ranks after a fault of this one; returns where there is no other.
    pub fn abort(&self) {
        #[cfg(feature = "mpi")]
        if let Some(world) = &self.world {
            world.abort();
        }
    }
}

/// Neighbours that together have about [`BUCKET`] numbers; a larger tensor is a bucket of its own.
fn buckets(tensors: &[Tensor]) -> impl Iterator<Item = &[Tensor]> {
    let mut numbers = 0;
    tensors.chunk_by(move |_, next| {
        let length = next.numel() as i64;
        numbers += length;
        let fits = numbers < BUCKET;
        if !fits {
            numbers = 0;
        }
        fits
    })
}
