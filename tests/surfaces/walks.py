"""A user's life under an unusual name, and every way to read of it afterwards."""

from __future__ import annotations

import http.client
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from recollect.memory.model.types import (
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)
from tests.support.scripted import facts
from tests.support.waiting import HANG_SECONDS
from tests.surfaces.mcp import Mcp
from tests.surfaces.place import Place, token_of
from tests.surfaces.rest import Rest

ALICE = {"user_id": "alice"}
ASKED = "What am I allergic to?"
BOAT = "User owns a boat in Oslo"
WHERE, STAYS = "Where is my boat?", "Your boat is in Oslo, as I know."
FILLER = [
    f"Parcel {at} went to town by the long road over the hills and the river." for at in range(14)
]
ENDED = frozenset({"superseded", "archived", "quarantined"})
OLD_FIELDS = frozenset({"old_value", "old_memory", "old", "held_back"})
"""Fields that say by their name that what is in them is not so any more, or given to nobody."""
TURN = frozenset({"conversation_id", "text", "answer"})


SPEAKERS = frozenset({"user", "assistant"})


class Life:
    """One tenant's alice, who told of an allergy that nobody else has."""

    def __init__(self, place: Place, name: str, folder: Path, *, episode: bool = True) -> None:
        """`name` is the word that must be nowhere in the end; `episode`: one tells of it."""
        self.episode = episode
        self.place, self.name = place, name
        self.rest = Rest(place, place.tenant())
        self.mcp = Mcp(place, self.rest.tenant)
        self.told = f"I am allergic to {name}."
        self.fact = f"User is allergic to {name}"
        self.export = folder / f"{name}.jsonl"
        self.scope = Scope(tenant=self.rest.tenant, user_id="alice")
        self.answer = "I see."

    def begin(self) -> None:
        """It is told, learned, asked for, concluded from and exported."""
        self.place.model.replies = [self._reply]
        self.chat(self.told, session="first")
        self.say(
            f"Then {self.name} is best avoided.", self.told, "I see.", "What now?", session="first"
        )
        self.rest.ask("flush", dict(ALICE))
        [self.memory] = [one for one in self.listed() if self.name in one["memory"]]
        self.rest.add(BOAT)
        self.say(f"You are allergic to {self.name}.", ASKED, session="second")
        self.say(STAYS, WHERE, session="third")
        self._conclude()
        self.settle()
        self.rest.run("export_file", path=self.export, **ALICE)

    def say(self, answer: str, *texts: str, session: str) -> None:
        """A conversation in which the model answers this."""
        before, self.answer = self.answer, answer
        self.chat(*texts, session=session)
        self.answer = before

    def _conclude(self) -> None:
        """What upkeep makes of it, and of an answer that repeats it."""
        boat = next(one["id"] for one in self.listed() if one["memory"] == BOAT)
        grounds = (self.memory["id"], boat)
        self._made("insight", MemoryType.REFLECTIVE, Source.REFLECTION, cites=grounds)
        self._made("summary", MemoryType.SEMANTIC, Source.REFLECTION, cites=grounds)
        if not self.episode:
            return
        found = self.rest.run("conversations.search", query=ASKED, **ALICE)["results"]
        answered = [one for one in found if one["text"] == f"You are allergic to {self.name}."]
        for number, turn in enumerate(
            (*self.memory["provenance"]["turn_ids"], answered[0]["turn_id"])
        ):
            told = {"turn_ids": (turn,), "stretch": turn}
            self._made(f"episode {number}", MemoryType.EPISODIC, Source.EXTRACTION, **told)

    def settle(self) -> None:
        """Wait for what follows a write."""
        self.place.call(self.place.engine.graph.settled())

    def listed(self, **which: Any) -> list[dict[str, Any]]:
        return list(self.rest.run("get_all", **ALICE, **which)["results"])

    def chat(self, *texts: str, session: str = "", headers: dict[str, str] | None = None) -> str:
        """A conversation of alice's; what reached the model of it."""
        roles = ("user", "assistant")
        said = [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]
        body = json.dumps({"model": "m", "user": "alice", "messages": said}).encode()
        sent = (
            {"x-recollect-session": f"{session} of {self.scope.tenant}"}
            if session
            else {"x-recollect-memory": "read"}
        )
        self.place.model.requests.clear()
        self.rest_answer = self.rest.answer(
            "POST", "/v1/chat/completions", body, sent | (headers or {})
        )
        return json.dumps([one for one in self.place.model.requests if one["model"] == "m"])

    def _reply(self, body: dict[str, Any]) -> Any:
        if body["model"] == "m":
            return self.answer
        prompt = str(body["messages"])
        if ASKED in prompt:
            return json.dumps({"grounds": [1], "answer": prompt})
        return facts(self.fact) if self.told in prompt else facts()

    def _made(self, kind: str, memory_type: MemoryType, source: Source, **origin: Any) -> None:
        """What upkeep would have made of it."""
        engine, now = self.place.engine, utc_now()
        text = f"{kind.title()}: an allergy to {self.name}, and a boat"
        item = MemoryItem(
            id=f"{kind} of {self.scope.tenant}",
            text=text,
            type=memory_type,
            scope=self.scope,
            created_at=now,
            updated_at=now,
            embedder_id=engine.parts.embedder.id,
            status=MemoryStatus.ACTIVE,
            provenance=replace(Provenance(source=source), **origin),
        )
        [vector] = self.place.call(engine.parts.embedder.embed([text]))
        self.place.call(engine.parts.store.put([StoredMemory(item, vector)]))
        told = HistoryRecord(
            id=item.id,
            memory_id=item.id,
            event=EventKind.ADD,
            old_value=None,
            new_value=text,
            timestamp=now,
            is_deleted=False,
            scope=self.scope,
        )
        self.place.call(engine.parts.history.append([told]))


