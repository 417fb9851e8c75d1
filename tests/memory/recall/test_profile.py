"""The standing profile of a user, and what of it a message is given whatever its scores are. Pure.

A line is a memory, or what the user said: a profile states nothing of its own, so every line can be
asked why it is there, and a forgotten memory leaves no line.
"""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import numpy as np

from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)
from recollect.memory.model.usage import Usage
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.options import ProfileOptions
from recollect.memory.recall.profile import (
    ANY_TOPIC,
    Line,
    ProfileNeed,
    Role,
    bearing,
    broad,
    holding,
    pinned_for,
    pinned_wishes,
    profile_of,
    wishes,
)
from recollect.memory.recall.prototypes import Likeness, MessageMeaning, Prototypes
from tests.support.constants import made
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


KNOWLEDGE = ProfileNeed(about_user=False, topics=frozenset())


@rows("text", ROWS["questions about the user are known"])
def test_questions_about_the_user_are_known(text):
    """In every language with a file."""
    assert ProfileNeed.of(text).about_user


def test_what_a_message_needs_of_a_profile():
    """By words whoever speaks of themselves may need a constraint; meaning decides where it tells."""
    for text in ROWS["who speaks of themselves may need a constraint"]:
        assert ProfileNeed.of(text).topics == ANY_TOPIC, text
    for text in ROWS["questions of knowledge need no profile"]:
        assert ProfileNeed.of(text) == KNOWLEDGE, text
    food = MessageMeaning(frozenset({"food"}))
    assert ProfileNeed.of("xyzzy", food).topics == {"food"}
    assert ProfileNeed.of("xyzzy", MessageMeaning(about_user=True)).about_user
    assert ProfileNeed.of("What should I cook tonight?", MessageMeaning()).topics == frozenset()


ALICE = Scope(tenant="local", user_id="alice")
NOW = utc_now()


def index_of(
    *texts, source=Source.USER, kind=MemoryType.SEMANTIC, flags=(), vectors=None, **origin
):
    items = [
        MemoryItem(
            id=str(number), text=text, type=kind, scope=ALICE,
            created_at=NOW + timedelta(minutes=number), updated_at=NOW + timedelta(minutes=number),
            embedder_id="e", provenance=Provenance(source=source, flags=flags, **origin),
        )
        for number, text in enumerate(texts)
    ]  # fmt: skip
    if vectors is None:
        vectors = np.zeros((len(texts), 2), np.float32)
    stored = [StoredMemory(item, vector) for item, vector in zip(items, vectors, strict=True)]
    return UserIndex.of(vectors.shape[1], stored)


def texts(lines):
    return [line.item.text for line in lines]


FACTS = (
    "User is allergic to peanuts", "User saw a film about bees", "User's name is Finley",
    "User prefers short answers in bullet points", "User always uses TypeScript in strict mode",
)  # fmt: skip


def test_a_profile_has_the_standing_facts_only():
    """Most important first; each line is a memory and names it."""
    lines = profile_of(index_of(*FACTS), ALICE)
    assert texts(lines)[0] == "User's name is Finley"
    assert {line.item.id for line in lines} == {"0", "2", "3"}
    assert profile_of(index_of(*FACTS), Scope(tenant="local", user_id="bob")) == []


def weighed(**importances):
    """An index of these memories, the later one newer."""
    index = index_of(*importances)
    rows = [entry.item for entry in index.entries]
    weights = zip(rows, importances.values(), strict=True)
    items = [replace(item, importance=weight) for item, weight in weights]
    return UserIndex.of(2, [StoredMemory(item, np.zeros(2, np.float32)) for item in items])


def test_what_is_more_important_comes_first_and_then_what_is_newer():
    """Nearly the same importance is the same: an older line is not put before its newer one."""
    index = weighed(old=0.52, new=0.48, trifle=0.2, grave=0.85)
    assert texts(broad([], index, ALICE)) == ["grave", "new", "old", "trifle"]


def test_feedback_moves_no_line_of_a_profile():
    """An allergy is not voted on."""
    index = index_of(*FACTS, "User is allergic to kiwis")
    before = profile_of(index, ALICE)
    index.note_usage({"0": Usage(negative=100), "2": Usage(negative=100)})
    index.note_usage({"5": Usage(positive=100)})
    assert profile_of(index, ALICE) == before
    assert texts(broad(before, index, ALICE))[: len(before)] == texts(before)


