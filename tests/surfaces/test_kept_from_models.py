"""What a policy keeps from a model reaches it by no surface; what it admits does."""

from __future__ import annotations

import http.client
import json
import random
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from recollect.memory.model.errors import ConfigError
from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)
from tests.support.composing import settings
from tests.support.waiting import HANG_SECONDS
from tests.surfaces.mcp import Mcp
from tests.surfaces.place import Place, a_place, token_of
from tests.surfaces.rest import Rest

ALICE = {"user_id": "alice"}
ASKED = "What do I keep in the zeppelin shed?"
HARD = "What do I keep in the zeppelin shed, and who else keeps something in the zeppelin shed?"
LOCAL, CLOUD = "local-1", "cloud-1"
POINTING_BACK = (f"I keep a said{LOCAL} in the zeppelin shed.", "Fine.", "What did it cost?")
WHAT_IF = {"messages": [{"role": "user", "content": ASKED}], "model": CLOUD, "max_calls": 2}
AWAY = ["*/cloud-*", "*/scripted"]
"""Models of the cloud: chats with one, and all calls of our own."""
SOURCES = ["local", "cloud", "api", "unknown"]
TEXTS = {
    "plain": "User keeps {} in the zeppelin shed",
    "private": "User has diabetes and keeps {} in the zeppelin shed",
    "topic": "User earns a salary of {} in the zeppelin shed",
}
POLICIES: dict[str, list[dict[str, Any]]] = {
    "none": [{"to": AWAY, "send": "none"}],
    "validated": [{"to": AWAY, "send": "validated"}],
    "types": [{"to": AWAY, "types": ["semantic", "said"]}],
    "kinds": [
        {"to": AWAY, "not_topics": ["salary"]},
        {"to": AWAY, "private": False, "not_from": ["*/local-*"]},
    ],
}


def goes(policy: str, item: MemoryItem, kind: str, origin: str) -> bool:
    """Whether a memory may go to the cloud, told once more in the words of the test."""
    match policy:
        case "none":
            return False
        case "validated":
            return item.provenance.validated_at is not None
        case "types":
            return item.type is MemoryType.SEMANTIC
        case _:
            return kind == "plain" and origin in {"cloud", "api"}


class World:
    """Alice's memories of every kind, under one policy."""

    def __init__(self, place: Place, policy: str, seed: int) -> None:
        self.place, self.policy = place, policy
        self.rest = Rest(place, place.tenant())
        self.scope = Scope(tenant=self.rest.tenant, user_id="alice")
        self.kept: set[str] = set()
        self.free: set[str] = set()
        self.call: dict[str, Any] | None = None
        self.ids: dict[str, str] = {}
        place.model.replies = [self._reply]
        dice = random.Random(seed)
        every = [(t, v, k, o) for t in MemoryType for v in (0, 1) for k in TEXTS for o in SOURCES]
        chosen = dice.sample(every, 30)
        chosen += [(MemoryType.SEMANTIC, v, "plain", o) for v in (0, 1) for o in SOURCES]
        for number, (kind, checked, text, origin) in enumerate(chosen):
            self._put(f"zq{seed}x{number}y", kind, bool(checked), text, origin)
        self._tell()

    def _put(self, marker: str, kind: MemoryType, checked: bool, text: str, origin: str) -> None:
        engine, now = self.place.engine, utc_now()
        base = self.place.model.base_url
        told = {"local": (f"{base} {LOCAL}",), "cloud": (f"{base} {CLOUD}",)}.get(origin, ())
        chat = origin != "api"
        item = MemoryItem(
            id=str(uuid.uuid4()),
            text=TEXTS[text].format(marker),
            type=kind,
            scope=self.scope,
            created_at=now,
            updated_at=now,
            embedder_id=engine.parts.embedder.id,
            status=MemoryStatus.ACTIVE,
            provenance=Provenance(
                source=Source.EXTRACTION,
                conversation_id="earlier" if chat else None,
                turn_ids=(f"t-{marker}",) if chat else (),
                told_to=told,
                validated_at=now if checked else None,
            ),
        )
        [vector] = self.place.call(engine.parts.embedder.embed([item.text]))
        self.place.call(engine.parts.store.put([StoredMemory(item, vector)]))
        (self.free if goes(self.policy, item, text, origin) else self.kept).add(marker)
        self.ids[marker] = item.id

    def _tell(self) -> None:
        """A block, and what was said in chats with each model, which nobody learned."""
        self.rest.run("blocks.define", label="notes", value="The blockmark is here.", **ALICE)
        self.kept.add("blockmark")
        for model in (LOCAL, CLOUD):
            said = f"I keep a said{model} in the zeppelin shed."
            self.chat(said, model=model, session=f"of {model}")
        self.kept.add(f"said{LOCAL}") if self.policy != "types" else self.free.add(f"said{LOCAL}")
        # What is told to the cloud is there; nothing but the policy keeps it from coming again.
        self.place.model.requests.clear()

    def _reply(self, body: dict[str, Any]) -> Any:
        if body["model"] in {LOCAL, CLOUD}:
            answered = any(one["role"] == "tool" for one in body["messages"])
            if self.call is None or answered:
                return "Fine."
            function = {"name": self.call["name"], "arguments": json.dumps(self.call["with"])}
            call = {"id": "c1", "type": "function", "function": function}
            return {"content": None, "tool_calls": [call]}
        return json.dumps({"facts": [], "grounds": [1], "answer": "ok", "enough": True})

    def chat(self, *texts: str, model: str = CLOUD, session: str = "") -> None:
        """A conversation of alice's with this model."""
        roles = ("user", "assistant")
        said = [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]
        body = json.dumps({"model": model, "user": "alice", "messages": said}).encode()
        name = {"x-recollect-session": f"{session} of {self.rest.tenant}"}
        sent = name if session else {"x-recollect-memory": "read"}
        status, answer = self.rest.answer("POST", "/v1/chat/completions", body, sent)
        assert status == 200, answer

    def tool(self, name: str, **arguments: Any) -> None:
        """A chat in which the model calls a tool."""
        self.call = {"name": name, "with": arguments}
        self.chat("Look it up, please.", model=CLOUD)
        self.call = None

    def sent(self, *models: str) -> str:
        """Every byte that went to these models since the last look."""
        requests = [one for one in self.place.model.requests if one["model"] in models]
        return json.dumps(requests)


