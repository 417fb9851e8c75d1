"""Fields of memories, days of users, and reads that no scope bounds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from recollect.memory.blocks.lines import show
from recollect.memory.language.dates import periods
from recollect.memory.learn.conversation import turns_of
from recollect.memory.learn.extract.days import written_out
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.filters import ENTITIES, FIELDS, AllOf, field_of
from recollect.memory.model.types import MemoryStatus, MemoryType, Message, Scope
from recollect.memory.model.wide import Counted, ScopeCount, scanned, walked
from recollect.memory.model.zones import ZONE, local, said_at, zone_named
from recollect.memory.query import EVERYTHING, both, parse
from tests.memory.recall.memories import item
from tests.memory.stores.memories import memory
from tests.support.folding import rows
from tests.support.parts import engine_of

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


async def test_every_memory_is_in_one_page():
    """In the order of ids, of every tenant, from any id on; an empty store has no page."""
    engine = engine_of()
    store = engine.parts.store
    unit = np.eye(1, engine.parts.embedder.dim, dtype=np.float32)[0]
    assert [page async for page in scanned(store, page=2)] == []
    for name in "bdaec":
        scope = Scope(tenant=f"tenant {name}", user_id="u")
        await store.put([memory(scope, id=name, at=unit)])
    pages = [[each.item.id for each in page] async for page in scanned(store, page=2)]
    assert pages == [["a", "b"], ["c", "d"], ["e"]]
    later = [[each.item.id for each in page] async for page in scanned(store, page=9, after="c")]
    assert later == [["d", "e"]]


async def test_an_owners_memories_are_walked_alone():
    """Those of a tenant or of a scope, in the order of ids, from any id on."""
    engine = engine_of()
    store = engine.parts.store
    unit = np.eye(1, engine.parts.embedder.dim, dtype=np.float32)[0]
    for number, name in enumerate("bdaecf"):
        scope = Scope(tenant=f"tenant {number % 2}", user_id=f"u{number // 2}")
        await store.put([memory(scope, id=name, at=unit)])
    pages = [[item.id for item in page] async for page in walked(store, "tenant 0", page=2)]
    assert pages == [["a", "b"], ["c"]]
    own = Scope(tenant="tenant 1", user_id="u1")
    assert [[item.id for item in page] async for page in walked(store, own, page=2)] == [["e"]]
    assert [page async for page in walked(store, own, page=2, after="e")] == []


def test_counts_of_scopes_are_joined():
    """The earliest and the latest time, and the sum of what was counted."""
    early, late = (datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2))
    tally, scope = Counted(), Scope(tenant="t", user_id="u")
    tally.see(scope, late, late, (MemoryType.SEMANTIC, MemoryStatus.ACTIVE))
    tally.see(scope, early, early, (MemoryType.SEMANTIC, MemoryStatus.SUPERSEDED))
    [counted] = tally.scopes.values()
    assert counted == ScopeCount(early, late, rows=2, active=1)
    assert (tally.kinds.total(), tally.days) == (2, {late.date(): 1})
    assert counted.with_those_of(counted) == ScopeCount(early, late, rows=4, active=2)
