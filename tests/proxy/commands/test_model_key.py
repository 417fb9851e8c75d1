"""The key of the model server, for commands."""

import io
from types import SimpleNamespace

import pytest

from recollect.proxy.commands.base import CommandError
from recollect.proxy.commands.model_key import key_of
from tests.support.folding import rows


def test_a_key_is_read_from_a_file_or_stdin(tmp_path, monkeypatch):
    """Without the line break at its end; none is named, none is sent."""
    path = tmp_path / "key"
    path.write_text(" sk-a\n")
    assert key_of(SimpleNamespace(key_file=str(path))) == "sk-a"
    monkeypatch.setattr("sys.stdin", io.StringIO("sk-b\n"))
    assert key_of(SimpleNamespace(key_file="-")) == "sk-b"
    assert key_of(SimpleNamespace(key_file=None)) is None


@rows("content", [b"", b"two\nlines", b"\xff", "schl\u00fcssel".encode()])
def test_what_is_no_key_is_told(tmp_path, content):
    """With the name of the file, and nothing of what is in it."""
    path = tmp_path / "key"
    path.write_bytes(content)
    with pytest.raises(CommandError, match="--key-file") as error:
        key_of(SimpleNamespace(key_file=str(path)))
    assert "lines" not in str(error.value)
