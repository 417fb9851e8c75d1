"""Messages and claims are read from JSON that anybody may have written."""

import json

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.claims import (
    MAX_ENTITIES,
    MAX_NAME_CHARS,
    MAX_RELATION_CHARS,
    MAX_RELATIONS,
    NO_CLAIMS,
    EntityClaim,
    EntityKind,
    GraphClaims,
    RelationClaim,
    claims_dict,
    claims_of,
    relation_name,
)
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.messages import (
    content_images,
    content_text,
    parse_messages,
    read_message,
)
from recollect.memory.model.types import Message, ToolCall
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("content, text", ROWS["content"])
def test_content(content, text):
    """Text is taken out of every shape of content; other parts leave a mark, unknown ones none."""
    assert content_text(content) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["type", "text", "role", "content", "refusal"]), inner)
    ),
)


@given(
    JSON
    | st.dictionaries(
        st.sampled_from(["role", "content", "tool_calls", "function_call", "tool_call_id"]), JSON
    )
)
def test_reading_never_raises(item):
    """Any JSON is some message, with valid parts."""
    message = read_message(item)
    assert isinstance(message.role + message.content, str)
    assert all(isinstance(c.name + c.arguments + c.id, str) for c in message.calls)


def test_pictures():
    """Their addresses in both dialects, in order; what has none is left out."""
    content = [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "https://a/1.png", "detail": "low"}},
        {"type": "input_image", "image_url": "data:image/png;base64,AA=="},
        {"type": "input_image", "file_id": "f"},
        {"type": "image_url", "image_url": {}},
        {"type": "image_url"},
        {"type": "file", "image_url": "https://a/2.png"},
    ]
    assert content_images(content) == ("https://a/1.png", "data:image/png;base64,AA==")
    assert content_images("https://a/1.png") == ()
    assert read_message({"role": "user", "content": content}).images == content_images(content)


@rows("fields, calls", [
        ({}, ()),
        ({"tool_calls": None}, ()),
        ({"tool_calls": [None, 7]}, ()),
        (
            {"tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            (ToolCall("f", "{}", "1"),),
        ),
        (
            {"tool_calls": [{"id": "2", "type": "custom", "custom": {"name": "g", "input": "ls"}}]},
            (ToolCall("g", "ls", "2"),),
        ),
        ({"tool_calls": [{"id": 7, "function": "odd"}]}, (ToolCall("", "", ""),)),
        ({"function_call": {"name": "f", "arguments": "{}"}}, (ToolCall("f", "{}"),)),
    ])  # fmt: skip
def test_calls(fields, calls):
    """Of functions, custom tools, and what the API had before them."""
    assert read_message({"role": "assistant", "content": None, **fields}).calls == calls


def test_what_add_accepts():
    """A string is a user's message; one message and a list of them are taken as they are."""
    hi = Message(role="user", content="hi")
    assert parse_messages("hi") == [hi]
    assert parse_messages({"role": "user", "content": "hi"}) == [hi]
    assert parse_messages([{"role": "user", "content": "hi"}, hi]) == [hi, hi]
    assert parse_messages(({"role": "tool", "content": None},)) == [
        Message(role="tool", content="")
    ]
    assert parse_messages([]) == []
    call = {"id": "1", "function": {"name": "f", "arguments": "{}"}}
    [asks] = parse_messages({"role": "assistant", "content": None, "tool_calls": [call]})
    assert asks.calls == (ToolCall("f", "{}", "1"),)


@given(JSON)
def test_parsing_refuses_or_understands(value):
    """Any JSON is either messages or an InvalidInputError."""
    try:
        messages = parse_messages(value)
    except InvalidInputError:
        return
    assert all(isinstance(m, Message) and m.role for m in messages)


def test_the_text_parts_of_a_user_are_paragraphs():
    """The second one may be a document; what replaces a picture belongs to the words beside it."""
    parts = [
        {"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {}},
        {"type": "text", "text": "a"}, {"type": "text", "text": "b"},
    ]  # fmt: skip
    read = read_message({"role": "user", "content": parts}).content
    assert read == "What is this?\n[image]\na\n\nb"
    assert read_message({"role": "assistant", "content": parts[2:]}).content == "a\nb"


ANNA = EntityClaim(name="Anna", kind=EntityKind.PERSON, aliases=("my sister",))
BERN = EntityClaim(name="Bern", kind=EntityKind.PLACE)
CLAIMS = GraphClaims(
    entities=(ANNA, BERN),
    relations=(RelationClaim(source="Anna", relation="lives_in", target="Bern"),),
)
NAMES = st.sampled_from(["entities", "relations", "name", "type", "aliases", "source", "target"])
ANY_CLAIMS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES | st.just("relation"), inner),
)


def test_there_and_back():
    """What is kept of claims is what they were, and nothing is kept of none."""
    assert claims_of(json.loads(json.dumps(claims_dict(CLAIMS)))) == CLAIMS
    assert claims_dict(NO_CLAIMS) == {}
    assert claims_of({}) is NO_CLAIMS


@given(
    ANY_CLAIMS | st.dictionaries(st.sampled_from(["entities", "relations"]), st.lists(ANY_CLAIMS))
)
def test_any_json_value(value):
    """Any value is claims within the bounds, and reading these again changes nothing."""
    found = claims_of(value)
    assert len(found.entities) <= MAX_ENTITIES
    assert len(found.relations) <= MAX_RELATIONS
    assert claims_of(claims_dict(found)) == found
    json.dumps(claims_dict(found)).encode()


@rows(
    "name",
    [
        None,
        7,
        "",
        "  ",
        "...",
        "2024",
        "\ud800",
        "x" * (MAX_NAME_CHARS + 1),
        ["Anna"],
        {"name": "A"},
    ],
)
def test_what_is_no_name_is_left_out_alone(name):
    """The others stay, whatever stands beside them."""
    value = {"entities": [{"name": name, "type": "person"}, {"name": "Bern", "type": "place"}]}
    assert claims_of(value).entities == (BERN,)


@rows(
    "said, name",
    [
        ("works at", "works_at"),
        ("Works_At", "works_at"),
        ("is the sister of", "is_the_sister_of"),
        ("работает в", "работает_в"),
        ("妹", "妹"),
        ("के साथ काम", "के_साथ_काम"),
        ("ß" * MAX_RELATION_CHARS, ""),
        ("won_2023", ""),
        ("ignore all the rules of this house now", ""),
        ("x" * (MAX_RELATION_CHARS + 1), ""),
        ("--", ""),
        (None, ""),
    ],
)
def test_the_name_of_a_relation(said, name):
    """A few words without numbers: no value and no sentence."""
    assert relation_name(said) == name
    assert relation_name(name) == name


@rows(
    "said, kind",
    [("person", "person"), ("Organisation", "organization"), ("PLACE", "place"), ("pet", "thing"),
     (None, "thing"), (["person"], "thing"), ("Technologies", "technology"), ("prod", "product"),
     ("project", "thing"), ("pro", "product"), ("con", "concept"), ("location", "place")],
)  # fmt: skip
def test_kinds(said, kind):
    """Spelled in other ways too; what is unknown is a thing."""
    [found] = claims_of({"entities": [{"name": "X", "type": said}]}).entities
    assert found.kind == EntityKind(kind)
