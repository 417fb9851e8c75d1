"""Five memories of one hobby, told a week ago, are one summary: made and taken back anywhere."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from recollect.memory.calibration import save_calibration
from recollect.memory.model.types import Scope, utc_now
from tests.surfaces.all import told_on
from tests.surfaces.place import a_place
from tests.surfaces.test_topics import MEASURED

ALICE = {"user_id": "alice"}
HOBBY = (
    "The violin of User's string quartet has a bow and User sold it again",
    "The violin of User's string quartet has a case with red velvet",
    "The violin of User's string quartet has a crack that was mended",
    "The violin of User's string quartet has a label of Cremona",
    "The violin of User's string quartet has a price of 900 euros",
)
OTHERS = (
    "Kites fly well near beaches", "Tea tastes best from thin cups",
    "Trains leave twice an hour for Basel", "Winters were colder during childhood",
    "Grandfather repaired clocks", "Bread rises slowly overnight",
)  # fmt: skip


@pytest.fixture(scope="module")
def shared_place(tmp_path_factory):
    """A product that condenses topics, and was told what the cosines of its embedder mean."""
    file = tmp_path_factory.mktemp("measured") / "calibration.json"
    save_calibration(
        file, "fake-words-384", MEASURED, measured_at=datetime.now(UTC), counts={"same": 20}
    )
    with a_place(recall__calibration=str(file), upkeep__kinds__summaries=True) as place:
        yield place


def shortened(body):
    """A model that says each note in its first words."""
    asked = body["messages"][-1]["content"]
    notes = re.findall(r"(?m)^(\d+)\. (.*)$", asked)
    said = [{"text": " ".join(text.split()[:9]), "notes": [int(at)]} for at, text in notes]
    return json.dumps({"points": said})


def age(surface):
    """As if all was told a week ago."""
    store, old = surface.place.engine.parts.store, utc_now() - timedelta(days=8)
    scope = Scope(tenant=surface.tenant, user_id="alice")
    for one in surface.place.call(store.load(scope, limit=100)):
        item = replace(one.item, created_at=old, updated_at=old, valid_from=old)
        surface.place.call(store.put([replace(one, item=item)]))


@told_on("add", "get_all", "upkeep.run", "upkeep.undo")
def test_a_topic_becomes_one_summary_and_comes_back(surface):
    """It says each of them whole, cites them, and one call takes it back."""
    surface.add(*HOBBY, *OTHERS)
    age(surface)
    surface.place.says(shortened)
    [run] = surface.run("upkeep.run", kind="consolidate", **ALICE)["results"]
    assert [one["event"] for one in run["changes"]] == ["ADD"] + ["ARCHIVE"] * len(HOBBY)
    [summary] = set(surface.texts()) - {*OTHERS}
    assert [text for text in HOBBY if text not in summary] == []
    assert len(run["changes"][0]["cites"]) == len(HOBBY)
    surface.run("upkeep.undo", name=run["id"])
    assert sorted(surface.texts()) == sorted((*HOBBY, *OTHERS))


@told_on("add", "get_all", "upkeep.run", "upkeep.undo")
def test_what_is_of_this_week_stays_as_it_is(surface):
    """It is still being added to."""
    surface.add(*HOBBY, *OTHERS)
    surface.place.says(shortened)
    surface.run("upkeep.run", kind="consolidate", **ALICE)
    assert sorted(surface.texts()) == sorted((*HOBBY, *OTHERS))
