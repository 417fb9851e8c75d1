"""A turn as two texts: the user's part, which never changes, and the answer's part.

The user's part is one line, or two: the second one, what came before the message, is cut off when
that is erased.
"""

from __future__ import annotations

import json
from dataclasses import asdict, astuple
from typing import Any

from ...database.rows import scope_from
from ...model.times import from_ms, to_ms
from ...model.types import Before, ToolStep, Turn


def user_part(turn: Turn) -> str:
    """The part of a turn that stays when the turn is sent again."""
    told = _dump(
        {
            "id": turn.id,
            "conversation": turn.conversation_id,
            "scope": astuple(turn.scope),
            "text": turn.user_text,
            "created": to_ms(turn.created_at),
            "images": turn.images,
            "zone": turn.zone,
        }
    )
    return told if turn.before is None else f"{told}\n{_dump(asdict(turn.before))}"


def answer_part(turn: Turn) -> str:
    """The part that is replaced when the turn is sent again."""
    return _dump(
        {
            "text": turn.assistant_text,
            "model": turn.model,
            "steps": [[step.name, step.arguments, step.result] for step in turn.steps],
            "recalled": turn.recalled,
            "asked": turn.asked,
            "tokens": turn.tokens,
            "response": turn.response_id,
            "upstream": turn.upstream_id,
        }
    )


def read_turn(seq: int, user: str, answer: str) -> Turn:
    """The turn of these two parts, at its position."""
    told, _, before = user.partition("\n")
    brought, answered = json.loads(told), json.loads(answer)
    return Turn(
        id=brought["id"],
        conversation_id=brought["conversation"],
        scope=scope_from(*brought["scope"]),
        user_text=brought["text"],
        assistant_text=answered["text"],
        model=answered["model"],
        created_at=from_ms(brought["created"]),
        seq=seq,
        steps=tuple(ToolStep(*step) for step in answered["steps"]),
        recalled=tuple(answered["recalled"]),
        asked=None if (asked := answered["asked"]) is None else tuple(asked),
        images=tuple(brought["images"]),
        tokens=answered["tokens"],
        response_id=answered["response"],
        upstream_id=answered["upstream"],
        before=_before(json.loads(before)) if before else None,
        zone=brought["zone"],
    )


def _before(kept: dict[str, Any]) -> Before:
    return Before(tuple(kept["turn_ids"]), kept["asked"], kept["plays"])


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
