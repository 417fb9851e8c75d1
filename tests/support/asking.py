"""One process asks another over a socket in a folder: a question and an answer, each any value."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any, Self


class Answering:
    """Answers each question in a thread of its own, until it is closed; what is raised is the answer."""

    def __init__(self, folder: Path, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._listener = Listener(str(folder / "socket"), "AF_UNIX", backlog=64)
        self.address = str(self._listener.address)
        """For `ask`, in any process."""
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        with connection, contextlib.suppress(EOFError):
            question = connection.recv()
            try:
                answer = self._answer(question)
            except Exception as error:  # noqa: BLE001 - it is raised where the question comes from
                answer = error
            connection.send(answer)


def ask(address: str, question: Any) -> Any:
    """The answer; an exception is raised."""
    with Client(address, "AF_UNIX") as connection:
        connection.send(question)
        answer = connection.recv()
    if isinstance(answer, Exception):
        raise answer
    return answer
