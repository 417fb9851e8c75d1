"""What a run has once: real servers, each started when a test first asks, stopped at the end.

With `-n` the controller keeps them, and workers ask for the addresses over a socket; without, the
only process does both. What tests do on them they do under names of their own (a database, a
prefix, a collection): others are at work there. Whoever stops, fills or sets up a server starts
one of its own.
"""

from __future__ import annotations

import contextlib
import resource
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

import pytest

Start = Callable[[Path], AbstractContextManager[Any]]
"""Starts a server in a folder; its value, which can be pickled, is what tests are given."""


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
        self._listener: Listener | None = None
        self.cpu_seconds: dict[str, float] = {}
        """What each server has cost, once it has ended."""

    @property
    def address(self) -> str:
        """Where other processes ask."""
        if self._listener is None:
            self._listener = Listener(str(Path(self._folder.name) / "host"), "AF_UNIX", backlog=64)
            threading.Thread(target=self._listen, args=(self._listener,), daemon=True).start()
        return str(self._listener.address)

    def ask(self, name: str) -> Any:
        """What the server of this name is reached by, or the exception of its start."""
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
            return self._answers[name]

    def close(self) -> None:
        """Stop all of them."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        for name, stack in self._running.items():
            before = _children()
            stack.close()
            self.cpu_seconds[name] = _children() - before
        self._running.clear()
        self._folder.cleanup()

    def _listen(self, listener: Listener) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection = listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: Connection) -> None:
        with connection:
            connection.send(self.ask(connection.recv()))


class Remote:
    """The host of another process."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ask(self, name: str) -> Any:
        with Client(self._address, "AF_UNIX") as connection:
            connection.send(name)
            return connection.recv()


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def found(host: Host | Remote, name: str) -> Any:
    """The server's value. Skips the test where there is none, fails it where it did not start."""
    answer = host.ask(name)
    if isinstance(answer, AbsentError):
        pytest.skip(str(answer))
    if isinstance(answer, Exception):
        raise answer
    return answer


HOST = pytest.StashKey[Host | Remote]()


def starting(config: pytest.Config, starts: dict[str, Start]) -> None:
    """Make this process the host, or know the one that is."""
    address = getattr(config, "workerinput", {}).get("host")
    config.stash[HOST] = Remote(address) if address else Host(starts)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker whom to ask."""
    node.workerinput["host"] = node.config.stash[HOST].address


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Before the figures of the run are printed."""
    host = config.stash.get(HOST, None)
    if isinstance(host, Host):
        host.close()


@pytest.fixture(scope="session")
def ask(request: pytest.FixtureRequest) -> Callable[[str], Any]:
    """Asks the host for a server."""
    host = request.config.stash[HOST]
    return lambda name: found(host, name)
