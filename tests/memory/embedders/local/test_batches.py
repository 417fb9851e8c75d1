import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.embedders.local.batches import leading, pack


@given(st.lists(st.integers(0, 300), min_size=1, max_size=60), st.integers(1, 400))
def test_as_many_as_fit(sizes, most):
    """One more would be too many, and only a single one may be too large."""
    count = leading(sizes, most)
    assert 1 <= count <= len(sizes)
    assert sum(sizes[:count]) <= most or count == 1
    assert count == len(sizes) or sum(sizes[: count + 1]) > most


@given(st.lists(st.lists(st.integers(1, 30000), min_size=1, max_size=9), min_size=1, max_size=9))
def test_pack(texts):
    """Every token is there once, in order, with its place in its text and the text it is of."""
    ids, positions, owners = pack(texts)
    assert ids.tolist() == [token for text in texts for token in text]
    assert positions.tolist() == [place for text in texts for place in range(len(text))]
    assert owners.shape == (len(texts), len(ids))
    for row, text in zip(owners, texts, strict=True):
        assert ids[row == 1].tolist() == text
        assert not row[row != 1].any()
    assert ids.dtype == positions.dtype == np.int64
    assert owners.dtype == np.float32
