"""Conversations and episodes: what was said and what happened, on every surface."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.model.types import Scope
from tests.memory.state.samples import turn
from tests.surfaces.all import told_on
from tests.surfaces.surface import Surface

ALICE = {"user_id": "alice"}


def record(surface: Surface, name: str, conversation: str, user: str, assistant: str, **where):
    """One turn, as a chat leaves it."""
    scope = Scope(tenant=surface.tenant, user_id="alice", **where.pop("ids", {}))
    said = replace(turn(name, conversation, scope=scope, **where), user_text=user)
    place = surface.place
    place.call(
        place.engine.parts.state.conversations.record(replace(said, assistant_text=assistant))
    )


@told_on("conversations.list", "conversations.messages", "conversations.search", "said",
         "conversations.erase")  # fmt: skip
def test_the_life_of_a_conversation(surface):
    """Listed in pages, read in pages, found by either side, erased, and gone."""
    own = f"of {surface.tenant}"
    record(surface, "a", own, "Which trail is dry?", "Take the ridge.")
    record(surface, "b", own, "And tomorrow?", "It rains.", minutes=1)
    record(surface, "a", f"{own} 2", "My cello is old.", "", minutes=3, ids={"agent_id": "work"})
    page = surface.run("conversations.list", limit=1, **ALICE)["results"]
    assert [(one["id"], one["agents"]) for one in page] == [(f"{own} 2", ["work"])]
    listed = surface.run("conversations.list", **ALICE)["results"]
    assert [(one["id"], one["turns"]) for one in listed] == [(f"{own} 2", 1), (own, 2)]
    shown = surface.run("conversations.messages", conversation_id=own, **ALICE)["results"]
    assert [(one["role"], one["content"]) for one in shown] == [
        ("user", "Which trail is dry?"),
        ("assistant", "Take the ridge."),
        ("user", "And tomorrow?"),
        ("assistant", "It rains."),
    ]
    [best, *_] = surface.run("conversations.search", query="ridge", **ALICE)["results"]
    assert (best["text"], best["hearsay"]) == ("Take the ridge.", True)
    own_words = surface.run("conversations.search", query="ridge", assistant=False, **ALICE)
    assert {one["role"] for one in own_words["results"]} <= {"user"}
    assert surface.run("said", **ALICE)["results"]
    erased = surface.run("conversations.erase", conversation_id=own, **ALICE)
    assert erased == {"erased": 2}
    refused = surface.refused("conversations.messages", conversation_id=own, **ALICE)
    assert (refused.kind, refused.text) == ("not_found", f"there is no conversation {own!r}")
    other = f"{own} 2"
    erased = surface.run("conversations.erase", conversation_id=other, memories=True, **ALICE)
    assert erased["receipt"]["kind"] == "conversation"
    assert surface.run("conversations.list", **ALICE)["results"] == []
    assert surface.run("said", **ALICE)["results"] == []


@told_on("conversations.list", "conversations.messages", "conversations.erase")
def test_nobody_reads_the_conversations_of_others(surface):
    """Not by listing, by id, nor by erasing: not another user, and not another tenant."""
    own = f"of {surface.tenant}"
    record(surface, "a", own, "The cello is hidden.", "Good.")
    for door, user in ((surface, "bob"), (surface.elsewhere(), "alice")):
        assert door.run("conversations.list", user_id=user)["results"] == []
        for operation in ("conversations.messages", "conversations.erase"):
            refused = door.refused(operation, conversation_id=own, user_id=user)
            assert refused.kind == "not_found"
    assert len(surface.run("conversations.list", **ALICE)["results"]) == 1


@told_on("add", "episodes")
def test_episodes_are_listed_and_searched(surface):
    """Newest first with a cursor; by a query with the signals of each; within a period."""
    for name, day in (("Lyon", "2026-01-01"), ("Oslo", "2026-02-01")):
        surface.episode(f"The team met in {name}.", f"{day}T00:00:00+00:00")
    surface.add("The office is in Rome.")
    page = surface.run("episodes", limit=1, **ALICE)
    rest = surface.run("episodes", cursor=page["next"], **ALICE)
    listed = [one["memory"] for one in (*page["results"], *rest["results"])]
    assert listed == ["The team met in Oslo.", "The team met in Lyon."]
    assert "next" not in rest
    found = surface.run("episodes", query="team in Lyon", until="2026-01-15", **ALICE)["results"]
    assert [one["memory"] for one in found] == ["The team met in Lyon."]
    signals = found[0]["signals"]
    assert set(signals) == {"recency", "relevance", "importance"}
    assert 0 <= found[0]["score"] <= min(signals.values())
