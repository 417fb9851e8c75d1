"""The table of docs/access.md."""

import importlib.util
from pathlib import Path

import pytest

from recollect.proxy.api.tables import ALL

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool():
    """`tools/document_rights.py` as a module."""
    path = ROOT / "tools" / "document_rights.py"
    spec = importlib.util.spec_from_file_location("document_rights", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(tool, monkeypatch, capsys):
    """`make docs` would change nothing."""
    monkeypatch.setattr("sys.argv", ["document_rights.py", "--check"])
    assert tool.main() == 0, capsys.readouterr().out


def test_a_change_is_noticed(tool, monkeypatch, tmp_path):
    """And the page is written."""
    stale = tmp_path / "access.md"
    stale.write_text(tool.PAGE.read_text("utf-8").replace("| admin |", "| read |"), "utf-8")
    monkeypatch.setattr(tool, "PAGE", stale)
    monkeypatch.setattr("sys.argv", ["document_rights.py", "--check"])
    assert tool.main() == 1
    monkeypatch.setattr("sys.argv", ["document_rights.py"])
    assert tool.main() == 0
    assert tool.page(stale.read_text("utf-8")) == stale.read_text("utf-8")


def test_every_route_has_its_right(tool):
    """Once."""
    table = tool.rights_table()
    for operation in ALL:
        line = f"| `{operation.method} {operation.path}` | {operation.right.word} |"
        assert table.count(line) == 1
