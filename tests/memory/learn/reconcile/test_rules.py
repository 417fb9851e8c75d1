"""Decides about one candidate by rules: what is known about all its neighbours, as one decision. Pure."""

from datetime import UTC, datetime, timedelta

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.learn.reconcile import Neighbour, likely, reconcile, statement_of
from recollect.memory.learn.reconcile.rules import is_one_matter
from recollect.memory.model.types import (
    Candidate,
    EventKind,
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    ScoredMemory,
    Source,
)
from tests.support.folding import rows

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_a_neighbour_is_a_search_hit():
    """Its time is when it was said, its group that of the row or its own id."""
    item = MemoryItem(
        id="m",
        text="User likes tea",
        type=MemoryType.SEMANTIC,
        scope=Scope(tenant="local", user_id="ann"),
        created_at=NOON,
        updated_at=NOON,
        embedder_id="e",
        valid_from=NOON - timedelta(days=1),
        provenance=Provenance(turn_ids=("t",)),
    )
    neighbour = Neighbour.of(ScoredMemory(item, 0.5))
    assert (neighbour.created_at, neighbour.group) == (NOON - timedelta(days=1), "m")
    assert neighbour.turn_ids == ("t",)


def test_which_is_newer():
    """Only if both times are known."""
    known = Neighbour("m", "User likes tea", MemoryType.SEMANTIC, 0.5, NOON)
    assert known.is_newer_than(NOON - timedelta(days=1))
    assert not known.is_newer_than(NOON)
    assert not known.is_newer_than(None)
    bare = Neighbour("m", "User likes tea", MemoryType.SEMANTIC, 0.5)
    assert not bare.is_newer_than(NOON)


MINILM = calibration_for("all-MiniLM-L6-v2", dim=384)


@rows(
    "one, other, cosine, linked",
    [
        ("User lives in Graz", "User moved to Trieste", MINILM.update, True),
        ("User's rent is 900 EUR", "User's rent is 950 EUR", 0.0, True),
        ("User likes tea", "User's car is red", 0.0, False),
        ("User likes strong tea in the garden", "User waters the garden daily", 0.4, True),
        ("User likes strong tea in the garden", "User waters the garden daily", 0.0, False),
    ],
)
def test_what_may_be_one_matter(one, other, cosine, linked):
    """A near meaning, half of the words, or one word and a related meaning."""
    assert is_one_matter(one, other, cosine, MINILM) is linked


def test_without_a_calibration_words_tell():
    """A cosine means nothing then, however high."""
    assert not is_one_matter("User lives in Graz", "User moved to Trieste", 0.99, SAFE)
    assert is_one_matter("User lives in Graz", "User's flat in Graz is small", 0.0, SAFE)


def test_what_the_user_is_called_links_nothing():
    """Every memory begins with it."""
    assert not is_one_matter("User swims", "User paints", 0.0, SAFE)


def near(text, score=0.8, *, name="old", at=None, matter=""):
    return Neighbour(name, text, MemoryType.SEMANTIC, score, at, matter)


def decide(text, *neighbours, calibration=MINILM, at=None, **fields):
    candidate = Candidate(text=text, **fields)
    return reconcile(candidate, neighbours, new_id="new", calibration=calibration, at=at)


def test_nothing_known():
    """The first fact is added with all that its candidate carries, as a matter of its own."""
    decision = decide(
        "User likes tea",
        type=MemoryType.PROCEDURAL,
        quote="I like tea",
        turn_ids=("t1",),
        source=Source.ASSISTANT,
        importance=0.9,
        subject="user",
    )
    assert (decision.event, decision.memory_id) == (EventKind.ADD, "new")
    assert (decision.matter, decision.pending, decision.score) == ("new", (), None)
    assert (decision.type, decision.quote) == (MemoryType.PROCEDURAL, "I like tea")
    assert (decision.turn_ids, decision.source) == (("t1",), Source.ASSISTANT)
    assert (decision.importance, decision.subject) == (0.9, "user")


