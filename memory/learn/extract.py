"""Asking a model for facts: one call, and one more if the first answer cannot be read."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ..errors import ExtractionError
from ..messages import INSTRUCTIONS, shorten
from ..ports import ChatModel
from ..types import Candidate, ChatRequest, Message
from .parse import parse_facts
from .prompts import FACTS_SCHEMA, extraction_messages, repair_messages

log = logging.getLogger(__name__)

MAX_MESSAGE_CHARS = 12_000
"""Of one message; of a longer one its beginning and end are shown."""
MAX_CALL_CHARS = 60_000
"""Of one call, about 15,000 tokens; more is asked for in several calls."""


async def extract(
    model: ChatModel,
    conversation: Sequence[Message],
    *,
    at: datetime,
    prompt: str | None = None,
    max_tokens: int = 2000,
) -> list[Candidate]:
    """The facts a model finds in a conversation; instructions to the assistant are not shown to it.

    Raises:
        ModelError: the model could not be asked.
        ExtractionError: it answered twice without saying facts, or that there are none.
    """
    found: dict[str, Candidate] = {}
    said = [
        replace(message, content=shorten(message.content, MAX_MESSAGE_CHARS))
        for message in conversation
        if message.role not in INSTRUCTIONS
    ]
    for part in _parts(said):
        for candidate in await _extract_part(model, part, at, prompt, max_tokens):
            found.setdefault(candidate.text.casefold(), candidate)
    return list(found.values())


async def _extract_part(
    model: ChatModel, part: Sequence[Message], at: datetime, prompt: str | None, max_tokens: int
) -> list[Candidate]:
    # A caller's own prompt may ask for another shape: then the shape is not forced.
    schema = FACTS_SCHEMA if prompt is None else None
    asked = extraction_messages(part, at=at, prompt=prompt)
    reply = await model.complete(ChatRequest(messages=asked, schema=schema, max_tokens=max_tokens))
    try:
        return parse_facts(reply.text)
    except ExtractionError as error:
        log.info("extraction by %s needs a repair: %s", reply.model, error)
        again = repair_messages(asked, reply.text[:MAX_MESSAGE_CHARS], str(error))
    reply = await model.complete(ChatRequest(messages=again, schema=schema, max_tokens=max_tokens))
    return parse_facts(reply.text)


def _parts(conversation: Sequence[Message]) -> list[list[Message]]:
    """Split where the characters of one call are used up; a message stays whole."""
    parts: list[list[Message]] = []
    size = 0
    for message in conversation:
        if not parts or size + len(message.content) > MAX_CALL_CHARS:
            parts.append([])
            size = 0
        parts[-1].append(message)
        size += len(message.content)
    return parts
