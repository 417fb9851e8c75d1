"""Reads the fields of a JSON object strictly: every refusal names the field. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from ..model.errors import InvalidInputError
from ..model.inputs import MAX_ID_CHARS, MAX_WHOLE, check_unicode, is_storable
from ..model.quantities import moment_of, number_of, whole_of

E = TypeVar("E", bound=StrEnum)
MAX_CHARS = 16_000
"""For a text beside the memory itself."""
MAX_LISTED = 10_000


class Fields:
    """An object, of which each field is taken once. Raises InvalidInputError."""

    def __init__(self, where: str, value: object) -> None:
        if not isinstance(value, Mapping):
            raise InvalidInputError(where or "line", "expected an object")
        self._where = where
        self._left = dict(value)

    def take(self, name: str) -> Any:
        """The value as it is; None if it is missing."""
        return self._left.pop(name, None)

    def has(self, name: str) -> bool:
        """Whether the field has a value that is not taken yet."""
        return self._left.get(name) is not None

    def name_of(self, name: str) -> str:
        """The field with the names of those around it."""
        return f"{self._where}.{name}" if self._where else name

    def done(self) -> None:
        """Refuse what was not taken: a mistyped name would change what is read."""
        if self._left:
            raise InvalidInputError(self.name_of(min(self._left)), "is unknown")

    def text(self, name: str, *, most: int = MAX_CHARS) -> str:
        found = self.text_or_none(name, most=most)
        if found is None:
            raise self._wrong(name, "expected text")
        return found

    def text_or_none(self, name: str, *, most: int = MAX_CHARS) -> str | None:
        value = self.take(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self._wrong(name, "expected text")
        if len(value) > most:
            raise self._wrong(name, f"must have at most {most} characters")
        check_unicode(self.name_of(name), value)
        return value

    def id(self, name: str) -> str:
        found = self.id_or_none(name)
        if found is None:
            raise self._wrong(name, "expected an id")
        return found

    def id_or_none(self, name: str) -> str | None:
        found = self.take(name)
        if found is None:
            return None
        if not isinstance(found, str) or not found or not is_storable(found):
            raise self._wrong(name, f"expected an id of at most {MAX_ID_CHARS} characters")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        values = self.take(name)
        if values is None:
            return ()
        listed = isinstance(values, list) and len(values) <= MAX_LISTED
        if not listed or not all(isinstance(each, str) for each in values):
            raise self._wrong(name, "expected a list of texts")
        for each in values:
            check_unicode(self.name_of(name), each)
        return tuple(values)

    def ids(self, name: str) -> tuple[str, ...]:
        found = self.texts(name)
        if not all(each and is_storable(each) for each in found):
            raise self._wrong(name, "expected a list of ids")
        return found

    def whole(self, name: str, *, least: int, default: int, most: int = MAX_WHOLE) -> int:
        found = whole_of(self._left.pop(name, default), least, most)
        if found is None:
            to = "on" if most == MAX_WHOLE else f"to {most}"
            raise self._wrong(name, f"expected a whole number from {least} {to}")
        return found

    def number(self, name: str, default: float) -> float:
        """From 0 to 1."""
        found = number_of(self._left.pop(name, default))
        if found is None or not 0 <= found <= 1:
            raise self._wrong(name, "expected a number from 0 to 1")
        return float(found)

    def flag(self, name: str) -> bool:
        value = self._left.pop(name, False)
        if not isinstance(value, bool):
            raise self._wrong(name, "expected true or false")
        return value

    def word(self, name: str, kind: type[E]) -> E:
        found = self.word_or_none(name, kind)
        if found is None:
            raise self._wrong(name, f"expected one of {_words(kind)}")
        return found

    def word_or_none(self, name: str, kind: type[E]) -> E | None:
        value = self.take(name)
        try:
            return None if value is None else kind(value)
        except ValueError:
            raise self._wrong(name, f"expected one of {_words(kind)}") from None

    def moment(self, name: str) -> datetime:
        found = self.moment_or_none(name)
        if found is None:
            raise self._wrong(name, "expected a time in ISO 8601 with its offset")
        return found

    def moment_or_none(self, name: str) -> datetime | None:
        value = self.take(name)
        if value is None:
            return None
        found = moment_of(value, zone=True) if isinstance(value, str) else None
        if found is None:
            raise self._wrong(name, "expected a time in ISO 8601 with its offset")
        return found if found.tzinfo is UTC else found.astimezone(UTC)

    def scores(self, name: str) -> dict[str, float]:
        """Finite numbers by name."""
        values = self.take(name)
        if values is None:
            return {}
        if not isinstance(values, dict) or None in map(number_of, values.values()):
            raise self._wrong(name, "expected an object of numbers")
        for each in values:
            check_unicode(self.name_of(name), each)
        return dict(values)

    def _wrong(self, name: str, expected: str) -> InvalidInputError:
        return InvalidInputError(self.name_of(name), expected)


def _words(kind: type[StrEnum]) -> str:
    return ", ".join(each.value for each in kind)
