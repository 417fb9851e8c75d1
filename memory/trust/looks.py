# ruff: noqa: RUF001 - letters that look like others are what this is about
"""What a text looks like, whatever it is written with. Pure; linear in the text.

Entities are read, forms are folded (NFKC), and what is invisible is left out. Letters and brackets
of other scripts read as the ASCII ones they resemble.
"""

from __future__ import annotations

import html
import unicodedata

import regex

_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]+")
# From Unicode's confusables.txt (UTS #39): what looks like a letter or bracket of role markup.
LETTERS = "аa еe оo сc рp хx уy іi ѕs ԁd һh ӏl ᴄc οo ιi τt νv κk ρp υu ϲc ⅰi ⅼl ᴛt ɩi мm нh тt ѵv"
"""Pairs: a letter, and the one it resembles."""
_OPENING, _CLOSING, _BARS = "<‹〈⟨❬❮ᐸ˂", ">›〉⟩❭❯ᐳ˃", "|∣ǀ❘⼁"
BRACKETS = dict.fromkeys(_OPENING, "<") | dict.fromkeys(_CLOSING, ">") | dict.fromkeys(_BARS, "|")
"""Brackets and bars, and the ASCII ones they resemble."""
_LOOKS = str.maketrans({pair[0]: pair[1] for pair in LETTERS.split()} | BRACKETS)
_MOST_ENTITIES = 4
"""Times that an entity may stand for another: each time costs a reader one more step."""


def folded(text: str) -> str:
    """`text` with its entities read, its forms folded, and nothing invisible."""
    for _ in range(_MOST_ENTITIES):
        read = html.unescape(text)
        if read == text:
            break
        text = read
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def lookalike(text: str) -> str:
    """A folded text in lower case, in the ASCII letters and brackets that it resembles."""
    return text.casefold().translate(_LOOKS)
