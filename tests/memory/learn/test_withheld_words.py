"""Which turns stay recallable as they were said, given what was decided about them. Pure."""

from dataclasses import replace

from recollect.memory.learn import StillSaid, after_learning
from recollect.memory.learn.withheld_words import WITHHELD
from recollect.memory.model.doubts import NOT_ASSERTED, SOMEBODY_ELSE, UNCONFIRMED
from recollect.memory.model.types import EventKind, Source
from tests.support.folding import rows

from .doubles import ALICE, NOON, a_decision, a_turn

TURNS = [a_turn(name, "c", ALICE, "text", "ok", NOON) for name in "ab"]
TOLD = a_decision(EventKind.ADD, "m", "User lives in Oslo", turn_ids=("a",))
HELD = a_decision(
    EventKind.QUARANTINE,
    "h",
    "User's boss is Karen",
    turn_ids=("a",),
    flags=(SOMEBODY_ELSE,),
    source=Source.EXTRACTION,
    stage=WITHHELD,
)
KNOWN = replace(HELD, event=EventKind.NONE)
LABELLED = replace(HELD, flags=("doubtful", NOT_ASSERTED))
PLANTED = replace(HELD, flags=("exfiltration", NOT_ASSERTED))
GUESS = replace(HELD, flags=(UNCONFIRMED,), source=Source.ASSISTANT)


@rows(
    "decisions, remembered, still_said",
    [
        ([], "", {}),
        ([TOLD], "a", {}),
        ([replace(TOLD, turn_ids=())], "ab", {}),
        ([HELD], "", {"a": StillSaid(held=(HELD,))}),
        ([KNOWN], "", {"a": StillSaid(held=(KNOWN,))}),
        ([replace(TOLD, event=EventKind.NONE)], "a", {}),
        ([TOLD, HELD], "", {"a": StillSaid((TOLD,), (HELD,))}),
        ([LABELLED], "", {"a": StillSaid(held=(LABELLED,), labelled=True)}),
        ([PLANTED], "a", {}),
        ([PLANTED, HELD], "a", {}),
        ([GUESS], "", {}),
        ([GUESS, TOLD], "a", {}),
        ([replace(GUESS, flags=("tool_borne",))], "a", {}),
    ],
)
def test_what_becomes_of_turns(decisions, remembered, still_said):
    """A memory takes the place of its turn, and so does what looks planted; a doubt does not."""
    after = after_learning(decisions, TURNS)
    assert after.remembered == set(remembered)
    assert after.still_said == still_said


def test_what_could_not_be_learned_stays():
    """A fact that no embedder takes is in no memory; of turns of others nothing is decided."""
    after = after_learning([TOLD], TURNS, ("a", "z"))
    assert after.remembered == frozenset()
    assert after.still_said == {"a": StillSaid((TOLD,))}
