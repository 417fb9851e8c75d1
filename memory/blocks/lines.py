"""A block of memories as it is injected: fenced data, the same bytes for the same memories. Pure.

The fence cannot be guessed by the author of a memory. Stored texts that look like our fence, a chat
template or a role are disarmed: a text is judged by its look (`memory/trust/looks.py`), a harmless
text is unchanged, in other texts brackets, bars and ampersands are replaced.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Self

import regex

from ..learn import HEARSAY, PREAMBLE, tags
from ..model.deeds import DeedLine, digest_of
from ..model.types import MemoryItem, MemoryStatus, Source
from ..model.zones import local
from ..recall import NO_WISH, PASTED, Shown, orders
from ..trust import MARKS, folded, lookalike

GAP = "\n\n"
"""Between working blocks and memories in one place."""
MARK_DIGITS = 15
"""Decimal ones, of which three are a token; no other writing needs so few for as many bits."""
_MARKS = 3 * 10 ** (MARK_DIGITS - 1)
"""48 bits of the keyed hash; each guess needs its own recalled memory. No number of 15 digits that
begins with 0, 1 or 2 passes as a card."""


class Fence:
    """Tags that carry a hash of what they enclose, keyed by a secret of the installation.

    The same lines have the same tags, so prompt caches stay valid. A memory that quotes the tags of
    an earlier block changes the tags of its own block.
    """

    def __init__(self, secret: bytes) -> None:
        self._key = hashlib.sha256(b"recollect fence " + secret).digest()

    def around(self, lines: str, preamble: str = PREAMBLE, *, sealed: str = "") -> str:
        """The whole message around these lines, each of which ends with a line break.

        Lines that only grow at their end keep their tags if `sealed`, their beginning, stays.
        """
        told = (sealed or lines).encode("utf-8", "surrogatepass")
        digest = hmac.new(self._key, told, hashlib.sha256)
        return _frame(int.from_bytes(digest.digest()) % _MARKS, lines, preamble)


def frame(preamble: str = PREAMBLE) -> str:
    """The message without memories; no fence has more tokens."""
    return _frame(0, "", preamble)


def _frame(mark: int, lines: str, preamble: str) -> str:
    opening, closing = tags(f"{mark:0{MARK_DIGITS}}")
    return f"{opening}\n{preamble}\n{lines}{closing}"


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


LATELY = timedelta(days=3)
"""Before the newest line of a block: of these days, lines have the time too."""
_SAID = "User said: "
"""Before what the user said, in their own words: "I" is the user there."""
_PASTED = f"{HEARSAY} The user pasted: "
_ASKED = "User asked then: "
"""Before an order, so that nobody takes it for one of this turn."""


def render(items: Sequence[MemoryItem], fence: Fence) -> str:
    """The whole message: a heading for each day, and all lines in the order they were said.

    So later lines correct earlier ones. A heading per day needs fewer tokens than a date per line.
    Nothing depends on the clock: the same memories have the same bytes.
    """
    ordered = sorted(items, key=_order)
    newest = max((item.updated_at for item in ordered), default=None)
    days: dict[str, list[str]] = {}
    for item in ordered:
        heading, line = show(item, timed=newest is None or newest - item.updated_at < LATELY)
        days.setdefault(heading, []).append(line)
    return fence.around("".join(day + "".join(lines) for day, lines in days.items()))


def show(item: MemoryItem, *, timed: bool = True) -> Shown:
    """One memory on one line, under the day it was last changed; `timed` with the time.

    Both as the user's clock shows them (`ZONE`).

    The text cannot end the fence or leave its mark: line breaks become spaces, markup is disarmed.
    """
    at = local(item.updated_at)
    time = f"{at:%H:%M} " if timed else ""
    given = item.text, f"{at:%Y-%m-%d}", time, _mark(item), _end(item)
    return _kept_shown(*given) if len(item.text) <= _KEPT_CHARS else _shown(*given)


def _shown(text: str, day: str, time: str, mark: str, end: str) -> Shown:
    line = " ".join(disarmed(text).split())
    return Shown(f"{day}:\n", f"- {time}{mark}{line}{end}\n")


_kept_shown = lru_cache(maxsize=_KEPT)(_shown)
"""The same memories are shown again and again, several times for one recall."""


def _mark(item: MemoryItem) -> str:
    source, flags = item.provenance.source, item.provenance.flags
    if source.is_hearsay or NO_WISH in flags:
        return f"{HEARSAY} "
    if PASTED in flags:
        return _PASTED
    if orders(item.text):
        return _ASKED
    return _SAID if source is Source.SAID else ""


def _end(item: MemoryItem) -> str:
    """Of what is no more true, until when it was."""
    if item.status is not MemoryStatus.SUPERSEDED:
        return ""
    return " (no longer)" if item.valid_to is None else f" (until {local(item.valid_to):%Y-%m-%d})"


def _order(item: MemoryItem) -> tuple[float, int]:
    return item.updated_at.timestamp(), item.provenance.sequence


@dataclass(frozen=True, slots=True)
class RecalledBlock:
    """A block's exact text and its memories."""

    text: str
    memory_ids: frozenset[str]
    versions: frozenset[str]
    lines: tuple[DeedLine, ...] = ()
    """Which memories it shows, with the digests of their texts."""

    @classmethod
    def of(cls, items: Sequence[MemoryItem], fence: Fence) -> Self:
        """The block that shows these memories, best first."""
        ids = frozenset(item.id for item in items)
        return cls(render(items, fence), ids, versions_of(items), lines_of(items))


def lines_of(items: Iterable[MemoryItem]) -> tuple[DeedLine, ...]:
    """The lines that show these memories, as the record of what was done names them."""
    return tuple(DeedLine(item.id, digest_of(item.text)) for item in items)


def version_of(item: MemoryItem) -> str:
    """The id and text hash: a memory that was updated since it was shown is shown again."""
    return f"{item.id} {item.hash}"


def versions_of(items: Iterable[MemoryItem]) -> frozenset[str]:
    """The versions of these memories."""
    return frozenset(map(version_of, items))
