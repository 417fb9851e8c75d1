"""The messages about options that cannot be used: the key, and what was expected.

Pure. A value in the wrong place may be a secret, so no message repeats one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..model.suggestions import nearest
from .mem0_config import KEYS_HERE

_EXPECTED = {
    "int": "expected a whole number",
    "float": "expected a number",
    "bool": "expected true or false",
    "string": "expected text",
    "path": "expected a path",
    "list": "expected a list",
    "tuple": "expected a list",
    "dict": "expected keys with values",
    "model": "expected keys below it",
    "finite": "expected a finite number",
    "greater_than_equal": "expected at least {ge:g}",
    "greater_than": "expected more than {gt:g}",
    "less_than_equal": "expected at most {le:g}",
    "less_than": "expected less than {lt:g}",
    "too_short": "expected at least {min_length:g}",
    "too_long": "expected at most {max_length:g}",
    "literal_error": "expected {expected}",
    "union_tag_invalid": "expected the backend {expected_tags}",
    "union_tag_not_found": "expected keys below it",
    "missing": "expected a value",
}
"""By the beginning of pydantic's type of an error; the longest that fits."""

_SECTIONS = frozenset({"model_type", "model_attributes_type", "union_tag_not_found"})
"""pydantic's types of an error for a value where keys belong."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One option that cannot be used, as a line for people: its key and what was expected."""

    path: tuple[str, ...]
    text: str
    instead: tuple[str, ...] = ()
    """The keys that may have been meant; the text names them."""

    @property
    def key(self) -> str:
        return ".".join(self.path)

    def __str__(self) -> str:
        return f"{self.key or 'configuration'}: {self.text}"


def problems_of(error: ValidationError, model: type[BaseModel]) -> list[Problem]:
    """Each problem that pydantic found."""
    return [
        problem
        for each in error.errors(include_url=False)
        for problem in _problems(each, tuple(_key(each["loc"], model)), model)
    ]


def without_empty_sections(values: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """The values without sections that have none: `recall:` with all its lines commented out."""
    kept = dict(values)
    for name, field in model.model_fields.items():
        sections = sections_of(field.annotation)
        if not sections or name not in kept:
            continue
        if kept[name] is None and type(None) not in get_args(field.annotation):
            del kept[name]
        elif isinstance(kept[name], Mapping) and len(sections) == 1:
            kept[name] = without_empty_sections(kept[name], sections[0])
    return kept


def without(values: Mapping[str, Any], paths: Iterable[Sequence[str]]) -> dict[str, Any]:
    """The values but for what is at these paths; of a list, the whole is left out."""
    kept = dict(values)
    for path in paths:
        name, below = (path[0] if path else ""), path[1:]
        if below and isinstance(kept.get(name), Mapping):
            kept[name] = without(kept[name], [below])
        else:
            kept = {key: value for key, value in kept.items() if str(key) != name}
    return kept


def _key(location: tuple[int | str, ...], model: type[BaseModel]) -> list[str]:
    """The key as it was given: pydantic inserts the chosen backend after a part with several."""
    top, *below = map(str, location or ("",))
    field = model.model_fields.get(top)
    return [top, *(below[1:] if field is not None and field.discriminator else below)]


def _problems(found: ErrorDetails, path: tuple[str, ...], model: type[BaseModel]) -> list[Problem]:
    if found["type"] != "extra_forbidden":
        return [_problem(found, path, model)]
    key = ".".join(path)
    if key in KEYS_HERE:
        return [Problem(path, f"unknown key: it {KEYS_HERE[key]}")]
    near = meant(key, model)
    return [
        Problem(path, f"unknown key; did you mean {_or(near)}?" if near else "unknown key", near)
    ]


def _problem(found: ErrorDetails, path: tuple[str, ...], model: type[BaseModel]) -> Problem:
    kind = found["type"]
    text = _expected(found)
    keys = likely(path, found["input"], model) if kind in _SECTIONS else ()
    return Problem(path, f"{text}, such as {_or(keys)}" if keys else text, keys)


def _expected(found: ErrorDetails) -> str:
    fits = [beginning for beginning in _EXPECTED if found["type"].startswith(beginning)]
    if not fits:
        return found["msg"].removeprefix("Value error, ")
    return _EXPECTED[max(fits, key=len)].format_map(found.get("ctx", {}))


def _or(keys: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(keys[:-1]), keys[-1])))


