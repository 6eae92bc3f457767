//! Where the reports of gates go.

use super::args::CheckArgs;
use crate::gates::Kind;
use anyhow::Context;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Where GitHub says that a step's summary goes.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The reports that are asked for: kind and place.
pub(super) fn outputs(args: &CheckArgs) -> anyhow::Result<Vec<(Kind, String)>> {
    let parse = |output: &PathBuf| {
        let text = output.to_string_lossy();
        let (kind, path) = text.split_once('=').map_or((&*text, None), |(kind, path)| (kind, Some(path.to_owned())));
        let kind: Kind = kind
            .parse()
            .map_err(|err: String| anyhow::anyhow!("-o {text}: with --fix a folder, else KIND=PATH: {err}"))?;
        let of_step = std::env::var(STEP_SUMMARY).ok().filter(|_| kind == Kind::Summary);
        let place = place(path, of_step).with_context(|| format!("-o {text}"))?;
        Ok((kind, place))
    };
    let all: Vec<(Kind, String)> = args.output.iter().map(parse).collect::<anyhow::Result<_>>()?;
    let mut places = BTreeSet::new();
    for (kind, place) in all.iter().filter(|(_, place)| place != "-") {
        let own = std::path::absolute(place).with_context(|| format!("-o {kind}={place}"))?;
        anyhow::ensure!(places.insert(own), "-o {kind}={place}: another report is written to this file");
    }
    printed(&all, args.json)?;
    Ok(all)
}

/// Two reports on standard output can be read by people, and by no program.
fn printed(outputs: &[(Kind, String)], json: bool) -> anyhow::Result<()> {
    let mut there: Vec<Kind> = outputs.iter().filter(|(_, place)| place == "-").map(|(kind, _)| *kind).collect();
    there.sort_by_key(|kind| !matches!(kind, Kind::Json | Kind::Junit | Kind::Sarif));
    match there.as_slice() {
        [kind, ..] if json => {
            anyhow::bail!("--json and -o {kind} both go to standard output; write {kind}=PATH, or leave --json out")
        }
        [kind @ (Kind::Json | Kind::Junit | Kind::Sarif), other, ..] => {
            anyhow::bail!("-o {kind} and -o {other} both go to standard output; write {kind}=PATH")
        }
        _ => Ok(()),
    }
}

/// Where a report goes: to the given path, or that of the step's summary, or else to standard output. A variable that
/// is empty counts as unset.
fn place(path: Option<String>, of_step: Option<String>) -> anyhow::Result<String> {
    anyhow::ensure!(path.as_deref() != Some(""), "no path behind `=`; name a file, or `-` for standard output");
    Ok(path.or_else(|| of_step.filter(|path| !path.is_empty())).unwrap_or_else(|| "-".to_owned()))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_report_goes_to_its_path_or_to_the_summary_of_the_step() {
        let own =
            |path: Option<&str>, of_step: Option<&str>| place(path.map(str::to_owned), of_step.map(str::to_owned)).ok();
        assert_eq!(own(Some("a.xml"), Some("step.md")).as_deref(), Some("a.xml"));
        assert_eq!(own(None, Some("step.md")).as_deref(), Some("step.md"));
        assert_eq!([own(None, Some("")), own(None, None)], [Some("-".to_owned()), Some("-".to_owned())], "as if unset");
        assert_eq!(own(Some(""), Some("step.md")), None, "no path");
    }

    #[test]
    fn a_report_for_programs_is_alone_on_standard_output() {
        let told = |kinds: &[(Kind, &str)]| {
            let all: Vec<_> = kinds.iter().map(|(kind, place)| (*kind, (*place).to_owned())).collect();
            printed(&all, false).map_err(|error| error.to_string())
        };
        assert!(told(&[(Kind::Junit, "-")]).is_ok() && told(&[(Kind::Github, "-"), (Kind::Summary, "-")]).is_ok());
        assert!(told(&[(Kind::Junit, "-"), (Kind::Sarif, "a.sarif")]).is_ok());
        let beside = |place: &str| printed(&[(Kind::Junit, place.to_owned())], true).map_err(|error| error.to_string());
        assert!(beside("a.xml").is_ok());
        assert!(beside("-").unwrap_err().starts_with("--json and -o junit both go"));
        for other in [Kind::Sarif, Kind::Text, Kind::Junit] {
            let error = told(&[(other, "-"), (Kind::Junit, "-")]).unwrap_err();
            assert!(error.ends_with("=PATH") && error.contains("both go to standard output"), "{error}");
        }
    }
}
