"""`recollect graph`: what is asked of the proxy, and what is told of its answer."""

import json

import pytest

from recollect.proxy.cli import main
from recollect.proxy.commands import graph
from tests.support.folding import rows

from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

USER = ("--user", "alice")
ANNA = {"id": "e1", "name": "Anna", "type": "person", "aliases": ["my sister"], "memories": 1200}
CHECKED = {
    "entities": 2, "mentions": 3, "relations": 1, "merges": 0, "marks": 0, "orphans": 0, "stale": 0,
}  # fmt: skip
RELATION = {
    "source": "A\x1blice", "source_id": "a", "relation": "works_at", "target": "Google",
    "target_id": "g", "memory_id": "m", "quote": "Alice works\r at Google",
}  # fmt: skip
MERGE = {
    "id": "m1", "kept": {"id": "e1", "name": "Anna"}, "gone": {"id": "e3", "name": None},
    "by": "person", "at": "2026-11-27T21:03:00+00:00",
}  # fmt: skip


class Proxy:
    """Answers every request alike, and notes it."""

    def __init__(self, monkeypatch):
        self.answer, self.asked = None, None
        monkeypatch.setattr(graph, "ask", self._ask)
        monkeypatch.setenv("COLUMNS", "100")

    def _ask(self, _settings, _tenant, path, method, body, *, seconds):
        self.asked = (method, path, body)
        assert seconds >= 60
        return self.answer


@pytest.fixture
def proxy(monkeypatch, environ):
    return Proxy(monkeypatch)


def page(*found, more=False):
    return {"results": list(found), "more": more}


@rows(
    "arguments, answer, asked, told",
    [
        (
            ("entities", *USER, "--type", "person"),
            page(ANNA),
            ("GET", "?user_id=alice&type=person&limit=100&offset=0", None),
            "1,200  person  Anna (also my sister)",
        ),
        (
            ("relations", "A/nna?", *USER),
            page(RELATION),
            ("GET", "/A%2Fnna%3F/relations?user_id=alice&limit=100&offset=0", None),
            "A lice -works_at-> Google\n    m: Alice works at Google",
        ),
        (
            ("merges",),
            page(MERGE),
            ("GET", "/merges?limit=100&offset=0", None),
            "2026-11-27 21:03  e3 is Anna  person  m1",
        ),
        (
            ("undo", "m/1"),
            {"merge": MERGE, "already": False},
            ("POST", "/merges/m%2F1/undo", {}),
            "they are two again",
        ),
    ],
)
def test_a_name_is_one_segment_of_the_path(arguments, answer, asked, told, proxy, capsys):
    """Whatever it holds; and what an answer holds commands no terminal, nor is it changed as JSON."""
    proxy.answer = answer
    assert main(["graph", *arguments]) == 0
    method, path, body = asked
    assert proxy.asked == (method, "/v1/entities" + path, body)
    seen = capsys.readouterr()
    assert told in seen.out + seen.err
    assert main(["graph", *arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out.splitlines()[0])
    assert printed == (answer["results"][0] if "results" in answer else answer)


def test_where_the_next_page_is(proxy, capsys):
    """If there is one."""
    proxy.answer = page(ANNA, more=True)
    assert main(["graph", "entities", *USER, "--offset", "5"]) == 0
    assert "there are more: --offset 6" in capsys.readouterr().err


def test_what_is_wrong_is_a_failure(proxy, capsys):
    """So that a script notices."""
    for name in ("orphans", "stale"):
        proxy.answer = {**CHECKED, name: 1}
        assert main(["graph", "check"]) == 1
        assert "`recollect graph rebuild`" in capsys.readouterr().out
