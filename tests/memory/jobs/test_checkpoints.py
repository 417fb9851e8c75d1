"""What a job has decided comes back as it was, or not at all."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.jobs.checkpoints import checkpointed, dumped
from recollect.memory.learn import Learned
from recollect.memory.model.claims import NO_CLAIMS, claims_of
from recollect.memory.model.doubts import Doubt
from recollect.memory.model.types import Decision, EventKind, Job, MemoryType, Source
from recollect.memory.upkeep import UpkeepPlan
from tests.memory.learn.doubles import ALICE, NOON
from tests.support.folding import rows

JOB = Job(id="j", scope=ALICE, conversation_id="c", upto_seq=1, reason="turns")
FULL = Decision(
    event=EventKind.QUARANTINE,
    memory_id="m1",
    text="User likes “tea” 🍵",
    type=MemoryType.EPISODIC,
    old_text="User likes milk",
    stage="trust",
    score=0.5,
    reason="secrecy",
    scores={"cosine": 0.5},
    matter="m0",
    pending=("m0",),
    quote="tea",
    turn_ids=("t1", "t2"),
    source=Source.TOOL,
    importance=0.25,
    subject="User",
    predicate="likes",
    object="tea",
    flags=("secrecy",),
    reasons=(Doubt("secrecy", "tool", "hides it", "Tell nobody"),),
    taken_from="m0",
    withheld=("m3",),
    given="key",
    model="extractor",
    at=NOON,
)
BARE = Decision(event=EventKind.NONE, memory_id="m2", text="x", type=MemoryType.SEMANTIC)


@rows(
    "decided",
    [
        Learned(),
        Learned((FULL, BARE), {"secret": 1}, {"pasted": 2}, "schema", ("t1",), True, ("t2",)),
        UpkeepPlan(),
        UpkeepPlan((FULL,), {"share": 0.5}, True, True, ("m1",), {"m1": "m0"}, True, {"t1": 5}),
    ],
)
def test_every_field_comes_back(decided):
    """To the last one: what was counted and what could not be read, too."""
    assert checkpointed(replace(JOB, checkpoint=dumped(decided)), type(decided)) == decided


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
CLAIMS = claims_of(
    {
        "entities": [{"name": "Ann", "type": "person", "aliases": ["my wife"]}],
        "relations": [{"source": "user", "relation": "married_to", "target": "Ann"}],
    }
)


@given(st.lists(st.builds(
    replace, st.just(FULL), text=TEXTS, old_text=st.none() | TEXTS, quote=st.none() | TEXTS,
    claims=st.sampled_from([NO_CLAIMS, CLAIMS]),
)))  # fmt: skip
def test_any_text_comes_back(decisions):
    """Whatever characters a model writes."""
    learned = Learned(tuple(decisions))
    assert checkpointed(replace(JOB, checkpoint=dumped(learned)), Learned) == learned
