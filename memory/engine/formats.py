"""Refuses files of another format before anything is opened, so that nothing of them is changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..model.errors import FormatError
from ..model.format import FORMAT, refusal
from ..state import format_noted
from .options import EngineOptions


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
    files = [options.state.file, options.history.file]
    if options.graph.enabled:  # otherwise the file is removed
        files.append(options.history.graph_file)
    for path in files:
        if path is not None:
            yield path, format_noted(path)
