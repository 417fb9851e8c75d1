"""Days are local to the user, moments UTC."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from recollect.memory.blocks.lines import show
from recollect.memory.language.dates import periods
from recollect.memory.learn.conversation import turns_of
from recollect.memory.learn.extract.days import written_out
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Message, Scope
from recollect.memory.model.zones import ZONE, local, name_now, said_at, zone_named
from tests.memory.recall.memories import item
from tests.support.folding import rows

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


def test_without_a_zone_it_is_the_servers():
    """That of the tests is UTC."""
    assert (name_now(), local(LATE).day, local(LATE, TOKYO).day) == ("", 2, 3)
    assert local(LATE, "Nowhere/Known").day == 2


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
