"""The graph in a backup: who was merged is nowhere else."""

from __future__ import annotations

from pathlib import Path

from recollect.memory.database.graph import SqlGraph
from recollect.memory.engine.options import EngineOptions
from recollect.memory.maintenance.backup import back_up
from recollect.memory.maintenance.restoring import restore
from tests.memory.state.contracts.graph_samples import groups, joined, says, tell
from tests.support.composing import settings
from tests.support.state import database_at

from .test_backup import nothing


def chosen(folder: Path):
    return settings(folder, database__url=None)


async def opened(options: EngineOptions) -> SqlGraph:
    return SqlGraph(await database_at(options.database.file))


async def written(options: EngineOptions) -> None:
    graph = await opened(options)
    await tell(graph, says("m", "A", "B"))
    await graph.merge(joined("a", "b"))
    await graph.keep_note("reader", "1")
    await graph.scripts.close()


async def test_it_is_read_anew_when_it_is_restored(tmp_path: Path) -> None:
    """Memories may have changed between its copy and theirs; the merges are there."""
    options, target = chosen(tmp_path), tmp_path / "backup"
    await written(options)
    back_up(options, options.data_dir, target, "1", nothing)
    graph = await opened(options)
    assert await graph.note("reader") == "1"
    await graph.scripts.close()
    options.data_dir.rename(tmp_path / "old")
    restore(options, options.data_dir, target, nothing)
    graph = await opened(options)
    assert await groups(graph) == {"a": None, "b": "a"}
    assert await graph.note("reader") is None
    await graph.scripts.close()
