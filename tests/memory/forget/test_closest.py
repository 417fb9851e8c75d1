"""Which hits of a search a user means."""

from types import SimpleNamespace

from recollect.memory.calibration import Calibration
from recollect.memory.forget.closest import closest
from recollect.memory.recall.signals import Signal

MEASURED = Calibration(recall=0.2, update=0.9, same=0.95, floor=0.2, ceiling=0.5)


def hit(name, cosine, coverage=0.0, entity=0.0):
    signals = {Signal.ENTITY: entity}
    return SimpleNamespace(name=name, cosine=cosine, coverage=coverage, signals=signals)


def chosen(*hits):
    return [each.name for each in closest(list(hits), MEASURED)]


def test_one_thing_is_meant():
    """What shares a word with it by chance, or is of a like kind, is not."""
    assert chosen(hit("job", 0.7, 1.0), hit("gym", 0.2, 0.5), hit("home", 0.35)) == ["job"]


def test_all_about_one_person_is_meant():
    """Each line with the name that is about as near."""
    near = (hit("moved", 0.43, 0.4), hit("twins", 0.4, 0.4))
    assert chosen(*near, hit("peanuts", 0.2)) == ["moved", "twins"]


def test_other_words_for_the_same_are_meant():
    """Without a word in common it must be very near."""
    assert chosen(hit("meat", 0.6), hit("fish", 0.4)) == ["meat"]


def test_a_name_is_near_enough():
    """Whatever is told of somebody, the name is in it."""
    assert chosen(hit("anna", 0.2, 0.4, entity=0.2), hit("tea", 0.1)) == ["anna"]


def test_nothing_near_is_nothing():
    """What is merely the nearest is not meant."""
    assert chosen() == []
    assert chosen(hit("car", 0.34), hit("flat", 0.22)) == []


def test_all_words_are_enough():
    """What holds every word of the query is meant, however long it is besides."""
    assert chosen(hit("tea", 0.2, 1.0), hit("coffee", 0.5, 0.3)) == ["tea"]
