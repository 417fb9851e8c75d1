"""What is kept with a turn."""

import numpy as np
import pytest

from recollect.memory.statements.notes import Noted, dump, load


def test_what_is_kept_is_read_again():
    """Texts and ids exactly, vectors nearly and with length 1."""
    vector = np.array([0.6, 0.8, 0.0], np.float32)
    [one, other] = load(dump([Noted("ü", vector, frozenset("ab")), Noted("x")], "e"), "e", 3)
    assert (one.text, one.over) == ("ü", frozenset("ab"))
    assert np.allclose(one.vector, vector, atol=1e-3)
    assert other == Noted("x")


def test_vectors_of_another_embedder_are_left_out():
    """The texts stay: they are embedded again."""
    [one] = load(dump([Noted("x", np.ones(3, np.float32))], "old"), "new", 3)
    assert one == Noted("x")


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"v": 2}', '{"v": 1, "embedder": "e"}', "\x00"])
def test_what_cannot_be_read_is_none(note):
    """A note of another version, or a damaged one, is made again from the turn."""
    assert load(note, "e", 3) is None
