"""Memories that somebody chose to have condensed."""

from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.model.jobs import JobKind
from recollect.memory.upkeep.consolidate import topics
from recollect.memory.upkeep.consolidate.chosen_memories import TOPIC, naming
from recollect.memory.upkeep.consolidate.topics import chosen_topic
from tests.memory.jobs.worker_world import drain

from .notes import ALICE, NOW, VIOLIN, Answers, first_words, item, notes, stored
from .test_step import Upkept, Vectors


def chosen(items, *ids):
    made = chosen_topic(items, ids, NOW)
    return made and ([note.id for note in made.notes], made.summary and made.summary.id)


def test_chosen_memories_are_one_topic_however_near_they_are(monkeypatch):
    """Those that were not chosen, or may stand in no summary, are left out."""
    one, two, three, four = notes()
    wish = item("w", "Always answer me in French, whatever I ask.")
    items = [stored(each, number) for number, each in enumerate([one, two, three, four, wish])]
    assert chosen(items, "n1", "n2", "n4", "w", "gone") == (["n1", "n2", "n4"], None)
    assert chosen(items, "w", "gone") is None
    monkeypatch.setattr(topics, "MAX_SOURCES", 3)
    assert chosen(items, "n1", "n2", "n3", "n4") == (["n1", "n2", "n3"], None)


def test_what_comes_to_a_chosen_summary_is_added_to_it(monkeypatch):
    """Its own sources are archived, and take of the room."""
    one, two, three, _ = notes()
    summary = item("s", "User plays.", provenance={"cites": ("x", "y")})
    items = [stored(each, 0) for each in (one, two, three, summary)]
    assert chosen(items, "n1", "n2", "s") == (["n1", "n2"], "s")
    assert chosen(items, "s") is None
    monkeypatch.setattr(topics, "MAX_SOURCES", 3)
    assert chosen(items, "n1", "n2", "s") == (["n1"], "s")


async def test_such_a_job_condenses_what_is_new_with_summaries_switched_off():
    """It is of no conversation, condenses nothing else, and its run tells what asked for it."""
    world = Upkept(model=Answers(first_words), embedder=Vectors(**dict.fromkeys(VIOLIN, "violin")))
    await world.keep(*notes(), item("x", "User drives an old van and likes it."))
    worker = world.worker()
    worker.upkeep.add(world.step())
    about = upkeep_job(
        JobKind.CONSOLIDATE, ALICE, "t", reason=TOPIC, conversation_id=naming(["n1", "n3", "n4"])
    )
    await world.jobs.put(about)
    await drain(worker)
    run = await world.runs.get(ALICE.tenant, about.id)
    assert (run.reason, run.figures["condensed"]) == (TOPIC, 1)
    statuses = await world.by_status()
    assert {name for name, status in statuses.items() if status == "archived"} == {
        "n1", "n3", "n4",
    }  # fmt: skip
    [summary] = statuses.keys() - {"n1", "n2", "n3", "n4", "x"}
    kept = await world.row(summary)
    assert (kept.provenance.conversation_id, set(kept.provenance.cites)) == (
        None, {"n1", "n3", "n4"},
    )  # fmt: skip
    await worker.upkeep.undo(ALICE.tenant, about.id)
    assert "archived" not in (await world.by_status()).values()
