import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from recollect.memory.embedders.local.tensors import read, write
from recollect.memory.embedders.local.words import WordTable
from tests.support.budget import examples

TENSORS = arrays.arrays(
    st.sampled_from([np.uint8, np.float32, np.float64]),
    arrays.array_shapes(min_dims=0, max_dims=3, max_side=4),
)


@given(st.dictionaries(st.text("abc_19", min_size=1), TENSORS, max_size=4))
@settings(max_examples=examples(60), deadline=None)
def test_what_is_written_is_read(tmp_path_factory, tensors):
    """Every tensor comes back with its name, type, shape and numbers."""
    path = tmp_path_factory.mktemp("tensors") / "t.safetensors"
    write(path, tensors)
    found = read(path)
    assert list(found) == list(tensors)
    for name, tensor in tensors.items():
        assert (found[name].dtype, found[name].shape) == (tensor.dtype, tensor.shape)
        assert found[name].tobytes() == tensor.tobytes()


def test_without_one(tmp_path):
    """A tensor that is read row by row need not be read whole."""
    table = np.arange(12, dtype=np.uint8).reshape(4, 3)
    write(tmp_path / "t", {"table": table, "rest": np.ones(2, np.float32)})
    assert list(read(tmp_path / "t", without="table")) == ["rest"]
    words = WordTable.open(tmp_path / "t", "table", dtype=np.uint8)
    assert words.rows(np.array([3, 0, 3])).tolist() == table[[3, 0, 3]].tolist()
    words.close()


@pytest.mark.parametrize("keep", [0, 4, 8, 20, -1])
def test_a_file_that_was_cut(tmp_path, keep):
    """It is a ValueError wherever it ends."""
    write(tmp_path / "t", {"a": np.ones(8, np.float32)})
    whole = (tmp_path / "t").read_bytes()
    (tmp_path / "t").write_bytes(whole[:keep])
    with pytest.raises(ValueError):
        read(tmp_path / "t")
