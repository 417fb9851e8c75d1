"""`recollect mcp`: whose memory it serves, and what it refuses; tests/proxy/mcp/test_stdio.py."""

from __future__ import annotations

import sys

import pytest

from recollect.proxy.cli import main
from recollect.proxy.commands import mcp
from recollect.proxy.mcp import stdio


@pytest.fixture
def asked(monkeypatch):
    """What would be served, without serving it."""
    found = []

    def desk(_settings, scope, *, read_only):
        found.append((scope.ids(), read_only))

    monkeypatch.setattr(mcp, "_desk", desk)
    monkeypatch.setattr(stdio, "run_stdio", lambda _desk: None)
    return found


@pytest.fixture
def run(tmp_path, monkeypatch):
    for name in ("RECOLLECT_LISTEN__HOST", "RECOLLECT_API__TOKEN"):
        monkeypatch.delenv(name, raising=False)

    def start(*arguments):
        return main(["mcp", "--data-dir", str(tmp_path), *arguments])

    return start


def test_it_serves_one_scope(asked, run):
    """The named one; without a user that of a chat without one."""
    assert run("--user", "ada", "--agent", "a", "--run", "r", "--read-only") == 0
    assert run("--agent", "a") == 0
    assert run() == 0
    assert asked == [
        ({"user_id": "ada", "agent_id": "a", "run_id": "r"}, True),
        ({"user_id": "default", "agent_id": "a"}, False),
        ({"user_id": "default"}, False),
    ]


def test_off_loopback_a_user_has_to_be_named(asked, run, monkeypatch, capsys):
    """As for a chat there."""
    monkeypatch.setenv("RECOLLECT_LISTEN__HOST", "0.0.0.0")
    monkeypatch.setenv("RECOLLECT_API__TOKEN", "t")
    assert run() == 2
    assert "use --user" in capsys.readouterr().err
    assert asked == []


def test_without_the_extra_it_says_what_to_install(asked, run, monkeypatch, capsys):
    """And touches nothing."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert run("--user", "ada") == 1
    assert "pip install 'recollect[mcp]'" in capsys.readouterr().err
    assert asked == []
