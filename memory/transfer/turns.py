"""Statements as lines of an export: a line for each turn that has some. Pure.

A line has the whole turn except tools and pictures: its statements follow from its text, and a
model may still learn from it after an import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..model.errors import InvalidInputError
from ..model.inputs import MAX_TEXT_CHARS
from ..model.types import Before, Recent, Scope, Turn
from .fields import Fields

MOST_CHARS = 4 * MAX_TEXT_CHARS
"""For a message or an answer; no line of ours has a longer one."""
MOST_TOKENS = 2**31
"""For a turn: stores add up those of a conversation, in 64 bits."""
_SCOPE = ("user_id", "agent_id", "run_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedTurn:
    """A turn that a line carries."""

    turn: Turn
    learned: bool = False
    """Whether a model read it, and kept nothing."""
    unchanged: bool = False
    """Whether nobody changed the line since this installation wrote it."""


def turn_dict(recent: Recent) -> dict[str, Any]:
    """A turn as a JSON value."""
    turn = recent.turn
    said: dict[str, Any] = {
        "id": turn.id,
        "conversation_id": turn.conversation_id,
        **turn.scope.ids(),
        "created_at": turn.created_at.isoformat(),
        "text": turn.user_text,
        "answer": turn.assistant_text,
        "model": turn.model,
    }
    if turn.zone:
        said["zone"] = turn.zone
    if turn.tokens:
        said["tokens"] = turn.tokens
    if turn.recalled:
        said["recalled"] = list(turn.recalled)
    if turn.asked is not None:
        said["asked"] = list(turn.asked)
    if turn.before is not None:
        said["before"] = {
            "turn_ids": list(turn.before.turn_ids),
            "asked": turn.before.asked,
            **({"plays": True} if turn.before.plays else {}),
        }
    if recent.learned:
        said["learned"] = True
    return said


def read_turn(value: Mapping[str, Any], tenant: str, *, unchanged: bool) -> CarriedTurn:
    """The turn of a line, for a tenant.

    Raises:
        InvalidInputError: it is malformed; names the field.
    """
    line = Fields("", value)
    line.take("seal")
    line.take("signature")
    fields = Fields("said", line.take("said"))
    line.done()
    turn = Turn(
        id=fields.id("id"),
        conversation_id=fields.id("conversation_id"),
        scope=_scope(fields, tenant),
        created_at=fields.moment("created_at"),
        user_text=fields.text("text", most=MOST_CHARS),
        assistant_text=fields.text_or_none("answer", most=MOST_CHARS) or "",
        model=fields.text_or_none("model") or "",
        tokens=fields.whole("tokens", least=0, default=0, most=MOST_TOKENS),
        recalled=fields.ids("recalled"),
        asked=fields.ids("asked") if fields.has("asked") else None,
        before=_before(fields),
        zone=fields.text_or_none("zone") or "",
    )
    learned = fields.flag("learned")
    fields.done()
    return CarriedTurn(turn=turn, learned=learned, unchanged=unchanged)


def redacted(carried: CarriedTurn, redact: Callable[[str], str]) -> CarriedTurn:
    """The turn without secrets, as if it was captured here."""
    turn, before = carried.turn, carried.turn.before
    if before is not None:
        before = replace(before, asked=redact(before.asked))
    return replace(
        carried,
        turn=replace(
            turn,
            user_text=redact(turn.user_text),
            assistant_text=redact(turn.assistant_text),
            model=redact(turn.model),
            before=before,
        ),
    )


def _scope(fields: Fields, tenant: str) -> Scope:
    ids = {name: fields.take(name) for name in _SCOPE}
    try:
        return Scope(tenant=tenant, **ids)
    except InvalidInputError as error:
        raise InvalidInputError(fields.name_of(error.field), error.expected) from None


def _before(fields: Fields) -> Before | None:
    value = fields.take("before")
    if value is None:
        return None
    inner = Fields(fields.name_of("before"), value)
    found = Before(
        turn_ids=inner.ids("turn_ids"),
        asked=inner.text_or_none("asked") or "",
        plays=inner.flag("plays"),
    )
    inner.take("said")  # of earlier exports: nothing is shown with it any more
    inner.done()
    return found
