"""Asks a chat with all its memories, and once without each: the answers side by side.

The first answer is asked for twice. A server that answers differently to the same bytes would make
every memory look as if it mattered, so the answer says how steady it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import SecretStr
from typing_extensions import TypedDict

from recollect.memory.model.types import MemoryItem, Scope

from ...dialects.body import RequestBody
from .asking import Asker, NotAnsweredError, Reply
from .comparing import distance, is_same
from .lines import Lines

log = logging.getLogger(__name__)

BASES = 2
"""Calls with all memories."""
SPENT = "max_calls"
"""The reason why a line was not left out of any call."""


class AgainDict(TypedDict):
    """The same request once more."""

    answer: str
    same: bool
    distance: float


class WithoutDict(AgainDict):
    """The request without one memory; `same` and `distance` compare it with `base`."""

    memory_id: str
    memory: str


class NotTriedDict(TypedDict):
    """A memory that no answer was had without."""

    memory_id: str
    memory: str
    why: str
    """`max_calls`, or what the model server did."""


class WhatIfDict(TypedDict):
    """Which memories changed an answer."""

    base: str
    """The answer with all memories that a chat would be given."""
    again: AgainDict | None
    """The same request once more; None if nothing was recalled, or it was not answered."""
    steady: bool | None
    """Whether both were the same. If not, small distances say nothing; None if it is not known."""
    reason: str
    """Why memories were recalled, or why none, as in `x-recollect-reason`."""
    without: list[WithoutDict]
    """Most changed first."""
    not_tried: list[NotTriedDict]
    calls: int
    """Requests that were sent to the model server."""
    tokens: int
    """What they took, by the server's own account; 0 if it tells nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What may be spent."""

    max_calls: int
    """At least `BASES`."""
    seconds: float
    """For all calls together."""


class WhatIf:
    """Compares the answers; nothing is learned, and no memory counts as recalled."""

    def __init__(self, lines: Lines, asker: Asker) -> None:
        self._lines = lines
        self._asker = asker

    async def tried(
        self, scope: Scope, body: RequestBody, key: SecretStr | None, allowance: Spending
    ) -> WhatIfDict:
        """The answers that were had in time; those that were not are named with the cause.

        Raises:
            NotAnsweredError: not even the chat itself was answered.
            NoPlaceError: no message of it can take memories.
            EmbeddingError, StoreError, StateError: nothing could be recalled.
        """
        until = asyncio.get_running_loop().time() + allowance.seconds
        found = await self._lines.recalled(scope, body)
        whole = self._lines.body_with(body, found.items)
        base = await self._asker.ask(whole, key, until=until)
        tried = found.items[: allowance.max_calls - BASES]
        bodies = [
            *([whole] if found.items else []),
            *(self._lines.body_with(body, _but(found.items, item)) for item in tried),
        ]
        # None of them costs anything once a chat has failed: it is asked first, and alone.
        heard = await asyncio.gather(*(self._heard(each, key, until) for each in bodies))
        told = _told(base, found.items, tried, heard)
        told["reason"] = found.reason
        log.info("whatif lines=%d calls=%d tokens=%d", len(tried), told["calls"], told["tokens"])
        return told

    async def _heard(
        self, body: bytes, key: SecretStr | None, until: float
    ) -> Reply | NotAnsweredError:
        try:
            return await self._asker.ask(body, key, until=until)
        except NotAnsweredError as error:
            return error


def _but(items: Sequence[MemoryItem], one: MemoryItem) -> list[MemoryItem]:
    return [item for item in items if item is not one]


def _told(
    base: Reply,
    items: Sequence[MemoryItem],
    tried: Sequence[MemoryItem],
    heard: Sequence[Reply | NotAnsweredError],
) -> WhatIfDict:
    """The answer; `heard` begins with the second base if there are memories. Pure."""
    again = _compared(base, heard[0]) if items else None
    without: list[WithoutDict] = []
    missing = [_not_tried(item, SPENT) for item in items[len(tried) :]]
    for item, reply in zip(tried, heard[1:], strict=True):
        if isinstance(reply, NotAnsweredError):
            missing.append(_not_tried(item, str(reply)))
        elif (compared := _compared(base, reply)) is not None:
            without.append(WithoutDict(memory_id=item.id, memory=item.text, **compared))
    replies = [base, *(each for each in heard if isinstance(each, Reply))]
    return WhatIfDict(
        base=base.text,
        again=again,
        steady=again and again["same"],
        reason="",
        without=sorted(without, key=lambda one: -one["distance"]),
        not_tried=missing,
        calls=1 + len(heard),
        tokens=sum(each.tokens for each in replies),
    )


def _compared(base: Reply, reply: Reply | NotAnsweredError) -> AgainDict | None:
    if isinstance(reply, NotAnsweredError):
        return None
    text = reply.text
    return AgainDict(answer=text, same=is_same(base.text, text), distance=distance(base.text, text))


def _not_tried(item: MemoryItem, why: str) -> NotTriedDict:
    return NotTriedDict(memory_id=item.id, memory=item.text, why=why)
