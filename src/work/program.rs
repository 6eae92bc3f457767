//! A program of the user's: it is told something on its standard input, and what it prints is its answer.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest answer, in bytes.
const LONGEST: u64 = 1 << 20;
/// The bounds of the time that it may take: a second, a day.
const SHORTEST: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(86_400);
/// How often it is looked whether the program has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// The last bytes of what it complains of that are kept, and the most characters of them that an error says.
const COMPLAINT: usize = 4 << 10;
const TOLD: usize = 200;
/// How long it is waited for the end of a complaint once the program has ended: what it leaves running may hold it open.
const MOMENT: Duration = Duration::from_millis(200);

/// Runs a program and gives its answer; it is ended when its time is up, with all that it started. Where the command pipes
/// its standard error, the last line of it says why it failed.
///
/// # Errors
/// Says why there is no answer: it does not start, takes too long, prints too much or ends otherwise than well.
pub fn ask_program(mut command: Command, limit: Duration, question: String) -> Result<Vec<u8>, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    apart(&mut command);
    let (mut child, _running) = start(&mut command)?;
    let printed = talk(&mut child, question);
    let complained = listen(child.stderr.take());
    let limit = limit.clamp(SHORTEST, LONG);
    let late = || format!("no answer within {} s", limit.as_secs());
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(PAUSE),
            Ok(None) => {
                end_all(&mut child);
                return Err(late());
            }
            Err(error) => return Err(error.to_string()),
        }
    };
    let left = end.saturating_duration_since(Instant::now()).max(PAUSE);
    let answer = printed.recv_timeout(left).map_err(|_| {
        // It has ended, but what it started has not.
        end_group(child.id());
        late()
    })?;
    // One that prints too much is ended for it.
    if answer.len() as u64 > LONGEST {
        return Err(format!("an answer of more than {LONGEST} bytes"));
    }
    if status.success() {
        return Ok(answer);
    }
    let complaint = complained.recv_timeout(MOMENT).ok().and_then(|said| last_line(&said));
    Err(complaint.map_or_else(|| format!("it ended with {status}"), |line| format!("it ended with {status}: {line}")))
}

/// Lets a program lead a group of its own, so that what it starts can be ended with it.
fn apart(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a program, and what it started.
fn end_all(child: &mut Child) {
    end_group(child.id());
    let _ = child.kill().and_then(|()| child.wait());
}

/// Ends all programs of a group.
fn end_group(leader: u32) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(leader) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = leader;
}

/// The programs that run: the keys of a terminal that end this program do not reach groups of their own.
static RUNNING: Mutex<Programs> = Mutex::new(Programs { leaders: BTreeSet::new(), stopped: false });

/// The leaders of the programs that run, and whether no more may start.
struct Programs {
    leaders: BTreeSet<u32>,
    stopped: bool,
}

/// A program among those that run, until it is dropped.
struct Running(u32);

/// Starts a program, unless all were ended.
fn start(command: &mut Command) -> Result<(Child, Running), String> {
    let mut programs = programs();
    if programs.stopped {
        return Err("it was stopped".to_owned());
    }
    let child = command.spawn().map_err(|error| format!("it does not start: {error}"))?;
    programs.leaders.insert(child.id());
    let running = Running(child.id());
    Ok((child, running))
}

impl Drop for Running {
    fn drop(&mut self) {
        programs().leaders.remove(&self.0);
    }
}

fn programs() -> MutexGuard<'static, Programs> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs that were asked and have not answered, with what they started; no more start.
pub fn end_programs() {
    let mut programs = programs();
    programs.stopped = true;
    programs.leaders.iter().for_each(|leader| end_group(*leader));
}

/// The end of what a program complains of; it is read to its end, so that the program need not wait.
fn listen(error: Option<ChildStderr>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    let Some(mut error) = error else { return receiver };
    std::thread::spawn(move || {
        let (mut end, mut piece) = (Vec::new(), [0; COMPLAINT]);
        while let Ok(read @ 1..) = error.read(&mut piece) {
            end.extend_from_slice(&piece[..read]);
            end.drain(..end.len().saturating_sub(COMPLAINT));
        }
        // Nobody may listen any more.
        let _ = sender.send(end);
    });
    receiver
}

/// The last line that says something, with nothing in it that a terminal obeys.
fn last_line(said: &[u8]) -> Option<String> {
    let said = String::from_utf8_lossy(said);
    let line = said.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    let line: String = line.chars().filter(|letter| !letter.is_control()).take(TOLD).collect();
    Some(line)
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

#[cfg(all(test, unix))]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_a_late_program_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let sign = folder.path().join("sign");
        for ends in ["sleep 60", "exit"] {
            let mut command = Command::new("sh");
            command.arg("-c").arg(format!("(sleep 1.5; touch {}) & {ends}", sign.display()));
            assert!(ask_program(command, SHORTEST, String::new()).unwrap_err().contains("no answer"));
        }
        std::thread::sleep(SHORTEST);
        assert!(!sign.exists());
    }
}
