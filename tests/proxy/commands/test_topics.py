"""`recollect topics`: which memories of a scope belong together."""

import pytest

from recollect.proxy.cli import main
from recollect.proxy.commands import topics

USER = ("--user", "alice")
TOPIC = {
    "id": "t1", "label": "Likes\x1b tea", "size": 2,
    "members": [{"id": "m1", "memory": "Likes tea"}, {"id": "m2", "memory": "Buys tea"}],
}  # fmt: skip
GRAPH = {"topics": [TOPIC], "edges": [], "count": 8, "memories": 1234, "alone": 5}


class Asked(list):
    """The paths that were asked for."""

    answer = GRAPH


@pytest.fixture
def proxy(monkeypatch, environ):
    """Answers with a graph, and notes what it was asked."""
    del environ
    asked = Asked()

    def ask(_settings, _tenant, path):
        asked.append(path)
        return asked.answer

    monkeypatch.setattr(topics, "ask", ask)
    monkeypatch.setenv("COLUMNS", "100")
    return asked


def test_topics_with_their_memories(proxy, capsys):
    """Harmless for a terminal; and how to see more."""
    assert main(["topics", *USER, "--limit", "1", "--offset", "2"]) == 0
    assert proxy == ["/v1/memories/graph?user_id=alice&limit=1&offset=2"]
    seen = capsys.readouterr()
    assert seen.out.splitlines() == [
        " 2  Likes tea  t1",
        "    m1: Likes tea",
        "    m2: Buys tea",
        "1,234 memories, 5 by themselves",
    ]
    assert "there are 5 more: --offset 3" in seen.err
