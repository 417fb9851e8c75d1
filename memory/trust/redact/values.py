"""Removes secrets from the values of an object, such as the metadata of a memory. Pure.

A value is read with the name that it has: `{"password": "hunter2"}` is a secret, `"hunter2"` alone
is none. What names something (an id, a hash) is kept as it is, unless it has the form of a known
kind of secret: whoever filters by it could not find it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import regex

from .formats.tokens import is_public
from .remains import MARKERS

Redact = Callable[[str], str]

_ID = regex.compile(r"(?:^|[\W_])(?:uu|gu)?ids?$", regex.IGNORECASE)
_CAMEL_ID = regex.compile(r"(?<=[a-z0-9])(?:Id|ID|Ids|IDs)$")
"""Names of identifiers, as programs write them: `id`, `thread_id`, `threadId`."""
_LOOK_ALONE = MARKERS["token"]
"""In place of what only looks random, as identifiers do."""
_HASH = 20
"""Fewer digits and letters of a hash or a UUID may as well be a code, or a card."""


def redacted_values(values: Mapping[str, Any], redact: Redact) -> dict[str, Any]:
    """The object without secrets in names and values, at any depth; all else is as it was."""
    clean: dict[str, Any] = {}
    for name, value in values.items():
        kept = redact(name)
        while kept in clean:
            kept += " "  # two names that were secrets of one kind
        clean[kept] = _redacted(name, value, redact)
    return clean


def _redacted(name: str, value: Any, redact: Redact) -> Any:
    if isinstance(value, Mapping):
        return redacted_values(value, redact)
    if isinstance(value, (list, tuple)):
        return [_redacted(name, each, redact) for each in value]
    if isinstance(value, str):
        return _text(name, value, redact)
    if isinstance(value, int) and not isinstance(value, bool) and not _is_id(name):
        text = _text(name, str(value), redact)
        return value if text == str(value) else text
    return value


def _text(name: str, value: str, redact: Redact) -> str:
    if _names_something(name, value):
        alone = redact(value)
        return value if alone == _LOOK_ALONE else alone
    return _as_named(name, redact(value), redact)


def _as_named(name: str, value: str, redact: Redact) -> str:
    """The value as it is redacted behind its name."""
    before = f"{name}: "
    told = redact(f"{before}{value}")
    return told[len(before) :] if told.startswith(before) else value


def _names_something(name: str, value: str) -> bool:
    if any(character.isspace() for character in value):
        return False
    return _is_id(name) or (len(value) >= _HASH and is_public(value))


def _is_id(name: str) -> bool:
    return bool(_ID.search(name) or _CAMEL_ID.search(name))
