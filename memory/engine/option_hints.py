"""Suggests keys for an unknown one, or for a value that stands where keys belong. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ..model.nearest import nearest

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
