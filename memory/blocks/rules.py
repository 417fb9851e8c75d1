"""Checks what a block may contain, and computes what an edit makes of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import regex

from ..model.blocks import Author, Block
from ..model.errors import ForbiddenError, InvalidInputError
from ..model.inputs import MAX_TEXT_CHARS, check_unicode

DEFAULT_LIMIT = 500
MAX_LIMIT = 8_000
"""Tokens."""
MAX_DESCRIPTION_CHARS = 500
WHOLE = "value"
"""The field of a change that gives the whole value."""
MAX_BLOCKS = 100
"""Of one scope: all of them are read for a chat."""
_LABEL = regex.compile(r"[A-Za-z0-9_-]{1,64}")


def check_label(label: object) -> str:
    """The label. Raises InvalidInputError unless it may stand in a path and a prompt."""
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        raise InvalidInputError("label", "expected 1 to 64 letters, digits, '_' or '-'")
    return label


def check_description(description: object) -> str:
    """The description, on one line. Raises InvalidInputError."""
    if not isinstance(description, str):
        raise InvalidInputError("description", "expected text")
    if len(description) > MAX_DESCRIPTION_CHARS:
        most = MAX_DESCRIPTION_CHARS
        raise InvalidInputError("description", f"must have at most {most} characters")
    check_unicode("description", description)
    return " ".join(description.split())


def check_value(field: str, value: object, *, empty: bool = True) -> str:
    """A text for a block. Raises InvalidInputError, which names `field`."""
    if not isinstance(value, str):
        raise InvalidInputError(field, "expected text")
    if not empty and not value.strip():
        raise InvalidInputError(field, "must not be empty")
    if len(value) > MAX_TEXT_CHARS:
        raise InvalidInputError(field, f"must have at most {MAX_TEXT_CHARS} characters")
    check_unicode(field, value)
    return value.replace("\r\n", "\n").replace("\r", "\n")


def appended(value: str, text: str) -> str:
    """The value with a text after it, on a line of its own."""
    return f"{value.rstrip()}\n{text}" if value.strip() else text


def replaced(value: str, old: str, new: str) -> str:
    """The value with its only `old` replaced. Raises InvalidInputError if that is not one piece."""
    if not old:
        raise InvalidInputError("old", "must not be empty")
    # Pieces that overlap are two: "aa" stands twice in "aaa".
    first = value.find(old)
    if first < 0:
        raise InvalidInputError("old", "does not stand in the block")
    if value.find(old, first + 1) >= 0:
        raise InvalidInputError("old", "stands in the block more than once; give more of the text")
    return value[:first] + new + value[first + len(old) :]


def edited(
    block: Block,
    value: str,
    *,
    field: str,
    author: Author,
    writer: str | None = None,
    at: datetime,
    count: Callable[[str], int],
) -> Block:
    """The next version, with another value, by an `author`, or by the `writer`, another user.

    What another user wrote stays marked until a person of the owner's gives the whole value: a
    line beside it vouches for nothing.

    Raises:
        ForbiddenError: no model may write it.
        InvalidInputError: it is over the limit of the block; names `field`.
    """
    if author is Author.MODEL and block.read_only:
        raise ForbiddenError("label", f"the block {block.label!r} is read-only")
    check_fits(value, block.limit, field=field, count=count)
    if writer is None and not (author is Author.PERSON and field == WHOLE):
        writer = block.writer
    return replace(
        block,
        value=value,
        version=block.version + 1,
        author=author if writer is None else Author.SHARED,
        writer=writer,
        updated_at=at,
    )


def check_fits(value: str, limit: int, *, field: str, count: Callable[[str], int]) -> None:
    """Raises InvalidInputError if the value has more than `limit` tokens; names `field`."""
    tokens = count(value)
    if tokens > limit:
        raise InvalidInputError(
            field, f"the block would have {tokens} tokens, and its limit is {limit}"
        )


def redefined(
    block: Block, changes: Mapping[str, Any], *, at: datetime, count: Callable[[str], int]
) -> Block:
    """The next version, with another description, limit or `read_only`; the value stays.

    Raises:
        InvalidInputError: the value is over the new limit.
    """
    made = replace(
        block,
        **changes,
        version=block.version + 1,
        author=Author.PERSON if block.writer is None else Author.SHARED,
        updated_at=at,
    )
    check_fits(made.value, made.limit, field="limit", count=count)
    return made
