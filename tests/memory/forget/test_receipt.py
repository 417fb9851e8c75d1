"""What a receipt says, and what it does not give away."""

import json
from dataclasses import replace

from recollect.memory.forget import ForgetKind, NotForgottenError, Receipt
from recollect.memory.forget.receipt import receipt_id
from tests.memory.forget.parts import KEY, NOON

RECEIPT = Receipt(
    id="r",
    kind=ForgetKind.IDS,
    asked=2,
    missing=2,
    memories=0,
    versions=0,
    fell=0,
    history=0,
    turns=0,
    jobs=0,
    blocks=0,
    usage=0,
    links=0,
    entities=0,
    caches=3,
    started_at=NOON,
    finished_at=NOON,
    verified=True,
)


def test_it_can_be_sent():
    """Plain JSON, with the counts of every store."""
    told = json.loads(json.dumps(RECEIPT.as_dict()))
    assert told["erased"] == dict.fromkeys(
        (
            "memories",
            "versions",
            "history",
            "turns",
            "jobs",
            "blocks",
            "usage",
            "links",
            "entities",
        ),
        0,
    )
    assert (told["kind"], told["caches"], told["verified"]) == ("ids", 3, True)


def test_nothing_found():
    """That caches were told is not that anything was erased."""
    assert RECEIPT.found_nothing
    assert not replace(RECEIPT, history=1).found_nothing


def test_its_id_cannot_be_guessed():
    """It depends on the key, on what it is about, and on when."""
    ids = [
        receipt_id(KEY, ForgetKind.IDS, ["a", "b"], NOON),
        receipt_id(b"other", ForgetKind.IDS, ["a", "b"], NOON),
        receipt_id(KEY, ForgetKind.SCOPE, ["a", "b"], NOON),
        receipt_id(KEY, ForgetKind.IDS, ["a"], NOON),
        receipt_id(KEY, ForgetKind.IDS, ["a", "b"], NOON.replace(hour=1)),
    ]
    assert len(set(ids)) == len(ids)
    assert ids[0] == receipt_id(KEY, ForgetKind.IDS, {"b", "a"}, NOON)


def test_the_error_carries_it():
    """Who gets the error can say what was erased all the same."""
    error = NotForgottenError(replace(RECEIPT, verified=False))
    assert (error.code, error.receipt.verified) == ("not_forgotten", False)
