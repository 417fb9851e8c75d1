"""Refuses files of another format before anything is opened, so that nothing of them is changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..database import format_noted
from ..model.errors import FormatError
from ..model.format import FORMAT, refusal
from .options import EngineOptions

_BEFORE = 1
_EARLIER = ("state.db", "history.db", "graph.db")
"""The files of format 1 and of what was before it."""


def refuse_other_formats(options: EngineOptions) -> None:
    """Return if the files that are there are of the format of this version.

    Raises:
        FormatError: one is of another format; names the folder, its files, and what to do.
    """
    found = {path: number for path, number in _formats(options) if number != FORMAT}
    if not found:
        return
    first = next(iter(found))
    alike = [
        path.name
        for path, number in found.items()
        if (path.parent, number) == (first.parent, found[first])
    ]
    raise FormatError(refusal(f"{first.parent} ({', '.join(alike)})", found[first]))


def _formats(options: EngineOptions) -> Iterator[tuple[Path, int]]:
    file = options.database.file
    if file is not None:
        yield file, format_noted(file)
        for name in _EARLIER:
            path = file.with_name(name)
            if path != file and path.exists():
                yield path, min(format_noted(path), _BEFORE)
