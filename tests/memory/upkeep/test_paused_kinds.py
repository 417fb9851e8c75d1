"""What is said of upkeep that rests."""

from recollect.memory.upkeep import UpkeepOptions
from recollect.memory.upkeep.paused_kinds import paused

OPTIONS = UpkeepOptions()


def test_without_a_model_what_needs_one_waits_and_the_rest_goes_on():
    """With the reason in words, and what is still done."""
    found = paused(OPTIONS, why="no_model")
    assert found
    assert found.told == (
        "judge, episode wait: no model is named in learn.llm, and no chat has lent one; "
        "consolidate still merges what says the same and archives what faded; "
        "off: upkeep.kinds.reflect"
    )
