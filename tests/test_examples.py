"""Every example of the pages about the library runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "docs" / f"{name}.md" for name in ("queries", "library", "blocks", "graph", "connected")
]
EXAMPLES = [
    pytest.param(code, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, code in enumerate(
        re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE), 1
    )
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_runs(code, models_dir, tmp_path, monkeypatch):
    """In an empty folder, as somebody would try it."""
    (tmp_path / ".recollect").mkdir()
    (tmp_path / ".recollect" / "models").symlink_to(models_dir, target_is_directory=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "example", "exec"), {"__name__": "example"})  # noqa: S102 - our own pages


def test_there_are_examples():
    """On each page."""
    assert len(EXAMPLES) >= 2 * len(PAGES)
