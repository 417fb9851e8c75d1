"""What the last additions did."""

import pytest

from recollect.memory import NotFoundError, Scope
from recollect.proxy.api.mem0.events import Additions

ADA, BOB = (Scope(tenant="acme", user_id=name) for name in ("ada", "bob"))
DONE = [{"id": "m", "event": "ADD", "new_memory": "Likes tea"}]


def test_an_event_has_ids_and_no_text():
    """Whatever is forgotten later is not found here."""
    additions = Additions()
    event = additions.one("acme", additions.note(ADA, DONE))
    assert (event["status"], event["results"]) == ("SUCCEEDED", [{"id": "m", "event": "ADD"}])
    failed = additions.one("acme", additions.note(ADA, (), error="no_model"))
    assert (failed["status"], failed["metadata"]) == ("FAILED", {"error": "no_model"})
    assert "tea" not in repr(additions.all("acme"))


def test_events_are_ones_own():
    """Of a tenant, or of one user of it; anybody else's is unknown."""
    additions = Additions()
    mine, theirs = additions.note(ADA, DONE), additions.note(BOB, DONE)
    assert [event["id"] for event in additions.all("acme")] == [theirs, mine]
    assert [event["id"] for event in additions.all(ADA)] == [mine]
    for owner_ref in ("emca", BOB):
        with pytest.raises(NotFoundError):
            additions.one(owner_ref, mine)


def test_events_of_many_memories_are_bounded():
    """By the memories that they name; the last one is known whatever its size."""
    additions = Additions()
    many = DONE * 1000
    for _ in range(9):
        last = additions.note(ADA, many)
    assert len(additions.all("acme")) == 2
    assert len(additions.one("acme", last)["results"]) == 1000


def test_events_of_whoever_is_forgotten_are_dropped():
    """Of a user or of a tenant, with the names in them; one memory's id tells nothing."""
    additions = Additions()
    mine, theirs = additions.note(ADA, DONE), additions.note(BOB, DONE)
    additions.forget(ADA, "m")
    assert additions.one("acme", mine)["id"] == mine
    additions.forget(ADA)
    assert [event["id"] for event in additions.all("acme")] == [theirs]
    additions.forget("emca")
    assert additions.one("acme", theirs)["id"] == theirs
    additions.forget("acme")
    assert additions.all("acme") == []
    additions.note(ADA, DONE)
    additions.clear()
    assert additions.all("acme") == []
