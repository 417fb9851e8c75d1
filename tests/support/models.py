"""The real weights, loaded once for the whole run: in a process that embeds for every worker.

`tests/memory/embedders` loads them itself; everywhere else what a `LocalEmbedder` loads is a
stand-in that asks that process. Run as `python -m tests.support.models`: prints the path of
its socket and serves until its input ends.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from recollect.memory.embedders.local import embedder as local
from recollect.memory.model.types import Vectors
from tests.support.asking import Answering, ask
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).resolve().parents[2]
LOAD = local._load
"""What the product does."""


@contextlib.contextmanager
def models_process(_: Path) -> Iterator[str]:
    """The path of the socket."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.models"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if not address:
            raise RuntimeError("no address")
        yield address
        process.stdin.close()
        process.wait(HANG_SECONDS)


class Lent:
    """A model of that process."""

    def __init__(self, address: str, name: str, folder: Path) -> None:
        self._which = (name, str(folder))
        self._address = address
        self.dim: int = self._ask(None)

    def tokenize(self, texts: Sequence[str]) -> Sequence[str]:
        """Characters stand for tokens: a run has fewer texts than it could have."""
        return texts

    def run(self, texts: Sequence[str]) -> Vectors:
        found: Vectors = self._ask(list(texts))
        return found

    def close(self) -> None:
        """It stays for others."""

    def _ask(self, what: Any) -> Any:
        return ask(self._address, (*self._which, what))


@pytest.fixture(autouse=True, scope="session")
def models_once(ask_host: Callable[[str], Any]) -> Iterator[None]:
    """Nobody loads weights into a worker."""

    def load(model: str, folder: Path) -> local.Model:
        return Lent(ask_host("models"), model, folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "_load", load)
        yield


@cache
def _loaded(name: Any, folder: str) -> local.Model:
    return LOAD(name, Path(folder))


def _serve() -> None:
    loading = threading.Lock()

    def answer(question: Any) -> Any:
        name, folder, texts = question
        with loading:
            model = _loaded(name, folder)
        return model.dim if texts is None else model.run(model.tokenize(texts))

    with (
        tempfile.TemporaryDirectory(prefix="models-") as folder,
        Answering(Path(folder), answer) as answering,
    ):
        print(answering.address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    _serve()
