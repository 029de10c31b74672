//! The number format of the matrix products, and which one a device multiplies in hardware.

use serde::{Deserialize, Serialize};
use tch::{Device, Kind};

/// Number format of the matrix products; weights, softmax statistics and the optimiser are always f32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// bfloat16 where the device multiplies it in hardware, else 32 bits.
    #[default]
    Auto,
    /// 32 bits, for comparisons.
    F32,
    /// bfloat16: about twice as fast as 32 bits where the device has it, several times slower where not.
    Bf16,
}

impl Precision {
    /// The number format on a device.
    pub fn compute_dtype(self, device: Device) -> Kind {
        match self {
            Self::F32 => Kind::Float,
            Self::Bf16 => Kind::BFloat16,
            Self::Auto if has_bf16(device) => Kind::BFloat16,
            Self::Auto => Kind::Float,
        }
    }

    /// A line for the log: the number format on a device, and why.
    pub fn describe(self, device: Device) -> &'static str {
        match (self, has_bf16(device)) {
            (Self::F32, true) => "f32, as the recipe says, though this device has bf16",
            (Self::F32, false) => "f32, as the recipe says",
            (Self::Bf16, true) => "bf16, as the recipe says",
            (Self::Bf16, false) => "bf16, as the recipe says, though this device lacks it",
            (Self::Auto, true) => "bf16, which this device has",
            (Self::Auto, false) => "f32: this device has no bf16",
        }
    }
}

/// Whether a device multiplies bf16 in hardware. Processors with AMX have `avx512_bf16` as well; others than x86-64
/// were not measured.
fn has_bf16(device: Device) -> bool {
    #[cfg(target_arch = "x86_64")]
    let processor = std::is_x86_feature_detected!("avx512bf16");
    #[cfg(not(target_arch = "x86_64"))]
    let processor = false;
    match device {
        Device::Cpu => processor,
        _ => true,
    }
}
