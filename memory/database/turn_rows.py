"""A turn as a row of the table `turns`, and back."""

from __future__ import annotations

from ..model.types import Recent, Turn
from .columns import Columns
from .rows import digest
from .scripts import Row

TURN = Columns(Turn)
LEARNED, UNREAD = 1, 3
"""In the column `learned`."""
LONGEST_NAME = 400
"""Names of answers are an upstream's: of a longer one a digest is kept, see `rows.owner_key`."""


def values_of(turn: Turn) -> dict[str, object]:
    """The columns of a turn by name."""
    names = {"response_id": turn.response_id, "upstream_id": turn.upstream_id}
    return TURN.values(turn) | {column: name_of(name) or None for column, name in names.items()}


def name_of(answer: str) -> str:
    """The name of an answer as it is kept."""
    return answer if len(answer) <= LONGEST_NAME else digest(answer)


def recent_from(row: Row) -> Recent:
    """The turn kept in a row of `TURN`, its note, and whether it was learned (see `tables`)."""
    *_, note, learned = row
    return Recent(TURN.read(row), note, learned == LEARNED, learned == UNREAD)
