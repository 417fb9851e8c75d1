import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from recollect.memory.embedders.local.tensors import (
    TENSOR,
    WordTable,
    header,
    write,
)
from tests.support.budget import examples

TENSORS = arrays.arrays(
    st.sampled_from([np.uint8, np.float32, np.float64]),
    arrays.array_shapes(min_dims=0, max_dims=3, max_side=4),
)


def read(path):
    """Every tensor of a file, as the format says it is to be read."""
    raw = path.read_bytes()
    begin = 8 + struct.unpack("<Q", raw[:8])[0]
    types = {"U8": np.uint8, "F32": np.float32, "F64": np.float64}
    found = {}
    for name, entry in header(raw[8:begin]).items():
        first, last = (begin + at for at in entry["data_offsets"])
        numbers = np.frombuffer(raw[first:last], types[entry["dtype"]])
        found[name] = numbers.reshape(entry["shape"])
    return found


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


ROWS = np.arange(30, dtype=np.float32).reshape(10, 3)


@pytest.fixture
def path(tmp_path):
    """A safetensors file of one small table, with something in front of it."""
    header = {TENSOR: {"dtype": "F32", "shape": [10, 3], "data_offsets": [8, 128]}}
    raw = json.dumps(header).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(raw)) + raw + b"\xff" * 8 + ROWS.tobytes())
    return path


def test_cut_file(path):
    """A file that ends too early is an error, not garbage."""
    path.write_bytes(path.read_bytes()[:-4])
    table = WordTable.open(path)
    with pytest.raises(OSError, match="row 9"):
        table.rows(np.array([[9]]))
    table.close()
