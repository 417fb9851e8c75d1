"""What comes from outside: arguments, numbers, times, names; and fields of memories, days of users."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from recollect.config import Settings
from recollect.memory.blocks.lines import show
from recollect.memory.engine.options import MemoryOptions
from recollect.memory.language.dates import periods
from recollect.memory.learn.conversation import turns_of
from recollect.memory.learn.extract.fact_dates import written_out
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.filters import ENTITIES, FIELDS, AllOf, both, field_of
from recollect.memory.model.inputs import (
    MAX_ID_CHARS,
    MAX_LIMIT,
    MAX_METADATA_BYTES,
    MAX_METADATA_LEVELS,
    MAX_TEXT_CHARS,
    check_ids,
    check_metadata,
    check_query,
    check_text,
    check_threshold,
    checked_limit,
    checked_moment,
    is_storable,
)
from recollect.memory.model.quantities import (
    FIRST_MS,
    LAST_MS,
    digits_of,
    moment_of,
    number_of,
    whole_of,
)
from recollect.memory.model.suggestions import nearest
from recollect.memory.model.times import from_ms, to_ms
from recollect.memory.model.types import Message, Scope
from recollect.memory.model.zones import ZONE, local, said_at, zone_named
from recollect.memory.query import EVERYTHING, parse
from tests.memory.memories.memories import memory
from tests.memory.recall.memories import item
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
    "query": (check_query, (*NO_TEXTS, b"tea")),
    # One id is no list of ids, and neither are its letters.
    "keep": (lambda ids: check_ids("keep", ids), ("abc", b"abc", {"a": 1}, [1], None, 7)),
    "timestamp": (checked_moment, ("tomorrow", True, [], 1e300)),
}  # fmt: skip


@rows("field, value", [(field, value) for field in UNUSABLE for value in UNUSABLE[field][1]])
def test_what_is_unusable_is_refused_by_its_field(field: str, value: Any) -> None:
    """Whatever stands in it."""
    with pytest.raises(InvalidInputError, match=f"^{re.escape(field)}: "):
        UNUSABLE[field][0](value)


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


ITEM = replace(
    memory(Scope(tenant="t", user_id="u")).item, metadata={"car": {"colour": "red"}, "a.b": 1}
)


@rows("name", sorted({*FIELDS} - {ENTITIES}))
def test_every_field_can_be_read(name):
    """From any memory; entities are told by the graph, in ids, before a filter is asked."""
    field = field_of(name)
    assert not field.path
    value = field.of(ITEM)
    assert value is None or isinstance(value, (str, int, float))


def test_metadata_by_its_path():
    """With and without the prefix; what leads nowhere has no value."""
    assert field_of("car.colour") == field_of("metadata.car.colour")
    assert field_of("car.colour").of(ITEM) == "red"
    assert field_of("car.colour.shade").of(ITEM) is None
    assert field_of("metadata.type").path == ("type",)
    assert field_of("type").of(ITEM) == "semantic"


ONE, OTHER = parse({"tag": "a"}), parse({"NOT": {"tag": "b"}})


def test_filters_are_combined():
    """What holds always is left out."""
    assert both() == both(EVERYTHING, EVERYTHING) == EVERYTHING
    assert both(ONE, EVERYTHING) == ONE
    assert both(ONE, OTHER) == AllOf((ONE, OTHER))


LATE = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)
"""In Tokyo it is the third of March."""
TOKYO = "Asia/Tokyo"
SCOPE = Scope(tenant="local", user_id="ada")


@pytest.fixture
def in_tokyo():
    token = ZONE.set(zone_named("timezone", TOKYO))
    yield
    ZONE.reset(token)


@rows("name", ["Mars/Olympus", "Europe", "../etc/passwd", "/etc", "\0", "", 5])
def test_an_unknown_zone_is_refused_by_the_name_of_its_field(name):
    """No path is read, and no folder."""
    with pytest.raises(InvalidInputError, match="timezone"):
        zone_named("timezone", name)


def test_an_offset_of_its_own_stays():
    """Of a conversation that was added with one."""
    there = LATE.astimezone(timezone(timedelta(hours=-8)))
    [turn] = turns_of([Message(role="user", content="hi")], SCOPE, at=there, batch="b")
    assert said_at(turn) is there
    assert said_at(replace(turn, zone=TOKYO)).day == 3


def test_a_turn_counts_from_the_users_day(in_tokyo):
    """And from that day once another process reads it: the zone is kept by its name."""
    [turn] = turns_of([Message(role="user", content="I move tomorrow")], SCOPE, at=LATE, batch="b")
    assert turn.zone == TOKYO
    assert turn.created_at == LATE
    told = written_out("User moves tomorrow", said_at(turn))
    assert told == "User moves tomorrow (2026-03-04)"


def test_lines_have_the_users_day_and_hour(in_tokyo):
    """The same memory, for two users; nothing is kept of one for the other."""
    one = item("Ada moves", at=LATE)
    assert show(one) == ("2026-03-03:\n", "- 08:30 Ada moves\n")
    ZONE.set(None)
    assert show(one) == ("2026-03-02:\n", "- 23:30 Ada moves\n")


def test_yesterday_is_the_users(in_tokyo):
    """As a moment it begins where their day does."""
    [yesterday] = periods("what did I do yesterday?", local(LATE))
    assert yesterday.start == datetime(2026, 3, 1, 15, tzinfo=UTC)
