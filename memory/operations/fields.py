"""What the models of requests are made of: their base, their types, and what a refusal says.

A model is the only description of a body or a query: requests are read by it, and the OpenAPI
document comes from it. A field of `SkipValidation` is only described by its model: the library
judges it, and names the part that is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError
from pydantic_core.core_schema import no_info_plain_validator_function

from ..model.errors import InvalidInputError
from ..model.inputs import check_unicode
from ..model.quantities import moment_of
from ..model.suggestions import nearest

MAX_SHOWN = 60
"""Characters of a name that a refusal repeats."""
ACCEPTED = object()
"""Marks a field that has a value to be judged, and chooses nothing."""
_NOTHING: tuple[Any, ...] = (None, "", [], {})
_WORD = re.compile(r"'([^']*)'")


class RequestModel(BaseModel):
    """Base of all models of a body or a query: nothing is converted, and nothing else is taken."""

    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)


def about(description: str, default: Any = None, **more: Any) -> Any:
    """A field that may be left out."""
    return Field(default, description=description, **more)


def needed(description: str, **more: Any) -> Any:
    """A field that must be there; `title` says what is expected."""
    return Field(description=description, **more)


def whole(description: str, *, high: int, default: int | None) -> Any:
    """A whole number from 1 to `high`."""
    return about(description, default, ge=1, le=high)


def word(description: str, default: Any = None, **more: Any) -> Any:
    """One of the words of an enumeration, which JSON has as texts."""
    return about(description, default, strict=False, **more)


def judged(judge: Callable[[str, Any], Any]) -> BeforeValidator:
    """Read a value by a function of its field's name and the value, with its refusal."""

    def read(value: Any, info: ValidationInfo) -> Any:
        try:
            return judge(str(info.field_name), value)
        except InvalidInputError as error:
            raise _wrong(error.expected) from None

    return BeforeValidator(read)


def _wrong(text: str) -> PydanticCustomError:
    return PydanticCustomError("judged", text)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(name, "expected text")
    check_unicode(name, value)
    return value


def moment(name: str, value: Any) -> Any:
    """A time from seconds since the epoch or ISO 8601; None stays None."""
    found = moment_of(value)
    if found is None and value is not None:
        raise InvalidInputError(name, "expected ISO 8601 or seconds since the epoch")
    return found


def storable(value: Any) -> Any:
    """Anything that can be kept and sent: JSON can hold lone surrogates, UTF-8 cannot."""
    try:
        json.dumps(value, ensure_ascii=False, default=BaseModel.model_dump).encode()
    except UnicodeEncodeError:
        raise _wrong("must be valid Unicode text") from None
    except RecursionError:
        raise _wrong("has too many levels") from None
    return value


TEXT = judged(_text)
Text = Annotated[str, TEXT]
Moment = Annotated[
    Any,
    judged(moment),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "number"}, {"type": "null"}]}
    ),
]
Object = Annotated[dict[str, Any], AfterValidator(storable)]


