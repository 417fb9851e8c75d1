"""Persons who told something, and what a chat of theirs is given: the rows of this benchmark."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from unseen.tells import Teller

from recollect.memory.model.types import MemoryItem, utc_now

BESIDE = (
    "My sister lives in Leeds.", "I finished reading Dune last week.", "My car is a blue Volvo.",
    "I work as an accountant at a hospital.", "Our wedding anniversary is on 12 June.",
    "I play chess on Thursdays.", "My cousin plays in a brass band.", "I have a cold since Monday.",
    "I bought a lamp at the flea market.", "My neighbour Nina has three dogs.",
    "I collect stamps since I was a child.", "We had pancakes for breakfast.",
    "I'm reading a book about the Vikings.", "My grandmother was born in Poland.",
)  # fmt: skip
"""What else somebody told between the two statements of a change (`crowded`)."""
LATELY = timedelta(hours=20)
"""Between two things that are told."""


@dataclass(frozen=True)
class Given:
    """What a chat is given."""

    text: str
    """The injected block; empty if there is none."""
    items: Sequence[MemoryItem]
    roles: Sequence[str]
    reason: str

    @property
    def bears(self) -> Sequence[MemoryItem]:
        """All but wishes about answers, which go with every chat."""
        return [item for item, role in zip(self.items, self.roles, strict=True) if role != "wish"]


class Persons:
    """One engine with some persons in it, of whom nothing is extracted."""

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self._sources: dict[str, str] = {}

    async def tell(self, user: str, told: Sequence[tuple[str, str]]) -> None:
        """A conversation each, with (name, text), the last one some hours ago."""
        for number, (name, text) in enumerate(told):
            at = utc_now() - LATELY * (len(told) - number)
            turn = await self._teller.tell(user, text, at=at, conversation=f"{user}/{number}")
            self._sources[turn.id] = name

    async def settled(self) -> None:
        await self._teller.settled()

    async def ask(self, user: str, text: str) -> Given:
        block, exchange = await self._teller.ask(user, text)
        chosen = () if exchange.selection is None else exchange.selection.chosen
        verdict = exchange.verdict
        return Given(
            block,
            [hit.item for hit in chosen] if block else [],
            [hit.role for hit in chosen] if block else [],
            "" if verdict is None else verdict.reason,
        )

    def names(self, items: Sequence[MemoryItem]) -> list[str]:
        """The names of what these were told as, in the order of the items."""
        return [self._sources.get(turn, "") for item in items for turn in item.provenance.turn_ids]


def order(block: str, new: Sequence[str], old: Sequence[str]) -> str:
    """What a block shows of a change: `new`, `both` (the newest last), `unordered`, `old`, ``."""
    newest = max((block.rfind(one) for one in new), default=-1)
    oldest = max((block.rfind(one) for one in old), default=-1)
    if newest < 0:
        return "old" if oldest >= 0 else "none"
    if oldest < 0:
        return "new"
    return "both" if newest > oldest else "unordered"


def at_days_ago(days: float) -> datetime:
    """A time before now."""
    return utc_now() - timedelta(days=days)


def present(data: Path, *names: str) -> bool:
    """Whether all files are there; says which are not."""
    absent = [name for name in names if not (data / name).is_file()]
    if absent:
        print(f"not in {data}: {', '.join(absent)}", file=sys.stderr)
    return not absent


Row = Mapping[str, Any]
