"""The messages about options that cannot be used: the key, and what was expected.

Pure. A value in the wrong place may be a secret, so no message repeats one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from .option_hints import likely, meant, sections_of

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
    found = error.errors(include_url=False)
    return [_problem(each, tuple(_key(each["loc"], model)), model) for each in found]


def without_empty_sections(values: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """The values without sections that have none: `recall:` with all its lines commented out."""
    kept = dict(values)
    for name, field in model.model_fields.items():
        sections = sections_of(field.annotation)
        if not sections or name not in kept:
            continue
        if kept[name] is None and not _may_be_none(field.annotation):
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


def _problem(found: ErrorDetails, path: tuple[str, ...], model: type[BaseModel]) -> Problem:
    kind = found["type"]
    if kind == "extra_forbidden":
        near = meant(".".join(path), model)
        return Problem(
            path, f"unknown key; did you mean {_or(near)}?" if near else "unknown key", near
        )
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


def _may_be_none(annotation: Any) -> bool:
    return type(None) in get_args(annotation)
