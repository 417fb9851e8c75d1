"""Whether an answer stands on the memories that it names. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..language.values import follows, numbers_of, values_of
from ..learn.json_values import JsonValues
from ..learn.reasoning import strip_reasoning
from ..model.errors import ExtractionError
from ..model.types import MemoryItem

NO_MEMORIES = "no_memories"
NOT_SUPPORTED = "not_supported"
"""The model names no memory that the answer follows from."""
OTHER_NUMBER = "unsupported_number"
"""It has a number that stands in none of them."""
MAX_CHARS = 4000
MAX_SPELLED = 12
"""Largest number that may be spelled out in a language without a list of number words."""


@dataclass(frozen=True, slots=True)
class GroundedAnswer:
    """An answer with its grounds, or the reason why there is none."""

    text: str | None
    cited: tuple[MemoryItem, ...] = ()
    reason: str = ""
    """Why the memories do not support an answer; empty if they do."""


def judged(
    reply: str, question: str, memories: Sequence[MemoryItem], *, grounded: bool
) -> GroundedAnswer:
    """The answer of a model, if the memories support it; without `grounded` in any case.

    Raises:
        ExtractionError: the reply is no answer.
    """
    text, grounds = _read(reply)
    cited = tuple(memories[number - 1] for number in grounds if 0 < number <= len(memories))
    reason = _against(text, question, cited)
    if not reason:
        return GroundedAnswer(text, cited)
    return GroundedAnswer(None if grounded or not text else text, () if grounded else cited, reason)


def _against(text: str, question: str, cited: Sequence[MemoryItem]) -> str:
    if not text or not cited:
        return NOT_SUPPORTED
    said = (f"{item.text} {(item.valid_from or item.created_at).date()}" for item in cited)
    known = values_of(question).union(*map(values_of, said))
    # Small numbers may stand there as words of a language without a list of them.
    new = (one for one in numbers_of(text, "") if one.value > MAX_SPELLED)
    return "" if all(follows(one, known) for one in new) else OTHER_NUMBER


def _read(reply: str) -> tuple[str, list[int]]:
    for value in JsonValues(strip_reasoning(reply)):
        if isinstance(value, dict) and isinstance(value.get("answer"), str):
            grounds = value.get("grounds")
            numbers = [
                number
                for number in (grounds if isinstance(grounds, list) else [])
                if isinstance(number, int) and not isinstance(number, bool)
            ]
            return value["answer"].strip()[:MAX_CHARS], list(dict.fromkeys(numbers))
    raise ExtractionError("the model's answer cannot be read", reply)
