"""Checks of the arguments of public methods. Pure.

Every check raises InvalidInputError, which names the field.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, TypeVar

from .errors import InvalidInputError
from .quantities import moment_of, number_of, whole_of
from .types import MemoryType
from .usage import Feedback

T = TypeVar("T")

DEFAULT_LIMIT = 100
DEFAULT_ANSWERED = 10
"""Memories that an answer is sought in."""
MAX_LIMIT = 10_000
DEFAULT_ITERATIONS, MAX_ITERATIONS = 3, 5
"""Of a thorough search (`deep_recall`)."""
DEFAULT_PROPOSAL = 20
"""Memories in a proposal to forget: as many as a person will read."""
MAX_TEXT_CHARS = 16_000
"""For one memory: fits the stores' text column in any script."""
MAX_ID_CHARS = 128
"""For a memory's id: fits the stores' column in any script."""
MAX_REASON_CHARS = 2000
"""Of the reason of a feedback."""
FEEDBACK = tuple(one.value for one in Feedback)
MAX_METADATA_BYTES = 32_000
"""For one call, as JSON: half of the stores' column, because an update adds to what is there."""
MAX_WORDINGS = 10
"""Other wordings of one query."""
MAX_WHOLE = 2**62
"""Counters and positions; stores keep 64 bits."""
MAX_SECONDS = 86_400
"""For one call."""
MAX_METADATA_LEVELS = 32
"""Nesting depth of objects and lists."""


def check_text(field: str, text: object) -> None:
    """A memory's text: not empty, not too long, and storable."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidInputError(field, "expected some text")
    if len(text) > MAX_TEXT_CHARS:
        raise InvalidInputError(field, f"must have at most {MAX_TEXT_CHARS} characters")
    check_unicode(field, text)


def check_query(query: object, field: str = "query") -> None:
    """A search query, or a question: not empty."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidInputError(field, "expected some text")
    check_unicode(field, query)


def checked_feedback(feedback: object) -> Feedback:
    """One of `FEEDBACK`."""
    if not isinstance(feedback, str) or feedback not in FEEDBACK:
        raise InvalidInputError("feedback", f"expected one of {', '.join(FEEDBACK)}")
    return Feedback(feedback)


def check_reason(reason: object) -> None:
    """Why, in some words, or None."""
    _check_words("reason", reason, MAX_REASON_CHARS)


def check_note(field: str, note: object) -> None:
    """Some words of a caller, or None."""
    if note is not None:
        check_query(note, field)
        _check_words(field, note, MAX_REASON_CHARS)


def _check_words(field: str, words: object, most: int) -> None:
    if words is None:
        return
    if not isinstance(words, str):
        raise InvalidInputError(field, "expected text")
    if len(words) > most:
        raise InvalidInputError(field, f"must have at most {most} characters")
    check_unicode(field, words)


def check_unicode(field: str, text: str) -> None:
    """No lone surrogates: JSON can hold them, but no store, model or embedder accepts them."""
    if not is_unicode(text):
        raise InvalidInputError(field, "must be valid Unicode text")


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can encode the text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_storable(memory_id: str) -> bool:
    """Whether a memory can have this id; for any other id the store is not asked."""
    return len(memory_id) <= MAX_ID_CHARS and "\0" not in memory_id and is_unicode(memory_id)


def check_metadata(metadata: object) -> None:
    """An object that survives a JSON round trip unchanged, or None."""
    if metadata is None:
        return
    if not isinstance(metadata, Mapping):
        raise InvalidInputError("metadata", "expected an object with text keys")
    try:
        size = len(json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError, RecursionError):
        raise InvalidInputError("metadata", "expected what JSON can hold") from None
    if size > MAX_METADATA_BYTES:
        raise InvalidInputError("metadata", f"must have at most {MAX_METADATA_BYTES} bytes as JSON")
    _check_levels(metadata)


