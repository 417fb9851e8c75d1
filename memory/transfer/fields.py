"""Reads the fields of a JSON object strictly: every refusal names the field. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from ..errors import InvalidInputError
from ..inputs import MAX_ID_CHARS, check_unicode, is_storable

E = TypeVar("E", bound=StrEnum)
MAX_WHOLE = 2**62
"""Counters and positions; stores keep 64 bits."""
MAX_CHARS = 16_000
"""Of a text beside the memory itself."""
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

    def whole(self, name: str, *, least: int, default: int) -> int:
        value = self._left.pop(name, default)
        fits = isinstance(value, int) and not isinstance(value, bool)
        if not fits or not least <= value <= MAX_WHOLE:
            raise self._wrong(name, f"expected a whole number from {least} on")
        return int(value)

    def number(self, name: str, default: float) -> float:
        """From 0 to 1."""
        value = self._left.pop(name, default)
        fits = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not fits or not 0 <= value <= 1:
            raise self._wrong(name, "expected a number from 0 to 1")
        return float(value)

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
        try:
            found = datetime.fromisoformat(value)
            return found if found.tzinfo is UTC else _aware(found).astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(name, "expected a time in ISO 8601 with its offset") from None

    def scores(self, name: str) -> dict[str, float]:
        """Finite numbers by name."""
        values = self.take(name)
        if values is None:
            return {}
        numbers = isinstance(values, dict) and all(
            isinstance(each, (int, float)) and not isinstance(each, bool) and math.isfinite(each)
            for each in values.values()
        )
        if not numbers:
            raise self._wrong(name, "expected an object of numbers")
        for each in values:
            check_unicode(self.name_of(name), each)
        return dict(values)

    def _wrong(self, name: str, expected: str) -> InvalidInputError:
        return InvalidInputError(self.name_of(name), expected)


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("no offset")
    return moment


def _words(kind: type[StrEnum]) -> str:
    return ", ".join(each.value for each in kind)
