"""Whatever is told, replaced, forgotten and imported in whatever order, nothing comes back."""

from __future__ import annotations

import pytest

from tests.support.budget import examples
from tests.surfaces.any_life import AnyLife, wrong_of
from tests.surfaces.place import a_place

STEPS_OF_A_LIFE = 14


@pytest.fixture(scope="module")
def shared_place():
    """A product with everything in files, that shortens long conversations."""
    with a_place(recall__compress__after_tokens=200) as place:
        yield place


@pytest.mark.parametrize("seed", range(examples(8)))
def test_no_order_brings_anything_back(shared_place, tmp_path, seed):
    """What was forgotten is on no surface and in no file; what was replaced is only told as old.

    What the user says again by hand is new, and may be told.
    """
    life = AnyLife(shared_place, seed, tmp_path)
    while len(life.steps) < STEPS_OF_A_LIFE:
        life.step()
    assert wrong_of(life) == [], life.steps
