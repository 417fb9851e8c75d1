"""The note beside a store in a folder."""

from recollect.memory.model.format import FORMAT
from recollect.memory.stores.shared.noting import note, noted, noted_format


def test_it_is_read_as_it_was_written(tmp_path):
    """The last note counts; a folder without one, and one that is damaged, tell nothing."""
    assert noted(tmp_path) is None
    note(tmp_path, "a/model", 8)
    note(tmp_path, "other@1", 9)
    assert noted(tmp_path) == ("other@1", 9)
    assert noted_format(tmp_path) == FORMAT
    (tmp_path / "recollect-embedder.json").write_text("{")
    assert noted(tmp_path) is noted_format(tmp_path) is None
    assert noted(None) is noted_format(None) is None
    note(None, "a", 1)
