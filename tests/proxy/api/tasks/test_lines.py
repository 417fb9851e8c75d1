"""The file of an export, as it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recollect.memory.model.errors import StateError
from recollect.proxy.api.tasks.lines import DiskLines, RemoteLines, piece_of


async def test_a_file_that_is_removed_while_it_is_read_is_read_to_its_end(tmp_path: Path) -> None:
    """On the disk of this machine; afterwards it is gone."""
    path = tmp_path / "lines"
    path.write_bytes(b"0123456789")
    lines = DiskLines(path)
    assert await lines.there()
    async with lines.opened() as file:
        path.unlink()
        assert file.size == 10
        assert await file.read(4, 3) == b"456"
        assert await file.read(10, 3) == b""
    assert not await lines.there()


async def test_pieces_come_from_the_one_that_has_the_file(tmp_path: Path) -> None:
    """Any bytes; where the other one is silent or the file is gone, there are none any more."""
    path = tmp_path / "lines"
    path.write_bytes(bytes(range(256)))
    silent = False

    async def ask(at: int, length: int) -> Any:
        if silent:
            raise StateError("silent")
        return piece_of(path, at, length)

    lines = RemoteLines(ask)
    async with lines.opened() as file:
        assert file.size == 256
        assert await file.read(100, 100) == bytes(range(100, 200))
        silent = True
        assert await file.read(200, 56) == b""
        silent = False
        path.unlink()
        assert await file.read(200, 56) == b""
    assert not await lines.there()
    with pytest.raises(FileNotFoundError):
        async with lines.opened():
            pass
