"""Statements as lines of an export: a line for each turn that has some. Pure.

A line has the whole turn except tools and pictures: its statements follow from its text, and a
model may still learn from it after an import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..model.inputs import MAX_TEXT_CHARS
from ..model.scope import SCOPE_IDS
from ..model.types import PrecedingQuestion, Recent, Turn
from .fields import Fields, Take

MOST_CHARS = 4 * MAX_TEXT_CHARS
"""For a message or an answer; no line of ours has a longer one."""
MOST_TOKENS = 2**31
"""For a turn: stores add up those of a conversation, in 64 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedTurn:
    """A turn that a line carries."""

    turn: Turn
    learned: bool = False
    """Whether a model read it, and kept nothing."""
    unread: bool = False
    """Whether no model is to read it of its own accord."""
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
    if turn.upstream:
        said["upstream"] = turn.upstream
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
    if recent.unread:
        said["unread"] = True
    return said


def read_turn(value: Mapping[str, Any], tenant: str, *, unchanged: bool) -> ExportedTurn:
    """The turn of a line, for a tenant.

    Raises:
        InvalidInputError: it is malformed; names the field.
    """
    fields = Fields("said", Fields("", value).read({}, _LINE).get("said"))
    said = fields.read(_TURN, _OF_TURN)
    scope = fields.scope_in(said, tenant)
    how = {name: said.pop(name, False) for name in ("learned", "unread")}
    said["user_text"], said["assistant_text"] = said.pop("text"), said.pop("answer", "")
    turn = Turn(scope=scope, **({"model": ""} | said))
    return ExportedTurn(turn=turn, unchanged=unchanged, **how)


def _before(fields: Fields, name: str) -> PrecedingQuestion | None:
    if (value := fields.take(name)) is None:
        return None
    said = Fields(fields.name_of(name), value).read({}, _OF_BEFORE)
    said.pop("said", None)
    return PrecedingQuestion(**said)


_LINE = dict.fromkeys(("said", "seal", "signature"), Fields.take)
_MESSAGE = partial(Fields.text, most=MOST_CHARS)
_TURN: dict[str, Take] = {
    "id": Fields.id, "conversation_id": Fields.id, "created_at": Fields.moment, "text": _MESSAGE,
}  # fmt: skip
_OF_TURN: dict[str, Take] = {
    **dict.fromkeys(SCOPE_IDS, Fields.take),
    "answer": _MESSAGE, "model": Fields.text, "tokens": partial(Fields.whole, most=MOST_TOKENS),
    "recalled": Fields.ids, "asked": Fields.ids, "before": _before, "zone": Fields.text,
    "upstream": Fields.text,
    "learned": Fields.flag, "unread": Fields.flag,
}  # fmt: skip
_OF_BEFORE: dict[str, Take] = {
    "turn_ids": Fields.ids, "asked": Fields.text, "plays": Fields.flag,
    "said": Fields.take,  # of earlier exports: nothing is shown with it any more
}  # fmt: skip


def redacted(carried: ExportedTurn, redact: Callable[[str], str]) -> ExportedTurn:
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
