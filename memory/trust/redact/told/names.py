"""Finds the names of secrets in a text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import regex

from .prose import Prose

_GLUED = regex.compile(r"[-_.@#$%&*+~!]\w{0,20}[-_.@#$%&*+~!]?\w{0,20}\d")
"""What follows a name that is a part of a value: `pass-word-12`."""


class Secret(StrEnum):
    """The kind of secret that a name stands for, which determines its possible forms."""

    PASSWORD = "password"  # noqa: S105 - a name
    CODE = "code"
    KEY = "key"
    PHRASE = "phrase"
    LOGIN = "login"


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a secret in a text, by characters."""

    kind: Secret
    start: int
    end: int


_FIELDS = {f"secrets.{kind.value}": kind for kind in Secret}


def find_names(read: Prose) -> list[Name]:
    """Names of secrets in order, apart; a longer term wins, also if it names another thing."""
    hits = read.seen.found("secrets.other_things", *_FIELDS)
    found: list[Name] = []
    done = 0
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end, hit.field not in _FIELDS)):
        if hit.start < done:
            continue
        kind = _FIELDS.get(hit.field)
        if kind is None:
            done = hit.end
            continue
        start, end = read.span(hit)
        glued = _GLUED.match(read.view.text, end)
        if glued:
            continue
        found.append(Name(kind, start, end))
        done = hit.end
    return found