def _replayed(world: World) -> None:
    """A conversation that began with the local model goes on with the cloud's."""
    world.chat(ASKED, model=LOCAL, session="moves")
    world.chat(ASKED, "Fine.", "And what else is in the zeppelin shed?", session="moves")


def _history(world: World) -> None:
    for name in sorted(world.ids.values())[:4]:
        world.tool("fact_history", id=name)


SURFACES: dict[str, Callable[[World], Any]] = {
    "chat": lambda world: world.chat(ASKED),
    "profile in a chat": lambda world: world.chat("What do you know about me?"),
    "moved conversation": _replayed,
    "search tool": lambda world: world.tool("fact_search", query=ASKED, limit=50),
    "profile tool": lambda world: world.tool("profile_read"),
    "conversation tool": lambda world: world.tool("conversation_search", query=ASKED),
    "episodes tool": lambda world: world.tool("recall_episodes", query=ASKED),
    "block tool": lambda world: world.tool("block_read"),
    "conflicts tool": lambda world: world.tool("conflicts_list"),
    "history tool": _history,
    "answer tool": lambda world: world.tool("memory_answer", question=ASKED),
    "deep recall tool": lambda world: world.tool("deep_recall", question=HARD),
    "answer": lambda world: world.rest.run("answer", question=ASKED, threshold=0, **ALICE),
    "deep recall": lambda world: world.rest.run(
        "deep_recall", question=HARD, max_iterations=1, **ALICE
    ),
    "request to forget": lambda world: world.chat("Please forget the zeppelin shed.", session="f"),
    "learning": lambda world: world.rest.ask("flush", dict(ALICE)),
    "query rewriting": lambda world: world.chat(*POINTING_BACK, model=LOCAL),
    "what if": lambda world: world.rest.ask("whatif", {**WHAT_IF, **ALICE}),
    "conclusions": lambda world: world.rest.run("upkeep.run", kind="reflect", **ALICE),
}
QUIET = {"deep recall"}
"""It asks a model about hard questions alone."""
TELLING = {"chat", "search tool", "answer", "moved conversation"}
"""Surfaces by which something that is admitted surely goes."""


COMMON: dict[str, Any] = {
    "tools__inject": True,
    "recall__threshold": 0,
    "recall__limit": 50,
    "recall__token_budget": 30_000,
    "upkeep__kinds__reflect": True,
    "upkeep__kinds__summaries": True,
    "recall__rewrite__strategy": "llm",
    "recall__rewrite__llm__model": "scripted",
}


@pytest.fixture(scope="module", params=list(POLICIES))
def kept(request):
    policy = request.param
    with a_place(trust__policy=POLICIES[policy], **COMMON) as place:
        yield place, policy


@pytest.mark.parametrize("seed", [1, 2])
def test_no_surface_sends_what_is_withheld(kept, seed):
    """Nothing of it is in any byte for these models; what is admitted gets there, so it can."""
    world = World(*kept, seed)
    for name, walk in SURFACES.items():
        world.place.model.requests.clear()
        walk(world)
        sent = world.sent(CLOUD, "scripted")
        leaked = sorted(mark for mark in world.kept if mark in sent)
        assert not leaked, (name, leaked[:5])
        if name in TELLING and world.free:
            assert any(mark in sent for mark in world.free), name
    world.place.model.requests.clear()
    world.chat(ASKED, model=LOCAL)
    here = world.sent(LOCAL)
    assert all(mark in here for mark in ("blockmark", *sorted(world.kept)[:3]) if mark[:2] == "zq")


