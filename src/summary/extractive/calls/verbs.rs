//! What the name of a tool says that it does: looks something up, or changes something outside of the session's files.

use super::shown::{Shown, arguments};
use crate::summary::text::starts_any;

/// Beginnings of names of tools that only look something up, and of others that begin like them.
const LOOKING: &[&str] = &[
    "get",
    "list",
    "search",
    "find",
    "calculate",
    "read",
    "fetch",
    "lookup",
    "look_up",
    "check",
    "view",
    "show",
    "query",
    "describe",
    "retrieve",
];
const NOT_LOOKING: [&str; 6] = ["checkout", "check_out", "check-out", "checkin", "check_in", "check-in"];
/// Beginnings of names of tools that find out whether something holds.
const EXAMINES: [&str; 4] = ["check", "test", "validate", "verify"];
/// Words in the names of tools that change something.
const CHANGES: &[&str] = &[
    "activate",
    "approve",
    "block",
    "book",
    "buy",
    "cancel",
    "charge",
    "create",
    "deactivate",
    "delete",
    "deploy",
    "exchange",
    "merge",
    "modify",
    "move",
    "pay",
    "place",
    "post",
    "publish",
    "purchase",
    "push",
    "redeem",
    "refund",
    "register",
    "remove",
    "reschedule",
    "reserve",
    "restart",
    "schedule",
    "send",
    "submit",
    "transfer",
    "unblock",
    "update",
    "upload",
    "withdraw",
    "acheter",
    "annullare",
    "annuler",
    "bezahlen",
    "bestellen",
    "borrar",
    "buchen",
    "cancelar",
    "comprar",
    "comprare",
    "enviar",
    "envoyer",
    "erstatten",
    "inviare",
    "kaufen",
    "löschen",
    "pagar",
    "pagare",
    "payer",
    "prenotare",
    "reembolsar",
    "rembourser",
    "reservar",
    "reservieren",
    "rimborsare",
    "réserver",
    "senden",
    "stornieren",
    "supprimer",
    "zahlen",
];
/// Last words of names of tools that tell of something: `payment_status`.
const NOUNS: [&str; 7] = ["details", "history", "info", "information", "list", "state", "status"];
/// Words in the names of tools that read a page: what they do, what they do it to, and that which says enough of one
/// that passes an address.
const OPENS: [&str; 13] = [
    "browse", "crawl", "extract", "fetch", "get", "load", "navigate", "open", "read", "retrieve", "scrape", "view",
    "visit",
];
const PAGES: [&str; 11] =
    ["browser", "doc", "document", "link", "page", "site", "url", "web", "webpage", "website", "article"];
const AT_ADDRESS: [&str; 5] = ["document", "page", "url", "web", "webpage"];
/// Words in the names of others that may pass an address, too.
const PUTS: [&str; 23] = [
    "account",
    "add",
    "checkout",
    "click",
    "clone",
    "download",
    "fill",
    "install",
    "issue",
    "login",
    "order",
    "pull",
    "register",
    "save",
    "set",
    "share",
    "sign",
    "subscribe",
    "tab",
    "ticket",
    "type",
    "webhook",
    "write",
];
/// Arguments that name the method of a request, and the one that only reads.
const METHODS: [&str; 3] = ["http_method", "method", "verb"];
const READS: &str = "GET";
/// Arguments with an address, and beginnings of those of this machine.
const ADDRESSES: [&str; 5] = ["href", "link", "uri", "url", "urls"];
const OWN_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "0.0.0.0"];
/// Verbs whose participle does not end in “ed”.
const IRREGULAR: [(&str, &str); 12] = [
    ("build", "built"),
    ("buy", "bought"),
    ("find", "found"),
    ("make", "made"),
    ("pay", "paid"),
    ("read", "read"),
    ("sell", "sold"),
    ("send", "sent"),
    ("set", "set"),
    ("submit", "submitted"),
    ("withdraw", "withdrawn"),
    ("write", "written"),
];

/// The name of a tool without the server before it: `book` of `mcp__quay__book`.
pub(super) fn behind_server(tool: &str) -> &str {
    tool.rsplit("__").next().unwrap_or(tool)
}

/// The same without any other place before it.
pub(in crate::summary::extractive) fn bare_name(tool: &str) -> &str {
    let behind = behind_server(tool);
    behind.rsplit(['.', '/', ':']).next().unwrap_or(behind)
}

/// The same in lower case.
fn own_name(tool: &str) -> String {
    bare_name(tool).to_lowercase()
}

/// Whether a tool only looks something up, by its name.
pub(in crate::summary::extractive) fn looks(tool: &str) -> bool {
    begins(tool, LOOKING)
}

/// Whether a tool finds out whether something holds, by its name.
pub(super) fn examines(tool: &str) -> bool {
    begins(tool, &EXAMINES)
}

