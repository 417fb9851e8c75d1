import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from recollect.memory.embedders.local.tensors import (
    CHUNKS,
    TENSOR,
    WordTable,
    convert_weights,
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


def archive(path):
    """A package's archive with a table of two rows in each block."""
    parts = {f"q{n + 1}": np.full((2, 4), n, np.uint8) for n in range(CHUNKS)}
    for n in (2, 3, 5):
        parts |= {f"proj{n}": np.full((4, 2), n, np.float32)}
        parts |= {f"{name}{n}": np.full(2, n, np.float32) for name in ("proj_b", "ln_g", "ln_b")}
    np.savez_compressed(path, **parts, eps=np.float64(1e-12), bits=np.array([6], np.int8))


def test_a_packages_archive_is_converted(tmp_path):
    """Row n is a row of block n modulo 17, so that a word's number is its place.

    What three branches do to the same input is one product; the rest keeps its names. The bytes
    are the same each time: a hash is pinned.
    """
    archive(tmp_path / "w.npz")
    for name in ("one", "two"):
        convert_weights(tmp_path / "w.npz", tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    found = read(tmp_path / "one")
    assert found["table"][:, 0].tolist() == [*range(CHUNKS), *range(CHUNKS)]
    assert found["proj_all"][0].tolist() == [2, 2, 3, 3, 5, 5]
    assert found["ln_b_all"].tolist() == [2, 2, 3, 3, 5, 5]
    assert set(found) == {"table", "proj_all", "proj_b_all", "ln_g_all", "ln_b_all", "eps"}
