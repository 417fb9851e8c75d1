"""Chooses a place for each model, and learns from refusals."""

import json

import pytest

from recollect.filters import Place, Position
from recollect.proxy.chat.placing.places import (
    FILE_NAME,
    MAX_MODELS,
    ModelPlaces,
    may_be_refusal,
    read_records,
)
from recollect.proxy.chat.placing.record import MOST_VAIN
from tests.support.folding import rows

BASE = "http://127.0.0.1:8000/v1"


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def places(clock, position=Position.TAIL, path=None, base=BASE):
    return ModelPlaces(base, position, path=path, clock=clock)


def test_one_long_request_does_not_move_the_memories_of_all(clock):
    """The place inside the user message was accepted: single refusals are about single requests."""
    known = places(clock, Position.AUTO)
    known.accepted("m", Place.USER)
    for _ in range(MOST_VAIN - 1):
        known.refused("m", Place.USER, 400)
        assert known.choose("m") is Place.USER
    known.accepted("m", Place.USER)
    for _ in range(MOST_VAIN):
        assert known.choose("m") is Place.USER
        known.refused("m", Place.USER, 400)
    assert known.choose("m") is Place.START


def test_a_restart_does_not_ask_again(clock, tmp_path):
    """What was refused is in a file, without a user or a text, that only its owner can read."""
    path = tmp_path / "data" / FILE_NAME
    places(clock, path=path).refused("m", Place.TAIL, 400)
    assert places(clock, path=path).choose("m") is Place.USER
    assert places(clock, path=path, base="http://elsewhere/v1").choose("m") is Place.TAIL
    assert path.stat().st_mode & 0o077 == 0
    [record] = read_records(path, BASE)["m"].values()
    assert (record.refusals, record.status, record.at) == (1, 400, clock.now)


DAMAGED = (
    "",
    "[]",
    "{",
    json.dumps({BASE: []}),
    json.dumps({BASE: {"m": {"nowhere": {}}}}),
    json.dumps({BASE: {"m": {"tail": 5}}}),
    "\ud800",
)


@rows("text", DAMAGED)
def test_a_damaged_file_is_said_and_not_read(clock, tmp_path, text, caplog):
    """Memory then begins with the wanted place; the next refusal writes the file anew."""
    caplog.clear()
    path = tmp_path / FILE_NAME
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    known = places(clock, path=path)
    assert known.choose("m") is Place.TAIL
    assert FILE_NAME in caplog.text
    known.refused("m", Place.TAIL, 400)
    assert list(json.loads(path.read_text())) == [BASE]


def test_a_folder_that_cannot_be_written_costs_only_the_memory_of_it(clock, tmp_path, caplog):
    """The place is left all the same."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    known = places(clock, path=blocked / FILE_NAME)
    known.refused("m", Place.TAIL, 400)
    assert known.choose("m") is Place.USER
    assert "cannot be written" in caplog.text


def test_names_of_models_are_bounded(clock):
    """A client may send any name, of any length, and as many as it likes."""
    known = places(clock)
    for number in range(MAX_MODELS + 10):
        known.refused("x" * 10_000 + str(number), Place.TAIL, 400)
        known.refused(f"m{number}", Place.TAIL, 400)
    assert len(known._records) == MAX_MODELS
    assert all(len(name) <= 200 for name, _ in known._records.items())


@rows("status", [400, 403, 404, 413, 418, 422])
def test_refusals(status):
    """What a server answers to a request that it does not like, whatever the place."""
    assert all(may_be_refusal(status, place) for place in Place)


def test_a_500_may_be_a_chat_template():
    """As llama.cpp says it; the place inside the user message is refused by no template."""
    assert [may_be_refusal(500, place) for place in (Place.TAIL, Place.START, Place.USER)] == [
        True,
        True,
        False,
    ]
