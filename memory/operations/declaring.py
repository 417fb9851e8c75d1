"""Declares methods of the library as operations: a signature describes its operation everywhere.

The parameters of the method are the fields of its request, of its command and of its tool, its
docstring is the help. A field is `Annotated` with what cannot be told from its type:

    text: Annotated[str, TEXT, field("A line or more.", title="some text")]
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import (
    Annotated,
    Any,
    Protocol,
    TypeVar,
    cast,
    get_type_hints,
)

from pydantic import Field, create_model

from .fields import RequestModel, Text
from .operation import Operation
from .reading import reading, unchecked
from .rights import Right
from .scope import ScopeFields
from .signatures import hints_of, marks_of, takes_ids, unpacked

Method = TypeVar("Method", bound=Callable[..., Awaitable[Any]])
Told = Callable[[Mapping[str, Any], Any], Any]
Taken = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Checked = Callable[[Any, Mapping[str, Any], Any], Awaitable[None]]
DECLARED = "declared"
"""The attribute of a method that has its declarations."""
_IN_QUERY = frozenset({"GET", "DELETE"})
LIBRARY_ONLY = object()
"""Marks a parameter that only programs give."""
IF_MATCH = object()
"""Marks the version that a memory must have, which requests name in a header."""
LEFT_OUT = object()
"""Marks a parameter that has its default where a request says nothing or `null`."""
SEARCHED = object()
"""Marks what is searched for. Requests may leave it out; in a query string `q` wins over it."""


_SAME = object()


@dataclass(frozen=True, slots=True)
class As:
    """Marks a parameter that requests give as another type: the method takes more."""

    kind: Any
    default: Any = _SAME
    """What it is where a request says nothing, if that is not what the method has."""


@dataclass(frozen=True, slots=True)
class Named:
    """Marks a parameter that requests give under another name."""

    name: str


def field(description: str, *, high: int | None = None, **more: Any) -> Any:
    """What a field is for. `high` is the most of numbers from 1, `title` what is expected."""
    bounds: dict[str, Any] = {} if high is None else {"ge": 1, "le": high}
    return Field(description=description, **bounds, **more)


class CallRequest(Protocol):
    """A request as an operation of the library needs it.

    `values` are by their fields, and have the version that `If-Match` names as `version`.
    """

    @property
    def memory(self) -> Any: ...

    @property
    def values(self) -> Any: ...


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """What the signature of a method cannot tell of an operation."""

    http: str
    """Its method and path."""
    id: str
    """Its name in the document of the API and in the audit log."""
    right: Right = Right.READ
    tag: str | None = None
    """The group that it stands in on the page of the API, where it is not that of its part."""
    summary: str | None = None
    """In place of the docstring's first line."""
    answer: Any = None
    """The type that requests are answered with, where it is not that of the method."""
    told: Told | None = None
    """Makes that answer of the values and the method's answer."""
    checked: Checked | None = None
    """Refuses an answer, of the object that has the method and the values, by an error."""
    told_live: str | None = None
    """The parameter that is told a text while the model writes it."""
    beside: type[RequestModel] | None = None
    """Fields of requests that the method does not take: what is around it reads them."""
    query: type[RequestModel] | None = None
    """The fields of a query that says it in other words."""
    taken: Taken | None = None
    """Makes arguments of those."""
    ids_twice: bool = False
    """Whether the ids of a body may stand in the query too."""
    twice: bool = False
    """Whether all its fields may."""
    by_id: bool = False
    """Whether an id is enough: it need not be said whose it is."""
    without: frozenset[str] = frozenset()
    """Parameters that requests do not give."""
    needed: frozenset[str] = frozenset()
    """Parameters that requests must give, though the method has a default."""
    sure: str | None = None
    """What a person is asked before it is done at a terminal; names fields in braces."""
    record: Mapping[str, Any]
    """The parts of its `Operation` that are none of these, by their names."""


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A method of a part of the library as an operation."""

    part: str
    """The attribute of `AsyncMemory` that has it; "" if it is a method of its own."""
    method: Callable[..., Awaitable[Any]]
    declared: Declaration

    @property
    def word(self) -> str:
        """The name of the method."""
        return str(self.method.__name__)

    @property
    def summary(self) -> str:
        """The first line of the docstring, without what is raised."""
        told = str(self.method.__doc__).split("\n")[0].split(" Raises")[0].rstrip(".")
        return self.declared.summary or told

    @cached_property
    def fields(self) -> Mapping[str, tuple[Any, Any]]:
        """The type and the default, or `...`, of each field but the ids of the scope."""
        hints = hints_of(self.method)
        given = inspect.signature(self.method).parameters
        own = {
            name: _asked(hints[name], ... if self._is_needed(one) else one.default)
            for name, one in given.items()
            if name in hints
            and one.kind is not one.VAR_KEYWORD
            and name not in ScopeFields.model_fields
            and name not in self.declared.without
            and not {LIBRARY_ONLY, IF_MATCH}.intersection(marks_of(hints[name]))
        }
        more = {
            name: _asked(Annotated[hint, LEFT_OUT], None)
            for name, hint in unpacked(hints).items()
            if name not in ScopeFields.model_fields
        }
        return own | more

    @property
    def read(self) -> Mapping[str, tuple[Any, Any]]:
        """The same as the library reads them."""
        return {
            name: (Text if SEARCHED in marks_of(kind) else kind, default)
            for name, (kind, default) in self.fields.items()
        }

    def _is_needed(self, one: inspect.Parameter) -> bool:
        return one.default is one.empty or one.name in self.declared.needed

    @cached_property
    def _versioned(self) -> str | None:
        """The parameter for the version that a memory must have."""
        hints = hints_of(self.method).items()
        return next((name for name, hint in hints if IF_MATCH in marks_of(hint)), None)

    @cached_property
    def has_scope(self) -> bool:
        """Whether it takes the ids of a scope."""
        return "user_id" in inspect.signature(self.method).parameters

    @property
    def texts(self) -> frozenset[str]:
        """The fields that are read from a body: texts of any length."""
        return frozenset(self.operation.in_body)

    def named(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values of its parameters by the names that requests give them."""
        kinds = self.fields
        return {
            _name(name, kinds[name][0]) if name in kinds else name: said
            for name, said in values.items()
        }

    async def call(self, memory: Any, values: Mapping[str, Any], *, read: bool = False) -> Any:
        """Its answer as requests have it. `values` are its fields and the ids of a scope.

        `read` says that they were read by its model. Raises InvalidInputError for others.
        """
        owner = getattr(memory, self.part) if self.part else memory
        method = getattr(owner, self.word)
        found = await (unchecked(method) if read else method)(**values)
        if self.declared.checked is not None:
            await self.declared.checked(owner, values, found)
        return found if self.declared.told is None else self.declared.told(values, found)

    @cached_property
    def operation(self) -> Operation:
        """Its record."""
        http, path = self.declared.http.split(" ")
        model, in_query = self.model(self.declared.id), self._in_query
        twice = ScopeFields if self.declared.ids_twice else model if self.declared.twice else None
        return Operation(
            method=http,
            path=path,
            handler=self.handle,
            summary=self.summary,
            answer=self.declared.answer or get_type_hints(self.method)["return"],
            right=self.declared.right,
            query=self.declared.query or (model if in_query else twice),
            body=None if in_query else model,
            if_match=self._versioned is not None,
            tag=self.declared.tag or self.part or "memories",
            name=self.declared.id,
            told_live=self.declared.told_live,
            **self.declared.record,
        )

    @property
    def _in_query(self) -> bool:
        """Whether its fields are read from the query; else from a body."""
        return (
            self.declared.http.split(" ")[0] in _IN_QUERY or "streams_body" in self.declared.record
        )

    def model(self, name: str) -> type[RequestModel]:
        """The model of its requests."""
        base: type[RequestModel] = ScopeFields if self.has_scope else RequestModel
        path = self.declared.http.split(" ")[1]
        made = create_model(
            name,
            __base__=base if self.declared.beside is None else (self.declared.beside, base),
            __doc__=f"{self.summary}.",
            **dict(self._asked_for(path, in_query=self._in_query)),
        )
        return cast("type[RequestModel]", made)

    def _asked_for(self, path: str, *, in_query: bool) -> Iterator[tuple[str, Any]]:
        """The fields of a request to the path."""
        for name, (kind, default) in self.fields.items():
            if SEARCHED in marks_of(kind):
                yield name, (Annotated[Text | None, field(_SEARCH_TWICE)], None)
                if in_query:
                    yield "q", (Annotated[Text | None, field("The search query.")], None)
            elif f"{{{(named := _name(name, kind))}}}" not in path:
                yield named, (kind, default)

    async def handle(self, call: CallRequest, **more: Any) -> Any:
        """Answer a request; `more` is what no request can say."""
        return await self.call(call.memory, self._values(call) | more, read=True)

    async def handle_by(self, handlers: Any, call: CallRequest) -> Any:
        """Answer a request by the method of a server, which takes the request too."""
        return await self.method(handlers, call, **self._values(call))

    @cached_property
    def _readings(self) -> tuple[tuple[str, str, bool, bool], ...]:
        """Each parameter, its name in requests, whether it is searched for, and may be left out."""
        return tuple(
            (name, _name(name, kind), SEARCHED in marks_of(kind), LEFT_OUT in marks_of(kind))
            for name, (kind, _) in self.fields.items()
        )

    def _values(self, call: CallRequest) -> dict[str, Any]:
        derived = {} if self.declared.taken is None else self.declared.taken(call.values)
        ids = ScopeFields.model_fields if self.has_scope else ()
        values = {name: call.values[name] for name in ids}
        for name, named, searched, left_out in self._readings:
            if searched:
                q = call.values["q"] if "q" in call.values else None  # noqa: SIM401 - noted as read
                values[name] = call.values[name] or "" if q is None else q
            else:
                values[name] = derived[name] if name in derived else call.values[named]
            if left_out and values[name] is None:
                del values[name]
        if self._versioned is not None:
            values[self._versioned] = call.values.version
        return values


