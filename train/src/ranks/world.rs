//! The ranks as MPI has them.

use crate::error::{Error, Result};
use half::bf16;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;

/// All processes that one `mpirun` started.
pub struct World {
    communicator: SimpleCommunicator,
    /// MPI ends when this is dropped.
    _universe: Universe,
}

impl World {
    /// Starts MPI.
    ///
    /// # Errors
    /// If it was started before.
    pub fn join() -> Result<Self> {
        let (universe, _) = mpi::initialize_with_threading(mpi::Threading::Funneled)
            .ok_or_else(|| Error::Ranks("MPI was started before".into()))?;
        Ok(Self {
            communicator: universe.world(),
            _universe: universe,
        })
    }

    pub fn rank(&self) -> usize {
        self.communicator.rank() as usize
    }

    pub fn size(&self) -> usize {
        self.communicator.size() as usize
    }

    /// This rank's number among those on its machine, and how many these are.
    pub fn local(&self) -> (usize, usize) {
        let local = self.communicator.split_shared(self.communicator.rank());
        (local.rank() as usize, local.size() as usize)
    }

    pub fn barrier(&self) {
        self.communicator.barrier();
    }

    pub fn max<const N: usize>(&self, numbers: [f64; N]) -> [f64; N] {
        let mut largest = [0.0; N];
        let max = SystemOperation::max();
        self.communicator
            .all_reduce_into(&numbers[..], &mut largest[..], max);
        largest
    }

    pub fn sum<const N: usize>(&self, numbers: [f64; N]) -> [f64; N] {
        let mut sums = [0.0; N];
        let sum = SystemOperation::sum();
        self.communicator
            .all_reduce_into(&numbers[..], &mut sums[..], sum);
        sums
    }

    pub fn sum_f32(&self, numbers: &mut [f32]) {
        let given = numbers.to_vec();
        let sum = SystemOperation::sum();
        self.communicator.all_reduce_into(&given[..], numbers, sum);
    }

    /// Sums of numbers that travel as bfloat16: every rank adds one part of them, in 32 bits, and gives the sums to all.
    pub fn sum_bf16(&self, numbers: &mut [f32]) {
        let size = self.size();
        let part = numbers.len().div_ceil(size);
        let rounded = numbers.iter().map(|x| bf16::from_f32(*x).to_bits());
        let zeros = std::iter::repeat_n(0, part * size - numbers.len());
        let given: Vec<u16> = rounded.chain(zeros).collect();
        let mut parts = vec![0u16; part * size];
        self.communicator
            .all_to_all_into(&given[..], &mut parts[..]);
        let sum = |i| {
            let of_ranks = (0..size).map(|rank| bf16::from_bits(parts[rank * part + i]).to_f32());
            bf16::from_f32(of_ranks.sum()).to_bits()
        };
        let own: Vec<u16> = (0..part).map(sum).collect();
        let mut sums = vec![0u16; part * size];
        self.communicator.all_gather_into(&own[..], &mut sums[..]);
        for (number, sum) in numbers.iter_mut().zip(sums) {
            *number = bf16::from_bits(sum).to_f32();
        }
    }

    pub fn abort(&self) {
        self.communicator.abort(1);
    }
}
