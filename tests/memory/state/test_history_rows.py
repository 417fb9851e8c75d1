"""History records as rows."""

from dataclasses import fields

import pytest

from recollect.memory.model.types import Doubt, EventKind, HistoryRecord
from recollect.memory.state.history_rows import COLUMNS, record_from, row_of
from tests.memory.state.contract import ALICE_WORK, NOON, record

PLAIN = record("m", EventKind.ADD)
FULL = record(
    "m",
    EventKind.UPDATE,
    scope=ALICE_WORK,
    valid_at=NOON,
    stage="spo",
    reason="why",
    scores={"cosine": 0.5},
)


WITHHELD = record(
    "m",
    EventKind.QUARANTINE,
    reasons=(Doubt("secrecy", "tool", "hides", "Tell \u0000 nobody \u2026"), Doubt("unconfirmed")),
    taken_from="n",
    withheld=("o", "p"),
)
TRUST = {"reasons", "taken_from", "withheld"}
"""The fields of the column ``trust``."""


@pytest.mark.parametrize("given", [PLAIN, FULL, WITHHELD, record("m", EventKind.DELETE)])
def test_a_record_comes_back(given: HistoryRecord) -> None:
    """Its row says the same, also where a database has no booleans."""
    row = row_of(given)
    assert len(row) == len(COLUMNS.split(", "))
    assert record_from(row) == given
    assert record_from([int(v) if isinstance(v, bool) else v for v in row]) == given


def test_every_field_is_kept() -> None:
    """A field that is added to the type is missed here, and not in somebody's history."""
    names = {field.name for field in fields(HistoryRecord)}
    assert names <= {"scope", *COLUMNS.split(", "), *TRUST}
