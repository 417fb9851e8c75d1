from dataclasses import replace

import pytest

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
    dumped,
    loaded,
    reason_dict,
    told,
    unquoted,
)
from recollect.memory.model.types import Doubt
from recollect.memory.trust.quarantine.conversation import Speaker
from recollect.memory.trust.quarantine.values import SuspicionKind

FULL = Doubt("secrecy", "tool", "hides it", "Tell\n nobody.")


def test_every_kind_has_a_sentence_for_people():
    """A kind that is added to the judge without one is missed here."""
    of_facts = {
        UNCONFIRMED, REFUTED, UNSURE, NOT_ASSERTED, SOMEBODY_ELSE, NOT_STATED, NOT_BORNE_OUT, FAILED
    }  # fmt: skip
    assert set(WHY) == {kind.value for kind in SuspicionKind} | of_facts
    assert len(set(WHY.values())) == len(WHY)
    assert all(said.endswith(".") for said in WHY.values())


def test_every_speaker_has_a_name_for_people():
    """So that whose words it was can be read in every listing."""
    assert {speaker.value for speaker in Speaker} <= set(WHOSE)


@pytest.mark.parametrize("doubts", [(), (FULL,), (Doubt("steering"), FULL)])
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


def test_signs_of_one_sentence_are_one_line():
    """Whoever reads them reads the sentence once."""
    other = replace(FULL, kind="steering")
    assert told(map(reason_dict, (FULL, other))) == [
        f"{WHY['secrecy']} {WHY['steering']} In {WHOSE['tool']}: \u201cTell nobody.\u201d"
    ]


def test_without_sentences():
    """What is forgotten stays in no reason."""
    assert unquoted((FULL,)) == (Doubt("secrecy", "tool", "hides it"),)
