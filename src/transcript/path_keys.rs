//! Argument keys under which tools take the path of a file.

/// Keys that hold one file path, across harnesses; where a call has several, the first in this order counts.
pub const FILE_PATH_KEYS: &[&str] = &[
    "file_path",
    "path",
    "filePath",
    "filepath",
    "notebook_path",
    "target_file",
    "filename",
    "relative_path",
    "absolute_path",
    "absolutePath",
    "file",
    "TargetFile",
    "AbsolutePath",
];
