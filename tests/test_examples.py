"""Every example of the pages about the library runs."""

import re
from pathlib import Path

import pytest

from recollect.memory.embedders import FakeEmbedder
from tests.support.folding import rows

ROOT = Path(__file__).parents[1]
PAGES = ("queries", "library", "blocks", "graph", "recall")
EXAMPLES = [
    (page, number, code)
    for page in PAGES
    for number, code in enumerate(
        re.findall(
            r"^```python\n(.*?)^```",
            (ROOT / "docs" / f"{page}.md").read_text("utf-8"),
            re.DOTALL | re.MULTILINE,
        )
    )
]


@pytest.mark.process
@rows("page, number, code", EXAMPLES)
def test_an_example_runs(page, number, code, tmp_path, monkeypatch):
    """In an empty folder, as somebody would try it; what it would embed by the weights is not asked."""

    async def open_embedder(_options):
        return FakeEmbedder()

    monkeypatch.setattr("recollect.memory.engine.opening.open_embedder", open_embedder)
    home = tmp_path / f"{page}-{number}"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    exec(compile(code, f"{page}.md", "exec"), {"__name__": "example"})  # noqa: S102 - our own pages


def test_there_are_examples():
    """On each page."""
    assert {page for page, _, _ in EXAMPLES} == set(PAGES)
