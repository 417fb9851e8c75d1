"""The table of docs/providers.md."""

import importlib.util
from pathlib import Path

import pytest

from recollect.memory.util.providers import providers

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool():
    """`tools/document_providers.py` as a module."""
    path = ROOT / "tools" / "document_providers.py"
    spec = importlib.util.spec_from_file_location("document_providers", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(tool, capsys):
    """`make docs` would change nothing."""
    assert tool.main(["--check"]) == 0, capsys.readouterr().err


def test_a_change_is_noticed(tool, monkeypatch, tmp_path):
    """And the page is written; one without a place for the table is refused."""
    stale = tmp_path / "providers.md"
    stale.write_text(tool.PAGE.read_text("utf-8").replace("ANTHROPIC_API_KEY", "OTHER"), "utf-8")
    monkeypatch.setattr(tool, "PAGE", stale)
    assert tool.main(["--check"]) == 1
    assert tool.main([]) == 0
    assert tool.main(["--check"]) == 0
    with pytest.raises(ValueError, match="no place"):
        tool.page("# Providers")


def test_no_more_is_claimed_than_a_test_proves(tool):
    """A real server is one that a test of the suite runs, and every provider has its line."""
    lines = tool.table().splitlines()[2:]
    assert len(lines) == len(providers())
    assert {name for name in providers() if "| real server |" in _line(lines, name)} == set(
        tool.REAL
    )
    for place in tool.REAL.values():
        assert "LlamaServer" in (ROOT / place).read_text("utf-8")


def _line(lines, name):
    [line] = [line for line in lines if line.startswith(f"| `{name}` |")]
    return line
