"""Finds numbers of a text that none of the others has. Pure."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from ..language.values import follows, numbers_of, values_of
from ..learn.reconcile.exact_tokens import tokens


def adds_value(text: str, texts: Collection[str]) -> bool:
    """Whether a text has a number that none of the others has."""
    said = frozenset[Fraction]().union(*map(values_of, texts))
    written = {token for one in texts for token in tokens(one)}
    return not all(follows(number, said) for number in numbers_of(text)) or any(
        token not in written and any(map(str.isdigit, token)) and not values_of(token) <= said
        for token in tokens(text)
    )
