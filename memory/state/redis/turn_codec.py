"""A turn as two texts: what the user brought, which stays, and what the answer brought."""

from __future__ import annotations

import json
from typing import Any

from ...times import from_ms, to_ms
from ...types import Scope, ToolStep, Turn


def user_part(turn: Turn) -> str:
    """What a turn that is told again does not change."""
    scope = turn.scope
    return _dump(
        {
            "id": turn.id,
            "conversation": turn.conversation_id,
            "scope": [scope.tenant, scope.user_id, scope.agent_id, scope.run_id],
            "text": turn.user_text,
            "created": to_ms(turn.created_at),
            "images": turn.images,
        }
    )


def answer_part(turn: Turn) -> str:
    """What it does."""
    return _dump(
        {
            "text": turn.assistant_text,
            "model": turn.model,
            "steps": [[step.name, step.arguments, step.result] for step in turn.steps],
            "recalled": turn.recalled,
            "tokens": turn.tokens,
        }
    )


def read_turn(seq: int, user: str, answer: str) -> Turn:
    """The turn that the two parts were made of, at its position."""
    brought, answered = json.loads(user), json.loads(answer)
    tenant, user_id, agent_id, run_id = brought["scope"]
    return Turn(
        id=brought["id"],
        conversation_id=brought["conversation"],
        scope=Scope(tenant=tenant, user_id=user_id, agent_id=agent_id, run_id=run_id),
        user_text=brought["text"],
        assistant_text=answered["text"],
        model=answered["model"],
        created_at=from_ms(brought["created"]),
        seq=seq,
        steps=tuple(ToolStep(*step) for step in answered["steps"]),
        recalled=tuple(answered["recalled"]),
        images=tuple(brought["images"]),
        tokens=answered["tokens"],
    )


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
