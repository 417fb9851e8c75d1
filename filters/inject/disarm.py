# ruff: noqa: RUF001 - letters that look like others are what this is about
"""A stored text that looks like our fence, a chat template or a role is shown as none. Pure.

What is judged is what a text looks like: entities read, forms folded (NFKC), what is invisible left
out, letters of other scripts that look like ours as ours. A text that looks harmless is shown as it
is, to the letter. Of any other every bracket, bar and ampersand goes.
"""

from __future__ import annotations

import html
import unicodedata

import regex

_ROLES = "human|assistant|system|developer|user|tool"
_ROLE = regex.compile(rf"^(\W{{0,8}}(?:{_ROLES})\s{{0,4}}):", regex.IGNORECASE | regex.MULTILINE)
_MARKUP = regex.compile(
    r"<[\s/\\]*+recollect|<\s*+\||\|\s*+>|\[\s*+/?\s*+inst\s*+\]|<\s*+<\s*+/?\s*+sys",
    regex.IGNORECASE,
)
_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]+")
_PLAIN = regex.compile(r"[^\x00-\x7f]|[<&|\[:]")
"""A text without any of these is what it looks like and no markup."""

# From Unicode's confusables.txt (UTS #39): what looks like a letter or bracket of the markers.
_LETTERS = "аa еe оo сc рp хx уy іi ѕs ԁd һh ӏl ᴄc οo ιi τt νv κk ρp υu ϲc ⅰi ⅼl ᴛt ɩi мm нh тt ѵv"
_OPENING, _CLOSING, _BARS = "<‹〈⟨❬❮ᐸ˂", ">›〉⟩❭❯ᐳ˃", "|∣ǀ❘⼁"
_BRACKETS = dict.fromkeys(_OPENING, "<") | dict.fromkeys(_CLOSING, ">") | dict.fromkeys(_BARS, "|")
_LOOKS = str.maketrans({pair[0]: pair[1] for pair in _LETTERS.split()} | _BRACKETS)
_DISARM = {"<": "(", ">": ")", "|": "/", "&": "+", "[": "(", "]": ")"}
_DISARMED = str.maketrans({char: _DISARM[like] for char, like in _BRACKETS.items()} | _DISARM)
_MOST_ENTITIES = 4


def disarmed(text: str) -> str:
    """`text`, or what is left of it when nothing in it can be markup or a role."""
    if not _PLAIN.search(text):
        return text
    folded = _folded(text)
    looks = folded.casefold().translate(_LOOKS)
    if _MARKUP.search(looks):
        return _ROLE.sub(r"\1 -", folded.translate(_DISARMED))
    if _ROLE.search(looks):
        # Where a role looks like one and is not, its letters are others': the colon goes anyway.
        return _ROLE.sub(r"\1 -", folded) if _ROLE.search(folded) else folded.replace(":", " -")
    return text


def _folded(text: str) -> str:
    for _ in range(_MOST_ENTITIES):
        read = html.unescape(text)
        if read == text:
            break
        text = read
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
