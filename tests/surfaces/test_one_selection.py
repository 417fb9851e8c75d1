"""One selection for all readers: what changed is seen alike at every door, the newer statement first.

The older ones have the words of the questions, the newer ones often none: only the link between the
two (`Provenance.matter`), which learning makes, brings them up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from recollect.memory.model.types import StoredMemory
from recollect.memory.recall import RecallOptions
from tests.surfaces.all import told_on
from tests.surfaces.mcp import Mcp
from tests.surfaces.rest import Rest
from tests.surfaces.surface import Surface

ALICE = {"user_id": "alice"}
CHANGES = (
    ("User lives in NYC", "User moved to San Francisco", "Where do I live?"),
    ("User's job is at Acme", "User switched and is now at BigTech", "What is my job?"),
    ("User's husband is Tom", "User and Tom got divorced", "Who is my husband?"),
    ("User's car is a Volvo", "There is a Tesla now, the old one was sold", "What is my car?"),
    ("User's favourite colour is blue", "Green is what User likes best today",
     "What is my favourite colour?"),
    ("User's flight leaves at nine", "Departure was put off until noon", "When is my flight?"),
    ("User's instrument is the cello", "User gave up music", "What is my instrument?"),
    ("User's landlord is Mrs Berg", "The house belongs to Mr Lund these days",
     "Who is my landlord?"),
)  # fmt: skip
"""What was told, what was told later, and what is asked."""
FIRST = datetime(2026, 3, 1, tzinfo=UTC)


def tell(surface: Surface) -> None:
    """Keep what changed, each a day after the other, the newer linked with the older."""
    engine, memory = surface.place.engine, surface.place.memory(surface.tenant)

    async def told() -> None:
        await engine.recaller.prepare()  # which a start does meanwhile
        for number, (old, new, _) in enumerate(CHANGES):
            ids = []
            for text, days in ((old, number), (new, number + len(CHANGES))):
                when = FIRST + timedelta(days=days)
                kept = await memory.add(text, infer=False, timestamp=when, **ALICE)
                ids += [one["id"] for one in kept["results"]]
            [newer] = await engine.parts.store.get(surface.tenant, ids[1:])
            linked = replace(newer, provenance=replace(newer.provenance, matter=ids[0]))
            [vector] = await engine.parts.embedder.embed([newer.text])
            await engine.parts.store.put([StoredMemory(linked, vector)])

    surface.place.call(told())


def explained(surface: Surface, question: str) -> list[str]:
    found = surface.run("explain", query=question, **ALICE)
    texts = {one["id"]: one["memory"] for one in (*found["profile"], *found["memories"])}
    return [texts[name] for name in found["lines"]]


def answered(surface: Surface, question: str, **bounds: Any) -> list[str]:
    """The notes that the model answers from."""
    surface.place.says(json.dumps({"grounds": [1], "answer": "Yes."}))
    said = surface.run("answer", question=question, **bounds, **ALICE)
    [request] = surface.place.model.requests
    notes = re.findall(r"^\d+\. \([-\d]+\) (.*)$", request["messages"][1]["content"], re.MULTILINE)
    [cited] = said["citations"] if "citations" in said else said["facts"]
    assert notes[0] == cited["memory" if "citations" in said else "fact"]
    return notes


def searched_deep(surface: Surface, question: str) -> list[str]:
    """Nothing is judged: no model answers."""
    surface.place.says(404)
    found = surface.run("deep_recall", question=question, **ALICE)
    shown = found["results"] if "results" in found else found["facts"]
    return [one.get("memory", one.get("fact")) for one in shown]


def fact_searched(surface: Surface, question: str, **bounds: Any) -> list[str]:
    """By the tool: of the library, over REST, or of MCP."""
    asked = {"query": question, **bounds}
    if isinstance(surface, Mcp):
        facts: Any = surface.run("search", **asked, **ALICE)["results"]
    elif isinstance(surface, Rest):
        body = json.dumps({"arguments": asked, **ALICE}).encode()
        facts = json.loads(surface.send("POST", "/v1/memories/tools/fact_search", body))["facts"]
    else:
        tools = surface.place.memory(surface.tenant).tools(**ALICE)
        facts = surface.place.call(tools.call("fact_search", asked)).value["facts"]
    return [one["fact"] for one in facts]


def chatted(surface: Surface, question: str) -> list[str]:
    """What a chat is given, which reads from the oldest to the newest; turned round."""
    surface.place.says("I see.")
    asked = {"model": "m", "user": "alice", "messages": [{"role": "user", "content": question}]}
    Rest(surface.place, surface.tenant).send(
        "POST", "/v1/chat/completions", json.dumps(asked).encode()
    )
    [request] = surface.place.model.requests
    given = "\n".join(one["content"] for one in request["messages"])
    return re.findall(r"^- (?:\d\d:\d\d )?(?:User said: )?(.*)$", given, re.MULTILINE)[::-1]


Reader = Callable[[Surface, str], list[str]]


def same_lines(surface: Surface, reader: Reader) -> None:
    """The newer is there, the older never without it nor before it; of the best, both."""
    tell(surface)
    for old, new, question in CHANGES:
        seen = reader(surface, question)
        assert seen.index(new) < seen.index(old), (question, seen)
        for older, newer, _ in CHANGES:
            assert older not in seen or newer in seen[: seen.index(older)], (question, seen)
        if reader is not chatted:
            assert seen[:2] == [new, old], (question, seen)


@told_on("add", "explain")
def test_an_explanation_has_the_newer_of_a_matter_first(surface):
    """Its lines are those that a chat is given."""
    same_lines(surface, explained)


@told_on("add", "answer")
def test_an_answer_stands_on_the_newer_of_a_matter(surface):
    """Its model reads the newer statement before the older one, and never the older one alone."""
    same_lines(surface, answered)


@told_on("add", "deep_recall")
def test_a_deep_recall_has_the_newer_of_a_matter_first(surface):
    """Also of what only joins what was found."""
    same_lines(surface, searched_deep)


@told_on("add", "blocks.list", "history")
def test_a_search_for_facts_has_the_newer_of_a_matter_first(surface):
    """A tool of the library, of REST and of MCP."""
    same_lines(surface, fact_searched)


@told_on("add")
def test_a_chat_has_the_newer_of_a_matter(surface):
    """Whatever door it was told at: the later line of the block is the newer one."""
    same_lines(surface, chatted)


def test_all_readers_see_the_same_lines(place):
    """Chats, explanations, answers and tools alike, if they take as many."""
    for *_, question in CHANGES:
        # A tenant each: what was asked before is heard at a moment of its own.
        door = Rest(place, place.tenant())
        tell(door)
        given = explained(door, question)
        assert sorted(chatted(door, question)) == sorted(given)
        given = explained(door, question)  # what was asked is heard by now
        limit = RecallOptions().limit
        assert answered(door, question, limit=limit, threshold=None) == given
        assert fact_searched(door, question, limit=limit) == given
