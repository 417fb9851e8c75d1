"""Whole conversations in Redis: listed by the index of their owners, read page by page.

The index has no order in time. So a list asks each conversation of the owner for its last turn, in
batches of one round trip, and reads texts of those only that it shows.
"""

from __future__ import annotations

import heapq
from collections.abc import AsyncIterator, Sequence
from typing import Any

from ...model.conversations import PREVIEW_CHARS, ConversationMark, ConversationSummary
from ...model.times import from_ms
from ...model.types import OwnerRef, Scope, Turn
from . import summary_scripts as scripts
from .keys import Keys, owned_prefix, owner_key, read_member
from .turn_codec import read_turn
from .wire import PIPELINE, Script, ScriptRun, Wire

_Place = tuple[int, str, Scope]
"""When the last turn was created, negative in milliseconds; the conversation and its scope."""


class RedisSummaries:
    """`ConversationReads` shared by all processes."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def conversations(
        self, scope: Scope, *, after: ConversationMark | None = None, limit: int
    ) -> Sequence[ConversationSummary]:
        found: list[_Place] = []
        async for members in self._owned(scope):
            read = (read_member(member) for member in members)
            own = [(owner, name) for owner, _, name in read if scope.admits(owner)]
            answers = await self._ask(scripts.LAST_TOLD, own)
            places = [
                (-last, name, owner)
                for (owner, name), last in zip(own, answers, strict=True)
                if last and (after is None or after.precedes(ConversationMark(last, name)))
            ]
            found = heapq.nsmallest(limit, [*found, *places], key=lambda place: place[:2])
        return await self._summaries(found)

    async def _summaries(self, places: Sequence[_Place]) -> Sequence[ConversationSummary]:
        answers = await self._ask(scripts.SUMMARY, [(owner, name) for _, name, owner in places])
        return [
            ConversationSummary(
                id=name,
                scope=owner,
                turns=answer[0],
                started_at=from_ms(answer[1]),
                last_at=from_ms(-last),
                begins=read_turn(*answer[2:]).user_text[:PREVIEW_CHARS],
            )
            for (last, name, owner), answer in zip(places, answers, strict=True)
            if answer  # it may have been erased since
        ]

    async def conversation_turns(
        self, scope: Scope, conversation_id: str, *, after_seq: int = 0, limit: int
    ) -> Sequence[Turn]:
        return await self._turns(scripts.AFTER, scope, conversation_id, after_seq, limit)

    async def latest_turns(
        self, scope: Scope, conversation_id: str, *, limit: int
    ) -> Sequence[Turn]:
        return await self._turns(scripts.LATEST, scope, conversation_id, 0, limit)

    async def _turns(
        self, script: Script, scope: Scope, conversation_id: str, after: int, limit: int
    ) -> Sequence[Turn]:
        keys = self._keys.conversation(conversation_id)
        answer = await self._wire.run(script, keys, after, limit)
        turns = [read_turn(*answer[at : at + 3]) for at in range(0, len(answer), 3)]
        return [turn for turn in turns if scope.admits(turn.scope)]

    async def _ask(
        self, script: Script, conversations: Sequence[tuple[Scope, str]]
    ) -> Sequence[Any]:
        return await self._wire.send_all(
            [
                ScriptRun(script, self._keys.conversation(name), (owner_key(owner),))
                for owner, name in conversations
            ]
        )

    async def _owned(self, owner_ref: OwnerRef | None) -> AsyncIterator[list[str]]:
        """All index entries that may be meant, in batches."""
        prefix = owned_prefix(owner_ref)
        # "0" is the character after "/". Ids are encoded, so no other character lies between.
        start, end = (f"[{prefix}", f"({prefix[:-1]}0") if prefix else ("-", "+")
        while part := await self._wire.send(
            ("ZRANGEBYLEX", self._keys.index.owned, start, end, "LIMIT", 0, PIPELINE)
        ):
            yield part
            start = f"({part[-1]}"
