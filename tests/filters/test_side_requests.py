"""Requests that are no turn of the user: by a recent turn, or by themselves."""

import pytest

from recollect.filters.exchange import Manner
from recollect.filters.side_requests.filter import KEPT_SECONDS, MAX_TURNS
from recollect.filters.side_requests.shape import RequestShape
from recollect.filters.side_requests.signs import (
    Ends,
)
from recollect.filters.side_requests.single_request import SURE, is_own, may_be_own, never
from recollect.memory.model.types import Scope
from tests.filters.remembered import asking, said
from tests.proxy.chat.side_requests import ALICE, AT_ONCE, Client, assistant, system, user
from tests.support.folding import rows


def exchange_of(*messages, instructions="", **manner):
    """A request with these messages, (role, text) each."""
    return asking(said(*messages), manner=Manner(**manner), instructions=instructions)


def shape(*messages, **fields):
    return RequestShape.of(exchange_of(*messages, **fields))


LONG = "and so on. " * 30


SYSTEM, KNIFE = "Name the chat.", "Which knife do I need?"
ROLES = "Name it.\nUser: hi\nAI: hello"


async def told(exchange, likeness):
    shape = may_be_own(exchange)
    return shape is not None and await is_own(shape, likeness)


def likeness(system=-1.0, asked=-1.0):
    async def told(text):
        return system if text == SYSTEM else asked

    return told


@rows(
    "messages, manner, system, asked, own",
    [
        ([("system", SYSTEM), ("user", KNIFE)], {}, SURE, -1, True),
        ([("system", SYSTEM), ("user", KNIFE)], {}, SURE - 0.01, 1, False),
        ([("system", SYSTEM), ("user", ROLES)], {}, SURE - 0.01, -1, True),
        ([("system", SYSTEM), ("user", KNIFE)], {"tools": True}, 1, 1, False),
        ([("system", SYSTEM), ("user", KNIFE)], {"tools": True, "forced": True}, 1, -1, True),
        ([("user", KNIFE)], {}, -1, 1, False),
        ([("user", KNIFE)], {"limit": 40}, -1, 0.2, True),
        ([("user", KNIFE)], {"limit": 40}, -1, 0.0, False),
        ([("user", ROLES)], {"stream": True}, -1, 0.05, True),
        ([("user", "hi"), ("assistant", "hello"), ("user", ROLES)], {}, -1, 1, False),
        ([("user", "quota")], {"limit": 1}, -1, -1, True),
        ([("user", "quota?")], {"limit": 1}, -1, -1, False),
        ([("user", "Reply with OK")], {"limit": 8}, -1, 0.3, True),
        ([("user", "Am I vegan")], {"limit": 8}, -1, -0.3, False),
        ([("user", "hi"), ("assistant", "hello")], {}, 1, 1, False),
    ],
)
async def test_shape_and_likeness_decide_together(messages, manner, system, asked, own):
    """Likeness alone makes no request a client's; nor does any shape but a word with no room."""
    assert await told(exchange_of(*messages, **manner), likeness(system, asked)) is own


async def test_without_meaning_only_a_probe_is_told():
    """In doubt it is a chat."""
    assert not await told(exchange_of(("system", SYSTEM), ("user", ROLES), limit=9), never)
    assert await told(exchange_of(("user", "quota"), limit=1), never)


BUS = 'Where does the "night bus" to the harbour stop now, please?\nI live near the mill.'
TOLD = "At the old customs house & the theatre.\nEvery half hour."
USER, ANSWER = Ends.of(BUS), Ends.of(TOLD)


BEES = "I keep bees behind the school, how do they get through the winter?"
CLUSTER = "They form a cluster and shiver to keep warm, living on their honey."
TITLE = [user(f"Name it.\nQ: {BEES}\nA: {CLUSTER}")]
BOB = Scope(tenant="local", user_id="bob")


@pytest.fixture
async def client():
    """One that has had the turn just now."""
    client = Client()
    await client.chat((BEES, CLUSTER))
    return client


async def test_a_turn_is_known_for_a_while(client):
    """Then a request that repeats it is a turn of its own."""
    client.now += KEPT_SECONDS
    assert client.begin(TITLE).is_side_request
    client.now += 1
    assert not client.begin(TITLE).is_side_request


async def test_a_scope_finds_only_its_own(client):
    """What one user said decides nothing about another."""
    assert not client.begin(TITLE, scope=BOB).is_side_request
    assert not client.begin(TITLE, scope=Scope(tenant="other", user_id="alice")).is_side_request


@pytest.mark.parametrize("owner_ref", ["local", ALICE, None])
async def test_forgetting_forgets_turns(client, owner_ref):
    """A tenant, a scope, or all; the deletion of one memory is none of a turn."""
    client.capture.forget(ALICE, "one memory")
    assert client.begin(TITLE).is_side_request
    client.capture.clear() if owner_ref is None else client.capture.forget(owner_ref)
    assert not client.begin(TITLE).is_side_request


