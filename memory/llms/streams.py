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
    arguments: list[str] = []
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
        for text in called_with(delta):
            arguments.append(text)
            on_text(text)
        told = (*_text(delta, "content"), *_text(delta, "reasoning_content"), *called_with(delta))
        size += sum(map(len, told))
        if size > MAX_CHARS:
            raise ModelUnreadableError(f"the answer was larger than {MAX_CHARS} characters")
    message = SimpleNamespace(content="".join(texts), reasoning_content="".join(reasons))
    if arguments:
        message.tool_calls = [
            SimpleNamespace(function=SimpleNamespace(arguments="".join(arguments)))
        ]
    choice = SimpleNamespace(message=message, finish_reason=said.finish)
    return SimpleNamespace(choices=[choice], model=said.model, usage=said.usage)


def called_with(message: Any) -> list[str]:
    """The arguments of the first call of a tool, in a message or a piece of one."""
    calls = getattr(message, "tool_calls", None)
    first = calls[0] if isinstance(calls, list) and calls else None
    return _text(getattr(first, "function", None), "arguments")


def _text(delta: Any, name: str) -> list[str]:
    value = getattr(delta, name, None)
    return [value] if isinstance(value, str) and value else []
