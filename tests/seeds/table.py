"""The audit of the seed documents: a table each, a row for each line that asks for something."""

from __future__ import annotations

import ast
import functools
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from tests.support.syntax import parsed

ROOT = Path(__file__).parents[2]
STATUSES = ("holds", "partly", "differs")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a document, in our words, and what shows whether the product does it."""

    document: str
    section: str
    says: str
    status: str
    shown: tuple[str, ...] = ()
    """Tests as `tests/…/test_x.py::test_name`, commands as one types them."""
    why: str = ""

    @classmethod
    def read(cls, document: str, fields: dict[str, str | list[str]]) -> Row:
        """The row of a table; a TypeError names a field that is missing or unknown."""
        shown = tuple(fields.pop("shown", ()))
        return cls(document, shown=shown, **fields)  # type: ignore[arg-type]


def documents() -> dict[str, list[Row]]:
    """The rows by document, in the order of the file."""
    return {
        path.stem: [
            Row.read(path.stem, fields) for fields in tomllib.loads(path.read_text("utf-8"))["row"]
        ]
        for path in sorted(Path(__file__).parent.glob("*.toml"))
    }


def unshown(row: Row) -> Iterator[str]:
    """What the row names and is not there: a test of that name in that file, a target of make."""
    for shown in row.shown:
        file, found, name = shown.partition("::")
        if found:
            yield from () if name in tests_of(file) else (shown,)
        elif shown.startswith("make "):
            target = f"\n{shown.split()[1]}:"
            yield from () if target in (ROOT / "Makefile").read_text("utf-8") else (shown,)
        elif not shown.startswith("recollect "):
            yield shown


@functools.cache
def tests_of(file: str) -> frozenset[str]:
    """The names of the tests of a file, within a class as `TestClass::test_name`."""
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    return frozenset(_names(parsed(path.read_text("utf-8")).body, ""))


def _names(body: list[ast.stmt], owner: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _names(node.body, f"{owner}{node.name}::")
        elif _is_test(node):
            yield owner + node.name


def _is_test(node: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return isinstance(node, kinds) and node.name.startswith("test_")
