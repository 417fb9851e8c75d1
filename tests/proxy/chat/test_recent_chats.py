"""The last chats that are kept: ids, reasons and figures, bounded, of their owners."""

from types import SimpleNamespace

import pytest

from recollect.filters import Exchange, Outcome, Verdict
from recollect.memory.model.types import Message, Scope
from recollect.memory.recall import Selection
from recollect.proxy.chat import recent_chats
from recollect.proxy.chat.recent_chats import RecentChats
from recollect.proxy.chat.report import Report

from ..chatting import Chatting, inject

ALICE = Scope(tenant="acme", user_id="alice")
BOB = Scope(tenant="acme", user_id="bob")


def hit(name, role="", cosine=0.714, coverage=0.5):
    item = SimpleNamespace(id=name, text="secret")
    return SimpleNamespace(item=item, role=role, cosine=cosine, coverage=coverage)


def report(scope=ALICE, *hits, seen=(), model="m"):
    exchange = Exchange(
        scope=scope,
        messages=[Message(role="user", content="my secret")],
        model=model,
        conversation_id="c" * 64,
        turn_id="t",
    )
    if hits:
        exchange.selection = Selection(hits, (), tokens=12)
        exchange.injected = frozenset(f"{name} hash" for name in seen)
    outcome = Outcome.INJECTED if seen else Outcome.EMPTY
    verdict = Verdict(outcome, "personal")
    return Report(verdict=verdict, exchange=exchange, recall_seconds=0.0123, status=200)


@pytest.fixture
def recent():
    return RecentChats()


def test_a_chat_is_kept_with_what_the_model_saw(recent):
    """Outcome, figures, and the lines that reached the model, each with why; no text at all."""
    recent.note(
        report(ALICE, hit("a"), hit("said:b c", "wish"), hit("cut"), seen=("a", "said:b c"))
    )
    [chat] = recent.of("acme", 10)
    assert "secret" not in str(chat)
    assert (chat["outcome"], chat["reason"], chat["status"]) == ("injected", "personal", 200)
    assert (chat["count"], chat["tokens"], chat["ms"], chat["model"]) == (2, 12, 12.3, "m")
    assert (chat["user_id"], chat["conversation"]) == ("alice", "c" * 8)
    assert [(line["id"], line["role"], line["why"]) for line in chat["recalled"]] == [
        ("a", "answer", "matches the message: 0.71 in meaning, 50 % of its words"),
        ("said:b c", "wish", "says how the user wants to be answered"),
    ]


def test_newest_first_and_bounded(recent, monkeypatch):
    """The oldest chats of a tenant go, and the tenants that were silent for longest."""
    monkeypatch.setattr(recent_chats, "MOST_CHATS", 3)
    for number in range(5):
        recent.note(report(model=f"m{number}"))
    assert [chat["model"] for chat in recent.of("acme", 10)] == ["m4", "m3", "m2"]
    assert [chat["model"] for chat in recent.of("acme", 1)] == ["m4"]
    for number in range(recent_chats.MOST_TENANTS):
        recent.note(report(Scope(tenant=f"t{number}", user_id="u")))
    assert recent.of("acme", 10) == []
    assert len({chat["id"] for n in range(3) for chat in recent.of(f"t{n}", 9)}) == 3


def test_an_owner_gets_its_own(recent):
    """A tenant its users', a user its own, nobody else anything."""
    for scope in (ALICE, BOB, Scope(tenant="emca", user_id="alice")):
        recent.note(report(scope))
    assert [chat["user_id"] for chat in recent.of("acme", 9)] == ["bob", "alice"]
    assert [chat["user_id"] for chat in recent.of(ALICE, 9)] == ["alice"]
    assert recent.of("nobody", 9) == []


def test_the_chats_of_a_forgotten_user_go(recent):
    """Of a user, or of a whole tenant; others' stay."""
    for scope in (ALICE, BOB):
        recent.note(report(scope))
    recent.emptied(ALICE)
    assert [chat["user_id"] for chat in recent.of("acme", 9)] == ["bob"]
    recent.emptied("acme")
    assert recent.of("acme", 9) == []
    recent.emptied("unknown")


async def test_the_route_keeps_each_chat():
    """What became of it, also if nothing was injected."""
    async with Chatting(step=inject) as chatting:
        await chatting.ask()
        [chat] = chatting.recent.of("local", 9)
        assert (chat["outcome"], chat["count"], chat["status"]) == ("injected", 2, 200)
        assert [line["id"] for line in chat["recalled"]] == ["m1", "m2"]


async def test_a_chat_that_cannot_be_kept_is_answered(caplog):
    """Keeping it is for people; the client gets its answer, and the log says what failed."""
    async with Chatting(step=inject) as chatting:
        chatting.recent._rings = None
        seen = await chatting.ask()
        assert seen.status == 200
    assert "noting a chat that has ended" in caplog.text
