"""Asks a model to answer from memories."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.ports import ChatModel
from ..model.types import MemoryItem
from .prompts import request_for
from .verdict import NO_MEMORIES, GroundedAnswer, judged


async def answer_from(
    model: ChatModel, question: str, memories: Sequence[MemoryItem], *, grounded: bool
) -> GroundedAnswer:
    """The answer that the memories support, with those it stands on.

    With `grounded` there is no other answer, and without memories no model is asked.

    Raises:
        ModelError: the call failed.
        ExtractionError: the model's answer cannot be read.
    """
    if grounded and not memories:
        return GroundedAnswer(None, reason=NO_MEMORIES)
    reply = await model.complete(request_for(question, memories, grounded=grounded))
    return judged(reply.text, question, memories, grounded=grounded)
