"""What a run has once: real servers, each started when a test first asks, stopped after its last test.

With `-n` the controller keeps them, and workers ask for the addresses over a socket; without, the
only process does both. What tests do on them they do under names of their own (a database, a
prefix, a collection): others are at work there. Whoever stops, fills or sets up a server starts
one of its own. A server of which `USED_BY` knows the tests ends with the last of them, as some
compute while they wait; the others at the end of the run.
"""

from __future__ import annotations

import contextlib
import resource
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.support.asking import Answering, ask

Start = Callable[[Path], AbstractContextManager[Any]]
"""Starts a server in a folder; its value, which can be pickled, is what tests are given."""

USED_BY = {"server_address": "milvus", "llama": "llama"}
"""Fixtures through which tests use a server."""
MARKS = {"server": "milvus"}
"""Marks of tests that ask for such a fixture by its name."""


class AbsentError(Exception):
    """This machine has no such server; says why."""


class Host:
    """Starts what is asked for, once."""

    def __init__(self, starts: dict[str, Start]) -> None:
        self._starts = starts
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._answers: dict[str, Any] = {}
        self._running: dict[str, contextlib.ExitStack] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="recollect-host-")
        self._answering: Answering | None = None
        self._left: dict[str, int] | None = None
        self._ending: list[threading.Thread] = []
        self._one_ends = threading.Lock()
        self.cpu_seconds: Counter[str] = Counter()
        """What each server has cost, once it has ended."""

    @property
    def address(self) -> str:
        """Where other processes ask."""
        if self._answering is None:
            self._answering = Answering(
                Path(self._folder.name), lambda asked: getattr(self, asked[0])(asked[1])
            )
        return self._answering.address

    def ask(self, name: str) -> Any:
        """What the server of this name is reached by. Raises what its start raised."""
        with self._locks[name]:
            if name not in self._answers:
                stack = self._running[name] = contextlib.ExitStack()
                try:
                    folder = Path(self._folder.name) / name
                    self._answers[name] = stack.enter_context(self._starts[name](folder))
                except AbsentError as absent:
                    self._answers[name] = absent
                except Exception as error:  # noqa: BLE001 - the worker that asked raises it
                    self._answers[name] = RuntimeError(f"{name} did not start: {error}")
            answer = self._answers[name]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def expect(self, tests: Mapping[str, int]) -> None:
        """How many tests use each server; every worker says so, and all the same."""
        if self._left is None:
            self._left = dict(tests)

    def used(self, name: str) -> None:
        """One of these tests is done. After the last one the server ends, while others go on."""
        assert self._left is not None
        with self._locks[name]:
            self._left[name] -= 1
            if self._left[name] == 0:
                thread = threading.Thread(target=self._end, args=(name,))
                self._ending.append(thread)
                thread.start()

    def close(self) -> None:
        """Stop all of them."""
        for thread in self._ending:
            thread.join()
        if self._answering is not None:
            self._answering.__exit__()
            self._answering = None
        for name in list(self._running):
            self._end(name)
        self._folder.cleanup()

    def _end(self, name: str) -> None:
        # Who asks after all starts it again, in an empty folder.
        with self._one_ends, self._locks[name]:
            before = _children()
            self._answers.pop(name, None)
            if (stack := self._running.pop(name, None)) is not None:
                stack.close()
            self.cpu_seconds[name] += _children() - before


class Remote:
    """The host of another process."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ask(self, name: str) -> Any:
        return ask(self._address, ("ask", name))

    def expect(self, tests: Mapping[str, int]) -> None:
        ask(self._address, ("expect", tests))

    def used(self, name: str) -> None:
        ask(self._address, ("used", name))


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def found(host: Host | Remote, name: str) -> Any:
    """The server's value. Skips the test where there is none, fails it where it did not start."""
    try:
        return host.ask(name)
    except AbsentError as absent:
        pytest.skip(str(absent))


HOST = pytest.StashKey[Host | Remote]()


def starting(config: pytest.Config, starts: dict[str, Start]) -> None:
    """Make this process the host, or know the one that is."""
    address = getattr(config, "workerinput", {}).get("host")
    config.stash[HOST] = Remote(address) if address else Host(starts)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker whom to ask."""
    node.workerinput["host"] = node.config.stash[HOST].address


def users(item: pytest.Item) -> set[str]:
    """The servers that a test uses, of those that end with their last test."""
    if any(True in mark.args for mark in item.iter_markers("skipif")):
        return set()
    found = {USED_BY.get(each) for each in getattr(item, "fixturenames", ())}
    found |= {MARKS.get(mark.name) for mark in item.iter_markers()}
    return {name for name in found if name is not None}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Now it is known which tests there will be."""
    if session.items:
        session.config.stash[HOST].expect(Counter(n for item in session.items for n in users(item)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Tell the host, when what the test had is closed."""
    result = yield
    for name in users(item):
        item.config.stash[HOST].used(name)
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Before the figures of the run are printed."""
    host = config.stash.get(HOST, None)
    if isinstance(host, Host):
        host.close()


@pytest.fixture(scope="session")
def ask_host(request: pytest.FixtureRequest) -> Callable[[str], Any]:
    """Asks the host for a server."""
    host = request.config.stash[HOST]
    return lambda name: found(host, name)
