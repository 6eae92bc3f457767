//! The arguments of a call in its shown form: `open_page(id=3, urls https://quay.example/a; https://quay.example/b)`.

/// An argument of a shown call.
#[derive(Clone, Copy)]
pub(in crate::summary::extractive) struct Shown<'s> {
    pub(in crate::summary::extractive) name: &'s str,
    pub(in crate::summary::extractive) value: &'s str,
    /// Whether the value is a list, told behind a space.
    pub(in crate::summary::extractive) is_list: bool,
}

/// The arguments of a shown call, in order; a value that holds `, ` goes on as one of its own.
pub(in crate::summary::extractive) fn arguments(shown: &str) -> impl Iterator<Item = Shown<'_>> {
    let inner = shown.split_once('(').map_or("", |(_, args)| args).trim_end_matches(')');
    inner.split(", ").filter_map(|arg| {
        let at = arg.find(['=', ' '])?;
        Some(Shown { name: &arg[..at], value: &arg[at + 1..], is_list: arg[at..].starts_with(' ') })
    })
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn arguments_are_split_with_their_lists() {
        let told = |shown: &str| {
            let all = arguments(shown);
            all.map(|arg| format!("{}|{}|{}", arg.name, arg.value, arg.is_list)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told("open(id=3, urls a; b, sum=x = y)"), "id|3|false urls|a; b|true sum|x = y|false");
        assert_eq!([told("open()"), told("open")], ["", ""]);
    }
}
