"""What a message would be given: the same answer as a chat gets, with its reasons."""

import json
import re

import pytest

from recollect.filters import (
    Exchange,
    Outcome,
    RequestFilter,
    RequestRecallOptions,
    TurnCache,
    Verdict,
    request_filters,
)
from recollect.filters.explaining import Explainer
from recollect.memory.blocks.lines import MARK_DIGITS
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Message,
    Scope,
    StoredMemory,
    utc_now,
)
from recollect.memory.recall import HotIndexes, Recaller
from recollect.memory.util.tokens import TiktokenCounter
from tests.support.fence import FENCE
from tests.support.following import indexed
from tests.support.memories import InMemoryMemories

ALICE = Scope(tenant="local", user_id="alice")
QUESTION = "Which green tea do I like?"


class Parts:
    """A store in memory, its indexes, and what recalls and explains from them."""

    def __init__(self, tokens, **options):
        self.options = RequestRecallOptions(**options)
        self.embedder = FakeEmbedder()
        self.tokens = tokens
        dim = self.embedder.dim
        indexes = HotIndexes(InMemoryMemories(dim=dim), dim=dim)
        self.store = indexed(indexes.store, indexes)
        self.recaller = Recaller(indexes, self.embedder, tokens, self.options)
        self.explain = Explainer(self.recaller, tokens, self.options).explain

    async def keep(self, *texts, scope=ALICE, kind=MemoryType.SEMANTIC):
        """Store them; a memory's id is its text."""
        now = utc_now()
        for text in texts:
            [vector] = await self.embedder.embed([text])
            item = MemoryItem(
                id=text,
                text=text,
                type=kind,
                scope=scope,
                created_at=now,
                updated_at=now,
                embedder_id=self.embedder.id,
            )
            await self.store.put([StoredMemory(item, vector)])

    async def chat(self, text):
        """What the filters note about a chat that says this."""
        exchange = Exchange(
            scope=ALICE,
            messages=[Message(role="user", content=text)],
            model="m",
            conversation_id="c",
            turn_id="t",
        )
        for step in request_filters(self.options, self.recaller, self.tokens, FENCE, TurnCache()):
            if exchange.verdict is None:
                await step.request(exchange)
        return exchange


@pytest.fixture
async def tokens():
    return await TiktokenCounter.open()


@pytest.fixture
def parts(tokens):
    return Parts(tokens)


TEAS = [f"Alice likes green tea number {n} {'from a very far country ' * n}" for n in range(12)]


async def test_it_is_what_a_chat_gets(tokens):
    """The same memories in the same order, in the same budget, dropped for the same reasons."""
    parts = Parts(tokens, token_budget=200)
    await parts.keep(*TEAS, "Zebras sleep standing")
    said = await parts.explain(ALICE, QUESTION)
    chat = await parts.chat(QUESTION)
    chosen = [memory["id"] for memory in said["memories"] if memory["chosen"]]
    assert chosen == [hit.item.id for hit in chat.selection.chosen]
    dropped = {m["id"]: m["reason"] for m in said["memories"] if not m["chosen"]}
    assert dropped == {hit.item.id: reason.value for hit, reason in chat.selection.dropped}
    assert {"budget", "threshold"} <= set(dropped.values())
    assert (said["tokens"], said["query"]) == (chat.selection.tokens, chat.query.text)
    assert said["gate"] == {"recall": True, "reason": chat.notes["gate"]}


async def test_the_block_is_the_one_of_a_chat(parts):
    """Byte for byte but for the marks, which the fence of an installation makes; "" for none."""
    await parts.keep(*TEAS[:3])
    said = (await parts.explain(ALICE, QUESTION))["block"]
    [injection] = (await parts.chat(QUESTION)).injections
    marks = rf"\d{{{MARK_DIGITS}}}"
    assert TEAS[0].strip() in said
    assert re.sub(marks, "", said) == re.sub(marks, "", injection.text)
    assert said != injection.text
    assert (await parts.explain(ALICE, "Hello!"))["block"] == ""


async def test_everything_there_is_to_know_is_json(parts):
    """Signals, ranks, weights, thresholds, decay, bounds, and how many were left out for what."""
    await parts.keep("Alice likes green tea", "Zebras sleep standing")
    said = json.loads(json.dumps(await parts.explain(ALICE, QUESTION)))
    assert set(said) == {
        *("gate", "chat", "query", "place", "block", "rewrite", "asks_model", "embedder", "used"),
        *(
            "evidence",
            "profile",
            "calibration",
            "bounds",
            "seen",
            "chosen",
            "lines",
            "tokens",
            "frame_tokens",
            "left_out",
        ),
        *("memories", "held_back"),
    }
    tea, zebra = said["memories"]
    assert (tea["memory"], tea["rank"], tea["reason"]) == ("Alice likes green tea", 1, "chosen")
    assert (zebra["chosen"], zebra["reason"]) == (False, "threshold")
    assert set(tea["signals"]["lexical"]) == {"value", "weight", "adds", "rank"}
    assert tea["age_and_importance"] > 0
    assert said["left_out"] == {"threshold": 1}


async def test_a_filter_that_ends_a_recall_is_told(parts, monkeypatch):
    """Whichever filter it is: `explain` runs those of a chat."""

    class Hush(RequestFilter):
        name = "hush"

        async def request(self, exchange):
            exchange.verdict = Verdict(Outcome.SKIPPED, "hushed")

    def with_hush(*given, **more):
        return [Hush(), *request_filters(*given, **more)]

    monkeypatch.setattr("recollect.filters.explaining.request_filters", with_hush)
    said = await parts.explain(ALICE, QUESTION)
    assert said["gate"] == {"recall": False, "reason": "hushed"}
    assert said["chat"] == {"memory": "skipped", "reason": "hushed"}


async def test_a_tools_message_is_explained_as_it_is_recalled(parts):
    """Its procedures alone if one matches, else the gate's word and everything there is."""
    command = "Translate the notes of release twelve into French:\nWe are glad."
    await parts.keep("Alice likes the notes of release twelve")
    said = await parts.explain(ALICE, command)
    assert said["gate"] == {"recall": False, "reason": "tool"}
    assert said["seen"] == 1
    how = "To translate the notes of a release into French, call glossary, then translate"
    await parts.keep(how, kind=MemoryType.PROCEDURAL)
    said = await parts.explain(ALICE, command)
    assert said["gate"] == {"recall": True, "reason": "tool", "only": "procedural"}
    chosen = [memory["memory"] for memory in said["memories"] if memory["chosen"]]
    chat = await parts.chat(command)
    assert chosen == [hit.item.text for hit in chat.selection.chosen] == [how]
    assert (chat.verdict.outcome, chat.verdict.reason) == (Outcome.INJECTED, "tool")
