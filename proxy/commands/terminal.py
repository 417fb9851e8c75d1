"""Input and output at the terminal."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from typing import Self, TextIO

from .base import CommandError
from .columns import wrapped

BAR_CHARS = 24
LEAST_WIDTH = 40
USUAL_WIDTH = 100
REDRAW_SECONDS = 0.1
LOG_SECONDS = 10.0
"""Interval of progress lines where a bar cannot be redrawn: a log, a pipe."""


def amount(number: int, one: str, many: str = "") -> str:
    """A number with what it counts: "1 call", "2,000 calls"; `many` where an s does not do."""
    from recollect.memory.util.amounts import amount as told  # the command line loads no memory

    return told(number, one, many)


def say(text: str) -> None:
    """Print a message to stderr."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - a message to the user


def show(text: str) -> None:
    """Print output to stdout, unless its reader, such as `head`, has left."""
    write(f"{text}\n")


def write(text: str) -> None:
    """Print a piece of output as it is, at once; as `show` does without a line break."""
    with read_by_some():
        print(text, end="", flush=True)  # noqa: T201 - the command's output


@contextlib.contextmanager
def read_by_some() -> Iterator[None]:
    """Within it, the reader of stdout may leave."""
    try:
        yield
    except BrokenPipeError:
        # Python flushes stdout once more when it ends, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def confirm(question: str, otherwise: str) -> None:
    """Ask the user. Raises CommandError, which says `otherwise`, without a terminal and a yes."""
    if not sys.stdin.isatty():
        raise CommandError(f"{otherwise}; without a terminal, say --yes", 2)
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)  # noqa: T201 - a question
    if sys.stdin.readline().strip().casefold() not in {"y", "yes"}:
        raise CommandError(otherwise, 2)


def own_version() -> str:
    """The installed version of Recollect."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("recollect")
    except PackageNotFoundError:
        return "(not installed)"


class Progress:
    """Progress on stderr: a bar on a terminal, lines elsewhere.

    Call it with the number done and the total (None if unknown), within `with`.
    """

    def __init__(
        self,
        what: str,
        *,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what = what
        self._stream = stream or sys.stderr
        self._clock = clock
        self._redraws = self._stream.isatty()
        self._started = clock()
        self._shown_at: float | None = None if self._redraws else self._started
        self._width = 0

    def __call__(self, done: int, total: int | None) -> None:
        now = self._clock()
        due = REDRAW_SECONDS if self._redraws else LOG_SECONDS
        finished = done == total
        if finished or self._shown_at is None or now - self._shown_at >= due:
            self._shown_at = now
            self._write(bar(self._what, done, total, now - self._started))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Keep the last state on the screen and start a new line."""
        if self._redraws and self._width:
            self._stream.write("\n")
            self._stream.flush()
            self._width = 0

    def _write(self, line: str) -> None:
        if self._redraws:
            # Padded with spaces to overwrite the rest of a longer line.
            self._stream.write(f"\r{line:<{self._width}}")
            self._width = len(line)
        else:
            self._stream.write(line + "\n")
        self._stream.flush()


def bar(what: str, done: int, total: int | None, seconds: float) -> str:
    """``re-embedding  [######......]  1,234 of 5,000  25 %  3 min left``. Pure."""
    if not total:
        return f"{what}  {done:,}"
    share = min(done / total, 1.0)
    filled = int(share * BAR_CHARS)
    drawn = "#" * filled + "." * (BAR_CHARS - filled)
    left = f"  {duration(seconds * (1 - share) / share)} left" if 0 < share < 1 else ""
    return f"{what}  [{drawn}]  {done:,} of {total:,}  {int(share * 100)} %{left}"


def duration(seconds: float) -> str:
    """``40 s``, ``3 min`` or ``2.5 h``."""
    if seconds < 90:  # noqa: PLR2004 - up to here seconds read better than minutes
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"  # noqa: PLR2004 - likewise


def width() -> int:
    """Columns of the terminal; `USUAL_WIDTH` without one."""
    return shutil.get_terminal_size((USUAL_WIDTH, 24)).columns


def harmless(text: str) -> str:
    """The text with its lines, but without characters that command a terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)


def plain(text: str) -> str:
    """The text on one line, without control characters: a memory's text comes from a chat."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def folded(text: str, room: int, indent: str = "") -> list[str]:
    """The text as lines of at most `room` columns; all begin with `indent`."""
    wide = max(room, LEAST_WIDTH) - len(indent)
    return [indent + line for line in wrapped(plain(text), wide)]
