//! Every gate fails and passes.