def _check_levels(metadata: Mapping[str, Any]) -> None:
    """Limit the depth, so that code that copies or reads it later cannot overflow its stack."""
    level: list[Any] = [metadata]
    for _ in range(MAX_METADATA_LEVELS):
        objects = [each for each in level if isinstance(each, Mapping)]
        if not all(isinstance(key, str) for each in objects for key in each):
            raise InvalidInputError("metadata", "expected an object with text keys")
        lists = [each for each in level if isinstance(each, (list, tuple))]
        level = [inner for each in objects for inner in each.values()]
        level += [inner for each in lists for inner in each]
    if any(isinstance(each, (Mapping, list, tuple)) for each in level):
        most = f"must have at most {MAX_METADATA_LEVELS} levels"
        raise InvalidInputError("metadata", most)


def check_threshold(threshold: object) -> None:
    """A score, or None."""
    _check_share("threshold", threshold)


def check_wordings(field: str, texts: Any) -> None:
    """Some more texts to search for; a single string is refused."""
    check_ids(field, texts)
    if len(texts) > MAX_WORDINGS:
        raise InvalidInputError(field, f"expected at most {MAX_WORDINGS} texts")
    for text in texts:
        check_text(field, text)


def checked_limit(limit: object, name: str = "limit") -> int:
    """How many results."""
    found = whole_of(limit, 1, MAX_LIMIT)
    if found is None:
        raise InvalidInputError(name, f"expected a whole number from 1 to {MAX_LIMIT}")
    return found


def most(limit: object, top_k: object, usual: int) -> int:
    """How many results, by either of two names; None stands for the `usual`."""
    given = either("limit", limit, "top_k", top_k)
    if given is None:
        return usual
    return checked_limit(given, "limit" if top_k is None else "top_k")


def either(name: str, value: T, other: str, value_of_other: T) -> T:
    """The value of one argument with two names; None if neither is given."""
    if value is not None and value_of_other is not None:
        raise InvalidInputError(other, f"is given beside {name}, which means the same")
    return value_of_other if value is None else value


def checked_timeout(timeout: object, usual: float) -> float:
    """Seconds, at most a day; None stands for the `usual`."""
    if timeout is None:
        return usual
    number = number_of(timeout)
    if number is None or not 0 < number <= MAX_SECONDS:
        raise InvalidInputError(
            "timeout", f"expected a number of seconds, more than 0 and at most {MAX_SECONDS}"
        )
    return float(number)


def check_version_number(version: object) -> None:
    """A memory's version as a number or an ETag, or None."""
    if version is None or (isinstance(version, str) and version):
        return
    if whole_of(version, 1, MAX_WHOLE) is None:
        raise InvalidInputError("version", "expected a whole number from 1 on, or an ETag")


def check_ids(field: str, ids: Any) -> None:
    """A list of ids; a single string is refused, although it is iterable."""
    listed = isinstance(ids, Collection) and not isinstance(ids, (str, bytes, Mapping))
    if not listed or not all(isinstance(each, str) for each in ids):
        raise InvalidInputError(field, "expected a list of texts")


def checked_type(kind: MemoryType | str | None) -> MemoryType | None:
    """A type by name; None stays None."""
    try:
        return None if kind is None else MemoryType(kind)
    except ValueError:
        names = ", ".join(each.value for each in MemoryType)
        raise InvalidInputError("type", f"expected one of {names}") from None


def check_importance(importance: object) -> None:
    """A share from 0 to 1, or None."""
    _check_share("importance", importance)


def _check_share(field: str, share: object) -> None:
    number = number_of(share)
    if share is not None and (number is None or not 0 <= number <= 1):
        raise InvalidInputError(field, "expected a number from 0 to 1")


def checked_moment(timestamp: object) -> datetime:
    """A time with its offset from UTC; one without a zone is taken as UTC.

    It is a `datetime`, ISO 8601, or seconds since the epoch.
    """
    aware = moment_of(timestamp)
    if aware is None:
        raise InvalidInputError("timestamp", "expected ISO 8601 or seconds since the epoch")
    return aware


def check_token(token: object) -> None:
    """A token of a proposal."""
    if not isinstance(token, str):
        raise InvalidInputError("token", "expected text")
