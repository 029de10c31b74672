//! The whole walk of a document: sentences, pieces, search, text. Used by the command line and by [`crate::wasm`].
