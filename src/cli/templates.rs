//! Templates of the summary that are files.

use crate::summary::{Template, TemplateError};
use anyhow::Context;
use std::path::Path;

/// Reads a template; an error names the file, and the line where there is one.
pub(super) fn read(path: &Path, sections: &[String], free_form: bool) -> anyhow::Result<Template> {
    let text = std::fs::read_to_string(path).with_context(|| format!("template {}", path.display()))?;
    Template::parse(&text, sections, free_form).map_err(|error| {
        let line = line(&text, &error).map_or_else(String::new, |line| format!(":{line}"));
        anyhow::anyhow!("{}{line}: {error}", path.display())
    })
}

/// The line of a text, from 1, that an error is about.
fn line(text: &str, error: &TemplateError) -> Option<usize> {
    let find = |is: &dyn Fn(&str) -> bool| text.lines().position(|line| is(line.trim())).map(|at| at + 1);
    match error {
        TemplateError::Duplicate(name) => {
            let is = |line: &str| line.strip_prefix("## ").is_some_and(|own| own.trim() == name);
            let all = text.lines().enumerate().filter(|(_, line)| is(line));
            all.last().map(|(at, _)| at + 1)
        }
        // The first line opens the front matter.
        TemplateError::FrontMatterLine(number) => Some(number + 1),
        TemplateError::UnknownSource { source_key } => {
            find(&|line| line.rsplit_once(':').is_some_and(|(_, source)| source.trim() == source_key))
        }
        TemplateError::UnknownSection(name) => {
            find(&|line| line.rsplit_once(':').is_some_and(|(own, _)| own.trim() == name))
        }
        TemplateError::OpenFrontMatter => Some(1),
        TemplateError::NoSections | TemplateError::BadName(_) | TemplateError::SourceTwice(_) => None,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_file_and_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tide.md");
        for (text, told) in [
            ("# Tides\n## A\n\n## A\n", ":4: the template has the section `A` twice"),
            ("---\nA: gaol\n---\n## A\n", ":2: `gaol` fills no section"),
            ("---\nB: goal\n---\n## A\n", ":2: the template's front matter names `B`"),
            ("---\nA: goal\nquay\n---\n## A\n", ":3: line 2 of the template's front matter"),
            ("Tides\n", ": the template has no `## ` heading"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = read(&path, &[], false).unwrap_err().to_string();
            assert!(error.contains(&format!("tide.md{told}")), "{error}");
        }
        let error = read(Path::new("nowhere.md"), &[], false).unwrap_err();
        assert!(format!("{error:#}").starts_with("template nowhere.md: "));
    }
}
