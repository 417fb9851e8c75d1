"""Drops what a person has denied from everything that is written from turns later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ..language.words import sentences
from ..memories import SqlMemories
from ..model.doubts import CALLED_WRONG
from ..model.endings import denied_at, denied_since, is_never_again
from ..model.types import Decision, EventKind, MemoryItem, MemoryStatus, MemoryType, Scope, Turn
from .reconcile import quotes_denial, quotes_it, repeats, tells_it
from .records import Batch

DENIABLE = frozenset({MemoryStatus.SUPERSEDED, MemoryStatus.QUARANTINED})
MOST_ENDED = 1000
"""Newest memories that a person ended or called wrong."""
_TOLD = frozenset({EventKind.ADD, EventKind.UPDATE, EventKind.QUARANTINE})


async def ended_in(store: SqlMemories, scope: Scope) -> list[MemoryItem]:
    """What persons ended or called wrong of exactly this scope, the newest first.

    Raises StoreError.
    """
    return await store.with_origin(
        scope,
        ('"ended_at":', f'"{CALLED_WRONG}"'),
        lambda item: item.scope == scope and denied_at(item) is not None,
        limit=MOST_ENDED,
        statuses=DENIABLE,
    )


def may_be_denied(decision: Decision) -> bool:
    """Whether it tells what nobody wrote by hand: a person's own writing is believed."""
    return decision.event in _TOLD and bool(decision.turn_ids or decision.source.is_hearsay)


def standing(
    decisions: Sequence[Decision], ended: Sequence[MemoryItem], batch: Batch
) -> list[Decision]:
    """The decisions but for what a person ended after it was said, or for good. Pure.

    Of a text that tells more besides, the rest stays; what is not told ends no memory.
    """
    left = [(each, _left_of(each, ended, batch.said_at(each))) for each in decisions]
    denied = [one.grounds() for one, text in left if text == "" != one.text]
    return [
        one if text == one.text else replace(one, text=text)
        for one, text in left
        if (text or not one.text)
        and not (one.event is EventKind.DELETE and one.grounds() in denied)
    ]


def _left_of(decision: Decision, ended: Sequence[MemoryItem], at: datetime) -> str:
    if not may_be_denied(decision):
        return decision.text
    never = [item for item in ended if is_never_again(item)]
    if repeats(decision.text, never):
        return ""
    loosely = decision.type is MemoryType.EPISODIC
    later = [item for item in ended if (denied_at(item) or at) > at]
    later += never if loosely else ()
    return drop_denied(decision.text, decision.turn_ids, later, loosely=loosely)


def undenied(turns: Sequence[Turn], ended: Sequence[MemoryItem]) -> list[Turn]:
    """The turns without the sentences that tell what a person said is not so, after they were said.

    Pure. The assistant may have repeated it in a longer sentence.
    """
    return [_undenied(turn, ended) for turn in turns] if ended else list(turns)


def _undenied(turn: Turn, ended: Sequence[MemoryItem]) -> Turn:
    never = filter(is_never_again, ended)
    later = [*never, *denied_since(ended, turn.created_at)]
    if not later:
        return turn
    return replace(
        turn,
        user_text=drop_denied(turn.user_text, (turn.id,), later),
        assistant_text=drop_denied(turn.assistant_text, (turn.id,), later, loosely=True),
    )


def drop_denied(
    text: str,
    turn_ids: Sequence[str],
    ended: Sequence[MemoryItem],
    *,
    loosely: bool = False,
) -> str:
    """A text of some turns without the sentences that tell what these memories said; else as it is.

    `loosely` also without those that tell more besides. Pure.
    """
    told = sentences(text)
    kept = [one for one in told if not _is_denied(one, turn_ids, ended, loosely=loosely)]
    return text if len(kept) == len(told) else "".join(kept).strip()


def _is_denied(
    sentence: str, turn_ids: Sequence[str], ended: Sequence[MemoryItem], *, loosely: bool
) -> bool:
    for item in ended:
        origin = item.provenance
        of_turn = not set(turn_ids).isdisjoint(origin.turn_ids)
        if quotes_denial(sentence, item.text) or (of_turn and quotes_it(sentence, origin.quote)):
            return True
        if loosely and tells_it(sentence, item.text):
            return True
    return False
