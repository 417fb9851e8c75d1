"""Reads a query from a model's answer and drops unusable parts. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from recollect.memory.learn import JsonValues, strip_reasoning
from recollect.memory.model.errors import ModelError
from recollect.memory.recall import Query

from .plausible import brings_markup, is_refusal, is_text, restates, same_writing
from .prompt import Asked, Wanted, variant_keys
from .selfcontained import self_contained

MAX_ANSWER_CHARS = 8_000
"""A longer answer is rejected, which also bounds the parsing time."""
MAX_QUERY_CHARS = 400
MAX_PASSAGE_CHARS = 800
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
"""A passage that ends with one is a question, not an answer."""


class UnusableAnswerError(ModelError):
    """No part of the model's answer can be searched for."""

    code = "unusable_answer"


def read_answer(answer: str, wanted: Wanted, asked: Asked, *, fallback: str) -> Query:
    """The query in an answer, with `fallback` as its text if no usable one was wanted and given.

    Raises:
        UnusableAnswerError: no part of it can be used.
    """
    value = _json_object(answer)
    source = asked.text
    texts = _usable([value.get("query")], asked, source, MAX_QUERY_CHARS) if wanted.query else []
    text = next((t for t in texts if restates(t, asked.message, source)), "")
    variants = _usable(_variants(value, wanted), asked, source, MAX_QUERY_CHARS)
    passages = _usable([value.get("passage")], asked, source, MAX_PASSAGE_CHARS)
    query = Query(
        text or fallback,
        _distinct(filter(self_contained, variants), text or fallback)[: wanted.variants],
        tuple(p for p in passages if wanted.passage and not p.endswith(_QUESTION_MARKS)),
    )
    if not (text or query.variants or query.passages):
        raise UnusableAnswerError("the model's answer held nothing to search for")
    return query


def _json_object(answer: str) -> Mapping[str, Any]:
    """The first JSON object in the answer, which may have prose or a code fence around it."""
    text = strip_reasoning(answer) if len(answer) <= MAX_ANSWER_CHARS else ""
    for value in JsonValues(text):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                return each
    return {}


def _variants(value: Mapping[str, Any], wanted: Wanted) -> list[Any]:
    """The variants by their keys, or from a list, which models often write instead."""
    listed = value.get("variants")
    return [
        *(value.get(key) for key in variant_keys(wanted.variants)),
        *(listed if isinstance(listed, list) else [listed]),
    ]


def _usable(values: Iterable[Any], asked: Asked, source: str, limit: int) -> list[str]:
    """The values that are a short text in the message's language, each on one line."""
    lines = [" ".join(value.split()) for value in values if isinstance(value, str)]
    return [
        line
        for line in lines
        if 0 < len(line) <= limit
        and is_text(line)
        and same_writing(line, asked.message)
        and not is_refusal(line)
        and not brings_markup(line, source)
    ]


def _distinct(variants: Iterable[str], text: str) -> tuple[str, ...]:
    """The variants without duplicates and without `text`."""
    found = {text.casefold(): text}
    for variant in variants:
        found.setdefault(variant.casefold(), variant)
    return tuple(found.values())[1:]