async def test_only_the_last_turns_are_kept(client):
    """Others of the same scope take their place."""
    for number in range(MAX_TURNS - 1):
        client.begin([user(f"question number {number}")])
    assert client.begin(TITLE).is_side_request
    client.begin([user("one more question")])
    assert not client.begin(TITLE).is_side_request


async def test_what_is_not_learned_is_not_remembered():
    """A user who turned memory off leaves nothing here."""
    client = Client()
    exchange = client.begin([user(BEES)], learns=False)
    await client.end(exchange, CLUSTER)
    assert not client.begin(TITLE).is_side_request


async def test_a_title_that_is_asked_for_first_is_not_stored():
    """The turn that comes right after it tells what the request under way was."""
    client = Client()
    title = client.begin([system("Names."), user("Name: " + BEES)], max_tokens=20)
    assert not title.is_side_request
    client.now += AT_ONCE
    turn = client.begin([user(BEES)], stream=True)
    assert (title.is_side_request, turn.is_side_request) == (True, False)
    await client.end(title, "Bees in winter")
    await client.end(turn, CLUSTER)
    assert await client.stored() == [BEES]


async def test_a_turn_before_another_is_not_marked():
    """A quick second message is no reason to lose the first."""
    client = Client()
    first = client.begin([user("Good evening. " + BEES)])
    client.now += AT_ONCE
    client.begin([user(BEES)])
    assert not first.is_side_request


async def test_rounds_with_tools_are_one_turn():
    """They do not push out other turns, and the turn has its last answer."""
    client = Client()
    messages = [user(BEES)]
    for number in range(MAX_TURNS + 1):
        exchange = client.begin(messages)
        await client.end(exchange, CLUSTER if number == MAX_TURNS else "Let me look that up.")
        messages = [*messages, assistant("..."), {"role": "tool", "content": "honey"}]
    assert client.begin(TITLE).is_side_request


NAME_IT = ("user", "Name this chat, please")
LONG = "and so on. " * 30


@pytest.mark.parametrize("begun", ["{", '{"title": "', "[", "<title>", "```json"])
def test_an_answer_that_is_begun_as_data_is_for_a_program(begun):
    """It is no history, and the message before it is the last one of the user."""
    found = shape(("user", "Name this chat, please"), ("assistant", begun))
    assert (found.forced, found.chatting, found.asked) == (True, False, NAME_IT[1])


@pytest.mark.parametrize("begun", ["Dear", "*smiles*", "Sure, here", "{" + LONG])
def test_what_a_person_begins_is_none(begun):
    """Prose, and an answer that is there already."""
    found = shape(("user", "Name this chat, please"), ("assistant", begun))
    assert (found.forced, found.asked) == (False, "")


@rows(
    "quoted, quotes",
    [
        ("User: hi\nAI: hello", True),
        ("# USER\nhi\n# ASSISTANT\nhello", True),
        ('[{"role":"user","text":"hi"},{"role":"assistant","text":"hello"}]', True),
        ("[User]: hi\n[Assistant]: hello", True),
        ("<user>hi</user>\n<assistant>hello</assistant>", True),
        ("Me: hi\nTom: hello", False),
        ("User: hi\nUser: are you there?", False),
        ("the user and the assistant: who is who?", False),
    ],
)
def test_a_conversation_is_quoted_with_the_roles_of_both(quoted, quotes):
    """As labels, headings, elements, or in JSON; people have names."""
    assert shape(("user", f"Name this.\n{quoted}")).quotes_roles is quotes


@rows(
    "text, fills",
    [
        ('### Task:\nTags.\n### Output:\n{ "tags": [] }', True),
        ("### Task:\nContinue.\n<text>Could you</text>", True),
        ('Give me {"a": 1} as YAML', False),
        ("Monday: leeks\nTuesday: beans", False),
    ],
)
def test_a_form_has_labels_and_tells_the_form_of_the_answer(text, fills):
    """Either alone is in many messages."""
    assert shape(("user", text)).fills_form is fills


def test_material_is_enclosed_where_nobody_watches():
    """Text before and behind it; a stream with room for any answer is watched."""
    text = "Page:\n---\nnews\n---\nWhat is new?"
    assert shape(("user", text)).encloses
    assert shape(("user", text), stream=True, limit=500).encloses
    assert not shape(("user", text), stream=True).encloses
    assert not shape(("user", "Page:\n---\nnews")).encloses


def test_in_a_chat_long_messages_of_points_or_with_a_mark_stand_out():
    """Short ones are as people write."""
    chat = (("user", "hi"), ("assistant", "hello"))
    points = f"Sum it up. {LONG}\n1. goals\n2. files\n3. open tasks"
    assert shape(*chat, ("user", points)).is_listed
    assert not shape(*chat, ("user", "Sum it up:\n1. goals\n2. files\n3. tasks")).is_listed
    assert shape(*chat, ("user", f"[SUGGESTION MODE: what is next] {LONG}")).is_marked
    assert not shape(*chat, ("user", f"Sorry! {LONG}")).is_marked
    assert shape(*chat, ("user", "and?")).chatting
    assert shape(("user", "and?"), continues=True).chatting
