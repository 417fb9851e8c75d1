"""Asks a model about facts with memories of the same matter."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..model.errors import ModelError
from ..model.ports import ChatModel
from ..model.types import ChatRequest
from .once import Group
from .reconcile import ANSWER_SCHEMA, Undecided, calls, question, read_answer

log = logging.getLogger(__name__)

MAX_TOKENS = 1000
"""Most tokens of an answer: a row takes about twenty, and more with a text of its own."""


@dataclass(slots=True)
class Clarified:
    """What a model decided."""

    groups: dict[int, Group] = field(default_factory=dict)
    """By the numbers that were asked about."""
    rejected: int = 0
    """Facts without a valid answer: they keep their ADD with the pending memories."""
    failure: ModelError | None = None
    """Of the last call that failed."""


async def clarify(
    model: ChatModel, asked: Mapping[int, Undecided], *, prompt: str | None = None
) -> Clarified:
    """Ask about these facts. `prompt` replaces the instructions.

    A failing model costs a redundant memory, never a fact.
    """
    done = Clarified()
    numbers = iter(asked)
    for some in calls(list(asked.values())):
        answered = read_answer(await _answer(model, some, prompt, done), some)
        done.rejected += answered.rejected
        done.groups.update((next(numbers), group) for group in answered.decisions)
    return done


async def _answer(
    model: ChatModel, asked: Sequence[Undecided], prompt: str | None, done: Clarified
) -> str:
    request = ChatRequest(
        messages=question(asked, prompt), schema=ANSWER_SCHEMA, max_tokens=MAX_TOKENS
    )
    try:
        return (await model.complete(request)).text
    except ModelError as error:
        log.info("%d facts are kept beside older ones until a model answers: %s", len(asked), error)
        done.failure = error
        return ""
