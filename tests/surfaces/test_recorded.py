"""What is added of a run or a session is a conversation, on every surface."""

import json

from tests.surfaces.all import told_on
from tests.surfaces.rest import Rest

ALICE = {"user_id": "alice"}
BATCH = ("add", "add_batch", "conversations.list", "conversations.messages")
TALK = [
    {"role": "user", "content": "My cello is broken."},
    {"role": "assistant", "content": "Luthier Berg repairs cellos."},
]


@told_on("add", "conversations.list", "conversations.messages", "conversations.search")
def test_a_text_of_a_session(surface):
    """Listed, read, and found word for word."""
    for text in ("My cello is broken.", "Berg repairs it on Monday."):
        surface.run("add", messages=text, session="shop", **ALICE)
    [listed] = surface.run("conversations.list", **ALICE)["results"]
    assert (listed["turns"], listed["preview"]) == (2, "My cello is broken.")
    own = {"conversation_id": listed["id"], **ALICE}
    said = surface.run("conversations.messages", **own)["results"]
    assert [one["content"] for one in said] == ["My cello is broken.", "Berg repairs it on Monday."]
    [best, *_] = surface.run("conversations.search", query="Who repairs it?", **ALICE)["results"]
    assert best["text"] == "Berg repairs it on Monday."
    refused = surface.refused("add", messages="x", session=" ", **ALICE)
    assert (refused.kind, refused.field) == ("invalid_input", "session")


@told_on(*BATCH)
def test_conversations_of_a_batch(surface):
    """Each addition is recorded by itself; the answer names its conversation."""
    asked = [{"messages": TALK, "session": name, "infer": False} for name in ("a", "b", "a")]
    done = surface.run("add_batch", requests=asked, concurrency=1, **ALICE)["results"]
    named = [one["result"]["conversation_id"] for one in done]
    assert named[0] == named[2] != named[1]
    listed = surface.run("conversations.list", **ALICE)["results"]
    assert {one["id"]: one["turns"] for one in listed} == {named[0]: 1, named[1]: 1}


@told_on(*BATCH, "episodes", "upkeep.run")
def test_an_episode_of_a_run(surface):
    """Upkeep writes what happened in it, as of a chat."""
    surface.run("add", messages=TALK, infer=False, run_id="r", **ALICE)
    surface.place.says("User's cello is broken.\nImportance: 4")
    [run] = surface.run("upkeep.run", kind="episode", **ALICE)["results"]
    assert run["state"] == "done"
    [episode] = surface.run("episodes", **ALICE)["results"]
    assert "cello" in episode["memory"]


@told_on("add", "conversations.list", "conversations.messages")
def test_a_chat_goes_on_with_it(surface):
    """A chat whose header names the session is of the same conversation, and recalls what it said."""
    surface.run("add", messages="My cello is broken.", session="shop", **ALICE)
    surface.place.says("Berg repairs cellos.")
    asked = {"role": "user", "content": "Who repairs my cello?"}
    body = json.dumps({"model": "m", "user": "alice", "messages": [asked]}).encode()
    door = Rest(surface.place, surface.tenant)
    door.send("POST", "/v1/chat/completions", body, {"x-recollect-session": "shop"})
    [request] = surface.place.model.requests
    assert "My cello is broken." in str(request["messages"])
    [listed] = surface.run("conversations.list", **ALICE)["results"]
    own = {"conversation_id": listed["id"], **ALICE}
    said = surface.run("conversations.messages", **own)["results"]
    assert [one["content"] for one in said] == [
        "My cello is broken.",
        "Who repairs my cello?",
        "Berg repairs cellos.",
    ]
