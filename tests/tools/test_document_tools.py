"""The tables of docs/tools.md."""

import importlib.util
from pathlib import Path

import pytest

from recollect.memory.tools import TOOLS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool():
    """`tools/document_tools.py` as a module."""
    path = ROOT / "tools" / "document_tools.py"
    spec = importlib.util.spec_from_file_location("document_tools", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(tool, monkeypatch, capsys):
    """`make docs` would change nothing."""
    monkeypatch.setattr("sys.argv", ["document_tools.py", "--check"])
    assert tool.main() == 0, capsys.readouterr().out


def test_a_change_is_noticed(tool, monkeypatch, tmp_path):
    """And the page is written; one without a place for a table is refused."""
    stale = tmp_path / "tools.md"
    stale.write_text(tool.PAGE.read_text("utf-8").replace("| person |", "| read |"), "utf-8")
    monkeypatch.setattr(tool, "PAGE", stale)
    monkeypatch.setattr("sys.argv", ["document_tools.py", "--check"])
    assert tool.main() == 1
    monkeypatch.setattr("sys.argv", ["document_tools.py"])
    assert tool.main() == 0
    assert tool.page(stale.read_text("utf-8")) == stale.read_text("utf-8")
    with pytest.raises(ValueError, match="no place"):
        tool.page("# Tools")


def test_every_tool_is_in_both_tables(tool):
    """Once, with its guard, its route, and when it is offered."""
    first, second = tool.tools_table(), tool.surfaces_table()
    for each in TOOLS:
        assert first.count(f"| `{each.name}` | {each.tier.value} | {each.guard.value} |") == 1
        assert second.count(f"| `POST /tools/{each.name}` |") == 1
    assert second.count("if a model is configured") == sum(each.needs_model for each in TOOLS)
