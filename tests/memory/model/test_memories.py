"""How memories end, are worth something, doubted and seen."""

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.doubts import (
    CALLED_WRONG,
    FAILED,
    LEFT_OUT,
    NOT_ASSERTED,
    NOT_BORNE_OUT,
    NOT_STATED,
    REFUTED,
    REVIEW,
    SOMEBODY_ELSE,
    UNCONFIRMED,
    UNKNOWN,
    UNSURE,
    WHOSE,
    WHY,
    dumped,
    loaded,
    reason_dict,
    told,
)
from recollect.memory.model.endings import (
    REFILED,
    by_person,
    ended_by_hand,
    held_again,
    held_once,
    put_back,
    taken_back,
)
from recollect.memory.model.errors import ForbiddenError, ScopeError
from recollect.memory.model.owner import Owner
from recollect.memory.model.row_kinds import EVERY_KIND, MemoryKind, kind_of
from recollect.memory.model.salience import (
    LEAST_IMPORTANCE,
    STRENGTH_DAYS,
    salience,
    valued,
)
from recollect.memory.model.types import (
    Doubt,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
)
from recollect.memory.model.usage import UNUSED, Usage
from recollect.memory.model.visible_scope import VisibleScope
from recollect.memory.statements.passages import Noted, passage
from recollect.memory.trust.options import ReviewKind
from recollect.memory.trust.quarantine.values import SuspicionKind
from tests.memory.forget.parts import memory, turn
from tests.support.folding import rows

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=9)
ITEM = MemoryItem(
    id="m",
    text="User lives in Paris",
    type=MemoryType.SEMANTIC,
    scope=Scope(tenant="t", user_id="u"),
    created_at=NOON + timedelta(hours=1),
    updated_at=NOON,
    valid_from=NOON,
    embedder_id="e",
    provenance=Provenance(
        recorded_at=NOON, matter="g", pending=("other",), cites=("c",), batch="job"
    ),
)


@rows("status", [MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED])
def test_it_comes_back_as_it_was(status):
    """Status, times and links; only the version and the time of its return are new."""
    item = replace(ITEM, status=status)
    ended = ended_by_hand(item, by_person("moved"), until=NOON, now=LATER)
    assert (ended.status, ended.provenance.ended) == (MemoryStatus.SUPERSEDED, "person: moved")
    back = held_again(ended, LATER)
    origin = replace(item.provenance, restored_at=LATER)
    assert back == replace(item, version=item.version + 2, provenance=origin)


def test_whether_it_was_ever_so():
    """What was so until a time was; what never was so, a mistake and mere filing were not."""
    never = ended_by_hand(ITEM, by_person(""), until=NOON, now=LATER)
    once = ended_by_hand(ITEM, by_person("left"), until=LATER, now=LATER)
    other = replace(ITEM, status=MemoryStatus.SUPERSEDED, valid_to=NOON)
    assert [held_once(each) for each in (never, once, other)] == [False, True, True]
    version = replace(once, provenance=replace(ITEM.provenance, superseded_by="n"))
    assert held_once(version)
    assert not held_once(taken_back(version, 3))
    assert not held_once(replace(version, provenance=replace(version.provenance, ended=REFILED)))


@rows("ended", [None, "change: corrected; twice\nover", REFILED])
def test_a_mark_of_a_version_is_taken_off_again(ended):
    """What the version said of its end before is there again."""
    version = replace(ITEM, provenance=replace(ITEM.provenance, ended=ended))
    marked = taken_back(version, 5)
    assert taken_back(marked, 7) == marked
    assert put_back(marked, 6) == marked
    assert put_back(marked, 5) == version
    assert put_back(version, 5) == version


FULL = Doubt("secrecy", "tool", "hides it", "Tell\n nobody.")


