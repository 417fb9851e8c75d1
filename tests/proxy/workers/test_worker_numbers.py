"""How many workers, and how soon one is started again."""

from __future__ import annotations

from pathlib import Path

from recollect.proxy.workers.worker_numbers import LONGEST_SECONDS, own_file, pause


def test_whoever_dies_of_its_start_is_started_again_more_slowly() -> None:
    """At once after a death that came late; then after 1, 2, 4 seconds, up to a bound."""
    assert [pause(deaths) for deaths in (1, 2, 3, 4)] == [0, 1, 2, 4]
    assert pause(50) == LONGEST_SECONDS


def test_a_file_that_each_process_needs_for_itself(tmp_path: Path) -> None:
    """The first worker has the one that is configured; what is no file takes the lines of all."""
    path = tmp_path / "audit.jsonl"
    assert [own_file(path, number).name for number in (0, 1)] == ["audit.jsonl", "audit-2.jsonl"]
    path.touch()
    assert own_file(path, 1).name == "audit-2.jsonl"
    assert own_file(Path("/dev/null"), 1) == Path("/dev/null")
