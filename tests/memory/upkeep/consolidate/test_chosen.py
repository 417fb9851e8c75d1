"""Memories that somebody chose to have condensed."""

from dataclasses import replace

from recollect.memory.jobs.calling import UpkeepCalls
from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.model.jobs import JobKind
from recollect.memory.upkeep.consolidate.chosen import TOPIC, chosen_in, naming
from recollect.memory.upkeep.consolidate.schedule import exactly
from recollect.memory.upkeep.consolidate.topics import chosen_topic
from tests.memory.jobs.worker_world import drain
from tests.memory.state.samples import ALICE as OF_SAMPLES

from .notes import ALICE, NOW, VIOLIN, Answers, first_words, item, job, notes, stored
from .test_schedule import run
from .test_step import Upkept, Vectors
from .test_topics import OPTIONS


def chosen(items, *ids, **changes):
    made = chosen_topic(items, ids, replace_options(**changes), NOW)
    return made and ([note.id for note in made.notes], made.summary and made.summary.id)


def replace_options(**changes):
    return OPTIONS.model_copy(update=changes)


def test_a_job_names_the_memories_that_it_is_about():
    """In any order the same; a job about a whole scope names none."""
    assert naming(["b", "a"]) == naming(["a", "b"])
    about = replace(job(), reason=TOPIC, conversation_id=naming(["a|b", 'c"d']))
    assert chosen_in(about) == {"a|b", 'c"d'}
    assert chosen_in(job()) is None


def test_a_call_makes_such_a_job_each_time():
    """Calling it again is another try."""
    calls = UpkeepCalls(None, NoState(), None, None)
    first, second = (calls.condensing(OF_SAMPLES, ["a"]) for _ in range(2))
    assert first.id != second.id
    assert chosen_in(first) == chosen_in(second) == {"a"}
    assert (first.scope, first.reason) == (OF_SAMPLES, TOPIC)


class NoState:
    """Nothing of it is needed."""

    conversations = jobs = runs = None


def test_chosen_memories_are_one_topic_however_near_they_are():
    """Those that were not chosen, or may stand in no summary, are left out."""
    one, two, three, four = notes()
    wish = item("w", "Always answer me in French, whatever I ask.")
    items = [stored(each, number) for number, each in enumerate([one, two, three, four, wish])]
    assert chosen(items, "n1", "n2", "n4", "w", "gone") == (["n1", "n2", "n4"], None)
    assert chosen(items, "w", "gone") is None
    assert chosen(items, "n1", "n2", "n3", "n4", max_sources=3) == (["n1", "n2", "n3"], None)


def test_what_comes_to_a_chosen_summary_is_added_to_it():
    """Its own sources are archived, and take of the room."""
    one, two, three, _ = notes()
    summary = item("s", "User plays.", provenance={"cites": ("x", "y")})
    items = [stored(each, 0) for each in (one, two, three, summary)]
    assert chosen(items, "n1", "n2", "s") == (["n1", "n2"], "s")
    assert chosen(items, "n1", "n2", "s", max_sources=3) == (["n1"], "s")
    assert chosen(items, "s") is None


def test_a_run_about_a_topic_is_no_consolidation_of_the_scope():
    """The scope is looked after as if there had been none."""
    whole = run()
    topic = replace(whole, id="consolidate:t", reason=TOPIC)
    assert exactly([topic, whole], whole.scope) == whole
    assert exactly([topic], whole.scope) is None


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
    assert (run.complete, run.reason, run.figures["condensed"]) == (True, TOPIC, 1)
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
