"""A block as it was put into a request."""

import pytest

from recollect.filters.inject.blocks import Block, version_of, versions_of
from recollect.filters.inject.render import render
from tests.support.fence import FENCE

from ..remembered import item


def test_a_block_is_what_was_rendered():
    """Its text, and which memories stand in it."""
    items = [item("a", "likes tea"), item("b", "lives in Oslo")]
    block = Block.of(items, FENCE)
    assert block.text == render(items, FENCE)
    assert block.memory_ids == {"a", "b"}
    assert block.versions == versions_of(items)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (item("a", "lives in Oslo"), True),
        (item("a", "lives in Rome"), False),
        (item("b", "lives in Oslo"), False),
    ],
)
def test_an_updated_memory_is_another_version(other, same):
    """What the model was shown of it is outdated: it has to be shown again."""
    assert (version_of(item("a", "lives in Oslo")) == version_of(other)) is same
