"""The parts of an engine that use disks, servers or models, each behind its port."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..calibration import Calibration
from ..database.graph import SqlGraph
from ..database.history import SqlHistory
from ..index.follower import IndexFollower
from ..memories import SqlMemories
from ..model.ports import Embedder, TokenCounter
from ..model.types import Scope
from ..model.visible_scope import VisibleScope
from ..recall.importance import ImportanceScale
from ..state import State
from ..util.registry import Registry
from ..util.sibling_messages import SiblingMessages
from .writing import MemoryWriter


@dataclass(frozen=True, slots=True)
class Parts:
    """Open parts. An engine of them adds what it runs to their registry."""

    embedder: Embedder
    calibration: Calibration
    """The thresholds of this embedder."""
    tokens: TokenCounter
    store: SqlMemories
    state: State
    history: SqlHistory
    writer: MemoryWriter
    """Changes memories and what belongs to them, in one transaction each."""
    index: IndexFollower | None = None
    """Keeps a vector index like the memories; None: all are compared."""
    graph: SqlGraph | None = None
    """Who and what the memories speak of; None if that is not kept (`graph.enabled`)."""
    visible_scope: Callable[[Scope], Scope] = VisibleScope.of
    """What a recall sees from a scope."""
    sibling_messages: SiblingMessages | None = None
    """Leads to the siblings that share these parts; None if there are none."""
    registry: Registry = field(default_factory=Registry)
    """How each is pinged, run and closed."""
    scale: ImportanceScale | None = None
    """Tells how much a statement is worth by its meaning; None for embedders that it is not for."""
