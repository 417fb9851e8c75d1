"""What makes an operation a tool of agents: all that its signature cannot tell a model. Pure.

The arguments of a tool are the parameters of its function, its answer is the function's, narrowed
to what a model needs. A tool is a declared method of the library, or a function of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cache, cached_property, reduce
from operator import itemgetter, or_
from typing import Annotated, Any, NotRequired, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model
from typing_extensions import is_typeddict

from .declaring import IF_MATCH, LIBRARY_ONLY, As
from .scope import ScopeFields
from .signatures import hints_of, marks_of

Function = TypeVar("Function", bound=Callable[..., Awaitable[Any]])
_DECLARED = "tool"
_DIGITS = 3
"""Of a score that a model is told."""
_ID = ("id", Annotated[str, Field(description="The id of a fact, as a search returned it.")])
"""What a model knows a memory by."""


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


@dataclass(frozen=True, kw_only=True)
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


async def _as_it_is(told: Any) -> Any:
    return told


@dataclass(frozen=True, slots=True)
class Bound:
    """A memory, and the ids of the scope that every call is for."""

    memory: Any
    """An `AsyncMemory`."""
    ids: Mapping[str, str | None]
    """`user_id`, `agent_id` and `run_id`."""
    lines: Callable[..., Awaitable[Any]]
    """The lines of a question in this scope: `api.searching.lines_of`."""
    validates: bool = False
    """Whether a person answers for the calls."""
    sift: Callable[[Any], Awaitable[Any]] = _as_it_is
    """Takes out of an answer what a policy keeps from the model."""


class ToolArguments(BaseModel):
    """What a call takes. A field's description is for the model that calls."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


@dataclass(frozen=True, slots=True)
class Made:
    """Marks a member of an answer that is made of the whole; others are those of their names."""

    of: Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One thing that an agent may do. The scope is never an argument."""

    name: str
    title: str
    tier: Tier
    effects: Effects
    function: Callable[..., Awaitable[Any]]
    description: str
    """For the model that calls: what it does, and when to call it."""
    answer: Any
    """The TypedDict of a successful answer: what it is narrowed to."""
    takes: frozenset[str] | None = None
    """The parameters that are arguments, if some are for programs only."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """Those that have the same value in each call."""
    person: bool = False
    """Whether a person has to say yes."""
    needs_model: bool = False
    """Whether it asks a chat model, so that it is offered only where there is one."""
    part: str | None = None
    """The attribute of the memory that has the method, "" if itself; None: a function."""

    @property
    def guard(self) -> ToolGuard:
        """Who may call it."""
        if self.person:
            return ToolGuard.PERSON
        return ToolGuard.READ if self.effects.read_only else ToolGuard.WRITE

    @cached_property
    def arguments(self) -> type[ToolArguments]:
        """The model of what a call takes."""
        made: type[ToolArguments] = create_model(
            self.name, __base__=ToolArguments, **dict(self._arguments())
        )
        return made

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments: an object that allows no others.

        Lengths are checked, and not part of it: a model server that turns schemas into a grammar
        (llama.cpp) refuses every tool of a request if one of them has a long `maxLength`.
        """
        return _plain(self.arguments.model_json_schema())

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of its answer, of the type ``object``."""
        return _plain(TypeAdapter(self.answer).json_schema())

    async def run(self, bound: Bound, asked: ToolArguments) -> Mapping[str, Any]:
        """Its answer in a scope. Raises what its function raises."""
        values = dict(asked)
        if self.part is None:
            found = await self.function(bound, **values)
        else:
            owner = getattr(bound.memory, self.part) if self.part else bound.memory
            if _ID[0] in values:
                values["memory_id"] = values.pop(_ID[0])
            method = getattr(owner, self.function.__name__)
            found = await method(**values, **self.given, **bound.ids)
        answer: Mapping[str, Any] = narrowed(self.answer, await bound.sift(found))
        return answer

    def _arguments(self) -> Iterator[tuple[str, Any]]:
        hints = hints_of(self.function)
        for name, one in inspect.signature(self.function).parameters.items():
            marks = marks_of(hints.get(name))
            if self.takes is None:
                taken = bool(marks) and name not in ScopeFields.model_fields
            else:
                taken = name in self.takes
            if not taken or LIBRARY_ONLY in marks or IF_MATCH in marks:
                continue
            if name == "memory_id":
                yield _ID[0], (_ID[1], ...)
            else:
                default = ... if one.default is one.empty else one.default
                yield name, (_as_json_has_it(hints[name]), default)


def tool(
    name: str, title: str, tier: Tier, effects: Effects = READS, **more: Any
) -> Callable[[Function], Function]:
    """Declare a method or a function as a tool; the arguments are those of `Tool`.

    Its `description` is the docstring, and its `answer` what is returned, unless they are given.
    """

    def declare(function: Function) -> Function:
        told = {"description": " ".join(str(function.__doc__).split()), **more}
        told.setdefault("answer", get_type_hints(function)["return"])
        vars(function)[_DECLARED] = Tool(
            name=name, title=title, tier=tier, effects=effects, function=function, **told
        )
        return function

    return declare


def tool_of(function: object) -> Tool | None:
    """The tool that a function is declared as, if it is one."""
    made: Tool | None = getattr(function, "__dict__", {}).get(_DECLARED)
    return made


def narrowed(kind: Any, value: Any) -> Any:
    """What a model is told of an answer: the members of the type, and no more. Pure."""
    return _narrowing(kind)(value)


@cache
def _narrowing(kind: Any) -> Callable[[Any], Any]:
    """Narrows values to a type, whose members are looked up once."""
    if get_origin(kind) is Annotated:
        return _narrowing(get_args(kind)[0])
    if get_origin(kind) is list:
        narrow = _narrowing(get_args(kind)[0])
        return lambda values: [narrow(each) for each in values]
    if not is_typeddict(kind):
        return lambda value: round(value, _DIGITS) if isinstance(value, float) else value
    members = [_member(*each) for each in get_type_hints(kind, include_extras=True).items()]
    return lambda value: {
        name: narrow(of(value)) for name, needed, of, narrow in members if needed or name in value
    }


def _member(name: str, hint: Any) -> tuple[str, bool, Callable[[Any], Any], Callable[[Any], Any]]:
    """A member, whether it must be there, what takes it out of the whole, and what narrows it."""
    needed = get_origin(hint) is not NotRequired
    made = [mark.of for mark in marks_of(hint) if isinstance(mark, Made)]
    of = made[0] if made else itemgetter(name)
    return name, needed, of, _narrowing(hint if needed else get_args(hint)[0])


def _as_json_has_it(hint: Any) -> Any:
    """A type without what JSON has not, and without what requests of other surfaces give."""
    kind, *marks = get_args(hint)
    kept = [each for each in get_args(kind) if each is not datetime]
    if datetime in get_args(kind):
        kind = reduce(or_, kept)
    return Annotated[(kind, *(mark for mark in marks if not isinstance(mark, As)))]


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
