//! Cases of masking: what is masked, what stays, and that a second run finds nothing.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

const TOKEN: &str = "ghp_aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9";
const VALUE: &str = "q7Zk29LmPx03Vb81Ty55";

fn masked(source: &str) -> String {
    masked_but(source, &BTreeSet::new())
}

fn masked_but(source: &str, ids: &BTreeSet<String>) -> String {
    let Masks { patches, .. } = masks(source.as_bytes(), ids);
    let bare = String::from_utf8_lossy(&apply(source.as_bytes(), &patches)).into_owned();
    assert_eq!(masks(bare.as_bytes(), ids), Masks::default(), "again: {bare}");
    assert!(bare.len() <= source.len());
    bare
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|err| json!(format!("{err}: {text}")))
}

#[test]
fn strings_are_masked_and_every_other_byte_stays() {
    let source = format!("{{ \"a\" : [1.50, \"x {TOKEN} y\"],\r\n  \"b\\u0063\":null }}\n{{\"k\":\"{TOKEN}\"}}");
    let expected = "{ \"a\" : [1.50, \"x [secret] y\"],\r\n  \"b\\u0063\":null }\n{\"k\":\"[secret]\"}";
    assert_eq!(masked(&source), expected);
    let counts = masks(source.as_bytes(), &BTreeSet::new()).counts;
    assert_eq!(counts, BTreeMap::from([("GitHub token".to_owned(), 2)]));
}