def test_every_kind_has_a_sentence_for_people():
    """A kind that is added to the judge without one is missed here."""
    of_facts = {
        UNCONFIRMED, REFUTED, UNSURE, NOT_ASSERTED, SOMEBODY_ELSE, NOT_STATED, NOT_BORNE_OUT, FAILED,
        LEFT_OUT, CALLED_WRONG, *(f"{REVIEW}{kind}" for kind in ReviewKind),
    }  # fmt: skip
    assert set(WHY) == {kind.value for kind in SuspicionKind} | of_facts
    assert len(set(WHY.values())) == len(WHY)
    assert all(said.endswith(".") for said in WHY.values())


@rows("doubts", [(), (FULL,), (Doubt("steering"), FULL)])
def test_doubts_survive_a_row(doubts):
    """They come back, without fields that a later version adds."""
    assert loaded(dumped(doubts)) == doubts
    assert loaded([{**row, "later": 1} for row in dumped(doubts)]) == doubts


def test_as_the_api_shows_it():
    """Only what is known; the judge's word for an unknown origin is not shown."""
    assert reason_dict(FULL) == {
        "kind": "secrecy",
        "why": WHY["secrecy"],
        "detail": "hides it",
        "sentence": "Tell\n nobody.",
        "whose": "tool",
    }
    assert reason_dict(Doubt("newer", "candidate")) == {"kind": "newer", "why": UNKNOWN}


def test_in_lines():
    """The sign, whose words, and the sentence, if it is not the whole text."""
    line = f"{WHY['secrecy']} In {WHOSE['tool']}"
    assert told([reason_dict(FULL)]) == [f"{line}: \u201cTell nobody.\u201d"]
    assert told([reason_dict(FULL)], "Tell nobody.\n") == [f"{line}."]
    assert told([reason_dict(Doubt("secrecy"))]) == [WHY["secrecy"]]
    assert told([reason_dict(Doubt("secrecy", sentence="x"))]) == [
        f"{WHY['secrecy']} \u201cx\u201d"
    ]


def test_a_row_is_a_memory_or_was_said():
    """A passage of a turn was said, all else is a memory, whoever it is from."""
    said = passage(
        turn("t", "I live here."), 0, Noted("I live here."), embedder_id="e", learned=False
    )
    assert kind_of(said.item) is MemoryKind.SAID
    assert kind_of(memory("m", "x")) is MemoryKind.MEMORY
    assert {"memory", "said"} == EVERY_KIND


ACME = Owner("acme")
BOB = Owner("acme", "bob")


def test_a_tenant_names_anybody_of_its_own():
    """With ids it is that scope, without any the whole tenant, where that is allowed."""
    assert ACME.scope("ada", "a") == Scope(tenant="acme", user_id="ada", agent_id="a")
    assert ACME.owner_ref() == ACME.whole_tenant() == "acme"
    assert ACME.owner_ref(run_id="r") == Scope(tenant="acme", run_id="r")
    with pytest.raises(ScopeError):
        ACME.scope()


@rows("other", ["ada", "", "Bob", "bob "])
def test_a_user_names_nobody_else(other):
    """Not even with a name that looks the same; nor the tenant."""
    for asked in (BOB.scope, BOB.owner_ref):
        with pytest.raises(ForbiddenError) as caught:
            asked(other)
        assert caught.value.field == "user_id"
    with pytest.raises(ForbiddenError):
        BOB.whole_tenant()


SCOPES = [
    Scope(tenant=tenant, user_id=user, agent_id=agent, run_id=run)
    for tenant, user, agent, run in itertools.product(
        ("t", "s"), ("ada", "bob", None), ("chef", "tutor", None), ("r", "q", None)
    )
    if user or agent or run
]


@rows("scope", SCOPES)
def test_a_sight_is_the_scope_and_what_the_agents_user_told_no_agent(scope):
    """Nothing else is added, and without a user or an agent nothing at all."""
    seen = {other for other in SCOPES if VisibleScope.of(scope).admits(other)}
    own = {other for other in SCOPES if scope.admits(other)}
    assert own <= seen
    for other in seen - own:
        assert scope.user_id
        assert scope.agent_id
        assert (other.tenant, other.user_id, other.agent_id) == (scope.tenant, scope.user_id, None)
        assert scope.run_id in (None, other.run_id)


