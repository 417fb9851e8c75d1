"""A turn as a row of the table `turns`, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple
from typing import Any, cast

from ...database.rows import scope_from
from ...model.times import from_ms, to_ms
from ...model.types import Before, Recent, ToolStep, Turn

COLUMNS = (
    "id, conversation_id, seq, user_text, assistant_text, model, created_at, "
    "tenant, user_id, agent_id, run_id, steps, recalled, images, tokens, "
    "response_id, upstream_id, before, asked, zone"
)
"""The columns that `turn_from` reads."""


_SCOPE = ("tenant", "user_id", "agent_id", "run_id")


def values_of(turn: Turn) -> dict[str, object]:
    """The columns of a turn by name, without its position."""
    return {
        "id": turn.id,
        "conversation_id": turn.conversation_id,
        **{name: getattr(turn.scope, name) for name in _SCOPE},
        "user_text": turn.user_text,
        "assistant_text": turn.assistant_text,
        "model": turn.model,
        "created_at": to_ms(turn.created_at),
        "steps": _packed((step.name, step.arguments, step.result) for step in turn.steps),
        "recalled": _packed(turn.recalled),
        "images": _packed(turn.images),
        "tokens": turn.tokens,
        "response_id": turn.response_id or None,
        "upstream_id": turn.upstream_id or None,
        "zone": turn.zone or None,
        "before": None if turn.before is None else json.dumps(astuple(turn.before)),
        "asked": None if turn.asked is None else json.dumps(turn.asked),
    }


def turn_from(row: tuple[object, ...]) -> Turn:
    """The turn kept in a row of `COLUMNS`."""
    turn_id, conversation_id, seq, user_text, assistant_text, model, created_at = row[:7]
    steps, recalled, images, tokens, response_id, upstream_id, before, asked, zone = row[11:]
    return Turn(
        id=str(turn_id),
        conversation_id=str(conversation_id),
        scope=scope_from(*row[7:11]),
        user_text=str(user_text),
        assistant_text=str(assistant_text),
        model=str(model),
        created_at=from_ms(int(str(created_at))),
        seq=int(str(seq)),
        steps=tuple(ToolStep(*step) for step in _unpacked(steps)),
        recalled=tuple(_unpacked(recalled)),
        images=tuple(_unpacked(images)),
        tokens=int(str(tokens)),
        response_id=str(response_id or ""),
        upstream_id=str(upstream_id or ""),
        before=_before(before),
        asked=None if asked is None else tuple(_unpacked(asked)),
        zone=str(zone or ""),
    )


def recent_from(row: tuple[object, ...]) -> Recent:
    """The turn kept in a row of `COLUMNS`, its note, and whether it was learned (2: given up)."""
    *columns, note, learned = row
    return Recent(turn_from(tuple(columns)), None if note is None else str(note), learned == 1)


def _before(column: object) -> Before | None:
    if column is None:
        return None
    # Once the user's own messages stood before these.
    *_, turn_ids, asked, plays = json.loads(str(column))
    return Before(tuple(turn_ids), asked, plays)


def _packed(values: Iterable[object]) -> str | None:
    """JSON, or NULL for an empty list: most turns have none."""
    kept = list(values)
    return json.dumps(kept) if kept else None


def _unpacked(column: object) -> list[Any]:
    return cast("list[Any]", json.loads(str(column))) if column is not None else []
