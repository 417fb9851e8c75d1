import pytest
from pydantic import ValidationError

from recollect.memory.learn import LearnOptions
from tests.support.folding import rows


def test_a_named_model_may_be_asked_more_often_than_a_clients_own():
    """What was set holds for both; 0 too, which is no absence."""
    llm = {"base_url": "http://localhost:1/v1", "model": "m"}
    assert LearnOptions().hourly_calls < LearnOptions(llm=llm).hourly_calls
    for most in (0, 7):
        assert LearnOptions(llm=llm, calls_per_hour=most).hourly_calls == most


def test_a_slow_model_is_given_time():
    """Whoever lets it take longer for an answer need not say so of what asks several times."""
    usual, slow = LearnOptions(), LearnOptions(llm={"timeout_seconds": 900})
    assert (usual.add_seconds, usual.job_seconds) == (120, 600)
    assert (slow.add_seconds, slow.job_seconds) == (900, 4500)
    quick = LearnOptions(llm={"timeout_seconds": 5})
    assert (quick.add_seconds, quick.job_seconds) == (120, 600)


@rows(
    "wrong",
    [
        {"every_turns": 0},
        {"idle_seconds": 0},
        {"daily_tokens": 0},
        {"calls_per_hour": -1},
        {"concurrency": 0},
        {"unconfirmed": "believe"},
        {"max_output_tokens": 1},
        {"every_turn": 5},
    ],
)
def test_bad_values_are_refused_by_name(wrong):
    """A value out of range or an unknown key is an error that names it."""
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        LearnOptions(**wrong)
