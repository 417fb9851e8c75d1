"""`recollect memories export` and `import`: through a running proxy, or on the store itself."""

import asyncio
import io
import json
import sys

import pytest

from recollect.memory import AsyncMemory
from recollect.proxy.cli import main
from recollect.proxy.commands import moving

from .test_editing import HERS, command
from .test_explain import TEA, Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture


async def test_a_file_and_back_through_a_proxy(environ, capsys, tmp_path):
    """The scope or all of it, whole; a second import has nothing to do."""
    path = str(tmp_path / "memories.jsonl")
    async with Running(environ) as proxy:
        await proxy.remember(TEA)
        await proxy.remember("Bob has coffee", user_id="bob")
        assert await command("export", path, *HERS) == 0
        assert "1 memories and versions exported" in capsys.readouterr().err
        assert await command("export", path, "--all", "--no-vectors") == 0
        assert "2 memories and versions exported" in capsys.readouterr().err
        assert await command("import", path) == 0
        assert "2 read: 2 same" in capsys.readouterr().err
        assert await command("import", path, *HERS, "--skip-errors") == 0
        told = capsys.readouterr().err
        assert "1 refused" in told
        assert "memory.user_id" in told
        assert await command("import", path, *HERS) == 1
        assert "memory.user_id: is somebody else's" in capsys.readouterr().err


async def test_pipes(environ, capsysbinary, monkeypatch):
    """`-` is standard output and standard input."""
    async with Running(environ) as proxy:
        await proxy.remember(TEA)
        assert await command("export", "-", *HERS) == 0
        data = capsysbinary.readouterr().out
        assert data.splitlines()[-1] == b'{"end":true,"memories":1}'
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert await command("import", "-") == 0
        assert b"1 same" in capsysbinary.readouterr().err


class Broken:
    """An answer that breaks off."""

    def __init__(self, *parts):
        self._parts = list(parts)

    def read1(self, _size):
        if not self._parts:
            raise OSError("reset")
        return self._parts.pop(0)


def line(name):
    return json.dumps({"memory": {"id": name}}).encode() + b"\n"


def test_an_export_that_breaks_off(monkeypatch):
    """The rest is asked for after the last whole line; without progress it gives up."""
    sink = moving.StandardOutput()
    written = []
    monkeypatch.setattr(sink, "write", written.append)
    download = moving._Download(None, "t", type("O", (), {"no_vectors": False}), {}, sink, _quiet)
    assert download._read(Broken(b'{"recollect":"export"}\n' + line("a"), line("b")[:5]))
    assert download._after() == {"after": "a"}
    assert not download._read(Broken(b'{"recollect'))
    assert download._read(Broken(b'{"recollect":"export"}\n'))
    assert download._after() == {"after": "a"}
    download._read(Broken(line("b"), b'{"end":true,"memories":1}\n', b""))
    assert download._last.startswith(b'{"end"')
    assert b"".join(written).count(b'"memory"') == 2
    fetched = []
    download = moving._Download(None, "t", type("O", (), {"no_vectors": False}), {}, sink, _quiet)
    monkeypatch.setattr(download, "_fetch", lambda: fetched.append(1))
    with pytest.raises(moving.ProxyRefusedError, match="breaks off"):
        download.run()
    assert len(fetched) == moving.TRIES


def _quiet(_done, _total):
    pass


@pytest.mark.process
def test_to_another_kind_of_store(environ, capsys, tmp_path):
    """The commands of docs/stores.md: the new store is made by the import, and has all."""
    path = str(tmp_path / "memories.jsonl")

    async def fill():
        said = {"index": {"backend": "qdrant"}, "embedder": {"backend": "fake"}}
        async with await AsyncMemory.open(said, path=tmp_path / "data") as memory:
            await memory.add("Ada drinks green tea", user_id="ada", infer=False)

    asyncio.run(fill())
    environ.setenv("RECOLLECT_INDEX__BACKEND", "qdrant")
    assert main(["memories", "export", path, "--all"]) == 0
    environ.setenv("RECOLLECT_INDEX__BACKEND", "chroma")
    assert main(["memories", "import", path]) == 0
    capsys.readouterr()
    assert main(["memories", "list", "--user", "ada", "--json"]) == 0
    assert "green tea" in capsys.readouterr().out
    assert main(["collections", "info", "recollect_memories", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["memories"] == 1
