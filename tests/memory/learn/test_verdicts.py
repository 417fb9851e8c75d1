from datetime import UTC, datetime

from recollect.memory.learn.verdicts import verdicts
from recollect.memory.model.types import Decision, EventKind, MemoryItem, MemoryType, Scope

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def item(name):
    return MemoryItem(
        id=name,
        text=f"text of {name}",
        type=MemoryType.SEMANTIC,
        scope=Scope(tenant="local", user_id="ann"),
        created_at=NOON,
        updated_at=NOON,
        embedder_id="e",
    )


KNOWN = {name: item(name) for name in "abcd"}


def said(event, memory_id, text="text of a", pending=()):
    return Decision(
        event=event, memory_id=memory_id, text=text, type=MemoryType.SEMANTIC, pending=pending
    )


def done(found):
    return [(one.event.value, one.memory_id) for one in found.decisions]


def test_what_is_replaced_ends():
    """An UPDATE about another memory ends that one; the memory itself stays as it is."""
    found = verdicts({"a": [said(EventKind.UPDATE, "b")]}, KNOWN)
    assert (done(found), found.settled) == ([("DELETE", "b")], ["a"])


def test_what_is_merged_is_reworded():
    """The text of both becomes that of the memory that stays."""
    found = verdicts({"a": [said(EventKind.UPDATE, "b", "both in one")]}, KNOWN)
    assert done(found) == [("DELETE", "b"), ("UPDATE", "a")]
    assert found.decisions[1].text == "both in one"


def test_what_is_known_already_ends_itself():
    """NONE about another memory means that the other one says all of it."""
    found = verdicts({"a": [said(EventKind.NONE, "b")]}, KNOWN)
    assert done(found) == [("DELETE", "a")]


def test_two_memories_never_end_each_other():
    """Of a pair that a model calls the same in both directions, one stays."""
    found = verdicts({"a": [said(EventKind.NONE, "b")], "b": [said(EventKind.NONE, "a")]}, KNOWN)
    assert done(found) == [("DELETE", "a")]


def test_what_stays_beside_settles():
    """An ADD without pending memories changes nothing, and is an answer."""
    found = verdicts({"a": [said(EventKind.ADD, "a")]}, KNOWN)
    assert (done(found), found.settled) == ([], ["a"])


def test_what_got_no_answer_waits():
    """It is neither changed nor settled."""
    found = verdicts({"a": [said(EventKind.ADD, "a", pending=("b",))]}, KNOWN)
    assert (done(found), found.settled) == ([], [])


def test_what_is_gone_is_left_alone():
    """A memory that was forgotten or superseded meanwhile is not touched."""
    found = verdicts({"a": [said(EventKind.DELETE, "gone"), said(EventKind.ADD, "a")]}, KNOWN)
    assert done(found) == []
