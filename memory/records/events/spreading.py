"""Tells other processes of changes, so that whoever follows them at one is told by all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...model.types import Scope
from ...util.mesh import Mesh
from ...util.outbox import Outbox
from .feed import Feed
from .texts import ChangeDict, has_text

if TYPE_CHECKING:
    from ...model.replicas import Replicas

_TOPIC = "changes"


def spread_of(feed: Feed, replicas: Replicas | None, mesh: Mesh | None) -> Outbox | None:
    """Tell all processes that share the state; None if there are none."""
    if replicas is not None:
        return spread_widely(feed, replicas)
    return None if mesh is None else spread(feed, mesh)


def spread(feed: Feed, mesh: Mesh) -> Outbox:
    """What this process changes is told to the siblings, and their changes to its subscribers."""
    outbox = Outbox(mesh, _TOPIC, _hearing(feed))
    feed.also = outbox.put
    return outbox


def spread_widely(feed: Feed, replicas: Replicas) -> Outbox:
    """The same for processes on several machines: each tells all changes in one order.

    Texts do not leave the process: whoever tells a change reads them in the shared history. What
    could not be told is told here, and is missing elsewhere.
    """
    heard = _hearing(feed)
    outbox = Outbox(replicas, _TOPIC, heard, untold=heard)
    feed.also = lambda change: outbox.put(_without_texts(change))
    feed.echoed = True
    replicas.gaps.append(feed.gap)
    return outbox


def _without_texts(change: ChangeDict) -> ChangeDict:
    """With the places of its texts, which a reader fills."""
    told = change.copy()
    if has_text(told):
        told["memory"] = ""
        told.pop("old_memory", None)
    return told


def _hearing(feed: Feed) -> Callable[[ChangeDict], None]:
    def heard(change: ChangeDict) -> None:
        scope = Scope(
            tenant=change["tenant"],
            user_id=change.get("user_id"),
            agent_id=change.get("agent_id"),
            run_id=change.get("run_id"),
        )
        feed.heard(scope, change)

    return heard
