"""Decides about one candidate by rules: what is known about all its neighbours, as one decision. Pure."""

from datetime import UTC, datetime, timedelta

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.learn.reconcile import Neighbour, asked_about, reconcile
from recollect.memory.learn.reconcile.rules import MOST_ASKED, NEAREST, is_one_matter
from recollect.memory.model.types import (
    Candidate,
    EventKind,
    MemoryType,
    Source,
)
from tests.support.folding import rows

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


MINILM = calibration_for("all-MiniLM-L6-v2", dim=384)


FAR, AS_NEAR = [0.2] * 7, [0.44] * 7


@rows(
    "one, other, cosine, beside, linked",
    [
        ("User lives in Graz", "User moved to Trieste", MINILM.update, [], True),
        ("User lives in Graz", "User moved to Trieste", 0.45, FAR, True),
        ("User lives in Graz", "User moved to Trieste", 0.45, AS_NEAR, False),
        ("User lives in Graz", "User moved to Trieste", 0.45, [0.9, *FAR], True),
        ("User lives in Graz", "User moved to Trieste", 0.3, FAR, False),
        ("User's rent is 900 EUR", "User's rent is 950 EUR", 0.0, AS_NEAR, True),
        ("User likes tea", "User's car is red", 0.0, [], False),
        ("User likes strong tea in the garden", "User waters the garden daily", 0.0, [], False),
    ],
)
def test_what_may_be_one_matter(one, other, cosine, beside, linked):
    """Half of the words, or a meaning that is nearer than what is near anyway."""
    assert is_one_matter(one, other, cosine, MINILM, beside) is linked


def near(text, score=0.8, *, name="old", at=None, matter=""):
    return Neighbour(name, text, MemoryType.SEMANTIC, score, at, matter)


def decide(text, *neighbours, calibration=MINILM, at=None, **fields):
    candidate = Candidate(text=text, **fields)
    return reconcile(candidate, neighbours, new_id="new", calibration=calibration, at=at)


def boats(cosine):
    """Memories with no word in common with the fact, each a little less near."""
    return [
        near(f"User owns boat {number}", cosine - number / 1000, name=f"m{number}")
        for number in range(20)
    ]


RENT = near("User's rent is 950 EUR", 0.0, name="rent")


@rows("cosine, most", [(0.3, NEAREST), (0.5, MOST_ASKED)])
def test_a_model_is_asked_about_the_nearest_whatever_their_words(cosine, most):
    """What shares words comes first; of what is close, more: then much is near without a reason."""
    candidate = Candidate(text="User's rent is 900 EUR")
    asked = asked_about(candidate, [RENT, *boats(cosine)][::-1], MINILM)
    assert [one.id for one in asked] == ["rent", *(f"m{number}" for number in range(most))]
    assert decide("User's rent is 900 EUR", RENT, *boats(cosine)).pending == ("rent",)


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
