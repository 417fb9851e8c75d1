"""What a remark on an answer teaches, on every surface: a wish, once a person says yes."""

from __future__ import annotations

import json

from tests.support.scripted import facts
from tests.surfaces.all import told_on
from tests.surfaces.surface import Surface
from tests.surfaces.test_what_was_said import record

ALICE = {"user_id": "alice"}
REMARK = "Your answer was incomplete, it leaves out the costs."
LESSON = "User prefers detailed answers in bullet points"
ASKED = "Plan a weekend in Rome"


def shown(surface: Surface) -> bool:
    """Whether a chat is given it with any message."""
    return LESSON in surface.run("explain", query=ASKED, **ALICE)["block"]


@told_on("upkeep.run", "upkeep.undo", "get_all", "validate", "explain", "add")
def test_a_remark_on_an_answer_waits_for_a_person(surface):
    """Reflection keeps it quarantined, with the remark; validated, it goes with every message."""
    surface.place.call(surface.place.engine.recaller.prepare())
    surface.add("User keeps bees")
    record(surface, f"r {surface.tenant}", f"of {surface.tenant}", REMARK, "Sorry.")
    surface.place.says(json.dumps({"lessons": [{"text": LESSON, "message": 1}]}))
    [run] = surface.run("upkeep.run", kind="reflect", **ALICE)["results"]
    [change] = run["changes"]
    assert change["event"] == "QUARANTINE"
    assert LESSON not in surface.texts()
    assert not shown(surface)
    surface.run("validate", memory_id=change["id"])
    assert LESSON in surface.texts()
    assert shown(surface)


@told_on("upkeep.run", "upkeep.undo", "get_all", "add")
def test_a_lesson_is_taken_back(surface):
    """With the run that made it, and it is not learned again from the same remark."""
    surface.add("User keeps bees")
    record(surface, f"r {surface.tenant}", f"of {surface.tenant}", REMARK, "Sorry.")
    surface.place.says(json.dumps({"lessons": [{"text": LESSON, "message": 1}]}))
    [run] = surface.run("upkeep.run", kind="reflect", **ALICE)["results"]
    assert surface.run("upkeep.undo", name=run["id"])["undone"] == 1
    [again] = surface.run("upkeep.run", kind="reflect", **ALICE)["results"] or [{"changes": []}]
    assert again["changes"] == []


@told_on("upkeep.run", "upkeep.undo", "get_all", "add", "explain")
def test_the_users_own_word_lifts_the_doubt(surface):
    """What a remark taught is a wish once the user says so, and no second memory."""
    surface.place.call(surface.place.engine.recaller.prepare())
    surface.add("User keeps bees")
    record(surface, f"r {surface.tenant}", f"of {surface.tenant}", REMARK, "Sorry.")
    surface.place.says(json.dumps({"lessons": [{"text": LESSON, "message": 1}]}))
    surface.run("upkeep.run", kind="reflect", **ALICE)
    surface.place.says(facts(LESSON))
    said = "I prefer detailed answers in bullet points."
    surface.run("add", messages=said, infer=True, **ALICE)
    assert surface.texts().count(LESSON) == 1
    assert shown(surface)
