"""Reads the fields of a JSON object strictly: every refusal names the field. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from enum import StrEnum
from typing import Any

from ..model.errors import InvalidInputError
from ..model.inputs import MAX_ID_CHARS, MAX_WHOLE, check_unicode, is_storable
from ..model.quantities import moment_of, number_of, whole_of
from ..model.scope import SCOPE_IDS
from ..model.types import Scope

MAX_CHARS = 16_000
"""For a text beside the memory itself."""
MAX_LISTED = 10_000


Take = Callable[..., Any]
"""Takes a field of `Fields` by its name; None if it is missing. For one that must not be it is
given `required`."""


class Fields:
    """An object, of which each field is taken once. Raises InvalidInputError."""

    def __init__(self, where: str, value: object) -> None:
        if not isinstance(value, Mapping):
            raise InvalidInputError(where or "line", "expected an object")
        self._where = where
        self._left = dict(value)

    def read(self, required: Mapping[str, Take], optional: Mapping[str, Take]) -> dict[str, Any]:
        """All that is left; of the optional ones those that are there and have a value.

        A field that nobody takes is refused: a mistyped name would change what is read.
        """
        found = {name: take(self, name, required=True) for name, take in required.items()}
        there = {name: take(self, name) for name, take in optional.items() if name in self._left}
        if self._left:
            raise self.wrong(min(self._left), "is unknown")
        return found | {name: value for name, value in there.items() if value is not None}

    def take(self, name: str) -> Any:
        """The value as it is; None if it is missing."""
        return self._left.pop(name, None)

    def name_of(self, name: str) -> str:
        """The field with the names of those around it."""
        return f"{self._where}.{name}" if self._where else name

    def wrong(self, name: str, expected: str) -> InvalidInputError:
        """The refusal of a field."""
        return InvalidInputError(self.name_of(name), expected)

    def scope_in(self, said: dict[str, Any], tenant: str) -> Scope:
        """The scope with the ids among what was read, which are taken out of it."""
        try:
            return Scope(tenant=tenant, **{name: said.pop(name, None) for name in SCOPE_IDS})
        except InvalidInputError as error:
            raise self.wrong(error.field, error.expected) from None

    def text(self, name: str, *, required: bool = False, most: int = MAX_CHARS) -> str | None:
        value = self.take(name)
        if value is None and not required:
            return None
        if not isinstance(value, str):
            raise self.wrong(name, "expected text")
        if len(value) > most:
            raise self.wrong(name, f"must have at most {most} characters")
        check_unicode(self.name_of(name), value)
        return value

    def id(self, name: str, *, required: bool = False) -> str | None:
        value = self.take(name)
        if value is None and required:
            raise self.wrong(name, "expected an id")
        if value is not None and not (isinstance(value, str) and value and is_storable(value)):
            raise self.wrong(name, f"expected an id of at most {MAX_ID_CHARS} characters")
        return value

    def texts(self, name: str) -> tuple[str, ...] | None:
        if (values := self.take(name)) is None:
            return None
        listed = isinstance(values, list) and len(values) <= MAX_LISTED
        if not listed or not all(isinstance(each, str) for each in values):
            raise self.wrong(name, "expected a list of texts")
        for each in values:
            check_unicode(self.name_of(name), each)
        return tuple(values)

    def ids(self, name: str) -> tuple[str, ...] | None:
        found = self.texts(name)
        if not all(each and is_storable(each) for each in found or ()):
            raise self.wrong(name, "expected a list of ids")
        return found

    def whole(self, name: str, *, least: int = 0, most: int = MAX_WHOLE, **_how: bool) -> int:
        found = whole_of(self.take(name), least, most)
        if found is None:
            to = "on" if most == MAX_WHOLE else f"to {most}"
            raise self.wrong(name, f"expected a whole number from {least} {to}")
        return found

    def number(self, name: str) -> float:
        """From 0 to 1."""
        found = number_of(self.take(name))
        if found is None or not 0 <= found <= 1:
            raise self.wrong(name, "expected a number from 0 to 1")
        return float(found)

    def flag(self, name: str) -> bool:
        value = self.take(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "expected true or false")
        return value

    def moment(self, name: str, *, required: bool = False) -> Any:
        value = self.take(name)
        if value is None and not required:
            return None
        found = moment_of(value, zone=True) if isinstance(value, str) else None
        if found is None:
            raise self.wrong(name, "expected a time in ISO 8601 with its offset")
        return found if found.tzinfo is UTC else found.astimezone(UTC)

    def scores(self, name: str) -> dict[str, float] | None:
        """Finite numbers by name."""
        if (values := self.take(name)) is None:
            return None
        if not isinstance(values, dict) or None in map(number_of, values.values()):
            raise self.wrong(name, "expected an object of numbers")
        for each in values:
            check_unicode(self.name_of(name), each)
        return dict(values)


def word(kind: type[StrEnum]) -> Take:
    """Takes one of the words of an enumeration."""

    def take(fields: Fields, name: str, *, required: bool = False) -> StrEnum | None:
        value = fields.take(name)
        if value is None and not required:
            return None
        try:
            return kind(value)
        except ValueError:
            words = ", ".join(each.value for each in kind)
            raise fields.wrong(name, f"expected one of {words}") from None

    return take
