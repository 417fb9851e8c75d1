"""The session of docs/cli.md, run as it is written."""

import asyncio
import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from recollect.proxy.cli import main
from tests.support.answering_upstream import answering_from

from .test_explain import Running

GUIDE = Path(__file__).parents[3] / "docs" / "cli.md"
FACT = "Ada takes her tea without sugar"
_ID = re.compile(r"^ADD  (\S+)$", re.MULTILINE)


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """A terminal as the guide's."""
    monkeypatch.setenv("COLUMNS", "100")


def session():
    """Each command with what it shows."""
    section = GUIDE.read_text().split("\n## A session\n")[1].split("\n## ")[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ") or not line]
    steps = []
    for line in lines:
        if line.startswith("$ recollect "):
            steps.append((shlex.split(line)[2:], []))
        elif steps:
            steps[-1][1].append(line)
    return [(command, "\n".join(shown).strip("\n")) for command, shown in steps]


def run(arguments):
    """What the command shows, its output and its messages in the order that a terminal has."""
    with io.StringIO() as screen:
        with contextlib.redirect_stdout(screen), contextlib.redirect_stderr(screen):
            main(arguments)
        return screen.getvalue()


async def test_the_guide_shows_what_happens(environ):
    """Every command of the session shows the lines below it."""
    script = answering_from(lambda text: "Without sugar." if FACT in text else "I do not know.")
    steps = session()
    assert len(steps) > 5
    memory_id = "ID"
    async with Running(environ, script=script):
        for command, expected in steps:
            named = [memory_id if word == "ID" else word for word in command]
            shown = await asyncio.to_thread(run, named)
            pattern = ".*".join(map(re.escape, expected.split("…")))
            assert re.fullmatch(pattern, shown.strip("\n")), (command, shown)
            if found := _ID.search(shown):
                memory_id = found[1]
