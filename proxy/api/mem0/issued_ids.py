"""Ids that hold what was asked for, so that nothing is kept for those who come back with one."""

from __future__ import annotations

import base64
import json
from typing import Any, TypeVar

from recollect.memory import NotFoundError
from recollect.memory.model.owner import Owner
from recollect.memory.operations.fields import storable
from recollect.memory.util.untrusted_json import REQUEST, read_json

V = TypeVar("V")


def issued_for(what: str, owner: Owner, asked: Any) -> str:
    """An id for later requests: it has what was asked for in it, so that nothing is kept."""
    told = json.dumps([what, owner.tenant, owner.user_id, asked])
    return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def asked_under(what: str, owner: Owner, issued: str, kind: type[V]) -> V:
    """What was asked for under an id. Raises NotFoundError for one that was not for this owner."""
    try:
        raw = base64.b64decode(issued + "=" * (-len(issued) % 4), b"-_", validate=True)
        about, tenant, user, asked = storable(read_json(raw, REQUEST))
    except (ValueError, TypeError):
        about = tenant = user = asked = None
    ours = (about, tenant) == (what, owner.tenant) and owner.user_id in (None, user)
    if not ours or not isinstance(asked, kind):
        raise NotFoundError(f"there is no {what} {issued[:100]!r} of this credential")
    return asked
