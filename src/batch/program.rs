//! A program of the user's: it is told something on its standard input, and what it prints is its answer.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The longest answer, in bytes.
const LONGEST: u64 = 1 << 20;
/// The bounds of the time that it may take: a second, a day.
const SHORTEST: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(86_400);
/// How often it is looked whether the program has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Runs a program and gives its answer; it is ended when its time is up.
///
/// # Errors
/// Says why there is no answer: it does not start, takes too long, prints too much or ends otherwise than well.
pub fn ask_program(mut command: Command, limit: Duration, question: String) -> Result<Vec<u8>, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("it does not start: {error}"))?;
    let printed = talk(&mut child, question);
    let limit = limit.clamp(SHORTEST, LONG);
    let late = || format!("no answer within {} s", limit.as_secs());
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(PAUSE),
            Ok(None) => {
                let _ = child.kill().and_then(|()| child.wait());
                return Err(late());
            }
            Err(error) => return Err(error.to_string()),
        }
    };
    let left = end.saturating_duration_since(Instant::now()).max(PAUSE);
    let answer = printed.recv_timeout(left).map_err(|_| late())?;
    // One that prints too much is ended for it.
    if answer.len() as u64 > LONGEST {
        return Err(format!("an answer of more than {LONGEST} bytes"));
    }
    if status.success() { Ok(answer) } else { Err(format!("it ended with {status}")) }
}

/// Tells and listens beside each other, so that neither waits for a full pipe. A program need not read what it is told,
/// and what it leaves running must not hold us.
fn talk(child: &mut Child, question: String) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    let (input, output) = (child.stdin.take(), child.stdout.take());
    std::thread::spawn(move || input.map(|mut input| input.write_all(question.as_bytes())));
    std::thread::spawn(move || {
        let mut answer = Vec::new();
        let read = output.map(|output| output.take(LONGEST + 1).read_to_end(&mut answer));
        // Nobody may listen any more.
        let _ = read.map(|_| sender.send(answer));
    });
    receiver
}