def test_a_constraint_bears_on_what_somebody_asks_for_themselves():
    """By its words alone, whatever the topic; not on a question of knowledge."""
    lines = profile_of(index_of(*FACTS), ALICE)
    asked = ProfileNeed.of("What should I cook?").topics
    assert texts(bearing(lines, asked)) == ["User is allergic to peanuts"]
    assert bearing(lines, ProfileNeed.of("Why is the sky blue?").topics) == []


def line_of(text, *topics):
    item = replace(index_of(text).entries[0].item, id=text)
    return Line(item, frozenset(), frozenset(topics), 0)


def test_only_the_constraints_of_the_topic_come_up():
    """Those of most of its topics first: nothing else has business there."""
    lines = [
        line_of("never flies", "travel"),
        line_of("eats no pork", "food", "travel"),
        line_of("four spaces", "code"),
    ]
    assert texts(bearing(lines, frozenset({"food"}))) == ["eats no pork"]
    both = bearing(lines, frozenset({"food", "travel"}))
    assert texts(both) == ["eats no pork", "never flies"]


async def test_meaning_tells_what_words_do_not():
    """What bears on what, and traits that have no words."""
    embedder = FakeEmbedder()
    told = ("I always use four spaces.", "I work as an accountant.", "It rained all day.")
    vectors = await embedder.embed(told)
    prototypes = await Prototypes.of(embedder, SAFE)
    lines = profile_of(index_of(*told, vectors=vectors), ALICE, prototypes)
    assert [(line.item.text, set(line.traits), set(line.bears_on)) for line in lines] == [
        ("I work as an accountant.", {"work"}, set()),
        ("I always use four spaces.", {"tools"}, {"code"}),
    ]


def wished_of(text, **how):
    return texts(wishes(profile_of(index_of(text, **how), ALICE)))


@rows("kind", [MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.EPISODIC])
def test_a_learned_wish_is_one_whatever_its_type(kind):
    """What a model calls it decides nothing."""
    text = "User prefers short answers without emojis"
    assert wished_of(text, source=Source.EXTRACTION, kind=kind) == [text]


@rows("kind, wished", [(MemoryType.SEMANTIC, False), (MemoryType.PROCEDURAL, True)])
def test_what_a_model_calls_a_way_to_do_something_need_be_less_near(kind, wished):
    """Its type says a part of what its meaning leaves open."""
    near = SimpleNamespace(
        languages={"en", "und"},
        mark="",
        told=lambda _: Likeness(wished=0.2, ordinary=-0.1, unfit=-0.2),
        is_disputed=lambda _, **__: False,
    )
    index = index_of("User wants the conclusion at the top", source=Source.EXTRACTION, kind=kind)
    assert bool(wishes(profile_of(index, ALICE, near))) is wished


def test_how_a_task_is_done_is_no_line():
    """A procedure of an agent's run is nothing that the user said."""
    text = "To get temperatures, the user wants Celsius: call weather, then convert"
    index = index_of(text, source=Source.TOOL, kind=MemoryType.PROCEDURAL)
    assert profile_of(index, ALICE) == broad([], index, ALICE) == []


@rows("text", ROWS["a wish that leads somewhere needs a person"])
def test_a_wish_that_leads_somewhere_needs_a_person(text):
    """An address, an image and a command go with other messages only when somebody let them."""
    assert wished_of(text, source=Source.EXTRACTION) == []
    assert wished_of(text, source=Source.EXTRACTION, validated_at=NOW) == [text]


def test_hearsay_makes_no_line():
    """What only others said of the user constrains nobody."""
    assert profile_of(index_of(*FACTS, source=Source.ASSISTANT), ALICE) == []


def test_the_newest_of_many_are_kept():
    """So many lines of constraints, and fewer of each other trait."""
    many = [f"User is allergic to kind {number} of nuts" for number in range(20)]
    lines = profile_of(index_of(*many), ALICE)
    assert len(lines) == 16
    assert "kind 19" in texts(lines)[0]


ON = ProfileOptions()


def roles(found):
    return [(hit.role, hit.item.text) for hit in found.chosen]


