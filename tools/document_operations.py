"""Writes the tables of docs/api.md and docs/cli.md: each route and each command, what it takes.

The table of operations and the parser are the truth; a test fails when a page says otherwise.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from recollect.memory.operations.fields import is_idle
from recollect.memory.operations.operation import Operation
from recollect.memory.operations.scope import ScopeFields
from recollect.memory.query.arguments import QueryArguments
from recollect.proxy.access.rights import Right
from recollect.proxy.api.tables import ALL
from recollect.proxy.cli import command_line

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "api.md"
COMMANDS_PAGE = ROOT / "docs" / "cli.md"
_MARK = re.compile(r"(<!-- table: .*? -->\n).*?(<!-- end of table -->)", re.DOTALL)
_TOOLS = "/v1/memories/tools/"
_CHOICE = QueryArguments.__annotations__.keys()
"""Which memories are meant: docs/queries.md."""


def page(text: str, table: str) -> str:
    """The page with the table as it should be."""
    if not _MARK.search(text):
        raise ValueError("the page has no place for the table")
    return _MARK.sub(lambda found: f"{found[1]}\n{table}\n{found[2]}", text)


def routes() -> str:
    """A line for each route, by path."""
    lines = ["| route | right | takes | what it does |", "|---|---|---|---|"]
    lines += [
        f"| `{each.method} {each.path}` | {each.right.word} | {_takes(each)} | {each.summary} |"
        for each in sorted(ALL, key=lambda one: (one.path, one.method))
        if is_listed(each)
    ]
    return "\n".join(lines) + "\n"


def is_listed(operation: Operation) -> bool:
    """Whether it is neither mem0's, nor the call of one tool, nor a page."""
    elsewhere = operation.summary.startswith("mem0: ") or operation.path.startswith(_TOOLS)
    return not elsewhere and operation.right is not Right.NONE


def _takes(operation: Operation) -> str:
    """Its fields; a scope is one, and what chooses nothing is none."""
    ids = set(ScopeFields.model_fields)
    names = [
        name if field.is_required() else f"{name}?"
        for name, field in operation.fields.items()
        if name not in ids and not is_idle(field)
    ]
    scope = ["scope"] if ids <= operation.fields.keys() else []
    if operation.fields.keys() >= _CHOICE:
        names = [*(name for name in names if name.rstrip("?") not in _CHOICE), "choice?"]
    return f"`{', '.join([*scope, *names])}`" if scope or names else ""


def commands() -> str:
    """A line for each command, with its actions, in the order of `recollect --help`."""
    lines = ["| command | what it does | actions |", "|---|---|---|"]
    lines += [
        f"| `{' '.join([name, *words])}` | {told} | {', '.join(f'`{each}`' for each in actions)} |"
        for name, words, told, actions in _commands(command_line())
    ]
    return "\n".join(lines) + "\n"


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, list[str], str, list[str]]]:
    for shown, below in _parts(parser):
        actions = [" ".join([each.dest, *_words(inner)]) for each, inner in _parts(below)]
        told = str(shown.help).replace("%%", "%")
        yield f"recollect {shown.dest}", [] if actions else list(_words(below)), told, actions


def _parts(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[argparse.Action, argparse.ArgumentParser]]:
    for group in (each for each in parser._actions if isinstance(each, argparse._SubParsersAction)):
        for shown in group._choices_actions:
            yield shown, group.choices[shown.dest]


def _words(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What stands behind it; `--help` has the options."""
    for each in parser._actions:
        if not each.option_strings:
            shown = each.metavar or each.dest.upper()
            yield f"[{shown}]" if each.nargs in ("?", "*") else str(shown)


def main() -> int:
    """Write the pages; with --check, only say whether they are as they should be."""
    stale = 0
    for path, table in ((PAGE, routes()), (COMMANDS_PAGE, commands())):
        text = path.read_text("utf-8")
        written = page(text, table)
        if written == text:
            continue
        stale = 1
        if "--check" in sys.argv:
            print(f"{path.name} is out of date: run `make docs`")
        else:
            path.write_text(written, "utf-8")
    return stale if "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
