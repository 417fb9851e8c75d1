"""Disarms stored texts that look like our fence, a chat template or a role. Pure.

A text is judged by its look (`memory/trust/looks.py`). A harmless text is unchanged. In other texts
brackets, bars and ampersands are replaced.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from recollect.memory.trust import MARKS, folded, lookalike

_EITHER = {char: f"[{alike}]" for alike in ("il1|", "oc0", "nv", "tyu") for char in alike}
"""Characters that resemble two letters (UTS #39) match either."""


def _named(name: str) -> str:
    return "".join(_EITHER.get(letter, letter) for letter in name)


_ROLES = "|".join(map(_named, ("human", "assistant", "system", "developer", "user", "tool")))
_ROLE = regex.compile(rf"^(\W{{0,8}}(?:{_ROLES})\s{{0,4}}):", regex.IGNORECASE | regex.MULTILINE)
_MARKUP = regex.compile(
    rf"<[\s/\\]*+{_named('recollect')}|<\s*+\||\|\s*+>"
    rf"|\[\s*+/?\s*+{_named('inst')}\s*+\]|<\s*+<\s*+/?\s*+{_named('sys')}",
    regex.IGNORECASE,
)
_PLAIN = regex.compile(r"[^\x00-\x7f]|[<&|\[:]")
"""A text without any of these is plain and no markup."""
_KEPT, _KEPT_CHARS = 4_096, 1_000
_SHOWN = {"<": "(", ">": ")", "|": "/", "[": "(", "]": ")"}
_NO_MARKUP = str.maketrans(
    {char: shown for like, shown in _SHOWN.items() for char in like + MARKS[like]} | {"&": "+"}
)
_NO_COLONS = str.maketrans(dict.fromkeys(":" + MARKS[":"], " -"))


def disarmed(text: str) -> str:
    """`text`, changed so that nothing in it can be markup or a role."""
    if not _PLAIN.search(text):
        return text
    return _remembered(text) if len(text) <= _KEPT_CHARS else _disarmed(text)


@lru_cache(maxsize=_KEPT)
def _remembered(text: str) -> str:
    """The same memories are shown again and again, several times for one recall."""
    return _disarmed(text)


def _disarmed(text: str) -> str:
    read = folded(text)
    looks = lookalike(read)
    if _MARKUP.search(looks):
        return _without_roles(read.translate(_NO_MARKUP), looks)
    if _ROLE.search(looks):
        return _without_roles(read, looks)
    return text


def _without_roles(text: str, looks: str) -> str:
    """Without roles; if some only look like roles, all colons are replaced."""
    if len(_ROLE.findall(text)) == len(_ROLE.findall(looks)):
        return _ROLE.sub(r"\1 -", text)
    return text.translate(_NO_COLONS)
