"""The log lines about files that are gone."""

from __future__ import annotations

import logging

import pytest

from recollect.memory.stores.milvus.lite_files import LiteFiles


def test_both_changes_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """That it is gone, and that it is back; a log that is gone counts only if it is asked for."""
    folder, log = [""], [""]
    files = LiteFiles(lambda: folder[0], lambda: log[0])
    with caplog.at_level(logging.WARNING):
        assert files.look() == ""
        folder[0] = "memories.db is gone"
        assert files.look() == files.look() == "memories.db is gone"
        folder[0], log[0] = "", "a log is gone"
        assert files.look(log_too=False) == ""
        assert files.look() == "a log is gone"
        log[0] = ""
        assert files.look() == ""
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
