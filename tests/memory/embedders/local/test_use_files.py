import numpy as np

from recollect.memory.embedders.local.tensors import read
from recollect.memory.embedders.local.use_files import CHUNKS, convert_weights


def archive(path):
    """A package's archive with a table of two rows in each block."""
    parts = {f"q{n + 1}": np.full((2, 4), n, np.uint8) for n in range(CHUNKS)}
    for n in (2, 3, 5):
        parts |= {f"proj{n}": np.full((4, 2), n, np.float32)}
        parts |= {f"{name}{n}": np.full(2, n, np.float32) for name in ("proj_b", "ln_g", "ln_b")}
    np.savez_compressed(path, **parts, eps=np.float64(1e-12), bits=np.array([6], np.int8))


def test_the_table_in_the_order_of_words(tmp_path):
    """Row n is a row of block n modulo 17, so that a word's number is its place."""
    archive(tmp_path / "w.npz")
    convert_weights(tmp_path / "w.npz", tmp_path / "use.safetensors")
    table = read(tmp_path / "use.safetensors")["table"]
    assert table[:, 0].tolist() == [*range(CHUNKS), *range(CHUNKS)]


def test_branches_are_joined(tmp_path):
    """What three branches do to the same input is one product; the rest keeps its names."""
    archive(tmp_path / "w.npz")
    convert_weights(tmp_path / "w.npz", tmp_path / "use.safetensors")
    found = read(tmp_path / "use.safetensors", without="table")
    assert found["proj_all"][0].tolist() == [2, 2, 3, 3, 5, 5]
    assert found["ln_b_all"].tolist() == [2, 2, 3, 3, 5, 5]
    assert set(found) == {"proj_all", "proj_b_all", "ln_g_all", "ln_b_all", "eps"}


def test_the_same_bytes_each_time(tmp_path):
    """Its hash can be pinned."""
    archive(tmp_path / "w.npz")
    for name in ("one", "two"):
        convert_weights(tmp_path / "w.npz", tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
