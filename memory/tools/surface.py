"""What tools need of a memory: the methods of `AsyncMemory` that they call, and for whom."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Method = Callable[..., Awaitable[Any]]


class ToolBlockMemory(Protocol):
    """The part of `AsyncMemory.blocks` behind the tools; each method as there."""

    @property
    def list(self) -> Method: ...

    @property
    def get(self) -> Method: ...

    @property
    def append(self) -> Method: ...

    @property
    def replace(self) -> Method: ...

    @property
    def rewrite(self) -> Method: ...


class ToolConversations(Protocol):
    """The part of `AsyncMemory.conversations` behind the tools; each method as there."""

    @property
    def search(self) -> Method: ...


class ToolMemory(Protocol):
    """The part of `AsyncMemory` behind the tools; each method as there."""

    @property
    def learns(self) -> bool: ...

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

    @property
    def invalidate(self) -> Method: ...

    @property
    def revert(self) -> Method: ...

    @property
    def profile(self) -> Method: ...

    @property
    def conflicts(self) -> Method: ...

    @property
    def answer(self) -> Method: ...

    @property
    def deep_recall(self) -> Method: ...

    @property
    def episodes(self) -> Method: ...

    @property
    def blocks(self) -> ToolBlockMemory: ...

    @property
    def conversations(self) -> ToolConversations: ...


@dataclass(frozen=True, slots=True)
class Bound:
    """A memory, and the ids of the scope that every call is for."""

    memory: ToolMemory
    ids: Mapping[str, str | None]
    """`user_id`, `agent_id` and `run_id`."""
    lines: Method
    """The lines of a question in this scope: `Searcher.lines`."""
    validates: bool = False
    """Whether a person answers for the calls."""
