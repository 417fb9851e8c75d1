"""One worker, a process of its own, which the supervisor starts.

It reads what it is from its standard input, which stays open for as long as its parent lives, and
what a changed configuration says. It tells on its standard output that it serves, or why it cannot.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
import sys
import threading
from dataclasses import dataclass
from io import FileIO, RawIOBase
from typing import Any

from recollect.config import Settings
from recollect.memory.model.errors import RecollectError
from recollect.memory.util.heap import loading
from recollect.memory.util.siblings import Sibling

from ..reload import take

PARENT_DIED = 75
"""Exit status (EX_TEMPFAIL of sysexits.h): a worker without its parent ends at once."""
_LENGTH = struct.Struct("!Q")


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a worker is told."""

    settings: Settings
    sibling: Sibling


def packed(message: Assignment | dict[str, Any]) -> bytes:
    """For `received`. It has the secrets of the settings, so it goes through a pipe only."""
    body = pickle.dumps(message)
    return _LENGTH.pack(len(body)) + body


def received(stream: RawIOBase) -> Any:
    """What the parent has `packed`; None at the end of the stream."""
    head = _exactly(stream, _LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = _exactly(stream, length)
    return pickle.loads(body) if len(body) == length else None  # noqa: S301 - our parent's pipe


def _exactly(stream: RawIOBase, count: int) -> bytes:
    """So many bytes; fewer at the end of the stream."""
    found = b""
    while len(found) < count and (more := stream.read(count - len(found))):
        found += more
    return found


def main() -> int:
    """Serve until a signal, or the end of the parent."""
    from ..telemetry.logs import configure_logging

    # Not buffered: a process that ends waits for no reader.
    parent = FileIO(sys.stdin.fileno(), closefd=False)
    assignment: Assignment = received(parent)
    threading.Thread(
        target=_follow, args=(parent, assignment.settings), name="parent", daemon=True
    ).start()
    configure_logging(assignment.settings.telemetry)
    return _serve(assignment)


def _serve(assignment: Assignment) -> int:
    with loading():
        from ..serve import CannotListenError, serve
    from ..watchdog import run_watched

    sibling = assignment.sibling
    try:
        run_watched(
            serve(assignment.settings, sibling=sibling, on_ready=lambda url: _tell({"url": url}))
        )
    except RecollectError as error:
        _tell({"cannot": str(error)})
        return 1
    except CannotListenError as error:
        _tell({"cannot": f"cannot listen on {error}: {error.__cause__}"})
        return 1
    return 0


def _tell(message: dict[str, Any]) -> None:
    os.write(sys.stdout.fileno(), json.dumps(message).encode() + b"\n")


def _follow(parent: RawIOBase, settings: Settings) -> None:
    """Let changed values count, and end with the parent.

    It ends as one process would: what is durable is, and the next start goes on from there.
    """
    while (values := received(parent)) is not None:
        take(settings, values)
    os._exit(PARENT_DIED)
