"""What is wrong is refused alike on every surface: the same kind of error, and the field by its name."""

import pytest

from recollect.memory.model.inputs import MAX_METADATA_BYTES
from tests.support.folding import rows
from tests.surfaces.all import SURFACES, told_on

WRONG = [
    ("add", {"messages": "x", "user_id": ""}, "user_id"),
    ("add", {"messages": "x", "user_id": "x" * 257}, "user_id"),
    ("add", {"messages": "x", "user_id": 7}, "user_id"),
    ("add", {"messages": 5}, "messages"),
    ("add", {"messages": [{"role": "user"}, "x"]}, "messages[1]"),
    ("add", {"messages": [{"content": "x"}]}, "messages[0].role"),
    ("add", {"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
    ("add", {"messages": "a \ud800 b"}, "messages[0].content"),
    ("add", {"messages": "x", "user_id": "a\0"}, "user_id"),
    ("add", {"messages": "x", "user_id": "\ud800"}, "user_id"),
    ("add", {"messages": "x", "run_id": "x" * 300}, "run_id"),
    ("add", {"messages": "x", "metadata": "x"}, "metadata"),
    ("add", {"messages": "x", "metadata": {"a": "\ud800"}}, "metadata"),
    ("add", {"messages": "x", "metadata": {"a": "x" * MAX_METADATA_BYTES}}, "metadata"),
    ("add", {"messages": "x", "timestamp": True}, "timestamp"),
    ("add", {"messages": "x", "prompt": 5, "infer": True}, "prompt"),
    ("add", {"messages": "x", "timestamp": "yesterday"}, "timestamp"),
    ("add", {"messages": "x", "importance": 7}, "importance"),
    ("add", {"messages": "x", "infer": True, "includes": ""}, "includes"),
    ("search", {"query": " "}, "query"),
    ("search", {"query": "x", "limit": 0}, "limit"),
    ("search", {"query": "x", "limit": 999_999}, "limit"),
    ("search", {"query": None}, "query"),
    ("search", {"query": "x", "threshold": 2}, "threshold"),
    ("search", {"query": "x", "threshold": "0.5"}, "threshold"),
    ("search", {"query": "x", "threshold": True}, "threshold"),
    ("search", {"query": "x", "statuses": []}, "statuses"),
    ("search", {"query": "x", "status": "active", "statuses": ["active"]}, "status"),
    ("search", {"query": "x", "filters": {"tag": {"near": 1}}}, "filters"),
    ("get_all", {"limit": -1}, "limit"),
    ("get_all", {"cursor": "x"}, "cursor"),
    ("get_all", {"status": "lost"}, "status"),
    ("get_all", {"created_from": "yesterday"}, "created_from"),
    ("count", {"types": ["good"]}, "types"),
    ("update", {"memory_id": "M", "text": ""}, "text"),
    ("update", {"memory_id": "M", "text": " "}, "text"),
    ("update", {"memory_id": "M", "text": "x", "metadata": 7}, "metadata"),
    ("feedback", {"memory_id": "M", "feedback": "good"}, "feedback"),
    ("feedback", {"memory_id": "M", "feedback": "positive", "reason": 7}, "reason"),
    ("feedback", {"memory_id": "M", "feedback": "not_now"}, "question"),
    ("feedback", {"memory_id": "M", "feedback": "right", "question": "x"}, "question"),
    ("feedback", {"memory_id": "M", "feedback": "not_now", "conversation": "x"}, "conversation"),
    ("undo_feedback", {"memory_id": "M", "feedback_id": 7}, "feedback_id"),
    ("invalidate", {"memory_id": "M", "valid_to": "yesterday"}, "valid_to"),
    ("invalidate", {"memory_id": "M", "valid_to": "2999-01-01"}, "valid_to"),
    ("invalidate", {"memory_id": "M", "reason": "x" * 2001}, "reason"),
    ("revert", {"memory_id": "M"}, "version"),
    ("restore", {"memory_id": "M"}, "memory_id"),
    ("delete_by_query", {"filters": {}, "session": "s"}, "filters"),
    ("propose_forget", {"query": " "}, "query"),
    ("propose_forget", {"query": "tea", "limit": 0}, "limit"),
    ("confirm_forget", {"token": "x.y"}, "token"),
    ("explain", {"query": " "}, "query"),
    ("said", {"limit": 0}, "limit"),
    ("answer", {"question": ""}, "question"),
    ("answer", {"question": "x", "conversation": [{"content": "x"}]}, "conversation[0].role"),
    ("deep_recall", {"question": "x", "max_iterations": 0}, "max_iterations"),
    ("deep_recall", {"question": "x", "tokens": 0}, "tokens"),
    ("episodes", {"since": "yesterday"}, "since"),
    ("episodes", {"limit": 101}, "limit"),
    ("episodes", {"query": ""}, "query"),
    ("conversations.list", {"limit": 101}, "limit"),
    ("conversations.list", {"cursor": "x"}, "cursor"),
    ("conversations.search", {"query": " "}, "query"),
    ("upkeep.run", {"kind": "learn"}, "kind"),
    ("upkeep.run", {"kind": "consolidate", "wait": -1}, "wait"),
    ("upkeep.list", {"limit": 0}, "limit"),
    ("upkeep.list", {"offset": -1}, "offset"),
    ("blocks.define", {"label": "no label"}, "label"),
    ("blocks.define", {"label": "x", "limit": 0}, "limit"),
    ("blocks.define", {"label": "x", "value": "word " * 600}, "value"),
    ("blocks.append", {"label": "plan", "text": " "}, "text"),
    ("blocks.append", {"label": "plan", "text": "word " * 600}, "text"),
    ("blocks.replace", {"label": "plan", "old": "o", "new": "x"}, "old"),
    ("blocks.replace", {"label": "plan", "old": "nine", "new": "x"}, "old"),
    ("blocks.attach", {"label": "plan", "to": {}}, "to"),
    ("blocks.attach", {"label": "plan", "to": {"user_id": "b"}, "rights": "own"}, "rights"),
    ("shares.attach", {"memory_id": "M", "to": {"team": "red"}}, "to"),
    ("shares.attach", {"memory_id": "M", "to": {"user_id": "b"}, "rights": "own"}, "rights"),
    ("procedures.list", {"limit": 0}, "limit"),
    ("procedures.list", {"statuses": ["good"]}, "statuses"),
    ("add_procedure", {"messages": 7}, "messages"),
    ("add_procedure", {"messages": [{"role": "user", "content": "x"}], "success": ""}, "success"),
    ("add_batch", {"requests": "x"}, "requests"),
    ("add_batch", {"requests": [], "concurrency": 0}, "concurrency"),
    ("graph.entities", {"type": "animal"}, "type"),
    ("graph.entities", {"limit": 0}, "limit"),
    ("graph.merge", {"entity": "", "same_as": "b"}, "entity"),
    ("topics.graph", {"min_members": 0}, "min_members"),
    ("topics.graph", {"limit": 0}, "limit"),
]
"""An operation, arguments of alice's with one mistake, and the field that is named.

`M` is a memory of hers, `plan` a block that says "one two one".
"""
NOT_CALLED = {"users", "stats", "add_batch", "export_file", "import_file"}
"""They take no scope."""


@pytest.mark.parametrize("surface", SURFACES, ids=lambda one: one.name, indirect=True)
def test_the_field_is_named_and_nothing_is_done(surface):
    """By the library and by whatever asks it; no text is stored and none is changed."""
    [name] = surface.add("Likes tea")
    place = surface.place
    block = place.memory(surface.tenant).blocks.define("plan", value="one two one", user_id="alice")
    place.call(block)

    @rows("operation, asked, field", [row for row in WRONG if row[0] in surface.OPERATIONS])
    def each(operation, asked, field):
        asked = {"user_id": "alice", **asked}
        if operation == "add":
            asked = {"infer": False, **asked}
        if operation == "add_batch":
            del asked["user_id"]
        if asked.get("memory_id") == "M":
            asked["memory_id"] = name
        if surface.unsayable(operation, asked):
            return
        refused = surface.refused(operation, **asked)
        named = refused.field.replace("confirm", "token")
        assert (refused.kind, named) == ("invalid_input", field), refused.text

    each()
    kept = place.call(place.memory(surface.tenant).get_all(user_id="alice"))["results"]
    assert [(one["memory"], one["version"]) for one in kept] == [("Likes tea", 1)]
    assert not place.model.requests


@told_on("add", "get_all", "search", "conflicts", "profile", "blocks.list", "upkeep.list")
def test_a_scope_is_required(surface):
    """An operation about somebody's memories says whose it needs, in the same words."""
    needed = {
        "add": {"messages": "x", "infer": False},
        "search": {"query": "x"},
        "get_all": {},
        "delete_all": {},
        "conflicts": {},
        "profile": {},
        "forget_all": {},
        "blocks.list": {},
        "episodes": {},
        "consolidate": {},
        "answer": {"question": "x"},
        "deep_recall": {"question": "x"},
        "topics.graph": {},
        "graph.entities": {},
    }

    @rows("operation", [name for name in needed if name in surface.OPERATIONS])
    def each(operation):
        assert surface.refused(operation, **needed[operation]).kind == "scope_required"

    each()


@told_on("get", "update", "delete", "history", "validate", "restore", "settle", "invalidate")
def test_what_is_not_there_is_not_found(surface):
    """An id that nobody has, and one of another tenant: for every operation that takes one."""
    [name] = surface.add("Likes tea")
    other = surface.elsewhere()
    more = {
        "get": {}, "history": {}, "delete": {}, "validate": {}, "restore": {}, "invalidate": {},
        "revert": {}, "settle": {}, "update": {"text": "x"}, "feedback": {"feedback": "positive"},
        "undo_feedback": {"feedback_id": "f"},
        "versions": {}, "shares.of": {}, "shares.attach": {"to": {"user_id": "bob"}},
        "procedures.get": {}, "procedures.activate": {},
        "procedures.outcome": {"outcome": "success"},
    }  # fmt: skip

    @rows("operation", [one for one in more if one in surface.OPERATIONS])
    def each(operation):
        for door, memory_id, whose in (
            (surface, "no-such", {}),
            (other, name, {}),
            (surface, name, {"user_id": "bob"}),
            (surface, name, {"user_id": "alice", "agent_id": "x"}),
        ):
            if whose and surface.name == "cli":
                continue  # its commands by id name no user
            asked = {"memory_id": memory_id, **more[operation], **whose}
            if (operation, surface.name) in EMPTY:
                assert not door.run(operation, **asked), (operation, asked)
                continue
            refused = door.refused(operation, **asked)
            assert refused.kind == "not_found", (operation, asked, refused)

    each()
    assert surface.run("get", memory_id=name)["version"] == 1
    assert len(surface.run("history", memory_id=name)) == 1


EMPTY = {("history", "library")}
"""What the library answers with nothing, and the others with 404."""
