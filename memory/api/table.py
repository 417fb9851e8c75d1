"""The table of operations: the declared methods of the library, by the part that has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ..operations.declaring import Declared, declared_in
from .blocks import Blocks
from .calls.adding import AddingCalls
from .calls.batching import BatchingCalls
from .calls.changing import ChangingCalls
from .calls.curating import CuratingCalls
from .calls.finding import FindingCalls
from .calls.judging import JudgingCalls
from .calls.overseeing import OverseeingCalls
from .calls.removing import RemovingCalls
from .calls.reviewing import ReviewingCalls
from .calls.searching import SearchingCalls
from .conversations import Conversations
from .graph import EntityGraph
from .graph_exporting import GraphExporter
from .jobs import LearningJobs
from .procedures import Procedures
from .shares import MemoryShares
from .topics import MemoryTopics
from .upkeep import Upkeep

PARTS: Mapping[str, Sequence[type]] = {
    "": (
        AddingCalls,
        BatchingCalls,
        FindingCalls,
        SearchingCalls,
        ChangingCalls,
        JudgingCalls,
        CuratingCalls,
        ReviewingCalls,
        OverseeingCalls,
        RemovingCalls,
    ),
    "blocks": (Blocks,),
    "conversations": (Conversations,),
    "graph": (EntityGraph, GraphExporter),
    "jobs": (LearningJobs,),
    "procedures": (Procedures,),
    "shares": (MemoryShares,),
    "topics": (MemoryTopics,),
    "upkeep": (Upkeep,),
}
"""The parts of `AsyncMemory` that are in the table, by their names; "" has its own methods."""


@cache
def table() -> tuple[Declared, ...]:
    """All declared operations."""
    return tuple(
        each
        for part, owners in PARTS.items()
        for owner in owners
        for each in declared_in(owner, part)
    )
