"""The shape of a request by which a client's own is known without any turn."""

from recollect.filters.aside.shape import RequestShape
from recollect.filters.exchange import Exchange, Manner
from recollect.memory.model.types import Message, Scope
from tests.support.folding import rows


def exchange_of(*messages, instructions="", **manner):
    """A request with these messages, (role, text) each."""
    return Exchange(
        scope=Scope(tenant="local", user_id="alice"),
        messages=[Message(role=role, content=content) for role, content in messages],
        model="m",
        conversation_id="c",
        turn_id="t",
        manner=Manner(**manner),
        instructions=instructions,
    )


def shape(*messages, **fields):
    return RequestShape.of(exchange_of(*messages, **fields))


ASKED = ("user", "Name this chat, please")
LONG = "and so on. " * 30


@rows("begun", ["{", '{"title": "', "[", "<title>", "```json"])
def test_an_answer_that_is_begun_as_data_is_for_a_program(begun):
    """It is no history, and the message before it is the last one of the user."""
    found = shape(ASKED, ("assistant", begun))
    assert (found.forced, found.chatting, found.asked) == (True, False, ASKED[1])


@rows("begun", ["Dear", "*smiles*", "Sure, here", "{" + LONG])
def test_what_a_person_begins_is_none(begun):
    """Prose, and an answer that is there already."""
    found = shape(ASKED, ("assistant", begun))
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


def test_instructions_are_all_that_the_request_has():
    """The field of the Responses API, and messages wherever they stand."""
    found = shape(("system", "One."), ASKED, ("developer", "Two."), instructions="Zero.")
    assert found.system == "Zero.\nOne.\nTwo."


def test_a_probe_has_room_for_a_word():
    """Behind instructions for a token: an assistant may answer a question with a word."""
    assert shape(("user", "hi"), limit=16).probes
    assert not shape(("user", "hi"), limit=17).probes
    assert not shape(("user", "hi")).probes
    assert not shape(("system", "Be kind."), ("user", "hi"), limit=16).probes
    assert shape(("system", "Be kind."), ("user", "hi"), limit=1).probes
