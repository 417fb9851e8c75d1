"""Reads a pack from a file; what is wrong is said with its file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from ..model.errors import InvalidInputError
from .pack import SCRIPTS, LanguagePack
from .syntax import NONE, Kind, Named, Rows, Terms, lines_of, problem_of, rows_of, terms_in


class PackError(InvalidInputError):
    """A file is not a pack: its name, the line (0 if there is none), and what was expected."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}" if line else file, problem)
        self.file, self.line, self.problem = file, line, problem


_Place = tuple[str, ...]
"""The names of a section and of a key in it: `("people", "kin", "mother")`."""

_SECTION = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"\s*([\w\"'][^=#]*?)\s*=\s*(.*)")
_LONG = re.compile(r"'''|\"\"\"")


class Places:
    """The lines of a text, from 1."""

    def __init__(self, text: str) -> None:
        self._keys: dict[_Place, int] = {}
        self._values: dict[_Place, int] = {}
        for path, line, value in _keys(text):
            self._keys.setdefault(path, line)
            self._values.setdefault(path, value)

    def line(self, path: _Place, row: int | None = None) -> int:
        """The line of a key or section, or of a row of its value; 1 if it is nowhere."""
        if row is not None and path in self._values:
            return self._values[path] + row
        while path and path not in self._keys:
            path = path[:-1]
        return self._keys.get(path, 1)


def _keys(text: str) -> Iterator[tuple[_Place, int, int]]:
    """Each section and key with its line, and the line on which its value begins."""
    section: _Place = ()
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


def _names(dotted: str) -> _Place:
    return tuple(name.strip().strip("\"'") for name in dotted.split("."))


HEADER = ("code", "name", "script")
SECTIONS = {f.name: f for f in fields(LanguagePack) if f.name not in HEADER}
_CODE = re.compile(r"[a-z]{2,3}")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")


def read_file(path: Path) -> LanguagePack:
    """The pack of a file, whose name is the language's code.

    Raises:
        PackError: it cannot be read, or is not a pack.
    """
    file = str(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PackError(file, 0, f"cannot be read: {error.strerror}") from None
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PackError(file, line, "expected UTF-8") from None
    pack = read_pack(text, file)
    if path.stem != pack.code:
        line = Places(text).line(("code",))
        raise PackError(file, line, f"expected code = {path.stem!r}, as the file is named")
    return pack


def read_pack(text: str, file: str) -> LanguagePack:
    """The pack that `text` describes; `file` names it in errors.

    Raises:
        PackError: the text is not a pack.
    """
    if not text.strip():
        raise PackError(file, 0, "the file is empty")
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # the parser raises more than its own error
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at and at[1] else text.count("\n") + 1
        raise PackError(file, line, _AT_LINE.sub("", str(error))) from None
    return _Reader(text, file).pack(tables)


class _Reader:
    """Turns the tables of one file into a pack."""

    def __init__(self, text: str, file: str) -> None:
        self._file, self._whole = file, text

    def pack(self, tables: Mapping[str, Any]) -> LanguagePack:
        for name in tables:
            if name not in SECTIONS and name not in HEADER:
                known = ", ".join((*HEADER, *SECTIONS))
                raise self._error(f"unknown section {name!r}; there are {known}", name)
        self._check_header(tables)
        header = {name: tables[name] for name in HEADER}
        sections = {name: self._section(name, tables[name]) for name in SECTIONS if name in tables}
        return LanguagePack(**header, **sections)

    def _check_header(self, tables: Mapping[str, Any]) -> None:
        for name in HEADER:
            if not isinstance(tables.get(name), str) or not tables[name]:
                raise self._error(f'expected {name} = "…" before the first section', name)
        if not _CODE.fullmatch(tables["code"]):
            raise self._error("code: expected two or three lower-case letters (ISO 639)", "code")
        if tables["script"] not in SCRIPTS:
            raise self._error(f"script: expected one of {', '.join(sorted(SCRIPTS))}", "script")

    def _section(self, name: str, table: object) -> Any:
        if not isinstance(table, Mapping):
            raise self._error(f"expected a section [{name}]", name)
        made = SECTIONS[name].default_factory
        assert callable(made)  # noqa: S101 - every section of `LanguagePack` has one
        known = {f.name: f for f in fields(made())}
        self._check_names(table, known, name)
        return type(made())(
            **{key: self._value(known[key], value, name, key) for key, value in table.items()}
        )

    def _value(self, spec: Field[Any], value: object, *path: str) -> Any:
        match spec.metadata["kind"]:
            case Kind.TERMS:
                return self._terms(value, *path)
            case Kind.ROWS:
                return self._rows(value, spec.metadata["size"], *path)
            case Kind.NAMED:
                return self._named(value, spec.metadata["names"], *path)
        if not isinstance(value, bool):
            raise self._error("expected true or false", *path)
        return value

    def _terms(self, value: object, *path: str) -> Terms:
        found: dict[str, None] = {}
        self._read_terms(self._text(value, *path), found, *path)
        return tuple(found)

    def _rows(self, value: object, size: int | None, *path: str) -> Rows:
        rows: list[dict[str, None]] = []
        for number, row in rows_of(self._text(value, *path)):
            rows.append({})
            if row != NONE:
                self._read_terms(row, rows[-1], *path, row=number)
        if rows and size not in (None, len(rows)):
            raise self._error(f"{len(rows)} rows, expected {size}", *path)
        return tuple(map(tuple, rows))

    def _named(self, value: object, names: frozenset[str] | None, *path: str) -> Named:
        if not isinstance(value, Mapping):
            raise self._error(f"expected a table [{'.'.join(path)}]", *path)
        if names is not None:
            self._check_names(value, names, *path)
        return {name: self._terms(text, *path, name) for name, text in value.items()}

    def _read_terms(self, text: str, found: dict[str, None], *path: str, row: int = 0) -> None:
        terms = [term for _, line in lines_of(text) for term in terms_in(line)]
        if len({*map(str.casefold, terms)}) == len(terms) and not any(map(problem_of, terms)):
            found.update(dict.fromkeys(terms))
            return
        seen: set[str] = set()
        for number, line in lines_of(text):
            for term in terms_in(line):
                wrong = problem_of(term) if term.casefold() not in seen else "it is given twice"
                if wrong:
                    raise self._error(f"{term!r}: {wrong}", *path, row=row + number)
                seen.add(term.casefold())
                found[term] = None

    def _text(self, value: object, *path: str) -> str:
        if not isinstance(value, str):
            raise self._error('expected text: "one, two, …"', *path)
        return value

    def _check_names(self, table: Mapping[str, Any], known: Any, *path: str) -> None:
        for name in table:
            if name not in known:
                has = ", ".join(known if isinstance(known, dict) else sorted(known))
                raise self._error(f"there is no such name; there are {has}", *path, name)

    def _error(self, problem: str, *path: str, row: int | None = None) -> PackError:
        """The error of a key at its line, or of a row of the key's value."""
        *section, key = path
        where = f"[{'.'.join(section)}] {key}: " if section else ""
        line = Places(self._whole).line(path, row)
        return PackError(self._file, line, f"{where}{problem}")
