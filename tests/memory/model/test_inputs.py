"""What comes from outside: arguments, numbers, times and names."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from recollect.config import Settings
from recollect.memory.engine.options import MemoryOptions
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
from recollect.memory.model.nearest import nearest
from recollect.memory.model.quantities import (
    FIRST_MS,
    LAST_MS,
    digits_of,
    moment_of,
    number_of,
    whole_of,
)
from recollect.memory.model.strict import Options
from recollect.memory.model.times import from_ms, to_ms
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


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


NOT_NUMBERS = [None, True, False, "1", [], {}, 10**309, -(10**400), math.inf, -math.inf, math.nan]


@rows("value", NOT_NUMBERS)
def test_what_no_float_holds_is_no_number(value):
    """And neither is true, though Python counts with it."""
    assert number_of(value) is None


def test_a_whole_number_has_its_bounds():
    """Both of them belong to it."""
    assert [whole_of(each, 1, 3) for each in (0, 1, 3, 4, 2.0, True, "2", None, 10**999)] == [
        None, 1, 3, None, None, None, None, None, None,
    ]  # fmt: skip


def test_digits_are_read_up_to_a_bound():
    """Thousands of them are no number: Python would refuse to read them."""
    said = ["7", " 12 ", "13", "-1", "1.0", "9" * 5000, "", "²"]
    assert [digits_of(each, 12) for each in said] == [7, 12, None, None, None, None, None, None]


ENDS = [
    "0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-00:01",
    datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
    datetime.max.replace(tzinfo=timezone(-timedelta(hours=14))),
]  # fmt: skip


@rows(
    "value", [*ENDS, *NOT_NUMBERS, 1e18, -1e18, "soon", "", "1" * 5000, "2026-02-30", b"2026-01-01"]
)
def test_what_has_no_equal_in_utc_is_no_time(value):
    """The calendar ends in the years 1 and 9999, in UTC."""
    assert moment_of(value) is None


@rows(
    "value, moment",
    [
        ("2026-03-02T12:00:00+02:00", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        (date(2026, 3, 2), datetime(2026, 3, 2, tzinfo=UTC)),
        (datetime(2026, 3, 2, 1), datetime(2026, 3, 2, 1, tzinfo=UTC)),  # noqa: DTZ001 - the case
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1.5, datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime.min.replace(tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_times_are_read(value, moment):
    """Without a zone they are in UTC; a day is its beginning."""
    assert moment_of(value) == moment


@given(st.integers(FIRST_MS, LAST_MS))
def test_every_millisecond_of_the_calendar_is_a_time(milliseconds):
    """Between the two ends."""
    assert to_ms(moment_of(from_ms(milliseconds))) == milliseconds


KNOWN = ("user_id", "agent_id", "run_id", "limit", "status", "q", "query", "threshold")


@rows("name, meant", ROWS["the nearest name"])
def test_the_nearest_name(name, meant):
    """Whatever its case and separators, and with a slip or two; nothing for what is like none."""
    assert nearest(name, KNOWN) == meant


def test_a_name_of_a_megabyte_is_like_none():
    """It is not compared: that would take seconds."""
    assert nearest("user_id" * 150_000, KNOWN) is None


def models(model):
    """The model and every model below it."""
    yield model
    for field in model.model_fields.values():
        for inner in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from models(inner)


MODELS = sorted({*models(Settings), *models(MemoryOptions)}, key=str)


@rows("model", MODELS)
def test_no_model_takes_a_key_that_nobody_knows(model):
    """A typing error is an error, not a default in silence."""
    assert model.model_config["extra"] == "forbid"
    assert model.model_config["frozen"]
    with pytest.raises(ValidationError, match="no_such_key"):
        model.model_validate({"no_such_key": 1})


def test_options_do_not_change():
    """A setting that somebody assigns later would be unchecked."""

    class Own(Options):
        number: int = 1

    with pytest.raises(ValidationError, match="frozen"):
        Own().number = 2
