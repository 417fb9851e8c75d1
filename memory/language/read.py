"""Reads a pack from a file; what is wrong is said with its file and line."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import regex

from .fields import Kind, Named, Rows, Terms
from .pack import SCRIPTS, LanguagePack

NONE = "-"
"""A row without terms."""
_HEADER = ("code", "name", "script")
_CODE = regex.compile(r"[a-z]{2,3}")
_BREAK = regex.compile(r"[,\n]")
_AT_LINE = regex.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")


class PackError(ValueError):
    """A file is not a pack: its name, the line (0 if there is none), and what was expected."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}" if line else f"{file}: {problem}")
        self.file, self.line, self.problem = file, line, problem


def read_file(path: Path) -> LanguagePack:
    """The pack of a file, whose name is the language's code.

    Raises:
        PackError: it cannot be read, or is not a pack.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PackError(path.name, 0, f"cannot be read: {error.strerror}") from None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PackError(path.name, line, "expected UTF-8") from None
    pack = read_pack(text, path.name)
    if path.stem != pack.code:
        raise PackError(
            path.name, _line(text, "code"), f"expected code = {path.stem!r}, as the file is named"
        )
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
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at and at[1] else text.count("\n") + 1
        raise PackError(file, line, _AT_LINE.sub("", str(error))) from None
    return _Reader(text, file).pack(tables)


class _Reader:
    """Turns the tables of one file into a pack."""

    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._values: dict[Kind, Callable[..., Any]] = {
            Kind.TERMS: self._terms, Kind.ROWS: self._rows,
            Kind.NAMED: self._named, Kind.FLAG: self._flag,
        }  # fmt: skip

    def pack(self, tables: Mapping[str, Any]) -> LanguagePack:
        sections = {f.name: f for f in fields(LanguagePack) if f.name not in _HEADER}
        for name in tables:
            if name not in sections and name not in _HEADER:
                known = ", ".join((*_HEADER, *sections))
                raise self._error(f"unknown section {name!r}; there are {known}", name)
        self._check_header(tables)
        values = {
            name: self._section(name, section, tables[name])
            for name, section in sections.items()
            if name in tables
        }
        header = {name: tables[name] for name in _HEADER}
        return LanguagePack(**header, **values)

    def _check_header(self, tables: Mapping[str, Any]) -> None:
        for name in _HEADER:
            if not isinstance(tables.get(name), str) or not tables[name]:
                raise self._error(f'expected {name} = "..." before the first section', name)
        if not _CODE.fullmatch(tables["code"]):
            raise self._error("code: expected two or three lower-case letters (ISO 639)", "code")
        if tables["script"] not in SCRIPTS:
            raise self._error(f"script: expected one of {', '.join(sorted(SCRIPTS))}", "script")

    def _section(self, name: str, section: Field[Any], table: object) -> Any:
        if not isinstance(table, Mapping):
            raise self._error(f"expected a section [{name}]", name)
        made = section.default_factory
        assert callable(made)  # noqa: S101 - every section of `LanguagePack` has one
        empty = made()
        known = {f.name: f for f in fields(empty)}
        values: dict[str, Any] = {}
        for key, value in table.items():
            if key not in known:
                raise self._error(
                    f"[{name}] has no {key!r}; it has {', '.join(known)}", key, section=name
                )
            spec = known[key].metadata
            values[key] = self._values[spec["kind"]](value, spec, name, key)
        return replace(empty, **values)

    def _terms(self, value: object, spec: Mapping[str, Any], name: str, key: str) -> Terms:
        del spec
        found = self._split(value, name, key)
        self._no_duplicate(found, name, key)
        return found

    def _rows(self, value: object, spec: Mapping[str, Any], name: str, key: str) -> Rows:
        if not isinstance(value, str):
            raise self._error(f"[{name}] {key}: expected text", key, section=name)
        lines = [line for line in value.split("\n") if line.strip()]
        if spec["size"] not in (None, len(lines)):
            raise self._error(
                f"[{name}] {key}: {len(lines)} rows, expected {spec['size']}", key, section=name
            )
        found = tuple(
            () if line.strip() == NONE else self._split(line, name, key) for line in lines
        )
        for row in found:
            self._no_duplicate(row, name, key)
        return found

    def _named(self, value: object, spec: Mapping[str, Any], name: str, key: str) -> Named:
        if not isinstance(value, Mapping):
            raise self._error(f"expected a table [{name}.{key}]", key, section=name)
        unknown = set(value) - (spec["names"] or set(value))
        if unknown:
            known = ", ".join(sorted(spec["names"]))
            raise self._error(
                f"[{name}.{key}] has no {min(unknown)!r}; it has {known}", min(unknown),
                section=f"{name}.{key}",
            )  # fmt: skip
        found = {one: self._split(text, f"{name}.{key}", one) for one, text in value.items()}
        for one, words in found.items():
            self._no_duplicate(words, f"{name}.{key}", one)
        return found

    def _flag(self, value: object, spec: Mapping[str, Any], name: str, key: str) -> bool:
        del spec
        if not isinstance(value, bool):
            raise self._error(f"[{name}] {key}: expected true or false", key, section=name)
        return value

    def _split(self, value: object, section: str, key: str) -> Terms:
        if not isinstance(value, str):
            raise self._error(f"[{section}] {key}: expected text", key, section=section)
        return tuple(term for part in _BREAK.split(value) if (term := " ".join(part.split())))

    def _no_duplicate(self, found: Iterable[str], section: str, key: str) -> None:
        seen = set()
        for term in found:
            if term.casefold() in seen:
                raise self._error(
                    f"[{section}] {key}: {term!r} is given twice", key, section=section, term=term
                )
            seen.add(term.casefold())

    def _error(self, problem: str, key: str, *, section: str = "", term: str = "") -> PackError:
        return PackError(self._file, _line(self._text, key, section, term), problem)


def _line(text: str, key: str, section: str = "", term: str = "") -> int:
    """The line of a section's key, or of the last place of `term` in its value; 1 if unknown."""
    at = 0
    if section:
        head = regex.search(rf"(?m)^\s*\[{regex.escape(section)}\]", text)
        at = head.end() if head else 0
    found = regex.compile(rf"(?m)^\s*(?:\[)?[\"']?{regex.escape(key)}[\"']?\s*[=\]]").search(
        text, at
    )
    if found is None:
        return text.count("\n", 0, at) + 1
    at = found.start() + len(found[0]) - len(found[0].lstrip())
    if term:
        end = regex.compile(r"(?m)^\s*(?:\[|[\w\"'-]+\s*=)").search(text, found.end())
        stop = end.start() if end else len(text)
        places = [m.start() for m in regex.finditer(
            rf"(?<![^,\n'\"]){regex.escape(term)}(?=\s*(?:[,\n'\"]|$))|(?<=[,\n'\"]\s*){regex.escape(term)}(?=\s*(?:[,\n'\"]|$))",
            text[found.end():stop], flags=regex.IGNORECASE)]  # fmt: skip
        at = found.end() + places[-1] if places else at
    return text.count("\n", 0, at) + 1


def extended(base: LanguagePack, more: LanguagePack) -> LanguagePack:
    """`base` with the terms of `more`; an ordered list (months) of `more` replaces the other."""
    merged: dict[str, Any] = {"name": more.name}
    for section in fields(base):
        value = getattr(base, section.name)
        if is_dataclass(value):
            merged[section.name] = _together(value, getattr(more, section.name))
    return replace(base, **merged)


def _together(base: Any, more: Any) -> Any:
    return replace(
        base,
        **{f.name: _joined(getattr(base, f.name), getattr(more, f.name), f) for f in fields(base)},
    )


def _joined(base: Any, more: Any, spec: Field[Any]) -> Any:
    kind = spec.metadata["kind"]
    if not more:
        return base
    if kind is Kind.TERMS:
        return tuple(dict.fromkeys((*base, *more)))
    if kind is Kind.ROWS and spec.metadata["size"] is None:
        return (*base, *more)
    if kind is Kind.NAMED:
        return {
            name: tuple(dict.fromkeys((*base.get(name, ()), *more.get(name, ()))))
            for name in {**base, **more}
        }
    return more
