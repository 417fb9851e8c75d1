"""Converts messages given to `add` into turns, so that there is one way to learn. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ..model.messages import INSTRUCTIONS, TOOL_ROLES
from ..model.types import Message, PrecedingQuestion, Scope, ToolStep, Turn
from ..model.zones import name_now


@dataclass(slots=True)
class _Open:
    """A turn while its messages are read; `start` is the place of the first one."""

    start: int
    user: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    assistant: list[str] = field(default_factory=list)
    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    steps: list[ToolStep] = field(default_factory=list)
    plays: bool = False

    @property
    def answered(self) -> bool:
        return bool(self.assistant or self.steps or self.calls)


def turns_of(
    messages: Sequence[Message],
    scope: Scope,
    *,
    at: datetime,
    batch: str,
    played: Sequence[bool] = (),
) -> list[Turn]:
    """The turns of a conversation: consecutive user messages and the answers to them.

    System and developer messages are left out. `played` tells of each user message whether it is
    said in a role (`learn.roles`); without it none is.
    """
    return [
        Turn(
            id=_id(batch, number),
            conversation_id=batch,
            scope=scope,
            user_text="\n".join(each.user),
            assistant_text="\n".join(each.assistant),
            model="",
            created_at=at,
            seq=number,
            steps=tuple(each.steps),
            images=tuple(each.images),
            zone=name_now(),
            before=PrecedingQuestion(plays=True) if each.plays else None,
        )
        for number, each in enumerate(_split(messages, played), 1)
    ]


def starts_of(messages: Sequence[Message], batch: str) -> dict[str, int]:
    """Where each of `turns_of` begins in the messages, by its id."""
    return {_id(batch, number): each.start for number, each in enumerate(_split(messages), 1)}


def _id(batch: str, number: int) -> str:
    return f"{batch}/{number}"


def _split(messages: Sequence[Message], played: Iterable[bool] = ()) -> Iterator[_Open]:
    turn, plays = _Open(0), iter(played)
    for at, message in enumerate(messages):
        if message.role in INSTRUCTIONS:
            continue
        if message.role == "user" and turn.answered:
            yield turn
            turn = _Open(at)
        elif not (turn.user or turn.answered):
            turn.start = at
        _take(turn, message)
        if message.role == "user":
            turn.plays = next(plays, False)
    if turn.user or turn.answered:
        yield turn


def _take(turn: _Open, message: Message) -> None:
    if message.role == "user":
        turn.user.append(message.content)
        turn.images += message.images
        return
    if message.role in TOOL_ROLES:
        name, arguments = turn.calls.pop(message.call_id or "", ("tool", ""))
        turn.steps.append(ToolStep(name, arguments, message.content))
        return
    turn.calls |= {call.id: (call.name, call.arguments) for call in message.calls}
    if message.content:
        turn.assistant.append(message.content)
