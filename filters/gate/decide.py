"""Decides which messages need no memory. If unsure, memory is searched."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.memory.language import scan
from recollect.memory.language.message import (
    Material,
    Reading,
    bound,
    is_chore,
    is_question,
    is_social,
    take_apart,
)
from recollect.memory.language.requests import Cue
from recollect.memory.model.messages import TOOL_ROLES
from recollect.memory.model.types import Message

from ..exchange import last_user_index
from .fact import is_fact
from .options import GateOptions
from .tool import needs_tool
from .verdict import GateReason


def decide(messages: Sequence[Message], options: GateOptions) -> GateReason:
    """Judge the last user message of a request. Never raises, for any text.

    A request that ends with a tool message is a continuation, unless it lacks the
    turn's user message: the upstream then keeps that message and its injected memories.
    """
    at = last_user_index(messages)
    if at is not None and messages[-1].role in TOOL_ROLES:
        return GateReason.CONTINUATION
    if at is None or not messages[at].content or messages[at].content.isspace():
        return GateReason.EMPTY
    if not options.enabled:
        return GateReason.DEFAULT
    return _judge(messages[at].content, messages[:at])


def _judge(content: str, earlier: Sequence[Message]) -> GateReason:
    if is_chore(content):
        return GateReason.TOOL
    reading = Reading(take_apart(bound(content)))
    if is_social(reading, reading.material.asked):
        # An answer to a question means what the question says.
        last = next((m.content for m in reversed(earlier) if m.role == "assistant"), "")
        return GateReason.DEFAULT if is_question(last) else GateReason.GREETING
    return _substance(_focused(reading))


def _substance(reading: Reading) -> GateReason:
    personal = scan(reading.material.asked).has("person.about_user")
    if personal or reading.has(Cue.SELF, Cue.KIN):
        return GateReason.PERSONAL
    if needs_tool(reading):
        return GateReason.TOOL
    return GateReason.FACT if is_fact(reading) else GateReason.DEFAULT


def _focused(reading: Reading) -> Reading:
    """Cut the text that a transformation is applied to if only a colon marks it.

    The text after the colon is supplied, except for a last line that is a question.
    """
    if reading.material.supplied or not reading.requests(Cue.TRANSFORM):
        return reading
    asked = reading.material.asked
    cut = min((i for i in (asked.find(c) for c in ":\uff1a\n") if i >= 0), default=-1)
    head, payload = asked[:cut], asked[cut + 1 :].strip()
    if cut < 0 or not payload or not Reading(Material(head)).requests(Cue.TRANSFORM):
        return reading
    *_, last = payload.rsplit("\n", 1)
    kept = f"{head}\n{last}" if "\n" in payload and is_question(last) else head
    return Reading(Material(kept, quoted=True))
