"""The filter that takes the old turns of a long conversation out of what goes upstream.

What is taken out, and its extract, depend on the conversation and on what is recorded of it alone:
not on the clock, the process or what was asked. Whatever is odd, the conversation stays as it came.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from recollect.memory.blocks import Fence, frame
from recollect.memory.database import SqlConversations
from recollect.memory.learn import EXTRACT_PREAMBLE
from recollect.memory.model.errors import RecollectError
from recollect.memory.model.turn_ids import turn_ids_of
from recollect.memory.model.types import MemoryItem, Message, Scope

from ..exchange import Exchange, Injection, Place, RequestFilter, turn_text
from ..inject.filter import injection
from ..inject.working_blocks import together
from .compressed import Compressed
from .cutting import cut_of, groups_of, may_go, ranges_of, tokens_in, tokens_of, turns_in
from .digest import fitting, lines_of
from .episodes import usable
from .lines import asks, ranked
from .parts import Count, OldPiece, OldTurn
from .steps import KeptSteps

log = logging.getLogger(__name__)

MOST_PARTS = 8
"""Parts of an extract: each has this share of the budget."""
KEEP_TURNS = 8
"""The last turns, which always stay as they are, the present one included."""
STEP_TURNS = 10
"""So many turns are taken out at a time: between two steps the beginning of the prompt is the same,
and a prompt cache holds it."""
EXTRACT_TOKENS = 600
"""Most tokens of the extract: fewer than the turns of one step usually have."""
LINE_TOKENS = 500
"""Most tokens of lines of the turns that were taken out, chosen for the present message and placed
where memories are: as many as `recall.token_budget` gives them."""
READ_SECONDS = 0.1
"""Longest a request waits until its old turns are read, once for each step of them."""


@dataclass(frozen=True, slots=True)
class CompressSizes:
    """How much of a conversation stays, and what stands for the rest."""

    keep_turns: int = KEEP_TURNS
    step_turns: int = STEP_TURNS
    extract_tokens: int = EXTRACT_TOKENS
    line_tokens: int = LINE_TOKENS
    seconds: float | None = None
    """Instead of `READ_SECONDS`."""


class EpisodeSource(Protocol):
    """Knows what models told of conversations."""

    gap: timedelta
    """The pause that ends a stretch."""

    async def of(self, scope: Scope, conversation_id: str) -> Sequence[MemoryItem]:
        """The episodes of a conversation of exactly this scope. Raises StoreError, StateError."""


class Compress(RequestFilter):
    """Runs before anything is recalled: what is taken out is no more in the conversation."""

    name = "compress"

    def __init__(
        self,
        after_tokens: int,
        turns: SqlConversations,
        fence: Fence,
        count: Count,
        *,
        episodes: EpisodeSource,
        sizes: CompressSizes = CompressSizes(),
    ) -> None:
        """`count` tells the tokens of a text."""
        self._seconds = sizes.seconds
        self._episodes = episodes
        self._after, self._keep, self._step = after_tokens, sizes.keep_turns, sizes.step_turns
        self._turns = turns
        self._fence = fence
        self._count = count
        self._frame = count(frame(EXTRACT_PREAMBLE))
        budget = max(0, sizes.extract_tokens - self._frame) // MOST_PARTS
        self._lines_budget = sizes.line_tokens - self._frame
        self.kept = KeptSteps(count, budget=budget)
        """Told by the caller what is forgotten."""

    def calls_out(self, exchange: Exchange) -> bool:
        return self._may(exchange)

    async def request(self, exchange: Exchange) -> None:
        cut = self._cut(exchange)
        if not cut:
            return
        try:
            async with asyncio.timeout(READ_SECONDS if self._seconds is None else self._seconds):
                exchange.compressed = await self._compressed(exchange, cut)
        except TimeoutError:
            exchange.notes["compress"] = "late"
        except RecollectError as error:
            exchange.notes["compress"] = error.code
        else:
            exchange.notes["compress"] = "done" if exchange.compressed else "nothing"
        if exchange.compressed is not None:
            exchange.visible -= {*exchange.compressed.turn_ids}

    def settle(self, exchange: Exchange) -> None:
        """Add the extract, and the lines that the message is about, to all other blocks."""
        found = exchange.compressed
        if found is None:
            return
        exchange.injections = [one for one in exchange.injections if not found.takes(one.index)]
        lines = self._lines(exchange, found)
        if lines:
            place = Place.USER if exchange.place is Place.START else exchange.place
            placed = injection(exchange.messages, lines, place)
            if placed is not None:
                exchange.injections = together(placed, exchange.injections)
        if found.extract:
            ours = Injection(found.carrier, found.extract, Place.USER)
            exchange.injections = together(ours, exchange.injections)

    def _may(self, exchange: Exchange) -> bool:
        """Whether the conversation is ours to shorten, and has turns enough."""
        known = exchange.understood is not None and not exchange.earlier
        enough = len(exchange.messages) > self._keep + self._step
        return known and enough and not exchange.upstream_id

    def _cut(self, exchange: Exchange) -> int:
        """How many turns are old; 0 if the conversation is to stay as it is."""
        if not self._may(exchange):
            return 0
        return cut_of(
            exchange.messages,
            turns_in(exchange.messages),
            keep=self._keep,
            step=self._step,
            after=self._after,
        )

    async def _compressed(self, exchange: Exchange, cut: int) -> Compressed | None:
        messages, turns = exchange.messages, turns_in(exchange.messages)
        ids: Sequence[str] = exchange.turns
        if len(ids) != len(turns):
            ids = turn_ids_of(exchange.conversation_id, messages)
        carrier = turns[cut].start
        if exchange.understood is None or ids[-1] != exchange.turn_id:
            return None
        if not messages[carrier].content:
            return None  # it may have no place for the extract
        understood = exchange.understood()
        whole = [at for at in range(cut) if may_go(messages, turns[at], understood)]
        # Those that stay tell when the others were first taken out (`usable`).
        asked = [*whole, *range(cut, cut + self._keep)]
        dates = await self._turns.dates(exchange.conversation_id, [ids[at] for at in asked])
        gone = {at: ids[at] for at in whole if ids[at] in dates}
        if not gone:
            return None
        known = {**dates, **{ids[at]: None for at in range(cut) if at not in gone}}
        told = await self._told(exchange, ids, known)
        old = {at: _old(messages, turns[at], gone[at], dates, told) for at in gone}
        steps = [
            [old[at] for at in range(begin, begin + self._step) if at in old]
            for begin in range(0, cut, self._step)
        ]
        read = await self.kept.read(exchange.scope, steps, groups_of(len(steps), MOST_PARTS))
        without = ranges_of([turns[at] for at in gone])
        extract = self._fenced(read.extracts)
        if sum(tokens_in(messages[at]) for part in without for at in part) <= tokens_of(extract):
            return None
        return Compressed(
            without=without,
            turn_ids=tuple(gone.values()),
            carrier=carrier,
            extract=extract,
            said=frozenset(piece.key for extract in read.extracts for piece in extract),
            steps=read.steps,
        )

    async def _told(
        self, exchange: Exchange, ids: Sequence[str], dates: Mapping[str, datetime | None]
    ) -> Mapping[str, str]:
        """What episodes tell of turns, by the last turn of each."""
        episodes = await self._episodes.of(exchange.scope, exchange.conversation_id)
        gap = self._episodes.gap
        return usable(episodes, ids, dates, step=self._step, keep=self._keep, gap=gap)

    def _fenced(self, extracts: Sequence[Sequence[OldPiece]]) -> str:
        """The extract of all parts: it only grows at its end while its first part stays."""
        said = [extract for extract in extracts if extract]
        if not said:
            return ""
        days = [None, *(extract[-1].on for extract in said)]
        parts = [lines_of(part, after=day) for part, day in zip(said, days, strict=False)]
        return self._fence.around("".join(parts), EXTRACT_PREAMBLE, sealed=parts[0])

    def _lines(self, exchange: Exchange, found: Compressed) -> str:
        """The fenced lines for the present message; "" if it asks nothing, or nothing is found.

        Also for a message that needs no memory: it may speak of what the model saw until now.
        """
        if self._lines_budget <= 0 or not asks(turn_text(exchange.messages, exchange.asked)):
            return ""
        query = exchange.query.text or turn_text(exchange.messages, exchange.asked)
        shown = _shown(exchange)
        best = (
            piece
            for piece in ranked(found.steps, query)
            if piece.key not in found.said and not any(piece.text in text for text in shown)
        )
        order = {turn_id: at for at, turn_id in enumerate(found.turn_ids)}
        pieces = fitting(
            best,
            self._lines_budget,
            self._count,
            order=lambda piece: (order[piece.turn_id], piece.number),
        )
        return self._fence.around(lines_of(pieces), EXTRACT_PREAMBLE) if pieces else ""


def _shown(exchange: Exchange) -> list[str]:
    """The memories that the model is shown anyway."""
    chosen = exchange.selection.chosen if exchange.selection and exchange.injected else ()
    return [" ".join(hit.item.text.split()) for hit in chosen]


def _old(
    messages: Sequence[Message],
    turn: range,
    turn_id: str,
    dates: Mapping[str, datetime | None],
    episodes: Mapping[str, str],
) -> OldTurn:
    said, *others = (messages[at] for at in turn)
    answers = [message.content for message in others if message.role == "assistant"]
    at = dates[turn_id]
    text = "\n\n".join(filter(None, answers))
    on = None if at is None else at.date()
    return OldTurn(turn_id, said.content, text, on, episodes.get(turn_id, ""))
