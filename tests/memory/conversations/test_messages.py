"""Turns as messages and passages."""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import given

from recollect.memory.conversations.messages import (
    LONGEST_SENTENCE,
    MOST_PASSAGES,
    PASSAGE_CHARS,
    messages_of,
    passages_of,
)
from recollect.memory.learn.firewall import PREAMBLE, tags
from recollect.memory.model.types import Source
from tests.memory.state.samples import turn


def spoken(user: str, assistant: str = "") -> list:
    return messages_of(replace(turn("a"), user_text=user, assistant_text=assistant))


def test_passages_tell_who_said_them():
    """Ids are unique in a turn, and what the assistant said has its source."""
    items = [item for one in spoken("I row.", "Nice. Where?") for item in passages_of(one)]
    assert [item.provenance.source for item in items] == [Source.SAID, Source.ASSISTANT]
    assert [item.text for item in items] == ["I row.", "Nice. Where?"]
    assert len({item.id for item in items}) == 2
    order = [item.provenance.sequence for item in items]
    assert order == sorted(order)


def test_a_block_of_ours_is_no_part_of_a_message():
    """What memory had shown is found for neither side, where a client or a model repeats it."""
    start, end = tags("012")
    block = f"{start}\n{PREAMBLE}\n- The user likes tea.\n{end}"
    for one in spoken(f"{block}\n\nWhere is the harbour?", f"{block}\n\nIn the east."):
        told = " ".join(item.text for item in passages_of(one))
        assert "tea" not in told
        assert "harbour" in told or "east" in told


@given(st.lists(st.text(max_size=400), max_size=60).map(". ".join))
def test_passages_are_bounded_for_any_text(text):
    """Their number and their lengths, whatever is said."""
    for one in spoken(text, text):
        items = passages_of(one)
        assert len(items) <= MOST_PASSAGES
        assert all(len(item.text) <= PASSAGE_CHARS + LONGEST_SENTENCE + 1 for item in items)
