from recollect.memory.model.doubts import (
    FAILED,
    NOT_ASSERTED,
    NOT_BORNE_OUT,
    NOT_STATED,
    REFUTED,
    SOMEBODY_ELSE,
    UNCONFIRMED,
    UNKNOWN,
    UNSURE,
    WHOSE,
    WHY,
    doubts_of,
    dumped,
    loaded,
    reason_dict,
    told,
)
from recollect.memory.model.types import Doubt, Provenance
from recollect.memory.trust.quarantine.values import SuspicionKind
from tests.support.folding import rows

FULL = Doubt("secrecy", "tool", "hides it", "Tell\n nobody.")


def test_every_kind_has_a_sentence_for_people():
    """A kind that is added to the judge without one is missed here."""
    of_facts = {
        UNCONFIRMED, REFUTED, UNSURE, NOT_ASSERTED, SOMEBODY_ELSE, NOT_STATED, NOT_BORNE_OUT, FAILED
    }  # fmt: skip
    assert set(WHY) == {kind.value for kind in SuspicionKind} | of_facts
    assert len(set(WHY.values())) == len(WHY)
    assert all(said.endswith(".") for said in WHY.values())


@rows("doubts", [(), (FULL,), (Doubt("steering"), FULL)])
def test_doubts_survive_a_row(doubts):
    """They come back, without fields that a later version adds."""
    assert loaded(dumped(doubts)) == doubts
    assert loaded([{**row, "later": 1} for row in dumped(doubts)]) == doubts


def test_rows_of_earlier_versions():
    """A memory that has only flags is shown with the sentence of each."""
    assert doubts_of(Provenance(flags=("secrecy",))) == (Doubt("secrecy"),)
    assert doubts_of(Provenance(flags=("secrecy",), reasons=(FULL,))) == (FULL,)
    assert doubts_of(Provenance()) == ()


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
