//! Passwords in arguments of commands, for the few programs whose usage requires a password at that place. Flags that
//! mean different things in different programs (`-p` can be a port, a folder, “print”) are not read.

use super::{compiled, passwords};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Maximum number of bytes searched after a program's name.
const REACH: usize = 400;

/// Programs, and the pattern of the rest of their command line up to the password.
static PROGRAMS: LazyLock<[(&str, Regex); 5]> = LazyLock::new(|| {
    let value = r#"(?P<value>[^\s"'`\\|;&<>]+)"#;
    let quote = r#"\\*["']?"#;
    let line = r"^(?:[^\n|;&]|\\\n)*?";
    let user = format!(r#"[ \t](?:-[a-zA-Z]{{0,3}}u[ \t]*|--(?:proxy-)?user[ \t=]+){quote}[^\s"'`\\:|;&$<>]+:{value}"#);
    // A password that is asked for stands apart from `-p`: what follows it then is the name of a database. Beside a user or
    // host it is a client's: `-p` of other programs that name the database (`find`, `docker run`) is something else.
    let client = r"[ \t](?:-[uh]|--(?:user|host)\b)[^\n|;&]*?";
    let database = format!(r#"{line}{client}[ \t]-p{quote}{value}"#);
    [
        ("curl", compiled(&format!("{line}{user}"))),
        ("sshpass", compiled(&format!(r#"^(?:[ \t]+-[evP]+)*[ \t]+-p[ \t]*{quote}{value}"#))),
        ("mysql", compiled(&database)),
        ("mariadb", compiled(&database)),
        ("redis-cli", compiled(&format!(r#"{line}[ \t]-a[ \t]+{quote}{value}"#))),
    ]
});

/// Byte ranges of passwords in the commands of a text.
pub(super) fn spans(text: &str) -> Vec<Range<usize>> {
    PROGRAMS.iter().flat_map(|(program, pattern)| of_program(text, program, pattern)).collect()
}

fn of_program(text: &str, program: &str, pattern: &Regex) -> impl Iterator<Item = Range<usize>> {
    text.match_indices(program).filter_map(move |(at, _)| {
        let start = at + program.len();
        let end = text.floor_char_boundary(start + REACH);
        let value = pattern.captures(&text[start..end])?.name("value")?;
        passwords::may_be_one(value.as_str()).then(|| start + value.start()..start + value.end())
    })
}

#[cfg(test)]
mod tests {
    use super::super::redact;

    #[test]
    fn passwords_of_commands_go() {
        for (text, bare) in [
            ("curl -u admin:letmein https://host/x", "curl -u admin:[secret] https://host/x"),
            ("curl -s -X PUT --user 'admin:let me", "curl -s -X PUT --user 'admin:[secret] me"),
            ("curl -su admin:letmein host", "curl -su admin:[secret] host"),
            (r#"{"command":"curl -u \"me:sesame\" host"}"#, r#"{"command":"curl -u \"me:[secret]\" host"}"#),
            ("curl -X POST \\\n  -u me:sesame \\\n  host", "curl -X POST \\\n  -u me:[secret] \\\n  host"),
            ("sshpass -p sesame ssh me@host", "sshpass -p [secret] ssh me@host"),
            ("mysql -u root -psesame quay", "mysql -u root -p[secret] quay"),
            ("mysqldump -h db -p'sesame' quay > x", "mysqldump -h db -p'[secret]' quay > x"),
            ("mariadb -uroot -psesame -e 'select 1'", "mariadb -uroot -p[secret] -e 'select 1'"),
            ("redis-cli -h cache -a sesame ping", "redis-cli -h cache -a [secret] ping"),
            ("sshpass -v -p'open' scp a b", "sshpass -v -p'[secret]' scp a b"),
        ] {
            assert_eq!(redact(text).0, bare, "{text}");
            assert_eq!(redact(bare).0, bare, "again");
        }
    }

    #[test]
    fn what_is_no_password_stays() {
        for text in [
            "curl -u \"$USER:$TOKEN\" https://host",
            "curl -u me:${TOKEN} https://host",
            "curl -u <user>:<password> https://host",
            "curl -u user:password https://host",
            "curl https://host | sort -u a:b",
            "curl -sSf https://host:8080/x",
            "curl -H 'a: b' http://127.0.0.1:3000",
            "we use curl\n-u a:bc",
            "mysql -u root -p quay",
            "mysql -u root -p$ROOT_PW quay",
            "mysql -P 3307 -h db",
            "find /w -name mysql -print",
            "docker run --name mysql -p3306:3306 image",
            "mkdir -p mysql && cp -pr a b",
            "redis-cli -n 2 --raw ping",
            "sshpass -f file ssh me@host",
            "sshpass -e ssh -p 22 me@host",
        ] {
            assert_eq!(redact(text).0, text);
        }
    }

    #[test]
    fn many_commands_on_a_line_take_linear_time() {
        let text = "curl -X ".repeat(50_000);
        assert_eq!(redact(&text).0, text);
    }
}
