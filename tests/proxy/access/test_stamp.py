"""Whether a file has changed."""

from recollect.proxy.access.stamp import stamp_of


def test_a_stamp_changes_with_the_file(tmp_path):
    """Written again, replaced by another of the same size, removed."""
    path, other = tmp_path / "a", tmp_path / "b"
    assert stamp_of(path) is None
    path.write_text("1")
    first = stamp_of(path)
    assert first == stamp_of(path)
    path.write_text("12")
    second = stamp_of(path)
    other.write_text("34")
    other.replace(path)
    assert len({first, second, stamp_of(path)}) == 3
