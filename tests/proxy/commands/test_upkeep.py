"""`recollect upkeep`: called, listed, shown and taken back."""

from recollect.proxy.commands.upkeep import figures, line

from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

RUN = {
    "id": "consolidate:1",
    "kind": "consolidate",
    "state": "done",
    "reason": "call",
    "at": "2026-11-27T21:03:00+00:00",
    "user_id": "alice",
    "changes": [{"id": "m", "event": "DELETE"}],
    "figures": {},
}


def test_a_run_in_one_line():
    """When, what, how it is, whose, and its id; what a name holds commands no terminal."""
    assert line(RUN) == (
        "2026-11-27 21:03  consolidate  done  1 change  user alice  call  consolidate:1"
    )
    planned = {**RUN, "changes": [], "user_id": "a\x1bb"}
    del planned["at"]
    assert line(planned).startswith("consolidate  done  0 changes  user a b  call")
    assert "  undone  " in line({**RUN, "undone_at": "2026-11-27T22:00:00+00:00"})


def test_figures_are_for_people():
    """What is 0 says nothing, and a moment in seconds is no count."""
    counted = {"tokens_before": 1200.0, "merged": 2.0, "pending": 0.0, "asked_upto": 1.8e9}
    assert figures(counted) == "merged 2, tokens before 1,200"