/// Whether the name of a tool begins with one of these words, and with none of the others that begin so.
fn begins(tool: &str, words: &[&str]) -> bool {
    let name = own_name(tool);
    starts_any(&name, words) && !starts_any(&name, &NOT_LOOKING)
}

/// Whether a tool changes something, by its name: `create_wiki_doc`.
pub(in crate::summary::extractive) fn changes(tool: &str) -> bool {
    let all = words(tool);
    let is = |word: &String| CHANGES.contains(&word.as_str());
    let tells = all.last().is_some_and(|last| NOUNS.contains(&last.as_str()));
    !looks(tool) && (all.first().is_some_and(is) || !tells && all.iter().any(is))
}

/// Whether a tool runs or changes something, so that its result is its own, and no text that it found or wrote.
pub(super) fn runs_or_changes(tool: &str) -> bool {
    changes(tool) || words(tool).first().is_some_and(|verb| ["exec", "execute", "run"].contains(&verb.as_str()))
}

/// Whether a tool may change something: it does so by its name, or its verb is unknown.
pub(in crate::summary::extractive) fn may_change(tool: &str) -> bool {
    let tells = words(tool).last().is_some_and(|last| NOUNS.contains(&last.as_str()));
    changes(tool) || !looks(tool) && !tells
}

/// Whether the name of a tool says that it tells of something: `link_status`.
pub(super) fn tells_of(tool: &str) -> bool {
    words(tool).last().is_some_and(|last| NOUNS.contains(&last.as_str()))
}

/// Whether a call in its shown form reads a page: its name says that it reads, and what, or it passes the address; and
/// neither its name nor its method says that it changes anything.
pub(in crate::summary::extractive) fn reads_page(tool: &str, shown: &str) -> bool {
    let all = words(behind_server(tool));
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    let by_name = has(&OPENS) && has(&PAGES);
    let is_write = |arg: Shown<'_>| METHODS.contains(&arg.name) && !arg.value.eq_ignore_ascii_case(READS);
    let changes = has(CHANGES) || has(&PUTS) || arguments(shown).any(is_write);
    (by_name || (has(&OPENS) || has(&AT_ADDRESS)) && passes_address(shown)) && !changes
}

/// Whether a call in its shown form reads a page, or passes an address on any machine.
pub(super) fn names_address(tool: &str, shown: &str) -> bool {
    let is_address = |arg: Shown<'_>| ADDRESSES.contains(&arg.name) || starts_any(arg.value, &["http://", "https://"]);
    reads_page(tool, shown) || arguments(shown).any(is_address)
}

/// Whether an argument of a call is the address of a page on another machine, or a list of such.
fn passes_address(shown: &str) -> bool {
    let is_own = |rest: &str| starts_any(rest, &OWN_MACHINE);
    let is_address = |Shown { value, is_list, .. }: Shown<'_>| {
        let rest = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
        rest.is_some_and(|rest| !is_own(rest) && (is_list || !value.contains(' ')))
    };
    arguments(shown).any(is_address)
}

/// Whether a tool looks something up, by any word of its name: `ferries_search`.
pub(in crate::summary::extractive) fn looks_up(tool: &str) -> bool {
    !may_change(tool) || !changes(tool) && words(tool).iter().any(|word| LOOKING.contains(&word.as_str()))
}

/// Whether a word says that what a tool does is done: `cancelled` of `cancel_order`.
pub(in crate::summary::extractive) fn is_done_by(tool: &str, word: &str) -> bool {
    words(tool).iter().any(|verb| is_participle(verb, word))
}

fn is_participle(verb: &str, word: &str) -> bool {
    let regular = |stem: &str| {
        let doubled =
            stem.len() == verb.len() + 1 && stem.starts_with(verb) && verb.chars().last() == stem.chars().last();
        let of_y = stem.strip_suffix('i').is_some_and(|start| verb.strip_suffix('y') == Some(start));
        stem == verb || verb.strip_suffix('e') == Some(stem) || doubled || of_y
    };
    IRREGULAR.contains(&(verb, word))
        || verb.len() > 2 && word.strip_suffix("ed").is_some_and(regular)
        || is_german_participle(verb, word)
        || is_romance_participle(verb, word)
}

/// Prefixes that German verbs separate: `eingelöst` of `einlösen`.
const SEPARATED: [&str; 8] = ["ab", "an", "auf", "aus", "ein", "um", "vor", "zu"];

