//! `pytorch_model.bin`, in both formats of `torch.save`: an error or tensors, and never more of them than the file
//! can hold.
#![no_main]

use libfuzzer_sys::fuzz_target;
use translucent::checkpoint::weights::{Catalogue, PYTORCH_WEIGHTS, read};

fuzz_target!(|bytes: Vec<u8>| {
    if let Ok(catalogue) = Catalogue::of_file(PYTORCH_WEIGHTS, &bytes) {
        let values: usize = catalogue.iter().map(|(_, tensor)| tensor.len()).sum();
        assert!(values <= 2 * bytes.len());
        let _ = read(PYTORCH_WEIGHTS, &bytes);
    }
});