@rows("score", [-1.0, 0.5, 1.0])
@rows("calibration", [MINILM, SAFE])
def test_the_same_words_are_no_news(score, calibration):
    """An exact repetition is NONE about the known memory, whatever the scores say."""
    other = near("User likes milk", 0.99, name="x")
    known = near("user likes TEA!", score)
    decision = decide("User likes tea", other, known, calibration=calibration)
    assert (decision.event, decision.memory_id) == (EventKind.NONE, "old")
    assert decision.text == "user likes TEA!"


def test_what_may_be_the_same_matter_is_linked():
    """One group id, the nearest first, and no verdict."""
    known = (
        near("User plays the bass", 0.7, name="bass", matter="music"),
        near("User plays the drums", 0.8, name="drums"),
        near("User's car is red", 0.1, name="car"),
    )
    decision = decide("User plays the guitar", *known)
    assert (decision.event, decision.memory_id) == (EventKind.ADD, "new")
    assert decision.pending == ("drums", "bass")
    assert decision.matter == "drums"
    assert decide("User plays the guitar", *known[::2]).matter == "music"


def test_an_end_is_a_statement_too():
    """The memory ends, and what was said of it can be remembered."""
    decision = decide("User no longer plays the oboe", near("User plays the oboe"))
    assert (decision.event, decision.memory_id) == (EventKind.DELETE, "old")
    assert decision.old_text == "User plays the oboe"
    stated = statement_of(decision, Candidate(text="User no longer plays the oboe"), "new")
    assert (stated.event, stated.memory_id, stated.matter) == (EventKind.ADD, "new", "old")


def test_an_older_statement_changes_no_newer_memory():
    """What is imported late stands beside what was said after it."""
    known = near("User plays the oboe", at=NOON)
    earlier = decide("User no longer plays the oboe", known, at=NOON - timedelta(days=1))
    later = decide("User no longer plays the oboe", known, at=NOON + timedelta(days=1))
    assert (earlier.event, earlier.pending) == (EventKind.ADD, ("old",))
    assert later.event is EventKind.DELETE


def test_hundreds_of_one_matter():
    """All are linked, in the order of their scores."""
    many = [near(f"User saw film {n}", n / 1000, name=str(n)) for n in range(200)]
    found = likely(Candidate(text="User saw film 900"), many, MINILM)
    assert [one.id for one in found] == [str(n) for n in reversed(range(200))]


def hearsay(text, created_at=None):
    return Neighbour("m", text, MemoryType.SEMANTIC, 0.9, created_at, is_hearsay=True)


def decided(candidate, *neighbours, at=None):
    made = reconcile(candidate, neighbours, new_id="new", calibration=SAFE, at=at)
    return made.event, made.memory_id, made.text


def test_what_the_user_says_too_becomes_the_users_word():
    """One memory with that text, which is the user's from now on; a memory of the user's suffices."""
    text = "User likes tea"
    candidate, theirs = Candidate(text=text, source=Source.EXTRACTION), hearsay(text)
    assert decided(candidate, theirs) == (EventKind.UPDATE, "m", text)
    own = Neighbour("own", text, MemoryType.SEMANTIC, 0.9)
    assert decided(candidate, theirs, own) == (EventKind.NONE, "own", text)
    tools = Candidate(text=text, source=Source.TOOL)
    assert decided(tools, theirs) == (EventKind.NONE, "m", text)
    newer = hearsay(text, NOON)
    assert decided(candidate, newer, at=NOON - timedelta(days=1))[:2] == (EventKind.ADD, "new")


def test_nobody_elses_word_changes_the_users():
    """What the user's own would replace or end stays beside it."""
    known = Neighbour("m", "User likes tea", MemoryType.SEMANTIC, 0.9)
    text = "User does not like tea"
    own = Candidate(text=text, source=Source.EXTRACTION)
    assert decided(own, known)[0] is EventKind.DELETE
    for source in (Source.TOOL, Source.ASSISTANT):
        candidate = Candidate(text=text, source=source)
        assert decided(candidate, known) == (EventKind.ADD, "new", text)
        assert decided(candidate, hearsay("User likes tea"))[0] is EventKind.DELETE
