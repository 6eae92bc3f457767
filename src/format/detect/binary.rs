//! Detection of binary files that may contain texts: archives and others. Reading one as lines and writing it again
//! would destroy it.

use crate::format::shared::lines;

/// How many lines are examined, as in detection.
const LINES: usize = 40;
/// Size of a tar archive's header in bytes.
const HEADER: usize = 512;

/// Whether a file begins with a tar header: with the magic of POSIX or GNU, or a matching checksum (older archives).
pub(super) fn is_tar(bytes: &[u8]) -> bool {
    let marked = |mark: &[u8]| bytes.get(257..257 + mark.len()) == Some(mark);
    marked(b"ustar\0") || marked(b"ustar  \0") || bytes.get(..HEADER).is_some_and(has_its_sum)
}

/// Whether the checksum in a header matches its bytes, with the checksum field read as spaces.
fn has_its_sum(header: &[u8]) -> bool {
    let (before, rest) = header.split_at(148);
    let (field, after) = rest.split_at(8);
    let digits = field.iter().map(|byte| char::from(*byte)).collect::<String>();
    let stated = u64::from_str_radix(digits.trim_matches([' ', '\0']), 8);
    let sum = before.iter().chain(after).map(|byte| u64::from(*byte)).sum::<u64>() + 8 * u64::from(b' ');
    stated == Ok(sum)
}

/// Whether a file is binary: NUL bytes in several places of a line that is not JSON, or after the beginning of a
/// first line that is not JSON. One run of NUL bytes is what a power failure leaves behind, and several within JSON
/// may be the output of a command: both only mean a damaged line.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let mut lines = lines::lines(bytes).take(LINES).filter_map(|line| bytes.get(line.span));
    let first = lines.next();
    first.is_some_and(|first| has_nul_in_words(first) || is_scattered(first)) || lines.any(is_scattered)
}

fn has_nul_in_words(line: &[u8]) -> bool {
    !begins_as_json(line) && memchr::memchr(0, line.trim_ascii_start()).is_some_and(|at| at > 0)
}

fn begins_as_json(line: &[u8]) -> bool {
    line.iter()
        .find(|byte| !byte.is_ascii_whitespace() && **byte != 0)
        .is_some_and(|first| matches!(first, b'{' | b'['))
}

fn is_scattered(line: &[u8]) -> bool {
    let run = memchr::memchr(0, line).filter(|_| !begins_as_json(line)).zip(memchr::memrchr(0, line));
    run.and_then(|(start, end)| line.get(start..end)).is_some_and(|run| run.iter().any(|byte| *byte != 0))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::format::{Bytes, by_name, detect, of_rows, stated_or_detected};

    const ROWS: &str = "{\"messages\":[{\"role\":\"user\",\"content\":\"ebb\"}]}\n";

    /// A tar archive of one file, with the given magic or, as before POSIX, without one.
    fn tar(text: &str, mark: &[u8]) -> Vec<u8> {
        let mut header = [0_u8; HEADER];
        header[..9].copy_from_slice(b"ebb.jsonl");
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", text.len()).as_bytes());
        header[257..257 + mark.len()].copy_from_slice(mark);
        header[148..156].fill(b' ');
        let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let padding = vec![0; 1024 + text.len().next_multiple_of(512) - text.len()];
        [&header, text.as_bytes(), &padding].concat()
    }

    #[test]
    fn an_archive_of_transcripts_is_none() {
        for mark in [&b"ustar\x0000"[..], b"ustar  \0", b""] {
            for text in [ROWS.to_owned(), ROWS.repeat(90)] {
                let bytes = tar(&text, mark);
                let found = detect(&bytes).unwrap();
                assert_eq!((found.name, found.format.is_some()), ("tar", false));
                let stated = stated_or_detected(by_name("openai-chat"), &bytes, Bytes::Whole).unwrap();
                assert_eq!(stated.name, "tar", "stated or not");
                assert!(of_rows(&bytes).is_none(), "nor a stream of rows");
            }
        }
    }

    #[test]
    fn what_is_binary_is_no_transcript_whatever_stands_in_it() {
        let cpio = format!("070701000\0ebb.jsonl\0\0{ROWS}{ROWS}{ROWS}");
        let other = format!("{ROWS}{ROWS}{ROWS}{ROWS}pages\0\0of\0a database\n");
        for bytes in [cpio, other] {
            assert!(detect(bytes.as_bytes()).is_err_and(|why| why.to_string().ends_with("it is binary")));
            assert!(stated_or_detected(by_name("openai-chat"), bytes.as_bytes(), Bytes::Whole).is_err());
            assert!(of_rows(bytes.as_bytes()).is_none());
        }
    }

    #[test]
    fn nul_bytes_of_lost_power_or_of_a_command_leave_a_damaged_line_and_no_binary_file() {
        for damaged in [
            format!("{ROWS}{ROWS}\0\0\0\0{ROWS}"),
            format!("{ROWS}{{\"mess\0\0\0\0\n{ROWS}{ROWS}"),
            format!("\0\0{ROWS}{ROWS}{ROWS}"),
            format!("{ROWS}{ROWS}{}{ROWS}", ROWS.replace("ebb", "a.c\0b.c\0")),
        ] {
            assert!(detect(damaged.as_bytes()).is_ok_and(|found| found.name == "openai-chat"), "{damaged:?}");
        }
        assert!(!is_tar(&[0; 600]) && !is_tar(ROWS.repeat(40).as_bytes()));
    }
}
