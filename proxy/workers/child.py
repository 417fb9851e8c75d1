"""One worker, a process of its own, which the supervisor starts.

It reads what it is from its standard input, which stays open for as long as its parent lives, and
tells on its standard output that it serves, or why it cannot.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
import sys
import threading
from dataclasses import dataclass
from typing import Any, BinaryIO

from recollect.config import Settings
from recollect.memory.model.errors import RecollectError
from recollect.memory.util.siblings import Sibling

PARENT_DIED = 75
"""Exit status (EX_TEMPFAIL of sysexits.h): a worker without its parent ends at once."""
_LENGTH = struct.Struct("!Q")


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a worker is told."""

    settings: Settings
    sibling: Sibling


def packed(assignment: Assignment) -> bytes:
    """For `received`. It has the secrets of the settings, so it goes through a pipe only."""
    body = pickle.dumps(assignment)
    return _LENGTH.pack(len(body)) + body


def received(stream: BinaryIO) -> Assignment:
    """What the parent has `packed`."""
    (length,) = _LENGTH.unpack(stream.read(_LENGTH.size))
    found: Assignment = pickle.loads(stream.read(length))  # noqa: S301 - our parent's pipe
    return found


def main() -> int:
    """Serve until a signal, or the end of the parent."""
    from ..telemetry.logs import configure_logging

    assignment = received(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    configure_logging(assignment.settings.telemetry.log_level)
    return _serve(assignment)


def _serve(assignment: Assignment) -> int:
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


def _end_with_parent() -> None:
    """As one process would: what is durable is, and the next start goes on from there."""
    os.read(sys.stdin.fileno(), 1)  # not buffered: at its end the process waits for no reader
    os._exit(PARENT_DIED)
