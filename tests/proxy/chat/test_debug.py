"""The header that explains a chat: who gets it, what is in it, and what never is."""

import json

from recollect.filters import Outcome, Verdict
from recollect.memory.recall import Drop, Ranked, Selection
from recollect.memory.recall.signals import SIGNALS
from recollect.proxy.access.identity import DEBUG_HEADER
from recollect.proxy.chat.debug import EXPLAIN_HEADER, MAX_BYTES, explain_header
from tests.filters.remembered import item
from tests.hostile.facing import Facing
from tests.support.folding import rows

from ..wire import request

CHAT = "/v1/chat/completions"
ASKS = "X-Recollect-Debug: explain"
FOUND = Verdict(Outcome.INJECTED, "personal")


def ranked(name, score=0.5, **changes):
    """A memory that was found; its values are its score."""
    values = tuple(score for _ in SIGNALS)
    hit = Ranked(item(name, "a secret text"), score, score, score, values, True, position=0)
    return hit._replace(**changes)


def told(verdict, exchange):
    """What the header says."""
    [(name, value)] = explain_header(verdict, exchange).items()
    assert name == EXPLAIN_HEADER
    assert value.isascii()
    assert value.isprintable()
    assert len(value) <= MAX_BYTES
    return json.loads(value)


def test_every_ranked_memory_is_there_with_its_fate(exchange):
    """Chosen and dropped in one ranking, best first, with the signals that say something."""
    chosen = (ranked("a", 0.9), ranked("d", 0.31239))
    dropped = (
        (ranked("b", 0.5), Drop.DUPLICATE),
        (ranked("c", 0.4), Drop.BUDGET),
        (ranked("e", 0.1, values=(0.00012, *(0.0 for _ in SIGNALS[1:]))), Drop.THRESHOLD),
    )
    asked = exchange(selection=Selection(chosen, dropped, 17, 9))
    asked.notes |= {"gate": "personal", "rewrite": "terms", "recall": "asked"}
    said = told(FOUND, asked)
    memories = said.pop("memories")
    assert said == {
        "memory": "injected",
        "reason": "personal",
        "conversation": "c1",
        "turn": "t1",
        "gate": "personal",
        "rewrite": "terms",
        "recall": "asked",
        "seen": 9,
        "chosen": 2,
        "tokens": 17,
        "left_out": {"duplicate": 1, "budget": 1, "threshold": 1, "rank": 4},
        "more": 0,
    }
    assert [(memory["id"], memory["reason"]) for memory in memories] == [
        ("a", "chosen"),
        ("b", "duplicate"),
        ("c", "budget"),
        ("d", "chosen"),
        ("e", "threshold"),
    ]
    assert memories[3] == {
        "id": "d",
        "score": 0.312,
        "cosine": 0.312,
        "coverage": 0.312,
        "reason": "chosen",
        "signals": {name.value: 0.312 for name in SIGNALS},
    }
    assert memories[4]["signals"] == {}


def test_no_text_is_in_it(exchange):
    """Neither what the memories say nor what was asked, in any form."""
    asked = exchange(selection=Selection((ranked("a"),), ((ranked("b"), Drop.LIMIT),)))
    asked.notes["anything"] = "where does she live"
    value = explain_header(FOUND, asked)[EXPLAIN_HEADER]
    assert "secret" not in value
    assert "live" not in value
    assert "alice" not in value


@rows("many", [20, 200, 2000])
def test_as_many_as_fit(exchange, many):
    """The best of them, and how many there are besides."""
    hits = tuple(ranked(f"memory-{n:05}-\u00fc", 1 - n / many) for n in range(many))
    said = told(
        FOUND, exchange(selection=Selection(hits[:5], tuple((h, Drop.LIMIT) for h in hits[5:])))
    )
    shown = [memory["id"] for memory in said["memories"]]
    assert shown == [hit.item.id for hit in hits[: len(shown)]]
    assert len(shown) > 5
    assert len(shown) + said["more"] == many


class Told(Facing):
    """The whole product, without a deadline that a busy machine would miss."""

    def __init__(self, **options):
        options = {"recall__deadline_ms": 60_000} | options
        super().__init__(listen__allowed_hosts='["proxy.test"]', **options)

    async def remember(self, *texts):
        """Store what alice said."""
        for text in texts:
            body = {"messages": text, "user_id": "alice", "infer": False}
            seen = await self.ask(request("POST", "/v1/memories/", json.dumps(body).encode()))
            assert seen.status == 200

    async def chat(self, *messages, headers=(ASKS,), path=CHAT, body=None):
        """What is said about a chat of alice: the explanation, if there is one."""
        body = body or json.dumps({"model": "m", "messages": messages}).encode()
        lines = ("x-recollect-user: alice", *headers)
        seen = await self.ask(request("POST", path, body, *lines))
        assert seen.status == 200
        assert seen.body == b'{"from":"upstream"}'
        values = seen.head.values(EXPLAIN_HEADER)
        assert seen.head.values("x-recollect-memory")
        return json.loads(*values) if values else None


def user(text):
    return {"role": "user", "content": text}


async def test_a_chat_is_explained():
    """Through the whole product: what was ranked is told to who asks, and only to them."""
    async with Told() as facing:
        await facing.remember("Alice has green tea every morning", "Alice owns a red bicycle")
        said = await facing.chat(user("Which green tea do I like?"))
        assert await facing.chat(user("Which green tea do I like?"), headers=()) is None
        names = {name.lower() for got in facing.upstream.requests for name, _ in got.headers}
    assert (said["memory"], said["recall"], said["seen"]) == ("injected", "asked", 2)
    assert said["memories"][0]["reason"] == "chosen"
    assert said["memories"][0]["signals"]["lexical"] > 0
    assert not {name for name in names if name.startswith("x-recollect")}


async def test_nothing_injected_is_explained():
    """Skipped, empty, nobody's, off, unread: each says what it was."""
    async with Told() as facing:
        none = await facing.chat(user("What do I drink?"))
        await facing.remember("Zebras sleep standing")
        weak = await facing.chat(user("What do I drink?"))
        hello = await facing.chat(user("Hello!"))
        off = await facing.chat(user("What do I drink?"), headers=(ASKS, "x-recollect-memory: off"))
        unread = await facing.chat(body=b"not json")
    assert (none["reason"], none["seen"], none["memories"]) == ("no_memories", 0, [])
    assert (weak["reason"], weak["left_out"]) == ("below_threshold", {"threshold": 1})
    assert weak["memories"][0]["reason"] == "threshold"
    assert [len(hello.pop(name)) for name in ("conversation", "turn")] == [8, 8]
    assert hello == {
        "memory": "skipped",
        "reason": "greeting",
        "gate": "greeting",
        "recall": "none",
    }
    assert off == {"memory": "off", "reason": "off_by_header", "recall": "none"}
    assert unread == {"memory": "skipped", "reason": "unreadable_body", "recall": "none"}


@rows(
    "options, answered",
    [
        ({"listen__debug_headers": "false"}, False),
        ({"listen__host": "0.0.0.0", "api__token": "t"}, False),
        ({"listen__host": "0.0.0.0", "api__token": "t", "listen__debug_headers": "true"}, True),
    ],
)
async def test_who_may_not_is_answered_as_any_other(options, answered):
    """The chat goes on, the question does not reach the upstream, and nothing is told."""
    async with Told(**options) as facing:
        said = await facing.chat(user("Which green tea do I like?"))
        assert not facing.upstream.requests[0].values(DEBUG_HEADER)
    assert (said is not None) is answered
