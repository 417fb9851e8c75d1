"""The filter for requests that are no turn of the user, and the last turns that they are told by."""

import gc

import pytest

from recollect.filters import Exchange, Outcome, Verdict
from recollect.filters.aside import Aside
from recollect.filters.aside.filter import KEPT_SECONDS, MAX_TURNS
from recollect.memory.model.types import Scope
from tests.support.folding import rows

from ...proxy.chat.asides import ALICE, AT_ONCE, Client, assistant, system, user

ASKED = "I keep bees behind the school, how do they get through the winter?"
TOLD = "They form a cluster and shiver to keep warm, living on their honey."
TITLE = [user(f"Name it.\nQ: {ASKED}\nA: {TOLD}")]
BOB = Scope(tenant="local", user_id="bob")


@pytest.fixture
async def client():
    """One that has had the turn just now."""
    client = Client()
    await client.chat((ASKED, TOLD))
    return client


async def test_a_turn_is_known_for_a_while(client):
    """Then a request that repeats it is a turn of its own."""
    client.now += KEPT_SECONDS
    assert client.begin(TITLE).aside
    client.now += 1
    assert not client.begin(TITLE).aside


async def test_a_scope_finds_only_its_own(client):
    """What one user said decides nothing about another."""
    assert not client.begin(TITLE, scope=BOB).aside
    assert not client.begin(TITLE, scope=Scope(tenant="other", user_id="alice")).aside


@pytest.mark.parametrize("owner_ref", ["local", ALICE, None])
async def test_forgetting_forgets_turns(client, owner_ref):
    """A tenant, a scope, or all; the deletion of one memory is none of a turn."""
    client.capture.forget(ALICE, "one memory")
    assert client.begin(TITLE).aside
    client.capture.clear() if owner_ref is None else client.capture.forget(owner_ref)
    assert not client.begin(TITLE).aside


async def test_only_the_last_turns_are_kept(client):
    """Others of the same scope take their place."""
    for number in range(MAX_TURNS - 1):
        client.begin([user(f"question number {number}")])
    assert client.begin(TITLE).aside
    client.begin([user("one more question")])
    assert not client.begin(TITLE).aside


async def test_what_is_not_learned_is_not_remembered():
    """A user who turned memory off leaves nothing here."""
    client = Client()
    exchange = client.begin([user(ASKED)], learns=False)
    await client.end(exchange, TOLD)
    assert not client.begin(TITLE).aside


async def test_a_title_that_is_asked_for_first_is_not_stored():
    """The turn that comes right after it tells what the request under way was."""
    client = Client()
    title = client.begin([system("Names."), user("Name: " + ASKED)], max_tokens=20)
    assert not title.aside
    client.now += AT_ONCE
    turn = client.begin([user(ASKED)], stream=True)
    assert (title.aside, turn.aside) == (True, False)
    await client.end(title, "Bees in winter")
    await client.end(turn, TOLD)
    assert await client.stored() == [ASKED]


async def test_a_turn_before_another_is_not_marked():
    """A quick second message is no reason to lose the first."""
    client = Client()
    first = client.begin([user("Good evening. " + ASKED)])
    client.now += AT_ONCE
    client.begin([user(ASKED)])
    assert not first.aside


async def test_rounds_with_tools_are_one_turn():
    """They do not push out other turns, and the turn has its last answer."""
    client = Client()
    messages = [user(ASKED)]
    for number in range(MAX_TURNS + 1):
        exchange = client.begin(messages)
        await client.end(exchange, TOLD if number == MAX_TURNS else "Let me look that up.")
        messages = [*messages, assistant("..."), {"role": "tool", "content": "honey"}]
    assert client.begin(TITLE).aside


async def test_the_exchange_is_not_held(client):
    """A body of megabytes is not kept for the sake of its last message."""
    gc.collect()
    [noted] = client.last_turns._turns.get(ALICE)
    assert noted.exchange() is None


@rows("aside, verdict", [(True, Verdict(Outcome.SKIPPED, "side_request")), (False, None)])
async def test_only_a_marked_request_is_skipped(aside, verdict):
    """Any other goes on to the gate."""
    scope = Scope(tenant="local", user_id="alice")
    exchange = Exchange(scope=scope, messages=(), model="m", conversation_id="c", turn_id="t")
    exchange.aside = aside
    await Aside().request(exchange)
    assert exchange.verdict == verdict
