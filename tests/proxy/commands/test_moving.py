"""`recollect memories export` and `import`: through a running proxy, or on the store itself."""

import io
import json
import sys

import pytest

from recollect.proxy.commands import moving

from .test_editing import HERS, command
from .test_explain import TEA, Running
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture


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


def line(name):
    return json.dumps({"memory": {"id": name}}).encode() + b"\n"


def test_of_a_line_that_breaks_off_nothing_is_taken():
    """Whole lines come, some at a time."""
    parts = iter([b'{"recollect":"export"}\n' + line("a")[:5], line("a")[5:], line("b")[:5], b""])
    assert list(moving.whole_lines(lambda: next(parts))) == [
        b'{"recollect":"export"}\n',
        line("a"),
    ]


def test_an_export_that_breaks_off():
    """The rest is asked for after the last whole line; without progress it gives up."""
    head, end = b'{"recollect":"export"}\n', b'{"end":true,"memories":1}\n'
    answers = iter([[head + line("a")], [head], [], [line("b"), end]])
    asked = []
    taken = moving.downloaded(lambda after: asked.append(after) or next(answers))
    assert b"".join(taken) == head + line("a") + head + line("b") + end
    assert asked == [{}, *[{"after": "a"}] * 3]
    asked.clear()
    with pytest.raises(moving.ProxyRefusedError, match="breaks off"):
        list(moving.downloaded(lambda after: asked.append(after) or ()))
    assert len(asked) == moving.TRIES
