//! The table of all kinds of secrets: what each is called, what it looks like, and the words that hint at it.

use super::services;

/// A kind of secret.
pub(super) struct Kind {
    /// Its name in reports.
    pub(super) name: &'static str,
    /// What it looks like.
    pub(super) form: Form,
    /// Fixed words of which every text with a secret of this kind has one.
    pub(super) hints: &'static [Hint],
}

/// A fixed word of a key, and the minimum number of key characters after it. Key characters are ASCII digits, letters
/// and `+-./=_`.
pub(super) type Hint = (&'static str, usize);

/// What a secret looks like. Patterns that start with a word character must follow [`super::START`] or
/// [`super::COLOR`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A key in a documented format.
    Key(&'static str),
    /// A key of some other service: it must also look random, as some names have its form.
    ServiceKey(&'static str),
    /// The first line of a private key, whose body follows.
    PrivateKey(&'static str),
    /// An address with a password, the group of the pattern, mostly behind a name.
    Address(&'static str),
    /// A value assigned to a name such as `token`.
    Assigned,
    /// A value stated to be a password.
    Password,
    /// A password in the arguments of a command.
    Command,
}

impl Form {
    /// Its pattern, if it has one.
    pub(super) fn shape(self) -> Option<&'static str> {
        match self {
            Self::Key(shape) | Self::ServiceKey(shape) | Self::PrivateKey(shape) | Self::Address(shape) => Some(shape),
            Self::Assigned | Self::Password | Self::Command => None,
        }
    }

    /// Whether such secrets follow a name in the text; such names may be of any case.
    pub(super) fn is_named(self) -> bool {
        matches!(self, Self::Assigned | Self::Password)
    }
}

const fn key(name: &'static str, shape: &'static str, hints: &'static [Hint]) -> Kind {
    kind(name, Form::Key(shape), hints)
}

const fn kind(name: &'static str, form: Form, hints: &'static [Hint]) -> Kind {
    Kind { name, form, hints }
}

/// All kinds, in the order in which they are looked for; of secrets at one place, the first counts.
pub(super) const KINDS: &[Kind] = &[
    key("AWS access key", r"(?:AKIA|ASIA)[0-9A-Z]{16}\b", &[("AKIA", 16), ("ASIA", 16)]),
    key(
        "GitHub token",
        r"(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})\b",
        &[("ghp_", 36), ("gho_", 36), ("ghu_", 36), ("ghs_", 36), ("ghr_", 36), ("github_pat_", 22)],
    ),
    key(
        "GitLab token",
        r"gl(?:pat|ptt|rt|dt|cbt|soat|ft|imt|agent|oas)-[A-Za-z0-9_-]{20,}",
        &[
            ("glpat-", 20),
            ("glptt-", 20),
            ("glrt-", 20),
            ("gldt-", 20),
            ("glcbt-", 20),
            ("glsoat-", 20),
            ("glft-", 20),
            ("glimt-", 20),
            ("glagent-", 20),
            ("gloas-", 20),
        ],
    ),
    key("Slack token", r"(?:xox[abcdeoprs]|xapp)-[A-Za-z0-9%+/=-]{10,}", &[("xox", 12), ("xapp-", 10)]),
    key("Anthropic key", r"sk-ant-[A-Za-z0-9_-]{20,}", &[("sk-ant-", 20)]),
    key("OpenAI key", r"sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}", &[("sk-", 32)]),
    key("Google API key", r"AIza[0-9A-Za-z_-]{35}\b", &[("AIza", 35)]),
    key(
        "Stripe key",
        r"(?:[rs]k_(?:live|test)_[0-9A-Za-z]{16,}|whsec_[0-9A-Za-z+/=]{24,})",
        &[("k_live_", 16), ("k_test_", 16), ("whsec_", 24)],
    ),
    key("npm token", r"npm_[A-Za-z0-9]{36}\b", &[("npm_", 36)]),
    key("PyPI token", r"pypi-AgE[A-Za-z0-9_-]{50,}", &[("pypi-AgE", 50)]),
    key("Docker token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}", &[("dckr_pat_", 20), ("dckr_oat_", 20)]),
    key("DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}\b", &[("doo_v1_", 64), ("dop_v1_", 64), ("dor_v1_", 64)]),
    key("SendGrid key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}\b", &[("SG.", 33)]),
    key("Google OAuth token", r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}", &[("ya29.", 20), ("GOCSPX-", 20)]),
    key(
        "Slack webhook",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}",
        &[("hooks.slack.com/", 20)],
    ),
    key("Hugging Face token", r"(?:hf|api_org)_[A-Za-z0-9]{30,}\b", &[("hf_", 30), ("api_org_", 30)]),
    key("Telegram token", r"(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}\b", &[(":AA", 32)]),
    key(
        "Discord webhook",
        r"https://(?:[a-z]+\.)?discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]+/[A-Za-z0-9_-]{20,}",
        &[("discord.com/api/", 22), ("discordapp.com/api/", 22)],
    ),
    kind("service key", Form::ServiceKey(services::SHAPE), services::WORDS),
    key("JSON web token", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}", &[("eyJ", 35)]),
    kind("private key", Form::PrivateKey(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"), &[("PRIVATE KEY-----", 0)]),
    kind(
        "password in an address",
        Form::Address(r#"[a-z][a-z0-9+.-]*://[^/\s:@"'`\\<>{}]*:([^/\s:@"'`\\<>{}]{3,})@"#),
        &[("://", 0)],
    ),
    kind(
        "assigned secret",
        Form::Assigned,
        &[
            ("secret", 0),
            ("passw", 0),
            ("apikey", 0),
            ("api_key", 0),
            ("api key", 0),
            ("api-key", 0),
            ("accesskey", 0),
            ("access_key", 0),
            ("access-key", 0),
            ("accountkey", 0),
            ("account_key", 0),
            ("account-key", 0),
            ("privatekey", 0),
            ("private_key", 0),
            ("private-key", 0),
            ("authkey", 0),
            ("auth_key", 0),
            ("auth-key", 0),
            ("token", 0),
            ("credential", 0),
            ("bearer", 0),
            ("authorization", 0),
        ],
    ),
    kind(
        "password",
        Form::Password,
        &[
            ("passw", 0),
            ("passphrase", 0),
            ("passcode", 0),
            ("mysql_pwd", 0),
            ("_pass", 0),
            ("_pepper", 0),
            ("_salt", 0),
            ("aseña", 0),
            ("passe", 0),
            ("senha", 0),
            ("пароль", 0),
            ("密码", 0),
        ],
    ),
    kind(
        "password of a command",
        Form::Command,
        &[("curl", 0), ("sshpass", 0), ("mysql", 0), ("mariadb", 0), ("redis-cli", 0)],
    ),
];
