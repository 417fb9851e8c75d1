"""Turns as rows."""

from dataclasses import fields, replace

import hypothesis.strategies as st
from hypothesis import given

from recollect.memory.model.types import ToolStep, Turn
from recollect.memory.state.sqlite.turn_rows import COLUMNS, turn_from, values_of
from tests.memory.state.contract import turn

texts = st.text(st.characters(exclude_categories=("Cs",)))


@given(
    text=texts,
    steps=st.lists(st.builds(ToolStep, texts, texts, texts)).map(tuple),
    recalled=st.lists(texts).map(tuple),
    images=st.lists(texts).map(tuple),
    tokens=st.integers(0, 2**60),
)
def test_any_turn_comes_back(text, steps, recalled, images, tokens) -> None:
    """Whatever stands in a turn, its row says the same."""
    given = replace(
        turn("a", steps=steps, recalled=recalled, images=images, tokens=tokens), user_text=text
    )
    values = {**values_of(given), "seq": 3}
    row = tuple(values[column] for column in COLUMNS.split(", "))
    assert turn_from(row) == replace(given, seq=3)


def test_every_field_has_its_column() -> None:
    """A field that is added to `Turn` is not forgotten here."""
    named = {field.name for field in fields(Turn)} - {"scope"}
    assert named == set(COLUMNS.split(", ")) - {"tenant", "user_id", "agent_id", "run_id"}


def test_what_a_turn_does_not_have_takes_no_room() -> None:
    """Most turns have neither steps nor pictures."""
    values = values_of(turn("a"))
    assert (values["steps"], values["recalled"], values["images"]) == (None, None, None)
