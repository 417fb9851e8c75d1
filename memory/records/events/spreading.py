"""Tells siblings of changes, so that whoever follows them at one process is told by all."""

from __future__ import annotations

from collections.abc import Callable

from ...model.types import Scope
from ...util.mesh import Mesh
from ...util.outbox import Outbox
from .feed import Feed
from .texts import ChangeDict


def spread(feed: Feed, mesh: Mesh) -> Outbox:
    """What this process changes is told to the siblings, and their changes to its subscribers."""
    outbox = Outbox(mesh, "changes", _hearing(feed))
    feed.also = outbox.put
    return outbox


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
