"""Splits a text into exact tokens, of which only letters are folded. Pure.

Two texts with the same tokens say the same. Signs, numbers, units, comparison and function words
are part of the tokens, and so is the case of letters in paths and identifiers: "-5" is not "5",
"/srv/a" is not "/srv/A". Blanks, typographic variants of one sign and the punctuation that ends a
clause are not.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

import regex

from ...language.words import UNSPACED

_KEPT = 256
"""Texts whose tokens are kept for a moment: each is compared with several."""
_CHUNK = regex.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
_ENDS = ".,;:!\u2026\u3002\uff0c\uff1b\uff1a\uff01\u3001\u0964\u061b\u060c\u06d4"
_WORD = regex.compile(r"[\p{L}\p{M}]{2,}(?:['-][\p{L}\p{M}]+)*|[\p{L}\p{M}]['-][\p{L}\p{M}]+")
_SHORTENED = {
    regex.compile(r"(?<=\w)n['\u2019]t\b"): " not",
    regex.compile(r"(?<=\b[Ii])['\u2019]m\b"): " am",
    regex.compile(r"(?<=\w)['\u2019]re\b"): " are",
}
_CAMEL = regex.compile(r"\p{Ll}\p{Lu}")
_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_SIGNS = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u2212": "-", "\u2013": "-", "\u2011": "-", "\u201c": '"',
     "\u201d": '"', "\u00ad": None, "\u200b": None, "\ufeff": None} | _WIDE
)  # fmt: skip


class Token(NamedTuple):
    """A token with its place in the text, end exclusive."""

    text: str
    start: int
    end: int


def written_out(text: str) -> str:
    """The text with English words that are written onto others as their own: "does not"."""
    if "'" not in text and "\u2019" not in text:
        return text
    for short, long in _SHORTENED.items():
        text = short.sub(long, text)
    return text


def located(text: str) -> list[Token]:
    """The tokens of a text with their places."""
    found = ((chunk.span(), _folded(chunk[0])) for chunk in _CHUNK.finditer(text))
    return [Token(token, *span) for span, token in found if token]


@lru_cache(maxsize=_KEPT)
def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text."""
    return tuple(token.text for token in located(written_out(text)))


def _folded(chunk: str) -> str:
    plain = chunk if chunk.isascii() else unicodedata.normalize("NFC", chunk.translate(_SIGNS))
    bare = plain.rstrip(_ENDS)
    # In a path or an identifier the case of letters tells things apart.
    return bare.lower() if _WORD.fullmatch(bare) and not _CAMEL.search(bare) else bare