MOST = 3
"""Keys that are suggested at most."""
_LIKE_BESIDE = 0.65
_LIKE_ELSEWHERE = 0.75
"""Least similarity (0 to 1) of a key that is suggested: of the same section, of another one."""
_ANYTHING = "x"
"""A text that is no number, choice, address or switch: a key that takes it takes every text."""
_WORD_ENDS = re.compile(r"[._-]")


def meant(key: str, model: type[BaseModel]) -> tuple[str, ...]:
    """The known keys that `key` may stand for, the likeliest first; empty if none is like it.

    First those with other separators, then those that end with its words (`port`: `listen.port`),
    then the one that is spelled most like it, of its section before others.
    """
    known = list(dict.fromkeys(keys_of(model)))
    if same := nearest(key, known, cutoff=1):
        return (same,)
    section, _, name = key.rpartition(".")
    if ending := _ending(name, [each for each in known if each.startswith(section)]):
        return ending
    beside = {each.rpartition(".")[2] for each in known if each.rpartition(".")[0] == section}
    if near := nearest(name, sorted(beside), cutoff=_LIKE_BESIDE):
        return (f"{section}.{near}" if section else near,)
    elsewhere = nearest(key, sorted(known), cutoff=_LIKE_ELSEWHERE)
    return (elsewhere,) if elsewhere else ()


def likely(path: Sequence[str], value: object, model: type[BaseModel]) -> tuple[str, ...]:
    """The keys of the section at `path` that `value` may have been meant for.

    Those that take it and not every text: an address is taken by few keys. If there are none, those
    that take it at all, then the section's first ones.
    """
    if isinstance(value, (Mapping, list)):
        return ()
    key, sections = ".".join(path), _at(path, model)
    leaves = [
        (f"{key}.{name}", section, name)
        for section in sections
        for name, field in section.model_fields.items()
        if not sections_of(field.annotation)
    ]
    taking = [each for each, section, name in leaves if _takes(section, name, value)]
    choosy = [each for each, section, name in leaves if not _takes(section, name, _ANYTHING)]
    special = [each for each in taking if each in choosy]
    found = special or taking or [each for each, _, _ in leaves]
    # The switch of a section is what "on" and "off" are meant for.
    found.sort(key=lambda each: not each.endswith(".enabled"))
    return tuple(dict.fromkeys(found))[:MOST]


def keys_of(model: type[BaseModel]) -> Iterator[str]:
    """Every dotted key below a model, sections included."""
    for name, field in model.model_fields.items():
        yield name
        for section in sections_of(field.annotation):
            yield from (f"{name}.{below}" for below in keys_of(section))


def sections_of(annotation: Any) -> list[type[BaseModel]]:
    """The models that a field may hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [section for part in get_args(annotation) for section in sections_of(part)]


def _ending(name: str, known: Collection[str]) -> tuple[str, ...]:
    """The keys that end with the words of `name`, perhaps with others between; short ones first."""
    found = [key for key in known if _ends_with(_WORD_ENDS.split(key), name)]
    return tuple(sorted(found, key=lambda key: key.count("."))[:MOST])


def _ends_with(words: Sequence[str], name: str) -> bool:
    *before, last = _WORD_ENDS.split(name.casefold())
    if last == words[-1] and _in_order(before, words[:-1]):
        return True
    joined = "".join(filter(str.isalnum, name.casefold()))
    return any(joined == "".join(words[begin:]) for begin in range(len(words)))


def _in_order(wanted: Sequence[str], words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(word in rest for word in wanted)


def _at(path: Sequence[str], model: type[BaseModel]) -> list[type[BaseModel]]:
    sections = [model]
    for name in path:
        fields = [
            section.model_fields[name] for section in sections if name in section.model_fields
        ]
        sections = [below for field in fields for below in sections_of(field.annotation)]
    return sections


def _takes(section: type[BaseModel], name: str, value: object) -> bool:
    try:
        section.model_validate({name: value})
    except ValidationError as error:
        return all(problem["loc"][:1] != (name,) for problem in error.errors())
    return True
