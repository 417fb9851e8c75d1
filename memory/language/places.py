"""Where the sections, keys and values of a TOML text stand, so that an error can name the line.

The text is known to be TOML. Tables in braces are not looked into: their key has the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Path = tuple[str, ...]
"""The names of a section and of a key in it: `("people", "kin", "mother")`."""

_SECTION = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"\s*([\w\"'][^=#]*?)\s*=\s*(.*)")
_LONG = re.compile(r"'''|\"\"\"")


class Places:
    """The lines of a text, from 1."""

    def __init__(self, text: str) -> None:
        self._keys: dict[Path, int] = {}
        self._values: dict[Path, int] = {}
        for path, line, value in _keys(text):
            self._keys.setdefault(path, line)
            self._values.setdefault(path, value)

    def line(self, path: Path, row: int | None = None) -> int:
        """The line of a key or section, or of a row of its value; 1 if it is nowhere."""
        if row is not None and path in self._values:
            return self._values[path] + row
        while path and path not in self._keys:
            path = path[:-1]
        return self._keys.get(path, 1)


def _keys(text: str) -> Iterator[tuple[Path, int, int]]:
    """Each section and key with its line, and the line on which its value begins."""
    section: Path = ()
    closing = ""
    for line, content in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if closing in content else closing
        elif head := _SECTION.match(content):
            section = _names(head[1])
            yield section, line, line
        elif pair := _KEY.match(content):
            opened = _LONG.match(pair[2])
            if opened and opened[0] not in pair[2][3:]:
                closing = opened[0]
            # A line end just behind the quotes is no part of the value.
            begins = line + 1 if closing and not pair[2][3:].strip() else line
            yield (*section, *_names(pair[1])), line, begins


def _names(dotted: str) -> Path:
    return tuple(name.strip().strip("\"'") for name in dotted.split("."))
