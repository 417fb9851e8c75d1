"""Talking to the person at the terminal."""

import contextlib
import io
import os

import pytest

from recollect.proxy.commands.base import CommandError
from recollect.proxy.commands.terminal import (
    Progress,
    amount,
    bar,
    confirm,
    plain,
    show,
)
from tests.support.folding import rows


class Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, text="", *, tty):
        super().__init__(text)
        self.tty = tty

    def isatty(self):
        return self.tty


def progress(*, tty):
    """A progress on a screen, and the times it reads, last first."""
    screen, times = Screen(tty=tty), [0.0]
    return Progress("working", stream=screen, clock=lambda: times[-1]), screen, times


def test_a_terminal_is_redrawn():
    """One line, drawn over itself, without what a longer one left behind."""
    tell, screen, times = progress(tty=True)
    times.append(60.0)
    tell(50, 100)
    times.append(60.01)
    tell(51, 100)
    times.append(120.0)
    tell(100, 100)
    for _ in range(2):
        with tell:
            pass
    first, last = screen.getvalue().split("\r")[1:]
    assert "50 of 100  50 %  60 s left" in first
    assert "100 of 100  100 %" in last
    assert len(last.rstrip("\n")) >= len(first)
    assert screen.getvalue().count("\n") == 1


@rows(
    "done, total, said",
    [
        (0, 4, "x  [........................]  0 of 4  0 %"),
        (1, 4, "x  [######..................]  1 of 4  25 %  30 s left"),
        (4, 4, "x  [########################]  4 of 4  100 %"),
        # More than there were when they were counted.
        (1200, 1000, "x  [########################]  1,200 of 1,000  100 %"),
        (5, None, "x  5"),
        (0, 0, "x  0"),
    ],
)
def test_the_bar(done, total, said):
    """How much of how much, and how long it may take."""
    assert bar("x", done, total, 10.0) == said


@rows(
    "answer, tty, told",
    [
        ("y\n", True, ""),
        ("Yes\n", True, ""),
        ("\n", True, "nothing was done"),
        ("no\n", True, "nothing was done"),
        ("", True, "nothing was done"),
        ("y\n", False, "nothing was done; without a terminal, say --yes"),
    ],
)
def test_a_question(monkeypatch, capsys, answer, tty, told):
    """Only a person who says yes says yes: a pipe does not, and is told how to."""
    monkeypatch.setattr("sys.stdin", Screen(answer, tty=tty))
    with contextlib.nullcontext() if not told else pytest.raises(CommandError) as refused:
        confirm("Sure?", "nothing was done")
    assert not told or (str(refused.value), refused.value.status) == (told, 2)
    assert ("Sure?" in capsys.readouterr().err) is tty


@rows(
    "number, words",
    [(0, "0 memories"), (1, "1 memory"), (2, "2 memories"), (1200, "1,200 memories")],
)
def test_an_amount(number, words):
    """One is told as one, and thousands are apart."""
    assert amount(number, "memory", "memories") == words
    assert amount(number, "call").removesuffix("s") == words.split()[0] + " call"


def test_a_reader_that_leaves_is_no_error(monkeypatch):
    """`recollect jobs list | head -1` ends without a traceback, also when Python flushes stdout."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as out:
        monkeypatch.setattr("sys.stdout", out)
        show("a line")
        out.flush()


@rows("text", ["a\x1b[2Jb", "a\r\nb", "a\u202eb", "a\u2028b", "a\x9bb"])
def test_a_terminal_obeys_no_memory(text):
    """Control characters, line ends and changes of direction are blanks."""
    assert plain(text).split()[0] == "a"
    assert plain(text).isprintable()
