"""A turn as a row of the table `turns`, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple
from typing import Any

from ..model.times import from_ms, to_ms
from ..model.types import Before, Recent, ToolStep, Turn
from .rows import digest, scope_columns, scope_from
from .scripts import Row

COLUMNS = (
    "id, conversation_id, seq, user_text, assistant_text, model, created_at, "
    "tenant, user_id, agent_id, run_id, steps, recalled, images, tokens, "
    "response_id, upstream_id, before, asked, zone"
)
"""The columns that `turn_from` reads."""
LONGEST_NAME = 400
"""Names of answers are an upstream's: of a longer one a digest is kept, see `rows.owner_key`."""


def values_of(turn: Turn) -> dict[str, object]:
    """The columns of a turn by name, without its position."""
    return {
        "id": turn.id,
        "conversation_id": turn.conversation_id,
        **scope_columns(turn.scope),
        "user_text": turn.user_text,
        "assistant_text": turn.assistant_text,
        "model": turn.model,
        "created_at": to_ms(turn.created_at),
        "steps": _packed((step.name, step.arguments, step.result) for step in turn.steps),
        "recalled": _packed(turn.recalled),
        "images": _packed(turn.images),
        "tokens": turn.tokens,
        "response_id": name_of(turn.response_id) or None,
        "upstream_id": name_of(turn.upstream_id) or None,
        "zone": turn.zone or None,
        "before": None if turn.before is None else json.dumps(astuple(turn.before)),
        "asked": None if turn.asked is None else json.dumps(turn.asked),
    }


def name_of(answer: str) -> str:
    """The name of an answer as it is kept."""
    return answer if len(answer) <= LONGEST_NAME else digest(answer)


def turn_from(row: Row) -> Turn:
    """The turn kept in a row of `COLUMNS`."""
    turn_id, conversation_id, seq, user_text, assistant_text, model, created_at = row[:7]
    steps, recalled, images, tokens, response_id, upstream_id, before, asked, zone = row[11:20]
    return Turn(
        id=turn_id,
        conversation_id=conversation_id,
        scope=scope_from(*row[7:11]),
        user_text=user_text,
        assistant_text=assistant_text,
        model=model,
        created_at=from_ms(created_at),
        seq=seq,
        steps=tuple(ToolStep(*step) for step in _unpacked(steps)),
        recalled=tuple(_unpacked(recalled)),
        images=tuple(_unpacked(images)),
        tokens=tokens,
        response_id=response_id or "",
        upstream_id=upstream_id or "",
        before=before_from(before),
        asked=None if asked is None else tuple(_unpacked(asked)),
        zone=zone or "",
    )


def recent_from(row: Row) -> Recent:
    """The turn kept in a row of `COLUMNS`, its note, and whether it was learned (2: given up)."""
    note, learned = row[20:]
    return Recent(turn_from(row), note, learned == 1)


def before_from(column: str | None) -> Before | None:
    """What a turn answers or corrects, from its column."""
    if column is None:
        return None
    turn_ids, asked, plays = json.loads(column)
    return Before(tuple(turn_ids), asked, plays)


def _packed(values: Iterable[object]) -> str | None:
    """JSON, or NULL for an empty list: most turns have none."""
    kept = list(values)
    return json.dumps(kept) if kept else None


def _unpacked(column: str | None) -> list[Any]:
    return [] if column is None else list(json.loads(column))
