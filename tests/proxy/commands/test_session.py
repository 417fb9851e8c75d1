"""What people type and read: docs/cli.md's session, and session.txt with every command."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.support.answering_upstream import answering_from

from .test_explain import Running, fill
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture
from .transcript import check

GUIDE = Path(__file__).parents[3] / "docs" / "cli.md"
SESSION = Path(__file__).with_name("session.txt")
ALONE = Path(__file__).with_name("alone.txt")
FACT = "Ada takes her tea without sugar"


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """A terminal as the guide's."""
    monkeypatch.setenv("COLUMNS", "100")


async def test_the_guide_shows_what_happens(environ):
    """Every command of the session shows the lines below it."""
    script = answering_from(lambda text: "Without sugar." if FACT in text else "I do not know.")
    section = GUIDE.read_text().split("\n## A session\n")[1].split("\n## ")[0]
    named = section.replace("ID --yes", "<id> --yes").replace("ADD  …", "ADD  <id>", 1)
    # A guide does not show the status that scripts look at.
    named = re.sub(r"(recollect: nothing matches .*)", r"\1\n    [1]", named)
    lines = [line[4:] for line in named.splitlines() if line.startswith("    ") or not line]
    async with Running(environ, script=script):
        await asyncio.to_thread(check, "\n".join(lines), by_proxy=True)


async def test_every_command_beside_a_proxy(environ):
    """It is asked, and what it says is shown."""
    async with Running(environ) as proxy:
        await asyncio.to_thread(check, SESSION.read_text(), by_proxy=True)
        assert not proxy.upstream.requests


def test_every_command_on_the_files(folder):
    """Where no proxy runs they are opened: the same answers."""
    check(SESSION.read_text())


@pytest.mark.usefixtures("folder")
def test_every_command_where_nothing_is(environ):
    """It says so, makes nothing, and tells what is wrong with a call."""
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    check(ALONE.read_text())


CONFLICTS = """
$ recollect memories conflicts --user alice
⋮User's rent is new
⋮User's rent is old
⋮1 pending⋮

$ recollect memories settle new --replaces old
⋮

$ recollect memories conflicts --user alice
recollect: nothing is pending (user alice (tenant local))
[1]

$ recollect memories get old
⋮settled it by hand⋮

$ recollect memories restore old
⋮

$ recollect memories settle new --replaces nobody
recollect: there is no memory 'nobody'
[1]
"""


def test_conflicts(folder):
    """Shown with what each would replace, settled by hand, and restored."""
    asyncio.run(fill(folder, "old", "new"))
    check(CONFLICTS)
