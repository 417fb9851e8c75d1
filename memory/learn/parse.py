"""From what a model said to candidates. Pure; forgives everything but the absence of facts.

Models wrap JSON in reasoning, prose and code fences, answer a bare list instead of an object, or
strings instead of objects. All of that is read. What holds no list of facts at all is an error and
not an empty list: "nothing worth keeping" has to be said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import regex

from ..errors import ExtractionError
from ..types import Candidate, MemoryType

MAX_FACTS = 200
"""Facts read from one answer; a model that says more is listing something else."""
MAX_FACT_CHARS = 2_000
"""A longer "fact" is a document."""
MAX_ANSWER_CHARS = 200_000
MAX_FALSE_STARTS = 100
"""Brackets that begin no JSON. Both bound the time a hostile or looping model can take: without
them 100,000 opening brackets took 13 s."""

_THINK = regex.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", regex.DOTALL | regex.IGNORECASE
)
_FACT_KEYS = ("text", "content", "fact", "memory", "data")
_LIST_KEYS = ("facts", "memories", "results", "items")
_LEARNED_TYPES = {MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.EPISODIC}


def strip_reasoning(text: str) -> str:
    """The answer without ``<think>`` blocks, closed or cut off."""
    if "</think>" in text and "<think" not in text:
        # Chat templates that open the block themselves leave only its end in the answer.
        text = text.rsplit("</think>", 1)[1]
    return _THINK.sub("", text).strip()


def parse_facts(answer: str) -> list[Candidate]:
    """The candidates in an answer, in order, without repetitions.

    Raises:
        ExtractionError: there is no list of facts in it; the message says what was found.
    """
    text = strip_reasoning(answer[:MAX_ANSWER_CHARS])
    if not text:
        raise ExtractionError("the answer was empty")
    said_none = False
    for value in _json_values(text):
        facts = _fact_list(value)
        if facts:
            return _candidates(facts)
        # Not the last word: a model that thinks aloud repeats "if there is nothing: []" first.
        said_none = said_none or facts is not None
    if said_none:
        return []
    raise ExtractionError("there was no JSON list of facts in it")


def _json_values(text: str) -> Iterator[Any]:
    """Every JSON object or array in the text, outermost first."""
    decoder = json.JSONDecoder(strict=False)
    position = false_starts = 0
    while false_starts < MAX_FALSE_STARTS and (match := regex.search(r"[\[{]", text, pos=position)):
        try:
            value, position = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            position = match.start() + 1
            false_starts += 1
        else:
            yield value


def _fact_list(value: Any) -> list[Any] | None:
    if isinstance(value, dict):
        for key in _LIST_KEYS:
            if isinstance(value.get(key), list):
                return _fact_list(value[key])
        # A lone fact instead of a list of one.
        return [value] if _fact_text(value) else None
    if isinstance(value, list) and (not value or any(_fact_text(item) for item in value)):
        return value
    return None


def _candidates(facts: list[Any]) -> list[Candidate]:
    found: dict[str, Candidate] = {}
    for fact in facts[:MAX_FACTS]:
        text = _fact_text(fact)
        if text and len(text) <= MAX_FACT_CHARS:
            details = fact if isinstance(fact, dict) else {}
            found.setdefault(
                text.casefold(),
                Candidate(text=text, type=_type(details.get("type")), quote=_quote(details)),
            )
    return list(found.values())


def _fact_text(fact: Any) -> str:
    if isinstance(fact, dict):
        fact = next((fact[key] for key in _FACT_KEYS if isinstance(fact.get(key), str)), None)
    if not isinstance(fact, str):
        return ""
    text = " ".join(fact.encode("utf-8", "replace").decode().split())
    # The "..." of an example that is echoed is no fact.
    return text if any(character.isalnum() for character in text) else ""


def _quote(details: dict[str, Any]) -> str | None:
    quote = details.get("quote")
    return quote[:MAX_FACT_CHARS] if isinstance(quote, str) and quote.strip() else None


def _type(name: Any) -> MemoryType:
    named = {kind.value: kind for kind in _LEARNED_TYPES}
    return named.get(str(name).strip().lower(), MemoryType.SEMANTIC)
