"""What a tool is: its name, its schemas, who may call it, and what it changes. Pure."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from .surface import Bound

Run = Callable[[Bound, Any], Awaitable[Mapping[str, Any]]]


class Tier(StrEnum):
    """The part of memory that a tool works on."""

    WORKING = "working"
    """Blocks, which are always in the prompt."""
    SEMANTIC = "semantic"
    """Facts."""
    EPISODIC = "episodic"
    """What happened."""
    SESSION = "session"
    """What was said, by whom."""
    PROFILE = "profile"
    """What is known about the user as a person."""


class ToolGuard(StrEnum):
    """Who may call a tool."""

    READ = "read"
    """Whoever may read."""
    WRITE = "write"
    """Whoever may write."""
    PERSON = "person"
    """Whoever may write, if a person says so: a model may have been talked into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What a call changes; the names are those of MCP's annotations."""

    read_only: bool = False
    destructive: bool = False
    """Whether something that was there is not shown any more."""
    idempotent: bool = False
    """Whether the same call again changes nothing more."""


READS = Effects(read_only=True, idempotent=True)
ADDS = Effects()
REPLACES = Effects(destructive=True)


class ToolArguments(BaseModel):
    """What a call takes. A field's description is for the model that calls."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One thing that an agent may do. The scope is never an argument."""

    name: str
    title: str
    description: str
    """For the model that calls: what it does, and when to call it."""
    tier: Tier
    guard: ToolGuard
    effects: Effects
    arguments: type[ToolArguments]
    answer: Any
    """The TypedDict of a successful answer."""
    run: Run
    needs_model: bool = False
    """Whether it asks a chat model, so that it is offered only where there is one."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments: an object that allows no others.

        Lengths are checked, and not part of it: a model server that turns schemas into a grammar
        (llama.cpp) refuses every tool of a request if one of them has a long `maxLength`.
        """
        return _plain(self.arguments.model_json_schema())

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of its answer, of the type ``object``."""
        return _plain(TypeAdapter(self.answer).json_schema())


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The answer of a call: a value, or an error that says what to do."""

    value: Mapping[str, Any]
    error: str | None = None
    """Why it was refused or failed; None if it succeeded."""

    @property
    def is_error(self) -> bool:
        return self.error is not None

    @property
    def text(self) -> str:
        """The same as compact JSON; an error as ``{"error": ...}``."""
        told = self.value if self.error is None else {"error": self.error}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def refused(error: str) -> ToolAnswer:
    """The answer of a call that did nothing."""
    return ToolAnswer({}, error)


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without references and without the names of our classes."""
    definitions = schema.pop("$defs", {})
    return {name: _inlined(value, definitions) for name, value in _untitled(schema).items()}


def _inlined(value: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_inlined(each, definitions) for each in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        named = definitions[value["$ref"].rsplit("/", 1)[-1]]
        beside = {name: each for name, each in value.items() if name != "$ref"}
        return _inlined({**named, **beside}, definitions)
    return {name: _inlined(each, definitions) for name, each in _untitled(value).items()}


_LEFT_OUT = ("title", "maxLength")


def _untitled(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Without the titles that pydantic makes, and without lengths; a property may be called so."""
    return {
        name: each
        for name, each in schema.items()
        if name not in _LEFT_OUT or isinstance(each, dict)
    }
