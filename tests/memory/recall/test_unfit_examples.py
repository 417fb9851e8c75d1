"""The sentences that wishes are compared with at the door."""

from recollect.memory.recall.examples import WANTS, WISHES
from recollect.memory.recall.unfit_examples import FIT, MATERIAL, REMARKS, UNFIT


def test_no_sentence_stands_on_both_sides():
    """It would be as near to what it shows as to the contrary."""
    told = [*UNFIT, *FIT, *MATERIAL, *REMARKS, *WISHES, *WANTS]
    assert len(told) == len(set(told))


def test_they_are_english():
    """Other languages are compared with them by meaning."""
    assert all(text.isascii() for text in (*UNFIT, *FIT, *MATERIAL, *REMARKS))