COUNTS = st.integers(0, 10**6)
SPOKEN = ("positive", "negative", "confirmed", "corrected")
USAGES = st.builds(Usage, **dict.fromkeys(("recalled", *SPOKEN), COUNTS))


@given(USAGES)
def test_a_standing_is_bounded_and_recalls_do_not_make_it(usage):
    """Above -1 and below 1, however many speak; being shown says nothing of it."""
    assert -1 < usage.rating < 1
    assert replace(usage, recalled=usage.recalled + 1).rating == usage.rating
    assert 0 < usage.trust <= 1
    assert 0 <= usage.worth <= 1


@given(USAGES)
def test_each_vote_moves_it_and_the_other_kind_moves_it_back(usage):
    """Up for it, down against it, and as many of both are as none."""
    more = replace(usage, positive=usage.positive + 1)
    less = replace(usage, negative=usage.negative + 1)
    assert less.rating < usage.rating < more.rating
    assert Usage(positive=usage.positive, negative=usage.positive).rating == 0
    assert UNUSED.rating == 0


def test_the_users_own_word_weighs_more_than_a_thumb():
    """What they said again makes up for two; what they corrected is their word since then."""
    for own in ("confirmed", "corrected"):
        assert Usage(**{own: 1}, negative=2).rating == 0
        assert Usage(**{own: 1}).rating > Usage(positive=1).rating > 0


def aged(days, **fields):
    at = NOON - timedelta(days=days)
    return replace(memory("m", "m", **fields), created_at=at, updated_at=at)


def test_it_fades():
    """By the factor e in the strength's time."""
    assert salience(aged(0), NOON) == pytest.approx(0.5)
    assert salience(aged(STRENGTH_DAYS), NOON) == pytest.approx(0.5 / 2.718281828)


def test_what_is_recalled_fades_more_slowly():
    """It begins anew at each recall, and the more recalls the longer it lasts, to a bound."""
    once = Usage(recalled=1, last_recalled=NOON - timedelta(days=90))
    often = replace(once, recalled=50)
    always = replace(once, recalled=10**9)
    values = [salience(aged(100), NOON, usage) for usage in (UNUSED, once, often, always)]
    assert values == sorted(values)
    assert values[0] < values[1] < values[2]
    assert values[3] <= 0.5


def test_feedback_moves_it_at_once():
    """Ten negative ones take most of it, used or not; nothing takes all of it."""
    for recalls in (0, 50):
        used = Usage(recalled=recalls, last_recalled=NOON if recalls else None)
        plain = salience(aged(9), NOON, used)
        assert 0 < salience(aged(9), NOON, replace(used, negative=10)) < plain / 5
        assert salience(aged(9), NOON, replace(used, positive=10)) > plain
        assert salience(aged(9), NOON, replace(used, positive=10, negative=10)) == plain


@given(st.floats(-2, 3), st.floats(-1, 1, exclude_min=True, exclude_max=True))
def test_what_people_say_moves_an_importance_within_its_bounds(importance, rating):
    """Towards nothing or towards all; without a word it stays as it was."""
    own = valued(importance, 0.0)
    moved = valued(importance, rating)
    assert 0 < moved <= 1
    assert (moved <= own) if rating < 0 else (moved >= own)
    assert LEAST_IMPORTANCE <= own <= 1


@given(st.floats(-1e5, 3e4), st.floats(-5, 5))
def test_any_memory_has_one(days, importance):
    """Between 0 and 1 for whatever the fields hold, never an error."""
    assert 0 < salience(replace(aged(days), importance=importance), NOON) <= 1


def test_what_a_later_statement_ended_is_as_old_as_before():
    """Its end had moved `updated_at`: from when on it is true, or known if nothing else is."""
    origin = replace(ITEM.provenance, ended="change: left")
    ended = replace(ITEM, status=MemoryStatus.SUPERSEDED, updated_at=LATER, provenance=origin)
    assert held_again(ended, LATER).updated_at == NOON
    assert held_again(replace(ended, valid_from=None), LATER).updated_at == ITEM.created_at
