//! Quotations that mend a slip of the pen: “it should be taken” for “it sould be taken”.

use super::quoted::words_of;

/// Least number of letters of a word that may be mended, and of one with another letter.
const LEAST: usize = 5;
const LONG: usize = 8;
/// Most places of the same words that are compared.
const PLACES: usize = 32;

/// Words that are often spelled wrong, and that no other word is like in so many letters.
const HARD: &str = "address again already always another argument available because before beginning behavior believe \
    between business calendar command committed completely correctly database default definitely \
    dependency description different directory document environment everything example exception \
    explanation following function grammar immediately implement implementation information initialize \
    interface language length library maintenance message necessary occurred parameter password \
    performance please possible probably receive received recommend repository response schedule \
    separate should successful until would";

/// Whether the spoken words of a source are those of a text but for one, which is spelled a letter otherwise.
pub(super) fn is_mended(text: &str, spoken: &str) -> bool {
    let words = words_of(text);
    let words: Vec<&str> = words.split_whitespace().collect();
    let mended = |at: usize| {
        let (before, behind) = (format!(" {} ", words[..at].join(" ")), format!(" {} ", words[at + 1..].join(" ")));
        let before = before.strip_prefix("  ").map_or(&*before, |_| " ");
        let places = memchr::memmem::find_iter(spoken.as_bytes(), before).take(PLACES);
        places.map(|place| &spoken[place + before.len()..]).any(|rest| {
            let word = rest.split(' ').next().unwrap_or_default();
            is_slip(word, words[at])
                && HARD.split(' ').any(|hard| hard == words[at])
                && (rest[word.len()..].starts_with(behind.trim_end()))
        })
    };
    words.len() >= LEAST && (1..words.len()).filter(|at| words[*at].len() >= LEAST).any(mended)
}

/// Whether two words with the same first and last letter differ by one letter more or less, two letters in another order,
/// or, if they are long, one letter.
fn is_slip(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|word| word.chars().collect::<Vec<char>>());
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    let plain = |word: &[char]| word.iter().all(|letter| letter.is_alphabetic());
    let ends = short.first() == long.first() && short.last() == long.last();
    if short.len() + 1 < LEAST || !plain(short) || !plain(long) || !ends || one == other {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(one, other)| one == other).count();
    match long.len() - short.len() {
        1 => short[same..] == long[same + 1..],
        0 => {
            let swapped = short.len() > same + 1 && short[same] == long[same + 1] && short[same + 1] == long[same];
            let rest = |from: usize| short[from..] == long[from..];
            swapped && rest(same + 2) || short.len() >= LONG && rest(same + 1)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_may_mend_a_slip_of_the_pen() {
        let spoken = " mend the timer it is sould be taken from the user input and recieve 4 lamps please unlock the \
            accounts and keep three lamps ";
        for text in ["it is should be taken from the user input", "from the user input and receive 4 lamps"] {
            assert!(is_mended(text, spoken), "{text}");
        }
        for text in [
            "it is could be taken from the user input",
            "it is never be taken from the user input",
            "it is should be taken from the other input",
            "from the user input and receive 5 lamps",
            "should be taken",
            "4 lamps please unblock the accounts",
            "the accounts and keep there lamps",
        ] {
            assert!(!is_mended(text, spoken), "{text}");
        }
        assert!(is_slip("definately", "definitely") && !is_slip("light", "right") && !is_slip("legal", "illegal"));
    }
}
