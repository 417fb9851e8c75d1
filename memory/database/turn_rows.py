"""A turn as a row of the table `turns`, and back."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache

from ..model.types import Recent, Turn
from .columns import Columns
from .rows import digest
from .scripts import Row

TURN = Columns(Turn, without=("upstream",))
_NO_QUESTION = '[[], "", false, '
"""How a column `before` begins that only says which server a turn was told to: nearly all."""
_BEFORE = TURN.names.split(", ").index("before")
LEARNED, UNREAD = 1, 3
"""In the column `learned`."""
LONGEST_NAME = 400
"""Names of answers are an upstream's: of a longer one a digest is kept, see `rows.owner_key`."""


def values_of(turn: Turn) -> dict[str, object]:
    """The columns of a turn by name."""
    if turn.upstream and turn.before is not None:
        turn = replace(turn, before=replace(turn.before, upstream=turn.upstream))
    values = TURN.values(turn)
    if turn.upstream and turn.before is None:
        values["before"] = _told_to(turn.upstream)
    names = {"response_id": turn.response_id, "upstream_id": turn.upstream_id}
    return values | {column: name_of(name) or None for column, name in names.items()}


def turn_from(row: Row) -> Turn:
    """The turn kept in a row that begins with the columns of `TURN`."""
    kept = row[_BEFORE]
    if kept is not None and str(kept).startswith(_NO_QUESTION):
        return TURN.read(row, before=None, upstream=_upstream_in(str(kept)))
    turn = TURN.read(row)
    if turn.before is None or not turn.before.upstream:
        return turn
    asked = replace(turn.before, upstream="")
    return replace(turn, before=asked, upstream=turn.before.upstream)


@lru_cache(maxsize=16)
def _told_to(upstream: str) -> str:
    return f"{_NO_QUESTION}{json.dumps(upstream)}]"


@lru_cache(maxsize=16)
def _upstream_in(before: str) -> str:
    return str(json.loads(before)[-1])


def name_of(answer: str) -> str:
    """The name of an answer as it is kept."""
    return answer if len(answer) <= LONGEST_NAME else digest(answer)


def recent_from(row: Row) -> Recent:
    """The turn kept in a row of `TURN`, its note, and whether it was learned (see `tables`)."""
    *_, note, learned = row
    return Recent(turn_from(row), note, learned == LEARNED, learned == UNREAD)
