"""What a conversation says is not put into the same conversation once more."""

from __future__ import annotations

import json

import pytest

from recollect.memory.model.types import Scope
from recollect.proxy.api.operations import PREFIX
from recollect.proxy.chat.threads import Threads
from recollect.proxy.dialects.responses import parse_responses_body
from tests.isolation.gateway import Gateway
from tests.isolation.people import People
from tests.support.folding import rows

ADA = Scope(tenant="acme", user_id="ada")
FACT = "My allotment key hangs behind the blue pot."
QUESTION = "Where does my allotment key hang?"
RESPONSES, CHAT = "/v1/responses", "/v1/chat/completions"


@pytest.fixture
async def gateway():
    async with Gateway(People(1, (ADA,))) as made:
        yield made


async def respond(gateway, text, **fields):
    """A request of the Responses API; the id of its answer."""
    _, answer = await gateway.chat(ADA, RESPONSES, {"input": text, **fields})
    return answer["id"]


async def go_on(gateway, *texts, previous=None, **fields):
    """A chain of them."""
    for text in texts:
        more = {} if previous is None else {"previous_response_id": previous}
        previous = await respond(gateway, text, **more, **fields)
    return previous


async def heard(gateway):
    """What was said is on the shelf."""
    await gateway.ask(ADA.tenant, "GET", f"{PREFIX}/said", params=ADA.ids())


def injected(gateway):
    """Whether the last request went up with more of the fact than its client sent."""
    body = json.loads(gateway.told[-1])
    own = json.dumps(body.get("messages", body.get("input")), ensure_ascii=False)
    return own.count("blue pot") - gateway.sent > 0


@pytest.fixture(autouse=True)
def nothing_sent(gateway):
    gateway.sent = 0


def elsewhere(monkeypatch):
    """This process knows no thread, as after a restart or in another replica."""
    monkeypatch.setattr(Threads, "find", lambda *_: None)


@pytest.mark.parametrize(
    ("replica", "between"), [("same", ()), ("another", ("What is a lemma?", "Thanks!"))]
)
async def test_a_chain_is_not_told_what_it_says(gateway, monkeypatch, replica, between):
    """The upstream keeps it; a new chain is told."""
    if replica == "another":
        elsewhere(monkeypatch)
    await go_on(gateway, FACT, *between, QUESTION)
    await heard(gateway)
    assert not injected(gateway)
    await respond(gateway, QUESTION)
    assert injected(gateway)


async def test_a_kept_conversation_is_not_told_what_it_says(gateway):
    """The same where the requests name the conversation; another conversation is told."""
    for text in (FACT, "Thanks!", QUESTION):
        await respond(gateway, text, conversation="conv_1")
    assert not injected(gateway)
    await respond(gateway, QUESTION, conversation={"id": "conv_2"})
    assert injected(gateway)


async def test_a_memory_that_only_the_chain_says(gateway):
    """Once it was learned, too; a text that somebody changed since is told."""
    previous = await go_on(gateway, FACT)
    [said] = (await gateway.ask(ADA, "GET", f"{PREFIX}/said", params=ADA.ids()))[1]["results"]
    learned = await gateway.view("acme").add(FACT, user_id="ada", infer=False)
    [row] = learned["results"]
    store = gateway.engine.parts.store
    [kept] = await store.load(ADA, limit=10)
    await store.put([with_turn(kept, said["turn_id"])])
    previous = await go_on(gateway, QUESTION, previous=previous)
    assert not injected(gateway)
    await gateway.view("acme").update(row["id"], "The allotment key hangs under the blue pot.")
    await go_on(gateway, QUESTION, previous=previous)
    assert injected(gateway)


def with_turn(kept, turn_id):
    from dataclasses import replace

    origin = replace(kept.item.provenance, turn_ids=(turn_id,))
    return replace(kept, item=replace(kept.item, provenance=origin))


async def test_what_the_upstream_may_have_left_out_is_told(gateway):
    """The last turns are there for sure, earlier ones are not."""
    previous = await go_on(gateway, FACT, truncation="auto")
    previous = await go_on(gateway, QUESTION, previous=previous, truncation="auto")
    assert not injected(gateway)
    chatter = [f"What is {n} times seven?" for n in range(5)]
    previous = await go_on(gateway, *chatter, previous=previous, truncation="auto")
    await go_on(gateway, QUESTION, previous=previous, truncation="auto")
    assert injected(gateway)


async def test_resent_messages_say_it_themselves(gateway):
    """Chat completions: while they are resent. What a client leaves out it is told."""
    answer = {"role": "assistant", "content": "Noted."}
    first = {"role": "user", "content": FACT}
    asks = {"role": "user", "content": QUESTION}
    await gateway.chat(ADA, CHAT, {"messages": [first]})
    await heard(gateway)
    await gateway.chat(ADA, CHAT, {"messages": [first, answer, asks]})
    gateway.sent = 1
    assert not injected(gateway)
    gateway.sent = 0
    await gateway.chat(ADA, CHAT, {"messages": [asks]})
    assert injected(gateway)


async def test_a_message_sent_again_is_not_told_itself(gateway):
    """A retry, or another answer to it."""
    body = {"messages": [{"role": "user", "content": FACT}]}
    for _ in range(2):
        await gateway.chat(ADA, CHAT, body)
        await heard(gateway)
    gateway.sent = 1
    assert not injected(gateway)


@rows(
    "fields, shortened",
    [
        ({}, False),
        ({"truncation": "disabled"}, False),
        ({"truncation": "auto"}, True),
        ({"context_management": [{"type": "compaction", "compact_threshold": 1000}]}, True),
        ({"context_management": []}, False),
    ],
)
def test_it_says_whether_old_turns_may_be_left_out(fields, shortened):
    """Then the model sees only the newest for sure."""
    read = parse_responses_body(json.dumps({"input": "hi", **fields}).encode())
    assert read.may_be_shortened is shortened
