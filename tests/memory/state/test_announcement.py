"""Announcements between processes as texts."""

from __future__ import annotations

import json
import logging

from recollect.memory.state.announcement import read_message, write_message
from tests.memory.state.samples import ALICE, ALICE_WORK
from tests.support.folding import rows


@rows(
    "text",
    [
        "",
        "prose",
        "[]",
        "null",
        "7",
        "{}",
        '{"v": 1}',
        '{"v": 2, "whose": {"tenant": "t"}, "memory_id": null}',
        '{"v": 1, "whose": "t", "memory_id": null}',
        '{"v": 1, "whose": {}, "memory_id": null}',
        '{"v": 1, "whose": {"tenant": 7}, "memory_id": null}',
        '{"v": 1, "whose": {"tenant": "t", "user_id": ""}, "memory_id": null}',
        '{"v": 1, "whose": {"tenant": "t", "planet": "x"}, "memory_id": null}',
        '{"v": 1, "whose": {"tenant": "t"}, "memory_id": 7}',
        '{"v": 1, "whose": {"tenant": "t"}}',
        "[" * 100_000,
    ],
)
def test_what_is_none_of_ours_is_ignored(text, caplog):
    """With one line in the log, and without an error."""
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        assert read_message(text) is None
    assert len(caplog.records) == 1


@rows("owner_ref", [ALICE, ALICE_WORK, "local"])
def test_messages_are_versioned_and_read_back(owner_ref):
    """What is written is what is read."""
    for memory_id in (None, "m"):
        text = write_message(owner_ref, memory_id)
        assert json.loads(text)["v"] == 1
        assert read_message(text) == (owner_ref, memory_id)
