"""What was said, as lines of an export and back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import PrecedingQuestion, Recent
from recollect.memory.transfer.turns import ExportedTurn, read_turn, redacted, turn_dict
from tests.memory.forget.parts import ALICE, turn
from tests.support.folding import rows

TOLD = replace(
    turn("t1", "Kim. I live in Harlow."),
    recalled=("m1",),
    tokens=9,
    before=PrecedingQuestion(("t0",), "What is your name?", plays=True),
)


def line(**changed):
    return {"said": turn_dict(Recent(TOLD, learned=True)) | changed}


def test_a_turn_comes_back_as_it_was():
    """Whatever a passage follows from is in the line."""
    value = json.loads(json.dumps(line()))
    assert read_turn(value, "local", unchanged=True) == ExportedTurn(
        turn=TOLD, learned=True, unchanged=True
    )
    assert read_turn(value, "other", unchanged=False).turn.scope == replace(ALICE, tenant="other")


def test_what_no_model_reads_comes_back_so():
    """The mark is in the line: whoever imports it asks no model about it."""
    value = json.loads(json.dumps({"said": turn_dict(Recent(TOLD, unread=True))}))
    assert read_turn(value, "local", unchanged=True).unread


@rows(
    "changed, field",
    [
        ({"id": ""}, "said.id"),
        ({"text": None}, "said.text"),
        ({"text": 7}, "said.text"),
        ({"created_at": "yesterday"}, "said.created_at"),
        ({"user_id": ""}, "said.user_id"),
        ({"conversation_id": None}, "said.conversation_id"),
        ({"learned": "yes"}, "said.learned"),
        ({"before": {"turn_ids": "x"}}, "said.before.turn_ids"),
        ({"extra": 1}, "said.extra"),
    ],
)
def test_what_is_wrong_is_named(changed, field):
    """A malformed line is refused by its field."""
    with pytest.raises(InvalidInputError) as raised:
        read_turn(line(**changed), "local", unchanged=False)
    assert raised.value.field == field


def test_secrets_are_taken_out():
    """Of all texts, as when a turn is captured."""
    found = redacted(ExportedTurn(turn=TOLD), lambda text: text.replace("Harlow", "***")[:20])
    assert found.turn.user_text == "Kim. I live in ***."
    assert found.turn.before is not None
    assert len(found.turn.before.asked) <= 20
