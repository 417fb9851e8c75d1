"""The recall: asks the engine once per turn."""

from dataclasses import replace

import pytest

from recollect.filters import Outcome, turn_cache
from recollect.filters.exchange import Manner
from recollect.filters.inject import frame
from recollect.filters.recall import Recall
from recollect.filters.turn_cache import TurnCache
from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Scope,
    StoredMemory,
    utc_now,
)
from recollect.memory.recall import HotIndexes, Query, Recaller, RecallOptions
from recollect.memory.util.tokens import ApproximateCounter
from tests.filters.remembered import ALICE, asking, said
from tests.support.following import indexed
from tests.support.memories import InMemoryMemories


class Spy(Recaller):
    """A real one that counts its calls, keeps their queries, and lets something come between."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.queries = []
        self.then = None

    @property
    def calls(self):
        return len(self.queries)

    async def recall(self, scope, query, **options):
        self.queries.append(query)
        found = await super().recall(scope, query, **options)
        if self.then is not None:
            await self.then()
        return found


@pytest.fixture
def indexes():
    dim = FakeEmbedder().dim
    return HotIndexes(InMemoryMemories(dim=dim), dim=dim)


@pytest.fixture
def store(indexes):
    return indexed(indexes.store, indexes)


@pytest.fixture
def recaller(indexes):
    return Spy(indexes, FakeEmbedder(), ApproximateCounter(), RecallOptions())


@pytest.fixture
def kept(monkeypatch):
    monkeypatch.setattr(turn_cache, "MAX_SELECTIONS", 3)
    return TurnCache()


@pytest.fixture
def recall(recaller, kept):
    return Recall(recaller, kept, reserve_tokens=ApproximateCounter().count(frame()))


async def keep(store, text, scope=ALICE, kind=MemoryType.SEMANTIC):
    now = utc_now()
    item = MemoryItem(
        id=text,
        text=text,
        type=kind,
        scope=scope,
        created_at=now,
        updated_at=now,
        embedder_id="fake",
    )
    [vector] = await FakeEmbedder().embed([text])
    await store.put([StoredMemory(item, vector)])


def exchange(query="green tea", turn="t1", *, roles=("user",), scope=ALICE, tools=True):
    parts = said(*((role, query) for role in roles))
    asked = asking(parts, scope=scope, turn=turn, query=Query(query))
    asked.manner = Manner(tools=tools)
    return asked


async def ask(recall, *arguments, **options):
    asked = exchange(*arguments, **options)
    await recall.request(asked)
    return asked


def texts(asked):
    return [hit.item.text for hit in asked.selection.chosen]


async def test_what_matters_is_found(recall, store):
    """The memories near the query, and no verdict yet: injecting is the next step's."""
    await keep(store, "likes green tea")
    await keep(store, "green tea of bob", Scope(tenant="local", user_id="bob"))
    asked = await ask(recall)
    assert texts(asked) == ["likes green tea"]
    assert asked.verdict is None


async def test_the_whole_query_is_asked(recall, recaller):
    """Its variants and made-up answers too."""
    asked = exchange()
    asked.query = Query("green tea", ("matcha",), ("User drinks matcha.",))
    await recall.request(asked)
    wanted = replace(asked.query, message="green tea", conversation="c", may_order=True)
    assert recaller.queries == [wanted]


async def test_nothing_there_is_empty(recall):
    """A user without memories."""
    asked = await ask(recall)
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.EMPTY, "no_memories")


async def test_nothing_near_is_empty(recall, store):
    """Memories that say nothing about the query are a reason of their own."""
    await keep(store, "zebras sleep standing")
    asked = await ask(recall, "quarterly invoice numbers")
    assert SAFE.recall > 0
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.EMPTY, "below_threshold")


async def test_a_tool_round_trip_reuses_the_turns_recall(recall, recaller, store):
    """The model sees the same memories until the turn ends, also when new ones come meanwhile."""
    await keep(store, "likes green tea")
    first = await ask(recall)
    await keep(store, "drinks green tea daily")
    for role in ("tool", "function"):
        again = await ask(recall, roles=("user", "assistant", role))
        assert again.selection is first.selection
        assert again.notes["recall"] == "kept"
    assert first.notes["recall"] == "asked"
    assert recaller.calls == 1


