r"""Commands as they are typed, each with the lines that it prints below it.

`…` is what differs from run to run, `⋮` any lines, `<name>` a word that is the same wherever it
stands, `\e` an escape, and `[1]` an exit status; a proxy's answer to a wrong call is 1, not 2.
"""

import contextlib
import io
import json
import re
import shlex

from recollect.proxy.cli import main

READS = re.compile(
    r"\$ recollect (memories (list|search|profile)|users|blocks (list|show|history)"
    r"|graph (entities|relations|merges|check)|upkeep (list|show)|topics) "
)
PLACES = re.compile(r"(…|⋮|<\w+>)")


def steps_of(text):
    """Each command with what it shows."""
    steps = []
    for line in text.splitlines():
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
    for part in PLACES.split(expected.replace("\\e", "\x1b")):
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


def check(text, *, by_proxy=False, **names):
    """Run its commands; what they show has to be what is written. `names` are words known before."""
    steps = steps_of(text)
    assert steps
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
