"""Wrong requests of an operation, made from its signature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin

from annotated_types import Le, MaxLen
from pydantic.fields import FieldInfo

from recollect.memory.operations.declaring import Declared

DEEP: dict[str, Any] = {}
for _ in range(100):
    DEEP = {"a": DEEP}
VALID = {
    "label": "plan",
    "messages": "x",
    "conversation_id": "c",
    "to": {"user_id": "b"},
    "feedback": "positive",
    "decision": "keep",
    "kind": "consolidate",
}
"""Values of needed fields that a text does not do for; `plan` is a block."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A request with one wrong field."""

    kind: str
    field: str
    asked: dict[str, Any]


def right(declared: Declared, memory_id: str) -> dict[str, Any]:
    """A request without a mistake, as far as its types tell."""
    values = {**VALID, "memory_id": memory_id}
    return {
        name: values.get(name, "x")
        for name, (_, default) in declared.fields.items()
        if default is ... or name in values
    }


def left_out(declared: Declared, memory_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Requests without a field that is needed, and one with a field that there is not."""
    asked = right(declared, memory_id)
    for name, (_, default) in declared.fields.items():
        if default is ...:
            yield name, {field: said for field, said in asked.items() if field != name}
    yield "nonsense", {**asked, "nonsense": "x"}


def mistakes(declared: Declared, memory_id: str) -> Iterator[Mistake]:
    """One request for each way in which each field can be wrong."""
    asked = right(declared, memory_id)
    for name, (kind, _) in declared.fields.items():
        plain, marks = taken_apart(kind)
        for which, value in wrong(plain, marks):
            yield Mistake(which, name, {**asked, name: value})


def wrong(plain: Any, marks: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Values that a field of a type does not take."""
    if plain is str or get_origin(plain) is list:
        yield "type", 7
    if plain in (int, float, bool) or get_origin(plain) in (dict, Literal):
        yield "type", "wrong"
    if isinstance(plain, type) and issubclass(plain, Enum):
        yield "type", "wrong"
    if get_origin(plain) is dict:
        yield "deep", DEEP
    for mark in marks:
        if isinstance(mark, Le) and isinstance(mark.le, int):
            yield "large", mark.le + 1
        if isinstance(mark, MaxLen) and plain is str:
            yield "large", "x" * (mark.max_length + 1)
        if isinstance(mark, MaxLen) and get_origin(plain) is list:
            yield "large", ["x"] * (mark.max_length + 1)


def taken_apart(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type without None, and all that is said of it."""
    marks: tuple[Any, ...] = ()
    while True:
        if get_origin(kind) is Annotated:
            kind, *said = get_args(kind)
            marks += tuple(
                mark
                for one in said
                for mark in (one.metadata if isinstance(one, FieldInfo) else [one])
            )
        elif type(None) in get_args(kind):
            [kind, *_] = [each for each in get_args(kind) if each is not type(None)]
        else:
            return kind, marks
