"""Finding places in a JSON text. With whole bodies: test_chat.py."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.util.untrusted_json import CHAT
from recollect.proxy.dialects.splice import (
    MAX_ELEMENTS,
    Insertion,
    insert,
    parse_document,
)
from tests.support.folding import rows

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=3), below),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=4), JSON), st.sampled_from([None, 1]), st.booleans())
def test_values_stand_where_it_says(value, indent, ascii_only):
    """Each span holds its value, however the text is laid out."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    parsed = parse_document(text)
    assert parsed.values == value
    assert {k: json.loads(text[a:b]) for k, (a, b) in parsed.spans.items()} == value


@given(st.lists(JSON), st.sampled_from([None, 1]))
def test_elements_start_where_it_says(value, indent):
    """Each offset is that of one element, in order."""
    text = json.dumps({"before": 1, "list": value, "after": value}, indent=indent)
    parsed = parse_document(text, lists=("list",))
    assert parsed.values["list"] == parsed.values["after"] == value
    assert set(parsed.starts) == {"list"}
    starts = parsed.starts["list"]
    assert [json.JSONDecoder().raw_decode(text, at)[0] for at in starts] == value


@given(st.text(max_size=20), st.lists(st.integers(0, 20), max_size=3))
def test_insertions_go_between_characters(text, offsets):
    """Counted in characters, put into bytes, nothing else moved."""
    places = sorted(min(at, len(text)) for at in offsets)
    raw = text.encode("utf-8", "replace")
    text = raw.decode()
    done = insert(raw, text, [Insertion(at, f"<{n}>") for n, at in enumerate(places)])
    expected = text
    for n, at in reversed(list(enumerate(places))):
        expected = f"{expected[:at]}<{n}>{expected[at:]}"
    assert done.decode() == expected


@rows(
    "text, why",
    [
        ('{"messages":[' + "1," * MAX_ELEMENTS + "1]}", "elements"),
        ('{"tools":[' + "1," * CHAT.values + "1]}", "values"),
        ('{"tools":[' + "[" * CHAT.values + "1]}", "values"),
    ],
)
def test_a_text_of_too_many_values_is_not_read(text, why):
    """Reading is work for each value: a body of small ones would hold everybody up."""
    with pytest.raises(ValueError, match=why):
        parse_document(text, lists=("messages",))
