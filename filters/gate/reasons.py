"""Decides which messages need no memory. If unsure, memory is searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

import regex

from recollect.memory.language import Hit, is_shouting, scan
from recollect.memory.language.message import (
    Material,
    Reading,
    bound,
    is_chore,
    is_question,
    is_social,
    request_and_material,
)
from recollect.memory.language.requests import Cue
from recollect.memory.model.messages import TOOL_ROLES
from recollect.memory.model.types import Message

from ..exchange import last_user_index


class GateReason(StrEnum):
    """Why memory is searched or skipped. The names are the evaluation set's labels."""

    FACT = "fact"
    """Skip: a complete, impersonal question of general knowledge."""
    TOOL = "tool"
    """Skip all but procedures: a tool answers it, or it transforms supplied text; everything is
    stated."""
    GREETING = "greeting"
    """Skip: nothing to answer."""
    EMPTY = "empty"
    """Skip: no text to search with."""
    PERSONAL = "personal"
    """Recall: the answer can depend on what this user said before."""
    DEFAULT = "default"
    """Recall: memory helps, or the gate is unsure."""
    CONTINUATION = "continuation"
    """Recall the turn's own result: the last message is a tool's."""

    @property
    def recall(self) -> bool:
        """Whether memory is searched."""
        return self in {self.PERSONAL, self.DEFAULT, self.CONTINUATION}


_ARITHMETIC = regex.compile(r"(?<![\d.,])\d[\d.,]*+\s?[-+*/\u00d7÷^%x]\s?[\d(]|\d\s?%")
_DATED = regex.compile(
    r"(?<!\d)(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|(?:19|20)\d\d\s?[-/]\s?(?:(?:19|20)\d\d|\d\d))(?!\d)"
)
"""A date in digits or a span of years, which looks like a difference."""
_DIGIT = regex.compile(r"\p{N}")
_YEARS = regex.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
"""When something happened, which is nothing to calculate with."""
_MAX_CALCULATION_WORDS = 60
_MAX_CONVERSION_WORDS = 14


def needs_tool(reading: Reading) -> bool:
    """Whether a tool or a transformation answers the message."""
    return is_transformation(reading) or is_calculation(reading)


def is_transformation(reading: Reading) -> bool:
    """A deterministic change of supplied text ("translate", "extract", "sort")."""
    verbs = reading.requests(Cue.TRANSFORM)
    return bool(verbs) and reading.material.supplied and not reading.open_requests(verbs)


def is_calculation(reading: Reading) -> bool:
    """Arithmetic, conversion or date arithmetic, with its numbers stated."""
    if reading.open_requests():
        return False
    if is_conversion(reading):
        return True
    if not _DIGIT.search(_YEARS.sub(" ", reading.material.asked)) or reading.has(Cue.ANAPHORA):
        return False
    short = len(reading.scan.words) <= _MAX_CALCULATION_WORDS
    return short and (_is_arithmetic(reading.material.asked) or reading.has(Cue.CALC))


def _is_arithmetic(text: str) -> bool:
    """Whether a sum is written in signs."""
    return _ARITHMETIC.search(_DATED.sub(" ", text)) is not None


def is_conversion(reading: Reading) -> bool:
    """Two different units in a short question ("how many teaspoons are in a cup")."""
    units = {reading.scan.words[hit.start] for hit in reading.scan.found(Cue.UNIT)}
    if len(units) < 2 or len(reading.scan.words) > _MAX_CONVERSION_WORDS:  # noqa: PLR2004 - from, to
        return False
    if reading.names_stretch:
        return False
    return reading.digits or reading.has(Cue.CALC, Cue.TRANSFORM, Cue.OPENER)


_MAX_FACT_WORDS = 70
_NOUN_PHRASE = 3
"""Words after an article that can belong to its noun."""
_YEAR = regex.compile(r"1\d\d\d|20(?:0\d|1[0-5])")
"""A year of history: what happened in later ones may have happened to the user."""


def is_fact(reading: Reading) -> bool:
    """Whether it asks, has the words or the shape of general knowledge, and names nobody unknown.

    A shape is not enough if it is about a definite thing; an open request anywhere decides against.
    """
    if len(reading.scan.words) > _MAX_FACT_WORDS or reading.open_requests():
        return False
    if scan(reading.material.asked).has("secrets.password"):
        return False  # whoever asks for one asks for theirs
    shape = _shape(reading)
    if not reading.has(Cue.OPENER, Cue.STRONG) or _names_unknown(reading, shape):
        return False
    if _known_words(reading, shape):
        return True
    return bool(shape) and not _points_elsewhere(reading) and not _is_definite(reading)


