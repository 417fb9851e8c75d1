"""The topics of `AsyncMemory`, and what is done with one."""

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.api.topics import of_one_scope
from recollect.memory.engine.engine import nobody
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.errors import (
    ForbiddenError,
    HourSpentError,
    NoModelError,
    UpkeepBudgetError,
)
from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.types import MemoryStatus, Scope, Turn, utc_now
from tests.memory.api.client_parts import texts
from tests.memory.graph.topics.notes import note
from tests.memory.learn.doubles import Says
from tests.memory.upkeep.consolidate.notes import VIOLIN, first_words, shown
from tests.memory.upkeep.consolidate.test_step import SCALE, Vectors
from tests.support.linked import graphed, speaks
from tests.support.parts import engine_of

ADA = {"user_id": "ada"}
CHEESE = ("User ripens a soft cheese in the cellar.", "User sells goat cheese on the market.")
VAN = "User drives an old van."


class Meaning(Vectors):
    """Texts with one of these words are near each other."""

    def _of(self, text):
        for word in ("violin", "cheese"):
            if word in text:
                self.near[text] = word
        return super()._of(text)


def says_ends():
    """A model that condenses honestly."""
    return Says(lambda request: first_words(shown(request)))


@pytest.fixture
async def build():
    made = []

    def build(model=None, **parts):
        parts = {"embedder": Meaning(), "calibration": SCALE, **parts}
        made.append(AsyncMemory(engine_of(model or says_ends(), **parts)))
        return made[-1]

    yield build
    for memory in made:
        await memory._engine.close()


async def keep(memory, *said, **scope):
    """Store texts one after the other; their ids."""
    added = [await memory.add(text, infer=False, **(scope or ADA)) for text in said]
    return [each["results"][0]["id"] for each in added]


async def shown_for(memory, *ids, name="1", **scope):
    """A turn on whose message these memories bore."""
    turn = Turn(
        id=f"t-{name}", conversation_id="c", scope=Scope(tenant="local", **(scope or ADA)),
        user_text="Hi", assistant_text="Hi", model="m", created_at=utc_now(), asked=ids,
    )  # fmt: skip
    await memory._engine.parts.state.conversations.record(turn)


def told(graph):
    return [[member["memory"] for member in topic["members"]] for topic in graph["topics"]]


async def test_topics_are_told_with_their_members_and_connections(build):
    """The largest first; a memory that is near no other is counted, and no topic by itself."""
    memory = build()
    violin = await keep(memory, *VIOLIN)
    cheese = await keep(memory, *CHEESE)
    await keep(memory, VAN)
    await shown_for(memory, violin[0], cheese[1])
    graph = await memory.topics.graph(**ADA)
    assert told(graph) == [list(VIOLIN), list(CHEESE)]
    first, second = graph["topics"]
    assert (first["size"], first["members"][0]["id"]) == (4, violin[0])
    assert first["label"][:-1] in " ".join(VIOLIN)
    [edge] = graph["edges"]
    assert {edge["source"], edge["target"]} == {first["id"], second["id"]}
    assert (edge["kind"], edge["weight"]) == ("co_recalled", 1)
    assert [graph[name] for name in ("count", "memories", "alone")] == [2, 7, 1]
    assert (graph["more"], graph["measured"]) == (False, True)
    assert told(await memory.topics.graph(min_members=1, **ADA))[2] == [VAN]


async def test_entities_are_included_if_asked_for(build):
    """With how they are connected; topics are told also where the graph is off."""
    memory = build()
    memory._engine.graph = None
    await keep(memory, *VIOLIN)
    graph = await memory.topics.graph(include="entities", **ADA)
    assert (graph["missing"], "entities" in graph) == ("graph_unavailable", False)
    by_hand = graphed(memory)
    works = (("Ada", "works_at", "Google"),)
    await speaks(
        memory, by_hand, "Ada works at Google", "Ada", "Google:organization",
        relations=works, **ADA,
    )  # fmt: skip
    await speaks(memory, by_hand, "Bob likes Rome", "Bob", user_id="bob")
    graph = await memory.topics.graph(include="entities", **ADA)
    assert [one["name"] for one in graph["entities"]] == ["Ada", "Google"]
    [related] = graph["relations"]
    assert (related["source"], related["relation"], related["target"]) == works[0]
    assert "entities" not in await memory.topics.graph(**ADA)
    memory._engine.graph = None


