"""What is said of a field that an operation does not have."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.scope import SCOPE_IDS
from recollect.proxy.api.unknown import MAX_SHOWN, unknown_field

KNOWN = (*SCOPE_IDS, "limit", "status", "q", "query", "threshold")


def test_a_name_of_the_other_place():
    """Query and body are told apart, for the name itself and for one that is like it."""
    assert str(unknown_field("user_id", ["text"], SCOPE_IDS, "query")) == (
        "user_id: belongs in the query"
    )
    assert str(unknown_field("userid", ["text"], SCOPE_IDS, "query")) == (
        "userid: there is no such field; did you mean user_id, in the query?"
    )
    assert str(unknown_field("x", [], [], "query")) == "x: there is no such field"


@given(st.text(max_size=200))
def test_any_name_is_refused_in_few_words(name):
    """What is said is valid Unicode, and as long as the known names permit, not as the client."""
    said = unknown_field(name, KNOWN, (), "body")
    assert len(str(said)) < MAX_SHOWN + 150
    str(said).encode()
