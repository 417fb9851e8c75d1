"""Declares methods of the library as operations: a signature describes its operation everywhere.

The parameters of the method are the fields of its request, of its command and of its tool, its
docstring is the help. A field is `Annotated` with what cannot be told from its type:

    text: Annotated[str, TEXT, field("A line or more.", title="some text")]
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Protocol, TypeVar, get_args, get_origin, get_type_hints

from pydantic import Field, create_model

from .fields import RequestModel
from .operation import Operation
from .rights import Right
from .scope import ScopeFields

Method = TypeVar("Method", bound=Callable[..., Awaitable[Any]])
Told = Callable[[Mapping[str, Any], Any], Any]
Taken = Callable[[Mapping[str, Any]], Mapping[str, Any]]
_DECLARED = "declared"
_IN_QUERY = frozenset({"GET", "DELETE"})
LIBRARY_ONLY = object()
"""Marks a parameter that only programs give."""


@dataclass(frozen=True, slots=True)
class As:
    """Marks a parameter that requests give as another type: the method takes more."""

    kind: Any


def field(description: str, *, high: int | None = None, **more: Any) -> Any:
    """What a field is for. `high` is the most of numbers from 1, `title` what is expected."""
    bounds: dict[str, Any] = {} if high is None else {"ge": 1, "le": high}
    return Field(description=description, **bounds, **more)


class Call(Protocol):
    """A request as an operation of the library needs it."""

    @property
    def memory(self) -> Any: ...

    @property
    def values(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A method of a part of the library, and what its signature cannot tell."""

    part: str
    """The attribute of `AsyncMemory` that has it."""
    method: Callable[..., Awaitable[Any]]
    right: Right
    http: str
    """Its method and path."""
    id: str
    tag: str
    answer: Any
    told: Told | None
    query: type[RequestModel] | None
    taken: Taken | None
    ids_twice: bool

    @property
    def name(self) -> str:
        """As programs call it, such as `blocks.append`."""
        return f"{self.part}.{self.word}"

    @property
    def word(self) -> str:
        """The name of the method."""
        return str(self.method.__name__)

    @property
    def summary(self) -> str:
        """The first line of the docstring, without what is raised."""
        return str(self.method.__doc__).split("\n")[0].split(" Raises")[0].rstrip(".")

    @cached_property
    def fields(self) -> Mapping[str, tuple[Any, Any]]:
        """The type and the default, or `...`, of each field but the ids of the scope."""
        hints = get_type_hints(self.method, include_extras=True)
        given = inspect.signature(self.method).parameters
        return {
            name: (_asked(hints[name]), ... if one.default is one.empty else one.default)
            for name, one in given.items()
            if name in hints and LIBRARY_ONLY not in _marks(hints[name])
        }

    @property
    def has_scope(self) -> bool:
        """Whether it takes the ids of a scope."""
        return "user_id" in inspect.signature(self.method).parameters

    @property
    def texts(self) -> frozenset[str]:
        """The fields that are read from a body: texts of any length."""
        return frozenset(self.operation.in_body)

    @property
    def makes(self) -> bool:
        """Whether it makes something new, where nothing may be yet."""
        return self.right is Right.WRITE and not self.operation.parameters

    async def call(self, memory: Any, values: Mapping[str, Any]) -> Any:
        """Its answer as requests have it. `values` are its fields and the ids of a scope."""
        found = await getattr(getattr(memory, self.part), self.word)(**values)
        return found if self.told is None else self.told(values, found)

    @cached_property
    def operation(self) -> Operation:
        """Its record."""
        http, path = self.http.split(" ")
        in_path = {piece[1:-1] for piece in path.split("/") if piece.startswith("{")}
        base: type[RequestModel] = ScopeFields if self.has_scope else RequestModel
        given: dict[str, Any] = {
            name: each for name, each in self.fields.items() if name not in in_path
        }
        model: type[RequestModel] = create_model(
            self.id, __base__=base, __doc__=f"{self.summary}.", **given
        )
        query = model if http in _IN_QUERY else base if self.ids_twice else None
        query = self.query or query
        return Operation(
            method=http,
            path=path,
            handler=self._handle,
            summary=self.summary,
            answer=self.answer or get_type_hints(self.method)["return"],
            right=self.right,
            query=query,
            body=None if http in _IN_QUERY else model,
            tag=self.tag,
            name=self.id,
        )

    async def _handle(self, call: Call) -> Any:
        derived = {} if self.taken is None else self.taken(call.values)
        names = [*self.fields, *(ScopeFields.model_fields if self.has_scope else ())]
        values = {n: derived[n] if n in derived else call.values[n] for n in names}
        return await self.call(call.memory, values)


def operation(
    http: str,
    right: Right = Right.READ,
    *,
    id: str,  # noqa: A002 - the standard's word
    answer: Any = None,
    told: Told | None = None,
    query: type[RequestModel] | None = None,
    taken: Taken | None = None,
    ids_twice: bool = False,
) -> Callable[[Method], Method]:
    """Declare a method. `http` is its method and path, `id` its name in the document of the API.

    Requests are answered with what `told` makes of the values and the answer, of the type `answer`.
    Where a query says it in other words, `query` has its fields, and `taken` makes the arguments
    of them. With `ids_twice` a body's ids may stand in the query too.
    """
    more = {
        "http": http,
        "right": right,
        "id": id,
        "answer": answer,
        "told": told,
        "query": query,
        "taken": taken,
        "ids_twice": ids_twice,
    }

    def declare(method: Method) -> Method:
        setattr(method, _DECLARED, more)
        method.__signature__ = _spelled_out(method)  # type: ignore[attr-defined]  # see inspect
        return method

    return declare


def declared_in(owner: type, part: str) -> tuple[Declared, ...]:
    """The operations of a class of the library that `AsyncMemory` has as `part`."""
    return tuple(
        Declared(part=part, tag=part, method=method, **vars(method)[_DECLARED])
        for method in vars(owner).values()
        if _DECLARED in getattr(method, "__dict__", ())
    )


_IDS = tuple(
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation="str | None")
    for name in ScopeFields.model_fields
)


def _spelled_out(method: Callable[..., Any]) -> inspect.Signature:
    """The signature for people: plain types, and the ids of the scope one by one."""
    signature, hints = inspect.signature(method), get_type_hints(method, include_extras=True)
    plain = get_type_hints(method)
    kept = [
        one.replace(annotation=_written(plain[name])) if _marks(hints.get(name)) else one
        for name, one in signature.parameters.items()
        if one.kind is not one.VAR_KEYWORD
    ]
    ids = _IDS if len(kept) < len(signature.parameters) else ()
    return signature.replace(parameters=[*kept, *ids])


def _written(hint: Any) -> str:
    return inspect.formatannotation(hint).replace("collections.abc.", "")


def _marks(hint: Any) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _asked(hint: Any) -> Any:
    """The type as requests give it."""
    kinds = [mark for mark in _marks(hint) if isinstance(mark, As)]
    if not kinds:
        return hint
    return Annotated[(kinds[0].kind, *(mark for mark in _marks(hint) if mark not in kinds))]