@dataclass(frozen=True, slots=True)
class Idle:
    """Marks a field that is accepted and chooses nothing; `why` says what does instead."""

    why: str

    def __get_pydantic_core_schema__(self, *_: object) -> CoreSchema:
        return no_info_plain_validator_function(storable)

    def __get_pydantic_json_schema__(self, *_: object) -> dict[str, Any]:
        return {"description": f"Accepted; chooses nothing: {self.why}"}


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Marks a field that must be empty or `harmless`: ignored, it would do something else."""

    instead: str
    harmless: tuple[Any, ...] = ()

    def __get_pydantic_core_schema__(self, *_: object) -> CoreSchema:
        return no_info_plain_validator_function(self._read)

    def __get_pydantic_json_schema__(
        self, _core: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        allowed = [*_NOTHING, *self.harmless]
        return {"enum": allowed, "description": f"Not supported: {self.instead}"}

    def _read(self, value: Any) -> None:
        allowed = (*_NOTHING, *self.harmless)
        if not any(type(value) is type(each) and value == each for each in allowed):
            raise _wrong(f"is not supported: {self.instead}")


@cache
def fields_of(model: type[RequestModel] | None) -> dict[str, FieldInfo]:
    """The fields of a model by the names that requests have."""
    found = {} if model is None else model.model_fields
    return {field.alias or name: field for name, field in found.items()}


@cache
def _attributes_of(model: type[RequestModel]) -> tuple[tuple[str, str], ...]:
    """The names that requests have, and those of the attributes."""
    return tuple(zip(fields_of(model), model.model_fields, strict=True))


def is_idle(field: FieldInfo) -> bool:
    """Whether it chooses nothing: clients of other servers send it, and no handler reads it."""
    last = field.metadata[-1] if field.metadata else None
    return isinstance(last, Idle | Unsupported) or last is ACCEPTED


def values_of(model: type[RequestModel], said: Mapping[str, Any]) -> dict[str, Any]:
    """What a handler gets of the fields that are there and of those that are not.

    Raises InvalidInputError, which names the field.
    """
    try:
        read = model.model_validate(said)
    except ValidationError as error:
        [first, *_] = error.errors(include_url=False, include_input=False)
        name = str(first["loc"][0])
        raise InvalidInputError(name, _expected(first, fields_of(model)[name])) from None
    attributes = vars(read)
    return {name: attributes[attribute] for name, attribute in _attributes_of(model)}


def _expected(error: ErrorDetails, field: FieldInfo) -> str:
    """What was expected of a field, for people."""
    kind, place, context = error["type"], error["loc"], error.get("ctx", {})
    bounds: dict[type, Any] = {type(each): each for each in field.metadata}
    if kind == "judged":
        return error["msg"]
    if len(place) > 1 and MinLen in bounds:
        return _expected_in_item(kind, str(place[-1]))
    if kind == "missing":
        return f"expected {field.title or 'a value'}"
    if Ge in bounds:
        return f"expected a whole number from {bounds[Ge].ge} to {bounds[Le].le}"
    if MinLen in bounds:
        least, most = bounds[MinLen].min_length, bounds[MaxLen].max_length
        return f"expected a list of {least} to {most} objects"
    if kind in {"enum", "literal_error"}:
        return f"expected one of {', '.join(_WORD.findall(context['expected']))}"
    if kind == "string_type" and len(place) > 1:
        kind = "list_type"
    return _EXPECTED.get(kind, "expected another value").format_map(context)


_EXPECTED = {
    "bool_type": "expected true or false",
    "dict_type": "expected an object",
    "float_type": "expected a number",
    "int_type": "expected a whole number",
    "list_type": "expected a list of texts",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must have {min_length} or more characters",
    "string_type": "expected text",
    "string_unicode": "must be valid Unicode text",
    "too_long": "expected at most {max_length}",
}
"""By pydantic's type of an error."""


def _expected_in_item(kind: str, name: str) -> str:
    """The same of an object in a list, and of a field of it."""
    if kind == "extra_forbidden":
        return f"has a key that is not known: {name[:MAX_SHOWN]!r}"
    if kind == "dict_type":
        return "expected an object"
    if kind == "string_type" and name != "memory_id":
        return "expected texts"
    return "expected objects with a memory_id"


def unknown_field(
    name: str, here: Collection[str], there: Collection[str], place: str
) -> InvalidInputError:
    """The refusal of the field `name`; it names the nearest known field.

    `here` are the fields where it was found, `there` the operation's fields in the other `place`,
    the query or the body.
    """
    if name in there:
        return InvalidInputError(name, f"belongs in the {place}")
    shown = name[:MAX_SHOWN].encode("utf-8", "replace").decode()
    elsewhere = set(there) - set(here)
    near = nearest(name[:MAX_SHOWN], sorted({*here, *there}))
    if near is not None:
        where = f", in the {place}" if near in elsewhere else ""
        return InvalidInputError(shown, f"there is no such field; did you mean {near}{where}?")
    known = ", ".join(sorted(here))
    return InvalidInputError(
        shown, f"there is no such field; known are {known}" if known else "there is no such field"
    )
