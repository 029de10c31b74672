//! Whether a recipe can be trained.

use super::{Recipe, TrainingFile};
use crate::error::{Error, Result};

impl Recipe {
    /// Checks that every field has a usable value.
    ///
    /// # Errors
    /// [`Error::Recipe`] naming the field.
    pub fn check(&self) -> Result<()> {
        let fail = |reason: String| Err(Error::Recipe(reason));
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.chars().all(plain) {
            return fail(format!(
                "name is {:?}, it must be letters, digits, '-', '_', '.'",
                self.name
            ));
        }
        for (field, code) in [
            ("source_language", &self.source_language),
            ("target_language", &self.target_language),
        ] {
            if code.is_empty() || !code.chars().all(plain) {
                return fail(format!(
                    "{field} is {code:?}, it must be a code like \"de\""
                ));
            }
        }
        if self.vocabulary.size > 1 << 16 {
            return fail(format!(
                "vocabulary.size is {}, the limit is 65536",
                self.vocabulary.size
            ));
        }
        if self.vocabulary.placeholders > 64 {
            return fail(format!(
                "vocabulary.placeholders is {}, the limit is 64",
                self.vocabulary.placeholders
            ));
        }
        if !(0.0..1.0).contains(&self.vocabulary.dropout) {
            return fail(format!(
                "vocabulary.dropout is {}, it must be from 0 to below 1",
                self.vocabulary.dropout
            ));
        }
        if self.data.train.is_empty() {
            return fail("data.train is empty, name at least one file".into());
        }
        for TrainingFile {
            file,
            source,
            target,
            weight,
            scores,
            keep,
            swap,
            ..
        } in &self.data.train
        {
            match (file, source, target) {
                (Some(_), None, None) | (None, Some(_), Some(_)) => {}
                _ => {
                    return fail(
                        "each data.train entry needs either file, or source and target".into(),
                    );
                }
            }
            if swap.is_some() && file.is_none() {
                return fail("swap is for a file of pairs: exchange source and target".into());
            }
            match (scores, keep) {
                (None, None) => {}
                (Some(_), Some(keep)) if *keep > 0.0 && *keep <= 1.0 => {}
                _ => {
                    return fail(
                        "scores and keep belong together, and keep must be above 0 and at most 1"
                            .into(),
                    );
                }
            }
            if !(weight.is_finite() && *weight >= 0.0) {
                return fail(format!(
                    "a data.train weight is {weight}, it must be 0 or more"
                ));
            }
        }
        if self.data.train.iter().all(|file| file.weight == 0.0) {
            return fail("every data.train weight is 0".into());
        }
        self.data.augment.check()?;
        self.check_languages()?;
        self.check_stages()?;
        let t = &self.training;
        for (name, value) in [
            ("training.batch_tokens", t.batch_tokens as u64),
            ("training.accumulation", t.accumulation as u64),
            ("training.max_steps", t.max_steps),
            ("training.schedule.warmup_steps", t.schedule.warmup_steps),
            ("training.log_every", t.log_every),
            ("training.validate_every", t.validate_every),
            ("training.snapshot_every", t.snapshot_every),
            ("data.max_length", self.data.max_length as u64),
        ] {
            if value == 0 {
                return fail(format!("{name} is 0, it must be at least 1"));
            }
        }
        if let Some(ema) = t.ema.filter(|ema| !(*ema > 0.0 && *ema <= 1.0)) {
            return fail(format!(
                "training.ema is {ema}, it must be above 0 and at most 1"
            ));
        }
        if t.cooldown_tokens > t.max_tokens {
            return fail(
                "training.cooldown_tokens is more than training.max_tokens, of which it is a part"
                    .into(),
            );
        }
        if !t.bleu_every.is_multiple_of(t.validate_every) {
            return fail(format!(
                "training.bleu_every is {}, it must be a multiple of training.validate_every {}",
                t.bleu_every, t.validate_every
            ));
        }
        if self.data.max_length > t.batch_tokens {
            return fail(format!(
                "data.max_length {} is above training.batch_tokens {}",
                self.data.max_length, t.batch_tokens
            ));
        }
        self.config(self.vocabulary.size).map(|_| ())
    }

    fn check_stages(&self) -> Result<()> {
        let training = &self.training;
        if training.stages.is_empty() {
            return Ok(());
        }
        let fail = |reason: &str| Err(Error::Recipe(reason.into()));
        if training.max_tokens.is_some() || training.cooldown_tokens.is_some() {
            return fail(
                "training.stages say their tokens: leave out max_tokens and cooldown_tokens",
            );
        }
        for (i, stage) in training.stages.iter().enumerate() {
            let fault = |reason: &str| fail(&format!("training.stages[{i}]: {reason}"));
            if stage.tokens == 0 {
                return fault("tokens is 0, it must be at least 1");
            }
            if stage.cooldown_tokens > Some(stage.tokens) {
                return fault("cooldown_tokens is more than tokens, of which it is a part");
            }
            self.of_stage(i)?
                .check()
                .or_else(|e| fault(&e.to_string()))?;
        }
        Ok(())
    }

    /// Either every file says its language or none does, and only languages are tested that are learned.
    fn check_languages(&self) -> Result<()> {
        let fail = |reason: String| Err(Error::Recipe(reason));
        let named = |file: &TrainingFile| file.language.is_some();
        let several = self.data.train.iter().any(named);
        if several && !self.data.train.iter().all(named) {
            return fail("some data.train entries have a language and some have none: give it to all or to none".into());
        }
        for file in &self.data.validation {
            let known = match &file.language {
                Some(language) => self
                    .data
                    .train
                    .iter()
                    .any(|trained| trained.language.as_ref() == Some(language)),
                None => !several,
            };
            if !known {
                return fail(format!(
                    "data.validation {:?} has the language {:?}, which no data.train entry has",
                    file.name, file.language
                ));
            }
        }
        Ok(())
    }
}
