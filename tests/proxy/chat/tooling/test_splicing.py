"""Adding to a request's lists, and changing its fields."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.chat.tooling.splicing import appended, with_field
from tests.support.folding import rows

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, min_size=1, max_size=4)


def test_a_list_that_is_not_there_is_made() -> None:
    """Also in the place of nothing; an empty one gets no comma."""
    assert json.loads(appended(b'{"a": 1}', "tools", [1])) == {"tools": [1], "a": 1}
    assert appended(b'{"tools": null}', "tools", [1]) == b'{"tools": [1]}'
    assert appended(b'{"tools": []}', "tools", [1, 2]) == b'{"tools": [1,2]}'
    assert appended(b'{"tools": [] }', "tools", []) == b'{"tools": [] }'


@given(OBJECTS, st.lists(JSON, max_size=3), st.booleans())
def test_any_body_is_what_it_was_and_more(body: Any, items: list[Any], utf8: bool) -> None:
    """However it is written."""
    raw = json.dumps(body, ensure_ascii=not utf8).encode("utf-8", "replace")
    before = json.loads(raw)
    had = before.get("tools")
    after = json.loads(appended(raw, "tools", items))
    expected = [*(had if isinstance(had, list) else []), *items]
    assert after == (before | {"tools": expected} if items else before)
    assert json.loads(with_field(raw, "x", items)) == before | {"x": items}


@rows("raw", [b"", b"[]", b"{", b"1", b'{"a":1} x'])
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    """By an error that the caller knows."""
    with pytest.raises((ValueError, IndexError)):
        appended(raw, "tools", [1])
