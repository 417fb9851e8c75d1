"""What an export has of a chat: dated turns, and how much was left out by which rule. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from ...model.errors import InvalidInputError
from ...model.inputs import MAX_TEXT_CHARS
from ...model.messages import shorten

ATTACHMENTS = "attachments"
BRANCHES = "messages on branches that were left"
HIDDEN = "hidden or deleted messages"
INSTRUCTIONS = "instructions"
OTHERS = "entries of another kind"
THOUGHTS = "thoughts of a model"
TOOLS = "calls and results of tools"
UNDATED = "messages of conversations without a date that can be read"
UNREMEMBERED = "conversations that are not to be remembered"
_MARKS = {"mapping": "chatgpt", "chat_messages": "claude", "activityControls": "gemini"}
"""What only entries of one service have."""
_MODEL_CHARS = 200
_ID_CHARS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignTurn:
    """A message of the user, with the answer."""

    id: str
    """The same for the same message of whichever export."""
    at: datetime
    text: str
    answer: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignConversation:
    """A conversation as its branch stood when it was exported."""

    id: str
    turns: Sequence[ForeignTurn]
    left_out: Counter[str]
    """How much of it is not in the turns, by the rule."""
    messages: int = 0
    """Those of the user and the assistant that are in the turns."""


class ForeignMessage(NamedTuple):
    """A message of the user or the assistant."""

    id: str
    by_user: bool
    text: str
    at: datetime | None
    model: str = ""


def conversation_of(
    service: str,
    name: str,
    said: Sequence[ForeignMessage],
    left_out: Counter[str],
    *,
    begun: datetime | None = None,
    changed: datetime | None = None,
) -> ForeignConversation:
    """The conversation of these messages. Each one of the user's begins a turn.

    So a message that follows in a later export changes no turn before it. An answer to nothing is
    dropped, as is a turn without text. A message without a date has that of what stands before it,
    else the first that is known of the conversation; without any all of it is left out.
    """
    at = next(filter(None, (begun, *(each.at for each in said), changed)), None)
    if at is None:
        left_out[UNDATED] += len(said)
        return ForeignConversation(id=named(service, name), turns=[], left_out=left_out)
    turns: list[tuple[datetime, list[ForeignMessage]]] = []
    for each in said:
        at = each.at or at
        if each.by_user:
            turns.append((at, [each]))
        elif turns and each.text.strip():
            turns[-1][1].append(each)
    kept = [turn for turn in turns if turn[1][0].text.strip()]
    return ForeignConversation(
        id=named(service, name),
        turns=[_turn(service, name, *turn) for turn in kept],
        left_out=left_out,
        messages=sum(len(each) for _, each in kept),
    )


def _turn(service: str, name: str, at: datetime, said: Sequence[ForeignMessage]) -> ForeignTurn:
    asked, *answers = said
    model = next((each.model for each in answers if each.model), "")
    return ForeignTurn(
        id=named(service, name, asked.id),
        at=at,
        text=_bounded(asked.text),
        answer=_bounded("\n".join(each.text for each in answers)),
        model=storable(model)[:_MODEL_CHARS],
    )


def named(service: str, *names: str) -> str:
    """The id of something in an export of a service, from its names there."""
    whole = "\0".join((service, *names)).encode("utf-8", "surrogatepass")
    return f"{service}-{sha256(whole).hexdigest()[:_ID_CHARS]}"


def storable(text: str) -> str:
    """The text without what no database keeps: halves of characters, and NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def foreign(service: str, value: Mapping[str, Any], where: str, expected: str) -> InvalidInputError:
    """The refusal of an entry that is none of this service's, by whose it seems to be."""
    whose = next((other for mark, other in _MARKS.items() if mark in value), service)
    if whose == service:
        return newer(where, expected)
    return InvalidInputError(where, f"{expected}: this export is of {whose}, import it as that")


def newer(where: str, expected: str) -> InvalidInputError:
    """The refusal of what an export has in another shape."""
    return InvalidInputError(where, f"{expected}: the export may be of a newer format")


def _bounded(text: str) -> str:
    return shorten(storable(text), MAX_TEXT_CHARS)
