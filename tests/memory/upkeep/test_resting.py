"""What is said of upkeep that rests."""

from recollect.memory.upkeep import UpkeepOptions
from recollect.memory.upkeep.resting import resting

OPTIONS = UpkeepOptions()


def options(**sections):
    """Everything on, but for what is said."""
    chosen = {"reflect": {"enabled": True}, **sections}
    return UpkeepOptions.model_validate(chosen)


def test_with_a_model_every_kind_runs():
    """What is off is named by its key."""
    assert resting(options(), judges=True, why="").told == "every kind runs"
    found = resting(OPTIONS, judges=False, why="")
    assert not found
    assert found.told == "off: learn.ask_about_conflicts, upkeep.reflect.enabled"


def test_without_a_model_what_needs_one_waits_and_the_rest_goes_on():
    """With the reason in words, and what is still done."""
    found = resting(OPTIONS, judges=True, why="no_model")
    assert found
    assert found.told == (
        "judge, episode wait: no model is named in learn.llm, and no chat has lent one; "
        "consolidate still merges what says the same and archives what faded; "
        "off: upkeep.reflect.enabled"
    )


def test_what_is_off_waits_for_nothing():
    """Nor does anything go on by itself."""
    found = resting(UpkeepOptions(enabled=False), judges=True, why="upkeep_budget_spent")
    assert found.told == (
        "judge wait: the tokens of the day are spent (upkeep.daily_tokens); off: upkeep.enabled"
    )
    assert not resting(UpkeepOptions(enabled=False), judges=False, why="no_model")


def test_a_reason_of_a_later_version_is_told_as_it_is():
    """Rather than nothing."""
    assert "wait: eclipse;" in resting(OPTIONS, judges=True, why="eclipse").told
