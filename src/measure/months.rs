//! Names of the months in the languages that transcripts have most.

/// Names of each month; English first, and abbreviations that no English name begins with.
const NAMES: [&[&str]; 12] = [
    &["January", "Januar", "janvier", "enero", "janeiro", "gennaio", "januari", "января", "stycznia"],
    &["February", "Februar", "février", "febrero", "fevereiro", "febbraio", "februari", "февраля", "lutego"],
    &["March", "März", "Mär", "mars", "marzo", "março", "maart", "марта", "marca"],
    &["April", "avril", "abril", "aprile", "апреля", "kwietnia"],
    &["May", "Mai", "mayo", "maio", "maggio", "mei", "мая", "maja"],
    &["June", "Juni", "juin", "junio", "junho", "giugno", "июня", "czerwca"],
    &["July", "Juli", "juillet", "julio", "julho", "luglio", "июля", "lipca"],
    &["August", "août", "agosto", "augustus", "августа", "sierpnia"],
    &["September", "Sept", "septembre", "septiembre", "setembro", "settembre", "сентября", "września"],
    &["October", "Oktober", "Okt", "octobre", "octubre", "outubro", "ottobre", "октября", "października"],
    &["November", "novembre", "noviembre", "novembro", "ноября", "listopada"],
    &["December", "Dezember", "Dez", "décembre", "diciembre", "dezembro", "dicembre", "декабря", "grudnia"],
];
/// Abbreviations of other languages that are no English words, by which a month is known in a source.
const SHORTS: [&[&str]; 12] = [
    &["ene", "janv", "янв"],
    &["fév", "févr", "fev", "фев"],
    &["мар"],
    &["abr", "avr", "апр"],
    &["май"],
    &["giu", "июн"],
    &["juil", "lug", "июл"],
    &["авг"],
    &["сен"],
    &["ott", "окт"],
    &["ноя"],
    &["dic", "déc", "дек"],
];
/// Letters of an abbreviated English name.
const SHORT: usize = 3;

/// The month that a word names, in any case: 0 for January.
pub(super) fn month(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let is_one = |name: &&str| name.to_lowercase() == word;
    let english = |names: &[&str]| names.iter().take(1).any(|name| name[..SHORT].eq_ignore_ascii_case(&word));
    NAMES.iter().position(|names| names.iter().any(is_one) || english(names))
}

/// The names of a month, counted from 0, and its abbreviations.
pub(super) fn names(month: usize) -> impl Iterator<Item = &'static str> {
    let of = |all: &'static [&'static [&'static str]]| all.get(month).copied().unwrap_or_default().iter().copied();
    of(&NAMES).take(1).map(|name| &name[..SHORT]).chain(of(&NAMES)).chain(of(&SHORTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_known_by_its_name_or_english_abbreviation() {
        for (word, number) in [("March", 2), ("MAR", 2), ("märz", 2), ("Мая", 4), ("sept", 8), ("DÉCEMBRE", 11)] {
            assert_eq!(month(word), Some(number), "{word}");
        }
        for word in ["", "Ma", "Marching", "lamps", "set", "out"] {
            assert_eq!(month(word), None, "{word}");
        }
        assert_eq!(names(4).take(3).collect::<Vec<_>>(), ["May", "May", "Mai"]);
    }
}
