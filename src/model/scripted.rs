//! A model for tests that gives prepared answers in order.

use super::{Account, Answer, Failure, Model, Prompt, Reply, Usage};
use crate::question_outcome::QuestionOutcome;
use std::sync::{Mutex, PoisonError};

/// Gives answers from a list, and records the prompts.
pub(crate) struct Scripted {
    answers: Mutex<Vec<Result<Answer, Failure>>>,
    asked: Mutex<Vec<Prompt>>,
    /// For each `remember`: the text of the answer to store, or `None` for one to remove.
    remembered: Mutex<Vec<Option<String>>>,
}

impl Scripted {
    /// A model with these answers.
    pub(crate) fn new(answers: Vec<Result<Answer, Failure>>) -> Self {
        Self {
            answers: Mutex::new(answers.into_iter().rev().collect()),
            asked: Mutex::default(),
            remembered: Mutex::default(),
        }
    }

    /// A model whose answers have these texts.
    pub(crate) fn saying(texts: &[&str]) -> Self {
        Self::new(texts.iter().map(|text| Ok(Answer { text: (*text).to_owned(), ..Answer::default() })).collect())
    }

    /// What was passed to `remember`, oldest first.
    pub(crate) fn remembered(&self) -> Vec<Option<String>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The prompts, oldest first.
    pub(crate) fn asked(&self) -> Vec<Prompt> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Model for Scripted {
    fn ask(&self, prompt: &Prompt) -> Reply {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(prompt.clone());
        let next = self.answers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let answer = next.unwrap_or_else(|| Err(Failure::new(QuestionOutcome::NotCached, "the script has ended")));
        let usage = Usage { input: prompt.tokens, output: 1 };
        Reply { answer, account: Account { requests: 1, usage, ..Account::default() } }
    }

    fn remember(&self, _: &Prompt, answer: Option<&Answer>) {
        let text = answer.map(|answer| answer.text.clone());
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}
