"""What `make test-clients` judges by would notice a client that was not remembered."""

import json

from tests.clients.checks import (
    THEN,
    Story,
    answer_problem,
    not_learned,
    problem,
    real_problem,
    requests_of,
)
from tests.clients.environments import ROOT, clients
from tests.clients.mem0 import LEAST_STEPS, missing, table
from tests.clients.upstream import (
    SEARCH,
    UNKNOWN,
    Received,
    ToolUpstream,
    answer_with,
    fact_of,
    reply_to,
)
from tests.support.folding import rows

STORY = Story("somebody", 4711)
MEMORY = {"role": "system", "content": f"<recollect>\n- {fact_of(4711)}\n</recollect>"}


def chat(step, *, memory=True, headers=(), **more):
    """A request of a step, with or without the memory in it."""
    messages = [MEMORY] * memory + [{"role": "user", "content": STORY.texts[step]}]
    messages += more.pop("then", [])
    return Received("/v1/chat/completions", dict(headers), {"messages": messages, **more})


def test_a_remembered_fact_passes():
    """The upstream was told, so that its answer has the number."""
    request = chat("asked")
    seen = {"answer": reply_to(request).text}
    assert seen == {"answer": answer_with(4711)}
    assert problem("asked", seen, STORY, [request]) == ""


@rows(
    "step, answer, requests",
    [
        ("asked", UNKNOWN, [chat("asked", memory=False)]),
        ("asked", answer_with(4711), [chat("asked", memory=False)]),
        ("asked", answer_with(4712), [chat("asked")]),
        ("streamed", "Your allotment", [chat("streamed")]),
        ("asked", answer_with(4711), []),
        ("asked", answer_with(4711), [chat("asked")] * 2),
        ("asked", answer_with(4711), [chat("asked", headers=[("X-Recollect-User", "ada")])]),
        ("stranger", answer_with(4711), [chat("stranger")]),
        ("stranger", UNKNOWN, [chat("stranger")]),
        ("tool", "Sunny at allotment 4711", [chat("tool"), chat("tool", memory=False)]),
        ("structured", "4711", [chat("structured")]),
    ],
)
def test_whatever_is_wrong_is_noticed(step, answer, requests):
    """Each of these looks almost right."""
    assert problem(step, {"answer": answer}, STORY, requests) != ""


def test_a_memory_may_stand_in_the_users_message():
    """Where a server takes no second system message; the step is still found by its text."""
    said = {"role": "user", "content": f"{MEMORY['content']}\n\n{STORY.texts['asked']}"}
    request = Received("/v1/chat/completions", {}, {"messages": [said]})
    assert requests_of("asked", STORY, [request]) == [request]
    assert problem("asked", {"answer": answer_with(4711)}, STORY, [request]) == ""


def test_a_real_model_may_say_anything():
    """But it must have been told, and have said something; an error is shown as it is."""
    assert problem("asked", {"error": "Boom\n"}, STORY, []) == "Boom"
    assert real_problem({"error": "Boom\n"}, STORY, []) == "Boom"
    assert real_problem({"answer": "Hm."}, STORY, [chat("asked")]) == ""
    assert real_problem({"answer": ""}, STORY, [chat("asked")]) != ""
    assert real_problem({"answer": "Hm."}, STORY, [chat("asked", memory=False)]) != ""


LEARNS = {"response_format": {"json_schema": {"schema": {"properties": {"facts": {}}}}}}


def learning(*texts):
    """The learner's request about turns of one conversation."""
    said = {"role": "user", "content": "\n".join(texts)}
    return Received("/v1/chat/completions", {}, {"messages": [said], **LEARNS})


def test_a_conversation_is_learned_as_one():
    """Both turns at once; not as two conversations, not twice, not a part.

    Requests are found by what the user said: not those of another step, and not the learner's.
    """
    asked = chat("asked")
    assert requests_of("asked", STORY, [chat("told"), chat("asked", **LEARNS), asked]) == [asked]
    first = STORY.texts["told"]
    assert not_learned(STORY, [learning(first, THEN), learning("another's")]) == ""
    for bad in ([], [learning(first), learning(THEN)], [learning(first, THEN)] * 2):
        assert not_learned(STORY, bad) != ""


def test_a_model_that_finds_by_itself_is_offered_the_tool():
    """It calls it, and answers by its result; without one it knows nothing."""
    offered = {"tools": [{"type": "function", "function": {"name": SEARCH}}]}
    model, asked = ToolUpstream(), chat("asked", memory=False, **offered)
    [call] = model.reply(asked).calls
    result = {"role": "tool", "tool_call_id": call.id, "content": fact_of(4711)}
    said = model.reply(chat("asked", memory=False, then=[result], **offered)).text
    assert answer_problem({"answer": said}, STORY) == ""
    assert answer_problem({"answer": model.reply(chat("asked")).text}, STORY) != ""


@rows("client", clients())
def test_a_client_can_be_installed(client):
    """Its lock has the version of its package, of which docs/clients.md speaks.

    A lock of npm has the hash of every file and no address.
    """
    page = (ROOT / "docs" / "clients.md").read_text("utf-8")
    lines = [line.split("|") for line in page.splitlines() if line.startswith("| `")]
    named = [line[2].strip() for line in lines if f"`{client.package}`" in line[1]]
    assert client.version in named
    if client.is_node:
        packages = json.loads(client.lock.read_text("utf-8"))["packages"]
        own, wanted = packages.pop(""), json.loads((client.folder / "package.json").read_text())
        assert own["dependencies"] == wanted["dependencies"]
        assert all(each["integrity"] and "resolved" not in each for each in packages.values())


def test_a_session_that_ends_early_is_noticed():
    """Of the synchronous client or of the other."""
    whole = [{"step": "get", "kind": "sync", "answer": "ok"}] * LEAST_STEPS
    rest = [each | {"kind": "async"} for each in whole]
    assert missing(whole + rest) == ""
    assert "async" in missing(whole + rest[1:])
    assert "sync" in missing([])


def test_the_table_shows_every_failure():
    """Also if only one of the two clients failed."""
    told = {"step": "get", "kind": "sync", "answer": "ok"}
    failed = {"step": "get", "kind": "async", "error": "x"}
    assert table({"1.0": [told], "2.0": [told, failed]}).splitlines()[1].split() == [
        "get", "ok", "ok", "/", "FAILED",
    ]  # fmt: skip
