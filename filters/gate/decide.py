"""Decides which messages need no memory. If unsure, memory is searched."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.memory.language import scan
from recollect.memory.language.message import (
    Material,
    Reading,
    bound,
    is_chore,
    is_go_ahead,
    is_question,
    is_social,
    proposes_command,
    take_apart,
)
from recollect.memory.language.requests import Cue
from recollect.memory.messages import TOOL_ROLES
from recollect.memory.types import Message

from ..exchange import last_user_index
from .fact import is_fact
from .options import GateOptions
from .tool import is_repeat, needs_tool
from .verdict import GateReason
from .wording import asks_for_wording


def decide(messages: Sequence[Message], tools: Sequence[str], options: GateOptions) -> GateReason:
    """Judge the last user message of a request. Never raises, for any text.

    `tools` are the names of the offered tools; they only decide whether a bare "yes" or "again" can
    mean a command. A request that ends with a tool message is a continuation, unless it lacks the
    turn's user message: the upstream then keeps that message and its injected memories.
    """
    at = last_user_index(messages)
    if at is not None and messages[-1].role in TOOL_ROLES:
        return GateReason.CONTINUATION
    if at is None or not messages[at].content or messages[at].content.isspace():
        return GateReason.EMPTY
    if not options.enabled:
        return GateReason.DEFAULT
    return _judge(messages[at].content, messages[:at], bool(tools))


def _judge(content: str, earlier: Sequence[Message], tools: bool) -> GateReason:
    if is_chore(content):
        return GateReason.TOOL
    reading = Reading(take_apart(bound(content)))
    if reason := _small_talk(reading, earlier, tools):
        return reason
    return _substance(_focused(reading), earlier, tools)


def _small_talk(reading: Reading, earlier: Sequence[Message], tools: bool) -> GateReason | None:
    last = next((m.content for m in reversed(earlier) if m.role == "assistant"), "")
    if is_question(last) and is_go_ahead(reading):
        command = tools and proposes_command(last)
        return GateReason.TOOL if command else GateReason.DEFAULT
    return GateReason.GREETING if is_social(reading, reading.material.asked) else None


def _substance(reading: Reading, earlier: Sequence[Message], tools: bool) -> GateReason:
    if scan(reading.material.asked).has("person.about_user"):
        return GateReason.PERSONAL
    if asks_for_wording(reading):
        return GateReason.TOOL
    if reading.has(Cue.SELF, Cue.KIN):
        return GateReason.PERSONAL
    ran = tools and any(m.role in TOOL_ROLES for m in earlier)
    if needs_tool(reading) or (ran and is_repeat(reading)):
        return GateReason.TOOL
    if is_fact(reading):
        return GateReason.FACT
    if not reading.open_requests() and (reading.acquainted or reading.has(Cue.ANAPHORA)):
        return GateReason.PERSONAL
    return GateReason.DEFAULT


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
