"""What tools need of a memory: the methods of `AsyncMemory` that they call, and for whom."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Method = Callable[..., Awaitable[Any]]


class ToolMemory(Protocol):
    """The part of `AsyncMemory` behind the tools; each method as there."""

    @property
    def add(self) -> Method: ...

    @property
    def search(self) -> Method: ...

    @property
    def get(self) -> Method: ...

    @property
    def history(self) -> Method: ...

    @property
    def settle(self) -> Method: ...

    @property
    def delete(self) -> Method: ...

    @property
    def validate(self) -> Method: ...


@dataclass(frozen=True, slots=True)
class Bound:
    """A memory, and the ids of the scope that every call is for."""

    memory: ToolMemory
    ids: Mapping[str, str | None]
    """`user_id`, `agent_id` and `run_id`."""
