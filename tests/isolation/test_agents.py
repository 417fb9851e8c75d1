"""Who sees what is as the table in docs/access.md says, whatever it is and however it is asked."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions, read_options
from recollect.memory.model.types import Scope, Turn, utc_now
from recollect.proxy.api.operations import PREFIX
from tests.support.folding import rows
from tests.support.parts import parts_of

from .gateway import Gateway
from .people import People

PAGE = (Path(__file__).parents[2] / "docs" / "access.md").read_text("utf-8")
CHAT = "/v1/chat/completions"
ADA = Scope(tenant="acme", user_id="ada")
CHEF = Scope(tenant="acme", user_id="ada", agent_id="chef")
COLUMNS = (
    ("chat", "shared", ADA),
    ("chat", "shared", CHEF),
    ("chat", "separate", CHEF),
    ("list", "shared", ADA),
    ("list", "shared", CHEF),
    ("list", "shared", Scope(tenant="acme", agent_id="chef")),
)
"""How each column of the table asks."""


def table() -> list[tuple[Scope, list[bool]]]:
    """The rows: what is stored, and whether each column sees it."""
    rows = re.findall(r"^\| ((?:user|agent) `.*?) \|(.*)\|$", PAGE, re.MULTILINE)
    found = []
    for stored, cells in rows:
        ids = {f"{kind}_id": name for kind, name in re.findall(r"(user|agent|run) `(\w+)`", stored)}
        found.append(
            (Scope(tenant="acme", **ids), [cell.strip() == "yes" for cell in cells.split("|")])
        )
    return found


ROWS = table()
KINDS = {
    "memory": "User keeps a zebra called Tilly",
    "allergy": "User is allergic to peanuts",
    "wish": "Always answer me in metric units, please.",
}


def test_the_table_is_read():
    """All of it: another form of the page would test nothing."""
    assert len(ROWS) == 8
    assert all(len(seen) == len(COLUMNS) for _, seen in ROWS)


def engine(agents: str, most: int = 25_000) -> Engine:
    options = read_options(
        EngineOptions,
        {
            "identity": {"agents": agents},
            "recall": {"threshold": 0.0, "limit": 50},
        },
    )

    async def nobody(_tenant, _model):
        return None

    made = Engine(parts_of(), options, nobody)
    made.recaller.indexes.max_memories = most
    return made


async def seen_in_chat(made: Engine, scope: Scope) -> set[str]:
    """Everything that the four ways of a chat show."""
    question = "What is the zebra called?"
    recalled = await made.recaller.recall(scope, question)
    explained = (await made.recaller.explain(scope, question)).as_dict()
    wishes = await made.recaller.wishes(scope)
    profile = await made.recaller.profile(scope)
    assert {each["id"] for each in explained["memories"] if each["chosen"]} <= {
        hit.item.id for hit in recalled.chosen
    }
    return {
        *(hit.item.text for hit in (*recalled.chosen, *wishes.chosen)),
        *(each["memory"] for each in explained["memories"]),
        *(line.item.text for line in profile),
    }


STORED = [
    (
        stored,
        agents,
        [(how, sees) for how, sees in zip(COLUMNS, seen, strict=True) if how[1] == agents],
    )
    for stored, seen in ROWS
    for agents in ("shared", "separate")
]


@rows("most", [25_000, 1])
@rows("stored, agents, columns", STORED)
async def test_memories_are_seen_as_the_table_says(stored, agents, columns, most):
    """A fact, a constraint and a wish: from the index, and from the store where there is none."""
    made = engine(agents, most)
    memory = AsyncMemory(made, tenant="acme")
    for text in KINDS.values():
        await memory.add(text, infer=False, **stored.ids())
    for (face, _, scope), sees in columns:
        if face == "chat":
            shown = await seen_in_chat(made, scope)
            indexed = most > 1
            assert (KINDS["memory"] in shown) == sees, scope
            assert ((KINDS["wish"] in shown) == sees) or (sees and not indexed), scope
            assert ((KINDS["allergy"] in shown) == sees) or (sees and not indexed), scope
            continue
        listed = (await memory.get_all(**scope.ids()))["results"]
        found = (await memory.search("zebra", **scope.ids()))["results"]
        for each in (listed, found):
            assert {row["memory"] for row in each} == (set(KINDS.values()) if sees else set())
        assert (await memory.count(**scope.ids()))["count"] == (len(KINDS) if sees else 0)
    await made.close()


@rows("stored, agents, columns", STORED)
async def test_what_was_said_is_seen_as_the_table_says(stored, agents, columns):
    """Before a memory is made of it."""
    made = engine(agents)
    turn = Turn(
        id="t", conversation_id="c", scope=stored, user_text="My zebra is called Tilly.",
        assistant_text="", model="m", created_at=utc_now(),
    )  # fmt: skip
    await made.parts.state.conversations.record(turn)
    for (face, _, scope), sees in columns:
        assert face != "chat" or bool(await seen_in_chat(made, scope)) == sees, scope
    await made.close()


@rows("agents", ["shared", "separate"])
@rows("first", [None, "chef", "tutor"])
async def test_through_the_proxy(agents, first):
    """What is told with an agent or without one, in a chat, is in the other chats of the table."""
    people = People(
        1,
        tuple(
            Scope(tenant="acme", user_id=user, agent_id=agent)
            for user, agent in itertools.product(("ada", "bob"), (None, "chef", "tutor"))
        ),
    )
    teller = people.scopes[[None, "chef", "tutor"].index(first)]
    async with Gateway(people, **{"identity.agents": agents}) as gateway:
        said = people.statement(people.scopes.index(teller), 1)
        told = {"messages": [{"role": "user", "content": said}]}
        await gateway.chat(teller, CHAT, told)
        await gateway.ask(teller.tenant, "GET", f"{PREFIX}/said", params=teller.ids())
        question = people.question(people.scopes.index(teller), 1)
        for asker in people.scopes:
            body = {"messages": [{"role": "user", "content": question}]}
            await gateway.chat(asker, CHAT, body)
            same = asker.user_id == teller.user_id
            shared = agents == "shared" and first is None
            expected = same and (asker.agent_id in (None, first) or shared)
            seal = people.seal(people.scopes.index(teller), 1)
            assert (seal in gateway.told[-1]) == expected, (asker, first)