def test_a_recipe_brings_the_allergy_and_the_wish():
    """And nothing else."""
    found = pinned_for(index_of(*FACTS), ALICE, "What should I cook tonight?", ON, now=NOW)
    assert roles(found)[:2] == [
        (Role.WISH, "User prefers short answers in bullet points"),
        (Role.CONSTRAINT, "User is allergic to peanuts"),
    ]
    assert not found.broad


def test_who_only_tells_is_given_what_is_likely_or_surely_of_their_topic():
    """A topic that is merely the nearest brings up no constraint."""

    def given(likely, sure):
        meant = MessageMeaning(ANY_TOPIC, sure)
        found = pinned_for(
            index_of(*FACTS), ALICE, "I dropped a plate.", ON, now=NOW, meant=meant,
            evidence=np.full(len(FACTS), likely),
        )  # fmt: skip
        return Role.CONSTRAINT in {role for role, _ in roles(found)}

    none = frozenset()
    assert [given(0.1, none), given(0.3, none), given(0.1, ANY_TOPIC)] == [False, True, True]


def test_who_asks_about_themselves_gets_all():
    """With the whole budget."""
    found = pinned_for(index_of(*FACTS), ALICE, "What do you know about me?", ON, now=NOW)
    assert len(found.chosen) == len(FACTS)
    assert found.broad
    assert {role for role, _ in roles(found)} == {Role.PROFILE}


def test_it_can_be_switched_off():
    """All of it, or the wishes alone."""
    index = index_of(*FACTS)
    assert not pinned_for(index, ALICE, "Who am I?", ProfileOptions(enabled=False), now=NOW).chosen
    assert not pinned_wishes(
        index, profile_of(index, ALICE), made(ProfileOptions, wishes=False)
    ).chosen
    assert len(pinned_wishes(index, profile_of(index, ALICE), ON).chosen) == 1


def test_what_was_replaced_is_not_brought_up():
    """Whatever role it would have."""
    found = pinned_for(index_of(*FACTS), ALICE, "Who am I?", ON, now=NOW, without={"0"})
    assert "0" not in {hit.item.id for hit in found.chosen}
    assert pinned_for(UserIndex(2), ALICE, "Who am I?", ON, now=NOW).chosen == ()


def test_of_a_long_text_the_telling_sentences_are_shown():
    """A story is not repeated for its allergy."""
    story = "We spent the whole summer by the lake with friends from school. " * 3
    index = index_of(f"{story}I am allergic to wasps. {story}")
    found = pinned_for(index, ALICE, "What should I pack for a picnic by a lake?", ON, now=NOW)
    assert [hit.item.text for hit in found.chosen] == ["I am allergic to wasps."]


def said_in(conversation, text):
    """A passage of a conversation, in an index of its own."""
    index = index_of(text, source=Source.SAID)
    [line] = profile_of(index, ALICE)
    told = replace(line.item.provenance, conversation_id=conversation)
    return [replace(line, item=replace(line.item, provenance=told))]


def test_what_is_wished_for_a_conversation_holds_in_it_alone():
    """No other one has it, nor the profile of a user."""
    lines = said_in("c1", "Just for today, always answer in French in a formal tone.")
    assert holding(lines, NOW, "c1") == lines
    assert holding(lines, NOW, "c2") == holding(lines, NOW) == []


def test_what_is_wished_until_a_day_holds_until_then():
    """In every conversation."""
    lines = said_in("c1", "Until 3 March always answer in French in a formal tone.")
    assert holding(lines, NOW, "c2") == lines
    assert holding(lines, NOW + timedelta(days=400), "c1") == []


def test_a_model_may_leave_out_how_far_a_wish_reaches():
    """The user's own words tell it then."""
    index = index_of("Always answer in French in a formal tone", source=Source.EXTRACTION)
    [line] = profile_of(index, ALICE)
    quoted = replace(
        line.item,
        provenance=replace(
            line.item.provenance,
            conversation_id="c1",
            quote="For this story, always answer in French",
        ),
    )
    index = UserIndex.of(2, [StoredMemory(quoted, np.ones(2, np.float32))])
    lines = profile_of(index, ALICE)
    assert holding(lines, NOW) == []
    assert holding(lines, NOW, "c1") == wishes(lines) == lines
