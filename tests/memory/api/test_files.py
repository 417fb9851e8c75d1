"""Memories in a file: `export_file` and `import_file` of the library."""

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.model.errors import ForbiddenError, InvalidInputError
from tests.memory.api.client_parts import build, keep


async def test_a_key_keeps_ids(tmp_path):
    """Without it the memories of another store get new ids, with it their own."""
    here = build()
    [tea] = await keep(here, "I like tea")
    path = tmp_path / "memories.jsonl"
    await here.export_file(path, key=b"k")
    for key, kept in ((b"k", True), (None, False)):
        there = build()
        counts = await there.import_file(path, key=key)
        assert (await there.get(tea) is not None) is kept
        assert counts["renamed"] == int(not kept)


async def test_a_view_of_one_user(tmp_path):
    """It exports and imports that user, and can name nobody else."""
    here = build()
    await keep(here, "I like tea")
    await keep(here, "I like coffee", user_id="bob")
    only_bob = AsyncMemory(here._engine, only_user="bob")
    path = tmp_path / "memories.jsonl"
    assert (await only_bob.export_file(path))["memories"] == 1
    assert (await here.export_file(path))["memories"] == 2
    with pytest.raises(InvalidInputError, match="somebody else's"):
        await only_bob.import_file(path)
    with pytest.raises(ForbiddenError):
        await only_bob.export_file(path, user_id="alice")


async def test_a_failed_export_leaves_nothing(tmp_path):
    """The file that was there before stays as it was, also if the folder is gone."""
    here = build()
    await keep(here, "I like tea")
    path = tmp_path / "memories.jsonl"
    path.write_text("before")

    async def breaks(**_):
        yield b"half"
        raise OSError("disk")

    here.export_lines = breaks
    with pytest.raises(OSError, match="disk"):
        await here.export_file(path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


async def test_lines_go_on_after_an_id():
    """The rest of an export is a whole one for itself."""
    here = build()
    first, _ = sorted(await keep(here, "I like tea", "I like coffee"))
    data = b"".join([lines async for lines in here.export_lines(after=first)])
    assert data.count(b"\n") == 3
    assert data.endswith(b'{"end":true,"memories":1}\n')