_SEARCH_TWICE = "The search query; in a query string, `q` wins over it."


def operation(
    http: str,
    right: Right = Right.READ,
    *,
    id: str,  # noqa: A002 - the standard's word
    **more: Any,
) -> Callable[[Method], Method]:
    """Declare a method, once or more; `more` is of `Declaration`, or of its `Operation`."""
    own = {name: more.pop(name) for name in [*more] if name in Declaration.__annotations__}
    made = Declaration(http=http, right=right, id=id, record=more, **own)

    def declare(method: Method) -> Method:
        first = DECLARED not in vars(method)
        vars(method).setdefault(DECLARED, []).insert(0, made)
        if not first:
            return method
        one = Declared(part="", method=method, declared=made)
        return reading(takes_ids(method), lambda: one.read)

    return declare


def declared_in(owner: type, part: str) -> tuple[Declared, ...]:
    """The operations of a class of the library that `AsyncMemory` has as `part`."""
    return tuple(
        Declared(part=part, method=unchecked(method), declared=made)
        for method in vars(owner).values()
        for made in getattr(method, "__dict__", {}).get(DECLARED, ())
    )


def handled_in(owner: type) -> tuple[Operation, ...]:
    """The operations of a class of a server, whose methods take the request first."""
    return tuple(replace(each.operation, handler=each.handle_by) for each in declared_in(owner, ""))


def _name(name: str, kind: Any) -> str:
    """The name that requests give a parameter of this type."""
    return next((mark.name for mark in marks_of(kind) if isinstance(mark, Named)), name)


def _asked(hint: Any, default: Any) -> tuple[Any, Any]:
    """The type and the default as requests have them."""
    marks = marks_of(hint)
    if LEFT_OUT in marks:
        default = None
    for mark in marks:
        if isinstance(mark, As):
            others = (each for each in marks if each is not mark)
            hint = Annotated[(mark.kind, *others)]
            default = default if mark.default is _SAME else mark.default
    return hint, default
