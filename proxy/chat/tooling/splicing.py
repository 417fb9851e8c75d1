"""Adds to a request's lists and changes its fields; all other bytes stay. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ...dialects.splice import Insertion, insert, parse_document


def appended(raw: bytes, key: str, items: Sequence[Any]) -> bytes:
    """The body with these at the end of its list `key`, which is made if it is not there.

    Raises:
        ValueError, IndexError, RecursionError: the body is no JSON object.
    """
    if not items:
        return raw
    text = raw.decode("utf-8")
    parsed = parse_document(text)
    added = ",".join(map(json.dumps, items))
    value = parsed.values.get(key)
    if not isinstance(value, list):
        return with_field(raw, key, list(items))
    at = parsed.spans[key].end - 1
    return insert(raw, text, [Insertion(at, f",{added}" if value else added)])


def with_field(raw: bytes, key: str, value: Any) -> bytes:
    """The body with another value of a field, which is added if it is missing. Raises as above."""
    text = raw.decode("utf-8")
    parsed = parse_document(text)
    told = json.dumps(value)
    span = parsed.spans.get(key)
    if span is not None:
        return (text[: span.start] + told + text[span.end :]).encode()
    at = text.index("{") + 1
    comma = "," if parsed.values else ""
    return insert(raw, text, [Insertion(at, f"{json.dumps(key)}:{told}{comma}")])
