import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.calibration import SAFE, Calibration
from memory.learn.reconcile import Neighbour, canonical, reconcile, says_the_same, shows_change
from memory.types import Candidate, EventKind, MemoryType

ZONES = Calibration(recall=0.2, update=0.8, same=0.9)


def near(text, score, *, name="old", kind=MemoryType.SEMANTIC):
    return Neighbour(name, text, kind, score)


def decide(text, *neighbours, calibration=ZONES, kind=MemoryType.SEMANTIC):
    candidate = Candidate(text=text, type=kind, quote="said so")
    return reconcile(candidate, neighbours, new_id="new", calibration=calibration)


def outcome(decision):
    return decision.event, decision.memory_id, decision.stage


def test_nothing_known():
    """The first fact is added, with its type and quote and no score."""
    decision = decide("User likes tea", kind=MemoryType.PROCEDURAL)
    assert outcome(decision) == (EventKind.ADD, "new", "zone")
    assert (decision.text, decision.score, decision.quote) == ("User likes tea", None, "said so")
    assert decision.type is MemoryType.PROCEDURAL


@pytest.mark.parametrize("known", ["User likes tea", "user LIKES  tea!", "Ｕser likes tea."])
@pytest.mark.parametrize("score", [-1.0, 0.5, 1.0])
def test_the_same_words_are_no_news(known, score):
    """An exact repetition is NONE about the known memory, whatever the scores say."""
    decision = decide("User likes tea", near("User likes milk", 0.99, name="x"), near(known, score))
    assert outcome(decision) == (EventKind.NONE, "old", "exact")
    assert decision.text == known


def test_the_same_words_in_another_type_are_no_news():
    """A model that calls the same fact by another type has not found a new one."""
    decision = decide("User likes tea", near("User likes tea", 1.0, kind=MemoryType.EPISODIC))
    assert outcome(decision) == (EventKind.NONE, "old", "exact")


@pytest.mark.parametrize(
    ("score", "event"),
    [
        (0.79, EventKind.ADD),
        (0.8, EventKind.UPDATE),
        (0.89, EventKind.UPDATE),
        (0.9, EventKind.NONE),
        (1.0, EventKind.NONE),
    ],
)
def test_zones(score, event):
    """Below `update` is new, below `same` a change is an update, from there on it is the same."""
    decision = decide("User switched to green tea", near("User drinks black tea", score))
    assert decision.event is event
    assert decision.score == score
    assert decision.memory_id == ("new" if event is EventKind.ADD else "old")


def test_update_tells_both_texts():
    """An update carries the old text for the history and the new one for the store."""
    decision = decide("User now drinks tea", near("User drinks milk", 0.85))
    assert (decision.old_text, decision.text) == ("User drinks milk", "User now drinks tea")


def test_a_second_fact_about_the_same_thing_is_added():
    """However near, what shows no change stands beside what is known."""
    decision = decide("User plays the bass", near("User plays the drums", 0.89))
    assert outcome(decision) == (EventKind.ADD, "new", "zone")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User's budget is $8,000", "User's budget is $5,000"),
        ("User moved to Oslo", "User lives in Rome"),
        ("User no longer eats meat", "User eats meat"),
        ("Die Nutzerin ist umgezogen", "Die Nutzerin wohnt in Rom"),
        ("El usuario ahora vive en Roma", "El usuario vive en Oslo"),
        ("L'utilisateur ne mange plus de viande", "L'utilisateur mange de la viande"),
        ("用户现在住在上海", "用户住在北京"),
    ],
)
def test_signs_of_change(new, old):
    """Other numbers and words of change in several languages make a near fact an update."""
    assert shows_change(new, old)
    assert decide(new, near(old, 0.85)).event is EventKind.UPDATE


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User's budget is $8,000", "User's budget is $5,000"),
        ("User does not eat meat", "User does eat meat"),
        ("User doesn’t eat meat", "User does eat meat"),
        ("Der Nutzer isst kein Fleisch", "Der Nutzer isst Fleisch"),
        ("用户不吃肉", "用户吃肉"),
    ],
)
def test_numbers_and_negations_make_a_difference(new, old):
    """Near-identical statements with other numbers or negations are never taken as the same."""
    assert not says_the_same(new, old)
    assert decide(new, near(old, 0.99)).event is not EventKind.NONE


def test_only_the_nearest_is_updated():
    """The best score decides, in whatever order the neighbours come."""
    one, other = near("User drinks milk", 0.82, name="a"), near("User drinks juice", 0.86, name="b")
    assert decide("User now drinks tea", one, other).memory_id == "b"
    assert decide("User now drinks tea", other, one).memory_id == "b"


def test_an_unmeasured_embedder_merges_nothing_but_repetitions():
    """Without measured thresholds even a cosine of 1 does not replace a memory."""
    known = near("User drinks milk", 1.0)
    assert decide("User now drinks tea", known, calibration=SAFE).event is EventKind.ADD


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User's budget is $5", "User's budget is €5"),
        ("User knows C", "User knows C++"),
        ("User knows C", "User knows C#"),
        ("User owns 5% of it", "User owns 5 of it"),
        ("用户住在北京", "用户住在上海"),
        ("कमल", "कमला"),
    ],
)
def test_canonical_keeps_what_matters(one, other):
    """Currencies, symbols in names and marks of every script stay."""
    assert canonical(one) != canonical(other)


@given(st.text())
def test_canonical_is_stable(text):
    """Canonical text is its own canonical form, without outer or double spaces."""
    once = canonical(text)
    assert once == " ".join(once.split())
    assert canonical(once) == once


@given(st.text(st.characters(codec="ascii")))
def test_canonical_ignores_case_spacing_and_width(text):
    """Upper case, more spaces and full-width forms say the same."""
    wide = "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text.upper().replace(" ", "  ")
    )
    assert unicodedata.normalize("NFKC", wide) == text.upper().replace(" ", "  ")
    assert canonical(wide) == canonical(text)


SCORES = st.floats(-1, 1)
WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=5)


@given(
    WORDS,
    st.lists(st.tuples(WORDS, SCORES, st.sampled_from(MemoryType)), max_size=5),
    SCORES,
    SCORES,
)
def test_every_decision_is_sound(text, known, update, same):
    """A decision is about a known memory or the new id, and says NONE only about a known one."""
    neighbours = [Neighbour(str(n), t, kind, score) for n, (t, score, kind) in enumerate(known)]
    calibration = Calibration(recall=0.2, update=update, same=same)
    decision = decide(text, *neighbours, calibration=calibration)
    texts = {n.id: n.text for n in neighbours}
    match decision.event:
        case EventKind.ADD:
            assert decision.memory_id == "new"
            assert decision.text == text
        case EventKind.UPDATE:
            assert decision.old_text == texts[decision.memory_id]
            assert decision.text == text
        case EventKind.NONE:
            assert decision.text == texts[decision.memory_id]
        case _:
            pytest.fail("nothing is deleted by similarity alone")
