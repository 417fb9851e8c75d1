"""A stored text that looks like our fence, a chat template or a role is shown as none. Pure.

What is judged is what a text looks like (`memory/trust/looks.py`). A text that looks harmless is
shown as it is, to the letter. Of any other every bracket, bar and ampersand goes.
"""

from __future__ import annotations

import regex

from memory.trust.looks import BRACKETS, folded, lookalike

_ROLES = "human|assistant|system|developer|user|tool"
_ROLE = regex.compile(rf"^(\W{{0,8}}(?:{_ROLES})\s{{0,4}}):", regex.IGNORECASE | regex.MULTILINE)
_MARKUP = regex.compile(
    r"<[\s/\\]*+recollect|<\s*+\||\|\s*+>|\[\s*+/?\s*+inst\s*+\]|<\s*+<\s*+/?\s*+sys",
    regex.IGNORECASE,
)
_PLAIN = regex.compile(r"[^\x00-\x7f]|[<&|\[:]")
"""A text without any of these is what it looks like and no markup."""
_DISARM = {"<": "(", ">": ")", "|": "/", "&": "+", "[": "(", "]": ")"}
_DISARMED = str.maketrans({char: _DISARM[like] for char, like in BRACKETS.items()} | _DISARM)


def disarmed(text: str) -> str:
    """`text`, or what is left of it when nothing in it can be markup or a role."""
    if not _PLAIN.search(text):
        return text
    read = folded(text)
    looks = lookalike(read)
    if _MARKUP.search(looks):
        return _ROLE.sub(r"\1 -", read.translate(_DISARMED))
    if _ROLE.search(looks):
        # Where a role looks like one and is not, its letters are others': the colon goes anyway.
        return _ROLE.sub(r"\1 -", read) if _ROLE.search(read) else read.replace(":", " -")
    return text