async def test_a_turn_without_tools_keeps_nothing(recall, kept, store):
    """No result of one comes back; what was recalled would take room for thousands of turns."""
    await keep(store, "likes green tea")
    assert texts(await ask(recall, tools=False)) == ["likes green tea"]
    assert len(kept.selections) == 0


async def test_a_retry_asks_again(recall, recaller, store):
    """Only a tool's result continues a turn; the same message sent again may find more."""
    await ask(recall)
    await keep(store, "likes green tea")
    assert texts(await ask(recall)) == ["likes green tea"]
    assert recaller.calls == 2


async def test_turns_do_not_share(recall, recaller, store):
    """Another turn's recall is not reused, whoever's it is."""
    await keep(store, "likes green tea")
    await ask(recall)
    other = await ask(
        recall, turn="t2", roles=("user", "tool"), scope=Scope(tenant="local", user_id="bob")
    )
    assert texts(other) == []
    assert recaller.calls == 2


async def test_a_forgotten_memory_is_not_remembered(recall, recaller, store, kept):
    """A tool round-trip after the deletion asks again, and finds what is left."""
    await keep(store, "likes green tea")
    await keep(store, "drinks green tea daily")
    await ask(recall)
    await store.delete("local", ["likes green tea"])
    kept.forget("local", "likes green tea")
    assert texts(await ask(recall, roles=("user", "tool"))) == ["drinks green tea daily"]
    assert recaller.calls == 2


async def test_what_is_forgotten_meanwhile_is_not_found(recall, recaller, store, kept):
    """A deletion that overtakes the search: the search is made again, for this tenant only."""
    await keep(store, "likes green tea")
    await keep(store, "drinks green tea daily")
    deletions = [("other", "zebras"), ("local", "likes green tea")]

    async def overtake():
        if deletions:
            tenant, gone = deletions.pop()
            await store.delete(tenant, [gone])
            kept.forget(tenant, gone)

    recaller.then = overtake
    assert texts(await ask(recall)) == ["drinks green tea daily"]
    assert recaller.calls == 2


async def test_a_failure_is_told_and_not_remembered(recall, recaller, store):
    """The pipeline decides what it means; the next step of the turn tries again."""
    await keep(store, "likes green tea")

    async def fail():
        raise StoreError("away")

    recaller.then = fail
    with pytest.raises(StoreError):
        await ask(recall)
    recaller.then = None
    assert texts(await ask(recall, roles=("user", "tool"))) == ["likes green tea"]


async def for_tools(recall, query):
    asked = exchange(query)
    asked.only, asked.notes["gate"] = MemoryType.PROCEDURAL, "tool"
    await recall.request(asked)
    return asked


HOW = "To send the sales report, call query_sales, then send_email"


async def test_only_procedures_are_recalled_for_a_tool(recall, store):
    """The matching procedure, and nothing about the user however near it is."""
    await keep(store, HOW, kind=MemoryType.PROCEDURAL)
    await keep(store, "User reads the sales report on Mondays")
    asked = await for_tools(recall, "send the sales report")
    assert texts(asked) == [HOW]
    assert asked.verdict is None


@pytest.mark.parametrize("kind", [MemoryType.SEMANTIC, MemoryType.PROCEDURAL])
async def test_without_a_matching_procedure_the_gates_word_stands(recall, store, kind):
    """A tool's message is skipped as before, with or without procedures for other tasks."""
    await keep(store, "send the sales report to the board", kind=MemoryType.SEMANTIC)
    await keep(store, "To water the lawn, call open_valve, then wait_minutes", kind=kind)
    asked = await for_tools(recall, "send the sales report")
    assert asked.selection.chosen == ()
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.SKIPPED, "tool")


async def test_without_procedures_nothing_is_embedded(recall, store, recaller, monkeypatch):
    """Most users have none: their tools' messages cost no embedding."""
    await keep(store, "send the sales report to the board")

    async def fail(_texts):
        raise AssertionError("embedded")

    monkeypatch.setattr(recaller._embedder, "embed", fail)
    assert (await for_tools(recall, "send the sales report")).verdict.reason == "tool"
