"""The file with the operator's measurements."""

import json
import os
from dataclasses import asdict
from datetime import UTC, datetime

import pytest

from recollect.memory.calibration import Calibration, load_calibrations, save_calibration
from recollect.memory.calibration.weights import BUILT_IN
from recollect.memory.model.errors import InvalidInputError, StateError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
MINE = Calibration(recall=0.3, update=0.6, same=0.9, floor=0.2, ceiling=0.8, dim=512)
ENTRY = {"dim": 512, "recall": 0.3, "update": 0.6, "same": 0.9, "floor": 0.2, "ceiling": 0.8}


def save(path, embedder_id="mine", calibration=MINE):
    save_calibration(path, embedder_id, calibration, measured_at=NOON, counts={"relevant": 20})


def test_what_is_saved_is_loaded(tmp_path):
    """Every value comes back, with when and from how much it was measured beside it."""
    path = tmp_path / "new" / "calibration.json"
    save(path)
    assert load_calibrations(path) == {"mine": MINE}
    entry = json.loads(path.read_text())["mine"]
    assert entry["measured_at"] == "2026-11-21T12:00:00+00:00"
    assert entry["counts"] == {"relevant": 20}


WEIGHTS = asdict(BUILT_IN)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"languages": []}, "languages"),
        ({"languages": {"de": 3}}, "languages.de"),
        ({"languages": {"de": {}}}, "languages.de"),
        ({"weights": 3}, "weights"),
        ({"weights": WEIGHTS | {"theme": "much"}}, "weights.theme"),
        ({"weights": {"answers": WEIGHTS}}, "weights.bias"),  # as it was written once
        ({"elsewhere": "all"}, "elsewhere"),
    ],
)
def test_a_wrong_worth_or_weight_is_named(tmp_path, change, field):
    """The error ends with the field."""
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({"mine": ENTRY | change}))
    with pytest.raises(InvalidInputError) as caught:
        load_calibrations(path)
    assert caught.value.field.endswith(field)


def test_other_embedders_stay(tmp_path):
    """Measuring one embedder again replaces its own values only."""
    path = tmp_path / "calibration.json"
    save(path, "ours/größer")
    save(path)
    save(path, calibration=Calibration(recall=0.4, update=0.6, same=0.9, dim=512))
    found = load_calibrations(path)
    assert found["ours/größer"] == MINE
    assert found["mine"].recall == 0.4


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not JSON"),
        ("\x00", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "expected an object by embedder id"),
        ('{"mine": 3}', "mine: expected an object"),
    ],
)
def test_a_broken_file_is_named(tmp_path, content, said):
    """What cannot be read at all ends the start with the file's path."""
    path = tmp_path / "calibration.json"
    path.write_text(content)
    with pytest.raises(InvalidInputError) as caught:
        load_calibrations(path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"recall": None}, "recall"),
        ({"recall": "0.3"}, "recall"),
        ({"recall": True}, "recall"),
        ({"recall": 1.1}, "recall"),
        ({"floor": float("nan")}, "floor"),
        ({"floor": -2}, "floor"),
        ({"ceiling": 0.2}, "ceiling"),
        ({"same": float("inf")}, "same"),
        ({"update": 0.95}, "update"),
        ({"dim": 0}, "dim"),
        ({"dim": 3.5}, "dim"),
        ({"dim": True}, "dim"),
    ],
)
def test_a_wrong_value_is_named(tmp_path, change, field):
    """The embedder and the field stand in the error."""
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({"mine": ENTRY | change}))
    with pytest.raises(InvalidInputError) as caught:
        load_calibrations(path)
    assert caught.value.field == f"{path}: mine.{field}"


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    """A full disk costs the new values, not the old ones, and leaves nothing behind."""
    path = tmp_path / "calibration.json"
    save(path)
    before = path.read_text()

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StateError, match="No space left"):
        save(path, "another")
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]