Walk = Callable[[Life], Any]


def _get(path: str) -> Walk:
    def walk(life: Life) -> Any:
        address = path.format(id=life.memory["id"], asked=quote(ASKED))
        status, said = life.rest.answer("GET", f"/v1/memories/{address}user_id=alice", None)
        assert status in {200, 404}, said
        return _read(said)

    return walk


def _read(said: bytes) -> Any:
    try:
        return json.loads(said)
    except ValueError:
        return [json.loads(line) for line in said.splitlines()]


def _run(operation: str, **asked: Any) -> Walk:
    return lambda life: life.rest.run(operation, **ALICE, **asked)


def _tool(operation: str, **asked: Any) -> Walk:
    return lambda life: life.mcp.run(operation, **ALICE, **asked)


def _of_type(kind: str) -> Walk:
    return lambda life: life.listed(filters={"type": kind})


def _answer(life: Life) -> Any:
    """The answer, and what the model was told to make it of."""
    life.place.model.requests.clear()
    said = life.rest.run("answer", question=ASKED, threshold=0, **ALICE)
    return said, life.place.model.said()


def _explained(life: Life) -> Any:
    explained = life.rest.run("explain", query=ASKED, **ALICE)
    return explained, _get("whynot?q={asked}&memory_id={id}&")(life)


def _compressed(life: Life) -> Any:
    """A long conversation, whose old turns are taken out of what goes upstream."""
    texts = [text for filler in FILLER for text in (filler, "Noted.")]
    return life.chat(*texts, ASKED)


SURFACES: dict[str, Walk] = {
    "chat": lambda life: life.chat(ASKED),
    "profile": _run("profile"),
    "compiled block": _run("blocks.compile", message=ASKED),
    "episodes": _run("episodes"),
    "episodes that are searched": _run("episodes", query=ASKED),
    "summaries": _of_type("semantic"),
    "insights": _of_type("reflective"),
    "topics": _run("topics.graph", min_members=1),
    "entities": _run("graph.entities"),
    "graph as a file": _run("graph.export"),
    "answer": _answer,
    "deep recall": _run("deep_recall", question=ASKED, max_iterations=1),
    "search": _run("search", query=ASKED),
    "search tool": _tool("search", query=ASKED),
    "profile tool": _tool("profile"),
    "conversation_search": _tool("conversations.search", query=ASKED),
    "conversations": _run("conversations.search", query=ASKED),
    "compression": _compressed,
    "explain": _explained,
    "memory": _get("{id}?"),
    "history": _get("{id}/history?"),
    "inspect": _get("{id}/inspect?"),
    "export": _get("export?"),
    "map": _get("map?"),
    "what memory did": _get("audit?texts=true&"),
}
"""How each is read; all of them show the name at first."""
QUIET: dict[str, Walk] = {
    "said": _run("said"),
    "conflicts": _run("conflicts"),
    "recent chats": _get("recent?"),
    "state": _get("state?"),
    "jobs": _get("jobs?"),
    "tasks": _get("tasks?"),
    "upkeep": _run("upkeep.list"),
    "merges": _run("graph.merges"),
}
"""Those that need not show it at first."""


def unmarked(found: Any, name: str, *, marked: bool = False) -> Iterator[str]:
    """Whatever has the name in it and does not say that it is old.

    An entry of a log says what was written then, one of a conversation who said it, and when.
    """
    if isinstance(found, dict):
        old = marked or found.get("status") in ENDED or found.get("valid_to") is not None
        old = old or found.get("role") in SPEAKERS or "event" in found or found.keys() >= TURN
        for key, value in found.items():
            yield from unmarked(value, name, marked=old or key in OLD_FIELDS)
    elif isinstance(found, (list, tuple)):
        for each in found:
            yield from unmarked(each, name, marked=marked)
    elif not marked and name.lower() in str(found).lower():
        yield str(found)


@contextmanager
def following(life: Life, name: str) -> Iterator[Callable[[str], str]]:
    """A stream of alice's, read from now on: it tells all of it up to a line with a text."""
    connection = http.client.HTTPConnection("127.0.0.1", life.place.port, timeout=HANG_SECONDS)
    credential = {"Authorization": f"Bearer {token_of(life.rest.tenant)}"}
    accept = {"Accept": "application/x-ndjson"}
    connection.request("GET", f"/v1/memories/{name}?user_id=alice", headers=credential | accept)
    answer = connection.getresponse()

    def upto(text: str) -> str:
        read = ""
        while text not in read:
            read += answer.readline().decode()
        return read

    try:
        yield upto
    finally:
        connection.close()


def files_with(folder: Path, name: str) -> list[str]:
    """The files below a folder in which a name can be read, in any piece of a database too."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and name.lower().encode() in path.read_bytes().lower():
            found.append(path.name)
    for path in folder.rglob("*.db"):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            pieces = [body for (body,) in database.execute("SELECT body FROM task_pieces")]
        if any(name.encode() in zlib.decompress(body) for body in pieces):
            found.append(f"{path.name}: a task's file")
    return found