async def test_nothing_is_told_of_others(build):
    """Another user, another agent, another tenant: neither texts nor edges."""
    memory = build()
    violin = await keep(memory, *VIOLIN[:2])
    await keep(memory, *VIOLIN[2:], user_id="bob")
    await keep(memory, *CHEESE, agent_id="cook", **ADA)
    assert told(await memory.topics.graph(user_id="bob")) == [list(VIOLIN[2:])]
    assert told(await memory.topics.graph(agent_id="cook", **ADA)) == [list(CHEESE)]
    assert told(await memory.topics.graph(agent_id="driver", **ADA)) == []
    assert told(await memory.for_tenant("other").topics.graph(**ADA)) == []
    await shown_for(memory, *violin, user_id="bob")
    assert (await memory.topics.graph(user_id="bob"))["edges"] == []
    bob = AsyncMemory(memory._engine, only_user="bob")
    with pytest.raises(ForbiddenError):
        await bob.topics.graph(**ADA)


async def test_a_summary_cites_a_topic_names_it_and_can_be_taken_back(build):
    """Its sources stay in the topic, put away for it; an undo brings all back."""
    memory = build()
    ids = await keep(memory, *VIOLIN)
    await keep(memory, *CHEESE)
    topic = (await memory.topics.graph(**ADA))["topics"][0]
    run = await memory.topics.abstract(topic["id"], **ADA)
    assert (run["state"], run["reason"]) == ("done", "topic")
    summary, *gone = run["changes"]
    assert set(summary["cites"]) <= set(ids)
    assert {each["id"] for each in gone} == set(summary["cites"])
    left = await texts(memory, **ADA)
    assert summary["memory"] in left
    after = (await memory.topics.graph(**ADA))["topics"][0]
    assert (after["summary"], after["size"]) == (summary["id"], 5)
    assert after["label"].rstrip("…") in summary["memory"]
    put_away = {each["id"] for each in after["members"] if each["status"] == "archived"}
    assert put_away == set(summary["cites"])
    undone = await memory.upkeep.undo(run["id"], **ADA)
    assert undone["undone"] == len(run["changes"])
    assert sorted(await texts(memory, **ADA)) == sorted((*VIOLIN, *CHEESE))


async def test_a_model_that_invents_changes_nothing(build):
    """Each point is cut from a memory; of one that says something else nothing is kept."""
    memory = build(Says('{"points": [{"text": "User owns a bank.", "notes": [1, 2, 3, 4]}]}'))
    await keep(memory, *VIOLIN)
    topic = (await memory.topics.graph(**ADA))["topics"][0]
    run = await memory.topics.abstract(topic["id"], **ADA)
    assert (run["changes"], run["figures"]["asked"], run["figures"]["condensed"]) == ([], 1, 0)


async def test_without_a_model_it_is_said(build):
    """And once the tokens of the day or the calls of the hour are spent; nothing is queued."""
    engine = engine_of(models=nobody, embedder=Meaning(), calibration=SCALE)
    memory = AsyncMemory(engine)
    with pytest.raises(NoModelError):
        await memory.topics.abstract("x", **ADA)
    await engine.close()
    memory = build()
    spent = Spent(1, 10**9, 0)
    ledger, today = memory._engine.parts.state.ledger, utc_now().date()
    await ledger.spend("local", today, spent, kind=JobKind.CONSOLIDATE)
    with pytest.raises(UpkeepBudgetError):
        await memory.topics.abstract("x", **ADA)
    options = EngineOptions.model_validate({"learn": {"calls_per_hour": 1}})
    memory = build(options=options)
    hour = utc_now().replace(minute=0, second=0, microsecond=0)
    await memory._engine.parts.state.ledger.call("local", hour, most=9)
    with pytest.raises(HourSpentError):
        await memory.topics.abstract("x", **ADA)


def test_a_summary_is_of_the_scope_with_most_members():
    """Of one, so that no agent is told what another one knows."""
    coder = Scope(tenant="local", user_id="ada", agent_id="coder")
    members = [note("a"), note("b", scope=coder), note("c", scope=coder)]
    own, found = of_one_scope(members)
    assert (own, [each.id for each in found]) == (coder, ["b", "c"])
    assert note("a").status is MemoryStatus.ACTIVE


async def test_what_is_forgotten_is_in_no_topic(build):
    """Its member, its label and its edges are gone, and a topic without members with them."""
    memory = build()
    violin, cheese = await keep(memory, *VIOLIN), await keep(memory, *CHEESE)
    await shown_for(memory, violin[0], cheese[0])
    for each in (violin[0], *cheese):
        await memory.forget(each, **ADA)
    graph = await memory.topics.graph(min_members=1, **ADA)
    assert told(graph) == [list(VIOLIN[1:])]
    assert graph["edges"] == []
    assert not {word for word in ("cheese", "amateur") if word in str(graph)}
