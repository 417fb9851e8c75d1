"""Arguments of the public methods: each refusal names the field."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.inputs import (
    MAX_ID_CHARS,
    MAX_LIMIT,
    MAX_METADATA_BYTES,
    MAX_METADATA_LEVELS,
    MAX_TEXT_CHARS,
    check_hops,
    check_ids,
    check_metadata,
    check_prompt,
    check_query,
    check_reserve,
    check_text,
    check_threshold,
    checked_limit,
    checked_moment,
    is_storable,
)
from tests.support.folding import rows


def deep(levels: int) -> Any:
    """A number in so many lists."""
    return [deep(levels - 1)] if levels else 1


DEEPEST = deep(MAX_METADATA_LEVELS - 1)
NO_TEXTS = ("", " \n", None, 7, "a\ud800b")
UNUSABLE: dict[str, tuple[Callable[[Any], object], tuple[Any, ...]]] = {
    # Nothing, too much, or what no store can keep.
    "messages[3]": (
        lambda text: check_text("messages[3]", text),
        (*NO_TEXTS, "x" * (MAX_TEXT_CHARS + 1)),
    ),
    # What is no object, is not JSON, comes back as something else, or is too large or too deep.
    "metadata": (
        check_metadata,
        ([], "x", {1: "x"}, {"x": object()}, {"x": float("nan")}, {"x": "y" * MAX_METADATA_BYTES},
         {"k": [DEEPEST]}, {"k": {1: "x"}}, {"k": [{None: 1}]}),
    ),
    # A whole number in its range.
    "limit": (checked_limit, (0, -1, MAX_LIMIT + 1, True, 1.5, "3", None)),
    # A cosine.
    "threshold": (check_threshold, (1.01, -2, "0.5", True, float("nan"))),
    "expand_hops": (check_hops, (2, -1, 0.5, "1", True, False, [])),
    "query": (check_query, (*NO_TEXTS, b"tea")),
    "prompt": (check_prompt, (7, b"x", "a\udfff")),
    "reserve_tokens": (check_reserve, (-1, 1.5, "3", True, None)),
    # One id is no list of ids, and neither are its letters.
    "keep": (lambda ids: check_ids("keep", ids), ("abc", b"abc", {"a": 1}, [1], None, 7)),
    "timestamp": (checked_moment, ("2026-01-01",)),
}  # fmt: skip


@rows("field, value", [(field, value) for field in UNUSABLE for value in UNUSABLE[field][1]])
def test_what_is_unusable_is_refused_by_its_field(field: str, value: Any) -> None:
    """Whatever stands in it."""
    with pytest.raises(InvalidInputError, match=f"^{re.escape(field)}: "):
        UNUSABLE[field][0](value)


def test_what_is_usable_passes() -> None:
    """Any script, up to the limits."""
    check_text("text", "\u8a18" * MAX_TEXT_CHARS)
    check_metadata({"k": DEEPEST})
    check_prompt(None)
    check_prompt("Only facts about tea.")
    for usable in ([], ["a"], {"a"}, ("a", "\ud800")):
        check_ids("keep", usable)


def test_ids_that_no_memory_has() -> None:
    """They are not even looked for: a store or database might refuse the question."""
    assert is_storable("i" * MAX_ID_CHARS)
    for name in ("i" * (MAX_ID_CHARS + 1), "a\0b", "\ud800"):
        assert not is_storable(name)
