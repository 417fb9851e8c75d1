"""What was probably meant by a path or a field that does not exist. Pure.

`/v1/memories/serach` is read as the memory with the id `serach`: what is then wrong with the
request is true, but no help. An unknown field is most likely a mistake, too: ignored, a mistyped
scope id would delete the memories of a larger scope.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from urllib.parse import unquote

_CUTOFF = 0.75
"""Least similarity (0 to 1) of a segment that is a slip. Ids have far less with any name."""


def did_you_mean(paths: Iterable[str], raw_path: str) -> str:
    """The words to add to a refusal; empty if no path is nearly the one that was asked for.

    `paths` are those of the operations, with ids in braces.
    """
    asked, paths = [unquote(piece) for piece in raw_path.removesuffix("/").split("/")], tuple(paths)
    if "/".join(asked) in paths:
        return ""
    found = max(_near(paths, asked), default=(0.0, ""))
    return f"; did you mean {found[1]}?" if found[1] else ""


def _near(paths: Sequence[str], asked: Sequence[str]) -> Iterator[tuple[float, str]]:
    """Paths in which one name differs by a slip, with how like it is."""
    known = {path.rpartition("/")[2] for path in paths if "{" in path}
    """Names behind an id, which nobody wrote by mistake."""
    for path in paths:
        names = path.split("/")
        if len(names) != len(asked):
            continue
        fixed = [pair for pair in zip(names, asked, strict=True) if not pair[0].startswith("{")]
        others = [pair for pair in fixed if pair[0] != pair[1]]
        if any(name in known for _, name in others):
            continue
        [alike, *more] = [*starmap(_likeness, others), 0.0]
        if len(more) == 1 and alike >= _CUTOFF:
            yield alike, path


def _likeness(name: str, asked: str) -> float:
    return difflib.SequenceMatcher(None, name, asked[: 2 * len(name)].casefold()).ratio()
