"""The weights of evidence that the product brings."""

from recollect.memory.calibration import ANSWERS, BUILT_IN, RIGHT


def test_each_signal_speaks_the_way_it_must():
    """Near, worded, named, dated, personal: for an answer. Many memories, somebody else: against."""
    given = {name: getattr(BUILT_IN.answers, name) for name in ANSWERS}
    against = {name for name, weight in given.items() if weight < 0}
    assert against == {"both", "memories", "elsewhere"}
    assert BUILT_IN.right.answers > 0
    assert BUILT_IN.right.lead > 0 > BUILT_IN.right.place
    assert set(RIGHT) == {"answers", "share", "lead", "place"}
