"""What is said of options that cannot be used: the key, and what was expected.

Pure. A value in the wrong place may be a secret, so no message repeats one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from .nearest import nearest

_LIKE_BESIDE = 0.65
_LIKE_ELSEWHERE = 0.75
"""Least similarity (0 to 1) of a key that is suggested: of the same section, of another one."""
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
    "literal_error": "expected {expected}",
    "union_tag_invalid": "expected the backend {expected_tags}",
    "union_tag_not_found": "expected keys below it",
    "missing": "expected a value",
}
"""By the beginning of pydantic's type of an error; the longest that fits."""


def explained(error: ValidationError, model: type[BaseModel]) -> str:
    """One line for each problem."""
    lines = []
    for problem in error.errors(include_url=False, include_input=False):
        key = ".".join(_key(problem["loc"], model))
        lines.append(f"{key or 'configuration'}: {_message(problem, key, model)}")
    return "\n".join(lines)


def without_empty_sections(values: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """The values without sections that have none: `recall:` with all its lines commented out."""
    kept = dict(values)
    for name, field in model.model_fields.items():
        sections = _sections(field.annotation)
        if not sections or name not in kept:
            continue
        if kept[name] is None and not _may_be_none(field.annotation):
            del kept[name]
        elif isinstance(kept[name], Mapping) and len(sections) == 1:
            kept[name] = without_empty_sections(kept[name], sections[0])
    return kept


def _key(location: tuple[int | str, ...], model: type[BaseModel]) -> list[str]:
    """The key as it was given: pydantic inserts the chosen backend after a part with several."""
    top, *below = map(str, location or ("",))
    field = model.model_fields.get(top)
    return [top, *(below[1:] if field is not None and field.discriminator else below)]


def _message(problem: ErrorDetails, key: str, model: type[BaseModel]) -> str:
    kind = problem["type"]
    if kind == "extra_forbidden":
        near = _meant(key, set(_keys(model)))
        return f"unknown key; did you mean {near}?" if near else "unknown key"
    fits = [beginning for beginning in _EXPECTED if kind.startswith(beginning)]
    if not fits:
        return problem["msg"].removeprefix("Value error, ")
    return _EXPECTED[max(fits, key=len)].format_map(problem.get("ctx", {}))


def _meant(key: str, known: set[str]) -> str | None:
    """The known key that `key` is most like: with other separators, of its section, elsewhere."""
    if same := nearest(key, sorted(known), cutoff=1):
        return same
    section, _, name = key.rpartition(".")
    beside = {each.rpartition(".")[2] for each in known if each.rpartition(".")[0] == section}
    if near := nearest(name, sorted(beside), cutoff=_LIKE_BESIDE):
        return f"{section}.{near}" if section else near
    return nearest(key, sorted(known), cutoff=_LIKE_ELSEWHERE)


def _keys(model: type[BaseModel]) -> Iterator[str]:
    """Every dotted key below a model, sections included."""
    for name, field in model.model_fields.items():
        yield name
        for section in _sections(field.annotation):
            yield from (f"{name}.{below}" for below in _keys(section))


def _sections(annotation: Any) -> list[type[BaseModel]]:
    """The models that a field may hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [section for part in get_args(annotation) for section in _sections(part)]


def _may_be_none(annotation: Any) -> bool:
    return type(None) in get_args(annotation)
