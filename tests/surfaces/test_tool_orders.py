"""What a tool does or tells, with everything stated, needs no memory, at every door.

Which messages these are is told by meaning: `tests/behaviours/test_tool_orders.py`. Here the words
of an example stand for it.
"""

from __future__ import annotations

import json

from tests.support.waiting import wait_until
from tests.surfaces.all import told_on
from tests.surfaces.rest import Rest
from tests.surfaces.surface import Surface

ALICE = {"user_id": "alice"}
ORDERS = ("Execute the test suite", "List all files in the current folder", "What time is it now?")
KNOWN = (
    "User's brother lives in Lima", "User wants the test suite in random order",
    "User's files are on the server in the cellar",
    "User asked the assistant to execute the test suite",
)  # fmt: skip
PROCEDURE = "To execute the test suite: start the database, then make test"


def ready(surface: Surface) -> None:
    """Load the examples, which a start does meanwhile."""
    surface.place.call(surface.place.engine.recaller.prepare())


@told_on("add", "explain")
def test_what_a_tool_does_needs_no_memory(surface):
    """A chat skips it, whatever is known; a procedure is the one kind that it is given."""
    ready(surface)
    surface.add(*KNOWN)
    for order in ORDERS:
        found = surface.run("explain", query=order, **ALICE)
        assert found["chat"] == {"memory": "skipped", "reason": "tool"}, order
        assert found["block"] == ""
    surface.add(PROCEDURE, type="procedural")
    found = surface.run("explain", query=ORDERS[0], **ALICE)
    assert found["chat"] == {"memory": "injected", "reason": "tool"}
    assert PROCEDURE in found["block"]
    assert not [text for text in KNOWN if text in found["block"]]


def test_an_order_is_not_recalled_for_the_next_one(place):
    """What was ordered in one chat is no memory for the same order in another."""
    door = Rest(place, place.tenant())
    ready(door)
    for number, began in enumerate(("Good morning", "Hello again"), 1):
        for order in ORDERS:
            assert said(door, began, order)[-1] == order
        wait_until(lambda number=number: len(chats(door)) == number, "a conversation")


def said(door: Rest, *texts: str) -> list[str]:
    """What the model server got in place of these messages of the user."""
    told = [{"role": "user", "content": text} for text in texts]
    told[1:1] = [{"role": "assistant", "content": "Hello."}]
    door.place.says("Done.")
    asked = json.dumps({"model": "m", "user": "alice", "messages": told}).encode()
    door.send("POST", "/v1/chat/completions", asked)
    [request] = door.place.model.requests
    return [one["content"] for one in request["messages"]]


def chats(door: Rest) -> list[str]:
    return door.run("conversations.list", **ALICE)["results"]
