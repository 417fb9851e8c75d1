"""`recollect packs`: check language files, begin a new one, show what they read in a text."""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.language import LanguagePack

    from .base import Commands

_CODE = re.compile(r"[a-z]{2,3}")
_WIDTH = 100


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``packs check``, ``packs new`` and ``packs explain``."""
    parser = commands.add_parser("packs", help="check language files, begin one, explain a text")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser(
        "check", parents=[shared], help="say what is wrong, what is missing and what collides"
    )
    check.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="or a folder of files")
    new = actions.add_parser("new", parents=[shared], help="write an annotated, empty file")
    new.add_argument("code", metavar="CODE", help="of the language, in ISO 639: pl")
    new.add_argument("--name", help="in English: Polish")
    new.add_argument("--script", default="latin", help="what it is written in (latin)")
    new.add_argument(
        "--folder", type=Path, help="where to write it (language.packs, else this folder)"
    )
    explain = actions.add_parser(
        "explain", parents=[shared], help="show what every judgement reads in a text"
    )
    explain.add_argument("text", metavar="TEXT")
    explain.add_argument(
        "--all", action="store_true", help="the terms of all languages, not of the likely ones"
    )
    explain.add_argument("--json", action="store_true", help="print the explanation as JSON")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Run the action; 1 if a file is bad or exists already, 2 for a wrong call."""
    if options.action == "new":
        return _new(settings, options)
    if options.action == "explain":
        return _explain(settings, options)
    return _check(options.paths)


def _explain(settings: Settings, options: argparse.Namespace) -> int:
    from recollect.memory.engine.opening import use_language_packs
    from recollect.memory.model.errors import InvalidInputError
    from recollect.memory.model.types import utc_now

    from .packs_explain import explained, render

    # A shell may pass arguments that are not UTF-8.
    text = options.text.encode("utf-8", "replace").decode()
    now = utc_now().astimezone()
    try:
        with use_language_packs(settings):
            found = explained(text, settings.learn.redact, now, everywhere=options.all)
    except InvalidInputError as error:
        say(f"recollect: {error}")
        return 1
    show(json.dumps(found, ensure_ascii=False, indent=2) if options.json else render(found))
    return 0


def _new(settings: Settings, options: argparse.Namespace) -> int:
    from recollect.memory.language import packs
    from recollect.memory.language.authoring import MODEL, skeleton
    from recollect.memory.language.pack import SCRIPTS

    if not _CODE.fullmatch(options.code):
        say(f"recollect: CODE: expected two or three lower-case letters, not {options.code!r}")
        return 2
    if options.script not in SCRIPTS:
        say(f"recollect: --script: expected one of {', '.join(sorted(SCRIPTS))}")
        return 2
    known = packs()
    shipped = known.get(options.code)
    name = options.name or (shipped.name if shipped else options.code)
    script = shipped.script if shipped else options.script
    folder = (options.folder or settings.language.packs or Path()).expanduser()
    path = folder / f"{options.code}.toml"
    if path.exists():
        say(f"recollect: {path} exists; nothing was changed")
        return 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(skeleton(options.code, name, script, known[MODEL]))
    except OSError as error:
        say(f"recollect: {path} cannot be written: {error.strerror}")
        return 1
    say(f"written to {path}; fill it in, then run `recollect packs check {path}`")
    if shipped:
        say(f"{name} is shipped already: what you write is added to it")
    return 0


def _check(paths: Sequence[Path]) -> int:
    from recollect.memory.language import PackError, packs
    from recollect.memory.language.pack_reader import read_file

    failed = False
    for path in _files(paths):
        try:
            pack = read_file(path)
        except PackError as error:
            show(str(error))
            failed = True
        else:
            show("\n".join(_report(path, pack, packs())))
    for path in paths:
        if path.is_dir() and not any(path.glob("*.toml")):
            show(f"{path}: there is no file *.toml")
            failed = True
    return 1 if failed else 0


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.glob("*.toml"))
        else:
            yield path


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
