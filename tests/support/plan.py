"""Which tests run where: any worker takes any file; what starts processes is marked.

What uses the Milvus server comes first, all of it: the server computes for as long as it runs.

A test that starts a process, faces the whole product over sockets or loads the real weights carries
the marker `process`. Whoever starts a process without the marker fails, so the marker can be believed.
The tests on which most of the time goes carry `long`. `make quick` leaves out both.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from .host import users

LONGEST = (
    "tests/e2e/",
    "tests/crash/",
    "tests/behaviours/",
    "tests/isolation/",
    "tests/hostile/",
    "tests/transparency/",
    "tests/cost/",
    "tests/memory/forget/",
    "tests/memory/state/",
)
"""What begins first, by the beginning of paths: what begins last should be short."""

WHOLE = tuple(
    f"tests/{folder}/"
    for folder in ("behaviours", "crash", "e2e", "helm", "hostile", "transparency", "upgrade")
)
"""Folders in which every test runs against processes, or asks the whole product over sockets."""

SERVERS = frozenset(
    {
        *("llama", "models_dir", "server_address", "helm"),
        *("redis_server", "own_redis", "postgres", "own_postgres"),
    }
)
"""Fixtures that start a process, or load the real weights."""

QUICK = "not process and not long"
"""The marks that `make quick` chooses by."""

LONG = Path(__file__).parents[1] / "long.txt"
"""Functions whose tests take most of the time; `python -m tests.support.expense` writes it."""

STARTS = frozenset(
    {"recollect.fork", "subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty"}
)
"""Audit events of a process that is started."""


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out files in the order of `_ordered`: what a module's tests share is made once."""

    def _split_scope(self, nodeid: str) -> str:
        return _file(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """With `-n`, the tests of a file run in one process."""
    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What `make quick` leaves out as a whole is not even imported."""
    path = f"{collection_path.relative_to(config.rootpath).as_posix()}/"
    return True if config.option.markexpr == QUICK and path.startswith(WHOLE) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses a server and what takes long, and put the longest first."""
    long = frozenset(LONG.read_text().split("\n")) if LONG.exists() else ()
    for item in items:
        if item.nodeid.partition("[")[0] in long:
            item.add_marker("long")
        fixtures = getattr(item, "fixturenames", ())
        if item.nodeid.startswith(WHOLE) or not SERVERS.isdisjoint(fixtures):
            item.add_marker("process")
    items[:] = _ordered(items)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported and collected stays: the collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def _ordered(items: list[pytest.Item]) -> list[pytest.Item]:
    """After the server's the longest, then files with the most tests; within them the server's first."""
    files = [_file(item.nodeid) for item in items]
    counts = Counter(files)
    others = ["milvus" not in users(item) for item in items]
    first = {file for file, other in zip(files, others, strict=True) if not other}
    rank = {f: (f not in first, _place(f), -count, f) for f, count in counts.items()}
    numbered = sorted(range(len(items)), key=lambda n: (rank[files[n]], others[n], n))
    return [items[n] for n in numbered]


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _place(file: str) -> int:
    return next((n for n, each in enumerate(LONGEST) if file.startswith(each)), len(LONGEST))


class Watch:
    """Notices processes that a test starts without the marker that says so."""

    def __init__(self) -> None:
        self.item: pytest.Item | None = None
        self.started: str | None = None
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.item is None or event not in STARTS:
            return
        # The standard library's `platform` asks this once; the openai client asks `platform`.
        if event != "subprocess.Popen" or list(arguments[1])[:2] != ["uname", "-p"]:
            self.started = event


WATCH = Watch()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Listen while a test without the marker runs, its fixtures included."""
    marked = item.get_closest_marker("process") is not None
    WATCH.item, WATCH.started = None if marked else item, None
    try:
        return (yield)
    finally:
        WATCH.item = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    """Fail what started a process unmarked."""
    report = yield
    if WATCH.started is not None and report.passed:
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid} starts a process ({WATCH.started}): mark it with `process`, "
            "so that `make quick` leaves it out"
        )
        WATCH.started = None
        if record := os.environ.get("TEST_PROCESSES"):
            with open(record, "a") as file:  # noqa: PTH123
                file.write(f"{item.nodeid}\n")
    return report
