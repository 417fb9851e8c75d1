"""Reads the tool steps of a turn from the messages that the client resends. Pure, linear time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from recollect.memory.model.messages import TOOL_ROLES
from recollect.memory.model.types import Message, ToolCall, ToolStep

from ..exchange import last_user_index

MAX_STEPS = 40
"""Most steps of a turn; of more the first `FIRST_STEPS` and the last are kept."""
FIRST_STEPS = 10
MAX_STEPS_CHARS = 60_000
"""Arguments and results of all steps of a turn together."""
MAX_ARGUMENT_CHARS = 2000
MAX_RESULT_CHARS = 4000
MAX_NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """Most characters of one step."""

    arguments: int
    result: int


def limits_for(steps: int) -> Limits:
    """The limits for a turn with this many steps."""
    share = MAX_STEPS_CHARS // max(1, steps)
    return Limits(min(MAX_ARGUMENT_CHARS, share // 3), min(MAX_RESULT_CHARS, share * 2 // 3))


def steps_of(messages: Sequence[Message], asked: Iterable[ToolCall] = ()) -> list[ToolStep]:
    """The answered tool calls since the last user message, in order.

    `asked` are calls of an answer that this request does not repeat. The result of an unknown call
    becomes a step without a name, if it has text.
    """
    begin = last_user_index(messages)
    reading = _Pairs()
    for call in asked:
        reading.ask(call)
    for message in messages[0 if begin is None else begin + 1 :]:
        for call in message.calls:
            reading.ask(call)
        if message.role in TOOL_ROLES:
            reading.answer(message)
    return reading.steps()


def bounded(steps: Sequence[ToolStep]) -> list[ToolStep]:
    """The first and the last of too many."""
    if len(steps) <= MAX_STEPS:
        return list(steps)
    return [*steps[:FIRST_STEPS], *steps[FIRST_STEPS - MAX_STEPS :]]


class _Pairs:
    """Calls in the order they were asked, and their results as they come."""

    def __init__(self) -> None:
        self._steps: list[ToolStep] = []
        self._answered: list[bool] = []
        self._open: dict[str, deque[int]] = {}

    def ask(self, call: ToolCall) -> None:
        # Some clients give all calls the same id: their results come in the order of the calls.
        self._open.setdefault(call.id, deque()).append(len(self._steps))
        self._steps.append(ToolStep(call.name, call.arguments, ""))
        self._answered.append(False)

    def answer(self, message: Message) -> None:
        waiting = self._open.get(message.call_id or "")
        if waiting:
            number = waiting.popleft()
            self._steps[number] = replace(self._steps[number], result=message.content)
            self._answered[number] = True
        elif message.content:
            self._steps.append(ToolStep("", "", message.content))
            self._answered.append(True)

    def steps(self) -> list[ToolStep]:
        return [step for step, done in zip(self._steps, self._answered, strict=True) if done]
