"""Arguments of the public methods: each refusal names the field."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.inputs import (
    MAX_ID_CHARS,
    MAX_LIMIT,
    MAX_METADATA_BYTES,
    MAX_METADATA_LEVELS,
    MAX_TEXT_CHARS,
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


@pytest.mark.parametrize("text", ["", "  \n", None, 7, "x" * (MAX_TEXT_CHARS + 1), "a\ud800b"])
def test_unusable_text_is_refused_by_name(text: Any) -> None:
    """Nothing, too much, or what no store can keep."""
    with pytest.raises(InvalidInputError, match=r"^messages\[3\]: "):
        check_text("messages[3]", text)


def test_usable_text_passes() -> None:
    """Any script, up to the limit."""
    check_text("text", "\u8a18" * MAX_TEXT_CHARS)


@pytest.mark.parametrize(
    "metadata",
    [[], "x", {1: "x"}, {"x": object()}, {"x": float("nan")}, {"x": "y" * MAX_METADATA_BYTES}],
)
def test_unusable_metadata_is_refused(metadata: Any) -> None:
    """What is no object, is not JSON, or is too large."""
    with pytest.raises(InvalidInputError, match=r"^metadata: "):
        check_metadata(metadata)


@pytest.mark.parametrize("limit", [0, -1, MAX_LIMIT + 1, True, 1.5, "3", None])
def test_unusable_limits_are_refused(limit: Any) -> None:
    """A limit is a whole number in its range."""
    with pytest.raises(InvalidInputError, match=r"^limit: "):
        checked_limit(limit)


@pytest.mark.parametrize("threshold", [1.01, -2, "0.5", True, float("nan")])
def test_unusable_thresholds_are_refused(threshold: Any) -> None:
    """A threshold is a cosine."""
    with pytest.raises(InvalidInputError, match=r"^threshold: "):
        check_threshold(threshold)


def test_times_keep_their_offset() -> None:
    """The day is that of whoever says it; no zone means UTC, what is no time is refused."""
    noon = datetime(2026, 1, 1, 12)  # noqa: DTZ001 - that is what is tested
    assert checked_moment(noon) == datetime(2026, 1, 1, 12, tzinfo=UTC)
    east = noon.replace(tzinfo=timezone(timedelta(hours=2)))
    assert checked_moment(east).isoformat() == "2026-01-01T12:00:00+02:00"
    with pytest.raises(InvalidInputError, match=r"^timestamp: "):
        checked_moment("2026-01-01")


@pytest.mark.parametrize("query", ["", " \n", None, 7, b"tea", "a\ud800"])
def test_unusable_queries_are_refused(query: Any) -> None:
    """There has to be something to search for, and it has to be text."""
    with pytest.raises(InvalidInputError, match=r"^query: "):
        check_query(query)


@pytest.mark.parametrize("prompt", [7, b"x", "a\udfff"])
def test_unusable_prompts_are_refused(prompt: Any) -> None:
    """Instructions are text, or none."""
    check_prompt(None)
    check_prompt("Only facts about tea.")
    with pytest.raises(InvalidInputError, match=r"^prompt: "):
        check_prompt(prompt)


@pytest.mark.parametrize("tokens", [-1, 1.5, "3", True, None])
def test_unusable_reserves_are_refused(tokens: Any) -> None:
    """A number of tokens is a whole one."""
    with pytest.raises(InvalidInputError, match=r"^reserve_tokens: "):
        check_reserve(tokens)


@pytest.mark.parametrize("ids", ["abc", b"abc", {"a": 1}, [1], None, 7])
def test_what_is_no_list_of_ids(ids: Any) -> None:
    """One id is no list of ids, and neither are its letters."""
    for usable in ([], ["a"], {"a"}, ("a", "\ud800")):
        check_ids("keep", usable)
    with pytest.raises(InvalidInputError, match=r"^keep: "):
        check_ids("keep", ids)


def test_ids_that_no_memory_has() -> None:
    """They are not even looked for: a store or database might refuse the question."""
    assert is_storable("i" * MAX_ID_CHARS)
    for name in ("i" * (MAX_ID_CHARS + 1), "a\0b", "\ud800"):
        assert not is_storable(name)


def test_metadata_is_what_json_gives_back() -> None:
    """As deep as it may be; a key that would come back as a text is refused at every level."""
    deepest: Any = 1
    for _ in range(MAX_METADATA_LEVELS - 1):
        deepest = [deepest]
    check_metadata({"k": deepest})
    for unusable in ({"k": [deepest]}, {"k": {1: "x"}}, {"k": [{None: 1}]}):
        with pytest.raises(InvalidInputError, match=r"^metadata: "):
            check_metadata(unusable)
