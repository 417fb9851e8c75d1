"""Reads what a model answers: without its reasoning, and the JSON in it. Pure."""

import json
import time

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.model_answer import (
    MAX_CHARS,
    MAX_FALSE_STARTS,
    JsonValues,
    strip_reasoning,
)
from tests.support.folding import rows


def test_strip_reasoning():
    """Blocks go, whether closed, cut off or opened by the template; text around them stays."""
    assert strip_reasoning("a <think>b</think> c <thinking>d</thinking> e") == "a  c  e"
    assert strip_reasoning("a <think>b") == "a"
    assert strip_reasoning("a</think>b</think> c") == "c"


PROSE = st.text(alphabet="abc .\n`", max_size=10)
LEAVES = st.none() | st.integers() | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
).filter(lambda value: isinstance(value, dict | list))


@given(st.lists(st.tuples(PROSE, VALUES), max_size=4), PROSE)
def test_every_value_is_found_in_order(said, after):
    """Whatever is said around them; what stands inside another is not found again."""
    text = "".join(f"{prose}{json.dumps(value)}" for prose, value in said) + after
    assert list(JsonValues(text)) == [value for _, value in said]


@rows(
    "text, found, broken",
    [
        ("no", [], False),
        ("[1, 2", [], False),
        ('{"a": [1]', [[1]], True),
        ('{"a": "line\nbreak"}', [{"a": "line\nbreak"}], False),
        ("{x} [1]", [[1]], True),
    ],
)
def test_what_is_broken_is_told(text, found, broken):
    """An object that cannot be read: what follows may be a part of it."""
    values = JsonValues(text)
    assert list(values) == found
    assert values.broken_object is broken


def test_what_false_starts_read_is_bounded():
    """A hundred brackets before a list without an end are no hundred lists; nor is a long text."""
    text = "[" * MAX_FALSE_STARTS + "1," * 90_000
    started = time.process_time()
    assert list(JsonValues(text)) == []
    assert time.process_time() - started < 0.5
    assert list(JsonValues(" " * MAX_CHARS + "[1]")) == []
