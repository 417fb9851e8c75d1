"""A log that is open in a process and not in its folder is found."""

import os
import sys

import pytest

from recollect.memory.stores.milvus.lite_log import missing_log

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "memories.db" / "collections" / "c" / "wal" / "wal_data_000001.arrow"
    path.parent.mkdir(parents=True)
    with path.open("w"):
        yield path


def test_a_log_in_its_folder_is_not_missing(log, tmp_path):
    """Nor is any other file."""
    with (tmp_path / "wal_data_000001.txt").open("w"):
        assert missing_log(os.getpid(), tmp_path / "memories.db") is None


def test_a_removed_log_is_missing(log, tmp_path):
    """Under the name that it had."""
    log.unlink()
    assert missing_log(os.getpid(), tmp_path / "memories.db") == log


def test_a_moved_log_is_missing(log, tmp_path):
    """Under the name that it has."""
    moved = log.rename(tmp_path / log.name)
    assert missing_log(os.getpid(), tmp_path / "memories.db") == moved


def test_of_no_process_nothing_is_told(log, tmp_path):
    """It may not run yet, or no longer."""
    log.unlink()
    assert missing_log(None, tmp_path / "memories.db") is None
    assert missing_log(2**22 + 1, tmp_path / "memories.db") is None
