//! Completion scripts and the manual page.

use super::args::{CompletionsArgs, ManArgs};
use super::{Cli, ExitStatus, Terminal};
use anyhow::Context;
use clap::CommandFactory;

/// Prints a completion script.
pub(super) fn completions(args: &CompletionsArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "epitome", &mut script);
    terminal.result(&String::from_utf8_lossy(&script))?;
    Ok(ExitStatus::Done)
}

/// Prints the manual page in roff, or that of a command.
pub(super) fn man(args: &ManArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command(args.command.as_deref())?).render(&mut page)?;
    terminal.result(&String::from_utf8_lossy(&page))?;
    Ok(ExitStatus::Done)
}

/// The whole program, or one of its commands under its full name.
fn command(name: Option<&str>) -> anyhow::Result<clap::Command> {
    let mut all = Cli::command();
    all.build();
    let Some(name) = name else { return Ok(Cli::command()) };
    let found =
        all.find_subcommand(name).with_context(|| format!("{name}: no such command; `epitome help` lists them"))?;
    let full: &'static str = format!("epitome-{name}").leak();
    Ok(found.clone().name(full).bin_name(format!("epitome {name}")))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let page = |name| {
            let mut page = Vec::new();
            clap_mangen::Man::new(command(name).unwrap()).render(&mut page).unwrap();
            String::from_utf8(page).unwrap()
        };
        assert!(page(Some("compact")).contains("tail\\-tokens") && page(None).contains("compact"));
        assert!(command(Some("compcat")).is_err());
        assert!(page(Some("compact")).contains("\\fBepitome compact\\fR"), "as it is typed");
    }

    #[test]
    fn completions_know_formats() {
        let mut script = Vec::new();
        clap_complete::generate(clap_complete::Shell::Bash, &mut Cli::command(), "epitome", &mut script);
        let script = String::from_utf8(script).unwrap();
        assert!(script.contains("openai-chat") && script.contains("\"always overflow\""));
    }
}
