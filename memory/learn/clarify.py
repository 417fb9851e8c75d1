"""Asks a model about candidates that the rules leave undecided."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from ..errors import ModelError
from ..ports import ChatModel
from ..types import ChatRequest, Decision
from .reconcile import ANSWER_SCHEMA, Undecided, calls, question, read_answer

log = logging.getLogger(__name__)

MAX_TOKENS = 600
"""Most tokens of an answer: a row takes about twenty."""


async def clarify(
    model: ChatModel, doubtful: Mapping[int, Undecided], *, prompt: str | None = None
) -> tuple[dict[int, Decision], int]:
    """The model's decisions by number, and how many of its rows were rejected.

    A candidate without an answer keeps its deferred ADD: a failing model costs a redundant memory,
    never a fact. `prompt` replaces the instructions.
    """
    numbers = dict(zip(map(id, doubtful.values()), doubtful.keys(), strict=True))
    decided: dict[int, Decision] = {}
    rejected = 0
    for asked in calls(list(doubtful.values())):
        text = await _answer(model, asked, prompt)
        answered = read_answer(text, asked)
        rejected += answered.rejected
        for one, decision in zip(asked, answered.decisions, strict=True):
            decided[numbers[id(one)]] = decision
    return decided, rejected


async def _answer(model: ChatModel, asked: Sequence[Undecided], prompt: str | None) -> str:
    request = ChatRequest(
        messages=question(asked, prompt), schema=ANSWER_SCHEMA, max_tokens=MAX_TOKENS
    )
    try:
        return (await model.complete(request)).text
    except ModelError as error:
        log.info("%d undecided facts are added beside older ones: %s", len(asked), error)
        return ""
