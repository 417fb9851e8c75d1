"""Frequent words, which tell the language and say little."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Rows, Terms, flag, rows, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequentWords:
    """Frequent words, which tell the language and say little."""

    stop: Terms = terms("Function words: never search terms.")
    common: Terms = terms("Everyday words that tell the language.")
    letters: Terms = terms("Letters that tell the language; each counts as a function word.")
    irregular: Rows = rows("Irregular words: the base form first, then its forms.")
    accents_left_out: bool = flag(
        "Often typed without accents, and the stop words without accents are no common words."
    )
    attached: Terms = terms('Particles that are written onto the next word (Arabic "and", "the").')