def test_without_a_policy_they_send_it():
    """The counter-figure: each of these surfaces does reach a model, so that keeping it counts."""
    with a_place(**COMMON) as place:
        world, telling = World(place, "none", 3), set()
        for name, walk in SURFACES.items():
            world.place.model.requests.clear()
            walk(world)
            sent = world.sent(CLOUD, "scripted")
            if any(mark in sent for mark in world.kept):
                telling.add(name)
    assert telling >= SURFACES.keys() - QUIET


def test_a_user_has_rules_of_their_own():
    """They count at once and beside the configuration's, for this user alone; a bad one is named."""
    with a_place(trust__policy=POLICIES["types"], **COMMON) as place:
        world = World(place, "types", 4)
        own = [{"to": AWAY, "send": "none"}]
        assert world.rest.ask("policy", dict(ALICE)) == {"results": []}
        told = world.rest.ask("set_policy", {"rules": own, **ALICE})
        assert told == {"results": own}
        world.place.model.requests.clear()
        for walk in (SURFACES["chat"], SURFACES["search tool"], SURFACES["answer"]):
            walk(world)
        sent = world.sent(CLOUD, "scripted")
        assert not [mark for mark in (*world.kept, *world.free) if mark in sent]
        for bad, field in (
            ({"to": ["clowd"]}, "rules.0.to"),
            ({"types": ["nice"]}, "rules.0.types"),
        ):
            refused = world.rest.refused("set_policy", rules=[bad], **ALICE)
            assert field in refused.text
        world.rest.ask("set_policy", {"rules": [], **ALICE})
        world.chat(ASKED)
        sent = world.sent(CLOUD)
        assert any(mark in sent for mark in world.free)
        assert not [mark for mark in world.kept if mark in sent]


def test_chats_that_are_not_to_be_learned_from_are_not_kept():
    """Neither a turn nor a fact of a tool; those with another model are."""
    with a_place(
        trust__policy=[{"to": ["*/cloud-*"], "learn": False}], tools__inject=True
    ) as place:
        world = World(place, "none", 5)
        said = json.dumps(world.rest.run("said", **ALICE))
        assert (f"said{LOCAL}" in said, f"said{CLOUD}" in said) == (True, False)


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ({"to": ["api.nobody.example"]}, "trust.policy.0.to.0"),
        ({"to": ["clowd"]}, "trust.policy.0.to"),
        ({"types": ["nice"]}, "trust.policy.0.types"),
        ({"sent": "none"}, "trust.policy.0.sent"),
    ],
)
def test_a_rule_that_means_nothing_is_refused_at_the_start(tmp_path, rule, key):
    """By its key; a rule that nobody checks would keep nothing back."""
    with pytest.raises(ConfigError, match=key.replace(".", r"\.")):
        settings(tmp_path, trust__policy=[rule])


def test_a_remote_embedder_is_no_way_round(tmp_path):
    """It is sent every text: a rule about its server is refused."""
    remote = {"embedder__backend": "openai", "embedder__base_url": "https://api.openai.com/v1"}
    more = {"embedder__model": "m", "embedder__dim": 8, "trust__policy": [{"send": "none"}]}
    with pytest.raises(ConfigError, match="local embedder"):
        settings(tmp_path, **remote, **more)


def test_a_program_that_speaks_mcp_is_a_model_that_is_not_known():
    """A rule about `mcp` holds for its tools; a person's own listing is whole."""
    with a_place(trust__policy=[{"to": ["mcp"], "send": "validated"}], **COMMON) as place:
        world = World(place, "validated", 6)
        mcp = Mcp(place, world.rest.tenant)
        found = json.dumps(mcp.run("search", query=ASKED, limit=50, **ALICE))
        assert any(mark in found for mark in world.free)
        assert not [mark for mark in world.kept if mark in found]
        listed = json.dumps(world.rest.run("get_all", **ALICE))
        assert all(mark in listed for mark in world.ids)


def test_what_is_withheld_is_explained_and_counted():
    """By the reason of each line, in words for one memory, and in a header of the answer."""
    with a_place(trust__policy=POLICIES["none"], **COMMON) as place:
        world = World(place, "none", 7)
        rows = world.rest.run("explain", query=ASKED, **ALICE)["memories"]
        away = [row["id"] for row in rows if row["reason"] == "withheld"]
        assert away
        why = world.rest.ask("whynot", {"q": ASKED, "memory_id": away[0], **ALICE})
        assert why["verdict"] == "kept_away"
        said = {"model": CLOUD, "user": "alice", "messages": [{"role": "user", "content": ASKED}]}
        headers = {"Authorization": f"Bearer {token_of(world.rest.tenant)}"}
        connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=HANG_SECONDS)
        try:
            connection.request("POST", "/v1/chat/completions", json.dumps(said), headers)
            answer = connection.getresponse()
            answer.read()
        finally:
            connection.close()
        assert int(answer.headers["x-recollect-withheld"]) > 0
        assert answer.headers["x-recollect-reason"] == "withheld"
        world.rest.run("answer", question=ASKED, threshold=0, **ALICE)
        assert place.engine.withholding.counted["all"] > 0
