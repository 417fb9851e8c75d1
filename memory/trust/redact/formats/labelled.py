# ruff: noqa: RUF001 - colons and quotation marks of many scripts
"""Finds passwords behind a label or in quotes, whatever the language calls them."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from ..findings import Finding
from .placeholders import is_placeholder
from .shapes import Shape, shape
from .view import View

_LABELLED = regex.compile(
    r"(?<![^\s(])[\p{L}\p{M}'’-]{2,24}+\s?[:：]\s{0,2}+[\"'“„«「`]?(?P<value>[^\s\"'“”„«»「」`,;|]{8,40}+)"
    r"[\"'”“»」`]?(?=[.,;)]?(?:\s|\Z))"
)
_QUOTED = regex.compile(
    r"(?<![\w=(:\[{])[\"“„«「](?P<value>[^\s\"“”„«»「」]{8,40}+)[\"”“»」](?![\w:])"
)
_SIGN = regex.compile(r"[^\W_][!@#$%^&*+?~][^\W_]|[!#$%&*+?~]\Z")
"""A sign within or at the end, which hardly any name or number has."""


def find_labelled(view: View) -> Iterator[Finding]:
    """Letters, digits and a sign in one word behind `label:` or in quotes: kind `password`."""
    for pattern in (_LABELLED, _QUOTED):
        for match in pattern.finditer(view.text):
            value = match["value"].rstrip(".,;)")
            if _is_password(value):
                start = match.start("value")
                yield Finding(start, start + len(value), "password")


def _is_password(value: str) -> bool:
    if shape(value) < Shape.STRONG or is_placeholder(value) or not _SIGN.search(value):
        return False
    return value.lower() != value.upper() and any(map(str.isdigit, value)) and "://" not in value
