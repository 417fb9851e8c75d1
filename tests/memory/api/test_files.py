"""Memories in a file: `export_file` and `import_file` of the library."""

import pytest

from recollect.memory import AsyncMemory, Memory
from recollect.memory.model.errors import ForbiddenError, InvalidInputError
from tests.memory.api.client_parts import build, keep, texts


async def test_a_file_and_back(tmp_path):
    """Versions and histories come along, and a second import changes nothing."""
    here, there = build(), build()
    [tea] = await keep(here, "I like tea")
    await here.update(tea, "I like green tea")
    path = tmp_path / "memories.jsonl"
    result = await here.export_file(path)
    assert result == {"memories": 2, "bytes": path.stat().st_size}
    assert path.stat().st_mode & 0o777 == 0o600
    for added in (2, 0):
        counts = await there.import_file(path, keep_ids=True)
        assert (counts["added"], counts["read"]) == (added, 2)
    assert await texts(there) == ["I like green tea"]
    assert [each["event"] for each in await there.history(tea)] == ["ADD", "UPDATE"]
    assert list(tmp_path.iterdir()) == [path]


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


async def test_ids_narrow_both(tmp_path):
    """An export has the scope's memories, an import accepts no others."""
    here, there = build(), build()
    await keep(here, "I like tea")
    await keep(here, "I like coffee", user_id="bob")
    path = tmp_path / "memories.jsonl"
    assert (await here.export_file(path, user_id="bob"))["memories"] == 1
    with pytest.raises(InvalidInputError, match=r"line 2, memory\.user_id"):
        await there.import_file(path, user_id="alice")
    assert (await there.import_file(path, user_id="bob"))["added"] == 1


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


@pytest.mark.parametrize("wrong", [{"embed": "perhaps"}, {"on_error": "go on"}])
async def test_words(tmp_path, wrong):
    """An unknown one is refused by the name of its argument."""
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        await build().import_file(tmp_path / "none", **wrong)


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


def test_without_a_loop(tmp_path):
    """The blocking class does the same."""
    options = {"embedder": {"backend": "fake"}, "store": {"backend": "inmemory"}}
    path = tmp_path / "memories.jsonl"
    with Memory(options) as here:
        here.add("I like tea", user_id="alice", infer=False)
        assert here.export_file(path)["memories"] == 1
    with Memory(options) as there:
        assert there.import_file(path)["added"] == 1
