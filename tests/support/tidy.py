"""A run in which a test leaves a process or a folder behind fails, and names the test.

What fixtures of a module or of the session hold may outlive a test, so a worker looks when all of
them have ended, and says which test it was first seen after.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .host import HOST, Host
from .zygote import ZYGOTE

CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children")
"""Linux; elsewhere only folders are looked at."""
_LEFT = "left"


class Tidy:
    """In a worker: what is there that was not, and since when."""

    def __init__(self) -> None:
        self._before = Path(tempfile.gettempdir())
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(self._before))  # for `tmp_path`
        os.environ.setdefault(
            "DATA_GYM_CACHE_DIR", str(self._before / "data-gym-cache")
        )  # tiktoken
        self.folder = Path(tempfile.mkdtemp(prefix="tests-"))
        # PostgreSQL runs as another user where the tests run as root.
        self.folder.chmod(0o711)
        tempfile.tempdir = os.environ["TMPDIR"] = str(self.folder)
        self._since: dict[str, str] = {}
        self._own = set(self._things())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        result = yield
        for thing in self._things():
            if thing not in self._own:
                self._since.setdefault(thing, item.nodeid)
        return result

    def left(self) -> list[str]:
        """What is still there, and the test after which it was first seen. Removes it."""
        now = set(self._things())
        found = [
            f"{_named(each)}, since {test}" for each, test in self._since.items() if each in now
        ]
        ZYGOTE.close()
        tempfile.tempdir = os.environ["TMPDIR"] = str(self._before)
        shutil.rmtree(self.folder, ignore_errors=True)
        return found

    def _things(self) -> Iterator[str]:
        yield from (str(each) for each in self.folder.iterdir() if not _of_a_kill(each))
        with contextlib.suppress(OSError):
            own = ZYGOTE.pid
            yield from (pid for pid in CHILDREN.read_text().split() if int(pid) != own)
        yield from map(str, ZYGOTE.running)


def _of_a_kill(path: Path) -> bool:
    """Whether it is what a process that is killed cannot remove.

    That is the folder of a product's sockets, and the file by which `tempfile` tries a folder.
    """
    with contextlib.suppress(OSError):
        if path.is_file():
            return path.read_bytes() in (b"", b"blat")
        inside = [*path.iterdir()]
        return path.name.startswith("recollect-") and (
            not inside or any(map(Path.is_socket, inside))
        )
    return False


def _named(thing: str) -> str:
    with contextlib.suppress(OSError):
        if thing.isdigit():
            command = Path(f"/proc/{thing}/cmdline").read_text().replace("\0", " ")
            return f"process {thing} ({command[:120].strip()})"
    inside = ", ".join(sorted(each.name for each in Path(thing).glob("*"))[:9])
    return f"{thing} ({inside})"


class Tally:
    """In the controller: what the workers found."""

    def __init__(self) -> None:
        self.left: list[str] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        self.left += getattr(node, "workeroutput", {}).get(_LEFT, [])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Iterator[None]:
        result = yield
        if tidy := session.config.stash.get(TIDY, None):
            host = session.config.stash[HOST]
            assert isinstance(host, Host)
            host.close()
            self.left += tidy.left()
        if self.left:
            print("\n\nleft behind by tests:", *self.left, sep="\n  ")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return result


TIDY = pytest.StashKey[Tidy]()


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Workers look; without `-n` the only process does."""
    worker = hasattr(config, "workerinput")
    if worker or not config.getoption("numprocesses", None):
        tidy = config.stash[TIDY] = Tidy()
        config.pluginmanager.register(tidy, "tidy")
    if not worker:
        config.pluginmanager.register(Tally(), "tidy-tally")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a worker, when the fixtures of the session have ended."""
    tidy = session.config.stash.get(TIDY, None)
    if tidy is not None and hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_LEFT] = tidy.left()
