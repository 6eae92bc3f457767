//! Precedence of configuration: flags, environment, the project's file, the user's file.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/program.rs"]
mod program;

use program::program;
use std::fs;
use std::path::Path;

/// The effective settings as the program shows them, with these variables.
fn settings(folder: &Path, variables: &[(&str, &str)], args: &[&str]) -> Result<String, String> {
    let mut command = program(folder);
    command.env_remove("EPITOME_CONFIG").env_remove("XDG_CONFIG_HOME").env("HOME", "/nowhere");
    command.envs(variables.iter().copied()).args(["compact", "--show-settings"]).args(args);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

fn says(settings: &str, line: &str) -> bool {
    settings.lines().any(|own| own.starts_with(line))
}

#[test]
fn ones_own_file_is_found_in_its_three_places() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().to_str().unwrap();
    for (folder, tokens) in [("xdg/epitome", 11), ("home/.config/epitome", 12), ("elsewhere", 13)] {
        fs::create_dir_all(temp.path().join(folder)).unwrap();
        fs::write(temp.path().join(folder).join("config.toml"), format!("split.tail-tokens = {tokens}\n")).unwrap();
    }
    let (xdg, home) = (format!("{root}/xdg"), format!("{root}/home"));
    let named = format!("{root}/elsewhere/config.toml");
    let all = [("EPITOME_CONFIG", named.as_str()), ("XDG_CONFIG_HOME", &xdg), ("HOME", &home)];
    for (from, tokens) in [(0, 13), (1, 11), (2, 12)] {
        assert!(says(
            &settings(temp.path(), &all[from..], &[]).unwrap(),
            &format!("split.tail-tokens = {tokens}  # {root}")
        ));
    }
    let none = settings(temp.path(), &[("EPITOME_CONFIG", ""), ("HOME", &home)], &[]).unwrap();
    assert!(!none.contains("split.tail-tokens"), "{none}");
    let missing = settings(temp.path(), &[("EPITOME_CONFIG", "no.toml")], &[]).unwrap_err();
    assert!(missing.contains("configuration no.toml"), "{missing}");
}

#[test]
fn the_projects_file_lies_over_it_and_variables_and_flags_over_both() {
    let temp = tempfile::tempdir().unwrap();
    fs::create_dir(temp.path().join("own")).unwrap();
    let own = "preset.extends = 'lean'\n[split]\ntail-tokens = 1\nmin-tail = 2\n[summary]\ntokens = 3\nhook = 'h'\ntemplate = 't.md'\n[limits]\nreserve = 4\n";
    fs::write(temp.path().join("own/config.toml"), own).unwrap();
    fs::write(
        temp.path().join("epitome.toml"),
        "[split]\nmin-tail = 20\n[summary]\ntokens = 30\n[limits]\nreserve = 40\n",
    )
    .unwrap();
    let variables =
        [("EPITOME_CONFIG", "own/config.toml"), ("EPITOME_SUMMARY_TOKENS", "300"), ("EPITOME_RESERVE", "400")];
    let text = settings(temp.path(), &variables, &["--reserve", "4000"]).unwrap();
    let folder = temp.path().join("own").display().to_string();
    for line in [
        "# preset lean".to_owned(),
        "split.tail-tokens = 1  # own/config.toml".to_owned(),
        "split.min-tail = 20  # epitome.toml".to_owned(),
        "summary.tokens = 300  # environment".to_owned(),
        "limits.reserve = 4000  # command line".to_owned(),
        format!("summary.hook = \"{folder}/h\""),
        format!("summary.template = \"{folder}/t.md\""),
    ] {
        assert!(says(&text, &line), "{line}: {text}");
    }
}

#[test]
fn one_file_is_read_once_and_what_it_names_lies_beside_it() {
    let temp = tempfile::tempdir().unwrap();
    let text = "llm.base-url = 'http://127.0.0.1:9/v1'\nsummary.hook = 'hook.sh'\n";
    fs::write(temp.path().join("epitome.toml"), text).unwrap();
    let hook = format!("summary.hook = \"{}/hook.sh\"", temp.path().display());
    let own = settings(temp.path(), &[("EPITOME_CONFIG", "epitome.toml")], &[]).unwrap();
    let named = settings(temp.path(), &[], &["--config", "epitome.toml"]).unwrap();
    assert!(says(&own, &hook) && says(&named, &hook), "{own}{named}");
    let met = settings(temp.path(), &[], &[]).unwrap_err();
    assert!(met.contains("llm.base-url counts only in a file that is named"), "{met}");
    fs::write(temp.path().join("own.toml"), "[gates]\nK01 = 'off'\n").unwrap();
    let gates = settings(temp.path(), &[("EPITOME_CONFIG", "own.toml")], &[]).unwrap_err();
    assert!(gates.contains("[gates] belongs into the epitome.toml of a project"), "{gates}");
}