def _shape(reading: Reading) -> list[Hit]:
    """The shapes of such a question; "how do I" proves nothing."""
    frames = (hit for hit in reading.scan.found(Cue.FRAME) if not hit.skipped)
    framed = {i for hit in frames for i in range(hit.start, hit.end)}
    return [hit for hit in reading.scan.found(Cue.STRONG) if hit.end - 1 not in framed]


def _points_elsewhere(reading: Reading) -> bool:
    """Whether a pronoun means something that the user alone may know ("who wrote it").

    With supplied text it means that.
    """
    settled = reading.scan.covered(Cue.STRONG)
    return not reading.material.supplied and any(
        hit.start not in settled for hit in reading.scan.found(Cue.ANAPHORA)
    )


def _known_words(reading: Reading, shape: list[Hit]) -> bool:
    """Whether there is vocabulary of general knowledge outside the shape, or a year of history."""
    shaped = {i for hit in shape for i in range(hit.start, hit.end)}
    return any(hit.start not in shaped for hit in reading.scan.found(Cue.GENERAL)) or any(
        _YEAR.fullmatch(word) and not _is_dated(reading.scan.raw[max(0, i - 2) : i])
        for i, word in enumerate(reading.scan.raw)
    )


def _is_dated(before: Sequence[str]) -> bool:
    """Whether two numbers stand before a year: a date in digits is a day in a life."""
    return len(before) > 1 and all(map(str.isdigit, before))


def _names_unknown(reading: Reading, shape: list[Hit]) -> bool:
    """Whether a capitalised word is no general vocabulary: it may be somebody the user knows.

    False in languages that write all nouns like names.
    """
    scan = reading.scan
    if reading.nouns_have_capitals or is_shouting(scan.raw):
        return False
    known = scan.covered(Cue.GENERAL, Cue.UNIT) | scan.clause_starts | scan.stop
    known.update(_led_to(reading, shape))
    return any(
        len(word) > 1 and word.istitle() and i not in known for i, word in enumerate(scan.raw)
    )


def _led_to(reading: Reading, shape: list[Hit]) -> Iterator[int]:
    """Indexes of the name that a shape leads to ("who painted", "capital of"), if it owns nothing.

    A shape of function words alone leads to anything, and after "when" people do something.
    """
    scan = reading.scan
    helping = scan.stop | scan.covered(Cue.OPENER)
    for hit in shape:
        leads = hit.start not in reading.times and not helping.issuperset(hit.own)
        at = hit.end if leads else len(scan.raw)
        while at < len(scan.raw) and (at in scan.stop or scan.raw[at].istitle()):
            if scan.words[at + 1 : at + 2] != ["'s"]:
                yield at
            at += 1


def _is_definite(reading: Reading) -> bool:
    """Whether it is about a definite thing that the user knows: "the logo".

    "The exact boiling point" is of the shape itself.
    """
    scan = reading.scan
    shaped = scan.covered(Cue.STRONG)
    return any(
        hit.end < len(scan.raw)
        and not scan.raw[hit.end][0].isupper()
        and hit.end not in scan.stop
        and shaped.isdisjoint(range(hit.end, hit.end + _NOUN_PHRASE))
        for hit in scan.found(Cue.ARTICLE)
    )


def decide(messages: Sequence[Message]) -> GateReason:
    """Judge the last user message of a request. Never raises, for any text.

    A request that ends with a tool message is a continuation, unless it lacks the
    turn's user message: the upstream then keeps that message and its injected memories.
    """
    at = last_user_index(messages)
    if at is not None and messages[-1].role in TOOL_ROLES:
        return GateReason.CONTINUATION
    if at is None or not messages[at].content or messages[at].content.isspace():
        return GateReason.EMPTY
    return _judge(messages[at].content, messages[:at])


def _judge(content: str, earlier: Sequence[Message]) -> GateReason:
    if is_chore(content):
        return GateReason.TOOL
    reading = Reading(request_and_material(bound(content)))
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
