"""The tables of docs/languages.md."""

import importlib.util
from dataclasses import fields
from pathlib import Path

import pytest

from recollect.memory.language.read import SECTIONS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool():
    """`tools/document_languages.py` as a module."""
    path = ROOT / "tools" / "document_languages.py"
    spec = importlib.util.spec_from_file_location("document_languages", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(tool, monkeypatch, capsys):
    """`make docs` would change nothing."""
    monkeypatch.setattr("sys.argv", ["document_languages.py", "--check"])
    assert tool.main() == 0, capsys.readouterr().out


def test_a_change_is_noticed(tool, monkeypatch, tmp_path):
    """And the page is written."""
    stale = tmp_path / "languages.md"
    stale.write_text(tool.PAGE.read_text("utf-8").replace("| Polish |", "| Polnisch |"), "utf-8")
    monkeypatch.setattr(tool, "PAGE", stale)
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["document_languages.py", "--check"])
    assert tool.main() == 1
    monkeypatch.setattr("sys.argv", ["document_languages.py"])
    assert tool.main() == 0
    assert "| Polish |" in stale.read_text("utf-8")


def test_every_field_is_named(tool):
    """In the line of its section; each says what it means in the file that `packs new` writes."""
    lines = tool.sections_table().split("\n")
    for section, spec in SECTIONS.items():
        [line] = [each for each in lines if each.startswith(f"| `[{section}]` |")]
        for field in fields(spec.default_factory()):
            assert field.metadata["doc"].strip(), f"{section}.{field.name}"
            assert f"`{field.name}`" in line


def test_a_page_without_the_place_is_refused(tool):
    """A mark that somebody deleted."""
    with pytest.raises(ValueError, match="no place for the table languages"):
        tool.page("# Languages\n")
