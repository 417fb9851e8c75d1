"""Reads the stream of a chat completion, and tells its text as it comes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

from ..model.errors import ModelUnreadableError
from ..model.streaming import OnText

MAX_CHARS = 1_000_000
"""Of the text of one answer."""


async def streamed(chunks: AsyncIterator[Any], on_text: OnText) -> Any:
    """What the chunks say together, in the shape of a completion with one choice.

    The client library does not check shapes: what is no text is left out.

    Raises ModelUnreadableError if there is too much, and what the chunks raise.
    """
    texts: list[str] = []
    reasons: list[str] = []
    said = SimpleNamespace(model="", usage=None, finish=None)
    size = 0
    async for chunk in chunks:
        said.model = getattr(chunk, "model", None) or said.model
        said.usage = getattr(chunk, "usage", None) or said.usage
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list) or not choices:
            continue
        said.finish = getattr(choices[0], "finish_reason", None) or said.finish
        delta = getattr(choices[0], "delta", None)
        reasons += _text(delta, "reasoning_content")
        for text in _text(delta, "content"):
            texts.append(text)
            on_text(text)
        size += sum(map(len, (*_text(delta, "content"), *_text(delta, "reasoning_content"))))
        if size > MAX_CHARS:
            raise ModelUnreadableError(f"the answer was larger than {MAX_CHARS} characters")
    message = SimpleNamespace(content="".join(texts), reasoning_content="".join(reasons))
    choice = SimpleNamespace(message=message, finish_reason=said.finish)
    return SimpleNamespace(choices=[choice], model=said.model, usage=said.usage)


def _text(delta: Any, name: str) -> list[str]:
    value = getattr(delta, name, None)
    return [value] if isinstance(value, str) and value else []
