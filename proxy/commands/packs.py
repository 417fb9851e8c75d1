"""`recollect packs check`: what is wrong with language files, what they lack and what collides."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .terminal import show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.language import LanguagePack

    from .arguments import CommandLine

_WIDTH = 100


def fill(parser: CommandLine) -> None:
    """Register ``packs check``."""
    check = parser.actions().add_parser(
        "check", help="say what is wrong, what is missing and what collides"
    )
    check.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="or a folder of files")


def run(_settings: Settings, options: argparse.Namespace) -> int:
    """1 if a file is bad."""
    from recollect.memory.language import PackError, packs
    from recollect.memory.language.pack_reader import read_file

    failed = False
    for path in (file for each in options.paths for file in _files(each)):
        try:
            show("\n".join(_report(path, read_file(path), packs())))
        except PackError as error:
            show(str(error))
            failed = True
    return 1 if failed else 0


def _files(path: Path) -> list[Path]:
    return (sorted(path.glob("*.toml")) if path.is_dir() else []) or [path]


def _report(path: Path, pack: LanguagePack, known: Mapping[str, LanguagePack]) -> Iterator[str]:
    from recollect.memory.language.authoring import review
    from recollect.memory.language.pack import extended
    from recollect.memory.language.registry import SHIPPED

    found = review(pack, known)
    counts = ", ".join(f"{section} {count}" for section, count in found.terms.items())
    yield f"{path}: {pack.name}, {sum(found.terms.values())} terms: {counts}"
    collisions: Sequence[str] = found.collisions
    if pack.code in known and path.resolve().parent != SHIPPED.resolve():
        shipped = known[pack.code]
        yield f"  adds to the shipped {shipped.name}"
        found = review(extended(shipped, pack), known)
        before = {*review(shipped, known).collisions}
        collisions = [line for line in found.collisions if line not in before]
    for section, names in found.missing.items():
        yield from _wrapped(f"missing: [{section}] {', '.join(names)}")
    for line in collisions:
        yield from _wrapped(f"look at {line}")


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, _WIDTH, initial_indent="  ", subsequent_indent="    ")
