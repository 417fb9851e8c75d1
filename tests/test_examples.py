"""Every example in Python of the pages runs."""

import re
from pathlib import Path

import pytest

from recollect.memory.embedders import FakeEmbedder
from tests.support.folding import rows

ROOT = Path(__file__).parents[1]
BLOCKS = [
    (page.stem, number, code)
    for page in sorted((ROOT / "docs").glob("*.md"))
    for number, code in enumerate(
        re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    )
]
EXAMPLES = [each for each in BLOCKS if "from recollect import" in each[2]]
ELSEWHERE = {"agents": "test_agents.py", "migrating-from-mem0": "clients/programs/mem0_session.py"}
"""Pages whose programs use another library, and the test that runs them."""


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


def test_no_example_is_left_out():
    """One that does not use the library is run by the test of its page."""
    others = {page for page, _, code in BLOCKS if "from recollect import" not in code}
    assert others == set(ELSEWHERE)
    for page, test in ELSEWHERE.items():
        assert f"{page}.md" in (ROOT / "tests" / test).read_text("utf-8")
