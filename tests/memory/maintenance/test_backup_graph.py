"""The graph in a backup: who was merged is nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.memory.maintenance.backup import back_up, plan_backup
from recollect.memory.maintenance.repair import look_at, mend
from recollect.memory.maintenance.restoring import restore
from recollect.memory.model.errors import StateError
from recollect.memory.state import HistoryOptions, open_graph
from recollect.memory.state.sqlite.graph import forget_notes
from tests.memory.state.contracts.graph_samples import groups, joined, says, tell
from tests.support.composing import settings

from .test_backup import nothing


def chosen(folder: Path):
    return settings(folder, state__backend="sqlite", history__backend="sqlite")


async def written(history: HistoryOptions) -> None:
    graph = await open_graph(history)
    await tell(graph, says("m", "A", "B"))
    await graph.merge(joined("a", "b"))
    await graph.keep_note("reader", "1")
    await graph.close()


async def test_it_is_read_anew_when_it_is_restored(tmp_path: Path) -> None:
    """Memories may have changed between its copy and theirs; the merges are there."""
    options, target = chosen(tmp_path), tmp_path / "backup"
    await written(options.history)
    assert plan_backup(options, options.data_dir).parts == ("graph.db",)
    assert list(back_up(options, options.data_dir, target, "1", nothing).files) == ["graph.db"]
    graph = await open_graph(options.history)
    assert await graph.note("reader") == "1"
    await graph.close()
    options.data_dir.rename(tmp_path / "old")
    restore(options, options.data_dir, target, nothing)
    graph = await open_graph(options.history)
    assert await groups(graph) == {"a": None, "b": "a"}
    assert await graph.note("reader") is None
    await graph.close()


async def test_a_damaged_one_is_repaired(tmp_path: Path) -> None:
    """By hand as by a start: what can be read is in a new file."""
    options = chosen(tmp_path)
    await written(options.history)
    file = options.history.graph_file
    assert file is not None
    content = bytearray(file.read_bytes())
    content[-4096:] = b"\xff" * 4096
    file.write_bytes(content)
    found = look_at(options, "graph")
    assert "who and what the memories speak of" in found.seen
    assert found.damage is not None
    assert mend(options, "graph")[0].startswith("the damaged file is kept as")
    graph = await open_graph(options.history)
    assert await graph.note("reader") is None
    await graph.close()


def test_a_copy_that_cannot_be_written(tmp_path: Path) -> None:
    """It is an error that names the file."""
    (tmp_path / "graph.db").write_bytes(b"no database" * 99)
    with pytest.raises(StateError, match=r"graph\.db"):
        forget_notes(tmp_path / "graph.db")
