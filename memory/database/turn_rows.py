"""A turn as a row of the table `turns`, and back."""

from __future__ import annotations

from dataclasses import replace

from ..model.turns import PrecedingQuestion
from ..model.types import Recent, Turn
from .columns import Columns
from .rows import digest
from .scripts import Row

TURN = Columns(Turn, without=("upstream",))
_NOTHING = PrecedingQuestion()
LEARNED, UNREAD = 1, 3
"""In the column `learned`."""
LONGEST_NAME = 400
"""Names of answers are an upstream's: of a longer one a digest is kept, see `rows.owner_key`."""


def values_of(turn: Turn) -> dict[str, object]:
    """The columns of a turn by name."""
    if turn.upstream:
        before = replace(turn.before or _NOTHING, upstream=turn.upstream)
        turn = replace(turn, before=before)
    names = {"response_id": turn.response_id, "upstream_id": turn.upstream_id}
    return TURN.values(turn) | {column: name_of(name) or None for column, name in names.items()}


def turn_from(row: Row) -> Turn:
    """The turn kept in a row that begins with the columns of `TURN`."""
    turn = TURN.read(row)
    if turn.before is None or not turn.before.upstream:
        return turn
    asked = replace(turn.before, upstream="")
    kept = None if asked == _NOTHING else asked
    return replace(turn, before=kept, upstream=turn.before.upstream)


def name_of(answer: str) -> str:
    """The name of an answer as it is kept."""
    return answer if len(answer) <= LONGEST_NAME else digest(answer)


def recent_from(row: Row) -> Recent:
    """The turn kept in a row of `TURN`, its note, and whether it was learned (see `tables`)."""
    *_, note, learned = row
    return Recent(turn_from(row), note, learned == LEARNED, learned == UNREAD)
