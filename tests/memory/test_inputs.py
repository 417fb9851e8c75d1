"""Arguments of the public methods: each refusal names the field."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from memory.errors import InvalidInputError
from memory.inputs import (
    MAX_LIMIT,
    MAX_METADATA_BYTES,
    MAX_TEXT_CHARS,
    check_metadata,
    check_text,
    check_threshold,
    checked_limit,
    checked_moment,
    checked_status,
)
from memory.types import MemoryStatus


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


def test_a_status_is_known_by_name() -> None:
    """Names are taken, others are refused with the names there are."""
    assert checked_status("active") is MemoryStatus.ACTIVE
    with pytest.raises(InvalidInputError, match="quarantined"):
        checked_status("gone")


def test_times_become_utc() -> None:
    """A zone is converted, none means UTC, what is no time is refused."""
    noon = datetime(2026, 1, 1, 12)  # noqa: DTZ001 - that is what is tested
    assert checked_moment(noon) == datetime(2026, 1, 1, 12, tzinfo=UTC)
    east = noon.replace(tzinfo=timezone(timedelta(hours=2)))
    assert checked_moment(east) == datetime(2026, 1, 1, 10, tzinfo=UTC)
    with pytest.raises(InvalidInputError, match=r"^timestamp: "):
        checked_moment("2026-01-01")