#[test]
fn escapes_hide_nothing() {
    let pem = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{0}\n{0}\n-----END RSA PRIVATE KEY-----\n",
        "MIIEvQIBADANBgkq".repeat(4)
    );
    let slashes = r#"{"a":"postgres:\/\/me:hunter2@db\/x","b":"api_key=q7Zk29LmPx03\u002bVb81Ty55"}"#;
    assert_eq!(masked(slashes), r#"{"a":"postgres:\/\/me:[secret]@db\/x","b":"api_key=[secret]"}"#);
    assert_eq!(
        masked(r#"["\u0067hp_aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9 \ud83d\ude00"]"#),
        r#"["[secret] \ud83d\ude00"]"#
    );
    assert_eq!(
        value(&masked(&json!({"text": format!("é\n{pem}after")}).to_string())),
        json!({"text": "é\n[secret]\nafter"})
    );
}

#[test]
fn json_within_strings_stays_json() {
    let inner =
        json!({"command": format!("line\n{TOKEN}"), "api_key": VALUE, "deep": json!({"password": VALUE}).to_string()});
    let bare = masked(&json!({"arguments": inner.to_string()}).to_string());
    let arguments = value(value(&bare)["arguments"].as_str().unwrap_or_default());
    assert_eq!((&arguments["command"], &arguments["api_key"]), (&json!("line\n[secret]"), &json!("[secret]")));
    assert_eq!(value(arguments["deep"].as_str().unwrap_or_default()), json!({"password": "[secret]"}));
}

#[test]
fn a_key_that_says_secret_makes_its_value_one() {
    assert_eq!(
        masked(&format!("{{\"aws_secret_key\" : \"{VALUE}\", \"name\": \"{VALUE}\"}}")),
        format!("{{\"aws_secret_key\" : \"[secret]\", \"name\": \"{VALUE}\"}}")
    );
    assert_eq!(masked(&format!("{{\"{TOKEN}\": 1}}")), "{\"[secret]\": 1}");
    let long = "IQoJb3JpZ2luX2VjEA5aDmFwLXNvdXRo".repeat(40);
    assert_eq!(masked(&format!("{{\"SessionToken\":\"{long}\"}}")), "{\"SessionToken\":\"[secret]\"}");
}

#[test]
fn texts_of_a_list_are_judged_with_its_key() {
    for (source, bare) in [
        (
            r#"{"passwords" : [ null, "hunter2hunter2", 7, "swordfish99x"], "piers": ["pier77"]}"#,
            r#"{"passwords" : [ null, "[secret]", 7, "[secret]"], "piers": ["pier77"]}"#,
        ),
        (
            "{\n \"password\": [\n  \"hunter2hunter2\",\n  \"swordfish99x\"\n ],\n \"n\": [\n  \"pier77\"\n ]\n}\n",
            "{\n \"password\": [\n  \"[secret]\",\n  \"[secret]\"\n ],\n \"n\": [\n  \"pier77\"\n ]\n}\n",
        ),
        (
            r#"{"content":"{\"tokens\":[\"a\",\"q7Zk29LmPx03Vb81Ty55\"]}"}"#,
            r#"{"content":"{\"tokens\":[\"a\",\"[secret]\"]}"}"#,
        ),
    ] {
        assert_eq!(masked(source), bare);
    }
}

#[test]
fn links_signatures_and_media_stay() {
    let ids = BTreeSet::from([TOKEN.to_owned()]);
    let linked = format!("{{\"id\":\"{TOKEN}\",\"text\":\"of {TOKEN}\"}}");
    assert_eq!(masked_but(&linked, &ids), format!("{{\"id\":\"{TOKEN}\",\"text\":\"of [secret]\"}}"));
    let sealed = format!("gAAAA-sk-{}", "x1".repeat(40));
    let media = format!("{}-sk-{}", "aB3x".repeat(300), "x1".repeat(40));
    let source =
        format!("{{\"signature\":\"{sealed}\",\"data\":\"{media}\",\"url\":\"data:image/png;base64,{media}\"}}");
    assert_eq!(masked(&source), source);
    assert_eq!(masked(&format!("{{\"signature\":\"{TOKEN}\"}}")), "{\"signature\":\"[secret]\"}");
}

#[test]
fn what_is_no_json_is_masked_as_text() {
    assert_eq!(masked(&format!("{{\"cut\": \"off {TOKEN}")), "{\"cut\": \"off [secret]");
    assert_eq!(
        masked(&format!("TOKEN={TOKEN}\n\"odd {TOKEN}\n{{\"a\":\"{TOKEN}\"}}\n")),
        "TOKEN=[secret]\n\"odd [secret]\n{\"a\":\"[secret]\"}\n"
    );
    let broken = [b"\xff ".as_slice(), TOKEN.as_bytes(), b" \xfe\n"].concat();
    let Masks { patches, .. } = masks(&broken, &BTreeSet::new());
    assert_eq!(&*apply(&broken, &patches), b"\xff [secret] \xfe\n");
}

#[test]
fn two_rounds_find_what_one_uncovers() {
    // Together with the value it is no address, since it has a slash.
    let source = format!("{{\"t\":\"q://user:password={VALUE}/x1@host\"}}");
    assert_eq!(masked(&source), "{\"t\":\"q://user:[secret]@host\"}");
}

proptest! {
    #[test]
    fn any_document_stays_one_on_every_level_and_its_token_goes(
        before in "[\\PC\n\"\\\\]{0,12}",
        mark in proptest::sample::select(vec![" ", "\n", "\"", "/", "\t", "=", "\\"]),
        after in "[\\PC\n\"\\\\]{0,12}",
        depth in 0_usize..=DEPTH,
    ) {
        let mut text = format!("{before}{mark}{TOKEN} {after}");
        for _ in 0..depth {
            text = json!({"k": text, "n": [1.5e3, null, &before]}).to_string();
        }
        let bare = masked(&json!({"a": text}).to_string());
        prop_assert!(!bare.contains("aB3xY9aB3x"), "{bare}");
        let mut inner = value(&bare)["a"].clone();
        for _ in 0..depth {
            let level = value(inner.as_str().unwrap_or_default());
            prop_assert_eq!(&level["n"][0], &json!(1.5e3), "{}", bare);
            inner = level["k"].clone();
        }
        prop_assert!(inner.as_str().is_some_and(|text| text.contains("[secret]")), "{bare}");
    }
}
