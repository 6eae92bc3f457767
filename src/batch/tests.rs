//! Whole runs with a scripted work.
