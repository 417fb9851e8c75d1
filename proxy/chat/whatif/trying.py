"""Asks a chat with all its memories, and once without each: the answers side by side.

The first answer is asked for twice. A server that answers differently to the same bytes would make
every memory look as if it mattered, so the answer says how steady it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import repeat

from pydantic import SecretStr
from typing_extensions import TypedDict

from recollect.memory.model.daily_sums import Amounts, Summed
from recollect.memory.model.types import MemoryItem, Scope

from ...dialects.body import RequestBody
from .asking import Asker, CallTally, NotAnsweredError
from .comparing import distance, is_same
from .lines import GivenLines, Lines

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

    def __init__(self, lines: Lines, asker: Asker, count: Callable[[str, Amounts], None]) -> None:
        """`count` adds to a tenant's sums of the day."""
        self._lines = lines
        self._asker = asker
        self._count = count

    async def tried(
        self, scope: Scope, body: RequestBody, key: SecretStr | None, allowance: Spending
    ) -> WhatIfDict:
        """The answers that were had in time; those that were not are named with the cause.

        Raises:
            NotAnsweredError: not even the chat itself was answered.
            NoPlaceError: no message of it can take memories.
            EmbeddingError, StoreError, StateError: nothing could be recalled.
        """
        until, tally = asyncio.get_running_loop().time() + allowance.seconds, CallTally()

        async def ask(each: bytes) -> str:
            return await self._asker.ask(each, key, tally, until=until)

        found = await self._lines.recalled(scope, body)
        try:
            return await self._compared(body, found, ask, allowance, tally)
        finally:
            amounts = {Summed.WHATIF_CALLS: tally.calls, Summed.WHATIF_TOKENS: tally.tokens}
            self._count(scope.tenant, amounts)
            log.info("whatif calls=%d tokens=%d", tally.calls, tally.tokens)

    async def _compared(
        self,
        body: RequestBody,
        found: GivenLines,
        ask: Callable[[bytes], Awaitable[str]],
        spending: Spending,
        tally: CallTally,
    ) -> WhatIfDict:
        """The chat is asked first, and alone: once it fails, the others would too."""
        whole = self._lines.body_with(body, found.items, found.working)
        base = await ask(whole)
        tried = found.items[: spending.max_calls - BASES]
        bodies = [
            *([whole] if found.items else []),
            *(
                self._lines.body_with(body, _but(found.items, item), found.working)
                for item in tried
            ),
        ]
        heard = await asyncio.gather(*(_heard(ask(each)) for each in bodies))
        return _told(base, found, heard, tally)


async def _heard(asking: Awaitable[str]) -> str | NotAnsweredError:
    try:
        return await asking
    except NotAnsweredError as error:
        return error


def _but(items: Sequence[MemoryItem], one: MemoryItem) -> list[MemoryItem]:
    return [item for item in items if item is not one]


def _told(
    base: str, found: GivenLines, heard: Sequence[str | NotAnsweredError], tally: CallTally
) -> WhatIfDict:
    """The answer; `heard` begins with the second base if there are memories. Pure."""
    again = _next_to(base, heard[0]) if heard else None
    without: list[WithoutDict] = []
    missing: list[NotTriedDict] = []
    answers = [*heard[1:], *repeat(None, len(found.items) - len(heard[1:]))]
    for item, answer in zip(found.items, answers, strict=True):
        compared = _next_to(base, answer)
        if compared is not None:
            without.append(WithoutDict(memory_id=item.id, memory=item.text, **compared))
        else:
            why = SPENT if answer is None else str(answer)
            missing.append(NotTriedDict(memory_id=item.id, memory=item.text, why=why))
    return WhatIfDict(
        base=base,
        again=again,
        steady=again and again["same"],
        reason=found.reason,
        without=sorted(without, key=lambda one: -one["distance"]),
        not_tried=missing,
        calls=tally.calls,
        tokens=tally.tokens,
    )


def _next_to(base: str, answer: str | NotAnsweredError | None) -> AgainDict | None:
    if not isinstance(answer, str):
        return None
    return AgainDict(answer=answer, same=is_same(base, answer), distance=distance(base, answer))
