"""What a text adds to others: names and numbers that are in none of them. Pure."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

import regex

from ..language import language_of, names_in, packs
from ..language.fold import fold
from ..language.values import follows, numbers_of, values_of
from ..learn.reconcile.exact_tokens import tokens

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


def adds_value(text: str, texts: Collection[str]) -> bool:
    """Whether a text has a number that none of the others has."""
    said = frozenset[Fraction]().union(*map(values_of, texts))
    written = {token for one in texts for token in tokens(one)}
    return not all(follows(number, said) for number in numbers_of(text)) or any(
        token not in written and any(map(str.isdigit, token)) and not values_of(token) <= said
        for token in tokens(text)
    )


def adds_name(text: str, texts: Collection[str]) -> bool:
    """Whether a text has a name that none of the others has, as far as capitals tell names."""
    pack = packs().get(language_of(text))
    if pack is not None and pack.words.capitalised_nouns:
        return False
    known = {fold(word) for one in texts for word in _WORD.findall(one)}
    known |= {fold(word) for each in packs().values() for word in each.people.user}
    words = (word for name in names_in(text) for word in _WORD.findall(name))
    return any(fold(word) not in known for word in words)


def tells_names(text: str) -> bool:
    """Whether capitals tell the names in a text from its other words."""
    pack = packs().get(language_of(text))
    nouns = pack is not None and pack.words.capitalised_nouns
    return not nouns and any(map(str.isupper, text))
