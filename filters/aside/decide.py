"""Whether a request is about a recent turn instead of the next one. Pure.

Told by structure, and only with signs that are independent of the text. A turn of the user that is
taken for a client's request is worse than the opposite: in doubt it is a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.memory.model.messages import INSTRUCTIONS
from recollect.memory.model.types import Message

from ..exchange import Exchange, Manner
from .traces import Ends, beginning, is_long, is_transcript, whole

OPENING = 40
"""Characters by which a message is known to begin like another."""
MOST_PARTS = 8
"""User messages in a row that are read as one text."""
MOST_CHARS = 40_000
"""Of each of them; of a longer one the beginning and the end, where clients put a transcript."""
SHORT_OPENING = 8
"""Characters: a greeting begins many messages."""
MOST_TOKENS = 1000
"""Room for a title, a summary, some questions. More is room for any answer."""
SOME, MANY = 2, 3
"""Signs for a text that quotes one side of a turn, and for one that quotes nothing."""
_DIGITS = dict.fromkeys(map(ord, "0123456789"))


@dataclass(slots=True)
class Told:
    """A recent turn, as far as it is known."""

    turn_id: str
    user: Ends
    opening: str
    """How the text of its request began, with user messages just before."""
    manner: Manner
    answer: Ends | None = None
    """None until it is answered."""


@dataclass(frozen=True, slots=True)
class Signs:
    """How a request differs from that of a turn."""

    poorer: int
    """Things that the turn had and this has not: streaming, room for the answer, tools, a free
    form. Clients save on what nobody reads."""
    richer: bool
    """It has one that the turn had not: the turn is the preparation, this the answer."""
    system: bool
    """The instructions are others."""
    bare: bool
    """It has none, the turn had."""
    moment: bool
    """It came quicker than people write."""

    @property
    def count(self) -> int:
        return self.poorer + self.system + self.moment


def signs_of(now: Manner, then: Manner, *, moment: bool) -> Signs:
    """The signs of a request, compared with a turn's."""
    usual = 2 * MOST_TOKENS if then.limit is None else then.limit
    lower = now.limit is not None and now.limit * 2 <= usual
    dropped = then.tools and not now.tools
    poorer = (then.stream and not now.stream, lower, dropped, now.forced and not then.forced)
    more = now.tools and not then.tools and not now.forced
    return Signs(
        poorer=sum(poorer),
        richer=(now.stream and not then.stream) or more,
        system=not _alike(now.system, then.system),
        bare=bool(then.system and not now.system),
        moment=moment,
    )


def is_aside(exchange: Exchange, told: Told, signs: Signs, *, fresh: bool) -> bool:
    """Whether a request is about this turn. `fresh`: the turn was a minute ago at most."""
    if not signs.count:
        return False
    messages, text = exchange.messages, block_of(exchange.messages)
    if not text:
        return _adds_nothing(messages, told)
    if _begins_alike(text, told.opening):
        return False
    if fresh and _is_errand(messages, told, signs):
        return True
    quoted = (
        ((signs.poorer or signs.bare or signs.moment) and _is_record(text, told))
        or (fresh and _wraps(text, told, signs))
        or _instructs(messages, told, signs)
    )
    return bool(quoted) and not exchange.manner.continues and not _resends(messages, told)


def block_of(messages: Sequence[Message]) -> str:
    """The user's text at the end of a request; empty if it ends with an answer or a result."""
    parts: list[str] = []
    for message in reversed(messages):
        if message.role == "user":
            parts.append(_ends(message.content))
        elif message.role not in INSTRUCTIONS:
            break
        if len(parts) == MOST_PARTS:
            break
    return "\n".join(reversed(parts)).lstrip()


def _ends(text: str) -> str:
    half = MOST_CHARS // 2
    return text if len(text) <= MOST_CHARS else f"{text[:half]}\n{text[-half:]}"


def _is_record(text: str, told: Told) -> bool:
    """Both sides of the turn in one message."""
    return told.answer is not None and is_transcript(told.user, told.answer, text)


def _wraps(text: str, told: Told, signs: Signs) -> bool:
    """One side, all of it, in a longer message that asks for less than the turn did."""
    if signs.richer or not signs.poorer or signs.count < SOME:
        return False
    for said in (told.user, told.answer):
        if said is None or not is_long(said):
            continue
        # Continue takes the code out: the end may be missing.
        found = whole(said, text) or (beginning(said, text) if signs.count >= MANY else None)
        if found is not None and found.end - found.start < len(text):
            return True
    return False


def _instructs(messages: Sequence[Message], told: Told, signs: Signs) -> bool:
    """Both sides in other instructions than the turn had. Some clients keep the history there."""
    if not (signs.system and _is_strong(signs)):
        return False
    return any(
        _is_record(_ends(each.content), told) for each in messages if each.role in INSTRUCTIONS
    )


def _is_errand(messages: Sequence[Message], told: Told, signs: Signs) -> bool:
    """The resent conversation with a request of the client at its end.

    Without other instructions it cannot be told from the user's next turn.
    """
    if told.answer is None or not (signs.system and _is_strong(signs)):
        return False
    last = next((each for each in reversed(messages) if each.role == "assistant"), None)
    return last is not None and _begins(last.content, told.answer) and _resends(messages, told)


def _is_strong(signs: Signs) -> bool:
    return not signs.richer and signs.poorer > 0 and signs.count >= MANY


def _adds_nothing(messages: Sequence[Message], told: Told) -> bool:
    """The turn and its answer, and instructions after them: the user says nothing new."""
    if told.answer is None or not messages or messages[-1].role not in INSTRUCTIONS:
        return False
    last = next((each for each in reversed(messages) if each.role not in INSTRUCTIONS), None)
    if last is None or last.role != "assistant" or last.calls:
        return False
    return _begins(last.content, told.answer)


def _resends(messages: Sequence[Message], told: Told) -> bool:
    """Whether the turn's message is an earlier message of the request."""
    ended = False
    for message in reversed(messages):
        ended = ended or (message.role != "user" and message.role not in INSTRUCTIONS)
        if ended and message.role == "user" and _begins(message.content, told.user):
            return True
    return False


def _begins(text: str, said: Ends) -> bool:
    return bool(said.start) and text[: 2 * len(said.start)].lstrip().startswith(
        said.start[:OPENING]
    )


def _begins_alike(text: str, opening: str) -> bool:
    """The turn again, edited, or the next one of a client that sends all in one message."""
    if len(opening) < SHORT_OPENING:
        return text == opening
    return text.startswith(opening) or _alike(text[:OPENING], opening)


def _alike(one: str, other: str) -> bool:
    """Equal but for numbers: prompts contain the time."""
    return one == other or one.translate(_DIGITS) == other.translate(_DIGITS)
