"""Decides whether a request is about a recent turn instead of the next one. Pure.

Told by structure, and only with signs that are independent of the text. A turn of the user that is
taken for a client's request is worse than the opposite: in doubt it is a turn.

A turn is found again as far as clients quote: cut, escaped, on one line. What is looked for has no
character that JSON, XML or a prompt on one line writes differently, and is near the beginning or
the end of the text, because clients cut long messages there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.memory.model.messages import INSTRUCTIONS
from recollect.memory.model.types import Message

from ..exchange import Exchange, Manner

WINDOW = 100
"""Characters at the beginning and at the end; Chatbox and big-AGI quote the first 100."""
PIECE = 60
"""Most characters that are looked for."""
SHORT_BYTES = 20
"""A shorter piece says little by itself: "Thanks, that helps". Bytes: some scripts use few
characters."""
LABEL = 40
"""Most characters between a message and its answer in a transcript: a label, a tag, a key."""
_BREAK = re.compile(r'["\\<>&\x00-\x1f\x7f\x85\u2028\u2029]+')


@dataclass(frozen=True, slots=True)
class Ends:
    """The two ends of a message; all that is kept of it."""

    start: str
    end: str

    @classmethod
    def of(cls, text: str) -> Ends:
        """The ends of a text without the white space around it."""
        return cls(text[: 2 * WINDOW].lstrip()[:WINDOW], text[-2 * WINDOW :].rstrip()[-WINDOW:])


@dataclass(frozen=True, slots=True)
class Quoted:
    """Offsets of what was found."""

    start: int
    end: int


def whole(said: Ends, text: str) -> Quoted | None:
    """Where a text quotes all of a message: its beginning and, at or after it, its end."""
    first = _find(_piece(said.start), text)
    if first is None:
        return None
    last = _find(_tail(said.end), text, first.start)
    return Quoted(first.start, max(first.end, last.end)) if last is not None else None


def beginning(said: Ends, text: str) -> Quoted | None:
    """Where a text quotes the beginning of a message."""
    return _find(_piece(said.start), text)


def is_transcript(user: Ends, answer: Ends, text: str) -> bool:
    """Whether a text quotes a message and, after it, its answer, one of them long enough to tell.

    A short one counts only next to the other.
    """
    asked, told = _piece(user.start), _piece(answer.start)
    if not _is_short(asked):
        at = _find(asked, text)
        if at is None:
            return False
        if not _is_short(told):
            return _find(told, text, at.end) is not None
        last = _find(_tail(user.end), text, at.start) or at
        return _find(told, text, last.end, last.end + _room(user.end, answer.start)) is not None
    at = None if _is_short(told) else _find(told, text)
    if at is None or not asked:
        return False
    begin = max(0, at.start - len(asked) - _room(user.end, answer.start))
    return _find(asked, text, begin, at.start) is not None


def is_long(said: Ends) -> bool:
    """Whether the beginning of a message is long enough to be known by itself."""
    return not _is_short(_piece(said.start))


def _is_short(piece: str) -> bool:
    return len(piece.encode("utf-8", "replace")) < SHORT_BYTES


def _room(end: str, start: str) -> int:
    """Most characters between the pieces of a message and of its answer: the rest, and a label."""
    after = len(end) - end.rfind(_tail(end)) - len(_tail(end))
    return after + start.find(_piece(start)) + LABEL


def _piece(start: str) -> str:
    """The beginning of the longest part that every way of quoting leaves alone."""
    return _longest(start)[:PIECE].rstrip()


def _tail(end: str) -> str:
    """The end of it."""
    return _longest(end)[-PIECE:].lstrip()


def _longest(text: str) -> str:
    return max((part.strip() for part in _BREAK.split(text)), key=len)


def _find(piece: str, text: str, begin: int = 0, end: int | None = None) -> Quoted | None:
    if not piece:
        return None
    at = text.find(piece, begin, end)
    if at < 0 and not piece.isascii() and "\\u" in text:
        piece = json.dumps(piece)[1:-1]
        at = text.find(piece, begin, end)
    return None if at < 0 else Quoted(at, at + len(piece))


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

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Told:
        """The one that `dataclasses.asdict` made these of, in another process."""
        user, manner, answer = values["user"], values["manner"], values["answer"]
        return cls(
            values["turn_id"],
            Ends(**user),
            values["opening"],
            Manner(**manner),
            None if answer is None else Ends(**answer),
        )


@dataclass(frozen=True, slots=True)
class Signs:
    """The differences between a request and that of a turn."""

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


def is_side_request(
    exchange: Exchange, text: str, told: Told, signs: Signs, *, fresh: bool
) -> bool:
    """Whether a request, whose `block_of` is `text`, is about this turn.

    `fresh`: the turn was a minute ago at most.
    """
    if not signs.count:
        return False
    messages = exchange.messages
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
