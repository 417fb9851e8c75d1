import json
import struct

import numpy as np
import pytest

from recollect.memory.embedders.local.words import TENSOR, WordTable

ROWS = np.arange(30, dtype=np.float32).reshape(10, 3)


@pytest.fixture
def path(tmp_path):
    """A safetensors file of one small table, with something in front of it."""
    header = {TENSOR: {"dtype": "F32", "shape": [10, 3], "data_offsets": [8, 128]}}
    raw = json.dumps(header).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(raw)) + raw + b"\xff" * 8 + ROWS.tobytes())
    return path


def test_rows(path):
    """Rows come back in the shape of the ids, repeated ones too."""
    table = WordTable.open(path)
    ids = np.array([[3, 0, 3], [9, 9, 1]])
    assert np.array_equal(table.rows(ids), ROWS[ids])
    table.close()


def test_cut_file(path):
    """A file that ends too early is an error, not garbage."""
    path.write_bytes(path.read_bytes()[:-4])
    table = WordTable.open(path)
    with pytest.raises(OSError, match="row 9"):
        table.rows(np.array([[9]]))
    table.close()


@pytest.mark.parametrize("content", [b"", b"\x02\0\0\0\0\0\0\0{}", b"\x05\0\0\0\0\0\0\0{}"])
def test_no_table(tmp_path, content):
    """A file without the table is refused when it is opened."""
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises((KeyError, ValueError, struct.error)):
        WordTable.open(path)
