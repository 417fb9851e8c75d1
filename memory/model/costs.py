"""Ports of what learning and upkeep cost: what was asked of models, and how each of them did."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from .jobs import JobKind, Spent

LEARNING = frozenset({JobKind.LEARN, JobKind.JUDGE})
"""The kinds of work whose tokens `learn.daily_tokens` bounds."""
UPKEEP = frozenset(JobKind) - LEARNING
"""Those whose tokens `upkeep.daily_tokens` bounds."""


def total_of(costs: Mapping[JobKind, Spent], kinds: Collection[JobKind]) -> Spent:
    """The sum of what these kinds cost."""
    found = [costs[kind] for kind in kinds if kind in costs]
    return Spent(
        calls=sum(one.calls for one in found),
        prompt_tokens=sum(one.prompt_tokens for one in found),
        completion_tokens=sum(one.completion_tokens for one in found),
    )


class ModelIdentity(NamedTuple):
    """Which model answers: another identity is another model, with a record of its own."""

    name: str
    where: str = ""
    """A digest of its address and of what else decides whether it answers; holds no secret."""


@runtime_checkable
class Identified(Protocol):
    """An optional ability of a `ChatModel`: it tells which model it is."""

    @property
    def identity(self) -> ModelIdentity: ...
