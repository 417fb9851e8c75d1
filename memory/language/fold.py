"""Normalises characters: Unicode forms, apostrophes, hyphens, digits, case and accents."""

from __future__ import annotations

import re
import unicodedata

MAX_CHARS = 20_000
"""Characters of a text that are read, the same number as in `memory/util/tokens.py`."""

_UNSEEN = (  # invisible characters, and surrogates, which no stemmer can encode
    "\0-\x08\x0e-\x1b\x7f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\ufeff\ud800-\udfff"
)
_DIGITS = {  # Arabic, Persian, Devanagari, Bengali, Thai: the same as 0-9
    chr(zero + digit): str(digit)
    for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xE50)
    for digit in range(10)
}
_SIGNS = (
    dict.fromkeys("\u2019\u2018\u02bc\u02b9`\u00b4", "'")
    | dict.fromkeys("\u2010\u2011\u2012", "-")
    | _DIGITS
)
_REPLACED = re.compile(f"[{_UNSEEN}{''.join(_SIGNS)}]")
_LATIN_MARKS = re.compile("[\u0300-\u036f]+")
_LEFT_OUT = re.compile(  # vowel points of Hebrew and Arabic, the Hindi nukta, joiners
    "[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u200c\u200d]+"
)
_VARIANTS = str.maketrans(
    {
        "\u00df": "ss",
        "\u00e6": "ae",
        "\u0153": "oe",
        "\u00f8": "o",
        "\u0111": "d",
        "\u00f0": "d",
        "\u0142": "l",
        "\u0131": "i",
        "\u00fe": "th",
        "\u0671": "\u0627",  # alef wasla
        "\u0649": "\u064a",  # alef maksura as ya
        "\u0629": "\u0647",  # ta marbuta as ha
        "\u06a9": "\u0643",  # Persian kaf
        "\u06cc": "\u064a",  # Persian ya
        "\u0901": "\u0902",  # chandrabindu as anusvara
        "\u03c2": "\u03c3",  # final sigma
    }
)


def clean(text: str) -> str:
    """The beginning of a text in NFKC, with ASCII apostrophes, hyphens and digits; keeps case."""
    text = text[:MAX_CHARS]
    if text.isascii():
        return text
    seen = _REPLACED.sub(lambda sign: _SIGNS.get(sign[0], ""), text)
    return unicodedata.normalize("NFKC", seen)[:MAX_CHARS]


def fold(word: str) -> str:
    """Lower case without accents and optional marks. Folding is idempotent."""
    lowered = word.casefold()
    if lowered.isascii():
        return lowered
    bare = _LEFT_OUT.sub("", _LATIN_MARKS.sub("", unicodedata.normalize("NFD", lowered)))
    return unicodedata.normalize("NFC", bare.translate(_VARIANTS))
