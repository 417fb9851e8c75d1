"""The constants of ranking."""

from recollect.memory.recall.signals import SIGNALS
from recollect.memory.recall.tuning import TUNING


def test_every_signal_has_a_weight():
    """By its name; what has none would count as an error in every search."""
    assert set(TUNING.weights) == {name.value for name in SIGNALS}
    assert all(weight > 0 for weight in TUNING.weights.values())
