"""Reads what a model answers: without its reasoning, and the JSON in it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import regex

_THINK = regex.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", regex.DOTALL | regex.IGNORECASE
)


def strip_reasoning(text: str) -> str:
    """The answer without ``<think>`` blocks, closed or cut off."""
    if "</think>" in text and "<think" not in text:
        # If the chat template opens the block, the answer has only its end.
        text = text.rsplit("</think>", 1)[1]
    return _THINK.sub("", text).strip()


MAX_FALSE_STARTS = 100
"""Most brackets that begin no JSON. Bounds the time for a hostile or looping model: without the
limit, 100,000 opening brackets took 13 s."""
MAX_CHARS = 200_000
"""Of a text; the rest is not read."""
MAX_WASTED_CHARS = 1_000_000
"""Most characters read after brackets that begin no JSON."""

_BRACKET = regex.compile(r"[\[{]")


def strict_object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object schema for strict servers: every property is required and no others allowed."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


class JsonValues:
    """Every JSON object or array in a text, outermost first."""

    def __init__(self, text: str) -> None:
        self._text = text[:MAX_CHARS]
        self.broken_object = False
        """An object could not be read, so later values may be parts of it."""

    def __iter__(self) -> Iterator[Any]:
        decoder = json.JSONDecoder(strict=False)
        position = false_starts = wasted = 0
        while false_starts < MAX_FALSE_STARTS and wasted < MAX_WASTED_CHARS:
            start = _BRACKET.search(self._text, pos=position)
            if start is None:
                return
            try:
                value, position = decoder.raw_decode(self._text, start.start())
            except (ValueError, RecursionError) as error:
                position = start.start() + 1
                false_starts += 1
                wasted += getattr(error, "pos", position) - start.start()
                self.broken_object = self.broken_object or start[0] == "{"
            else:
                yield value
