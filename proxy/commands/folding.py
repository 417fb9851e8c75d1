"""Texts of memories as lines of a terminal. Pure."""

from __future__ import annotations

import textwrap

LEAST_WIDTH = 40


def plain(text: str) -> str:
    """The text on one line, without control characters: a memory's text comes from a chat."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def folded(text: str, width: int, indent: str = "") -> list[str]:
    """The text as lines of at most `width` columns; all begin with `indent`."""
    return textwrap.wrap(
        plain(text),
        max(width, LEAST_WIDTH),
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
