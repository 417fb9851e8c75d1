"""Unicode scripts, by block."""

from __future__ import annotations

import re

HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
SOUTH_EAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
UNSPACED = HAN + HIRAGANA + KATAKANA + SOUTH_EAST
"""Scripts written without blanks between words, as the inside of a character class."""

BLOCKS = {
    "latin": "A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff",
    "cyrillic": "\u0400-\u052f",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "hebrew": "\u0590-\u05ff",
    "arabic": "\u0600-\u06ff\u0750-\u077f",
    "devanagari": "\u0900-\u097f",
    "tamil": "\u0b80-\u0bff",
    "armenian": "\u0530-\u058f",
    "kana": HIRAGANA + KATAKANA,
    "han": HAN,
    "hangul": HANGUL,
    "thai": "\u0e00-\u0e7f",
    "lao": "\u0e80-\u0eff",
    "burmese": "\u1000-\u109f",
    "khmer": "\u1780-\u17ff",
}
"""The characters of each script, as the inside of a character class."""

_NOT_LATIN = re.compile(f"[{''.join(chars for name, chars in BLOCKS.items() if name != 'latin')}]")
_NAMED = re.compile("|".join(f"(?P<{name}>[{chars}]+)" for name, chars in BLOCKS.items()))


def script_of(word: str) -> str:
    """The script of the first letter whose script is known ('latin', 'han', ...), or ''."""
    if word.isascii():
        return "latin"
    found = _NAMED.search(word)
    return found.lastgroup or "" if found else ""


def is_all_latin(text: str) -> bool:
    """Whether no letter is known to be of another script."""
    return text.isascii() or not _NOT_LATIN.search(text)


def letters_by_script(text: str) -> dict[str, int]:
    """The number of letters of each script."""
    counts: dict[str, int] = {}
    for found in _NAMED.finditer(text):
        name = found.lastgroup or ""
        counts[name] = counts.get(name, 0) + found.end() - found.start()
    return counts
