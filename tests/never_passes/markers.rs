//! Citations that no grammar reads.
