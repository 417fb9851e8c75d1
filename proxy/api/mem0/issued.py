"""Ids that were given out for later requests, in this process."""

from __future__ import annotations

import uuid
from typing import Generic, TypeVar

from recollect.memory import NotFoundError
from recollect.memory.model.owner import Owner
from recollect.memory.util.lru import Lru

MOST = 10_000
MOST_CHARS = 2**25
"""Of what all of them stand for: a request may have a megabyte of filters."""
V = TypeVar("V")


class Issued(Generic[V]):
    """What was asked for under each id; the latest are known until the process ends."""

    def __init__(self, what: str) -> None:
        """`what` names it in refusals."""
        self._what = what
        self._kept: Lru[tuple[str, str], tuple[Owner, V, int]] = Lru(
            MOST, max_size=MOST_CHARS, size=lambda kept: kept[2]
        )

    def put(self, owner: Owner, value: V) -> str:
        """Keep it for this owner; its id."""
        issued = str(uuid.uuid4())
        self._kept.put((owner.tenant, issued), (owner, value, len(repr(value))))
        return issued

    def get(self, owner: Owner, issued: str) -> V:
        """Raises NotFoundError for an id that this owner was not given."""
        kept = self._kept.get((owner.tenant, issued))
        if kept is None or owner.user_id not in (None, kept[0].user_id):
            raise NotFoundError(
                f"there is no {self._what} {issued[:100]!r}: known are those since the server began"
            )
        return kept[1]
