"""The known name that is meant by another one."""

from __future__ import annotations

from recollect.memory.model.nearest import nearest
from tests.support.folding import rows

KNOWN = ("user_id", "agent_id", "run_id", "limit", "status", "q", "query", "threshold")


@rows(
    "name, meant",
    [
        ("agentid", "agent_id"),
        ("userId", "user_id"),
        ("USER-ID", "user_id"),
        ("user", "user_id"),
        ("runid", "run_id"),
        ("limt", "limit"),
        ("stauts", "status"),
        ("treshold", "threshold"),
        ("qeury", "query"),
        ("colour", None),
        ("", None),
        ("___", None),
    ],
)
def test_the_nearest_name(name, meant):
    """Whatever its case and separators, and with a slip or two; nothing for what is like none."""
    assert nearest(name, KNOWN) == meant


def test_a_name_of_a_megabyte_is_like_none():
    """It is not compared: that would take seconds."""
    assert nearest("user_id" * 150_000, KNOWN) is None
