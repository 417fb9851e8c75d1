import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.embedders.local.batches import pad, plan


@given(st.lists(st.integers(1, 300), max_size=60), st.integers(1, 400))
def test_every_text_once_within_the_bound(lengths, limit):
    """Each position is in exactly one group, and only a single text may exceed the bound."""
    groups = plan(lengths, max_tokens=limit)
    assert sorted(i for group in groups for i in group) == list(range(len(lengths)))
    for group in groups:
        padded = len(group) * max(lengths[i] for i in group)
        assert padded <= limit or len(group) == 1


def test_similar_lengths_go_together():
    """Short texts are not padded to the longest."""
    assert plan([100, 3, 90, 4], max_tokens=200) == [[1, 3], [2, 0]]


@pytest.mark.parametrize("texts", [[[5]], [[1, 2, 3], [4]], [[7, 8], [9, 10]]])
def test_pad(texts):
    """The mask is one exactly where ids are."""
    ids, mask = pad(texts)
    assert ids.shape == mask.shape == (len(texts), max(map(len, texts)))
    for row, text in enumerate(texts):
        assert ids[row][mask[row] == 1].tolist() == text
        assert not ids[row][mask[row] == 0].any()
    assert ids.dtype == mask.dtype == np.int64
