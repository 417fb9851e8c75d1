"""What people type and read: docs/cli.md's session, and session.txt with every command."""

import asyncio
import contextlib
import io
import json
import re
import shlex
from pathlib import Path

import pytest

from recollect.proxy.cli import main
from tests.support.answering_upstream import answering_from

from .test_explain import Running, fill
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

GUIDE = Path(__file__).parents[3] / "docs" / "cli.md"
SESSION = Path(__file__).with_name("session.txt")
ALONE = Path(__file__).with_name("alone.txt")
FACT = "Ada takes her tea without sugar"
READS = re.compile(
    r"\$ recollect (memories (list|get|history|search|profile)|users|blocks (list|show|history)"
    r"|graph (entities|relations|merges|check)|upkeep (list|show)|topics) "
)
PLACES = re.compile(r"(…|⋮|<\w+>)")


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """A terminal as the guide's."""
    monkeypatch.setenv("COLUMNS", "100")


def steps_of(lines):
    """Each command with what it shows."""
    steps = []
    for line in lines:
        if line.startswith("$ recollect"):
            steps.append((line, []))
        elif steps:
            steps[-1][1].append(line)
    return [(command, "\n".join(shown).strip("\n")) for command, shown in steps]


def run(line):
    """What the command shows, its output and its messages in the order that a terminal has."""
    with io.StringIO() as screen:
        with contextlib.redirect_stdout(screen), contextlib.redirect_stderr(screen):
            try:
                status = main(shlex.split(line)[2:])
            except SystemExit as wrong:
                status = wrong.code
        return screen.getvalue().strip("\n") + (f"\n[{status}]" if status else "")


def pattern(expected, names, *, by_proxy):
    """The expression of what may be shown; a name is any word until it was seen."""
    found = ""
    for part in PLACES.split(expected):
        if part == "…":
            found += ".*"
        elif part == "⋮":
            found += r"[\s\S]*"
        elif PLACES.fullmatch(part):
            name = part[1:-1]
            new = name not in names and f"(?P<{name}>" not in found
            known = re.escape(names[name]) if name in names else f"(?P={name})"
            found += rf"(?P<{name}>[^\s`']+)" if new else known
        else:
            found += re.escape(part)
    if by_proxy:
        found = found.replace("recollect:\\ ", "recollect:\\ (the proxy at \\S+ says: )?")
        found = found.replace("\\[2\\]", "\\[[12]\\]")
    return found


def check(steps, *, by_proxy):
    """Run them; what they show has to be what is written."""
    names = {}
    for command, expected in steps:
        line = PLACES.sub(lambda place, known=names: known[place[1][1:-1]], command).replace(
            "\\e", "\x1b"
        )
        shown = run(line)
        match = re.fullmatch(pattern(expected, names, by_proxy=by_proxy), shown)
        assert match, f"{command}\n{shown}"
        names |= match.groupdict()
        if READS.match(line + " "):
            printed = run(f"{line} --json").removesuffix("\n[1]")
            assert all(isinstance(json.loads(row), dict) for row in rows_of(printed)), printed
            assert bool(rows_of(printed)) is (not expected.endswith("]")), command


def rows_of(printed):
    """Without messages to the person."""
    return [row for row in printed.splitlines() if row.startswith("{")]


async def test_the_guide_shows_what_happens(environ):
    """Every command of the session shows the lines below it."""
    script = answering_from(lambda text: "Without sugar." if FACT in text else "I do not know.")
    section = GUIDE.read_text().split("\n## A session\n")[1].split("\n## ")[0]
    lines = section.replace("ID --yes", "<id> --yes").replace("ADD  …", "ADD  <id>", 1).splitlines()
    steps = steps_of([line[4:] for line in lines if line.startswith("    ") or not line])
    assert len(steps) > 5
    async with Running(environ, script=script):
        await asyncio.to_thread(check, steps, by_proxy=True)


async def test_every_command_beside_a_proxy(environ):
    """It is asked, and what it says is shown."""
    async with Running(environ) as proxy:
        await asyncio.to_thread(check, steps_of(SESSION.read_text().splitlines()), by_proxy=True)
        assert not proxy.upstream.requests


def test_every_command_on_the_files(folder):
    """Where no proxy runs they are opened: the same answers."""
    check(steps_of(SESSION.read_text().splitlines()), by_proxy=False)


@pytest.mark.usefixtures("folder")
def test_every_command_where_nothing_is(environ):
    """It says so, makes nothing, and tells what is wrong with a call."""
    environ.setattr("recollect.proxy.telemetry.logs.configure_logging", lambda _level: None)
    check(steps_of(ALONE.read_text().splitlines()), by_proxy=False)


CONFLICTS = """
$ recollect memories conflicts --user alice
⋮User's rent is new
⋮User's rent is old
⋮1 pending⋮

$ recollect memories settle new --replaces old
⋮

$ recollect memories conflicts --user alice
recollect: nothing is pending for user alice (tenant local)
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
    check(steps_of(CONFLICTS.splitlines()), by_proxy=False)