fn is_german_participle(verb: &str, word: &str) -> bool {
    let plain = |text: &str| text.replace('ö', "oe").replace('ä', "ae").replace('ü', "ue");
    let (verb, word) = (plain(verb), plain(word));
    let Some(stem) = verb.strip_suffix("en").filter(|stem| stem.len() > 2) else { return false };
    let own = word.strip_suffix("et").filter(|own| own.ends_with(['d', 't'])).or_else(|| word.strip_suffix('t'));
    let Some(own) = own else { return false };
    let separated = || {
        let split = |prefix: &&str| {
            let of_word = own.strip_prefix(*prefix)?.strip_prefix("ge")?;
            Some((stem.strip_prefix(*prefix)?, of_word))
        };
        SEPARATED.iter().filter_map(split).any(|(rest, of_word)| rest == of_word)
    };
    own.strip_prefix("ge") == Some(stem) || own == stem && stem.ends_with("ier") || separated()
}

fn is_romance_participle(verb: &str, word: &str) -> bool {
    let of = |ending: &str, others: &[&str]| {
        let stem = verb.strip_suffix(ending).filter(|stem| stem.len() > 2);
        stem.and_then(|stem| word.strip_prefix(stem)).is_some_and(|rest| others.contains(&rest))
    };
    of("ar", &["ado", "ada"]) || of("are", &["ato", "ata"]) || of("er", &["é", "ée"])
}

/// The words of a name, in lower case: `cancel` and `order` of `cancelOrder`.
pub(in crate::summary::extractive) fn words(name: &str) -> Vec<String> {
    let (mut all, mut is_lower) = (vec![String::new()], false);
    for char in name.chars() {
        if !char.is_alphanumeric() || char.is_uppercase() && is_lower {
            all.push(String::new());
        }
        is_lower = char.is_lowercase() || char.is_numeric();
        if char.is_alphanumeric()
            && let Some(word) = all.last_mut()
        {
            word.extend(char.to_lowercase());
        }
    }
    all.retain(|word| !word.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_looks_or_changes_something_by_its_name() {
        for looking in ["get_berth", "mcp__quay__list_boats", "harbour.search", "lookup_tide", "listBerths"] {
            assert!(looks(looking) && !changes(looking), "{looking}");
        }
        for changing in ["book_berth", "bookBerth", "mcp__quay__lamp_publish", "update_status"] {
            assert!(changes(changing) && !looks(changing), "{changing}");
        }
        assert!(may_change("liegeplatz_buchen") && may_change("book_berth"));
        assert!(!may_change("get_berth") && !may_change("berth_status"));
        assert!(!looks("checkout_berth") && !looks("check_in") && !changes("berth_book_status") && !changes("tide"));
    }

    #[test]
    fn a_call_reads_a_page_by_its_name_or_by_the_address_that_it_passes() {
        for (tool, shown) in [
            ("open_page", "open_page(id=3)"),
            ("visit", "visit(url=https://quay.example/a)"),
            ("fetch", "fetch(url=https://quay.example/a, method=get)"),
            ("mcp__tavily__tavily_extract", "tavily_extract(urls https://quay.example/a; https://quay.example/b)"),
            ("browser.open", "browser.open(id=7)"),
            ("read_webpage", "read_webpage(doc=3)"),
        ] {
            assert!(reads_page(tool, shown), "{tool}");
        }
        for (tool, shown) in [
            ("create_page", "create_page(title=Tides)"),
            ("post_note", "post_note(url=https://quay.example/a)"),
            ("register", "register(domain=https://lamp.example)"),
            ("checkout", "checkout(shop=https://quay.example/shop)"),
            ("open_issue", "open_issue(repo=https://quay.example/lamps)"),
            ("call_api", "call_api(endpoint=https://quay.example/deploy)"),
            ("http_request", "http_request(method=POST, url=https://quay.example/issues)"),
            ("fetch", "fetch(url=https://quay.example/issues, method=POST)"),
            ("note", "note(text=https://quay.example/a is good)"),
            ("visit", "visit(url=http://localhost:3000/)"),
            ("get_tide", "get_tide(pier=north)"),
            ("open_lock", "open_lock(pier=north)"),
        ] {
            assert!(!reads_page(tool, shown), "{tool}");
        }
    }

    #[test]
    fn a_participle_says_that_its_verb_is_done() {
        for (tool, word) in [
            ("cancel_berth", "cancelled"),
            ("cancelBerth", "canceled"),
            ("approve", "approved"),
            ("book_berth", "booked"),
            ("deny_claim", "denied"),
            ("pay", "paid"),
            ("submit", "submitted"),
            ("liegeplatz_buchen", "gebucht"),
            ("karte_einloesen", "eingelöst"),
            ("boot_stornieren", "storniert"),
            ("reservar_muelle", "reservado"),
            ("annuler_place", "annulé"),
        ] {
            assert!(is_done_by(tool, word), "{tool} {word}");
        }
        for (tool, word) in
            [("book_berth", "cancelled"), ("get_berth", "booked"), ("pay", "played"), ("boot_buchen", "gesucht")]
        {
            assert!(!is_done_by(tool, word), "{tool} {word}");
        }
    }
}
