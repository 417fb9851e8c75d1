"""How episodes of several agents are shown as one."""

from datetime import timedelta

from recollect.memory.api.merging import grouped, parts_of, told_together
from recollect.memory.model.types import MemoryItem, MemoryType, Provenance, Scope
from tests.memory.learn.doubles import NOON

GAP = timedelta(minutes=30)


def episode(agent, minutes, *, user="ada", stretch="t", text="Ada wrote code."):
    at = NOON + timedelta(minutes=minutes)
    return MemoryItem(
        id=f"{agent}{minutes}",
        text=text,
        type=MemoryType.EPISODIC,
        scope=Scope(tenant="local", user_id=user, agent_id=agent),
        created_at=at,
        updated_at=at,
        valid_from=at,
        embedder_id="e",
        provenance=Provenance(conversation_id=f"of {agent}", stretch=stretch),
    )


def test_agents_at_one_time_are_one():
    """Those that ended within the gap of each other, in the order of the first of each."""
    items = [episode("a", 0), episode("b", 200), episode("b", 20), episode("c", 45)]
    assert grouped(items, GAP) == [[0, 2, 3], [1]]


def test_others_stand_alone():
    """One agent twice, another user, and an event that tells no conversation are not merged."""
    items = [
        episode("a", 0),
        episode("a", 5),
        episode("b", 1, user="bob"),
        episode("c", 2, stretch=None),
    ]
    assert grouped(items, GAP) == [[0], [1], [2], [3]]


def test_it_tells_who_took_part_in_their_order():
    """Each text with its agent, and where it is kept."""
    items = [episode("b", 20, text="Ada sold shares."), episode(None, 0)]
    assert told_together(items) == "no agent: Ada wrote code.\nb: Ada sold shares."
    assert parts_of(items) == [
        {"id": "None0", "agent_id": None, "conversation_id": "of None"},
        {"id": "b20", "agent_id": "b", "conversation_id": "of b"},
    ]