#[test]
fn a_preset_of_ones_own_that_nobody_could_use_is_not_printed() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("u.toml"), "[presets.mine]\nextends = 'mine'\n[presets.lost]\nextends = 'nope'\n")
        .unwrap();
    for (name, told) in [("mine", "it extends itself"), ("lost", "extends = \"nope\": unknown preset")] {
        let output = program(temp.path()).args(["presets", name, "--config", "u.toml"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{output:?}");
    }
}

#[test]
fn every_policy_flag_can_be_a_variable_and_others_are_refused() {
    let temp = tempfile::tempdir().unwrap();
    let variables = [
        ("EPITOME_REDACT", "true"),
        ("EPITOME_PROVENANCE", "1"),
        ("EPITOME_PRUNE_ERRORS", "false"),
        ("EPITOME_SECTION", "Open work, Risks"),
        ("EPITOME_PROTECT_TOOL", "probe,look*"),
        ("EPITOME_LLM_KEY", "is somebody's key"),
    ];
    let text = settings(temp.path(), &variables, &["--protect-tool", "ask"]).unwrap();
    for line in [
        "output.redact = true  # environment EPITOME_REDACT",
        "summary.provenance = true  # environment",
        "prune.errors = false  # environment",
        "summary.sections = [\"Open work\", \"Risks\"]",
        "prune.protect-tools = [\"skill\", \"probe\", \"look*\", \"ask\"]",
    ] {
        assert!(says(&text, line), "{line}: {text}");
    }
    let counted = [("EPITOME_TAIL_TOKENS", "1.5k"), ("EPITOME_CONTEXT_WINDOW", "1M"), ("EPITOME_STUB", "2k")];
    let text = settings(temp.path(), &counted, &["--max-tokens", "10k"]).unwrap();
    for line in [
        "split.tail-tokens = 1500",
        "limits.context-window = 1000000",
        "limits.max-tokens = 10000",
        "prune.stub = \"2k\"",
    ] {
        assert!(says(&text, line), "{line}: {text}");
    }
    let error = settings(temp.path(), &[], &["--max-tokens", "10kb"]).unwrap_err();
    assert!(error.contains("such as 8000, 8k, 1.5k or 1M"), "{error}");
    let error = settings(temp.path(), &[("EPITOME_TAIL_TOKEN", "9")], &[]).unwrap_err();
    assert!(error.contains("EPITOME_TAIL_TOKEN: no such setting; did you mean EPITOME_TAIL_TOKENS?"), "{error}");
    let error = settings(temp.path(), &[("EPITOME_REDACT", "yes")], &[]).unwrap_err();
    assert!(error.contains("environment EPITOME_REDACT: output.redact = \"yes\""), "{error}");
    let error = settings(temp.path(), &[], &["--ui-copies", "z"]).unwrap_err();
    assert!(error.contains("error: --ui-copies z: unknown variant `z`"), "{error}");
}

/// Every flag of the policy is also known as a variable, as the help says.
#[test]
fn the_flags_of_the_policy_are_all_known_as_variables() {
    let help = program(Path::new(".")).args(["compact", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let policy = help.split("\nPolicy:\n").nth(1).and_then(|rest| rest.split("\nModels").next()).unwrap();
    let flags = policy.split_whitespace().filter_map(|word| word.strip_prefix("--"));
    let flags = flags.filter(|flag| flag.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'));
    let temp = tempfile::tempdir().unwrap();
    let mut count = 0;
    for flag in flags.filter(|flag| *flag != "config") {
        let name = format!("EPITOME_{}", flag.to_uppercase().replace('-', "_"));
        let told = settings(temp.path(), &[(&name, "none of these")], &[]).err().unwrap_or_default();
        assert!(!told.contains("no such setting"), "{told}");
        count += 1;
    }
    assert!(count >= 35, "{count}");
}
